/** The life of a market: made, opened, suspended, turned in play, a runner removed or put back (exchange reference 5, 7). */
import { oddsText, tickAtOrBelow } from '@fairgame/contract';
import { remove } from './book.ts';
import { badDefinition, copyDefinition, isLimits, STATUSES } from './definition.ts';
import type { Refused } from './guard.ts';
import { isCount, refuse } from './guard.ts';
import { endRemaining, grossTotal, rebuildSums, setResult } from './holding.ts';
import { clearHouse } from './house.ts';
import { enterBook } from './orders.ts';
import { isLayLapsing, isReducing, reducedPrice } from './reduction.ts';
import type { Fill, Market, Order, Runner, State } from './state.ts';
import { addMarket, findActive, seqOf } from './state.ts';
import type { Command, EndCode } from './types.ts';
import { changeMarket, put, soil, touchHolding, touchLevel, touchOrder } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

const RUNNER_STATUSES = new Set<string>(['ACTIVE', 'SUSPENDED', 'BALL_RUNNING']);
export function createMarket(state: State, c: Of<'market.create'>): Refused | null {
  const def = c.market;
  const bad = badDefinition(def);
  if (bad !== null) return refuse('MARKET_INVALID', bad);
  if (state.markets.has(def.marketId)) return refuse('MARKET_EXISTS', 'marketId');
  const market = addMarket(state, copyDefinition(def));
  market.changed = true;
  put(state.changedMarkets, market);
  return null;
}

export function setMarketState(state: State, c: Of<'market.state'>): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  if (c.status !== undefined && !STATUSES.has(c.status)) return refuse('MARKET_INVALID', 'status');
  if (c.inPlay !== undefined && typeof c.inPlay !== 'boolean') return refuse('MARKET_INVALID', 'inPlay');
  if (c.betDelayMs !== undefined && !isCount(c.betDelayMs)) return refuse('MARKET_INVALID', 'betDelayMs');
  if (c.limits && !isLimits(c.limits.minStakeMinor, c.limits.maxStakeMinor)) return refuse('MARKET_INVALID', 'limits');
  for (const { runnerId, status } of c.runners ?? []) {
    const runner = market.byId.get(runnerId);
    if (runner === undefined) return refuse('RUNNER_UNKNOWN', 'runnerId');
    if (runner.status === 'REMOVED') return refuse('RUNNER_REMOVED', 'runnerId');
    if (!RUNNER_STATUSES.has(status)) return refuse('MARKET_INVALID', 'status');
  }

  if (c.status !== undefined && c.status !== market.status) {
    const leaving = market.status === 'OPEN';
    market.status = c.status;
    market.reason = '';
    changeMarket(state, market, false);
    if (leaving) {
      lapse(state, market, 'LAPSED_SUSPENDED', (order) => order.status === 'PENDING' || market.def.lapseOnSuspend);
      if (market.def.lapseOnSuspend) clearHouse(state, market);
    }
  }
  if (c.lapse === true) {
    lapse(state, market, 'LAPSED_SUSPENDED', () => true);
    clearHouse(state, market);
  }
  if (c.reason !== undefined && c.reason !== market.reason) {
    market.reason = c.reason;
    changeMarket(state, market, false);
  }
  if (c.inPlay !== undefined && c.inPlay !== market.inPlay) {
    market.inPlay = c.inPlay;
    changeMarket(state, market, c.inPlay);
    if (c.inPlay) {
      // The house quotes anew after the turn, like everybody without "keep".
      lapse(state, market, 'LAPSED_IN_PLAY', (order) => order.status === 'EXECUTABLE' && order.persistence === 'LAPSE');
      lapse(state, market, 'LAPSED_VERSION', (order) => order.status === 'PENDING');
      clearHouse(state, market);
    }
  }
  if (c.betDelayMs !== undefined && c.betDelayMs !== market.betDelayMs) {
    market.betDelayMs = c.betDelayMs;
    changeMarket(state, market, false);
  }
  if (c.limits && (c.limits.minStakeMinor !== market.minStake || c.limits.maxStakeMinor !== market.maxStake)) {
    market.minStake = c.limits.minStakeMinor;
    market.maxStake = c.limits.maxStakeMinor;
    changeMarket(state, market, false);
  }
  for (const { runnerId, status } of c.runners ?? []) {
    const runner = market.byId.get(runnerId)!;
    if (runner.status === status) continue;
    runner.status = status;
    changeMarket(state, market, false);
    if (status !== 'ACTIVE') {
      lapse(state, market, 'LAPSED_SUSPENDED', (order) => order.status === 'PENDING' && order.runner === runner);
    }
  }
  return null;
}

/** Ends what is open of the chosen bets of a market, in the order they were placed. */
export function lapse(state: State, market: Market, code: EndCode, which: (order: Order) => boolean): void {
  for (const order of market.orders) if (order.remaining > 0 && which(order)) endRemaining(state, order, code);
}

/**
 * Takes a runner out (exchange reference 7): its unmatched bets lapse, its matched ones are void, bets on the others
 * are paid at reduced prices, and unmatched lays on the others lapse or, when kept, move down to a reduced price.
 */
export function removeRunner(state: State, c: Of<'runner.remove'>): Refused | null {
  const found = runnerOf(state, c);
  if (isRefusal(found)) return found;
  const { market, runner } = found;
  if (runner.status === 'REMOVED') return refuse('RUNNER_REMOVED', 'runnerId');
  runner.status = 'REMOVED';
  runner.def = { ...runner.def, adjustmentFactor: c.factor };
  findActive(market);
  changeMarket(state, market, true);
  lapse(state, market, 'LAPSED_REMOVAL', (order) => order.runner === runner);
  lapse(state, market, 'LAPSED_VERSION', (order) => order.status === 'PENDING');
  const text = `${runner.def.name}: non-runner`;
  if (market.isBook) {
    // The prices of the house belong to the old field (exchange reference 7).
    clearHouse(state, market);
    voidRunner(state, market, runner, text);
    market.removals.push({ runnerId: runner.id, factor: c.factor, upTo: state.lastFillId });
    const place = market.def.placeMarket === true;
    if (isReducing(c.factor, place)) repriceFills(state, market, text);
    if (isLayLapsing(c.factor, place)) reduceLays(state, market, c.factor, place, text);
    market.gross = grossTotal(market);
  } else {
    for (const order of market.orders)
      if (order.runner === runner && order.matched > 0) voidMatched(state, order, text);
  }
  refreshHoldings(state, market);
  return null;
}

/**
 * Puts a removed runner back (seen in golf). New bets on it are taken again; what its removal did to earlier bets stays,
 * since players were told so and their money was freed.
 */
export function reinstateRunner(state: State, c: Of<'runner.reinstate'>): Refused | null {
  const found = runnerOf(state, c);
  if (isRefusal(found)) return found;
  const { market, runner } = found;
  if (runner.status !== 'REMOVED') return refuse('RUNNER_UNKNOWN', 'runnerId');
  runner.status = 'ACTIVE';
  runner.def = { ...runner.def, adjustmentFactor: c.factor };
  findActive(market);
  changeMarket(state, market, true);
  lapse(state, market, 'LAPSED_VERSION', (order) => order.status === 'PENDING');
  refreshHoldings(state, market);
  return null;
}

/** Every sum and exposure of the market from its bets. */
export function refreshHoldings(state: State, market: Market): void {
  for (const holding of market.holdings.values()) {
    rebuildSums(holding);
    touchHolding(state, holding);
  }
  rebuildSums(market.house);
  soil(state, market);
}

/** A matched quote bet, or what is matched of it, becomes void: stake back. */
export function voidMatched(state: State, order: Order, reason: string): void {
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
export function voidFill(state: State, fill: Fill): void {
  fill.void = true;
  soil(state, fill);
  for (const order of [fill.back, fill.lay]) {
    if (order === null) continue;
    order.matched -= fill.size;
    order.matchedSum -= fill.paid * fill.size;
    order.voided += fill.size;
    touchOrder(state, order);
    touchHolding(state, order.holding);
  }
}

function voidRunner(state: State, market: Market, runner: Runner, reason: string): void {
  for (const fill of market.fills) {
    if (fill.runner !== runner || fill.void) continue;
    voidFill(state, fill);
    for (const order of [fill.back, fill.lay]) {
      if (order === null) continue;
      order.reason = reason;
      if (order.matched === 0 && order.status === 'COMPLETE') setResult(order, 'VOID');
    }
  }
}

/** Pays every earlier fill on the other runners at its reduced price, always computed from the original. */
function repriceFills(state: State, market: Market, text: string): void {
  for (const fill of market.fills) {
    if (fill.void) continue;
    const paid = reducedPrice(fill, market.removals, market.def.placeMarket === true);
    if (paid === fill.paid) continue;
    for (const order of [fill.back, fill.lay]) {
      if (order === null) continue;
      order.matchedSum += (paid - fill.paid) * fill.size;
      order.reason = `${text}, ${oddsText(fill.price)} to ${oddsText(paid)}`;
      touchOrder(state, order);
      touchHolding(state, order.holding);
    }
    fill.paid = paid;
    soil(state, fill);
  }
}

/** Unmatched lays on the others: LAPSE lapses; PERSIST stays at the reduced price, taken down to a tick, oldest first. */
function reduceLays(state: State, market: Market, factor: number, place: boolean, text: string): void {
  lapse(
    state,
    market,
    'LAPSED_REMOVAL',
    (order) => order.status === 'EXECUTABLE' && order.side === 'LAY' && order.persistence === 'LAPSE',
  );
  const kept = market.orders.filter((order) => order.status === 'EXECUTABLE' && order.side === 'LAY');
  kept.sort((a, b) => seqOf(a) - seqOf(b));
  for (const order of kept) {
    const once = [{ runnerId: 0, factor, upTo: 1 }];
    const price = tickAtOrBelow(reducedPrice({ id: 1, price: order.price }, once, place));
    if (price === order.price) continue;
    touchLevel(state, order.runner, state.pool.level[order.node]!);
    remove(order.runner.book, order.node);
    order.reason = `${text}, ${oddsText(order.price)} to ${oddsText(price)}`;
    order.price = price;
    enterBook(state, order);
    touchOrder(state, order);
    touchHolding(state, order.holding);
  }
}

function runnerOf(
  state: State,
  c: { marketId: number; runnerId: number; factor: number },
): { market: Market; runner: Runner } | Refused {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  const runner = market.byId.get(c.runnerId);
  if (runner === undefined) return refuse('RUNNER_UNKNOWN', 'runnerId');
  if (!isCount(c.factor) || c.factor >= 10_000) return refuse('AMOUNT_INVALID', 'factor');
  if (!market.isBook && market.def.kind !== 'bookmaker') return refuse('WRONG_KIND', 'marketId');
  return { market, runner };
}

function isRefusal(found: object): found is Refused {
  return 'type' in found;
}
