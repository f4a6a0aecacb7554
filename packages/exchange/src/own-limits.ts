/**
 * A player's own limits on stakes, as the core keeps them: for the bets that it places itself. Those that a player sends are
 * judged before they come here.
 */
import type { Refused } from './guard.ts';
import { assert, isAmount, isCount, refuse } from './guard.ts';
import { MAX_BALANCE } from './ledger.ts';
import type { Account, Order, State } from './state.ts';
import type { AccountId, Command } from './types.ts';
import { markDirty } from './work.ts';

type Restrict = Extract<Command, { type: 'account.restrict' }>;

/** Looks only. */
export function checkOwnLimits(account: Account, { stakeLimitMinor, wager }: Restrict): Refused | null {
  if (stakeLimitMinor !== undefined && !isAmount(stakeLimitMinor)) return refuse('AMOUNT_INVALID', 'stakeLimitMinor');
  if (wager === undefined) return null;
  const { leftMinor, from, stakes, asideMinor, keepsAside } = wager;
  if (!Number.isSafeInteger(leftMinor) || Math.abs(leftMinor) > MAX_BALANCE)
    return refuse('AMOUNT_INVALID', 'wager.leftMinor');
  if (!isCount(from)) return refuse('AMOUNT_INVALID', 'wager.from');
  if (asideMinor !== undefined && !isAmount(asideMinor)) return refuse('AMOUNT_INVALID', 'wager.asideMinor');
  if (keepsAside !== undefined && (keepsAside !== true || asideMinor !== undefined))
    return refuse('WRONG_KIND', 'wager.keepsAside');
  if (stakes !== undefined && stakes !== account.stakes) return refuse('BALANCE_MOVED', 'wager.stakes');
  return null;
}

export function setOwnLimits(account: Account, { stakeLimitMinor, wager }: Restrict): void {
  account.stakeLimit = stakeLimitMinor ?? 0;
  const kept = wager?.keepsAside ? (account.wager?.aside ?? 0) : 0;
  account.wager = wager ? { left: wager.leftMinor - kept, from: wager.from, aside: wager.asideMinor ?? kept } : null;
}

/** The bet that it was set aside for is placed, and counted. */
export function giveBackAside(state: State, accountId: AccountId): void {
  const account = state.accounts.get(accountId);
  if (!account?.wager || account.wager.aside === 0) return;
  account.wager.left += account.wager.aside;
  account.wager.aside = 0;
  markDirty(state, account);
}

/** Why a bet of this stake may not be placed for the account. */
export function ownLimitRefusal({ stakeLimit, wager }: Account, stakeMinor: number): Refused | null {
  if (stakeLimit > 0 && stakeMinor > stakeLimit) return refuse('STAKE_LIMIT', 'sizeMinor');
  if (wager !== null && stakeMinor > wager.left) return refuse('WAGER_LIMIT', 'sizeMinor');
  return null;
}

/** A stake of an account, of so long ago; below 0: so much of it was none (cancelled, lapsed, taken back). */
export function countStake(state: State, account: Account, byMinor: number, placedAt: number): void {
  if (byMinor > 0) account.stakes++;
  const { wager } = account;
  if (wager !== null && placedAt >= wager.from) {
    wager.left -= byMinor;
    assert(Number.isSafeInteger(wager.left), 'INV-07', `what account ${account.id} may stake`);
  }
  markDirty(state, account);
}

/** The same of a bet. */
export function countStakeOf(state: State, { holding, placedAt }: Order, byMinor: number): void {
  countStake(state, holding.account, byMinor, placedAt);
}
