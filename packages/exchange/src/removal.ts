/** A runner that leaves a field, and one that comes back (exchange reference 7). */
import { MAX_ODDS, oddsText, tickAtOrBelow } from '@fairgame/contract';
import { availableOf } from './available.ts';
import { remove } from './book.ts';
import { endInMarket } from './conditionals.ts';
import type { Refused } from './guard.ts';
import { isCount, isRefused, refuse } from './guard.ts';
import { countFill, countTake, exposureWithoutRemoval, rebuildSums, setResult } from './holding.ts';
import { clearHouse } from './house.ts';
import { liveOf } from './live.ts';
import { lapse } from './markets.ts';
import { enterBook } from './orders.ts';
import { countStakeOf } from './own-limits.ts';
import { isLayLapsing, isReducing, reducedFill, reducedPrice } from './reduction.ts';
import type { Fill, Market, Order, Runner, State } from './state.ts';
import { findActive, seqOf } from './state.ts';
import { tellInSlices } from './telling.ts';
import type { Command } from './types.ts';
import { changeMarket, markDirty, touchHolding, touchLevel, touchOrder } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;
type Change = Of<'runner.remove'> | Of<'runner.reinstate'>;

/**
 * Takes a runner out: its unmatched bets lapse, its matched ones are void, bets on the others are paid at reduced prices,
 * and unmatched lays on the others lapse or, when kept, move down to a reduced price. The house's prices all go.
 */
export function removeRunner(state: State, c: Of<'runner.remove'>): Refused | null {
  const found = runnerOf(state, c);
  if (isRefused(found)) return found;
  const { market, runner } = found;
  if (runner.status === 'REMOVED') return refuse('RUNNER_REMOVED', 'runnerId');
  // Nobody reserved for it there: it may leave accounts short, so a person must want it.
  if (market.def.removable !== true && c.force === undefined) return refuse('WRONG_KIND', 'marketId');
  runner.status = 'REMOVED';
  takeFactors(market, runner, c);
  changeMarket(state, market, true);
  lapse(state, market, 'LAPSED_REMOVAL', (order) => order.runner === runner);
  lapse(state, market, 'LAPSED_VERSION', (order) => order.status === 'PENDING');
  const text = `${runner.def.name}: non-runner`;
  if (market.isBook) {
    // They belong to the old field.
    clearHouse(state, market);
    voidRunner(state, market, runner, text);
    market.removals.push({
      runnerId: runner.id,
      factor: c.factor,
      upTo: state.lastFillId,
      upToBet: state.lastBetId,
    });
    const place = market.def.placeMarket === true;
    if (isReducing(c.factor, place)) repriceFills(state, market, text);
    if (isLayLapsing(c.factor, place)) reduceLays(state, market, text);
  } else {
    for (const order of market.orders) if (order.runner === runner && order.matched > 0) voidTake(state, order, text);
  }
  endInMarket(state, market, 'FIELD_CHANGED', (one) => one.kind !== 'EXPIRE');
  refreshHoldings(state, market);
  tellInSlices(state, market, c);
  return null;
}

/**
 * Puts a removed runner back (seen in golf): what its removal made void counts again, what it reduced is paid in full
 * again. What lapsed stays lapsed, and a kept lay stays at its reduced price. Refused while somebody would be short by it.
 */
export function reinstateRunner(state: State, c: Of<'runner.reinstate'>): Refused | null {
  const found = runnerOf(state, c);
  if (isRefused(found)) return found;
  const { market, runner } = found;
  if (runner.status !== 'REMOVED') return refuse('RUNNER_UNKNOWN', 'runnerId');
  if (c.force === undefined && leavesShort(market, runner, c)) return refuse('INSUFFICIENT_FUNDS', 'runnerId');
  runner.status = 'ACTIVE';
  takeFactors(market, runner, c);
  changeMarket(state, market, true);
  lapse(state, market, 'LAPSED_VERSION', (order) => order.status === 'PENDING');
  const text = `${runner.def.name}: back in the field`;
  if (market.isBook) {
    for (const fill of market.fills)
      if (fill.runner === runner && fill.void === 'removed') reviveFill(state, fill, text);
    market.removals = market.removals.filter((removal) => removal.runnerId !== runner.id);
    repriceFills(state, market, text);
  } else {
    for (const order of market.orders)
      if (order.runner === runner && isVoidByRemoval(order)) reviveTake(state, order, text);
  }
  endInMarket(state, market, 'FIELD_CHANGED', (one) => one.kind !== 'EXPIRE');
  refreshHoldings(state, market);
  tellInSlices(state, market, c);
  return null;
}

/** Every sum and exposure of the market from its bets. */
export function refreshHoldings(state: State, market: Market): void {
  for (const holding of market.holdings.values()) touchHolding(state, holding);
  recount(market);
  markDirty(state, market);
}

/** In a book only bets with something left count beside the matches: of hundreds of thousands these are few. */
function recount(market: Market): void {
  rebuildSums(market, market.isBook ? liveOf(market.live, () => true) : market.orders);
}

/** A matched quote bet becomes void: stake back. */
export function voidTake(state: State, order: Order, reason: string): void {
  countTake(order, -1);
  countStakeOf(state, order, -order.matched);
  order.voided += order.matched;
  order.matched = 0;
  order.matchedSum = 0;
  order.profit = 0;
  order.reason = reason;
  setResult(order, 'VOID');
  touchOrder(state, order);
  touchHolding(state, order.holding);
}

/** Takes one fill out of both its bets. The rest of each bet stays as it is. */
export function voidFill(state: State, fill: Fill, how: 'removed' | 'voided'): void {
  // With a runner that leaves everything is counted anew.
  if (how === 'voided') countFill(fill.runner.market, fill, -1);
  fill.void = how;
  markDirty(state, fill);
  for (const order of [fill.back, fill.lay]) {
    if (order === null) continue;
    order.matched -= fill.size;
    order.matchedSum -= fill.paid * fill.size;
    order.voided += fill.size;
    countStakeOf(state, order, -fill.size);
    touchOrder(state, order);
    touchHolding(state, order.holding);
  }
}

function voidRunner(state: State, market: Market, runner: Runner, reason: string): void {
  for (const fill of market.fills) {
    if (fill.runner !== runner || fill.void) continue;
    voidFill(state, fill, 'removed');
    for (const order of [fill.back, fill.lay]) {
      if (order === null) continue;
      order.reason = reason;
      if (order.matched === 0 && order.status === 'COMPLETE') setResult(order, 'VOID');
    }
  }
}

function reviveFill(state: State, fill: Fill, reason: string): void {
  fill.void = false;
  markDirty(state, fill);
  for (const order of [fill.back, fill.lay]) {
    if (order === null) continue;
    order.matched += fill.size;
    order.matchedSum += fill.paid * fill.size;
    order.voided -= fill.size;
    countStakeOf(state, order, fill.size);
    order.reason = reason;
    if (order.result === 'VOID') setResult(order, 'PENDING');
    touchOrder(state, order);
    touchHolding(state, order.holding);
  }
}

/** Of a bookmaker market: taken, then made void by the removal of its runner (the operator's voids say so). */
function isVoidByRemoval(order: Order): boolean {
  return order.result === 'VOID' && order.voided === order.size && order.endCode === undefined;
}

function reviveTake(state: State, order: Order, reason: string): void {
  order.matched = order.voided;
  order.matchedSum = order.matched * order.price;
  order.voided = 0;
  countStakeOf(state, order, order.matched);
  order.reason = reason;
  setResult(order, 'PENDING');
  touchOrder(state, order);
  touchHolding(state, order.holding);
}

/** Whether the return of a runner would cost somebody money he has not got. Looks and leaves everything as it was. */
function leavesShort(market: Market, runner: Runner, c: Change): boolean {
  const defs = market.runners.map((one) => one.def);
  const { removals } = market;
  const revived = market.fills.filter((fill) => fill.runner === runner && fill.void === 'removed');
  const paid = market.fills.map((fill) => fill.paid);
  const takes = market.isBook ? [] : market.orders.filter((one) => one.runner === runner && isVoidByRemoval(one));
  runner.status = 'ACTIVE';
  takeFactors(market, runner, c);
  market.removals = removals.filter((removal) => removal.runnerId !== runner.id);
  for (const fill of revived) fill.void = false;
  for (const fill of market.fills) fill.paid = priceNow(market, fill);
  for (const order of takes) order.matched = order.voided;
  recount(market);
  let short = false;
  for (const holding of market.holdings.values()) {
    const more = exposureWithoutRemoval(holding) - holding.exposure;
    if (more > 0 && availableOf(holding.account) < more) short = true;
  }
  runner.status = 'REMOVED';
  market.runners.forEach((one, i) => {
    one.def = defs[i]!;
  });
  market.removals = removals;
  findActive(market);
  for (const fill of revived) fill.void = 'removed';
  market.fills.forEach((fill, i) => {
    fill.paid = paid[i]!;
  });
  for (const order of takes) order.matched = 0;
  recount(market);
  return short;
}

/** The factors the feed now says, and what may still come. */
function takeFactors(market: Market, runner: Runner, c: Change): void {
  for (const { runnerId, factor } of [...(c.factors ?? []), { runnerId: runner.id, factor: c.factor }]) {
    const one = market.byId.get(runnerId)!;
    one.def = { ...one.def, adjustmentFactor: factor };
  }
  findActive(market);
}

function priceNow(market: Market, fill: Fill): number {
  return reducedFill(market, fill).now;
}

/** Pays every fill at the price that all removals since leave of it, always computed from the original. */
function repriceFills(state: State, market: Market, text: string): void {
  const reasons = new Map<number, string>();
  const reasonOf = (price: number, paid: number): string => {
    const key = price * MAX_ODDS + paid;
    const reason = reasons.get(key) ?? `${text}, ${oddsText(price)} to ${oddsText(paid)}`;
    reasons.set(key, reason);
    return reason;
  };
  for (const fill of market.fills) {
    if (fill.void) continue;
    const paid = priceNow(market, fill);
    if (paid === fill.paid) continue;
    const reason = reasonOf(fill.price, paid);
    for (const order of [fill.back, fill.lay]) {
      if (order === null) continue;
      order.matchedSum += (paid - fill.paid) * fill.size;
      order.reason = reason;
      touchOrder(state, order);
      touchHolding(state, order.holding);
    }
    fill.paid = paid;
    markDirty(state, fill);
  }
}

/**
 * Unmatched lays on the others: LAPSE lapses; PERSIST stays at the price that all removals since leave of the one it was
 * first asked at, taken down to a tick, oldest first.
 */
function reduceLays(state: State, market: Market, text: string): void {
  lapse(
    state,
    market,
    'LAPSED_REMOVAL',
    (order) => order.status === 'EXECUTABLE' && order.side === 'LAY' && order.persistence === 'LAPSE',
  );
  const kept = liveOf(market.live, (order) => order.status === 'EXECUTABLE' && order.side === 'LAY');
  kept.sort((a, b) => seqOf(a) - seqOf(b));
  const place = market.def.placeMarket === true;
  const since = market.removals.map(({ runnerId, factor, upToBet }) => ({ runnerId, factor, upTo: upToBet }));
  for (const order of kept) {
    const reduced = tickAtOrBelow(reducedPrice({ id: order.id, price: order.firstPrice }, since, place));
    if (reduced >= order.price) continue;
    touchLevel(state, order.runner, state.pool.level[order.node]!);
    remove(order.runner.book, order.node);
    order.reason = `${text}, ${oddsText(order.price)} to ${oddsText(reduced)}`;
    order.price = reduced;
    enterBook(state, order);
    touchOrder(state, order);
    touchHolding(state, order.holding);
  }
}

function runnerOf(state: State, c: Change): { market: Market; runner: Runner } | Refused {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  if (market.status === 'SETTLING') return refuse('MARKET_SETTLING', 'marketId');
  const runner = market.byId.get(c.runnerId);
  if (runner === undefined) return refuse('RUNNER_UNKNOWN', 'runnerId');
  if (!isFactor(c.factor)) return refuse('AMOUNT_INVALID', 'factor');
  for (const { runnerId, factor } of c.factors ?? []) {
    if (!market.byId.has(runnerId)) return refuse('RUNNER_UNKNOWN', 'factors');
    if (!isFactor(factor)) return refuse('AMOUNT_INVALID', 'factors');
  }
  if (!market.isBook && market.def.kind !== 'bookmaker') return refuse('WRONG_KIND', 'marketId');
  return { market, runner };
}

function isFactor(factor: unknown): boolean {
  return isCount(factor) && factor < 10_000;
}
