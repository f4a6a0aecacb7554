/**
 * Results: what every account gets from a market, its exact reversal, and bets taken out by the operator (exchange
 * reference 8). Who gets what is in payouts.ts; the market's clearing account ends at exactly zero. Losers are booked
 * before winners, so that of what a short account loses the part that is not there can be held back (debts.ts).
 */
import { divFloor } from '@fairgame/contract';
import { availableOf } from './available.ts';
import { BACK, LAY } from './book.ts';
import type { Winner } from './debts.ts';
import { dissolveDebts, holdBack } from './debts.ts';
import type { Refused } from './guard.ts';
import { refuse } from './guard.ts';
import { endRemaining, noteShort, setResult, updateExposure } from './holding.ts';
import { clearHouse } from './house.ts';
import { accountOf, post } from './ledger.ts';
import { LOGIC_VERSION } from './logic.ts';
import { lapse } from './markets.ts';
import type { Judge } from './payouts.ts';
import { exactOf, judgeOf, settleBets } from './payouts.ts';
import { refreshHoldings, voidFill, voidTake } from './removal.ts';
import { copyResult, fitsMarket, markRunner, resultText } from './results.ts';
import { archiveOf, dropMarket, openArchive } from './snapshot.ts';
import type { Fill, Holding, Market, Order, Payout, State } from './state.ts';
import { listMarket } from './state.ts';
import type { AccountId, Command, MarketSnapshot } from './types.ts';
import { COMMISSION, HOUSE, ROUNDING } from './types.ts';
import { changeMarket, put, soil, touchAccount, touchHolding, touchOrder } from './work.ts';

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
  const judge = judgeOf(market, result);
  market.payouts = new Map();
  const exact = { whole: 0, rest: 0 };
  let booked = 0;
  for (const id of ids(market.holdings)) {
    const holding = market.holdings.get(id)!;
    touchHolding(state, holding);
    const net = settleBets(state, holding, judge, exact);
    booked += net;
    enterPayout(market, id, net, market.def.commissionBps);
  }
  const house = judge.house(exact);
  enterPayout(market, HOUSE, house, 0);
  enterPayout(market, ROUNDING, -booked - house, 0);
  market.exact = exact;
  const text = `${market.def.name}: ${resultText(market, result)}`;
  book(state, market, (id, payout) => pay(state, market, id, payout, text));
  holdUncovered(state, market, judge);
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
  for (const holding of market.holdings.values()) touchHolding(state, holding);
  dissolveDebts(state, market);
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
  market.exact = null;
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
  if (c.betIds.length === 0) return refuse('BET_UNKNOWN', 'betIds');
  const byId = new Map(market.orders.map((order) => [order.id, order]));
  const orders = new Set<Order>();
  for (const betId of c.betIds) {
    const order = byId.get(betId);
    if (order === undefined) return refuse('BET_UNKNOWN', 'betIds');
    if (order.matched + order.remaining === 0) return refuse('BET_NOT_OPEN', 'betIds');
    orders.add(order);
  }
  enterRecalled(state, market);
  const fills = fillsOf(market, orders);
  const changed = holdingsOf(orders, fills);
  const settled = market.result === null ? null : openBooking(state, market, changed);
  takeOut(state, orders, fills, c.reason);
  changeMarket(state, market, false);
  if (settled !== null) rebook(state, market, settled, `${market.def.name}: ${c.reason}`);
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

// --------------------------------------------------------------------------------------------------- booking

const NOTHING: Payout = { net: 0, commission: 0 };

/** Books losers before winners, smallest account id first, and lets go of what the market held. */
function book(state: State, market: Market, pay: (id: AccountId, payout: Payout) => void): void {
  const payouts = market.payouts!;
  const all = [...ids(market.holdings), HOUSE, ROUNDING].filter((id) => payouts.has(id));
  for (const id of all) if (payouts.get(id)!.net < 0) pay(id, payouts.get(id)!);
  for (const id of all) if (payouts.get(id)!.net > 0) pay(id, payouts.get(id)!);
  for (const holding of market.holdings.values())
    if (updateExposure(state, holding)) touchAccount(state, holding.account);
}

/** Of what short accounts lost here the part they have no money for is held back from those who won it. */
function holdUncovered(state: State, market: Market, judge: Judge): void {
  const payouts = market.payouts!;
  let winners: Winner[] | null = null;
  for (const id of ids(market.holdings)) {
    const holding = market.holdings.get(id)!;
    const { account } = holding;
    const lost = -(payouts.get(id)?.net ?? 0);
    const owed = Math.min(lost, -availableOf(account));
    if (owed <= 0 || !account.short.has(market.id)) continue;
    winners ??= [...ids(market.holdings), HOUSE].flatMap((one) => winnerOf(state, one, payouts.get(one)));
    holdBack(state, market, account, owed, winners, wonFrom(market, holding, judge));
  }
}

function winnerOf(state: State, id: AccountId, payout: Payout | undefined): Winner[] {
  return payout !== undefined && payout.net > 0
    ? [{ account: accountOf(state, id), free: payout.net - payout.commission }]
    : [];
}

/** What each of an account's opposite sides won from it in the market, whole minor units. */
function wonFrom(market: Market, holding: Holding, judge: Judge): Map<AccountId, number> {
  const from = new Map<AccountId, number>();
  if (!market.isBook) return from.set(HOUSE, Number.MAX_SAFE_INTEGER);
  for (const fill of market.fills) {
    const isBack = fill.back?.holding === holding;
    if (fill.void || !(isBack || fill.lay?.holding === holding)) continue;
    const other = (isBack ? fill.lay : fill.back)?.holding.account.id ?? HOUSE;
    const lost = divFloor(-judge.fill(fill, isBack ? BACK : LAY), judge.by);
    from.set(other, (from.get(other) ?? 0) + lost);
  }
  return from;
}

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
  for (const id of [...new Set([...old.keys(), ...payouts.keys()])].sort(byNumber)) {
    const before = old.get(id) ?? NOTHING;
    const after = payouts.get(id) ?? NOTHING;
    if (before.net === after.net && before.commission === after.commission) continue;
    repay(state, market, id, before, 'void', text);
    pay(state, market, id, after, text);
  }
  for (const holding of market.holdings.values()) noteShort(state, holding);
  holdUncovered(state, market, judge);
}

/** Takes the entry of an account in the payouts; without a net there is none. */
function enterPayout(market: Market, id: AccountId, net: number, commissionBps: number): void {
  if (net === 0) market.payouts!.delete(id);
  else market.payouts!.set(id, { net, commission: commissionOf(net, commissionBps) });
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

// ------------------------------------------------------------------------------------------------ taking bets out

/** The live fills in which one of the bets stands. */
function fillsOf(market: Market, orders: ReadonlySet<Order>): Fill[] {
  return market.fills.filter(
    ({ back, lay, void: gone }) => !gone && ((back !== null && orders.has(back)) || (lay !== null && orders.has(lay))),
  );
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
    voidFill(state, fill, 'voided');
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

// --------------------------------------------------------------------------------------------------- archives

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
  listMarket(state, market);
  soil(state, market);
  for (const fill of market.fills) soil(state, fill);
  for (const holding of market.holdings.values()) holding.account.holdings.set(market.id, holding);
  for (const order of market.orders) {
    state.orders.set(order.id, order);
    soil(state, order);
  }
}

function ids(holdings: ReadonlyMap<AccountId, Holding>): AccountId[] {
  return [...holdings.keys()].sort(byNumber);
}

function byNumber(a: number, b: number): number {
  return a - b;
}
