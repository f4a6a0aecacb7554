/**
 * Results: what every account gets from a market, its exact reversal, and bets taken out by the operator (exchange
 * reference 8). An account's net of a market is rounded once, half away from zero; what rounding leaves goes to ROUNDING,
 * so that the market's clearing account ends at exactly zero.
 */

import { fitsCards } from './cards.ts';
import { divRound } from './exposure.ts';
import type { Refused } from './guard.ts';
import { assert, isCount, refuse } from './guard.ts';
import { endRemaining, grossTotal, quoteBet, runMarket, setResult } from './holding.ts';
import { clearHouse } from './house.ts';
import { accountOf, post } from './ledger.ts';
import { lapse, refreshHoldings, voidFill, voidMatched } from './markets.ts';
import { settleQuote } from './quotes.ts';
import { dropMarket, restoreMarket, snapshotMarket } from './snapshot.ts';
import type { Market, Order, Payout, Runner, State } from './state.ts';
import type { AccountId, Command, MarketSnapshot, Result } from './types.ts';
import { COMMISSION, HOUSE, ROUNDING } from './types.ts';
import { changeMarket, put, soil, touchHolding, touchOrder } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export function declare(state: State, c: Of<'market.declare'>): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  if (!fits(market, c.result)) return refuse('RESULT_INVALID', 'result');
  const result = copyResult(c.result);
  lapse(state, market, 'LAPSED_CLOSED', () => true);
  clearHouse(state, market);
  market.status = 'CLOSED';
  market.reason = '';
  market.result = result;
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
  put(state.out, {
    type: 'archived',
    marketId: market.id,
    snapshot: { snapshot: 1, market: snapshotMarket(market) },
  });
  dropMarket(state, market);
  return null;
}

const NOTHING: Payout = { net: 0, commission: 0 };

/** Sets result and profit of every bet that counts, and says what each account gets, smallest account id first. */
function computePayouts(state: State, market: Market, result: Result): Map<AccountId, Payout> {
  return market.isBook ? bookPayouts(state, market, result) : quotePayouts(state, market, result);
}

function bookPayouts(state: State, market: Market, result: Result): Map<AccountId, Payout> {
  const share = shares(market, result);
  const nets = new Map<AccountId, bigint>();
  let house = 0n;
  for (const order of market.orders) {
    if (order.matched === 0) continue;
    const exact =
      share === null ? 0n : exactProfit(share, order.runner.index, order.code, order.matchedSum, order.matched);
    nets.set(order.holding.account.id, (nets.get(order.holding.account.id) ?? 0n) + exact);
    house -= exact;
    order.profit = share === null ? 0 : toMinor(exact, share.of);
    if (share === null) setResult(order, result.kind === 'tie' ? 'TIE' : 'VOID');
    else setResult(order, exact > 0n ? 'WIN' : exact < 0n ? 'LOSS' : 'TIE');
    touchOrder(state, order);
  }
  // What players win the house loses: the fills it stood in are the only other side there is.
  const payouts = new Map<AccountId, Payout>();
  if (share === null) return payouts;
  let rest = 0;
  for (const id of [...nets.keys()].sort(byNumber)) {
    const net = toMinor(nets.get(id)!, share.of);
    rest -= net;
    addPayout(payouts, id, net, market.def.commissionBps);
  }
  assert(house === houseProfit(market, share), 'INV-04', `house and players differ in market ${market.id}`);
  const houseNet = toMinor(house, share.of);
  addPayout(payouts, HOUSE, houseNet, 0);
  addPayout(payouts, ROUNDING, rest - houseNet, 0);
  return payouts;
}

function quotePayouts(state: State, market: Market, result: Result): Map<AccountId, Payout> {
  const nets = new Map<AccountId, number>();
  const view = runMarket(market);
  let house = 0;
  for (const order of market.orders) {
    if (order.matched === 0) continue;
    const { result: won, profitMinor } = settleQuote(view, quoteBet(order), result);
    nets.set(order.holding.account.id, (nets.get(order.holding.account.id) ?? 0) + profitMinor);
    house -= profitMinor;
    order.profit = profitMinor;
    setResult(order, won);
    touchOrder(state, order);
  }
  const payouts = new Map<AccountId, Payout>();
  for (const id of [...nets.keys()].sort(byNumber)) addPayout(payouts, id, nets.get(id)!, market.def.commissionBps);
  addPayout(payouts, HOUSE, house, 0);
  return payouts;
}

function addPayout(payouts: Map<AccountId, Payout>, id: AccountId, net: number, commissionBps: number): void {
  if (net === 0) return;
  payouts.set(id, { net, commission: net > 0 ? divRound(net * commissionBps, 10_000) : 0 });
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

/** Each winner takes `won` parts of `of` of a full win (dead heat: w places shared by m runners, 8.2). */
interface Shares {
  winners: Set<number>;
  won: number;
  of: number;
}

/** Null when every stake goes back. */
function shares(market: Market, result: Result): Shares | null {
  if (result.kind === 'winners') {
    const winners = new Set(result.runnerIds.map((id) => market.byId.get(id)!.index));
    const places = Math.min(market.def.winners, winners.size);
    return { winners, won: places, of: winners.size };
  }
  if (result.kind === 'tie' && market.def.tieRule === 'DEAD_HEAT' && market.active.length > 0) {
    const winners = new Set(market.active);
    return { winners, won: Math.min(market.def.winners, winners.size), of: winners.size };
  }
  return null;
}

/** In 1/10 000 of the currency, times `share.of`. */
function exactProfit(share: Shares, runner: number, side: number, sum: number, matched: number): bigint {
  const win = BigInt(sum) - 100n * BigInt(matched);
  const lose = -100n * BigInt(matched);
  const won = share.winners.has(runner) ? BigInt(share.won) : 0n;
  const back = win * won + lose * (BigInt(share.of) - won);
  return side === 0 ? back : -back;
}

function houseProfit(market: Market, share: Shares): bigint {
  let sum = 0n;
  for (const fill of market.fills) {
    if (fill.void || (fill.back !== null && fill.lay !== null)) continue;
    sum += exactProfit(share, fill.runner.index, fill.back === null ? 0 : 1, fill.paid * fill.size, fill.size);
  }
  return sum;
}

/** 1/10 000 times `of` to minor units, half away from zero. */
function toMinor(exact: bigint, of: number): number {
  const by = BigInt(of) * 100n;
  const size = exact < 0n ? -exact : exact;
  const rounded = Number((size * 2n + by) / (by * 2n));
  assert(Number.isSafeInteger(rounded), 'INV-07', 'a result beyond safe integers');
  return exact < 0n ? -rounded || 0 : rounded;
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

function fits(market: Market, result: Result): boolean {
  if (typeof result !== 'object' || result === null) return false;
  const { kind } = market.def;
  switch (result.kind) {
    case 'void':
      return typeof result.reason === 'string';
    case 'tie':
      return true;
    case 'winners': {
      if (kind !== 'book' && kind !== 'bookmaker') return false;
      if (!Array.isArray(result.runnerIds) || new Set(result.runnerIds).size !== result.runnerIds.length) return false;
      const standing = result.runnerIds.every((id) => (market.byId.get(id)?.status ?? 'REMOVED') !== 'REMOVED');
      const least = Math.min(market.def.winners, market.active.length);
      return standing && result.runnerIds.length >= Math.max(1, least);
    }
    case 'yes':
      return (kind === 'fancy1' || kind === 'tied' || kind === 'completed') && typeof result.yes === 'boolean';
    case 'score':
      return SCORED.has(kind) && isCount(result.score);
    case 'cards':
      return kind === 'card' && typeof result.text === 'string' && fitsCards(runMarket(market), result);
    default:
      return false;
  }
}

const SCORED = new Set<string>(['session', 'overByover', 'ballByBall', 'oddEven', 'khado', 'meter', 'cricketCasino']);

function markRunner(market: Market, runner: Runner, result: Result): void {
  if (runner.status === 'REMOVED') return;
  if (result.kind === 'winners') runner.status = result.runnerIds.includes(runner.id) ? 'WINNER' : 'LOSER';
  else if (result.kind === 'yes') runner.status = (runner.index === 0) === result.yes ? 'WINNER' : 'LOSER';
  else if (result.kind === 'score' && market.def.kind === 'oddEven') {
    runner.status = runner.index === (result.score % 2 === 1 ? 0 : 1) ? 'WINNER' : 'LOSER';
  } else if (result.kind === 'score' && market.def.kind === 'cricketCasino') {
    runner.status = runner.index === result.score % 10 ? 'WINNER' : 'LOSER';
  } else if (result.kind === 'cards') {
    const end = result.pays.find((pay) => pay.runnerId === runner.id);
    runner.status = end?.is === 'WIN' ? 'WINNER' : end?.is === 'LOSE' ? 'LOSER' : 'ACTIVE';
  } else runner.status = 'ACTIVE';
}

function resultText(market: Market, result: Result): string {
  switch (result.kind) {
    case 'winners':
      return result.runnerIds.map((id) => market.byId.get(id)!.def.name).join(', ');
    case 'score':
      return String(result.score);
    case 'yes':
      return result.yes ? 'Yes' : 'No';
    case 'cards':
      return result.text;
    case 'tie':
      return 'Tie';
    case 'void':
      return `Void, ${result.reason}`;
  }
}

function copyResult(result: Result): Result {
  if (result.kind === 'cards') return { ...result, pays: result.pays.map((pay) => ({ ...pay })) };
  return result.kind === 'winners' ? { ...result, runnerIds: [...result.runnerIds] } : { ...result };
}

/** The market in memory, or read from its archive but not entered yet. */
function recall(state: State, marketId: number, archived: MarketSnapshot | undefined): Market | Refused {
  const market = state.markets.get(marketId);
  if (market !== undefined) return market;
  if (archived === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  const restored = restoreMarket(state, archived.market);
  if (restored === null || restored.id !== marketId) return refuse('MARKET_UNKNOWN', 'archived');
  return restored;
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
