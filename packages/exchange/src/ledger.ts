/** Postings. A balance changes here and nowhere else, always together with a ledger event that sums to zero. */

import { availableOf } from './available.ts';
import type { Refused } from './guard.ts';
import { assert, isCount, refuse } from './guard.ts';
import type { Account, Market, State } from './state.ts';
import { MAX_TRANSFER_MINOR } from './state.ts';
import type { AccountId, Command, LedgerKind } from './types.ts';
import { CASH } from './types.ts';
import { append, touchAccount } from './work.ts';

const REASONS = new Set<string>(['deposit', 'withdrawal', 'correction', 'creditReference']);

export function transfer(state: State, c: Extract<Command, { type: 'account.transfer' }>): Refused | null {
  const account = state.accounts.get(c.accountId);
  if (account === undefined || account.id === CASH) return refuse('ACCOUNT_UNKNOWN', 'accountId');
  if (!REASONS.has(c.reason)) return refuse('WRONG_KIND', 'reason');
  const amount = c.amountMinor;
  if (!Number.isSafeInteger(amount) || amount === 0 || !isCount(Math.abs(amount))) {
    return refuse('AMOUNT_INVALID', 'amountMinor');
  }
  if (Math.abs(amount) > MAX_TRANSFER_MINOR || Math.abs(account.balance + amount) > MAX_BALANCE) {
    return refuse('AMOUNT_INVALID', 'amountMinor');
  }
  if (amount < 0 && account.kind === 'player' && availableOf(account) + amount < 0) {
    return refuse('INSUFFICIENT_FUNDS', 'amountMinor');
  }
  if (account.lossFloor !== null) account.lossFloor += amount;
  post(state, c.reason, typeof c.text === 'string' ? c.text : '', null, [
    [account, amount],
    [state.accounts.get(CASH)!, -amount],
  ]);
  return null;
}

/**
 * One ledger event between accounts. With a market, its clearing account takes the other side, so that one entry per
 * account is enough; `clearing` false leaves it out.
 */
export function post(
  state: State,
  kind: LedgerKind,
  text: string,
  market: Market | null,
  entries: Array<[Account, number]>,
  clearing = false,
): void {
  let sum = 0;
  const lines = entries.map(([account, amount]) => {
    account.balance += amount;
    sum += amount;
    assert(Number.isSafeInteger(account.balance), 'INV-07', `balance of account ${account.id}`);
    touchAccount(state, account);
    return { account: `a${account.id}`, amountMinor: amount };
  });
  if (clearing && market !== null) {
    lines.push({ account: `m${market.id}`, amountMinor: -sum || 0 });
    sum = 0;
  }
  assert(sum === 0, 'INV-01', `a ${kind} posting that does not sum to zero`);
  append(
    state.out,
    market === null
      ? { type: 'ledger', kind, text, entries: lines }
      : { type: 'ledger', kind, text, marketId: market.id, resultVersion: market.resultVersion, entries: lines },
  );
}

export function accountOf(state: State, id: AccountId): Account {
  const account = state.accounts.get(id);
  assert(account !== undefined, 'INV-02', `account ${id} is gone`);
  return account;
}

/** Far under 2^53, so that sums of balances stay safe too. */
export const MAX_BALANCE = 1_000_000_000_000_000;
