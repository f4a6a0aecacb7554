/**
 * Results: what every account gets from a market, and its exact reversal (exchange reference 8). Both go account by account
 * and may take many commands (slices.ts); in between the market is SETTLING and locked, who had his turn has his money and
 * his bets their results, and everybody else still carries his exposure. Who gets what is fixed over the whole market before
 * the first is paid (payouts.ts), and what short accounts lost without money for it before the first winner is (debts.ts).
 * The market's clearing account ends at exactly zero.
 */
import { enterPayout, holdsToCome, pay, repay } from './booking.ts';
import { endInMarket } from './conditionals.ts';
import type { PlannedHold } from './debts.ts';
import { debtorsIn, dissolveHoldsOf, holdBack } from './debts.ts';
import type { Refused } from './guard.ts';
import { assert, refuse } from './guard.ts';
import { endRemaining, setResult, updateExposure } from './holding.ts';
import { clearHouse } from './house.ts';
import { accountOf } from './ledger.ts';
import { LOGIC_VERSION } from './logic.ts';
import type { Judge } from './payouts.ts';
import { judgeOf, netOf, settleBets } from './payouts.ts';
import { closeWork, isSettling, openWork } from './pending.ts';
import { enterRecalled, recall } from './recall.ts';
import { copyResult, fitsMarket, markRunner, resultText } from './results.ts';
import type { Account, Holding, Market, State, Work, WorkPhase } from './state.ts';
import { SMALL_WORK } from './state.ts';
import type { Budget } from './turns.ts';
import { each, indexOf, LOOKED_AT } from './turns.ts';
import type { AccountId, Command } from './types.ts';
import { HOUSE, ROUNDING } from './types.ts';
import { append, changeMarket, markDirty, touchAccount, touchHolding, touchOrder } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export function declare(state: State, c: Of<'market.declare'>): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  if (market.status === 'SETTLING') return refuse('MARKET_SETTLING', 'marketId');
  if (!fitsMarket(market, c.result)) return refuse('RESULT_INVALID', 'result');
  const result = copyResult(c.result);
  clearHouse(state, market);
  endInMarket(state, market, 'MARKET_CLOSED');
  market.result = result;
  market.bookedBy = LOGIC_VERSION;
  market.payouts = new Map();
  market.exact = { whole: 0, rest: 0 };
  for (const runner of market.runners) markRunner(market, runner, result);
  begin(state, market, c, 'lapse');
  return null;
}

/** Takes the last result back: every posting reversed, its bets PENDING again, the market suspended. */
export function undeclare(state: State, c: Of<'market.undeclare'>): Refused | null {
  const market = recall(state, c.marketId, c.archived);
  if ('type' in market) return market;
  if (isSettling(state, market.id)) return refuse('MARKET_SETTLING', 'marketId');
  if (market.status !== 'CLOSED' || market.payouts === null) return refuse('NOT_DECLARED', 'marketId');
  enterRecalled(state, market);
  begin(state, market, c, 'winners');
  return null;
}

/** Locks the market and begins; little is done at once. */
function begin(state: State, market: Market, c: Of<'market.declare' | 'market.undeclare'>, phase: WorkPhase): void {
  const { type, units = SMALL_WORK } = c;
  const size = market.orders.length + market.holdings.size;
  market.resultVersion++;
  const work = openWork(state, market, { type, phase });
  changeMarket(state, market, true);
  settleOn(state, market, work, size <= units ? Number.POSITIVE_INFINITY : units);
}

/** Goes on with a market that is SETTLING: up to so many units, and one account at least. */
export function settleOn(state: State, market: Market, work: Work, units: number): void {
  markDirty(state, market);
  const over =
    work.type === 'market.declare'
      ? declareOn(state, market, work, { units })
      : undeclareOn(state, market, work, { units });
  if (over) closeWork(state, market, work);
}

// ------------------------------------------------------------------------------------------------------ a result

/** @returns whether it came to the end. */
function declareOn(state: State, market: Market, work: Work, budget: Budget): boolean {
  const judge = judgeOf(market, market.result!);
  if (work.phase === 'lapse' && lapseAll(state, market, budget)) work.phase = 'judge';
  if (
    work.phase === 'judge' &&
    each(market, work, budget, (id, holding) => judgeAccount(market, work, judge, id, holding))
  ) {
    const house = judge.house(market.exact!);
    enterPayout(market, HOUSE, house, 0);
    enterPayout(market, ROUNDING, -work.booked - house, 0);
    work.phase = 'losers';
  }
  const text = `${market.def.name}: ${resultText(market, market.result!)}`;
  const turn = (won: boolean) => (id: AccountId, holding: Holding) =>
    won === (market.payouts!.get(id)?.net ?? 0) > 0
      ? payAccount(state, market, work, judge, holding, text)
      : lookedAt(work);
  if (work.phase === 'losers' && each(market, work, budget, turn(false))) {
    payOwn(state, market, work, false, text);
    work.holds = holdsToCome(state, market, judge);
    indexOf(market, work).holdsByCreditor = null;
    work.phase = 'winners';
  }
  if (work.phase !== 'winners' || !each(market, work, budget, turn(true))) return false;
  payOwn(state, market, work, true, text);
  market.status = 'CLOSED';
  const { id: marketId, resultVersion } = market;
  const result = copyResult(market.result!);
  append(state.out, { type: 'settled', marketId, eventId: market.def.eventId, result, resultVersion });
  return true;
}

function lapseAll(state: State, market: Market, budget: Budget): boolean {
  for (; market.live.first !== null && budget.units > 0; budget.units--)
    endRemaining(state, market.live.first, 'LAPSED_CLOSED');
  return market.live.first === null;
}

function judgeAccount(market: Market, work: Work, judge: Judge, id: AccountId, holding: Holding): number {
  const net = netOf(holding, judge, market.exact!);
  work.booked += net;
  enterPayout(market, id, net, market.def.commissionBps);
  return 1 + Math.floor(holding.orders.length / LOOKED_AT);
}

/** An account's turn: its bets get their results and it gets its money. */
function payAccount(state: State, market: Market, work: Work, judge: Judge, holding: Holding, text: string): number {
  const { id } = holding.account;
  touchHolding(state, holding);
  const net = settleBets(state, holding, judge, { whole: 0, rest: 0 });
  assert(net === (market.payouts!.get(id)?.net ?? 0), 'INV-01', `account ${id} in market ${market.id} judged anew`);
  payNet(state, market, work, id, text);
  if (updateExposure(state, holding)) touchAccount(state, holding.account);
  return 1 + holding.orders.length;
}

/** The site's own accounts come behind the players'. */
function payOwn(state: State, market: Market, work: Work, won: boolean, text: string): void {
  for (const id of [HOUSE, ROUNDING])
    if (won === (market.payouts!.get(id)?.net ?? 0) > 0) payNet(state, market, work, id, text);
}

/** With the money comes at once what of it is held back. */
function payNet(state: State, market: Market, work: Work, id: AccountId, text: string): void {
  const payout = market.payouts!.get(id);
  if (payout === undefined) return;
  pay(state, market, id, payout, text);
  work.clearing -= payout.net;
  for (const hold of holdsByCreditor(market, work).get(id) ?? []) holdBack(state, market, hold);
}

// ------------------------------------------------------------------------------------------------ a result withdrawn

/** Winners first, so that money goes back only once it is there. @returns whether it came to the end. */
function undeclareOn(state: State, market: Market, work: Work, budget: Budget): boolean {
  const turn = (won: boolean) => (id: AccountId, holding: Holding) =>
    won === (market.payouts!.get(id)?.net ?? 0) > 0 ? reopenAccount(state, market, work, holding) : lookedAt(work);
  if (work.phase === 'winners' && each(market, work, budget, turn(true))) work.phase = 'losers';
  if (work.phase !== 'losers' || !each(market, work, budget, turn(false))) return false;
  for (const id of [HOUSE, ROUNDING]) repayNet(state, market, work, id);
  for (const runner of market.runners) {
    if (runner.status === 'WINNER' || runner.status === 'LOSER') runner.status = 'ACTIVE';
  }
  market.payouts = null;
  market.exact = null;
  market.result = null;
  market.bookedBy = 0;
  market.status = 'SUSPENDED';
  market.reason = 'Result withdrawn';
  const { id: marketId, resultVersion } = market;
  append(state.out, { type: 'undeclared', marketId, eventId: market.def.eventId, resultVersion });
  return true;
}

/** An account's turn: what it got is taken back, and its bets are open and cost what they may cost again. */
function reopenAccount(state: State, market: Market, work: Work, holding: Holding): number {
  touchHolding(state, holding);
  repayNet(state, market, work, holding.account.id);
  for (const order of holding.orders) {
    if (order.matched === 0 || order.result === 'PENDING') continue;
    setResult(order, 'PENDING');
    order.profit = 0;
    touchOrder(state, order);
  }
  return 1 + holding.orders.length;
}

function repayNet(state: State, market: Market, work: Work, id: AccountId): void {
  const payout = market.payouts!.get(id);
  if (payout === undefined) return;
  dissolveHoldsOf(state, market, accountOf(state, id), debtorsOf(market, work));
  repay(state, market, id, payout, 'reverse', `${market.def.name}: result withdrawn`);
  work.clearing += payout.net;
}

// ------------------------------------------------------------------------------------------------------------ turns

function holdsByCreditor(market: Market, work: Work): Map<AccountId, PlannedHold[]> {
  const index = indexOf(market, work);
  if (index.holdsByCreditor !== null) return index.holdsByCreditor;
  const all = new Map<AccountId, PlannedHold[]>();
  for (const hold of work.holds) {
    const list = all.get(hold.creditorId);
    if (list === undefined) all.set(hold.creditorId, [hold]);
    else list.push(hold);
  }
  index.holdsByCreditor = all;
  return all;
}

function debtorsOf(market: Market, work: Work): Account[] {
  const index = indexOf(market, work);
  index.debtors ??= debtorsIn(market);
  return index.debtors;
}

function lookedAt({ at }: Work): number {
  return at % LOOKED_AT === 0 ? 1 : 0;
}
