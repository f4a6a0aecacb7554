/**
 * What a command did to many, told over several commands. Everything is done by the command itself, money above all; what
 * takes long is to write it down and to tell it. So an account is told wholly, its bets and its wallet together, or not at
 * all yet, and its market is SETTLING until everybody has been (slices.ts).
 */
import { openWork } from './pending.ts';
import type { Account, Market, State, Work } from './state.ts';
import { SMALL_WORK } from './state.ts';
import type { AccountId, BetId, Command } from './types.ts';
import { put, touchAccount } from './work.ts';

type Telling = Extract<Command, { type: 'runner.remove' | 'runner.reinstate' | 'bets.void' }>;

/** To be called when a command has done all that it does to a market: leaves what is too much to be told to `work`. */
export function tellInSlices(state: State, market: Market, { type, units = SMALL_WORK }: Telling): void {
  const { touchedOrders, touchedHoldings } = state;
  if (touchedOrders.count + touchedHoldings.count <= units) return;
  const untold = new Map<AccountId, BetId[]>();
  for (let i = 0; i < touchedHoldings.count; i++) untold.set(touchedHoldings.items[i]!.account.id, []);
  for (let i = 0; i < touchedOrders.count; i++) {
    const { id, holding } = touchedOrders.items[i]!;
    untold.get(holding.account.id)!.push(id);
  }
  const { status, reason } = market;
  const after = { status, reason };
  state.later = openWork(state, market, { type, phase: 'lapse', reason: 'Bets are brought up to date', untold, after });
}

/** Tells the next accounts, one at least. @returns how many units are left. */
export function tell(state: State, { untold }: Work, units: number): number {
  let left = units;
  for (const [accountId, betIds] of untold) {
    if (left <= 0) break;
    touchAccount(state, state.accounts.get(accountId)!);
    tellBets(state, untold, accountId);
    left -= 1 + betIds.length;
  }
  return Math.max(0, left);
}

/** Whether what the command at work did to an account is told later. */
export function isLater({ later }: State, account: Account): boolean {
  return later?.untold.has(account.id) ?? false;
}

/** Whether the account's wallet and bets were told as they stand. */
export function isTold({ pending }: State, accountId: AccountId): boolean {
  return pending.every((work) => !work.untold.has(accountId));
}

/** Whom the command touched is told wholly, whatever of him was left for later: before the end of every command. */
export function catchUp(state: State): void {
  if (state.pending.every(({ untold }) => untold.size === 0)) return;
  const { touchedOrders, touchedAccounts } = state;
  for (let i = 0; i < touchedOrders.count; i++) {
    const { account } = touchedOrders.items[i]!.holding;
    if (!isLater(state, account) && !isTold(state, account.id)) touchAccount(state, account);
  }
  for (let i = 0; i < touchedAccounts.count; i++) {
    const account = touchedAccounts.items[i]!;
    // Only what an account's bets may cost waits; money that moved does not.
    const isMoved = account.balance !== account.toldBalance || account.held !== account.toldHeld;
    if (isLater(state, account) && !isMoved) continue;
    for (const { untold } of state.pending) tellBets(state, untold, account.id);
  }
}

/** Their versions rose with what changed them. */
function tellBets(state: State, untold: Work['untold'], accountId: AccountId): void {
  for (const betId of untold.get(accountId) ?? []) {
    const order = state.orders.get(betId)!;
    if (order.touched) continue;
    order.touched = true;
    put(state.touchedOrders, order);
  }
  untold.delete(accountId);
}
