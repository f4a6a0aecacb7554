/**
 * Several orders of an account in one market as one command: what programs send. All are looked at before the first is
 * entered, so that a refusal leaves none; and they are judged by what they may cost together, all of them unmatched, since a
 * fill at its limit or better never costs more (exchange reference 9.2).
 */
import { tickIndex } from '@fairgame/contract';
import { checkPlace, checkProfit, checkStake, isPersistence } from './checks.ts';
import { attach, attachRefusal, countAttached } from './conditionals-of-bets.ts';
import type { Refused } from './guard.ts';
import { isAmount, isRefused, refuse } from './guard.ts';
import { countOpen, exposureOf, riskRefusal } from './holding.ts';
import { begin } from './orders.ts';
import type { Market, Order, State } from './state.ts';
import { newOrder } from './state.ts';
import type { Command, PlacedOrder } from './types.ts';

type Together = Extract<Command, { type: 'orders.place' }>;

/** What one command may hold everybody else up for. */
const MOST = 200;

export function placeOrders(state: State, c: Together, now: number): Refused | null {
  if (c.orders.length === 0 || c.orders.length > MOST) return refuse('BAD_INPUT', 'orders');
  const orders = readOrders(state, c, now);
  if (isRefused(orders)) return orders;
  const { holding } = orders[0]!;
  // The bound of all sums, before they are changed.
  const unbounded = riskRefusal(holding, holding.exposure, 'orders', orders);
  if (unbounded) return unbounded;
  for (const { runner, code, price, size } of orders) countOpen(holding, runner.index, code, price, size);
  const refused = riskRefusal(holding, exposureOf(holding), 'orders');
  if (refused) {
    for (const { runner, code, price, size } of orders) countOpen(holding, runner.index, code, price, -size);
    return refused;
  }
  for (const [i, order] of orders.entries()) {
    begin(state, order, now, null);
    attach(state, order, c.orders[i]!, now);
  }
  return null;
}

/** The orders, not entered yet, or why one of them may not be placed. */
function readOrders(state: State, c: Together, now: number): Order[] | Refused {
  const read: Order[] = [];
  let attached = 0;
  for (const [i, one] of c.orders.entries()) {
    const placing = { betId: c.betId + i, accountId: c.accountId, marketId: c.marketId, runnerId: one.runnerId };
    const versioned = c.marketVersion === undefined ? placing : { ...placing, marketVersion: c.marketVersion };
    const place = checkPlace(state, versioned, true, -i);
    if (isRefused(place)) return place.field === 'runnerId' ? at(i, place) : place;
    const { market, runner } = place;
    const bad = wrongIn(market, one);
    if (bad) return at(i, bad);
    const { side, price, sizeMinor: size, persistence, minFillMinor: least = 0 } = one;
    const holding = read[0]?.holding ?? place.holding;
    const order = newOrder(placing.betId, holding, runner, side, price, size, persistence, now, least, null);
    const unfair = checkProfit(order.code, size * (price - 100), 'sizeMinor');
    if (unfair) return at(i, unfair);
    const unattached = attachRefusal(state, place, one, attached);
    if (unattached) return at(i, unattached);
    attached += countAttached(one);
    read.push(order);
  }
  return read;
}

function wrongIn(
  market: Market,
  { side, persistence, price, sizeMinor, minFillMinor = 0 }: PlacedOrder,
): Refused | null {
  if (side !== 'BACK' && side !== 'LAY') return refuse('PRICE_INVALID', 'side');
  if (!isPersistence(persistence)) return refuse('WRONG_KIND', 'persistence');
  if (!Number.isSafeInteger(price) || tickIndex(price) < 0) return refuse('PRICE_INVALID', 'price');
  const bad = checkStake(market, sizeMinor, 'sizeMinor');
  if (bad) return bad;
  const isLeast = minFillMinor === 0 || (isAmount(minFillMinor) && minFillMinor <= sizeMinor);
  return isLeast ? null : refuse('STAKE_INVALID', 'minFillMinor');
}

function at(order: number, refused: Refused): Refused {
  return refused.field === undefined ? refused : { ...refused, field: `orders.${order}.${refused.field}` };
}
