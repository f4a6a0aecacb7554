import type { Refusal } from '@fairgame/contract';
import { RECONNECT } from '@fairgame/contract';

/**
 * A server and its line as socket.io shows them to the client, for tests of what happens when the line is bad. Use:
 *   vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);
 * It models what the library does by itself (a lost transport comes back) and what it does not (the server's goodbye and a
 * refused handshake are final).
 */
type Fate = 'deliver' | 'lose' | 'twice' | 'late';
type Auth = (give: (auth: Record<string, unknown>) => void) => void;
type Heard = (...args: unknown[]) => void;

class FakeSocket {
  connected = false;
  active = false;
  readonly #on = new Map<string, Set<Heard>>();
  readonly #any = new Set<(event: string, message: unknown) => void>();
  readonly #manager: FakeManager;
  readonly path: string;
  readonly #auth: Auth;
  readonly #waiting = new Set<() => void>();

  constructor(manager: FakeManager, path: string, auth: Auth) {
    this.#manager = manager;
    this.path = path;
    this.#auth = auth;
  }
  on(event: string, listener: Heard): void {
    const set = this.#on.get(event) ?? new Set();
    this.#on.set(event, set.add(listener));
  }
  off(): void {
    this.#on.clear();
  }
  onAny(listener: (event: string, message: unknown) => void): void {
    this.#any.add(listener);
  }
  offAny(): void {
    this.#any.clear();
  }
  tell(event: string, ...args: unknown[]): void {
    for (const listener of Array.from(this.#on.get(event) ?? [])) listener(...args);
  }
  hear(event: string, message: unknown): void {
    if (this.connected) for (const listener of Array.from(this.#any)) listener(event, message);
  }
  emit(event: string, value?: unknown): void {
    line.sent.push({ path: this.path, event, value, at: performance.now() });
    line.onEmit(this.path, event, value);
  }
  get io(): FakeManager {
    return this.#manager;
  }
  /** As the library: an acknowledgement that does not come, in time or at all, is an error. */
  timeout(ms: number) {
    return {
      emit: (event: string, value: unknown, done: (error: Error | null, answer?: unknown) => void): void => {
        const fail = () => {
          clearTimeout(timer);
          if (this.#waiting.delete(fail)) done(new Error('no acknowledgement'));
        };
        const timer = setTimeout(fail, ms);
        this.#waiting.add(fail);
        this.emit(event, value);
        const answer = line.onAsk(event, value);
        if (answer === undefined || !this.#waiting.delete(fail)) return;
        clearTimeout(timer);
        queueMicrotask(() => done(null, answer));
      },
    };
  }
  connect(): void {
    if (this.active) return;
    this.active = true;
    this.#manager.open();
    if (this.#manager.isOpen) this.shakeHands();
  }
  shakeHands(): void {
    this.#auth((auth) => {
      line.handshakes.push({ path: this.path, auth });
      queueMicrotask(() => {
        if (!this.active || this.connected) return;
        const refusal = line.refuse(this.path, auth);
        if (refusal === null) {
          this.connected = true;
          line.onConnect(this.path);
          this.tell('connect');
          return;
        }
        this.active = false;
        this.tell('connect_error', Object.assign(new Error(refusal.code), { data: refusal }));
      });
    });
  }
  end(reason: string): void {
    const was = this.connected;
    this.connected = false;
    for (const fail of Array.from(this.#waiting)) fail();
    if (was) this.tell('disconnect', reason);
  }
  disconnect(): void {
    this.active = false;
    this.end('io client disconnect');
    this.#manager.leave();
  }
}

class FakeManager {
  isOpen = false;
  #opening = false;
  #tries = 0;
  readonly sockets = new Map<string, FakeSocket>();
  readonly engine = {
    close: () => this.lose('forced close'),
    get transport() {
      return { takes: line.transport === 'websocket' };
    },
  };

  constructor(_url: string, options: Record<string, unknown>) {
    line.managers.push(options);
    line.connections.add(this);
  }
  socket(path: string, { auth }: { auth: Auth }): FakeSocket {
    const known = this.sockets.get(path);
    if (known) return known;
    const socket = new FakeSocket(this, path, auth);
    this.sockets.set(path, socket);
    return socket;
  }
  open(): void {
    if (this.isOpen || this.#opening) return;
    this.#opening = true;
    queueMicrotask(() => this.#opened());
  }
  #opened(): void {
    this.#opening = false;
    const wanting = [...this.sockets.values()].filter((socket) => socket.active);
    if (wanting.length === 0) return;
    if (line.reachable) {
      this.isOpen = true;
      this.#tries = 0;
      for (const socket of wanting) socket.shakeHands();
      return;
    }
    for (const socket of wanting) socket.tell('connect_error', new Error('websocket error'));
    this.#again();
  }
  #again(): void {
    this.#opening = true;
    const wait = Math.min(RECONNECT.reconnectionDelay * 2 ** this.#tries++, RECONNECT.reconnectionDelayMax);
    setTimeout(() => this.#opened(), wait);
  }
  /** The transport is gone: sockets that still want it come back by themselves. */
  lose(reason: string): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const socket of this.sockets.values()) socket.end(reason);
    if ([...this.sockets.values()].some((socket) => socket.active)) this.#again();
  }
  /** The server says goodbye to one namespace or to all: the library takes it for good. */
  goodbye(path?: string): void {
    for (const socket of this.sockets.values()) {
      if (path !== undefined && socket.path !== path) continue;
      socket.active = false;
      socket.end('io server disconnect');
    }
    this.leave();
  }
  leave(): void {
    if (![...this.sockets.values()].some((socket) => socket.active)) this.isOpen = false;
  }
}

const fresh = () => ({
  sent: [] as Array<{ path: string; event: string; value: unknown; at: number }>,
  handshakes: [] as Array<{ path: string; auth: Record<string, unknown> }>,
  managers: [] as Array<Record<string, unknown>>,
  connections: new Set<FakeManager>(),
  /** Whether a transport can be opened. */
  reachable: true,
  refuse: (_path: string, _auth: Record<string, unknown>): Refusal | null => null,
  onConnect: (_path: string): void => undefined,
  /** What the server does with what it is told. */
  onEmit: (_path: string, _event: string, _value: unknown): void => undefined,
  /** What it acknowledges; undefined for nothing. */
  onAsk: (_event: string, _value: unknown): unknown => undefined,
  transport: 'websocket',
  fate: (_path: string, _event: string): Fate => 'deliver',
  /** How long a message is on its way, ms; 0 is at once. */
  lagMs: 0,
});

const state = fresh();
const late: Array<() => void> = [];

export const line = Object.assign(state, {
  reset(): void {
    Object.assign(state, fresh());
    late.length = 0;
  },
  /** A message of the server to every connection; its fate decides what becomes of it. */
  send(path: string, event: string, message: unknown): void {
    const deliver = () => {
      for (const manager of state.connections) manager.sockets.get(path)?.hear(event, message);
    };
    const arrive = () => (state.lagMs > 0 ? void setTimeout(deliver, state.lagMs) : deliver());
    const fate = state.fate(path, event);
    if (fate === 'lose') return;
    if (fate === 'late') {
      late.push(arrive);
      return;
    }
    arrive();
    if (fate === 'twice') arrive();
    for (const before of late.splice(0)) before();
  },
  drop(): void {
    for (const manager of state.connections) manager.lose('transport close');
  },
  goodbye(path?: string): void {
    for (const manager of state.connections) manager.goodbye(path);
  },
  /** What was emitted, by event. */
  emitted: (event: string) => state.sent.filter((one) => one.event === event).map((one) => one.value),
});

/** As much of the library's transports as the client makes its own of; nothing here is on a wire. */
class FakeWebSocket {
  ws: { readyState: number; send(data: unknown): void } | null = null;
  doWrite(_packet: unknown, data: unknown): void {
    this.ws!.send(data);
  }
}

export const socketIo = { Manager: FakeManager, WebSocket: FakeWebSocket, XHR: class {} };
