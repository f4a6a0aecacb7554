/**
 * What the house may lose at worst, in a market and over the markets of an event: bounds of the whole site, set by command.
 * A bet that would take it further is refused; in a book the house's own ladder is left out instead, so that players still
 * meet each other. Over an event the ladders of its other books count as if they were matched. What already is beyond a bound (a
 * lower bound was set) stays, but no ladder that could add to it.
 */
import { TICKS } from '@fairgame/contract';
import { LEVELS } from './book.ts';
import { heldMinor, OPEN_LIABILITY, OPEN_STAKE, SUMS, worstE4 } from './exposure.ts';
import type { Refused } from './guard.ts';
import { refuse } from './guard.ts';
import { priceOf } from './orders.ts';
import type { Market, State } from './state.ts';
import { zeros } from './zeros.ts';

/** What the house may lose in a market by the bets it took, minor units. */
export function houseWorst({ house, active, def, status }: Market): number {
  if (status === 'CLOSED') return 0;
  return house.sheet === null ? heldMinor(worstE4(house.sums, active, def.winners)) : house.sheet.worst();
}

/** Whether a bet that is counted already took the house from `before` beyond a bound. */
export function houseRefusal(state: State, market: Market, before: number): Refused | null {
  return isBeyond(state, market, before, houseWorst(market)) ? refuse('HOUSE_LIMIT') : null;
}

/** Whether a book's ladder as wanted for one runner, all of it matched with what else rests there, keeps the bounds. */
export function mayOffer(state: State, market: Market, runner: number, wanted: Float64Array): boolean {
  if (!isBounded(state)) return true;
  return !isBeyond(state, market, houseWorst(market), worstWith(market, offeredBy(market, runner, wanted)));
}

/** Whether the ladder as it stands is beyond the bounds: they were lowered. */
export function offersTooMuch(state: State, market: Market): boolean {
  return market.isBook && isBeyond(state, market, houseWorst(market), houseReach(market));
}

/** What the house may lose in a market by the bets it took and by all that it offers in its books. */
function houseReach(market: Market): number {
  if (!market.isBook || market.status === 'CLOSED') return houseWorst(market);
  market.offered ??= offeredBy(market);
  return worstWith(market, market.offered);
}

function worstWith({ house, active, def }: Market, offered: readonly number[]): number {
  const sums = house.sums.slice();
  for (let i = 0; i < sums.length; i++) sums[i]! += offered[i]!;
  return heldMinor(worstE4(sums, active, def.winners));
}

/** Sums of the house's ladders, unmatched; of one runner of the ladder that is wanted. */
function offeredBy({ runners }: Market, runner = -1, wanted?: Float64Array): number[] {
  const sums = zeros(SUMS * runners.length);
  for (const { index, house, book } of runners) {
    const at = SUMS * index;
    for (let level = 0; level < LEVELS; level++) {
      const size = index === runner ? wanted![level]! : house[level] === 0 ? 0 : book.pool.size[house[level]!]!;
      if (size === 0) continue;
      if (level < TICKS) sums[at + OPEN_STAKE]! += size * 100;
      else sums[at + OPEN_LIABILITY]! += size * (priceOf(level) - 100);
    }
  }
  return sums;
}

export function isBounded({ houseLimits }: State): boolean {
  return houseLimits.marketMinor > 0 || houseLimits.eventMinor > 0;
}

function isBeyond(state: State, market: Market, before: number, after: number): boolean {
  const { marketMinor, eventMinor } = state.houseLimits;
  if (after <= before) return false;
  if (marketMinor > 0 && after > marketMinor) return true;
  if (eventMinor === 0) return false;
  let others = 0;
  for (const other of state.events.get(market.def.eventId) ?? []) if (other !== market) others += houseReach(other);
  return others + after > eventMinor;
}
