import type { DepthImage, Frame, LiveImages, MarketDelta, MarketImage, RunnerImage, Score } from '@fairgame/contract';
import { Listeners } from './listeners.ts';

/**
 * The prices this tab knows: one image per market, folded from images and deltas. Listeners are kept by key, so that a
 * change of one runner wakes only the cells of that runner; they are told once per animation frame.
 */
interface Held {
  image: MarketImage;
  seq: number;
}

export type Health = 'live' | 'late' | 'lost';

const markets = new Map<number, Held>();
const marketsOf = new Map<number, Set<number>>();
const scores = new Map<number, { seq: number; score: Score }>();
const depths = new Map<string, DepthImage>();
/** Markets whose next delta did not fit: closed for betting until their image comes. */
const broken = new Set<number>();
/** Matches that are over, with the time they ended. */
const stopped = new Map<number, string>();
let epoch = 0;
let health: Health = 'lost';

const listeners = new Listeners();
const dirty = new Set<string>();
let scheduled = false;

export const keys = {
  market: (marketId: number) => `m${marketId}`,
  /** Any change of the market, prices included. */
  prices: (marketId: number) => `p${marketId}`,
  runner: (marketId: number, runnerId: number) => `r${marketId}.${runnerId}`,
  match: (matchId: number) => `e${matchId}`,
  score: (matchId: number) => `s${matchId}`,
  depth: (marketId: number, runnerId: number) => `d${marketId}.${runnerId}`,
  health: 'h',
} as const;

export const subscribe = (key: string, listener: () => void): (() => void) => listeners.add(key, listener);

export const market = (marketId: number): MarketImage | undefined => markets.get(marketId)?.image;
export const runner = (marketId: number, runnerId: number): RunnerImage | undefined =>
  markets.get(marketId)?.image.runners.find((one) => one.id === runnerId);
export const scoreOf = (matchId: number): Score | null => scores.get(matchId)?.score ?? null;
export const depthOf = (marketId: number, runnerId: number): DepthImage | undefined =>
  depths.get(`${marketId}.${runnerId}`);
export const isBroken = (marketId: number): boolean => broken.has(marketId);
export const stoppedAt = (matchId: number): string | null => stopped.get(matchId) ?? null;
export const healthNow = (): Health => health;

const idCache = new Map<number, { size: number; ids: number[] }>();
const NONE: number[] = [];
/** Ids of the markets known for a match, in page order. The same array until one comes or goes. */
export function marketIds(matchId: number): number[] {
  const set = marketsOf.get(matchId);
  if (!set || set.size === 0) return NONE;
  const held = idCache.get(matchId);
  if (held) return held.ids;
  const ids = [...set].sort((a, b) => (market(a)?.sno ?? 0) - (market(b)?.sno ?? 0) || a - b);
  idCache.set(matchId, { size: set.size, ids });
  return ids;
}

/** Puts an image that came with a reading (list or match call) in place, unless the socket knows better. */
export function seed(images: ReadonlyArray<MarketImage | null>): void {
  for (const image of images) if (image && !markets.has(image.id)) put(image, -1);
}

export function setHealth(next: Health): void {
  if (health === next) return;
  health = next;
  touch(keys.health);
}

/** Takes the images of a match. Another epoch than before: everything known is void. */
export function takeImages(message: LiveImages): void {
  newEpoch(message.e);
  const seen = new Set(message.images.map((image) => image.id));
  for (const id of marketsOf.get(message.id) ?? [])
    if (!seen.has(id) && message.images.length > 1) drop(id, message.id);
  for (const image of message.images) put(image, message.s[image.id] ?? 0);
  if (message.score) {
    scores.set(message.id, { seq: message.scoreSeq, score: message.score });
    touch(keys.score(message.id));
  }
  if (message.stopAt) stop(message.id, message.stopAt);
}

/** Folds a frame. Answers the matches whose images must be asked for again. */
export function takeFrame(frame: Frame): number[] {
  const ask = new Set<number>();
  if (newEpoch(frame.e)) return [...marketsOf.keys()];
  for (const { id, s, b, d, i, gone } of frame.m) {
    const held = markets.get(id);
    if (gone) {
      if (held) drop(id, held.image.matchId);
    } else if (i) put(i, s);
    else if (held && d) {
      if (held.seq === b) {
        fold(held, d);
        held.seq = s;
      } else if (s > held.seq && !broken.has(id)) {
        broken.add(id);
        touch(keys.market(id));
        for (const one of held.image.runners) touch(keys.runner(id, one.id));
        ask.add(held.image.matchId);
      }
    }
  }
  for (const { id, s, score } of frame.sc ?? []) {
    if ((scores.get(id)?.seq ?? -1) >= s) continue;
    scores.set(id, { seq: s, score });
    touch(keys.score(id));
  }
  for (const image of frame.x ?? []) {
    depths.set(`${image.marketId}.${image.runnerId}`, image);
    touch(keys.depth(image.marketId, image.runnerId));
  }
  setHealth(frame.h === 'late' ? 'late' : 'live');
  return [...ask];
}

export function forgetDepth(marketId: number, runnerId: number): void {
  depths.delete(`${marketId}.${runnerId}`);
}

/** Drops all prices: another player, or none. */
export function clear(): void {
  for (const id of markets.keys()) touch(keys.market(id));
  markets.clear();
  marketsOf.clear();
  idCache.clear();
  scores.clear();
  depths.clear();
  broken.clear();
  stopped.clear();
  epoch = 0;
}

function newEpoch(next: number): boolean {
  if (next === epoch) return false;
  const first = epoch === 0;
  epoch = next;
  if (first) return false;
  for (const id of markets.keys()) {
    broken.add(id);
    touch(keys.market(id));
  }
  scores.clear();
  return true;
}

function put(image: MarketImage, seq: number): void {
  const held = markets.get(image.id);
  if (held && held.seq > seq && !broken.has(image.id)) return;
  if (held) held.image = settle(held.image, image);
  markets.set(image.id, { image: held ? held.image : image, seq });
  broken.delete(image.id);
  const set = marketsOf.get(image.matchId) ?? new Set();
  marketsOf.set(image.matchId, set);
  if (!set.has(image.id)) {
    set.add(image.id);
    idCache.delete(image.matchId);
    touch(keys.match(image.matchId));
  }
  touch(keys.market(image.id));
  touch(keys.prices(image.id));
  for (const one of image.runners) touch(keys.runner(image.id, one.id));
}

/** A whole new image over an old one, keeping parts that did not change so that nothing repaints for nothing. */
function settle(old: MarketImage, next: MarketImage): MarketImage {
  return {
    ...next,
    runners: next.runners.map((one) => {
      const before = old.runners.find((was) => was.id === one.id);
      return before ? merge(before, one) : one;
    }),
  };
}

function fold(held: Held, delta: MarketDelta): void {
  const { runners, ...rest } = delta;
  const image = held.image;
  let next = Object.keys(rest).length > 0 ? { ...image, ...rest } : image;
  if (runners) {
    const changed = new Map(runners.map((one) => [one.id, one]));
    const kept = image.runners.map((one) => {
      const change = changed.get(one.id);
      if (!change) return one;
      changed.delete(one.id);
      touch(keys.runner(image.id, one.id));
      return merge(one, change);
    });
    for (const added of changed.values()) {
      kept.push({ name: '', status: 'ACTIVE', factor: 0, last: 0, tradedMinor: 0, back: [], lay: [], ...added });
      touch(keys.runner(image.id, added.id));
    }
    // A change of prices alone leaves the market's own shape as it is: rows do not render again.
    const shape = changed.size > 0 || kept.some((one, at) => !sameShape(one, image.runners[at]!));
    next = { ...next, runners: kept };
    if (shape) touch(keys.market(image.id));
  }
  held.image = next;
  touch(keys.prices(image.id));
  if (Object.keys(rest).length > 0) touch(keys.market(image.id));
}

function merge(old: RunnerImage, change: Partial<RunnerImage>): RunnerImage {
  const next = { ...old, ...change };
  if (change.back) next.back = keepLevels(old.back, change.back);
  if (change.lay) next.lay = keepLevels(old.lay, change.lay);
  return next;
}

function keepLevels(old: RunnerImage['back'], next: RunnerImage['back']): RunnerImage['back'] {
  return next.map((level, at) => {
    const was = old[at];
    return was && was[0] === level[0] && was[1] === level[1] ? was : level;
  });
}

const sameShape = (a: RunnerImage, b: RunnerImage): boolean =>
  a.status === b.status &&
  a.name === b.name &&
  a.factor === b.factor &&
  a.yesLine === b.yesLine &&
  a.noLine === b.noLine;

function drop(id: number, matchId: number): void {
  markets.delete(id);
  broken.delete(id);
  marketsOf.get(matchId)?.delete(id);
  idCache.delete(matchId);
  touch(keys.match(matchId));
  touch(keys.market(id));
}

function stop(matchId: number, at: string): void {
  if (stopped.get(matchId) === at) return;
  stopped.set(matchId, at);
  touch(keys.match(matchId));
}

/** Wakes the listeners of a key at the next frame; for stores that share this one's rhythm. */
export const notify = (key: string): void => touch(key);

function touch(key: string): void {
  if (!listeners.has(key)) return;
  dirty.add(key);
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(flush);
}

/**
 * On a slow phone the painting of two hundred moved prices is one long task, and longer together with a press. So a press is
 * drawn before the prices that came with it, and prices that take longer than this are drawn over several frames.
 */
const FLUSH_MS = 3;
let pressed = false;
let waited = false;
for (const press of ['click', 'keydown'] as const)
  addEventListener(
    press,
    () => {
      if (pressed) return;
      pressed = true;
      // Until the frame that draws it is over.
      requestAnimationFrame(() => setTimeout(() => (pressed = false)));
    },
    { capture: true, passive: true },
  );

function flush(): void {
  if (pressed && !waited) {
    waited = true;
    requestAnimationFrame(flush);
    return;
  }
  waited = false;
  const until = performance.now() + FLUSH_MS;
  // What becomes dirty meanwhile belongs to the next frame.
  const due = [...dirty];
  for (const key of due) {
    dirty.delete(key);
    listeners.tell(key);
    if (performance.now() > until) break;
  }
  scheduled = dirty.size > 0;
  if (scheduled) requestAnimationFrame(flush);
}
