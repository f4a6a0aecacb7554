import {
  type CardData,
  type CardResult,
  type CardRound,
  type CardTable,
  cardDataEvent,
  RECONNECT,
} from '@fairgame/contract';
import { io, type Socket } from 'socket.io-client';
import { socketBase } from '../../api/hosts.ts';
import { readSession } from '../../session/session.ts';

/**
 * The socket of the card tables. One table is watched at a time; each message is a whole image and replaces what is held.
 * The running number tells a gap: then the table is joined again, as after a reconnect and on return to a hidden tab.
 */
export interface LiveTable {
  readonly code: string;
  /** Running number of the image; 0: it came with the first reading. */
  readonly n: number;
  readonly round: CardRound;
  readonly topTen: readonly CardResult[];
}

/** `late`: nothing came though the phase is long over, or the line is down: prices are held back. */
export type TableHealth = 'live' | 'late';

let socket: Socket | null = null;
let wanted: string | null = null;
let held: LiveTable | null = null;
let health: TableHealth = 'live';
/** What to add to this clock to get the server's; null before the first message. */
let offset: number | null = null;
let watchdog: ReturnType<typeof setInterval> | null = null;
let lastJoin = 0;
/** Joined, and the image that answers it has not come yet. */
let joining = false;
const listeners = new Set<() => void>();

/** A phase that should have ended this long ago means that messages are missing. */
const OVERDUE_MS = 6000;
const REJOIN_MS = 4000;

/** The server's clock as this browser knows it, ms. */
export const serverNow = (): number => Date.now() + (offset ?? 0);

export const liveTable = (): LiveTable | null => held;
export const tableHealth = (): TableHealth => health;
export function onTable(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Joins a table while it is on the screen. */
export function watchTable(code: string): () => void {
  wanted = code;
  if (held?.code !== code) held = null;
  // Another table is joined at once, however short ago the last joining was.
  lastJoin = 0;
  setHealth('live');
  connect();
  join();
  watchdog ??= setInterval(look, 1000);
  return () => {
    if (wanted !== code) return;
    wanted = null;
    held = null;
    socket?.emit('leaveTable', {});
    socket?.off(cardDataEvent(code));
    if (watchdog) clearInterval(watchdog);
    watchdog = null;
    // A table change is a leave and a watch in one turn: only a line nobody wants any more is closed.
    queueMicrotask(() => {
      if (wanted !== null) return;
      socket?.disconnect();
      socket = null;
      offset = null;
    });
    tell();
  };
}

/** The first reading of a table, by HTTP; a newer image from the socket stays. */
export function seedTable(table: CardTable): void {
  learnClock(table.now);
  if (wanted !== table.code || (held && held.n > 0)) return;
  held = { code: table.code, n: 0, round: table.round, topTen: table.topTenResult };
  tell();
}

/** Takes an image from the socket. The number starts anew with each joining: a first one is always good. */
export function takeImage(code: string, message: CardData): void {
  if (code !== wanted) return;
  learnClock(message.now);
  const follows = held !== null && held.n > 0 && message.n > 1 && !joining;
  if (follows && message.n <= held!.n) return;
  const gap = follows && message.n !== held!.n + 1;
  joining = false;
  held = { code, n: message.n, round: message.round, topTen: message.topTenResult };
  setHealth('live');
  tell();
  if (gap) join();
}

function connect(): void {
  const token = readSession()?.token;
  if (socket || !token) return;
  socket = io(`${socketBase()}/card`, {
    ...RECONNECT,
    transports: ['websocket', 'polling'],
    auth: (give) => give({ token: readSession()?.token ?? token }),
    forceNew: true,
  });
  socket.on('connect', () => {
    // The server may be another one now: its numbers start anew.
    if (held) held = { ...held, n: 0 };
    lastJoin = 0;
    join();
  });
  socket.on('disconnect', () => setHealth('late'));
}

function join(): void {
  if (!socket || wanted === null) return;
  const code = wanted;
  const event = cardDataEvent(code);
  if (!socket.hasListeners(event)) socket.on(event, (message: CardData) => takeImage(code, message));
  if (!socket.connected || Date.now() - lastJoin < 250) return;
  lastJoin = Date.now();
  joining = true;
  socket.emit('joinTable', { code });
}

/** Once a second: is the table still talking? */
function look(): void {
  if (!held || !socket) return;
  const { endsAt, phase } = held.round;
  const overdue = phase !== 'IDLE' && endsAt > 0 && serverNow() - endsAt > OVERDUE_MS;
  if (!overdue) return;
  setHealth('late');
  if (Date.now() - lastJoin > REJOIN_MS) join();
}

function setHealth(next: TableHealth): void {
  if (health === next) return;
  health = next;
  tell();
}

/** Messages only ever come late: the least delay seen gives the truest clock. A clock that was set back shows as a jump. */
function learnClock(now: number): void {
  const seen = now - Date.now();
  offset = offset === null || seen > offset || offset - seen > 5000 ? seen : offset;
}

function tell(): void {
  for (const listener of listeners) listener();
}

// Back from a hidden tab: what was missed is not played back, it is replaced.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') join();
});
