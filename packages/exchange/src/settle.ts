/**
 * Results: what every account gets from a market, its exact reversal, and bets taken out by the operator (exchange
 * reference 8). Who gets what is in payouts.ts; the market's clearing account ends at exactly zero.
 */

import { divFloor } from '@fairgame/contract';
import type { Refused } from './guard.ts';
import { refuse } from './guard.ts';
import { endRemaining, grossTotal, setResult } from './holding.ts';
import { clearHouse } from './house.ts';
import { accountOf, post } from './ledger.ts';
import { LOGIC_VERSION } from './logic.ts';
import { lapse, refreshHoldings, voidFill, voidMatched } from './markets.ts';
import { judgeOf, settleBets } from './payouts.ts';
import { copyResult, fitsMarket, markRunner, resultText } from './results.ts';
import { archiveOf, dropMarket, openArchive } from './snapshot.ts';
import type { Market, Order, Payout, State } from './state.ts';
import type { AccountId, Command, MarketSnapshot, Result } from './types.ts';
import { COMMISSION, HOUSE, ROUNDING } from './types.ts';
import { changeMarket, put, soil, touchHolding, touchOrder } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export function declare(state: State, c: Of<'market.declare'>): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  if (!fitsMarket(market, c.result)) return refuse('RESULT_INVALID', 'result');
  const result = copyResult(c.result);
  lapse(state, market, 'LAPSED_CLOSED', () => true);
  clearHouse(state, market);
  market.status = 'CLOSED';
  market.reason = '';
  market.result = result;
  market.bookedBy = LOGIC_VERSION;
  market.resultVersion++;
  changeMarket(state, market, true);
  for (const runner of market.runners) markRunner(market, runner, result);
  const payouts = computePayouts(state, market, result);
  const text = `${market.def.name}: ${resultText(market, result)}`;
  for (const [id, payout] of payouts) pay(state, market, id, payout, text);
  market.payouts = payouts;
  for (const holding of market.holdings.values()) touchHolding(state, holding);
  const { id: marketId, resultVersion } = market;
  put(state.out, { type: 'settled', marketId, eventId: market.def.eventId, result: copyResult(result), resultVersion });
  return null;
}

/** Takes the last result back: every posting reversed, its bets PENDING again, the market suspended. */
export function undeclare(state: State, c: Of<'market.undeclare'>): Refused | null {
  const market = recall(state, c.marketId, c.archived);
  if ('type' in market) return market;
  if (market.status !== 'CLOSED' || market.payouts === null) return refuse('NOT_DECLARED', 'marketId');
  enterRecalled(state, market);
  market.resultVersion++;
  for (const [id, payout] of market.payouts) {
    repay(state, market, id, payout, 'reverse', `${market.def.name}: result withdrawn`);
  }
  for (const order of market.orders) {
    if (order.matched === 0 || order.result === 'PENDING') continue;
    setResult(order, 'PENDING');
    order.profit = 0;
    touchOrder(state, order);
  }
  for (const runner of market.runners) {
    if (runner.status === 'WINNER' || runner.status === 'LOSER') runner.status = 'ACTIVE';
  }
  market.payouts = null;
  market.result = null;
  market.bookedBy = 0;
  market.status = 'SUSPENDED';
  market.reason = 'Result withdrawn';
  changeMarket(state, market, true);
  refreshHoldings(state, market);
  const { id: marketId, resultVersion } = market;
  put(state.out, { type: 'undeclared', marketId, eventId: market.def.eventId, resultVersion });
  return null;
}

/**
 * Takes bets out as if never placed. In a book both sides of each of their fills go: the other player's bet loses that
 * part, with the same reason. In a settled market every account whose result changes gets its old postings reversed and
 * the new ones posted under the next result version.
 */
export function voidBets(state: State, c: Of<'bets.void'>): Refused | null {
  const market = recall(state, c.marketId, c.archived);
  if ('type' in market) return market;
  if (typeof c.reason !== 'string' || !Array.isArray(c.betIds) || c.betIds.length === 0) {
    return refuse('BET_UNKNOWN', 'betIds');
  }
  const byId = new Map(market.orders.map((order) => [order.id, order]));
  const orders = new Set<Order>();
  for (const betId of c.betIds) {
    const order = byId.get(betId);
    if (order === undefined) return refuse('BET_UNKNOWN', 'betIds');
    if (order.matched + order.remaining === 0) return refuse('BET_NOT_OPEN', 'betIds');
    orders.add(order);
  }
  enterRecalled(state, market);
  takeOut(state, market, orders, c.reason);
  changeMarket(state, market, false);
  const old = market.payouts;
  if (old !== null && market.result !== null) {
    market.resultVersion++;
    const payouts = computePayouts(state, market, market.result);
    const text = `${market.def.name}: ${c.reason}`;
    for (const id of [...new Set([...old.keys(), ...payouts.keys()])].sort(byNumber)) {
      const before = old.get(id) ?? NOTHING;
      const after = payouts.get(id) ?? NOTHING;
      if (before.net === after.net && before.commission === after.commission) continue;
      repay(state, market, id, before, 'void', text);
      pay(state, market, id, after, text);
    }
    market.payouts = payouts;
  }
  refreshHoldings(state, market);
  market.gross = grossTotal(market);
  return null;
}

/** Drops a closed market from memory. The snapshot in the event is all that undeclare and void need later. */
export function archive(state: State, c: Of<'market.archive'>): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.status !== 'CLOSED') return refuse('NOT_DECLARED', 'marketId');
  put(state.out, { type: 'archived', marketId: market.id, snapshot: archiveOf(market) });
  dropMarket(state, market);
  return null;
}

const NOTHING: Payout = { net: 0, commission: 0 };

/** Gives every bet that counts its result and profit, and says what each account gets, smallest account id first. */
function computePayouts(state: State, market: Market, result: Result): Map<AccountId, Payout> {
  const judge = judgeOf(market, result);
  const payouts = new Map<AccountId, Payout>();
  const exact = { whole: 0, rest: 0 };
  let booked = 0;
  for (const id of [...market.holdings.keys()].sort(byNumber)) {
    const net = settleBets(state, market.holdings.get(id)!, judge, exact);
    booked += net;
    addPayout(payouts, id, net, market.def.commissionBps);
  }
  const house = judge.house(exact);
  addPayout(payouts, HOUSE, house, 0);
  addPayout(payouts, ROUNDING, -booked - house, 0);
  return payouts;
}

function addPayout(payouts: Map<AccountId, Payout>, id: AccountId, net: number, commissionBps: number): void {
  if (net === 0) return;
  payouts.set(id, { net, commission: commissionOf(net, commissionBps) });
}

function pay(state: State, market: Market, id: AccountId, payout: Payout, text: string): void {
  const account = accountOf(state, id);
  if (payout.net !== 0) post(state, 'settle', text, market, [[account, payout.net]], true);
  if (payout.commission !== 0) {
    const percent = market.def.commissionBps / 100;
    post(state, 'commission', `${market.def.name}: commission ${percent} %`, market, [
      [account, -payout.commission],
      [accountOf(state, COMMISSION), payout.commission],
    ]);
  }
}

function repay(
  state: State,
  market: Market,
  id: AccountId,
  payout: Payout,
  kind: 'reverse' | 'void',
  text: string,
): void {
  const account = accountOf(state, id);
  if (payout.commission !== 0) {
    post(state, kind, `${text}, commission back`, market, [
      [account, payout.commission],
      [accountOf(state, COMMISSION), -payout.commission],
    ]);
  }
  if (payout.net !== 0) post(state, kind, text, market, [[account, -payout.net]], true);
}

/** Half up (exchange reference 8.5). */
function commissionOf(net: number, bps: number): number {
  if (net <= 0) return 0;
  const exact = net * bps;
  if (Number.isSafeInteger(exact)) return divFloor(exact + 5_000, 10_000);
  return Number((BigInt(net) * BigInt(bps) + 5_000n) / 10_000n);
}

/** Ends the bets and voids their fills on both sides, in one pass over the fills of the market. */
function takeOut(state: State, market: Market, orders: Set<Order>, reason: string): void {
  const others = new Set<Order>();
  for (const order of orders) if (order.remaining > 0) endRemaining(state, order, 'VOIDED', reason);
  for (const fill of market.fills) {
    const { back, lay } = fill;
    if (fill.void || !((back !== null && orders.has(back)) || (lay !== null && orders.has(lay)))) continue;
    voidFill(state, fill);
    for (const order of [back, lay]) if (order !== null && !orders.has(order)) others.add(order);
  }
  for (const order of orders) {
    if (order.matched > 0) voidMatched(state, order, reason);
    order.profit = 0;
    order.reason = reason;
    order.endCode = 'VOIDED';
    setResult(order, 'UNDECLARE');
    touchOrder(state, order);
    touchHolding(state, order.holding);
  }
  for (const other of others) {
    other.reason = reason;
    if (other.matched > 0 || other.status !== 'COMPLETE') continue;
    other.profit = 0;
    setResult(other, 'UNDECLARE');
  }
}

/** The market in memory, or read from its archive but not entered yet. */
function recall(state: State, marketId: number, archived: MarketSnapshot | undefined): Market | Refused {
  const market = state.markets.get(marketId);
  if (market !== undefined) return market;
  if (archived === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  const restored = openArchive(state, archived);
  return restored?.id === marketId ? restored : refuse('MARKET_UNKNOWN', 'archived');
}

function enterRecalled(state: State, market: Market): void {
  if (state.markets.has(market.id)) return;
  state.markets.set(market.id, market);
  soil(state, market);
  for (const fill of market.fills) soil(state, fill);
  for (const holding of market.holdings.values()) holding.account.holdings.set(market.id, holding);
  for (const order of market.orders) {
    state.orders.set(order.id, order);
    soil(state, order);
  }
}

function byNumber(a: number, b: number): number {
  return a - b;
}
