import { type CardData, type CardResult, type CardRound, type CardTable, cardDataEvent } from '@fairgame/contract';
import { type Channel, openChannel } from '../../live/live.ts';
import { learnTime, serverNow } from '../../platform/clock.ts';
import { Signal } from '../../platform/listeners.ts';
import { perPlayer } from '../../platform/per-player.ts';

export { serverNow } from '../../platform/clock.ts';

/**
 * The socket of the card tables. Each table on the screen is followed for itself; a message is a whole image and replaces what
 * is held. The running number tells a gap: then the table is joined again, as after a reconnect. A table that is out of sight,
 * or in a hidden tab, is left until it is looked at again: nothing of it is sent meanwhile.
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

interface Followed {
  readonly code: string;
  held: LiveTable | null;
  health: TableHealth;
  /** Out of sight. */
  rests: boolean;
  joinedAt: number;
  /** Joined, and the image that answers it has not come yet. */
  joining: boolean;
  unlisten: (() => void) | undefined;
}

let channel: Channel | null = null;
let watchdog: ReturnType<typeof setInterval> | null = null;
const tables = new Map<string, Followed>();
const changed = new Signal();
export const onTable = changed.on;

/** A phase that should have ended this long ago means that messages are missing. */
const OVERDUE_MS = 6000;
const REJOIN_MS = 4000;
/** Two reasons to join in one moment are one joining. */
const LEAST_JOIN_MS = 250;

export const liveTable = (code: string): LiveTable | null => tables.get(code)?.held ?? null;
export const tableHealth = (code: string): TableHealth => tables.get(code)?.health ?? 'joining';

/** Follows a table while it is on the screen. Each has one follower at a time. */
export function watchTable(code: string): () => void {
  const table: Followed = {
    code,
    held: null,
    health: 'joining',
    rests: false,
    joinedAt: Number.NEGATIVE_INFINITY,
    joining: false,
    unlisten: undefined,
  };
  tables.set(code, table);
  connect();
  table.unlisten = channel?.on<CardData>(cardDataEvent(code), (message) => takeImage(code, message));
  join(table);
  watchdog ??= setInterval(() => tables.forEach(look), 1000);
  changed.tell();
  return () => {
    if (tables.get(code) !== table) return;
    tables.delete(code);
    table.unlisten?.();
    if (isWanted(table)) channel?.emit('leaveTable', { code });
    // A table change is a leave and a watch in one turn: only a line nobody wants any more is closed.
    queueMicrotask(closeUnused);
    changed.tell();
  };
}

/** A table out of sight rests: it is left, keeps its last image, and is joined again once it is seen. */
export function restTable(code: string, rests: boolean): void {
  const table = tables.get(code);
  if (!table || table.rests === rests) return;
  const before = isWanted(table);
  table.rests = rests;
  if (isWanted(table) !== before) follow(table);
}

/** The first reading of a table, by HTTP; a newer image from the socket stays. */
export function seedTable(reading: CardTable): void {
  learnTime(reading.now);
  const table = tables.get(reading.code);
  if (!table || (table.held && table.held.n > 0)) return;
  table.held = { code: reading.code, n: 0, round: reading.round, topTen: reading.topTenResult };
  changed.tell();
}

/** Takes an image from the socket. The number starts anew with each joining: a first one is always good. */
export function takeImage(code: string, message: CardData): void {
  const table = tables.get(code);
  // What was on its way when the table was left is of a round that goes on unseen.
  if (!table || !isWanted(table)) return;
  learnTime(message.now);
  const { held } = table;
  const follows = held !== null && held.n > 0 && message.n > 1 && !table.joining;
  if (follows && message.n <= held.n) return;
  const gap = follows && message.n !== held.n + 1;
  table.joining = false;
  table.held = { code, n: message.n, round: message.round, topTen: message.topTenResult };
  table.health = 'live';
  changed.tell();
  if (gap) join(table);
}

function connect(): void {
  channel ??= openChannel('/card', {
    up() {
      for (const table of tables.values()) {
        // The server may be another one now: its numbers start anew.
        if (table.held) table.held = { ...table.held, n: 0 };
        table.joinedAt = Number.NEGATIVE_INFINITY;
        join(table);
      }
    },
    down() {
      for (const table of tables.values()) setHealth(table, 'late');
    },
  });
}

function closeUnused(): void {
  if (tables.size > 0) return;
  channel?.close();
  channel = null;
  if (watchdog) clearInterval(watchdog);
  watchdog = null;
}

const isWanted = ({ rests }: Followed): boolean => !rests && document.visibilityState === 'visible';

/** Joins or leaves, by whether it is looked at now. What was missed is not played back, it is replaced. */
function follow(table: Followed): void {
  table.joinedAt = Number.NEGATIVE_INFINITY;
  setHealth(table, 'joining');
  if (isWanted(table)) join(table);
  else channel?.emit('leaveTable', { code: table.code });
}

function join(table: Followed): void {
  if (!channel?.up || !isWanted(table) || performance.now() - table.joinedAt < LEAST_JOIN_MS) return;
  table.joinedAt = performance.now();
  table.joining = true;
  channel.emit('joinTable', { code: table.code });
}

/** Once a second: is the table still talking? */
function look(table: Followed): void {
  if (!isWanted(table)) return;
  const waited = performance.now() - table.joinedAt > REJOIN_MS;
  const { endsAt, phase } = table.held?.round ?? { endsAt: 0, phase: 'IDLE' };
  const overdue = phase !== 'IDLE' && endsAt > 0 && serverNow() - endsAt > OVERDUE_MS;
  if (!overdue && !(table.joining && waited)) return;
  setHealth(table, 'late');
  if (waited) join(table);
}

function setHealth(table: Followed, next: TableHealth): void {
  if (table.health === next) return;
  table.health = next;
  changed.tell();
}

document.addEventListener('visibilitychange', () => {
  for (const table of tables.values()) if (!table.rests) follow(table);
});

perPlayer(() => {
  channel = null;
  tables.clear();
  closeUnused();
});
