/** What is looked at before any bet: account, bet id, market, runner, limits (exchange reference 3.7 and 12.6). */

import type { SideCode } from './book.ts';
import { BACK } from './book.ts';
import type { Refused } from './guard.ts';
import { isAmount, refuse } from './guard.ts';
import type { Account, Holding, Market, Runner, State } from './state.ts';
import { MAX_STAKE_MINOR, newHolding } from './state.ts';
import type { Persistence } from './types.ts';

export interface Placing {
  betId: number;
  accountId: number;
  marketId: number;
  runnerId: number;
  marketVersion?: number;
}

/** Where a bet that passed the checks goes. One object, filled anew by each check. */
export interface Place {
  account: Account;
  market: Market;
  runner: Runner;
  /** Not yet entered in the account's and the market's lists when the account has no bet there. */
  holding: Holding;
}

const place = {} as Place;

/**
 * The place of a bet, or the refusal. The object is used again by the next call. `leaving`: how many open bets of the
 * account end in the same step.
 */
export function checkPlace(state: State, c: Placing, book: boolean, leaving = 0): Place | Refused {
  if (!isAmount(c.betId)) return refuse('AMOUNT_INVALID', 'betId');
  if (c.betId <= state.lastBetId) return refuse('DUPLICATE_BET', 'betId');
  const account = state.accounts.get(c.accountId);
  if (account === undefined) return refuse('ACCOUNT_UNKNOWN', 'accountId');
  if (account.betBlocked || account.kind === 'system') return refuse('ACCOUNT_BLOCKED', 'accountId');
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.isBook !== book) return refuse('WRONG_KIND', 'marketId');
  if (market.status === 'SETTLING') return refuse('MARKET_SETTLING', 'marketId');
  if (market.status !== 'OPEN')
    return refuse(market.status === 'CLOSED' ? 'MARKET_CLOSED' : 'MARKET_SUSPENDED', 'marketId');
  if (c.marketVersion !== undefined) {
    const stale = !Number.isSafeInteger(c.marketVersion) || c.marketVersion < market.materialVersion;
    if (stale) return refuse('MARKET_VERSION', 'marketVersion', { version: market.version });
  }
  const runner = market.byId.get(c.runnerId);
  if (runner === undefined) return refuse('RUNNER_UNKNOWN', 'runnerId');
  if (runner.status !== 'ACTIVE') {
    return refuse(runner.status === 'REMOVED' ? 'RUNNER_REMOVED' : 'RUNNER_SUSPENDED', 'runnerId');
  }
  const holding = market.holdings.get(account.id) ?? newHolding(account, market);
  if (market.def.maxBets > 0 && holding.open - leaving >= market.def.maxBets) return refuse('BET_LIMIT');
  place.account = account;
  place.market = market;
  place.runner = runner;
  place.holding = holding;
  return place;
}

/** Null when the stake is a whole amount within the market's limits. */
export function checkStake(market: Market, stakeMinor: number, field: string): Refused | null {
  if (!isAmount(stakeMinor)) return refuse('STAKE_INVALID', field);
  if (stakeMinor < market.minStake) return refuse('STAKE_TOO_SMALL', field);
  if (stakeMinor > market.maxStake || stakeMinor > MAX_STAKE_MINOR) return refuse('STAKE_TOO_LARGE', field);
  return null;
}

/**
 * A prize (exact, in 1/10 000) that rounding against its taker would change by more than a fifth makes another bet of it:
 * a back that wins next to nothing, a lay that risks far more than it says.
 */
export function checkProfit(side: SideCode, prizeE4: number, field: string): Refused | null {
  const rest = prizeE4 % 100;
  const lost = rest === 0 ? 0 : side === BACK ? rest : 100 - rest;
  return lost * 5 > prizeE4 ? refuse('PROFIT_RATIO', field) : null;
}

export function isPersistence(value: unknown): value is Persistence {
  return value === 'LAPSE' || value === 'PERSIST';
}
