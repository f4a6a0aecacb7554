/**
 * Orders of players in the book: place, match, cancel, replace, persistence, the delay in play (exchange reference 3).
 * Every function checks first and changes afterwards, so that a refusal leaves no trace.
 */
import { LADDER, tickIndex } from '@fairgame/contract';
import { BACK, LAY, reduce, rest, take, volume } from './book.ts';
import type { Place } from './checks.ts';
import { checkPlace, checkProfit, checkStake, isRefused } from './checks.ts';
import { heldMinor, OPEN_LIABILITY, OPEN_STAKE, SUMS, worstE4 } from './exposure.ts';
import type { Refused } from './guard.ts';
import { assert, isAmount, refuse } from './guard.ts';
import { countMatched, countOpen, endRemaining, grossOf, riskRefusal } from './holding.ts';
import type { Fill, Holding, Market, Order, Runner, State } from './state.ts';
import { enterHolding, newOrder } from './state.ts';
import type { Command, Persistence, Side } from './types.ts';
import { HOUSE } from './types.ts';
import { put, soil, touchHolding, touchLevel, touchOrder } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export function placeOrder(state: State, c: Of<'order.place'>, now: number): Refused | null {
  if (c.side !== 'BACK' && c.side !== 'LAY') return refuse('PRICE_INVALID', 'side');
  if (c.persistence !== 'LAPSE' && c.persistence !== 'PERSIST') return refuse('WRONG_KIND', 'persistence');
  const place = checkPlace(state, c, true);
  if (isRefused(place)) return place;
  const tick = Number.isSafeInteger(c.price) ? tickIndex(c.price) : -1;
  if (tick < 0) return refuse('PRICE_INVALID', 'price');
  const badStake = checkStake(place.market, c.sizeMinor, 'sizeMinor');
  if (badStake) return badStake;
  const minFill = c.minFillMinor ?? 0;
  if (minFill !== 0 && (!isAmount(minFill) || minFill > c.sizeMinor)) return refuse('STAKE_INVALID', 'minFillMinor');
  return enter(state, place, c.betId, c.side, c.price, tick, c.sizeMinor, c.persistence, minFill, now, null);
}

export function cancelOrder(state: State, c: Of<'order.cancel'>): Refused | null {
  const order = ownOpenOrder(state, c.accountId, c.betId);
  if (isRefused(order)) return order;
  if (c.byMinor !== undefined && !isAmount(c.byMinor)) return refuse('STAKE_INVALID', 'byMinor');
  if (c.byMinor === undefined || c.byMinor >= order.remaining) endRemaining(state, order, 'CANCELLED');
  else shrink(state, order, c.byMinor);
  return null;
}

/** Cancels what rests; delayed bets go on (nobody may withdraw a bet during its delay). Nothing to cancel is no fault. */
export function cancelAll(state: State, c: Of<'order.cancelAll'>): Refused | null {
  const account = state.accounts.get(c.accountId);
  if (account === undefined) return refuse('ACCOUNT_UNKNOWN', 'accountId');
  if (c.marketId !== undefined && !state.markets.has(c.marketId)) return refuse('MARKET_UNKNOWN', 'marketId');
  for (const id of [...account.holdings.keys()].sort((a, b) => a - b)) {
    if (c.marketId !== undefined && id !== c.marketId) continue;
    const holding = account.holdings.get(id)!;
    for (const order of holding.orders) if (order.status === 'EXECUTABLE') endRemaining(state, order, 'CANCELLED');
  }
  return null;
}

/**
 * Less at the same price keeps the place in the queue under the old id. Anything else is a new bet under `newBetId` and
 * the end of the old one, in one step: when the new bet may not stand, the old one stays as it was.
 */
export function replaceOrder(state: State, c: Of<'order.replace'>, now: number): Refused | null {
  const old = ownOpenOrder(state, c.accountId, c.betId);
  if (isRefused(old)) return old;
  if (!isAmount(c.sizeMinor)) return refuse('STAKE_INVALID', 'sizeMinor');
  const persistence = c.persistence ?? old.persistence;
  if (!isPersistence(persistence)) return refuse('WRONG_KIND', 'persistence');
  if (c.price === old.price && c.sizeMinor <= old.remaining) {
    persist(state, old, persistence);
    if (c.sizeMinor < old.remaining) shrink(state, old, old.remaining - c.sizeMinor);
    return null;
  }
  const { runner } = old;
  const { market } = old.holding;
  const placing = { betId: c.newBetId, accountId: c.accountId, marketId: market.id, runnerId: runner.id };
  const versioned = c.marketVersion === undefined ? placing : { ...placing, marketVersion: c.marketVersion };
  const unchecked = market.def.maxBets > 0 && old.matched === 0 ? old.holding : null;
  // An untouched old bet makes room for the new one in the number of bets.
  if (unchecked) unchecked.open--;
  const place = checkPlace(state, versioned, true);
  if (unchecked) unchecked.open++;
  if (isRefused(place)) return place.field === 'betId' ? { ...place, field: 'newBetId' } : place;
  const tick = Number.isSafeInteger(c.price) ? tickIndex(c.price) : -1;
  if (tick < 0) return refuse('PRICE_INVALID', 'price');
  const badStake = checkStake(market, c.sizeMinor, 'sizeMinor');
  if (badStake) return badStake;
  return enter(state, place, c.newBetId, old.side, c.price, tick, c.sizeMinor, persistence, 0, now, old);
}

export function setPersistence(state: State, c: Of<'order.persistence'>): Refused | null {
  if (!isPersistence(c.persistence)) return refuse('WRONG_KIND', 'persistence');
  const order = ownOpenOrder(state, c.accountId, c.betId);
  if (isRefused(order)) return order;
  persist(state, order, c.persistence);
  return null;
}

function persist(state: State, order: Order, persistence: Persistence): void {
  if (order.persistence === persistence) return;
  order.persistence = persistence;
  touchOrder(state, order);
}

const isPersistence = (value: unknown): value is Persistence => value === 'LAPSE' || value === 'PERSIST';

/** Matches an accepted order and rests, kills or ends what is left. */
function execute(state: State, order: Order): void {
  const { runner } = order;
  const { account } = order.holding;
  const { book } = runner;
  const tick = tickIndex(order.price);
  touchOrder(state, order);
  touchHolding(state, order.holding);
  order.status = 'EXECUTABLE';
  order.dueAt = 0;
  if (order.minFill > 0) {
    const found = volume(book, order.code, tick, account.id, order.minFill);
    if (found < order.minFill) {
      endRemaining(state, order, 'KILLED');
      return;
    }
  }
  const left = take(book, order.code, tick, order.remaining, account.id);
  const { fills, blocked } = book.pool;
  if (fills > 0) settleFills(state, runner, order, order.side);
  if (left === 0) {
    order.status = 'COMPLETE';
    return;
  }
  if (blocked) {
    endRemaining(state, order, 'SELF_MATCH');
    return;
  }
  if (order.minFill > 0) {
    endRemaining(state, order, 'KILLED');
    return;
  }
  enterBook(state, order);
}

/** Puts the remainder at the end of its level. */
export function enterBook(state: State, order: Order): void {
  const { runner } = order;
  const { id } = order.holding.account;
  order.node = rest(runner.book, order.code, tickIndex(order.price), order.remaining, id, ++state.lastSeq, order);
  touchLevel(state, runner, state.pool.level[order.node]!);
  assert(runner.book.bestLay < runner.book.bestBack, 'INV-13', 'crossed book');
}

/** Books the fills the last `take` left in the pool. `taker` null is the house. @returns the amount filled. */
export function settleFills(state: State, runner: Runner, taker: Order | null, side: Side): number {
  const { pool } = runner.book;
  const { market } = runner;
  let sum = 0;
  for (let i = 0; i < pool.fills; i++) {
    const node = pool.fillNode[i]!;
    const level = pool.fillLevel[i]!;
    const size = pool.fillSize[i]!;
    const maker = pool.owner[node] ?? null;
    const gone = pool.fillGone[i] === 1;
    touchLevel(state, runner, level);
    const price = priceOf(level);
    if (gone && maker === null) runner.house[level] = 0;
    if (maker !== null) {
      matchSide(state, maker, price, size);
      if (gone) {
        maker.node = 0;
        maker.status = 'COMPLETE';
      }
    } else countHouse(state, market, runner, side === 'BACK' ? LAY : BACK, price, size);
    if (taker !== null) matchSide(state, taker, price, size);
    else countHouse(state, market, runner, side === 'BACK' ? BACK : LAY, price, size);
    record(state, runner, price, size, side === 'BACK' ? taker : maker, side === 'BACK' ? maker : taker, side);
    sum += size;
  }
  return sum;
}

/** A delayed bet whose time has come: looked at again, then matched (exchange reference 3.5). */
export function releaseOrder(state: State, order: Order): void {
  const { holding } = order;
  const { account } = holding;
  if (account.betBlocked) {
    endRemaining(state, order, 'CANCELLED', 'The account was restricted meanwhile');
    return;
  }
  if (account.balance - account.exposure < 0 && costs(holding, order)) {
    endRemaining(state, order, 'CANCELLED', 'Not enough balance any more');
    return;
  }
  execute(state, order);
}

/** Lines a delayed bet up, soonest first, by id among equals; one that ended meanwhile says nothing about the order. */
export function lineUp(state: State, order: Order): void {
  const { waiting } = state;
  let at = waiting.length;
  while (at > 0 && (waiting[at - 1]!.status !== 'PENDING' || later(waiting[at - 1]!, order))) at--;
  if (at === waiting.length) waiting.push(order);
  else waiting.splice(at, 0, order);
}

function later(a: Order, b: Order): boolean {
  return a.dueAt > b.dueAt || (a.dueAt === b.dueAt && a.id > b.id);
}

/** Accepts an order if its risk may stand, `old` being taken out in the same step; then delays or matches it. */
function enter(
  state: State,
  { account, market, runner, holding }: Place,
  betId: number,
  side: Side,
  price: number,
  tick: number,
  size: number,
  persistence: Persistence,
  minFill: number,
  now: number,
  old: Order | null,
): Refused | null {
  const code = side === 'BACK' ? BACK : LAY;
  const unfair = checkProfit(code, size * (price - 100), 'sizeMinor');
  if (unfair) return unfair;
  const gross = grossOf(code, price, size);
  if (!Number.isSafeInteger(market.gross + gross)) return refuse('STAKE_TOO_LARGE', 'sizeMinor');
  // The order counts as unmatched: a fill at its limit or better never costs more (exchange reference 9.2).
  const sums = holding.sums;
  const at = SUMS * runner.index + (code === BACK ? OPEN_STAKE : OPEN_LIABILITY);
  const open = code === BACK ? size * 100 : size * (price - 100);
  if (old !== null) countOpen(holding, old, -old.remaining);
  sums[at]! += open;
  const refused = riskRefusal(holding, heldMinor(worstE4(sums, market.active, market.def.winners)));
  if (old !== null) countOpen(holding, old, old.remaining);
  const delayed = market.inPlay && market.betDelayMs > 0;
  if (refused !== null || (!delayed && minFill > 0 && volume(runner.book, code, tick, account.id, minFill) < minFill)) {
    sums[at]! -= open;
    return refused ?? refuse('NOT_FILLED');
  }
  if (old !== null) endRemaining(state, old, 'CANCELLED');
  if (holding.orders.length === 0) enterHolding(holding);
  market.gross += gross;
  const order = newOrder(betId, holding, runner, side, price, size, persistence, now, minFill, null);
  addOrder(state, order);
  if (!delayed) {
    execute(state, order);
    return null;
  }
  order.dueAt = now + market.betDelayMs;
  lineUp(state, order);
  touchOrder(state, order);
  touchHolding(state, holding);
  return null;
}

export function addOrder(state: State, order: Order): void {
  state.lastBetId = order.id;
  state.orders.set(order.id, order);
  order.holding.market.orders.push(order);
  order.holding.orders.push(order);
  order.holding.open++;
}

function ownOpenOrder(state: State, accountId: number, betId: number): Order | Refused {
  const order = isAmount(betId) ? state.orders.get(betId) : undefined;
  if (order === undefined || order.holding.account.id !== accountId) return refuse('BET_UNKNOWN', 'betId');
  if (order.terms !== null) return refuse('WRONG_KIND', 'betId');
  if (order.status !== 'EXECUTABLE') return refuse('BET_NOT_OPEN', 'betId');
  return order;
}

/** Makes a resting order smaller; it keeps its place. */
function shrink(state: State, order: Order, by: number): void {
  reduce(order.runner.book, order.node, by);
  touchLevel(state, order.runner, state.pool.level[order.node]!);
  countOpen(order.holding, order, -by);
  order.holding.market.gross -= grossOf(order.code, order.price, by);
  order.remaining -= by;
  order.cancelled += by;
  touchOrder(state, order);
  touchHolding(state, order.holding);
}

function matchSide(state: State, order: Order, price: number, size: number): void {
  const better = order.code === BACK ? price >= order.price : price <= order.price;
  assert(better, 'INV-13', 'a fill worse than the limit');
  countOpen(order.holding, order, -size);
  countMatched(order.holding, order.runner.index, order.code, price, size);
  order.remaining -= size;
  order.matched += size;
  order.matchedSum += price * size;
  touchOrder(state, order);
  touchHolding(state, order.holding);
}

function countHouse(state: State, market: Market, runner: Runner, side: number, price: number, size: number): void {
  countMatched(market.house, runner.index, side, price, size);
  soil(state, market);
}

function record(
  state: State,
  runner: Runner,
  price: number,
  size: number,
  back: Order | null,
  lay: Order | null,
  taker: Side,
): void {
  const fill: Fill = {
    tag: 'fill',
    dirty: false,
    hashHigh: 0,
    hashLow: 0,
    id: ++state.lastFillId,
    runner,
    price,
    paid: price,
    size,
    back,
    lay,
    void: false,
  };
  runner.market.fills.push(fill);
  soil(state, fill);
  runner.lastPrice = price;
  runner.traded += size;
  put(state.out, {
    type: 'fill',
    fillId: fill.id,
    marketId: runner.market.id,
    runnerId: runner.id,
    price,
    sizeMinor: size,
    backBetId: back === null ? 0 : back.id,
    layBetId: lay === null ? 0 : lay.id,
    backAccountId: back === null ? HOUSE : back.holding.account.id,
    layAccountId: lay === null ? HOUSE : lay.holding.account.id,
    taker,
  });
}

/** Whether the account would risk less without this delayed bet. */
function costs(holding: Holding, order: Order): boolean {
  countOpen(holding, order, -order.remaining);
  const without = heldMinor(worstE4(holding.sums, holding.market.active, holding.market.def.winners));
  countOpen(holding, order, order.remaining);
  return without < holding.exposure;
}

/** Prices by level: the ladder of the waiting backs, then that of the waiting lays. */
const PRICES = Int32Array.from([...LADDER, ...LADDER]);

export function priceOf(level: number): number {
  return PRICES[level]!;
}
