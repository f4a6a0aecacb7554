import type { DepthImage, Frame, LiveImages, MarketDelta, MarketImage, RunnerImage, Score } from '@fairgame/contract';
import { folded, sameMarket, settled } from './fold.ts';
import { tellLost } from './line-lost.ts';
import { pace } from './pace.ts';
import { isHeard, touch } from './wake.ts';

export { subscribe } from './wake.ts';

/**
 * The prices this tab knows: one image per market, folded from images and deltas. Listeners are kept by key, so that a
 * change of one runner wakes only the cells of that runner.
 */
interface Held {
  image: MarketImage;
  seq: number;
  /** Told by this connection and followed since without a gap. Only then may its prices be bet on. */
  live: boolean;
  /** The image as rows show it: renewed only when something beside prices changes. */
  shape: MarketImage;
}

interface Match {
  markets: Set<number>;
  /** Ids of its markets in page order, made when asked for. */
  ids: number[] | null;
  score: { seq: number; score: Score } | null;
  /** When it ended while on the screen. */
  stoppedAt: string | null;
  /** Since when nobody follows it. */
  leftAtMs: number;
}

export type Health = 'live' | 'late' | 'lost';

/** Matches nobody looks at any more, kept so that a return does not begin with empty rows. The oldest go first. */
const KEPT_UNFOLLOWED = 400;
/** After this long a return may begin with empty rows. */
const KEPT_MS = 60_000;

const markets = new Map<number, Held>();
const matches = new Map<number, Match>();
const depths = new Map<string, DepthImage>();
/** Matches the server was asked for. */
const followed = new Set<number>();
let epoch = 0;
let health: Health = 'lost';
let sweeping: ReturnType<typeof setTimeout> | undefined;

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

export const market = (marketId: number): MarketImage | undefined => markets.get(marketId)?.image;
export const shapeOf = (marketId: number): MarketImage | undefined => markets.get(marketId)?.shape;
export const runner = (marketId: number, runnerId: number): RunnerImage | undefined =>
  markets.get(marketId)?.image.runners.find((one) => one.id === runnerId);
export const scoreOf = (matchId: number): Score | null => matches.get(matchId)?.score?.score ?? null;
export const depthOf = (marketId: number, runnerId: number): DepthImage | undefined =>
  depths.get(`${marketId}.${runnerId}`);
/** Its prices are not to be bet on: no image of this connection yet, or a gap since. */
export const isHeldBack = (marketId: number): boolean => !markets.get(marketId)?.live;
export const stoppedAt = (matchId: number): string | null => matches.get(matchId)?.stoppedAt ?? null;
export const healthNow = (): Health => health;
/** How much is held, for tests of its bounds. */
export const sizes = () => ({ markets: markets.size, matches: matches.size, depths: depths.size });

const NONE: number[] = [];
/** Ids of the markets known for a match, in page order. The same array until one comes or goes. */
export function marketIds(matchId: number): number[] {
  const match = matches.get(matchId);
  if (!match || match.markets.size === 0) return NONE;
  match.ids ??= [...match.markets].sort((a, b) => (market(a)?.sno ?? 0) - (market(b)?.sno ?? 0) || a - b);
  return match.ids;
}

/**
 * Puts an image that came with a reading (list or match call) in place, unless the line knows better. Never bet on.
 * Frozen figures stay as they stand, whoever brings new ones; what was never shown may come.
 */
export function seed(images: ReadonlyArray<MarketImage | null>): void {
  const still = pace() === 'frozen';
  for (const image of images) {
    if (!image) continue;
    const held = markets.get(image.id);
    if (!held || !(held.live || still)) put(image, -1);
  }
  trim();
}

/** The server is asked for this match: what comes for it from now on is live. */
export function follow(matchId: number): void {
  followed.add(matchId);
}

/** The server tells no more of this match: its prices grow old from this moment. */
export function release(matchId: number): void {
  if (!followed.delete(matchId)) return;
  const match = matches.get(matchId);
  if (!match) return;
  for (const id of match.markets) holdBack(id);
  match.leftAtMs = performance.now();
  matches.delete(matchId);
  matches.set(matchId, match);
  trim();
}

/** The connection is gone: nothing is live until its next one has told it anew. */
export function lineDown(): void {
  for (const id of markets.keys()) holdBack(id);
  setHealth('lost');
}

/** Nothing came for too long. */
export function lineLate(): void {
  if (health === 'live') setHealth('late');
}

function setHealth(next: Health): void {
  if (health === next) return;
  health = next;
  if (next !== 'live') tellLost();
  touch(keys.health);
}

/** Takes the images of a match. Another epoch than before: everything known is void. */
export function takeImages(message: LiveImages): void {
  newEpoch(message.e);
  const seen = new Set(message.images.map((image) => image.id));
  if (message.full)
    for (const id of Array.from(matches.get(message.id)?.markets ?? NONE)) if (!seen.has(id)) drop(id, message.id);
  for (const image of message.images) put(image, message.s[image.id] ?? 0);
  if (message.score) takeScore(message.id, message.scoreSeq, message.score);
  if (message.stopAt) stop(message.id, message.stopAt);
  // A line is live with what it brought first, not with its handshake.
  if (health === 'lost') setHealth('live');
}

/** Folds a frame. Answers the matches whose images must be asked for again. */
export function takeFrame(frame: Frame): number[] {
  const ask = new Set<number>();
  if (newEpoch(frame.e)) return [...followed];
  for (const { id, s, b, d, i, gone } of frame.m) {
    const held = markets.get(id);
    if (gone) {
      if (held) drop(id, held.image.matchId);
    } else if (i) put(i, s);
    else if (held?.live && d) {
      if (held.seq === b) {
        fold(held, d);
        held.seq = s;
      } else if (s > held.seq) {
        holdBack(id);
        ask.add(held.image.matchId);
      }
    }
  }
  for (const { id, s, score } of frame.sc ?? []) takeScore(id, s, score);
  for (const image of frame.x ?? []) {
    depths.set(`${image.marketId}.${image.runnerId}`, image);
    touch(keys.depth(image.marketId, image.runnerId));
  }
  if (health !== 'lost') setHealth(frame.h === 'late' ? 'late' : 'live');
  return [...ask];
}

export function forgetDepth(marketId: number, runnerId: number): void {
  depths.delete(`${marketId}.${runnerId}`);
}

/** Drops all prices: another player, or none. */
export function clear(): void {
  for (const id of markets.keys()) touch(keys.market(id));
  markets.clear();
  matches.clear();
  followed.clear();
  depths.clear();
  clearTimeout(sweeping);
  sweeping = undefined;
  epoch = 0;
  setHealth('lost');
}

function newEpoch(next: number): boolean {
  if (next === epoch) return false;
  const first = epoch === 0;
  epoch = next;
  if (first) return false;
  for (const id of markets.keys()) holdBack(id);
  // A score is not bet on: the last one stands until this server tells its own, whatever it counts by.
  for (const match of matches.values()) if (match.score) match.score.seq = -1;
  return true;
}

function holdBack(marketId: number): void {
  const held = markets.get(marketId);
  if (!held?.live) return;
  held.live = false;
  touch(keys.market(marketId));
  for (const one of held.image.runners) touch(keys.runner(marketId, one.id));
}

function matchOf(matchId: number): Match {
  const known = matches.get(matchId);
  if (known) return known;
  const match: Match = { markets: new Set(), ids: null, score: null, stoppedAt: null, leftAtMs: performance.now() };
  matches.set(matchId, match);
  sweeping ??= setTimeout(sweep, KEPT_MS);
  return match;
}

/** Takes a whole image. `seq` -1: it came with a reading, and is never live. */
function put(image: MarketImage, seq: number): void {
  const held = markets.get(image.id);
  // Told late, or twice: the line has gone on since.
  if (held?.live && held.seq > seq) return;
  const next = held ? settled(held.image, image) : image;
  const shape = held && sameMarket(held.shape, next) ? held.shape : next;
  markets.set(image.id, { image: next, seq, live: seq >= 0 && followed.has(image.matchId), shape });
  const match = matchOf(image.matchId);
  if (!match.markets.has(image.id)) {
    match.markets.add(image.id);
    match.ids = null;
    touch(keys.match(image.matchId));
  }
  touch(keys.market(image.id));
  touch(keys.prices(image.id));
  for (const one of image.runners) touch(keys.runner(image.id, one.id));
}

function fold(held: Held, delta: MarketDelta): void {
  const { image, moved, reshaped } = folded(held.image, delta);
  held.image = image;
  if (reshaped) held.shape = image;
  for (const id of moved) touch(keys.runner(image.id, id));
  touch(keys.prices(image.id));
  // Money matched is drawn with the head of the market.
  if (reshaped || delta.tradedMinor !== undefined) touch(keys.market(image.id));
}

function takeScore(matchId: number, seq: number, score: Score): void {
  if (!followed.has(matchId)) return;
  const match = matchOf(matchId);
  if ((match.score?.seq ?? -1) >= seq) return;
  match.score = { seq, score };
  touch(keys.score(matchId));
}

function drop(id: number, matchId: number): void {
  markets.delete(id);
  const match = matches.get(matchId);
  match?.markets.delete(id);
  if (match) match.ids = null;
  touch(keys.match(matchId));
  touch(keys.market(id));
}

function stop(matchId: number, at: string): void {
  const match = matchOf(matchId);
  if (match.stoppedAt === at) return;
  match.stoppedAt = at;
  touch(keys.match(matchId));
}

/** Forgets what was left a while ago and nothing on the screen shows; rows out of sight keep what they show. */
function sweep(): void {
  const before = performance.now() - KEPT_MS;
  for (const [matchId, match] of matches) {
    if (followed.has(matchId) || match.leftAtMs > before) continue;
    for (const id of match.markets) if (!isShown(id)) drop(id, matchId);
    if (match.markets.size === 0 && !isHeard(keys.match(matchId)) && !isHeard(keys.score(matchId)))
      matches.delete(matchId);
  }
  sweeping = matches.size > 0 ? setTimeout(sweep, KEPT_MS / 4) : undefined;
}

const isShown = (id: number): boolean =>
  isHeard(keys.market(id)) ||
  isHeard(keys.prices(id)) ||
  (market(id)?.runners.some((one) => isHeard(keys.runner(id, one.id))) ?? false);

/** Forgets the matches left longest ago, beyond those that are kept. */
function trim(): void {
  let over = matches.size - followed.size - KEPT_UNFOLLOWED;
  if (over <= 0) return;
  for (const [matchId, match] of matches) {
    if (followed.has(matchId)) continue;
    for (const id of match.markets) drop(id, matchId);
    matches.delete(matchId);
    over -= 1;
    if (over <= 0) return;
  }
}
