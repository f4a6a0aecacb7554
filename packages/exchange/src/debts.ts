/**
 * What a short account owes (exchange reference 7, rule 2). An account may be left with less than nothing by what it did
 * not do itself: a second removal, a reinstatement, a result taken back, somebody else's bet taken out. Of what it then
 * loses in such a market the part it has no money for is a debt: that much of what the others win there is held back from
 * them until money comes, or an operator decides. So nothing that a short account owes is paid out.
 */
import { availableOf } from './available.ts';
import type { Refused } from './guard.ts';
import { isAmount, refuse } from './guard.ts';
import { accountOf, post } from './ledger.ts';
import { shareOut } from './share-out.ts';
import type { Account, Debt, Market, State } from './state.ts';
import type { AccountId, Command, HoldView } from './types.ts';
import { HOUSE } from './types.ts';
import { append, touchAccount } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** An account that won in a market, and how much of that may yet be held back: its net less commission at first. */
export interface Winner {
  account: Account;
  free: number;
}

/** What is to be held back of `creditorId`'s winnings in a market for what `debtorId` lost there. */
export interface PlannedHold {
  creditorId: AccountId;
  debtorId: AccountId;
  amountMinor: number;
}

/**
 * Who is to wait for what `debtor` owes in a market: those who won it from him as far as that goes (`from`, by account),
 * then all winners, each in proportion. What is planned is taken off what is free of the winners.
 */
export function planHolds(
  debtor: Account,
  owed: number,
  winners: readonly Winner[],
  from: ReadonlyMap<AccountId, number>,
): PlannedHold[] {
  const holds = new Map<AccountId, number>();
  const direct = winners.map(({ account, free }) => Math.max(0, Math.min(free, from.get(account.id) ?? 0)));
  const left = owed - spread(holds, winners, direct, owed);
  spread(
    holds,
    winners,
    winners.map((one) => one.free),
    left,
  );
  return [...holds].map(([creditorId, amountMinor]) => ({ creditorId, debtorId: debtor.id, amountMinor }));
}

/**
 * Holds back what was planned, less what the debtor has found money for since; nothing once he had enough for a moment, or an
 * operator released what he owes here. The creditor has his winnings by now.
 */
export function holdBack(state: State, market: Market, { creditorId, debtorId, amountMinor }: PlannedHold): void {
  const creditor = accountOf(state, creditorId);
  const debtor = accountOf(state, debtorId);
  if (!debtor.short.has(market.id)) return;
  const amount = Math.min(amountMinor, -availableOf(debtor) - owedBy(debtor));
  if (amount <= 0) return;
  let debt = debtor.debts.find((one) => one.marketId === market.id);
  if (debt === undefined) {
    debt = { marketId: market.id, debtor, holds: new Map() };
    debtor.debts.push(debt);
  }
  debt.holds.set(creditorId, (debt.holds.get(creditorId) ?? 0) + amount);
  creditor.held += amount;
  touchAccount(state, debtor);
  touchAccount(state, creditor);
  tell(state, debt, creditorId);
}

/** The accounts of whose losses in a market something is held back. */
export function debtorsIn(market: Market): Account[] {
  const accounts = [...market.holdings.values()].map((holding) => holding.account);
  return accounts.filter(({ debts }) => debts.some((debt) => debt.marketId === market.id));
}

/** Lets go of what `debtors` owe of one account's winnings in a market: they are taken back. */
export function dissolveHoldsOf(state: State, market: Market, creditor: Account, debtors: readonly Account[]): void {
  if (creditor.held === 0) return;
  for (const { debts } of debtors) {
    const debt = debts.find((one) => one.marketId === market.id);
    const amount = debt?.holds.get(creditor.id);
    if (debt !== undefined && amount !== undefined) letGo(state, debt, creditor.id, amount);
  }
}

/** Lets go of everything that is held back in a market: its result is taken back or booked anew. */
export function dissolveDebts(state: State, market: Market): void {
  for (const holding of market.holdings.values()) {
    for (const debt of holding.account.debts.slice()) {
      if (debt.marketId === market.id) for (const [id, amount] of debt.holds) letGo(state, debt, id, amount);
    }
  }
}

/**
 * Releases what has been covered: whatever an account owes beyond what it lacks. What is released may cover what others owe
 * in turn. Called at the end of every command for the accounts it touched; touches more of them.
 */
export function releaseCovered(state: State): void {
  const { touchedAccounts } = state;
  for (let i = 0; i < touchedAccounts.count; i++) {
    const account = touchedAccounts.items[i]!;
    if (account.short.size > 0 && availableOf(account) >= 0) account.short.clear();
    if (account.debts.length === 0) continue;
    let covered = owedBy(account) - Math.max(0, -availableOf(account));
    for (const debt of account.debts.slice()) {
      if (covered <= 0) break;
      const ids = [...debt.holds.keys()];
      const amounts = [...debt.holds.values()];
      const release = Math.min(covered, sum(amounts));
      covered -= release;
      shareOut(release, amounts).forEach((amount, at) => {
        if (amount > 0) letGo(state, debt, ids[at]!, amount);
      });
    }
  }
}

/** Pays out what is held back although it was not covered: the site takes the risk of the debt. */
export function releaseHold(state: State, c: Of<'hold.release'>): Refused | null {
  const found = findDebts(state, c);
  if (!Array.isArray(found)) return found;
  for (const debt of found) {
    for (const [id, amount] of debt.holds) letGo(state, debt, id, amount);
    debt.debtor.short.delete(debt.marketId);
    touchAccount(state, debt.debtor);
  }
  return null;
}

/** The site covers what an account owes; with it everything that was held back for it is released. */
export function writeOff(state: State, c: Of<'debt.writeOff'>): Refused | null {
  const account = state.accounts.get(c.accountId);
  if (account === undefined || account.kind !== 'player') return refuse('ACCOUNT_UNKNOWN', 'accountId');
  const lacking = -availableOf(account);
  if (!isAmount(c.amountMinor) || c.amountMinor > lacking) return refuse('AMOUNT_INVALID', 'amountMinor');
  if (account.lossFloor !== null) account.lossFloor += c.amountMinor;
  post(state, 'writeOff', c.reason, null, [
    [account, c.amountMinor],
    [state.accounts.get(HOUSE)!, -c.amountMinor],
  ]);
  return null;
}

/** Everything that is held back, oldest first within a debtor. */
export function holdsOf(state: State): HoldView[] {
  const views: HoldView[] = [];
  for (const account of state.accounts.values())
    for (const debt of account.debts) for (const id of debt.holds.keys()) views.push(viewOf(debt, id));
  return views;
}

/** What an account owes: the part of its losses for which others' winnings are held back. */
export function owedBy(account: Account): number {
  let owed = 0;
  for (const debt of account.debts) owed += sum([...debt.holds.values()]);
  return owed;
}

function findDebts(state: State, c: Of<'hold.release'>): Debt[] | Refused {
  const account = state.accounts.get(c.accountId);
  if (account === undefined) return refuse('ACCOUNT_UNKNOWN', 'accountId');
  const found = account.debts.filter((debt) => c.marketId === undefined || debt.marketId === c.marketId);
  return found.length > 0 ? found : refuse('NOTHING_HELD', c.marketId === undefined ? 'accountId' : 'marketId');
}

/** Adds to the holds what of `left` the bounds of the winners take. @returns how much that was. */
function spread(
  holds: Map<AccountId, number>,
  winners: readonly Winner[],
  bounds: readonly number[],
  left: number,
): number {
  const total = Math.min(left, sum(bounds));
  if (total <= 0) return 0;
  shareOut(total, bounds).forEach((amount, i) => {
    if (amount === 0) return;
    const winner = winners[i]!;
    winner.free -= amount;
    holds.set(winner.account.id, (holds.get(winner.account.id) ?? 0) + amount);
  });
  return total;
}

function letGo(state: State, debt: Debt, creditorId: AccountId, amount: number): void {
  const creditor = state.accounts.get(creditorId)!;
  const left = debt.holds.get(creditorId)! - amount;
  if (left > 0) debt.holds.set(creditorId, left);
  else debt.holds.delete(creditorId);
  creditor.held -= amount;
  const { debtor } = debt;
  if (debt.holds.size === 0) debtor.debts = debtor.debts.filter((one) => one !== debt);
  touchAccount(state, creditor);
  touchAccount(state, debtor);
  tell(state, debt, creditorId);
}

function tell(state: State, debt: Debt, creditorId: AccountId): void {
  append(state.out, { type: 'hold', hold: viewOf(debt, creditorId) });
}

function viewOf(debt: Debt, creditorId: AccountId): HoldView {
  const { marketId, debtor, holds } = debt;
  return { marketId, debtorId: debtor.id, creditorId, amountMinor: holds.get(creditorId) ?? 0 };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
