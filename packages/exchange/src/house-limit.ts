/**
 * What the house may lose at worst, in a market and over the markets of an event: bounds of the whole site, set by command.
 * A bet that would take it further is refused; in a book the house's own ladder is left out instead, so that players still
 * meet each other. What already is beyond a bound (a lower bound was set) stays.
 */
import { TICKS } from '@fairgame/contract';
import { BACK, LAY, LEVELS } from './book.ts';
import { heldMinor, worstE4 } from './exposure.ts';
import type { Refused } from './guard.ts';
import { isCount, refuse } from './guard.ts';
import { countOpen } from './holding.ts';
import { priceOf } from './orders.ts';
import type { Market, State } from './state.ts';
import type { Command } from './types.ts';

export function setHouseLimits(state: State, c: Extract<Command, { type: 'house.limits' }>): Refused | null {
  if (!isCount(c.marketMinor)) return refuse('AMOUNT_INVALID', 'marketMinor');
  if (!isCount(c.eventMinor)) return refuse('AMOUNT_INVALID', 'eventMinor');
  state.houseLimits = { marketMinor: c.marketMinor, eventMinor: c.eventMinor };
  return null;
}

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
  const before = houseWorst(market);
  const count = (sign: 1 | -1) => {
    for (const { index, house, book } of market.runners) {
      for (let level = 0; level < LEVELS; level++) {
        const size = index === runner ? wanted[level]! : house[level] === 0 ? 0 : book.pool.size[house[level]!]!;
        if (size > 0) countOpen(market.house, index, level < TICKS ? BACK : LAY, priceOf(level), sign * size);
      }
    }
  };
  count(1);
  const after = houseWorst(market);
  count(-1);
  return !isBeyond(state, market, before, after);
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
  for (const other of state.events.get(market.def.eventId) ?? []) if (other !== market) others += houseWorst(other);
  return others + after > eventMinor;
}
