/**
 * Money of the providers' games (trust reference 4.2). A stake leaves the account for the round's own account, a win comes
 * out of it, and what is left (or missing) when the round ends goes to the provider's result account. Debits are checked
 * against the same money as bets, in the same step; credits and rollbacks are always taken.
 *
 * That a transaction id acts once is kept by the writer's keys; here each bet of a round has a state, so that rollback
 * after credit and credit after rollback are refused whoever asks.
 */
import { availableOf } from './available.ts';
import type { Refused } from './guard.ts';
import { assert, isAmount, isCount, isRefused, refuse } from './guard.ts';
import { forget } from './hash.ts';
import { MAX_BALANCE } from './ledger.ts';
import { countStake } from './own-limits.ts';
import type { Account, Round, State } from './state.ts';
import { MAX_STAKE_MINOR, MAX_TRANSFER_MINOR } from './state.ts';
import type { AccountId, Command, LedgerEntry, LedgerKind, MovementView, RoundBet, RoundView } from './types.ts';
import { append, markDirty, touchAccount } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;
type Move = Of<'game.debit' | 'game.debitCredit' | 'game.credit' | 'game.rollback' | 'game.promo' | 'game.end'>;

/** Bets of one player in one round; keeps a round small enough to be told whole. */
const MAX_BETS = 500;
const PROVIDER = /^[a-z0-9-]{1,30}$/;
const MAX_ID = 128;

export function debit(state: State, c: Of<'game.debit' | 'game.debitCredit'>, now: number): Refused | null {
  const account = accountOf(state, c);
  if (isRefused(account)) return account;
  if (account.betBlocked || account.kind === 'system') return refuse('ACCOUNT_BLOCKED', 'accountId');
  const both = c.type === 'game.debitCredit';
  if (!isAmount(c.amountMinor) || c.amountMinor > MAX_STAKE_MINOR) return refuse('AMOUNT_INVALID', 'amountMinor');
  const credited = both ? c.creditMinor : 0;
  if (!isCount(credited) || credited > MAX_TRANSFER_MINOR || account.balance + credited > MAX_BALANCE)
    return refuse('AMOUNT_INVALID', 'creditMinor');
  const found = find(state, c);
  if (found === null) return refuse('MARKET_INVALID', 'archived');
  const view = found?.view;
  if (view) {
    if (view.status === 'SETTLED') return refuse('ROUND_CLOSED', 'roundId');
    if (view.game !== c.game) return refuse('WRONG_GAME', 'game');
    if (view.bets.some((bet) => bet[0] === c.txId)) return refuse('DUPLICATE_BET', 'txId');
    if (view.bets.length >= MAX_BETS) return refuse('BET_LIMIT', 'roundId');
  }
  const risk = riskRefusal(account, c.amountMinor);
  if (risk) return risk;
  const round = found ? entered(state, found) : open(state, c, account, now);
  if (round.view.status === 'REFUNDED') {
    round.view.status = 'OPEN';
    round.view.closedAt = 0;
  }
  const bet: RoundBet = [c.txId, c.amountMinor, 'OPEN'];
  round.view.bets.push(bet);
  round.view.stakedMinor += c.amountMinor;
  countStake(state, account, c.amountMinor, now);
  move(state, round, -c.amountMinor, 'roundStake', 'stake');
  assert(availableOf(account) >= 0, 'INV-06', 'available money below 0 after a stake');
  if (both) {
    bet[2] = 'SETTLED';
    pay(state, round, credited);
    if (c.roundClosed || (credited === 0 && !hasOpenBet(round.view))) close(state, round, now);
  }
  told(state, c, c.amountMinor, credited, true);
  tell(state, round);
  return null;
}

export function credit(state: State, c: Of<'game.credit'>, now: number): Refused | null {
  const account = accountOf(state, c);
  if (isRefused(account)) return account;
  const { amountMinor } = c;
  if (!isCount(amountMinor) || amountMinor > MAX_TRANSFER_MINOR || account.balance + amountMinor > MAX_BALANCE)
    return refuse('AMOUNT_INVALID', 'amountMinor');
  const found = find(state, c);
  if (found === null) return refuse('MARKET_INVALID', 'archived');
  if (!found) return refuse('BET_UNKNOWN', 'roundId');
  const { bets } = found.view;
  const named = c.refTx === undefined ? bets : bets.filter((bet) => bet[0] === c.refTx);
  if (named.length === 0) return refuse('BET_UNKNOWN', 'refTx');
  if (named.every((bet) => bet[2] === 'ROLLED_BACK')) return refuse('BET_ROLLED_BACK', 'refTx');
  const round = entered(state, found);
  let changed = amountMinor > 0;
  for (const bet of named) {
    if (bet[2] !== 'OPEN') continue;
    bet[2] = 'SETTLED';
    changed = true;
  }
  pay(state, round, amountMinor);
  // A credit of nothing is the settlement of a lost bet: with the last open one the round is over.
  const over = c.roundClosed || (amountMinor === 0 && !hasOpenBet(round.view));
  if (round.view.status !== 'OPEN') {
    // It is over already: a late win comes from the provider's result.
    if (amountMinor > 0) clear(state, round, -amountMinor);
  } else if (over) {
    close(state, round, now);
    changed = true;
  }
  told(state, c, 0, amountMinor, true);
  if (changed) tell(state, round);
  return null;
}

/** Gives a stake back as if the bet had never been placed. A second time changes nothing and is no refusal. */
export function rollback(state: State, c: Of<'game.rollback'>, now: number): Refused | null {
  const account = accountOf(state, c);
  if (isRefused(account)) return account;
  const found = find(state, c);
  if (found === null) return refuse('MARKET_INVALID', 'archived');
  const bet = found?.view.bets.find((one) => one[0] === c.refTx);
  if (!found || !bet) return refuse('BET_UNKNOWN', 'refTx');
  if (bet[2] === 'SETTLED') return refuse('BET_SETTLED', 'refTx');
  if (bet[2] === 'ROLLED_BACK') {
    told(state, c, 0, 0, false);
    return null;
  }
  if (account.balance + bet[1] > MAX_BALANCE) return refuse('AMOUNT_INVALID', 'refTx');
  const round = entered(state, found);
  const { view } = round;
  bet[2] = 'ROLLED_BACK';
  view.refundedMinor += bet[1];
  // Not less: when in its round the bet was placed is not known.
  countStake(state, account, -bet[1], view.openedAt);
  move(state, round, bet[1], 'roundRefund', 'stake returned');
  if (view.bets.every((one) => one[2] === 'ROLLED_BACK')) {
    view.status = 'REFUNDED';
    view.closedAt = now;
  }
  told(state, c, 0, bet[1], true);
  tell(state, round);
  return null;
}

/** Money without a bet, out of the provider's result account. */
export function promo(state: State, c: Of<'game.promo'>): Refused | null {
  const account = accountOf(state, c);
  if (isRefused(account)) return account;
  if (!isAmount(c.amountMinor) || c.amountMinor > MAX_TRANSFER_MINOR || account.balance + c.amountMinor > MAX_BALANCE)
    return refuse('AMOUNT_INVALID', 'amountMinor');
  account.balance += c.amountMinor;
  touchAccount(state, account);
  toResult(state, c.provider, -c.amountMinor);
  posted(state, 'roundPromo', `${c.label} / ${c.reason === '' ? 'bonus' : c.reason}`, c, [
    { account: `a${account.id}`, amountMinor: c.amountMinor },
    { account: resultAccount(c.provider), amountMinor: -c.amountMinor },
  ]);
  told(state, c, 0, c.amountMinor, true);
  return null;
}

/** Ends a round: bets still open are lost. Ending it again changes nothing. */
export function end(state: State, c: Of<'game.end'>, now: number): Refused | null {
  const account = accountOf(state, c);
  if (isRefused(account)) return account;
  const found = find(state, c);
  if (found === null) return refuse('MARKET_INVALID', 'archived');
  if (!found) return refuse('BET_UNKNOWN', 'roundId');
  if (found.view.status !== 'OPEN') return null;
  const round = entered(state, found);
  close(state, round, now);
  tell(state, round);
  return null;
}

/** Rounds that ended by `before` leave memory; a late movement brings its round back (`archived`). */
export function forgetRounds(state: State, c: Of<'game.forget'>): Refused | null {
  if (!isCount(c.before)) return refuse('AMOUNT_INVALID', 'before');
  for (const [key, round] of state.rounds) {
    if (round.view.status === 'OPEN' || round.view.closedAt > c.before) continue;
    forget(state, round);
    state.rounds.delete(key);
    round.account.rounds.delete(round);
  }
  return null;
}

/** What the round holds of the player's money: nothing once it is over. */
export function heldInRound({ status, stakedMinor, paidMinor, refundedMinor }: RoundView): number {
  return status === 'OPEN' ? stakedMinor - paidMinor - refundedMinor : 0;
}

export function roundKey(provider: string, accountId: AccountId, roundId: string): string {
  return `${provider} ${accountId} ${roundId}`;
}

export function copyView(view: RoundView): RoundView {
  return { ...view, bets: view.bets.map((bet): RoundBet => [...bet]) };
}

/** Puts a round into the state as its snapshot has it; its account must exist. */
export function restoreRound(state: State, view: RoundView): void {
  const account = state.accounts.get(view.accountId);
  if (account === undefined) throw new Error(`round ${view.roundId} is of no account`);
  entered(state, { view: copyView(view), account, round: null });
}

export function addResult(state: State, provider: string, amountMinor: number): void {
  state.results.set(provider, {
    tag: 'result',
    dirty: false,
    hashHigh: 0,
    hashLow: 0,
    provider,
    balance: amountMinor,
  });
  markDirty(state, state.results.get(provider)!);
}

interface Found {
  view: RoundView;
  account: Account;
  /** Null: from the archive, not in the state yet. */
  round: Round | null;
}

function accountOf(state: State, c: Move): Account | Refused {
  const account = state.accounts.get(c.accountId);
  if (account === undefined || account.kind !== 'player') return refuse('ACCOUNT_UNKNOWN', 'accountId');
  if (typeof c.provider !== 'string' || !PROVIDER.test(c.provider)) return refuse('WRONG_KIND', 'provider');
  if (!isId(c.roundId)) return refuse('WRONG_KIND', 'roundId');
  if (c.type !== 'game.end' && !isId(c.txId)) return refuse('WRONG_KIND', 'txId');
  if (typeof c.game !== 'string' || typeof c.label !== 'string') return refuse('WRONG_KIND', 'game');
  if (c.currency !== account.currency) return refuse('WRONG_CURRENCY', 'currency');
  return account;
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_ID;
}

/** As bets are: available money, loss floor, exposure limit. Stakes in open rounds count as exposure. */
function riskRefusal(account: Account, amountMinor: number): Refused | null {
  const left = availableOf(account) - amountMinor;
  if (left < 0) return refuse('INSUFFICIENT_FUNDS');
  if (account.lossFloor !== null && left < account.lossFloor) return refuse('LOSS_LIMIT');
  if (account.exposureLimit > 0) {
    let atRisk = account.exposure + amountMinor;
    for (const round of account.rounds) atRisk += Math.max(0, heldInRound(round.view));
    if (atRisk > account.exposureLimit) return refuse('EXPOSURE_LIMIT');
  }
  return null;
}

/** The round, from memory or from the archive that came with the command; null when that is not this round's. */
function find(state: State, c: Exclude<Move, { type: 'game.promo' }>): Found | undefined | null {
  const round = state.rounds.get(roundKey(c.provider, c.accountId, c.roundId));
  if (round) return { view: round.view, account: round.account, round };
  const { archived } = c;
  if (archived === undefined) return undefined;
  const same = archived.provider === c.provider && archived.accountId === c.accountId && archived.roundId === c.roundId;
  if (!same || archived.status === 'OPEN' || !Array.isArray(archived.bets)) return null;
  return { view: copyView(archived), account: state.accounts.get(c.accountId)!, round: null };
}

function entered(state: State, { view, account, round }: Found): Round {
  if (round) return round;
  const fresh: Round = { tag: 'round', dirty: false, hashHigh: 0, hashLow: 0, view, account };
  state.rounds.set(roundKey(view.provider, view.accountId, view.roundId), fresh);
  account.rounds.add(fresh);
  markDirty(state, fresh);
  return fresh;
}

function open(state: State, c: Of<'game.debit' | 'game.debitCredit'>, account: Account, now: number): Round {
  const { provider, roundId, accountId, game, label } = c;
  const view: RoundView = {
    provider,
    roundId,
    accountId,
    game,
    label,
    status: 'OPEN',
    stakedMinor: 0,
    paidMinor: 0,
    refundedMinor: 0,
    bets: [],
    openedAt: now,
    closedAt: 0,
    version: 0,
  };
  return entered(state, { view, account, round: null });
}

const hasOpenBet = (view: RoundView) => view.bets.some((bet) => bet[2] === 'OPEN');

function pay(state: State, round: Round, amountMinor: number): void {
  if (amountMinor === 0) return;
  round.view.paidMinor += amountMinor;
  move(state, round, amountMinor, 'roundWin', 'win');
}

/** Between the account and the round; `amountMinor` is what the account gets. */
function move(state: State, round: Round, amountMinor: number, kind: LedgerKind, word: string): void {
  const { view, account } = round;
  account.balance += amountMinor;
  assert(Number.isSafeInteger(account.balance), 'INV-07', `balance of account ${account.id}`);
  touchAccount(state, account);
  posted(state, kind, `${view.label} / ${word}, round ${view.roundId}`, view, [
    { account: `a${account.id}`, amountMinor },
    { account: roundAccount(view), amountMinor: -amountMinor },
  ]);
}

function close(state: State, round: Round, now: number): void {
  const { view } = round;
  const left = heldInRound(view);
  for (const bet of view.bets) if (bet[2] === 'OPEN') bet[2] = 'SETTLED';
  view.status = 'SETTLED';
  view.closedAt = now;
  if (left !== 0) clear(state, round, left);
}

function clear(state: State, { view }: Round, amountMinor: number): void {
  toResult(state, view.provider, amountMinor);
  posted(state, 'roundEnd', `${view.label} / end, round ${view.roundId}`, view, [
    { account: roundAccount(view), amountMinor: -amountMinor },
    { account: resultAccount(view.provider), amountMinor },
  ]);
}

function toResult(state: State, provider: string, amountMinor: number): void {
  if (!state.results.has(provider)) addResult(state, provider, 0);
  const result = state.results.get(provider)!;
  result.balance += amountMinor;
  assert(Number.isSafeInteger(result.balance), 'INV-07', `result of ${provider}`);
  markDirty(state, result);
}

function posted(
  state: State,
  kind: LedgerKind,
  text: string,
  { provider, roundId, game }: { provider: string; roundId: string; game: string },
  entries: LedgerEntry[],
): void {
  append(state.out, { type: 'ledger', kind, text, round: { provider, roundId, game }, entries });
}

function told(
  state: State,
  c: Exclude<Move, { type: 'game.end' }>,
  amountMinor: number,
  creditMinor: number,
  effect: boolean,
): void {
  const { provider, txId, accountId, roundId, game, type } = c;
  const kind = type.slice('game.'.length) as MovementView['kind'];
  const refTx = 'refTx' in c ? c.refTx : undefined;
  const movement: MovementView = { provider, txId, kind, accountId, roundId, game, amountMinor, creditMinor, effect };
  if (refTx !== undefined) movement.refTx = refTx;
  append(state.out, { type: 'movement', movement });
}

function tell(state: State, round: Round): void {
  round.view.version++;
  markDirty(state, round);
  append(state.out, { type: 'round', round: copyView(round.view) });
}

const roundAccount = (view: RoundView) => `round:${view.provider}:${view.roundId}`;
const resultAccount = (provider: string) => `ggr:${provider}`;
