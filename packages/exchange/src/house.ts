/** The house as a maker: its ladders in the books, its rows in the quoted markets. */
import { MAX_ODDS, TICKS, tickIndex } from '@fairgame/contract';
import { availableOf } from './available.ts';
import { BACK, crosses, enqueue, LAY, LEVELS, reduce, remove, take } from './book.ts';
import { copyRunner, MAX_RUNNERS, mayGrow } from './definition.ts';
import { heldMinor, LOSE, OPEN_STAKE, SUMS } from './exposure.ts';
import type { Refused } from './guard.ts';
import { assert, isAmount, isCount, refuse } from './guard.ts';
import { worstWithGroup } from './holding.ts';
import { mayOffer, offersTooMuch } from './house-limit.ts';
import { settleFills } from './orders.ts';
import type { Holding, Market, Runner, State } from './state.ts';
import { addRunner, MAX_STAKE_MINOR } from './state.ts';
import type { Command, Quote, QuoteKind, QuoteRow, RunnerDef } from './types.ts';
import { HOUSE } from './types.ts';
import { append, changeMarket, markDirty, touchHolding, touchLevel } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** The wanted size of each level of the runner at work. */
const wanted = new Float64Array(LEVELS);
/** Those of them that are not zero: a ladder has a handful of its 700 levels. */
const wantedLevels: number[] = [];

/**
 * Brings the house's ladder to what is wanted. A level that shrinks keeps its place in the queue, one that grows or is
 * new goes to the end. Where a new level meets players' orders it takes them at their prices, then rests. While the
 * market or the runner is not open nothing may match: levels that would meet a player's order are left out. A ladder that
 * could cost more than the house may lose is not put up at all.
 */
export function setHouseBook(state: State, c: Of<'house.book'>): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (!market.isBook) return refuse('WRONG_KIND', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  if (market.status === 'SETTLING') return refuse('MARKET_SETTLING', 'marketId');
  for (const entry of c.runners) {
    const runner = market.byId.get(entry.runnerId);
    if (runner === undefined) return refuse('RUNNER_UNKNOWN', 'runnerId');
    if (runner.status === 'REMOVED') return refuse('RUNNER_REMOVED', 'runnerId');
    const bad = readWanted(entry.backable, entry.layable);
    if (bad) return bad;
  }
  for (const entry of c.runners) {
    readWanted(entry.backable, entry.layable);
    const runner = market.byId.get(entry.runnerId)!;
    if (!mayOffer(state, market, runner.index, wanted)) clearWanted();
    applyWanted(state, market, runner);
  }
  return null;
}

/** Bounds for the whole site. Ladders that were put up under others, and are beyond these, leave the books. */
export function setHouseLimits(state: State, c: Of<'house.limits'>): Refused | null {
  if (!isCount(c.marketMinor)) return refuse('AMOUNT_INVALID', 'marketMinor');
  if (!isCount(c.eventMinor)) return refuse('AMOUNT_INVALID', 'eventMinor');
  state.houseLimits = { marketMinor: c.marketMinor, eventMinor: c.eventMinor };
  for (const market of state.markets.values()) if (offersTooMuch(state, market)) clearHouse(state, market);
  return null;
}

/** Takes every order of the house out of the market's books. */
export function clearHouse(state: State, market: Market): void {
  if (!market.isBook) return;
  for (const runner of market.runners)
    for (let level = 0; level < LEVELS; level++) if (runner.house[level] !== 0) dropLevel(state, runner, level);
}

export function setQuotes(state: State, c: Of<'house.quotes'>): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.isBook) return refuse('WRONG_KIND', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  if (market.status === 'SETTLING') return refuse('MARKET_SETTLING', 'marketId');
  const kind = market.def.kind as QuoteKind;
  for (const row of c.rows) {
    if (!isCount(row.runnerId)) return refuse('RUNNER_UNKNOWN', 'runnerId');
    if (!ROW_STATUS.has(row.status)) return refuse('PRICE_INVALID', 'status');
    if (!isQuote(row.back)) return refuse('PRICE_INVALID', 'back');
    if (!isQuote(row.lay)) return refuse('PRICE_INVALID', 'lay');
    if (row.width !== undefined && !(isAmount(row.width) && kind === 'khado')) return refuse('MARKET_INVALID', 'width');
    const { payMax = 0, payMin = 0 } = c.bounds?.[row.runnerId] ?? {};
    if (!isCount(payMax) || !isCount(payMin)) return refuse('PRICE_INVALID', 'bounds');
    if (market.byId.has(row.runnerId)) continue;
    if (!mayGrow(kind)) return refuse('RUNNER_UNKNOWN', 'runnerId');
    if (kind === 'khado' && row.width === undefined) return refuse('MARKET_INVALID', 'width');
  }
  const grows = kind === 'bookmaker' && c.rows.some((row) => !market.byId.has(row.runnerId));
  // The sums of a field have room for so many.
  if (grows && new Set([...market.byId.keys(), ...c.rows.map((row) => row.runnerId)]).size > MAX_RUNNERS)
    return refuse('MARKET_INVALID', 'rows');
  // A new row is a new outcome, in which every back is lost: nobody may be left short by it.
  if (grows && [...market.holdings.values()].some(isShortInNewOutcome)) return refuse('INSUFFICIENT_FUNDS', 'rows');
  const rows: QuoteRow[] = [];
  for (const row of c.rows) {
    const name = c.names?.[row.runnerId];
    const known = market.byId.get(row.runnerId);
    if (known === undefined) {
      addRunner(state, market, rowRunner(row, name, c.bounds?.[row.runnerId]));
      changeMarket(state, market, false);
    } else describe(state, known, name, row.width);
    const copy = copyRow(row);
    market.quotes.set(row.runnerId, copy);
    rows.push(copy);
  }
  if (grows) for (const holding of market.holdings.values()) touchHolding(state, holding);
  markDirty(state, market);
  append(state.out, {
    type: 'quotes',
    marketId: market.id,
    rows: rows.map(copyRow),
    ...(c.names && { names: { ...c.names } }),
  });
  return null;
}

const ROW_STATUS = new Set<string>(['ACTIVE', 'SUSPENDED', 'BALL_RUNNING', 'CLOSED']);

function isQuote(quote: Quote | null): boolean {
  if (quote === null) return true;
  return (
    isCount(quote.price) &&
    quote.price <= MAX_RATE &&
    isCount(quote.sizeMinor) &&
    (quote.line === undefined || (isCount(quote.line) && quote.line <= MAX_LINE))
  );
}

/** Far above every real rate and line; keeps amounts within safe integers. */
const MAX_RATE = 1_000_000;
const MAX_LINE = 100_000;

/** What the account would lose if none of the runners so far wins. */
function isShortInNewOutcome(holding: Holding): boolean {
  const { account, exposure } = holding;
  const held = heldMinor(worstWithGroup(holding, resultOfNone));
  return held > exposure && availableOf(account) < held - exposure;
}

/** If none of the runners there are wins, in 1/10 000. */
function resultOfNone({ market, sums }: Holding): number {
  let result = 0;
  for (const index of market.active) result += sums[SUMS * index + LOSE]! - sums[SUMS * index + OPEN_STAKE]!;
  return result;
}

function rowRunner(
  { runnerId, width }: QuoteRow,
  name = `Row ${runnerId}`,
  { payMax, payMin }: Pick<RunnerDef, 'payMax' | 'payMin'> = {},
): RunnerDef {
  return copyRunner({
    runnerId,
    name,
    ...(width !== undefined && { width }),
    ...(payMax !== undefined && { payMax }),
    ...(payMin !== undefined && { payMin }),
  });
}

/** A row's name and width may change; bets keep the width they were placed at. */
function describe(state: State, runner: Runner, name = runner.def.name, width = runner.def.width): void {
  if (runner.def.name === name && runner.def.width === width) return;
  runner.def = { ...runner.def, name, ...(width !== undefined && { width }) };
  changeMarket(state, runner.market, false);
}

export function copyRow({ runnerId, back, lay, status }: QuoteRow): QuoteRow {
  return { runnerId, back: back && copyQuote(back), lay: lay && copyQuote(lay), status };
}

function copyQuote({ price, sizeMinor, line }: Quote): Quote {
  return line === undefined ? { price, sizeMinor } : { price, sizeMinor, line };
}

/** Fills `wanted`; refuses sizes and prices that are not right, double prices, and a ladder that crosses itself. */
function readWanted(backable: Array<[number, number]>, layable: Array<[number, number]>): Refused | null {
  clearWanted();
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
      wantedLevels.push(level);
      if (side === LAY) bestLay = Math.max(bestLay, tick);
      else bestBack = Math.min(bestBack, tick);
    }
  }
  return bestLay >= bestBack ? refuse('PRICE_INVALID', 'layable') : null;
}

function clearWanted(): void {
  for (const level of wantedLevels) wanted[level] = 0;
  wantedLevels.length = 0;
}

/** Waiting lays from the highest price, then waiting backs from the lowest. */
function bestFirst(a: number, b: number): number {
  if (a >= TICKS || b >= TICKS) return b - a;
  return a - b;
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
  for (const level of wantedLevels.sort(bestFirst)) raise(state, runner, level, mayMatch);
}

function raise(state: State, runner: Runner, level: number, mayMatch: boolean): void {
  const side = level < TICKS ? BACK : LAY;
  const tick = level % TICKS;
  let want = wanted[level]!;
  const { book, house, market } = runner;
  const node = house[level]!;
  if (node !== 0) {
    if (book.pool.size[node] === want) return;
    dropLevel(state, runner, level);
  } else if (crosses(book, side, tick)) {
    if (!mayMatch || !Number.isSafeInteger(market.house.gross + want * MAX_ODDS)) return;
    want = take(book, side, tick, want, HOUSE);
    settleFills(state, runner, null, side === BACK ? 'BACK' : 'LAY');
    if (want === 0 || book.pool.blocked) return;
  }
  house[level] = enqueue(book, side, tick, want, HOUSE, ++state.lastSeq, null);
  touchLevel(state, runner, level);
  assert(book.bestLay < book.bestBack, 'INV-13', 'crossed book');
}

function dropLevel(state: State, runner: Runner, level: number): void {
  remove(runner.book, runner.house[level]!);
  runner.house[level] = 0;
  touchLevel(state, runner, level);
}
