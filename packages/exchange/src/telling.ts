/**
 * What a command did to many (bets.void), told over several commands. Everything is done by the command itself, money above all; what
 * takes long is to write it down and to tell it. So account by account is told, its bets and its wallet together, and the
 * market is SETTLING until everybody has been (slices.ts).
 */
import { openWork } from './pending.ts';
import type { Account, Market, State, Work } from './state.ts';
import { SMALL_WORK } from './state.ts';
import { isToCome } from './turns.ts';
import type { AccountId, BetId, Command } from './types.ts';
import { append, touchAccount } from './work.ts';

type Telling = Extract<Command, { type: 'bets.void' }>;

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
    // Their versions rose with what changed them.
    for (const betId of betIds) {
      const order = state.orders.get(betId)!;
      order.touched = true;
      append(state.touchedOrders, order);
    }
    untold.delete(accountId);
    left -= 1 + betIds.length;
  }
  return Math.max(0, left);
}

/** Whether what the command at work did to an account is told later. */
export function isLater({ later }: State, account: Account): boolean {
  return later?.untold.has(account.id) ?? false;
}

/** Whether all that an account has was told as it stands. */
export function isTold({ markets, pending }: State, accountId: AccountId): boolean {
  return pending.every((work) =>
    work.phase === 'turns' ? !isToCome(markets.get(work.marketId)!, work, accountId) : !work.untold.has(accountId),
  );
}

/** Before the end of every command: what it tells itself is not told once more later. */
export function tellOnce(state: State): void {
  const { pending, later, touchedOrders, touchedAccounts } = state;
  if (pending.every(({ untold }) => untold.size === 0)) return;
  for (let i = 0; later !== null && i < touchedAccounts.count; i++) {
    const { id, balance, toldBalance, held, toldHeld } = touchedAccounts.items[i]!;
    // Only what an account's bets may cost waits; money that moved does not.
    if (balance !== toldBalance || held !== toldHeld) later.untold.delete(id);
  }
  for (let i = 0; i < touchedOrders.count; i++) {
    const { id, holding } = touchedOrders.items[i]!;
    if (isLater(state, holding.account)) continue;
    const betIds = pending.find((work) => work.marketId === holding.market.id)?.untold.get(holding.account.id);
    if (betIds?.includes(id)) betIds.splice(betIds.indexOf(id), 1);
  }
}
