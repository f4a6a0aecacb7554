import { type CardData, type CardResult, type CardRound, type CardTable, cardDataEvent } from '@fairgame/contract';
import { learnTime, serverNow } from '../../api/clock.ts';
import { type Channel, openChannel } from '../../live/line.ts';
import { perPlayer } from '../../session/per-player.ts';

export { serverNow } from '../../api/clock.ts';

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

/**
 * `joining`: no image of this joining yet, what is shown came with a reading and may be old. `late`: nothing came though the
 * phase is long over, or the line is down. Prices are held back in both.
 */
export type TableHealth = 'joining' | 'live' | 'late';

let channel: Channel | null = null;
let unlisten: (() => void) | null = null;
let wanted: string | null = null;
let held: LiveTable | null = null;
let health: TableHealth = 'joining';
let watchdog: ReturnType<typeof setInterval> | null = null;
let joinedAt = Number.NEGATIVE_INFINITY;
/** Joined, and the image that answers it has not come yet. */
let joining = false;
const listeners = new Set<() => void>();

/** A phase that should have ended this long ago means that messages are missing. */
const OVERDUE_MS = 6000;
const REJOIN_MS = 4000;

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
  joinedAt = Number.NEGATIVE_INFINITY;
  setHealth('joining');
  connect();
  follow(code);
  join();
  watchdog ??= setInterval(look, 1000);
  return () => {
    if (wanted !== code) return;
    wanted = null;
    held = null;
    channel?.emit('leaveTable', {});
    unlisten?.();
    unlisten = null;
    if (watchdog) clearInterval(watchdog);
    watchdog = null;
    // A table change is a leave and a watch in one turn: only a line nobody wants any more is closed.
    queueMicrotask(() => {
      if (wanted !== null) return;
      channel?.close();
      channel = null;
    });
    tell();
  };
}

/** The first reading of a table, by HTTP; a newer image from the socket stays. */
export function seedTable(table: CardTable): void {
  learnTime(table.now);
  if (wanted !== table.code || (held && held.n > 0)) return;
  held = { code: table.code, n: 0, round: table.round, topTen: table.topTenResult };
  tell();
}

/** Takes an image from the socket. The number starts anew with each joining: a first one is always good. */
export function takeImage(code: string, message: CardData): void {
  if (code !== wanted) return;
  learnTime(message.now);
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
  channel ??= openChannel('/card', {
    up() {
      // The server may be another one now: its numbers start anew.
      if (held) held = { ...held, n: 0 };
      joinedAt = Number.NEGATIVE_INFINITY;
      join();
    },
    down: () => setHealth('late'),
  });
}

function follow(code: string): void {
  unlisten?.();
  unlisten = channel?.on<CardData>(cardDataEvent(code), (message) => takeImage(code, message)) ?? null;
}

function join(): void {
  if (!channel?.up || wanted === null || performance.now() - joinedAt < 250) return;
  joinedAt = performance.now();
  joining = true;
  channel.emit('joinTable', { code: wanted });
}

/** Once a second: is the table still talking? */
function look(): void {
  const waited = performance.now() - joinedAt > REJOIN_MS;
  const { endsAt, phase } = held?.round ?? { endsAt: 0, phase: 'IDLE' };
  const overdue = phase !== 'IDLE' && endsAt > 0 && serverNow() - endsAt > OVERDUE_MS;
  if (!overdue && !(joining && waited)) return;
  setHealth('late');
  if (waited) join();
}

function setHealth(next: TableHealth): void {
  if (health === next) return;
  health = next;
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

// Back from a hidden tab: what was missed is not played back, it is replaced.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') join();
});

perPlayer(() => {
  channel = null;
  unlisten = null;
  held = null;
});
