import { LINE_EVENTS, RECONNECT, type Refusal } from '@fairgame/contract';
import type { Manager, Socket } from 'socket.io-client';
import { socketBase } from '../api/api.ts';
import { Late } from '../platform/later.tsx';
import { Listeners, Signal } from '../platform/listeners.ts';
import { perPlayer } from '../platform/per-player.ts';
import { endSession, onSession, readSession } from '../session/session.ts';
import { Outbox } from './outbox.ts';

/**
 * The one line to the server: a single connection, shared by the namespaces, and the only place that opens one. It survives
 * every kind of end. A lost transport comes back by the library. What the library takes for good (the server's own goodbye:
 * a restart, a reader cut for slowness, a flood; a refused handshake) comes back here, after a wait that differs from tab to
 * tab. It stays away only where the player must decide: too many tabs, or another tab took this one's place.
 */
export type LineState =
  /** Nobody wants it. */
  | 'off'
  /** Not there, and coming by itself. */
  | 'down'
  | 'up'
  /** The account is open in as many tabs as it may be. */
  | 'crowded'
  /** Another tab took this one's place. */
  | 'replaced';

export type Path = '/' | '/match' | '/card';

export interface Channel {
  readonly up: boolean;
  on<T>(event: string, listener: (message: T) => void): () => void;
  /** Says it, at the pace the server takes. Nothing is kept for a line that is down: `up` says what is still true. */
  emit(event: string, value?: unknown): void;
  /** Says it and waits for its acknowledgement; null at once where the line is not a quick one, null later where none came. */
  ask<T>(event: string, value: unknown, ms: number): Promise<T | null> | null;
  close(): void;
}

interface Wishes {
  /** What the handshake says beside the token. */
  auth?: () => Record<string, unknown>;
  up?: () => void;
  down?: () => void;
}

interface Open {
  path: Path;
  /** Null until the library is there. */
  socket: Socket | null;
  wishes: Wishes;
  heard: Listeners;
  message: unknown;
  /** With which token it was last asked in. */
  token: string | undefined;
  outbox: Outbox<[string, ...unknown[]]>;
}

/** Half of what the server takes of one socket in a second. */
const EMITS_A_SECOND = 10;
/** After the server's own goodbye: all its tabs come back, so not at once. */
const RETURN_MS = [RECONNECT.reconnectionDelay, RECONNECT.reconnectionDelayMax] as const;
/** A place may get free by itself when another tab closes. */
const CROWDED_MS = [20_000, 40_000] as const;

/** The first picture is drawn from readings: it need not wait for what opens sockets, nor share its line with it. */
type Library = typeof import('socket.io-client');
const library = new Late<Library>(() => import('socket.io-client'), 'What opens the line');

const channels = new Map<Path, Open>();
const changed = new Signal();
let manager: Manager | null = null;
let state: LineState = 'off';
/** Why it stays away until the player decides. */
let waitsFor: 'crowded' | 'replaced' | null = null;
let takesOver = false;
let refusals = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

export const lineState = (): LineState => state;
export const onLine = changed.on;

/** Opens a namespace for the player who is signed in; null when nobody is. Each has one owner at a time. */
export function openChannel(path: Path, wishes: Wishes = {}): Channel | null {
  if (!readSession()) return null;
  const open: Open = {
    path,
    socket: null,
    wishes,
    heard: new Listeners(),
    message: undefined,
    token: undefined,
    outbox: new Outbox(EMITS_A_SECOND, (said) => open.socket?.emit(...said)),
  };
  channels.set(path, open);
  if (path === '/') followGoodbyes(open);
  if (waitsFor === null) connect(open);
  settle();
  return {
    get up() {
      return isUp(open);
    },
    on: (event, listener) => open.heard.add(event, () => listener(open.message as never)),
    emit(event, value) {
      if (!isUp(open)) return;
      open.outbox.push(value === undefined ? [event] : [event, value]);
    },
    ask(event, value, ms) {
      const { socket } = open;
      if (!socket?.connected || !(socket.io.engine.transport as { takes?: boolean }).takes || !open.outbox.take())
        return null;
      return new Promise((resolve) => {
        socket.timeout(ms).emit(event, value, (error: Error | null, answer: never) => resolve(error ? null : answer));
      });
    },
    close() {
      if (channels.get(path) !== open) return;
      channels.delete(path);
      leave(open);
      settle();
    },
  };
}

/** The player wants this tab: the oldest other one gives its place. */
export function takeOver(): void {
  takesOver = true;
  waitsFor = null;
  connectAll();
}

const isUp = ({ socket }: Open): boolean => socket?.connected ?? false;

function connect(open: Open): void {
  if (open.socket) {
    if (!open.socket.active) open.socket.connect();
  } else if (library.now) {
    open.socket = newSocket(open, library.now);
    open.socket.connect();
  } else {
    const there = () => {
      if (channels.get(open.path) === open && !open.socket && waitsFor === null) connect(open);
    };
    library.need().then(there, () => comeBack(RETURN_MS));
  }
}

/**
 * While the other side closes a connection (an update, a slow reader cut off) it takes nothing any more, and the page hears of its end a way
 * there and back later. The browser would lose what is said in between and tell the player's console of it; nothing is said.
 */
const quiet = ({ WebSocket }: Library) =>
  class extends WebSocket {
    get takes(): boolean {
      return this.ws?.readyState === 1;
    }
    override doWrite(...said: Parameters<InstanceType<Library['WebSocket']>['doWrite']>): void {
      if (this.takes) super.doWrite(...said);
    }
  };

function newSocket(open: Open, library: Library): Socket {
  const { path, wishes } = open;
  manager ??= new library.Manager(`${socketBase()}/`, {
    ...RECONNECT,
    transports: [quiet(library), library.XHR],
    // Behind a proxy without websockets the other one is tried.
    tryAllTransports: true,
    autoConnect: false,
  });
  const socket = manager.socket(path, { auth: (give) => give(handshake(path)) });
  // The library keeps one socket a path: who had it before is not told any more.
  socket.off();
  socket.offAny();
  socket.onAny((event: string, message: unknown) => {
    open.message = message;
    open.heard.tell(event);
  });
  socket.on('connect', () => {
    refusals = 0;
    if (waitsFor === 'crowded') {
      waitsFor = null;
      connectAll();
    }
    if ([...channels.values()].every(isUp)) takesOver = false;
    wishes.up?.();
    settle();
  });
  socket.on('disconnect', (reason) => {
    open.outbox.clear();
    wishes.down?.();
    if (reason === 'io server disconnect') comeBack(RETURN_MS);
    settle();
  });
  socket.on('connect_error', (error: Error & { data?: Refusal }) => {
    // While it is active the library itself tries again.
    if (!socket.active) refused(open, error.data);
    settle();
  });
  return socket;
}

function handshake(path: Path): Record<string, unknown> {
  const open = channels.get(path);
  const token = readSession()?.token;
  if (open) open.token = token;
  return { token, ...(takesOver ? { takeOver: true } : {}), ...open?.wishes.auth?.() };
}

function followGoodbyes(open: Open): void {
  const [soon, replaced] = LINE_EVENTS;
  open.heard.add(soon, () => {
    const { afterMs } = open.message as { afterMs: number };
    // The library finds its transport gone and opens another.
    again(Math.min(Math.max(0, afterMs), 60_000), () => manager?.engine.close());
  });
  open.heard.add(replaced, () => {
    waitsFor = 'replaced';
    clearTimeout(timer);
    for (const one of channels.values()) one.socket?.disconnect();
    settle();
  });
}

function refused(open: Open, why: Refusal | undefined): void {
  switch (why?.code) {
    case 'NOT_SIGNED_IN':
    case 'SESSION_ENDED':
      // A token that was given up for a new one meanwhile says nothing about the session.
      if (open.token === readSession()?.token) endSession('ended');
      else comeBack([0, 0]);
      return;
    case 'TOO_MANY_TABS':
      waitsFor = 'crowded';
      again(between(CROWDED_MS), connectAll);
      return;
    case 'CODE_REQUIRED':
    case 'PASSWORD_CHANGE_REQUIRED':
    case 'NOT_ALLOWED':
      // Another state of the session is another token, or a page loaded anew.
      return;
    default:
      refusals += 1;
      comeBack([RETURN_MS[0], Math.min(RETURN_MS[1] * refusals, 60_000)]);
  }
}

function comeBack(wait: readonly [number, number]): void {
  if (waitsFor === null) again(between(wait), connectAll);
}

/** One plan at a time: the latest. */
function again(ms: number, act: () => void): void {
  clearTimeout(timer);
  timer = setTimeout(act, ms);
}

function connectAll(): void {
  clearTimeout(timer);
  for (const open of channels.values()) connect(open);
  settle();
}

const between = ([from, to]: readonly [number, number]): number => from + Math.random() * (to - from);

function leave(open: Open): void {
  open.outbox.clear();
  open.socket?.off();
  open.socket?.offAny();
  open.socket?.disconnect();
}

function settle(): void {
  const all = [...channels.values()];
  const next = waitsFor ?? (all.length === 0 ? 'off' : all.every(isUp) ? 'up' : 'down');
  if (next === state) return;
  state = next;
  changed.tell();
}

// A new token (a proven security code) ends the old one's sockets: they come back under the new one at once.
let token = readSession()?.token;
onSession((session) => {
  const before = token;
  token = session?.token;
  if (token === undefined || token === before) return;
  waitsFor = null;
  for (const { socket } of channels.values()) socket?.disconnect();
  connectAll();
});

perPlayer(() => {
  clearTimeout(timer);
  for (const open of channels.values()) leave(open);
  channels.clear();
  manager = null;
  waitsFor = null;
  takesOver = false;
  refusals = 0;
  settle();
});
