/**
 * The betting desk of one event: opens markets, keeps what was last sent of each, and sends only what changed.
 *
 * A book is emptied before it is suspended and filled again after it opens, so that no old price can ever be taken.
 * House-quoted markets are not suspended as markets: their rows say SUSPENDED or BALL_RUNNING.
 */
import {
  MAX_BETS,
  type MarketDef,
  type MarketKind,
  type Quote,
  type QuoteRow,
  type Result,
  type RunnerDef,
} from '@fairgame/exchange';
import type { FeedEvent, FeedOutput, MarketInfo, Score } from '../feed.ts';
import { bestPrices, levelSize, type RunnerBook, runnerBook } from './ladder.ts';
import { between, chance, gaussian, type Rng, uniform } from './rng.ts';

/** Hands out positive safe integers, each once, ascending. */
export interface Ids {
  next(): number;
}

export interface Ctx {
  ids: Ids;
  out: FeedOutput[];
}

/** Plain data: a slate is stored as JSON. */
export interface SimMarket {
  key: string;
  def: MarketDef;
  info: MarketInfo;
  /** As the core knows it. */
  status: 'OPEN' | 'SUSPENDED';
  /** A suspended book opens at the next flush when this is set, with fresh prices. */
  reopen: boolean;
  /** Fair chances, one a runner; 0 for a removed one. They add up to `winners`. */
  fair: number[];
  noise: number[];
  removed: boolean[];
  sent: Array<RunnerBook | null>;
  rows: Array<QuoteRow | null>;
  /** Its rows are told again with the next prices, changed or not: bets drew on them. */
  renew?: boolean;
  depthMinor: number;
  /** What a number market is about: the innings, and the ball, wicket or batter within it. */
  about?: { innings: number; at: number; mark?: number };
}

/** What every event of the slate has, whatever the sport. */
export interface SimBase {
  event: FeedEvent;
  lane: number;
  slot: number;
  play: Rng;
  noise: Rng;
  /** When something happens next. */
  nextAt: number;
  markets: SimMarket[];
  inPlay: boolean;
  closed: boolean;
  /** The score changed: chances are to be worked out anew. */
  dirty: boolean;
  scoreDirty: boolean;
  quotedAt: number;
}

export interface MarketSpec {
  key: string;
  kind: MarketKind;
  name: string;
  runners: RunnerDef[];
  info: MarketInfo;
  winners?: number;
  betDelayMs?: number;
  lapseOnSuspend?: boolean;
  tieRule?: 'VOID' | 'DEAD_HEAT';
  placeMarket?: boolean;
  removable?: boolean;
  cap?: number;
  /** Main markets up to 5,000.00, side bets up to 250.00 (decisions.md). */
  main?: boolean;
  /** Where neither fits: a meter pays per run. */
  maxStakeMinor?: number;
  /** Stake at the best price of an even-money runner. */
  depthMinor?: number;
  about?: { innings: number; at: number; mark?: number };
}

const MIN_STAKE_MINOR = 100;
const MAIN_MAX_STAKE_MINOR = 500_000;
const SIDE_MAX_STAKE_MINOR = 25_000;
const BOOK_COMMISSION_BPS = 200;
/** Number markets pay the house enough in their margin. */
const QUOTE_COMMISSION_BPS = 0;

export function openMarket(ctx: Ctx, ev: SimBase, spec: MarketSpec): SimMarket {
  const maxStakeMinor = spec.maxStakeMinor ?? (spec.main ? MAIN_MAX_STAKE_MINOR : SIDE_MAX_STAKE_MINOR);
  const def: MarketDef = {
    marketId: ctx.ids.next(),
    eventId: ev.event.eventId,
    kind: spec.kind,
    name: spec.name,
    runners: spec.runners,
    winners: spec.winners ?? 1,
    commissionBps: spec.kind === 'book' ? BOOK_COMMISSION_BPS : QUOTE_COMMISSION_BPS,
    minStakeMinor: MIN_STAKE_MINOR,
    maxStakeMinor,
    maxExposureMinor: 0,
    maxBets: MAX_BETS,
    inPlay: ev.inPlay,
    status: 'OPEN',
    betDelayMs: ev.inPlay ? (spec.betDelayMs ?? 0) : 0,
    lapseOnSuspend: spec.lapseOnSuspend ?? false,
    ...(spec.kind === 'bookmaker' ? { rateThan100: true } : {}),
    ...(spec.cap === undefined ? {} : { cap: spec.cap }),
    ...(spec.tieRule ? { tieRule: spec.tieRule } : {}),
    ...(spec.placeMarket ? { placeMarket: true } : {}),
    ...(spec.removable ? { removable: true } : {}),
  };
  const market: SimMarket = {
    key: spec.key,
    def,
    info: spec.info,
    status: 'OPEN',
    reopen: false,
    fair: [],
    noise: spec.runners.map(() => 0),
    removed: spec.runners.map(() => false),
    sent: spec.runners.map(() => null),
    rows: spec.runners.map(() => null),
    depthMinor: spec.depthMinor ?? 200_000,
    ...(spec.about ? { about: spec.about } : {}),
  };
  ev.markets.push(market);
  ev.dirty = true;
  emitCreate(ctx, market);
  return market;
}

/** Everything a reader who knows nothing needs of this event. */
export function emitImage(ctx: Ctx, ev: SimBase): void {
  ctx.out.push({ type: 'event', event: structuredClone(ev.event) });
  for (const market of ev.markets) {
    emitCreate(ctx, market);
    forgetSent(market);
  }
  ev.dirty = true;
  ev.scoreDirty = true;
}

/** Nobody is sure what the core still shows: send all of it at the next flush. */
function forgetSent(market: SimMarket): void {
  market.sent.fill(null);
  market.rows.fill(null);
}

/** Nor whether the core has the market open: what should be open is opened again at the next flush. */
export function openAnew(ev: SimBase): void {
  ev.dirty = true;
  ev.scoreDirty = true;
  for (const market of ev.markets) {
    forgetSent(market);
    if (market.status !== 'OPEN') continue;
    market.status = 'SUSPENDED';
    market.reopen = true;
  }
}

export function emitScore(ctx: Ctx, ev: SimBase, score: Score): void {
  ev.scoreDirty = false;
  ctx.out.push({ type: 'score', eventId: ev.event.eventId, score });
}

export function marketOf(ev: SimBase, key: string): SimMarket | undefined {
  return ev.markets.find((market) => market.key === key);
}

export function isBook(market: SimMarket): boolean {
  return market.def.kind === 'book';
}

/** The event turns in play: every open market with it. */
export function turnInPlay(ctx: Ctx, ev: SimBase, betDelayMs: (market: SimMarket) => number): void {
  ev.inPlay = true;
  ev.dirty = true;
  for (const market of ev.markets) {
    market.def.inPlay = true;
    market.def.betDelayMs = betDelayMs(market);
    command(ctx, market, { inPlay: true, betDelayMs: market.def.betDelayMs });
  }
}

/** Books leave the market; rows of house quotes show SUSPENDED. Opens again by `resume`. */
export function suspend(ctx: Ctx, market: SimMarket, reason: string): void {
  market.reopen = false;
  if (!isBook(market)) {
    setRowStatus(ctx, market, 'SUSPENDED');
    return;
  }
  if (market.status === 'SUSPENDED') return;
  const runners = market.def.runners
    .filter((_, i) => !market.removed[i] && market.sent[i])
    .map((runner) => ({ runnerId: runner.runnerId, backable: [], layable: [] }));
  if (runners.length > 0) {
    ctx.out.push({ type: 'command', command: { type: 'house.book', marketId: market.def.marketId, runners } });
  }
  market.sent.fill(null);
  market.status = 'SUSPENDED';
  market.def.status = 'SUSPENDED';
  command(ctx, market, { status: 'SUSPENDED', reason });
}

/** With fresh prices at the end of this moment. */
export function resume(ev: SimBase, market: SimMarket): void {
  market.reopen = true;
  ev.dirty = true;
}

/** The last figures stay readable under the veil. */
export function setRowStatus(ctx: Ctx, market: SimMarket, status: QuoteRow['status']): void {
  setRows(
    ctx,
    market,
    market.rows.map((row) => (row ? { ...row, status } : null)),
  );
}

export function declare(ctx: Ctx, ev: SimBase, market: SimMarket, result: Result): void {
  ev.markets.splice(ev.markets.indexOf(market), 1);
  ctx.out.push({
    type: 'command',
    command: { type: 'market.declare', marketId: market.def.marketId, result },
  });
}

/** All markets must be declared by now. Told at the end of the moment, after the last score. */
export function closeEvent(ev: SimBase): void {
  ev.closed = true;
}

/** The factors of those who stay are given as they are from now on. */
export function removeRunner(ctx: Ctx, market: SimMarket, index: number): void {
  const runner = market.def.runners[index]!;
  market.sent[index] = null;
  ctx.out.push({
    type: 'command',
    command: {
      type: 'runner.remove',
      marketId: market.def.marketId,
      runnerId: runner.runnerId,
      factor: runner.adjustmentFactor ?? 0,
      factors: market.def.runners.flatMap(({ runnerId, adjustmentFactor: factor }, i) =>
        factor && !market.removed[i] ? [{ runnerId, factor }] : [],
      ),
    },
  });
}

/** Rows that differ from what was sent; null leaves a row as it is. */
export function setRows(ctx: Ctx, market: SimMarket, rows: Array<QuoteRow | null>): void {
  const changed: QuoteRow[] = [];
  rows.forEach((row, i) => {
    if (!row || (!market.renew && sameRow(row, market.rows[i] ?? null))) return;
    market.rows[i] = row;
    changed.push(row);
  });
  market.renew = false;
  if (changed.length === 0) return;
  ctx.out.push({
    type: 'command',
    command: { type: 'house.quotes', marketId: market.def.marketId, rows: changed },
  });
}

/**
 * Fresh prices of a book: the fair chances under a little noise that always comes back, and sizes that breathe. Sends
 * runners whose best prices moved, and now and then a size; opens the market first when it is to reopen.
 */
export function quoteBook(ctx: Ctx, ev: SimBase, market: SimMarket, sinceMs: number, lively: boolean): void {
  openIfDue(ctx, market);
  if (market.status === 'SUSPENDED' || market.fair.length === 0) return;
  const r = ev.noise;
  const shown = noisyChances(r, market, sinceMs);
  const runners: Array<{ runnerId: number } & RunnerBook> = [];
  const breathing = lively ? between(r, 0, shown.length - 1) : -1;
  const margin = marginOf(market);
  for (let i = 0; i < shown.length; i++) {
    if (market.removed[i]) continue;
    const best = bestPrices(shown[i]!, margin);
    const before = market.sent[i];
    if (
      before &&
      (before.backable[0]?.[0] ?? 0) === best.back &&
      (before.layable[0]?.[0] ?? 0) === best.lay &&
      !(i === breathing && breathe(r, before, market.depthMinor))
    ) {
      continue;
    }
    const book = before && i === breathing && sameBest(before, best) ? before : runnerBook(r, best, market.depthMinor);
    market.sent[i] = book;
    runners.push({ runnerId: market.def.runners[i]!.runnerId, ...structuredLevels(book) });
  }
  if (runners.length > 0) {
    ctx.out.push({ type: 'command', command: { type: 'house.book', marketId: market.def.marketId, runners } });
  }
}

/** A suspended market that is to be open again, after its rows and before its book. */
export function openIfDue(ctx: Ctx, market: SimMarket): void {
  if (market.reopen && market.status === 'SUSPENDED') {
    market.status = 'OPEN';
    market.def.status = 'OPEN';
    command(ctx, market, { status: 'OPEN' });
  }
  market.reopen = false;
}

export function row(runnerId: number, back: Quote | null, lay: Quote | null): QuoteRow {
  return { runnerId, back, lay, status: back || lay ? 'ACTIVE' : 'SUSPENDED' };
}

const NOISE = 0.013;
const NOISE_FADES_MS = 15_000;

/** The chance in log-odds walks a little and is pulled back; then the field is brought to the right sum again. */
function noisyChances(r: Rng, market: SimMarket, sinceMs: number): number[] {
  const keep = Math.exp(-sinceMs / NOISE_FADES_MS);
  const fresh = NOISE * Math.sqrt(1 - keep * keep);
  const shown: number[] = [];
  let sum = 0;
  let want = 0;
  for (let i = 0; i < market.fair.length; i++) {
    const p = market.fair[i]!;
    market.noise[i] = market.noise[i]! * keep + gaussian(r) * fresh;
    const q = market.removed[i] || p <= 0 ? 0 : p >= 1 ? p : p / (p + (1 - p) * Math.exp(-market.noise[i]!));
    shown.push(q);
    sum += q;
    want += market.removed[i] ? 0 : p;
  }
  if (sum > 0) for (let i = 0; i < shown.length; i++) shown[i] = Math.min(1, (shown[i]! * want) / sum);
  return shown;
}

function marginOf(market: SimMarket): number {
  return market.info.sno < 20 ? 0.0035 : 0.012;
}

/** Changes one size in place; false when it chose to leave all as they are. */
function breathe(r: Rng, book: RunnerBook, depthMinor: number): boolean {
  if (!chance(r, 0.5)) return false;
  const side = uniform(r) < 0.5 ? book.backable : book.layable;
  if (side.length === 0) return false;
  const at = between(r, 0, side.length - 1);
  side[at] = [side[at]![0], levelSize(r, side[at]![0], at, depthMinor)];
  return true;
}

function sameBest(book: RunnerBook, best: { back: number; lay: number }): boolean {
  return (book.backable[0]?.[0] ?? 0) === best.back && (book.layable[0]?.[0] ?? 0) === best.lay;
}

function structuredLevels(book: RunnerBook): RunnerBook {
  return { backable: book.backable.map(([p, s]) => [p, s]), layable: book.layable.map(([p, s]) => [p, s]) };
}

function sameRow(a: QuoteRow, b: QuoteRow | null): boolean {
  return b !== null && a.status === b.status && sameQuote(a.back, b.back) && sameQuote(a.lay, b.lay);
}

function sameQuote(a: Quote | null, b: Quote | null): boolean {
  if (!a || !b) return a === b;
  return a.price === b.price && a.sizeMinor === b.sizeMinor && a.line === b.line;
}

/** Runners removed before the market was first told of are left out: nobody can have bet on them. */
function emitCreate(ctx: Ctx, market: SimMarket): void {
  const runners = market.def.runners.filter((_, i) => !market.removed[i]);
  ctx.out.push({
    type: 'command',
    command: { type: 'market.create', market: structuredClone({ ...market.def, runners }) },
    info: market.info,
  });
}

function command(
  ctx: Ctx,
  market: SimMarket,
  change: { status?: 'OPEN' | 'SUSPENDED'; inPlay?: boolean; betDelayMs?: number; reason?: string },
): void {
  ctx.out.push({ type: 'command', command: { type: 'market.state', marketId: market.def.marketId, ...change } });
}
