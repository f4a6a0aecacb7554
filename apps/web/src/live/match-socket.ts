import { type Frame, type LiveImages, liveDataEvent } from '@fairgame/contract';
import { learnTime } from '../platform/clock.ts';
import { perPlayer } from '../platform/per-player.ts';
import { type Channel, openChannel } from './line.ts';
import { onPace, pace, SLOW_MS } from './pace.ts';
import * as store from './store.ts';

/**
 * Prices and scores of the matches on the screen. Several parts of a page may watch; what the server is asked for is the
 * union. A tab that has been hidden for a while asks for nothing, and for everything again when it is looked at.
 */
interface Watch {
  ids: readonly number[];
  mode: 'full' | 'head';
}
interface Asked {
  full: number[];
  head: number[];
}

/** No frame for this long means that prices are old: the server sends at least an empty one every 2 s. */
const SILENT_MS = 5000;
/** The server's bound, of each mode. */
const MOST_MATCHES = 60;
/** New rows of one message, and the least time between two: a list that is scrolled changes with every frame. */
const STEP = 20;
const STEP_MS = 200;
/** Images that did not come are asked for again after this, then after twice as long. */
const OVERDUE_MS = 4000;
const MOST_ASKINGS = 4;
/** Looking away for less costs nothing and is not worth a word. */
const ASLEEP_MS = 10_000;

let channel: Channel | null = null;
/** What the server was asked for on this connection. */
let asked: Asked = { full: [], head: [] };
let renewal: ReturnType<typeof setTimeout> | 'turn' | null = null;
let renewedAt = Number.NEGATIVE_INFINITY;
let asleep = false;
let sleep: ReturnType<typeof setTimeout> | undefined;
const watches = new Set<Watch>();
const depths = new Map<string, { marketId: number; runnerId: number; count: number }>();
/** Matches whose images have not come yet. */
const awaited = new Map<number, { askings: number; dueAt: number }>();
/** Listening for the images of a match. */
const listening = new Map<number, () => void>();
let heardAt = 0;
let look: ReturnType<typeof setInterval> | undefined;

export function watchMatches(ids: readonly number[], mode: 'full' | 'head'): () => void {
  const watch = { ids, mode };
  watches.add(watch);
  renew();
  return () => {
    watches.delete(watch);
    renew();
  };
}

export function watchDepth(marketId: number, runnerId: number): () => void {
  const id = `${marketId}.${runnerId}`;
  const held = depths.get(id) ?? { marketId, runnerId, count: 0 };
  held.count += 1;
  depths.set(id, held);
  if (held.count === 1) channel?.emit('depth', { marketId, runnerId, on: true });
  return () => {
    held.count -= 1;
    if (held.count > 0) return;
    depths.delete(id);
    store.forgetDepth(marketId, runnerId);
    channel?.emit('depth', { marketId, runnerId, on: false });
  };
}

/** The union of what is watched. Whoever came last is on the screen for certain: it is the earliest that give way. */
function wanted(): Asked {
  if (asleep) return { full: [], head: [] };
  const full = new Set<number>();
  const head = new Set<number>();
  for (const { ids, mode } of watches) for (const id of ids) (mode === 'full' ? full : head).add(id);
  for (const id of full) head.delete(id);
  return { full: [...full].slice(-MOST_MATCHES), head: [...head].slice(-MOST_MATCHES) };
}

/** One message for all changes of a turn: a screen leaving and the next one coming are one change. */
function renew(): void {
  if (renewal !== null) return;
  const act = () => {
    renewal = null;
    renewedAt = performance.now();
    ask();
  };
  const waitMs = renewedAt + STEP_MS - performance.now();
  if (waitMs > 0) {
    renewal = setTimeout(act, waitMs);
    return;
  }
  renewal = 'turn';
  // A player who left in this turn took his question with him.
  queueMicrotask(() => {
    if (renewal === 'turn') act();
  });
}

function ask(): void {
  const want = wanted();
  if (want.full.length + want.head.length === 0 && !channel) return;
  channel ??= open();
  if (!channel?.up) return;
  const left = asked.full.filter((id) => !want.full.includes(id));
  const all = [...want.full, ...want.head];
  for (const id of [...asked.full, ...asked.head]) if (!all.includes(id)) forget(id);
  for (const matchId of left) channel.emit('disconnectCricketData', { matchId });
  // The page of these matches is left.
  if (left.length > 0 && left.length === asked.full.length) leaveAll();
  if (all.length === 0) {
    if (asked.full.length + asked.head.length > 0) leaveAll();
    return;
  }
  const known = new Set([...asked.full, ...asked.head]);
  const heads = want.head.filter((id) => known.has(id));
  const fresh = want.head.filter((id) => !known.has(id));
  const next = { full: want.full, head: [...heads, ...fresh.slice(0, STEP)] };
  if (JSON.stringify(next) !== JSON.stringify(asked)) watch(next, known);
  if (fresh.length > STEP) renew();
}

function watch(next: Asked, known: ReadonlySet<number>): void {
  const fresh = [...next.full.filter((id) => !asked.full.includes(id)), ...next.head.filter((id) => !known.has(id))];
  // Of all its markets only the main one is told from now on; which one that is its image will say.
  const narrowed = next.head.filter((id) => asked.full.includes(id));
  for (const id of narrowed) store.release(id);
  for (const id of [...fresh, ...narrowed]) expectImages(id);
  asked = next;
  listen();
  channel?.emit('watch', next);
  if (narrowed.length > 0) askForImages(narrowed);
}

function leaveAll(): void {
  channel?.emit('leaveAll');
  for (const id of [...asked.full, ...asked.head]) forget(id);
  asked = { full: [], head: [] };
  listen();
}

function forget(matchId: number): void {
  store.release(matchId);
  awaited.delete(matchId);
}

function expectImages(matchId: number): void {
  store.follow(matchId);
  awaited.set(matchId, { askings: 1, dueAt: performance.now() + OVERDUE_MS });
}

function open(): Channel | null {
  const opened = openChannel('/match', {
    // The namespaces share one connection, whose query is not ours: what the specification has there is said here.
    auth: () => {
      const { full, head } = wanted();
      return { matchIdArray: [...full, ...head].slice(0, MOST_MATCHES).join(','), roleName: 'user', frames: '1' };
    },
    up() {
      heardAt = performance.now();
      renewedAt = heardAt;
      ask();
      for (const { marketId, runnerId } of depths.values()) channel?.emit('depth', { marketId, runnerId, on: true });
    },
    down() {
      for (const id of [...asked.full, ...asked.head]) forget(id);
      asked = { full: [], head: [] };
      waiting.length = 0;
      store.lineDown();
    },
  });
  opened?.on<Frame>('frame', (frame) => {
    heardAt = performance.now();
    learnTime(frame.t);
    take(frame);
  });
  look ??= setInterval(lookAfter, 1000);
  return opened;
}

function listen(): void {
  const now = new Set([...asked.full, ...asked.head]);
  for (const [id, off] of listening) {
    if (now.has(id)) continue;
    off();
    listening.delete(id);
  }
  for (const id of now) {
    if (listening.has(id) || !channel) continue;
    listening.set(id, channel.on<LiveImages>(liveDataEvent(id), takeImages));
  }
}

function takeImages(message: LiveImages): void {
  heardAt = performance.now();
  learnTime(message.t);
  awaited.delete(message.id);
  // Frozen figures stay as they stand; what was never shown may come.
  if (pace() !== 'frozen' || store.marketIds(message.id).length === 0) store.takeImages(message);
}

/** Once a second: is the line still talking, and have all images come? */
function lookAfter(): void {
  if (!channel?.up || asked.full.length + asked.head.length === 0) return;
  const now = performance.now();
  if (now - heardAt > SILENT_MS) store.lineLate();
  const overdue: number[] = [];
  for (const [id, one] of awaited) {
    if (one.dueAt > now || one.askings >= MOST_ASKINGS) continue;
    one.dueAt = now + OVERDUE_MS * 2 ** one.askings;
    one.askings += 1;
    overdue.push(id);
  }
  askForImages(overdue);
}

function askForImages(matchIds: readonly number[]): void {
  for (let at = 0; at < matchIds.length; at += STEP) {
    const some = matchIds.slice(at, at + STEP);
    channel?.emit('resync', { matchIds: some });
  }
}

/** Frames that wait for the next beat of slow prices. */
const waiting: Frame[] = [];
let beat: ReturnType<typeof setInterval> | undefined;

function take(frame: Frame): void {
  if (pace() === 'live') play(frame);
  else if (pace() === 'slow') {
    waiting.push(frame);
    // A market that closes or opens does not wait; nor does a row of frames that only grows.
    const urgent = frame.m.some(({ d, gone }) => gone || d?.status !== undefined);
    if (urgent || waiting.length > 200) playWaiting();
  }
  // Frozen: thrown away. When prices run again their images are asked for.
}

function play(frame: Frame): void {
  const gaps = store.takeFrame(frame);
  for (const id of gaps) expectImages(id);
  askForImages(gaps);
}

function playWaiting(): void {
  for (const frame of waiting.splice(0)) play(frame);
}

function beatWhileSlow(): void {
  clearInterval(beat);
  beat = pace() === 'slow' ? setInterval(playWaiting, SLOW_MS) : undefined;
}
beatWhileSlow();
onPace((next, before) => {
  if (before === 'slow') playWaiting();
  beatWhileSlow();
  if (before !== 'frozen' || next === 'frozen') return;
  const all = [...asked.full, ...asked.head];
  for (const id of all) expectImages(id);
  askForImages(all);
});

document.addEventListener('visibilitychange', () => {
  clearTimeout(sleep);
  if (document.visibilityState === 'hidden') {
    sleep = setTimeout(() => {
      asleep = true;
      renew();
    }, ASLEEP_MS);
  } else if (asleep) {
    // What was missed is not played back, it is replaced.
    asleep = false;
    renew();
  }
});

perPlayer(() => {
  channel = null;
  asked = { full: [], head: [] };
  if (renewal !== 'turn') clearTimeout(renewal ?? undefined);
  renewal = null;
  renewedAt = Number.NEGATIVE_INFINITY;
  awaited.clear();
  for (const off of listening.values()) off();
  listening.clear();
  waiting.length = 0;
  clearInterval(look);
  look = undefined;
  store.clear();
});
