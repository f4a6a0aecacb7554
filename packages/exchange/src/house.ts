/** The house as a maker: its ladders in the books, its rows in the quoted markets. */
import { TICKS, tickIndex } from '@fairgame/contract';
import type { SideCode } from './book.ts';
import { BACK, crosses, LAY, LEVELS, reduce, remove, rest, take } from './book.ts';
import type { Refused } from './guard.ts';
import { assert, isCount, refuse } from './guard.ts';
import { settleFills } from './orders.ts';
import type { Market, Runner, State } from './state.ts';
import { addRunner, MAX_STAKE_MINOR } from './state.ts';
import type { Command, Quote, QuoteRow, RunnerDef } from './types.ts';
import { HOUSE } from './types.ts';
import { changeMarket, put, soil, touchLevel } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** The wanted size of each level of the runner at work. */
const wanted = new Float64Array(LEVELS);

/**
 * Brings the house's ladder to what is wanted. A level that shrinks keeps its place in the queue, one that grows or is
 * new goes to the end. Where a new level meets players' orders it takes them at their prices, then rests. While the
 * market or the runner is not open nothing may match: levels that would meet a player's order are left out.
 */
export function setHouseBook(state: State, c: Of<'house.book'>): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (!market.isBook) return refuse('WRONG_KIND', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  if (!Array.isArray(c.runners)) return refuse('RUNNER_UNKNOWN', 'runners');
  for (const entry of c.runners) {
    const runner = market.byId.get(entry.runnerId);
    if (runner === undefined) return refuse('RUNNER_UNKNOWN', 'runnerId');
    if (runner.status === 'REMOVED') return refuse('RUNNER_REMOVED', 'runnerId');
    const bad = readWanted(entry.backable, entry.layable);
    if (bad) return bad;
  }
  for (const entry of c.runners) {
    readWanted(entry.backable, entry.layable);
    applyWanted(state, market, market.byId.get(entry.runnerId)!);
  }
  return null;
}

/** Takes every order of the house out of the market's books. */
export function clearHouse(state: State, market: Market): void {
  if (!market.isBook) return;
  for (const runner of market.runners) clearRunner(state, runner);
}

export function clearRunner(state: State, runner: Runner): void {
  for (let level = 0; level < LEVELS; level++) if (runner.house[level] !== 0) dropLevel(state, runner, level);
}

export function setQuotes(state: State, c: Of<'house.quotes'>): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.isBook) return refuse('WRONG_KIND', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  if (!Array.isArray(c.rows)) return refuse('PRICE_INVALID', 'rows');
  for (const row of c.rows) {
    if (!isCount(row.runnerId)) return refuse('RUNNER_UNKNOWN', 'runnerId');
    if (!ROW_STATUS.has(row.status)) return refuse('PRICE_INVALID', 'status');
    if (!isQuote(row.back)) return refuse('PRICE_INVALID', 'back');
    if (!isQuote(row.lay)) return refuse('PRICE_INVALID', 'lay');
    const { payMax = 0, payMin = 0 } = c.bounds?.[row.runnerId] ?? {};
    if (!isCount(payMax) || !isCount(payMin)) return refuse('PRICE_INVALID', 'bounds');
  }
  const rows: QuoteRow[] = [];
  for (const row of c.rows) {
    if (!market.byId.has(row.runnerId)) {
      addRunner(state, market, rowRunner(market, row, c));
      changeMarket(state, market, false);
    } else if (c.names?.[row.runnerId] !== undefined) rename(state, market, row.runnerId, c.names[row.runnerId]!);
    const copy: QuoteRow = {
      runnerId: row.runnerId,
      back: row.back && { ...row.back },
      lay: row.lay && { ...row.lay },
      status: row.status,
    };
    market.quotes.set(row.runnerId, copy);
    rows.push(copy);
  }
  soil(state, market);
  put(state.out, {
    type: 'quotes',
    marketId: market.id,
    rows: rows.map((row) => ({ ...row, back: row.back && { ...row.back }, lay: row.lay && { ...row.lay } })),
    ...(c.names && { names: { ...c.names } }),
  });
  return null;
}

const ROW_STATUS = new Set<string>(['ACTIVE', 'SUSPENDED', 'BALL_RUNNING', 'CLOSED']);

function isQuote(quote: Quote | null): boolean {
  if (quote === null) return true;
  return (
    typeof quote === 'object' &&
    isCount(quote.price) &&
    quote.price <= MAX_RATE &&
    isCount(quote.sizeMinor) &&
    (quote.line === undefined || (isCount(quote.line) && quote.line <= MAX_LINE))
  );
}

/** Far above every real rate and line; keeps amounts within safe integers. */
const MAX_RATE = 1_000_000;
const MAX_LINE = 100_000;

/** A khado row says its width at the end of its name: "First wicket-5" (exchange reference 12.2). */
function rowRunner(market: Market, row: QuoteRow, c: Extract<Command, { type: 'house.quotes' }>): RunnerDef {
  const { runnerId } = row;
  const { payMax, payMin } = c.bounds?.[runnerId] ?? {};
  const def: RunnerDef = { runnerId, name: c.names?.[runnerId] ?? `Row ${runnerId}` };
  if (payMax !== undefined) def.payMax = payMax;
  if (payMin !== undefined) def.payMin = payMin;
  const width = market.def.kind === 'khado' ? /-(\d{1,3})$/.exec(def.name) : null;
  if (width) def.width = Math.max(1, Number(width[1]));
  return def;
}

function rename(state: State, market: Market, runnerId: number, name: string): void {
  const runner = market.byId.get(runnerId)!;
  if (runner.def.name === name) return;
  runner.def = { ...runner.def, name };
  changeMarket(state, market, false);
}

/** Fills `wanted`; refuses sizes and prices that are not right, double prices, and a ladder that crosses itself. */
function readWanted(backable: Array<[number, number]>, layable: Array<[number, number]>): Refused | null {
  wanted.fill(0);
  if (!Array.isArray(backable)) return refuse('PRICE_INVALID', 'backable');
  if (!Array.isArray(layable)) return refuse('PRICE_INVALID', 'layable');
  let bestLay = -1;
  let bestBack = TICKS;
  for (const side of [LAY, BACK] as const) {
    const field = side === LAY ? 'backable' : 'layable';
    for (const [price, size] of side === LAY ? backable : layable) {
      const tick = Number.isSafeInteger(price) ? tickIndex(price) : -1;
      if (tick < 0) return refuse('PRICE_INVALID', field);
      if (!isCount(size) || size > MAX_STAKE_MINOR) return refuse('STAKE_INVALID', field);
      if (size === 0) continue;
      const level = side * TICKS + tick;
      if (wanted[level] !== 0) return refuse('PRICE_INVALID', field);
      wanted[level] = size;
      if (side === LAY) bestLay = Math.max(bestLay, tick);
      else bestBack = Math.min(bestBack, tick);
    }
  }
  return bestLay >= bestBack ? refuse('PRICE_INVALID', 'layable') : null;
}

function applyWanted(state: State, market: Market, runner: Runner): void {
  const { book, house } = runner;
  const { pool } = book;
  const mayMatch = market.status === 'OPEN' && runner.status === 'ACTIVE';
  for (let level = 0; level < LEVELS; level++) {
    const node = house[level]!;
    if (node === 0) continue;
    const size = pool.size[node]!;
    const want = wanted[level]!;
    if (want === 0) dropLevel(state, runner, level);
    else if (want < size) {
      reduce(book, node, size - want);
      touchLevel(state, runner, level);
    }
  }
  // Best prices first, so that a crossing ladder meets players' orders with its best level first.
  for (let tick = TICKS - 1; tick >= 0; tick--) raise(state, runner, LAY, tick, mayMatch);
  for (let tick = 0; tick < TICKS; tick++) raise(state, runner, BACK, tick, mayMatch);
}

function raise(state: State, runner: Runner, side: SideCode, tick: number, mayMatch: boolean): void {
  const level = side * TICKS + tick;
  let want = wanted[level]!;
  if (want === 0) return;
  const { book, house } = runner;
  const node = house[level]!;
  if (node !== 0) {
    if (book.pool.size[node] === want) return;
    dropLevel(state, runner, level);
  } else if (crosses(book, side, tick)) {
    if (!mayMatch) return;
    want = take(book, side, tick, want, HOUSE);
    settleFills(state, runner, null, side === BACK ? 'BACK' : 'LAY');
    if (want === 0 || book.pool.blocked) return;
  }
  house[level] = rest(book, side, tick, want, HOUSE, ++state.lastSeq, null);
  touchLevel(state, runner, level);
  assert(book.bestLay < book.bestBack, 'INV-13', 'crossed book');
}

function dropLevel(state: State, runner: Runner, level: number): void {
  remove(runner.book, runner.house[level]!);
  runner.house[level] = 0;
  touchLevel(state, runner, level);
}
