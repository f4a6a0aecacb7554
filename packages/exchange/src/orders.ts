/**
 * Orders of players in the book: place, match, cancel, replace, persistence, the delay in play (exchange reference 3).
 * Every function checks first and changes afterwards, so that a refusal leaves no trace.
 */
import { LADDER, tickIndex } from '@fairgame/contract';
import { availableOf } from './available.ts';
import { BACK, enqueue, LAY, reduce, take, volume } from './book.ts';
import type { Place } from './checks.ts';
import { checkPlace, checkProfit, checkStake, isPersistence } from './checks.ts';
import { followBet } from './conditional-index.ts';
import { attach, attachRefusal, countAttached } from './conditionals-of-bets.ts';
import type { Refused } from './guard.ts';
import { assert, isAmount, isRefused, refuse } from './guard.ts';
import { countMatched, countOpen, endRemaining, exposureOf, exposureWithout, grossOf, riskRefusal } from './holding.ts';
import { enterLive, leaveLive, restingOf } from './live.ts';
import { countStakeOf } from './own-limits.ts';
import type { Fill, Market, Order, Runner, State } from './state.ts';
import { enterHolding, linkFill, listOrder, newOrder } from './state.ts';
import type { Command, Persistence, Side } from './types.ts';
import { HOUSE } from './types.ts';
import { append, markDirty, touchHolding, touchLevel, touchOrder } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export function placeOrder(state: State, c: Of<'order.place'>, now: number): Refused | null {
  if (c.side !== 'BACK' && c.side !== 'LAY') return refuse('PRICE_INVALID', 'side');
  if (!isPersistence(c.persistence)) return refuse('WRONG_KIND', 'persistence');
  const place = checkPlace(state, c, true);
  if (isRefused(place)) return place;
  const tick = Number.isSafeInteger(c.price) ? tickIndex(c.price) : -1;
  if (tick < 0) return refuse('PRICE_INVALID', 'price');
  const badStake = checkStake(place.market, c.sizeMinor, 'sizeMinor');
  if (badStake) return badStake;
  const minFill = c.minFillMinor ?? 0;
  if (minFill !== 0 && (!isAmount(minFill) || minFill > c.sizeMinor)) return refuse('STAKE_INVALID', 'minFillMinor');
  const unattached = attachRefusal(state, place, c, 0);
  if (unattached) return unattached;
  const refused = enter(state, place, c.betId, c.side, c.price, tick, c.sizeMinor, c.persistence, minFill, now, null);
  if (refused === null && countAttached(c) > 0) attach(state, state.orders.get(c.betId)!, c, now);
  return refused;
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
  const market = c.marketId === undefined ? undefined : state.markets.get(c.marketId);
  if (market === undefined && (c.marketId !== undefined || c.runnerId !== undefined))
    return refuse('MARKET_UNKNOWN', 'marketId');
  if (c.runnerId !== undefined && !market!.byId.has(c.runnerId)) return refuse('RUNNER_UNKNOWN', 'runnerId');
  if (c.side !== undefined && c.side !== 'BACK' && c.side !== 'LAY') return refuse('PRICE_INVALID', 'side');
  let left = c.units ?? Number.POSITIVE_INFINITY;
  for (const id of [...account.holdings.keys()].sort((a, b) => a - b)) {
    if (left <= 0) break;
    if (c.marketId !== undefined && id !== c.marketId) continue;
    const resting = restingOf(account.holdings.get(id)!.live).filter(
      ({ runner, side }) => (c.runnerId ?? runner.id) === runner.id && (c.side ?? side) === side,
    );
    for (const order of resting) endRemaining(state, order, 'CANCELLED');
    left -= resting.length;
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
  if (c.remainingMinor !== undefined && c.remainingMinor !== old.remaining) {
    const { price, remaining: remainingMinor, version } = old;
    return refuse('BET_CHANGED', 'remainingMinor', { price, remainingMinor, version });
  }
  if (c.price === old.price && c.sizeMinor <= old.remaining) {
    if (c.sizeMinor < old.remaining) shrink(state, old, old.remaining - c.sizeMinor);
    keep(state, old, persistence);
    return null;
  }
  const { runner } = old;
  const { market } = old.holding;
  const placing = { betId: c.newBetId, accountId: c.accountId, marketId: market.id, runnerId: runner.id };
  const versioned = c.marketVersion === undefined ? placing : { ...placing, marketVersion: c.marketVersion };
  // An untouched old bet makes room for the new one in the number of bets.
  const place = checkPlace(state, versioned, true, old.matched === 0 ? 1 : 0);
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
  keep(state, order, c.persistence);
  return null;
}

/** The bet is told even where nothing changes: its asker wants to see it. */
function keep(state: State, order: Order, persistence: Persistence): void {
  order.persistence = persistence;
  touchOrder(state, order);
}

/** Matches an accepted order and rests, kills or ends what is left. */
export function execute(state: State, order: Order): void {
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
  order.node = enqueue(runner.book, order.code, tickIndex(order.price), order.remaining, id, ++state.lastSeq, order);
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
  if (availableOf(account) < 0 && exposureWithout(order) < holding.exposure) {
    endRemaining(state, order, 'CANCELLED', 'Not enough balance any more');
    return;
  }
  execute(state, order);
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
  if (!Number.isSafeInteger(market.house.gross + grossOf(code, price, size)))
    return refuse('STAKE_TOO_LARGE', 'sizeMinor');
  // The order counts as unmatched: a fill at its limit or better never costs more (exchange reference 9.2).
  const { index } = runner;
  if (old !== null) countOpen(holding, index, old.code, old.price, -old.remaining);
  countOpen(holding, index, code, price, size);
  const refused = riskRefusal(holding, exposureOf(holding), 'sizeMinor');
  if (old !== null) countOpen(holding, index, old.code, old.price, old.remaining);
  const delayed = market.inPlay && market.betDelayMs > 0;
  if (refused !== null || (!delayed && minFill > 0 && volume(runner.book, code, tick, account.id, minFill) < minFill)) {
    countOpen(holding, index, code, price, -size);
    return refused ?? refuse('NOT_FILLED');
  }
  if (old !== null) endRemaining(state, old, 'CANCELLED');
  begin(state, newOrder(betId, holding, runner, side, price, size, persistence, now, minFill, null), now, old);
  return null;
}

/** An accepted order whose risk is counted: waits where the market has a delay, else is matched. `old` is what it replaces. */
export function begin(state: State, order: Order, now: number, old: Order | null): void {
  const { holding } = order;
  const { market } = holding;
  if (holding.orders.length === 0) enterHolding(holding);
  addOrder(state, order);
  if (old !== null && state.conditionals.watchesBets) followBet(state, old, order);
  if (!market.inPlay || market.betDelayMs === 0) {
    execute(state, order);
    return;
  }
  order.dueAt = now + market.betDelayMs;
  state.waiting.add(order);
  touchOrder(state, order);
  touchHolding(state, holding);
}

export function addOrder(state: State, order: Order): void {
  state.lastBetId = order.id;
  state.orders.set(order.id, order);
  listOrder(order);
  order.holding.open++;
  countStakeOf(state, order, order.size);
  if (order.remaining > 0) enterLive(order);
}

function ownOpenOrder(state: State, accountId: number, betId: number): Order | Refused {
  const order = isAmount(betId) ? state.orders.get(betId) : undefined;
  if (order === undefined || order.holding.account.id !== accountId) return refuse('BET_UNKNOWN', 'betId');
  if (order.terms !== null) return refuse('WRONG_KIND', 'betId');
  if (order.holding.market.status === 'SETTLING') return refuse('MARKET_SETTLING', 'betId');
  if (order.status !== 'EXECUTABLE') return refuse('BET_NOT_OPEN', 'betId');
  return order;
}

/** Makes a resting order smaller; it keeps its place. */
function shrink(state: State, order: Order, by: number): void {
  reduce(order.runner.book, order.node, by);
  touchLevel(state, order.runner, state.pool.level[order.node]!);
  countOpen(order.holding, order.runner.index, order.code, order.price, -by);
  order.remaining -= by;
  order.cancelled += by;
  countStakeOf(state, order, -by);
  touchOrder(state, order);
  touchHolding(state, order.holding);
}

function matchSide(state: State, order: Order, price: number, size: number): void {
  const better = order.code === BACK ? price >= order.price : price <= order.price;
  assert(better, 'INV-13', 'a fill worse than the limit');
  countOpen(order.holding, order.runner.index, order.code, order.price, -size);
  countMatched(order.holding, order.runner.index, order.code, price, size);
  order.remaining -= size;
  if (order.remaining === 0) leaveLive(order);
  order.matched += size;
  order.matchedSum += price * size;
  touchOrder(state, order);
  touchHolding(state, order.holding);
}

function countHouse(state: State, market: Market, runner: Runner, side: number, price: number, size: number): void {
  countMatched(market.house, runner.index, side, price, size);
  markDirty(state, market);
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
    earlierOfBack: null,
    earlierOfLay: null,
  };
  runner.market.fills.push(fill);
  linkFill(fill);
  markDirty(state, fill);
  runner.lastPrice = price;
  runner.traded += size;
  append(state.out, {
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

/** Prices by level: the ladder of the waiting backs, then that of the waiting lays. */
const PRICES = Int32Array.from([...LADDER, ...LADDER]);

export function priceOf(level: number): number {
  return PRICES[level]!;
}
