/**
 * One command in, events out. `apply` decides by the state, the command and the given time alone, changes the state in
 * place, and either refuses without a trace (one `refused` event) or does the whole command.
 *
 * Order of events: account, quotes, fill, ledger, settled ... as they happen; then the new state of every touched bet,
 * level, market and wallet, each once.
 */
import { archive } from './archive.ts';
import { availableOf } from './available.ts';
import { LEVELS } from './book.ts';
import { cancelConditionals, endOwn, isDue, makeConditional, react } from './conditionals.ts';
import { releaseCovered, releaseHold, writeOff } from './debts.ts';
import { isToChange } from './field-sums.ts';
import type { Refused } from './guard.ts';
import { assert, isAmount, isCount, refuse } from './guard.ts';
import { forget, hashSome } from './hash.ts';
import { placeHedge, releaseHedge } from './hedges.ts';
import { assertWhole, endRemaining, noteShort, updateExposure, waiveUncovered } from './holding.ts';
import { setHouseBook, setHouseLimits, setQuotes } from './house.ts';
import { MAX_BALANCE, transfer } from './ledger.ts';
import { endBeyondLimits } from './lowered.ts';
import { createMarket, setMarketState } from './markets.ts';
import { cancelAll, cancelOrder, placeOrder, priceOf, releaseOrder, replaceOrder, setPersistence } from './orders.ts';
import { placeOrders } from './orders-together.ts';
import { checkOwnLimits, giveBackAside, setOwnLimits } from './own-limits.ts';
import { isBooking } from './pending.ts';
import { isClear, transferBetweenPools } from './purses.ts';
import { betView, viewOf } from './readings.ts';
import { beginRecall, recallPart } from './recall.ts';
import { reinstateRunner, removeRunner } from './removal.ts';
import { credit, debit, end, forgetRounds, promo, rollback } from './rounds.ts';
import { declare, undeclare } from './settle.ts';
import { malformed } from './shape.ts';
import { goOn, unitsRefusal, workOf } from './slices.ts';
import type { Account, Holding, Runner, State } from './state.ts';
import { addAccount } from './state.ts';
import { releaseTake, takeQuote, takeQuotes } from './takes.ts';
import { isLater, tellOnce } from './telling.ts';
import type { Command, Event, Side } from './types.ts';
import { FIRST_PLAYER } from './types.ts';
import { voidBets } from './voids.ts';
import type { Batch } from './work.ts';
import { append, empty, touchAccount } from './work.ts';

/**
 * @param time milliseconds since 1970; the only time the core knows. An earlier one than the last counts as the last.
 * @param idFloor bets that the core places itself (conditionals.ts) are numbered behind this, and behind all it knows.
 * Throws an Error whose text begins with the id of an invariant (INV-..) when one is broken: the state must not be used
 * any more then.
 */
export function apply(state: State, command: Command, time: number, idFloor = 0): Event[] {
  assert(Number.isSafeInteger(time) && time >= 0, 'INV-07', 'time is not a whole number of milliseconds');
  const now = Math.max(time, state.now);
  // A slice is judged as the command that it goes on with.
  const work = command?.type === 'work' ? workOf(state, command) : undefined;
  const cause = work !== undefined && isBooking(work) ? work.type : command?.type;
  state.idFloor = idFloor;
  const refused = malformed(command) ?? unitsRefusal(command) ?? dispatch(state, command, now);
  if (refused !== null) {
    assert(state.out.count === 0 && state.touchedOrders.count === 0, 'INV-06', 'a refused command left a trace');
    return [refused];
  }
  state.now = now;
  if ('takesAside' in command && command.takesAside) giveBackAside(state, command.accountId);
  react(state, command.type, now);
  finish(state, cause);
  // Much of it at once would keep everybody waiting when the hash is asked for.
  if (command.type === 'work' || command.type === 'market.recallPart') hashSome(state, HASHED_AT_ONCE);
  return emptied(state.out);
}

/** The events of the command. Most have two to four: written out, that is cheaper than a slice. */
function emptied(out: Batch<Event>): Event[] {
  const { items, count } = out;
  empty(out);
  if (count === 3) return [items[0]!, items[1]!, items[2]!];
  if (count === 2) return [items[0]!, items[1]!];
  return items.slice(0, count);
}

/** When the next bet or conditional order waits for the time, or null. Call `clock` then. */
export function nextDueAt(state: State): number | null {
  if (isDue(state)) return state.now;
  const delayed = state.waiting.first()?.dueAt ?? null;
  const expiring = state.conditionals.expiries.first()?.dueAt ?? null;
  return delayed === null || expiring === null ? (delayed ?? expiring) : Math.min(delayed, expiring);
}

/** More than a slice changes, and than a part has rows. */
const HASHED_AT_ONCE = 2500;

/** Commands after which available money is at 0 or more, unless the command lowered the risk. */
const PLACING = new Set<string>([
  'order.place',
  'orders.place',
  'order.replace',
  'quote.take',
  'quotes.take',
  'bets.hedge',
]);

/** Commands that change the bets of accounts that did nothing. */
const NOT_OWN = new Set<string>(['runner.remove', 'runner.reinstate', 'market.undeclare', 'bets.void', 'house.quotes']);

function dispatch(state: State, c: Command, now: number): Refused | null {
  switch (c.type) {
    case 'order.place':
      return placeOrder(state, c, now);
    case 'orders.place':
      return placeOrders(state, c, now);
    case 'order.cancel':
      return cancelOrder(state, c);
    case 'house.book':
      return setHouseBook(state, c);
    case 'house.limits':
      return setHouseLimits(state, c);
    case 'house.quotes':
      return setQuotes(state, c);
    case 'quote.take':
      return takeQuote(state, c, now);
    case 'quotes.take':
      return takeQuotes(state, c, now);
    case 'bets.hedge':
      return placeHedge(state, c, now);
    case 'order.replace':
      return replaceOrder(state, c, now);
    case 'order.cancelAll':
      return cancelAll(state, c);
    case 'order.persistence':
      return setPersistence(state, c);
    case 'conditional.make':
      return makeConditional(state, c, now);
    case 'conditional.cancel':
      return cancelConditionals(state, c);
    case 'work':
      return goOn(state, c);
    case 'clock':
      return release(state, now);
    case 'account.open':
      return openAccount(state, c);
    case 'account.close':
      return closeAccount(state, c);
    case 'account.transfer':
      return transfer(state, c);
    case 'account.restrict':
      return restrict(state, c);
    case 'market.create':
      return createMarket(state, c);
    case 'market.state':
      return setMarketState(state, c);
    case 'runner.remove':
      return removeRunner(state, c);
    case 'runner.reinstate':
      return reinstateRunner(state, c);
    case 'market.declare':
      return declare(state, c);
    case 'market.undeclare':
      return undeclare(state, c);
    case 'bets.void':
      return voidBets(state, c);
    case 'market.archive':
      return archive(state, c);
    case 'market.recall':
      return beginRecall(state, c);
    case 'market.recallPart':
      return recallPart(state, c);
    case 'hold.release':
      return releaseHold(state, c);
    case 'debt.writeOff':
      return writeOff(state, c);
    default:
      return dispatchMoney(state, c, now);
  }
}

type MoneyCommand = Extract<Command, { type: `game.${string}` | `purse.${string}` }>;

/** Rounds of providers, and money between pools. */
function dispatchMoney(state: State, c: MoneyCommand, now: number): Refused | null {
  switch (c.type) {
    case 'game.debit':
    case 'game.debitCredit':
      return debit(state, c, now);
    case 'game.credit':
      return credit(state, c, now);
    case 'game.rollback':
      return rollback(state, c, now);
    case 'game.promo':
      return promo(state, c);
    case 'game.end':
      return end(state, c, now);
    case 'game.forget':
      return forgetRounds(state, c);
    default:
      return transferBetweenPools(state, c);
  }
}

function openAccount(state: State, c: Extract<Command, { type: 'account.open' }>): Refused | null {
  if (!isAmount(c.accountId)) return refuse('AMOUNT_INVALID', 'accountId');
  if (state.accounts.has(c.accountId)) return refuse('ACCOUNT_EXISTS', 'accountId');
  if (c.kind !== 'player' && c.kind !== 'system') return refuse('WRONG_KIND', 'kind');
  if (c.kind === 'player' && c.accountId < FIRST_PLAYER) return refuse('AMOUNT_INVALID', 'accountId');
  if (c.currency !== state.currency) return refuse('WRONG_CURRENCY', 'currency');
  const account = addAccount(state, c.accountId, c.currency, c.kind);
  account.toldBalance = Number.NaN; // tells the first wallet
  touchAccount(state, account);
  tellAccount(state, account);
  return null;
}

/** Who closes an account sees to its money first: closing moves none. */
function closeAccount(state: State, c: Extract<Command, { type: 'account.close' }>): Refused | null {
  const account = state.accounts.get(c.accountId);
  if (account === undefined || account.kind !== 'player') return refuse('ACCOUNT_UNKNOWN', 'accountId');
  const owes = account.held > 0 || account.debts.length > 0;
  if (account.balance !== 0 || owes || account.holdings.size > 0 || account.rounds.size > 0 || !isClear(account))
    return refuse('ACCOUNT_IN_USE', 'accountId');
  endOwn(state, account, 'ACCOUNT_BLOCKED');
  forget(state, account);
  state.accounts.delete(account.id);
  append(state.out, { type: 'accountClosed', accountId: account.id });
  return null;
}

function restrict(state: State, c: Extract<Command, { type: 'account.restrict' }>): Refused | null {
  const account = state.accounts.get(c.accountId);
  if (account === undefined) return refuse('ACCOUNT_UNKNOWN', 'accountId');
  if (!isCount(c.exposureLimitMinor)) return refuse('AMOUNT_INVALID', 'exposureLimitMinor');
  if (typeof c.betBlocked !== 'boolean') return refuse('WRONG_KIND', 'betBlocked');
  const floor = c.lossFloorMinor;
  if (floor !== undefined && (!Number.isSafeInteger(floor) || Math.abs(floor) > MAX_BALANCE))
    return refuse('AMOUNT_INVALID', 'lossFloorMinor');
  // A floor is of one moment: reckoned beside a deposit or a result on its way it would count that as play.
  if (c.balanceMinor !== undefined && c.balanceMinor !== account.balance)
    return refuse('BALANCE_MOVED', 'balanceMinor');
  const bad = checkOwnLimits(account, c);
  if (bad) return bad;
  account.betBlocked = c.betBlocked;
  if (c.betBlocked) endOwn(state, account, 'ACCOUNT_BLOCKED');
  account.exposureLimit = c.exposureLimitMinor;
  account.lossFloor = floor ?? null;
  const { stakeLimit } = account;
  setOwnLimits(account, c);
  if (!c.betBlocked) endBeyondLimits(state, account, stakeLimit);
  touchAccount(state, account);
  tellAccount(state, account);
  return null;
}

function tellAccount(state: State, account: Account): void {
  const { id: accountId, currency, betBlocked, exposureLimit: exposureLimitMinor } = account;
  append(state.out, { type: 'account', accountId, currency, betBlocked, exposureLimitMinor });
}

/** Delayed bets that are due go on, in the order of their time. */
function release(state: State, now: number): null {
  for (let order = state.waiting.takeDue(now); order !== null; order = state.waiting.takeDue(now)) {
    if (order.holding.market.status === 'SETTLING') {
      const work = workOf(state, { marketId: order.holding.market.id })!;
      endRemaining(state, order, isBooking(work) ? 'LAPSED_CLOSED' : 'LAPSED_SUSPENDED');
    } else if (order.holding.market.status !== 'OPEN' || order.runner.status !== 'ACTIVE') {
      endRemaining(state, order, 'LAPSED_SUSPENDED');
    } else if (order.holding.hedge?.includes(order)) releaseHedge(state, order.holding);
    else if (order.terms === null) releaseOrder(state, order);
    else releaseTake(state, order);
    settleHoldings(state);
  }
  return null;
}

/** Brings exposures up to date between two delayed bets, so that the second sees the money the first freed or took. */
function settleHoldings(state: State): void {
  const { items, count } = state.touchedHoldings;
  for (let i = 0; i < count; i++) if (updateExposure(state, items[i]!)) touchAccount(state, items[i]!.account);
}

/** Recomputes what was touched and tells it. */
function finish(state: State, type: Command['type']): void {
  const { out, touchedOrders, touchedHoldings, touchedAccounts, touchedRunners, changedMarkets } = state;
  for (let i = 0; i < touchedHoldings.count; i++) {
    const holding = touchedHoldings.items[i]!;
    holding.touched = false;
    const { account } = holding;
    if (updateExposure(state, holding)) touchAccount(state, account);
    if (NOT_OWN.has(type)) {
      if (!isToChange(state, holding.market)) coverLoss(state, holding);
    } else if (PLACING.has(type) && holding.exposure > holding.before) {
      assert(availableOf(account) >= 0, 'INV-06', 'available money below 0 after a bet');
    }
  }
  releaseCovered(state);
  tellOnce(state);
  empty(touchedHoldings);
  for (let i = 0; i < touchedOrders.count; i++) {
    const order = touchedOrders.items[i]!;
    order.touched = false;
    assertWhole(order);
    if (!isLater(state, order.holding.account)) append(out, { type: 'bet', bet: betView(order) });
  }
  empty(touchedOrders);
  for (let i = 0; i < touchedRunners.count; i++) tellBook(out, touchedRunners.items[i]!);
  empty(touchedRunners);
  for (let i = 0; i < changedMarkets.count; i++) {
    const market = changedMarkets.items[i]!;
    market.changed = false;
    append(out, { type: 'market', market: viewOf(market), reason: market.reason });
  }
  empty(changedMarkets);
  for (let i = 0; i < touchedAccounts.count; i++) {
    const account = touchedAccounts.items[i]!;
    account.touched = false;
    if (!isLater(state, account)) tellWallet(out, account);
  }
  empty(touchedAccounts);
  state.later = null;
}

/** What others did to an account's bets: it may be left with less than nothing, and is known for it until it has enough. */
function coverLoss(state: State, holding: Holding): void {
  const isWaived = waiveUncovered(state, holding);
  const isShort = noteShort(state, holding);
  if (isWaived || isShort) touchAccount(state, holding.account);
}

function tellWallet(out: Batch<Event>, account: Account): void {
  const { balance, exposure, held } = account;
  if (balance === account.toldBalance && exposure === account.toldExposure && held === account.toldHeld) return;
  account.toldHeld = held;
  account.toldBalance = account.balance;
  account.toldExposure = account.exposure;
  account.version++;
  append(out, {
    type: 'wallet',
    accountId: account.id,
    balanceMinor: account.balance,
    exposureMinor: account.exposure,
    heldMinor: held,
    version: account.version,
  });
}

const HALF = LEVELS / 2;

function tellBook(out: Batch<Event>, runner: Runner): void {
  const { marked } = runner;
  const levels = [tellLevel(runner, marked.items[0]!)];
  for (let i = 1; i < marked.count; i++) levels.push(tellLevel(runner, marked.items[i]!));
  empty(marked);
  runner.touched = false;
  append(out, {
    type: 'book',
    marketId: runner.market.id,
    runnerId: runner.id,
    levels,
    lastPrice: runner.lastPrice,
    tradedMinor: runner.traded,
  });
}

function tellLevel(runner: Runner, level: number): [Side, number, number] {
  runner.marks[level] = 0;
  return [level < HALF ? 'BACK' : 'LAY', priceOf(level), runner.book.total[level]!];
}
