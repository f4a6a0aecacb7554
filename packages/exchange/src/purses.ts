/**
 * Money between pools. A pool is a set of events with a core of its own; a player's money is at home, and in a purse in each
 * pool where he bets. A transfer is two commands that sum to zero over both logs: `purse.reserve` where the money leaves and
 * `purse.open` where it comes to, whichever of the two is his home; then `purse.done` says that nobody need ask again.
 *
 * Transfers of an account from one pool to another are numbered from 1 and made one after the other. So a number says for ever
 * what became of its transfer, a repeat however late changes nothing, and nothing has to be remembered but the last number.
 */
import { availableOf } from './available.ts';
import type { Refused } from './guard.ts';
import { isAmount, refuse } from './guard.ts';
import { MAX_BALANCE } from './ledger.ts';
import type { Account, State } from './state.ts';
import { addAccount, MAX_TRANSFER_MINOR } from './state.ts';
import type { AccountId, Command, PurseView } from './types.ts';
import { FIRST_PLAYER } from './types.ts';
import { append, touchAccount } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** What an account has had to do with one other pool. */
export interface Purse {
  pool: string;
  /** The last transfer that left for it, and that came from it; 0 for none. */
  sent: number;
  received: number;
  /** What left is not known to have come, so much of it; 0 for nothing. One at a time. */
  waiting: number;
  /** All that came from it less all that left for it. */
  net: number;
}

const POOL = /^[a-z0-9-]{1,30}$/;

export function transferBetweenPools(
  state: State,
  c: Of<'purse.reserve' | 'purse.open' | 'purse.done'>,
): Refused | null {
  switch (c.type) {
    case 'purse.reserve':
      return reserve(state, c);
    case 'purse.open':
      return open(state, c);
    case 'purse.done':
      return done(state, c);
    default:
      return refuse('WRONG_KIND', 'type');
  }
}

/** The money leaves the account; nobody has it until it is opened. Refused where it is not free. */
function reserve(state: State, c: Of<'purse.reserve'>): Refused | null {
  const account = state.accounts.get(c.accountId);
  if (account === undefined || account.kind !== 'player') return refuse('ACCOUNT_UNKNOWN', 'accountId');
  const bad = badTransfer(c);
  if (bad) return bad;
  const purse = account.purses?.get(c.pool);
  const sent = purse?.sent ?? 0;
  if (c.transfer === sent && purse!.waiting > 0 && purse!.waiting !== c.amountMinor)
    return refuse('AMOUNT_INVALID', 'transfer');
  if (c.transfer <= sent) return null;
  if (c.transfer > sent + 1 || (purse?.waiting ?? 0) > 0) return refuse('AMOUNT_INVALID', 'transfer');
  if (availableOf(account) < c.amountMinor) return refuse('INSUFFICIENT_FUNDS', 'amountMinor');
  const changed = purseIn(account, c.pool);
  changed.sent = c.transfer;
  changed.waiting = c.amountMinor;
  move(state, account, changed, -c.amountMinor);
  return null;
}

/** The money comes to the account, which is opened for it. What is asked for again changes nothing. */
function open(state: State, c: Of<'purse.open'>): Refused | null {
  if (!isAmount(c.accountId) || c.accountId < FIRST_PLAYER) return refuse('ACCOUNT_UNKNOWN', 'accountId');
  if (c.currency !== state.currency) return refuse('WRONG_CURRENCY', 'currency');
  const bad = badTransfer(c);
  if (bad) return bad;
  const known = state.accounts.get(c.accountId);
  const received = known?.purses?.get(c.pool)?.received ?? 0;
  if (c.transfer <= received) return null;
  if (c.transfer > received + 1) return refuse('AMOUNT_INVALID', 'transfer');
  if ((known?.balance ?? 0) + c.amountMinor > MAX_BALANCE) return refuse('AMOUNT_INVALID', 'amountMinor');
  const account = known ?? addAccount(state, c.accountId, c.currency, 'player');
  if (!known) {
    account.toldBalance = Number.NaN; // tells the first wallet
    const { id: accountId, currency, betBlocked, exposureLimit: exposureLimitMinor } = account;
    append(state.out, { type: 'account', accountId, currency, betBlocked, exposureLimitMinor });
  }
  const purse = purseIn(account, c.pool);
  purse.received = c.transfer;
  move(state, account, purse, c.amountMinor);
  return null;
}

/** What left is known to have come. */
function done(state: State, c: Of<'purse.done'>): Refused | null {
  const account = state.accounts.get(c.accountId);
  const purse = account?.purses?.get(c.pool);
  if (!account || !purse || !isAmount(c.transfer) || c.transfer > purse.sent)
    return refuse('AMOUNT_INVALID', 'transfer');
  if (c.transfer < purse.sent || purse.waiting === 0) return null;
  purse.waiting = 0;
  touchAccount(state, account);
  tell(state, account, purse);
  return null;
}

/** One that had money elsewhere stays for good: its numbers say what became of transfers that may be asked for again. */
export function isClear(account: Account): boolean {
  return account.purses === null;
}

/** What an account has had to do with another pool; null for nothing. The next transfer to it is `sent` + 1. */
export function purseOf(state: State, accountId: AccountId, pool: string): PurseView | null {
  const purse = state.accounts.get(accountId)?.purses?.get(pool);
  return purse ? viewOf(accountId, purse) : null;
}

/** Of all accounts with all other pools. */
export function pursesOf(state: State): PurseView[] {
  return Array.from(state.accounts.values(), (account) =>
    Array.from(account.purses?.values() ?? [], (purse) => viewOf(account.id, purse)),
  ).flat();
}

/** What left this pool and is not known to have come: all that a driver has to go on with, however often it was ended. */
export function transfersOf(state: State): PurseView[] {
  const waiting: PurseView[] = [];
  for (const account of state.accounts.values())
    for (const purse of account.purses?.values() ?? []) if (purse.waiting > 0) waiting.push(viewOf(account.id, purse));
  return waiting;
}

/**
 * What is done about a transfer that left pool `from`: the first command in the other pool, and when that was taken the second
 * here. Whoever ends on the way, the next one begins anew; two at the same time do no harm.
 */
export function stepsOf(from: string, waiting: PurseView, currency: string): { there: Command; here: Command } {
  const { accountId, pool, sent: transfer, waitingMinor: amountMinor } = waiting;
  return {
    there: { type: 'purse.open', accountId, pool: from, transfer, amountMinor, currency },
    here: { type: 'purse.done', accountId, pool, transfer },
  };
}

function badTransfer({ pool, transfer, amountMinor }: Of<'purse.reserve' | 'purse.open'>): Refused | null {
  if (typeof pool !== 'string' || !POOL.test(pool)) return refuse('BAD_INPUT', 'pool');
  if (!isAmount(transfer)) return refuse('AMOUNT_INVALID', 'transfer');
  if (!isAmount(amountMinor) || amountMinor > MAX_TRANSFER_MINOR) return refuse('AMOUNT_INVALID', 'amountMinor');
  return null;
}

function purseIn(account: Account, pool: string): Purse {
  account.purses ??= new Map();
  const known = account.purses.get(pool);
  if (known) return known;
  const purse = { pool, sent: 0, received: 0, waiting: 0, net: 0 };
  account.purses.set(pool, purse);
  return purse;
}

/** As a deposit or a withdrawal: a loss limit counts play alone. */
function move(state: State, account: Account, purse: Purse, amountMinor: number): void {
  account.balance += amountMinor;
  purse.net += amountMinor;
  if (account.lossFloor !== null) account.lossFloor += amountMinor;
  touchAccount(state, account);
  append(state.out, {
    type: 'ledger',
    kind: 'purse',
    text: amountMinor < 0 ? `To pool ${purse.pool}` : `From pool ${purse.pool}`,
    entries: [
      { account: `a${account.id}`, amountMinor },
      { account: `pool:${purse.pool}`, amountMinor: -amountMinor },
    ],
  });
  tell(state, account, purse);
}

function tell(state: State, account: Account, purse: Purse): void {
  append(state.out, { type: 'purse', purse: viewOf(account.id, purse) });
}

function viewOf(accountId: AccountId, { pool, sent, received, waiting, net }: Purse): PurseView {
  return { accountId, pool, sent, received, waitingMinor: waiting, netMinor: net };
}
