/**
 * Several bets of an account in one market as one: cash out, and every other way to close a position over more than one
 * runner (exchange reference 10). They are judged by what they leave together, so that a player whose whole balance stands
 * in the position can still leave it. All are taken whole or none is; own waiting orders are never on the other side.
 */
import { tickIndex } from '@fairgame/contract';
import { availableOf } from './available.ts';
import { volume } from './book.ts';
import { checkPlace, checkProfit, checkStake } from './checks.ts';
import { endOwn } from './conditionals.ts';
import type { Refused } from './guard.ts';
import { assert, isRefused, refuse } from './guard.ts';
import {
  countOpen,
  countTake,
  endRemaining,
  exposureOf,
  exposureWith,
  exposureWithout,
  partHedge,
  riskRefusal,
} from './holding.ts';
import { houseRefusal, houseWorst, isBounded } from './house-limit.ts';
import { restingOf } from './live.ts';
import { addOrder, execute } from './orders.ts';
import type { Holding, Market, Order, State } from './state.ts';
import { enterHolding, newOrder } from './state.ts';
import { isLeft, isTakeable, prepareTake, takeWhole } from './takes.ts';
import type { Command } from './types.ts';
import { touchHolding, touchOrder } from './work.ts';

type Hedge = Extract<Command, { type: 'bets.hedge' }>;

/** Runners of the largest field (definition.ts). */
const MAX_LEGS = 200;

export function placeHedge(state: State, c: Hedge, now: number): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (!market.isBook && market.def.kind !== 'bookmaker') return refuse('WRONG_KIND', 'marketId');
  const runners = new Set(c.legs.map((leg) => leg.runnerId));
  if (c.legs.length === 0 || c.legs.length > MAX_LEGS || runners.size < c.legs.length)
    return refuse('BAD_INPUT', 'legs');
  const own = market.holdings.get(c.accountId);
  const waiting = c.cancel && own ? restingOf(own.live) : [];
  const legs = readLegs(state, market, c, waiting.filter((order) => order.matched === 0).length, now);
  if (isRefused(legs)) return legs;
  const { holding } = legs[0]!;
  if (holding.hedge !== null) return refuse('HEDGE_WAITING');
  const delayed = market.inPlay && market.betDelayMs > 0;
  const refused =
    judge(holding, waiting, legs, delayed) ??
    (delayed ? null : unfilled(legs, c.cancel)) ??
    (market.isBook ? null : beyondHouse(state, market, legs));
  if (refused) return refused;

  for (const order of waiting) endRemaining(state, order, 'CANCELLED');
  if (c.cancel) endOwn(state, holding.account, 'CANCELLED', market.id);
  if (holding.orders.length === 0) enterHolding(holding);
  for (const leg of legs) addOrder(state, leg);
  holding.hedge = legs;
  touchHolding(state, holding);
  if (!delayed) {
    takeLegs(state, holding);
    return null;
  }
  for (const leg of legs) {
    leg.dueAt = now + market.betDelayMs;
    state.waiting.add(leg);
    touchOrder(state, leg);
  }
  return null;
}

/**
 * A group whose delay is over: looked at again, then it goes whole or not at all. While it waits the house has not counted it, so
 * that is looked at, too.
 */
export function releaseHedge(state: State, holding: Holding): void {
  const legs = holding.hedge!;
  const { account } = holding;
  const [first] = legs;
  if (account.betBlocked) {
    endRemaining(state, first!, 'CANCELLED', 'The account was restricted meanwhile');
    return;
  }
  if (availableOf(account) < 0 && exposureWithout(first!) < exposureOf(holding)) {
    endRemaining(state, first!, 'CANCELLED', 'Not enough balance any more');
    return;
  }
  const { terms } = first!;
  const beyond = holding.market.isBook ? null : beyondHouse(state, holding.market, legs);
  if (beyond === null && unfilled(legs, false) === null) takeLegs(state, holding);
  else if (terms === null) endRemaining(state, first!, 'KILLED');
  else endRemaining(state, first!, 'LAPSED_PRICE', 'The price changed during the delay');
}

/** The bets of the group, not entered yet, or why one of them may not be placed. */
function readLegs(state: State, market: Market, c: Hedge, leaving: number, now: number): Order[] | Refused {
  const legs: Order[] = [];
  for (const [i, leg] of c.legs.entries()) {
    const placing = { betId: c.betId + i, accountId: c.accountId, marketId: c.marketId, runnerId: leg.runnerId };
    const versioned = c.marketVersion === undefined ? placing : { ...placing, marketVersion: c.marketVersion };
    const place = checkPlace(state, versioned, market.isBook, leaving - i);
    if (isRefused(place)) return place.field === 'runnerId' ? at(i, place) : place;
    const { holding, runner } = legs[0] === undefined ? place : { ...place, holding: legs[0].holding };
    if (!market.isBook) {
      const order = prepareTake({ ...place, holding }, { ...leg, ...placing, stakeMinor: leg.sizeMinor }, now);
      if (isRefused(order)) return at(i, order.field === 'stakeMinor' ? { ...order, field: 'sizeMinor' } : order);
      legs.push(order);
      continue;
    }
    if (leg.side !== 'BACK' && leg.side !== 'LAY') return at(i, refuse('PRICE_INVALID', 'side'));
    const tick = Number.isSafeInteger(leg.price) ? tickIndex(leg.price) : -1;
    if (tick < 0) return at(i, refuse('PRICE_INVALID', 'price'));
    const bad = checkStake(market, leg.sizeMinor, 'sizeMinor');
    if (bad) return at(i, bad);
    const { price, sizeMinor: size, side } = leg;
    const order = newOrder(placing.betId, holding, runner, side, price, size, 'LAPSE', now, size, null);
    const unfair = checkProfit(order.code, size * (price - 100), 'sizeMinor');
    if (unfair) return at(i, unfair);
    legs.push(order);
  }
  return legs;
}

function at(leg: number, refused: Refused): Refused {
  return refused.field === undefined ? refused : { ...refused, field: `legs.${leg}.${refused.field}` };
}

/** Whether the group may stand once the waiting orders are gone. Leaves every sum as it was. */
function judge(holding: Holding, waiting: readonly Order[], legs: readonly Order[], delayed: boolean): Refused | null {
  for (const { runner, code, price, remaining } of waiting) countOpen(holding, runner.index, code, price, -remaining);
  const together = exposureWith(holding, legs);
  const exposure = delayed ? Math.max(together, exposureOf(holding)) : together;
  const refused = riskRefusal(holding, exposure, 'legs', legs);
  for (const { runner, code, price, remaining } of waiting) countOpen(holding, runner.index, code, price, remaining);
  return refused;
}

/** Null when every bet of the group can be taken whole this moment. */
function unfilled(legs: readonly Order[], without: boolean): Refused | null {
  for (const leg of legs) {
    if (leg.terms !== null) {
      if (!isTakeable(leg) || !isLeft(leg)) return refuse('NOT_FILLED');
      continue;
    }
    const { runner, code, price, remaining, holding } = leg;
    const found = volume(runner.book, code, tickIndex(price), holding.account.id, remaining, without);
    if (found < remaining) return refuse('NOT_FILLED');
  }
  return null;
}

/** Whether the house may take all of it. Leaves every sum as it was. */
function beyondHouse(state: State, market: Market, legs: readonly Order[]): Refused | null {
  if (!isBounded(state)) return null;
  const before = houseWorst(market);
  for (const leg of legs) countTake(leg, 1);
  const refused = houseRefusal(state, market, before);
  for (const leg of legs) countTake(leg, -1);
  return refused;
}

function takeLegs(state: State, holding: Holding): void {
  const legs = holding.hedge!;
  partHedge(holding);
  for (const leg of legs) {
    if (leg.terms === null) execute(state, leg);
    else takeWhole(state, leg);
    assert(leg.matched === leg.size, 'INV-13', 'a group of bets was taken in part');
  }
}
