/** Bets taken out by the operator, of an open market or of a settled one (exchange reference 8). */
import { enterPayout, holdsToCome, pay, repay } from './booking.ts';
import { dissolveDebts, holdBack } from './debts.ts';
import type { Refused } from './guard.ts';
import { isAmount, refuse } from './guard.ts';
import { countFill, countTake, endRemaining, noteShort, setResult } from './holding.ts';
import { countStakeOf } from './own-limits.ts';
import type { Judge } from './payouts.ts';
import { exactOf, judgeOf, settleBets } from './payouts.ts';
import { isSettling } from './pending.ts';
import { enterRecalled, recall } from './recall.ts';
import type { Fill, Holding, Market, Order, Payout, State } from './state.ts';
import { earlier } from './state.ts';
import { tellInSlices } from './telling.ts';
import type { AccountId, Command } from './types.ts';
import { HOUSE, ROUNDING } from './types.ts';
import { changeMarket, markDirty, touchAccount, touchHolding, touchOrder } from './work.ts';

/**
 * Takes bets out as if never placed. In a book both sides of each of their fills go: the other player's bet loses that
 * part, with the same reason. In a settled market every account whose result changes gets its old postings reversed and
 * the new ones posted under the next result version.
 */
export function voidBets(state: State, c: Extract<Command, { type: 'bets.void' }>): Refused | null {
  const market = recall(state, c.marketId, c.archived);
  if ('type' in market) return market;
  if (isSettling(state, market.id)) return refuse('MARKET_SETTLING', 'marketId');
  if (c.betIds.length === 0) return refuse('BET_UNKNOWN', 'betIds');
  const known = state.markets.has(market.id) ? state.orders : new Map(market.orders.map((order) => [order.id, order]));
  const orders = new Set<Order>();
  for (const betId of c.betIds) {
    const order = isAmount(betId) ? known.get(betId) : undefined;
    if (order?.holding.market !== market) return refuse('BET_UNKNOWN', 'betIds');
    if (order.matched + order.remaining === 0) return refuse('BET_NOT_OPEN', 'betIds');
    orders.add(order);
  }
  enterRecalled(state, market);
  const fills = fillsOf(orders);
  const changed = holdingsOf(orders, fills);
  const settled = market.result === null ? null : openBooking(state, market, changed);
  takeOut(state, orders, fills, c.reason);
  changeMarket(state, market, false);
  if (settled === null) tellInSlices(state, market, c);
  else rebook(state, market, settled, `${market.def.name}: ${c.reason}`);
  return null;
}

const NOTHING: Payout = { net: 0, commission: 0 };

/** What a correction of a settled market starts from. */
interface Booking {
  judge: Judge;
  changed: ReadonlySet<Holding>;
  old: ReadonlyMap<AccountId, Payout>;
}

/** Takes the bets of the accounts that a correction will change out of the sum of the market. */
function openBooking(state: State, market: Market, changed: ReadonlySet<Holding>): Booking {
  const judge = judgeOf(market, market.result!);
  // Markets settled by logic 1 did not keep it.
  market.exact ??= exactOf(market.holdings.values(), judge);
  const own = exactOf(changed, judge);
  market.exact = { whole: market.exact.whole - own.whole, rest: market.exact.rest - own.rest };
  for (const holding of market.holdings.values()) touchHolding(state, holding);
  dissolveDebts(state, market);
  return { judge, changed, old: new Map(market.payouts) };
}

/** Books anew what of a settled market changed with its bets, and what is to be held back of it. */
function rebook(state: State, market: Market, { judge, changed, old }: Booking, text: string): void {
  const payouts = market.payouts!;
  market.resultVersion++;
  for (const holding of changed) {
    const net = settleBets(state, holding, judge, market.exact!);
    enterPayout(market, holding.account.id, net, market.def.commissionBps);
  }
  enterPayout(market, HOUSE, judge.house(market.exact!), 0);
  let booked = 0;
  for (const [id, { net }] of payouts) if (id !== ROUNDING) booked += net;
  enterPayout(market, ROUNDING, -booked, 0);
  for (const id of [...new Set([...old.keys(), ...payouts.keys()])].sort((a, b) => a - b)) {
    const before = old.get(id) ?? NOTHING;
    const after = payouts.get(id) ?? NOTHING;
    if (before.net === after.net && before.commission === after.commission) continue;
    repay(state, market, id, before, 'void', text);
    pay(state, market, id, after, text);
  }
  for (const holding of market.holdings.values()) if (noteShort(state, holding)) touchAccount(state, holding.account);
  for (const hold of holdsToCome(state, market, judge)) holdBack(state, market, hold);
}

/** The live fills in which one of the bets stands, oldest first. */
function fillsOf(orders: ReadonlySet<Order>): Fill[] {
  const fills = new Set<Fill>();
  for (const order of orders)
    for (let fill = order.lastFill; fill !== null; fill = earlier(order, fill)) if (!fill.void) fills.add(fill);
  return [...fills].sort((a, b) => a.id - b.id);
}

function holdingsOf(orders: ReadonlySet<Order>, fills: readonly Fill[]): Set<Holding> {
  const holdings = new Set([...orders].map((order) => order.holding));
  for (const { back, lay } of fills) for (const order of [back, lay]) if (order !== null) holdings.add(order.holding);
  return holdings;
}

/** Ends the bets and voids their fills on both sides. */
function takeOut(state: State, orders: ReadonlySet<Order>, fills: readonly Fill[], reason: string): void {
  const others = new Set<Order>();
  for (const order of orders) if (order.remaining > 0) endRemaining(state, order, 'VOIDED', reason);
  for (const fill of fills) {
    for (const order of [fill.back, fill.lay]) if (order !== null && !orders.has(order)) others.add(order);
    voidFill(state, fill);
  }
  for (const order of orders) {
    if (order.matched > 0) voidTake(state, order, reason);
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

/** A matched quote bet becomes void: stake back. */
function voidTake(state: State, order: Order, reason: string): void {
  countTake(order, -1);
  countStakeOf(state, order, -order.matched);
  order.voided += order.matched;
  order.matched = 0;
  order.matchedSum = 0;
  order.profit = 0;
  order.reason = reason;
  setResult(order, 'VOID');
  touchOrder(state, order);
  touchHolding(state, order.holding);
}

/** Takes one fill out of both its bets. The rest of each bet stays as it is. */
function voidFill(state: State, fill: Fill): void {
  countFill(fill.runner.market, fill, -1);
  fill.void = 'voided';
  markDirty(state, fill);
  for (const order of [fill.back, fill.lay]) {
    if (order === null) continue;
    order.matched -= fill.size;
    order.matchedSum -= fill.paid * fill.size;
    order.voided += fill.size;
    countStakeOf(state, order, -fill.size);
    touchOrder(state, order);
    touchHolding(state, order.holding);
  }
}
