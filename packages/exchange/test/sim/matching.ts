/**
 * The naive book: waiting orders of a market in one array in order of arrival; whoever is best is found by looking at
 * all of them. Also the life of a bet: how a remainder ends, and how a bet looks when it does.
 */

import type { EndCode, Side } from '../../src/types.ts';
import { HOUSE } from '../../src/types.ts';
import type { Fate } from './conditionals.ts';
import type { Fill, Market, ModelBet, Waiting, World } from './world.ts';

/** Fills of one command, as the events should tell them. */
export interface Told {
  fills: Array<Fill & { taker: Side; marketId: number }>;
  /** What becomes of conditional orders: conditionals.ts. */
  fates?: Fate[];
}

/** Waiting orders an incoming one would take, best first: price, then arrival. */
export function opposite(market: Market, runnerId: number, side: Side, limit: number): Waiting[] {
  const fits = (price: number) => (side === 'BACK' ? price >= limit : price <= limit);
  const found = market.queue.filter((one) => one.runnerId === runnerId && one.side !== side && fits(one.price));
  const better = side === 'BACK' ? -1 : 1;
  // Array.prototype.sort is stable, so arrival order stays within a price.
  return found.sort((a, b) => better * (a.price - b.price));
}

/** How much of an order would match at once, up to the first order of the same account. */
export function fillable(market: Market, runnerId: number, side: Side, limit: number, accountId: number): number {
  let sum = 0;
  for (const one of opposite(market, runnerId, side, limit)) {
    if (one.accountId === accountId) break;
    sum += one.size;
  }
  return sum;
}

/** Takes what fits; @returns what is left and whether an order of the same account stood in the way. */
export function match(
  world: World,
  market: Market,
  taker: { betId: number; accountId: number; runnerId: number; side: Side; price: number; size: number },
  told: Told,
): { left: number; blocked: boolean } {
  let left = taker.size;
  let blocked = false;
  for (const maker of opposite(market, taker.runnerId, taker.side, taker.price)) {
    if (left === 0) break;
    if (maker.accountId === taker.accountId) {
      blocked = true;
      break;
    }
    const size = Math.min(left, maker.size);
    left -= size;
    maker.size -= size;
    const fill: Fill = {
      id: ++world.lastFillId,
      runnerId: taker.runnerId,
      was: maker.price,
      price: maker.price,
      size,
      back: taker.side === 'BACK' ? taker.betId : maker.betId,
      lay: taker.side === 'BACK' ? maker.betId : taker.betId,
      gone: false,
      withRunner: false,
    };
    market.fills.push(fill);
    told.fills.push({ ...fill, taker: taker.side, marketId: market.id });
    for (const betId of [fill.back, fill.lay]) {
      const bet = market.bets.find((one) => one.betId === betId);
      if (!bet) continue;
      bet.matchedMinor += size;
      bet.remainingMinor -= size;
      bet.matchedSum += fill.price * size;
      if (bet.remainingMinor === 0) bet.status = 'COMPLETE';
    }
  }
  market.queue = market.queue.filter((one) => one.size > 0);
  return { left, blocked };
}

/** An accepted order goes to the book: killed, matched, ended or waiting. */
export function execute(world: World, market: Market, bet: ModelBet, told: Told): void {
  bet.status = 'EXECUTABLE';
  bet.dueAt = 0;
  if (bet.minFill > 0 && fillable(market, bet.runnerId, bet.side, bet.price, bet.accountId) < bet.minFill) {
    end(market, bet, 'KILLED');
    return;
  }
  const { blocked } = match(world, market, { ...bet, size: bet.remainingMinor }, told);
  if (bet.remainingMinor === 0) return;
  if (blocked) end(market, bet, 'SELF_MATCH');
  else if (bet.minFill > 0) end(market, bet, 'KILLED');
  else {
    const { betId, accountId, runnerId, side, price, remainingMinor: size } = bet;
    market.queue.push({ betId, accountId, runnerId, side, price, size });
  }
}

/** Ends what is left of a bet. A bet without any match has no result to wait for. */
export function end(market: Market, bet: ModelBet, code: EndCode, reason?: string): void {
  const { group } = bet;
  if (group !== undefined && bet.status === 'PENDING') {
    // Together or not at all.
    for (const other of market.bets.filter((one) => one.group === group)) {
      delete other.group;
      if (other !== bet) end(market, other, code === 'VOIDED' ? 'CANCELLED' : code, reason);
    }
  }
  market.queue = market.queue.filter((one) => one.betId !== bet.betId || one.accountId === HOUSE);
  endOne(bet, code, reason);
  const was = market.turns?.before.find((one) => one.betId === bet.betId);
  if (was) endOne(was, code, reason);
}

function endOne(bet: ModelBet, code: EndCode, reason?: string): void {
  const left = bet.remainingMinor;
  bet.remainingMinor = 0;
  if (code === 'VOIDED') bet.voidedMinor += left;
  else if (code.startsWith('LAPSED')) bet.lapsedMinor += left;
  else bet.cancelledMinor += left;
  bet.status = 'COMPLETE';
  bet.dueAt = 0;
  bet.endCode = code;
  if (reason !== undefined) bet.reason = reason;
  if (bet.matchedMinor === 0) bet.result = code === 'VOIDED' ? 'UNDECLARE' : 'VOID';
}

/** The house's whole wish for one runner: see `perform`. */
export function levelsOf(market: Market, runnerId: number): Map<string, number> {
  const levels = new Map<string, number>();
  for (const one of market.queue) {
    if (one.runnerId !== runnerId) continue;
    const key = `${one.side}@${one.price}`;
    levels.set(key, (levels.get(key) ?? 0) + one.size);
  }
  return levels;
}

/** The prices of the house go. */
export function dropHouse(market: Market): void {
  market.queue = market.queue.filter((one) => one.accountId !== HOUSE);
}
