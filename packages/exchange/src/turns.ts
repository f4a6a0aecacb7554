/** Account after account has its turn, over several commands (slices.ts): who is next, and how much a command may still do. */
import type { Holding, Market, Work, WorkIndex } from './state.ts';
import type { AccountId } from './types.ts';

/** Accounts or bets that are only looked at cost a unit together: a unit is about a bet that is changed and written. */
export const LOOKED_AT = 64;

/** What is left of the units of a command. */
export interface Budget {
  units: number;
}

/** The accounts with bets in a market, smallest id first. */
export function idsOf(market: Market): Float64Array {
  return Float64Array.from(market.holdings.keys()).sort();
}

export function indexOf(market: Market, work: Work): WorkIndex {
  work.index ??= { ids: idsOf(market), holdsByCreditor: null, debtors: null, fields: null };
  return work.index;
}

/**
 * Gives the accounts their turn from where the work stands, while there are units; `turn` says what it used.
 * @returns whether all had it.
 */
export function each(
  market: Market,
  work: Work,
  budget: Budget,
  turn: (id: AccountId, holding: Holding) => number,
): boolean {
  const { ids } = indexOf(market, work);
  for (; work.at < ids.length; work.at++) {
    if (budget.units <= 0) return false;
    const id = ids[work.at]!;
    budget.units -= turn(id, market.holdings.get(id)!);
  }
  work.at = 0;
  return true;
}

/** Whether the turn of an account of the market is still to come. */
export function isToCome(market: Market, work: Work, accountId: AccountId): boolean {
  const { ids } = indexOf(market, work);
  return work.at < ids.length && accountId >= ids[work.at]! && market.holdings.has(accountId);
}
