/**
 * An account's sums in one market: how bets enter and leave them, and what they may cost at worst. Also the one test
 * that decides whether a new risk may stand.
 */
import { MAX_ODDS } from '@fairgame/contract';
import { BACK, remove } from './book.ts';
import { heldMinor, LOSE, OPEN_LIABILITY, OPEN_STAKE, SUMS, WIN, worstE4 } from './exposure.ts';
import type { Refused } from './guard.ts';
import { assert, refuse } from './guard.ts';
import type { QuoteBet } from './quotes.ts';
import { quoteExposure } from './quotes.ts';
import type { RunMarket } from './runs.ts';
import type { Holding, Market, Order, State } from './state.ts';
import type { BetResult, EndCode, QuoteKind } from './types.ts';
import { touchHolding, touchLevel, touchOrder } from './work.ts';

/** Counts `size` of an unmatched order (negative: takes it out). The bound of the market moves with it. */
export function countOpen(holding: Holding, order: Order, size: number): void {
  const at = SUMS * order.runner.index;
  if (order.code === BACK) holding.sums[at + OPEN_STAKE]! += size * 100;
  else holding.sums[at + OPEN_LIABILITY]! += size * (order.price - 100);
}

/** Counts a matched amount at its price (negative: takes it out). */
export function countMatched(holding: Holding, runnerIndex: number, side: number, price: number, size: number): void {
  const at = SUMS * runnerIndex;
  const signed = side === BACK ? size : -size;
  holding.sums[at + WIN]! += signed * (price - 100);
  holding.sums[at + LOSE]! -= signed * 100;
}

/** What a live bet adds to the market's bound (`Market.gross`). */
export function grossOf(side: number, price: number, size: number): number {
  return size * (side === BACK ? MAX_ODDS : price);
}

/** The market's bound from its bets. */
export function grossTotal(market: Market): number {
  let sum = 0;
  for (const order of market.orders) sum += grossOf(order.code, order.price, order.matched + order.remaining);
  return sum;
}

export function exposureOf(holding: Holding): number {
  const { market, account } = holding;
  if (market.status === 'CLOSED' || account.kind === 'system') return 0;
  if (market.isBook) return heldMinor(worstE4(holding.sums, market.active, market.def.winners));
  return quotesExposure(market, holding.orders, null);
}

/** Worst case of quote bets, `extra` counted with them. A delayed bet counts only where it would lose: it may still lapse. */
export function quotesExposure(market: Market, orders: readonly Order[], extra: Order | null): number {
  const bets: QuoteBet[] = [];
  for (let i = 0; i <= orders.length; i++) {
    const order = i < orders.length ? orders[i]! : extra;
    if (order === null || order.result !== 'PENDING') continue;
    bets.push(order.status === 'PENDING' ? { ...quoteBet(order), pending: true } : quoteBet(order));
  }
  return quoteExposure(runMarket(market), bets);
}

/** The market as quotes.ts wants it: removed runners of a bookmaker market can't win any more. */
export function runMarket(market: Market): {
  kind: QuoteKind;
  cap?: number;
  runners: RunMarket['runners'];
} {
  const runners = market.runners
    .filter((r) => r.status !== 'REMOVED')
    .map(({ id, def }) => ({
      runnerId: id,
      width: def.width,
      stands: def.stands,
      digit: def.digit,
      group: def.group,
      payMax: def.payMax,
      payMin: def.payMin,
    }));
  const kind = market.def.kind as QuoteKind;
  return market.def.cap === undefined ? { kind, runners } : { kind, cap: market.def.cap, runners };
}

export function quoteBet(order: Order): QuoteBet {
  const bet: QuoteBet = {
    runnerId: order.runner.id,
    side: order.side,
    price: order.price,
    stakeMinor: order.matched + order.remaining,
    winMinor: order.terms?.win ?? 0,
    lossMinor: order.terms?.loss ?? 0,
  };
  if (order.terms?.line !== undefined) bet.line = order.terms.line;
  if (order.terms?.width !== undefined) bet.width = order.terms.width;
  return bet;
}

/**
 * Whether an account may take its exposure in a market to `exposure` (exchange reference 9.2). What lowers it always
 * may, even with nothing available; what raises it must leave available money at 0 or more, and keep every limit.
 */
export function riskRefusal(holding: Holding, exposure: number): Refused | null {
  const { account, market } = holding;
  const more = exposure - holding.exposure;
  if (more <= 0) return null;
  if (account.balance - account.exposure - more < 0) return refuse('INSUFFICIENT_FUNDS');
  if (account.lossFloor !== null && account.balance - account.exposure - more < account.lossFloor)
    return refuse('LOSS_LIMIT');
  if (account.exposureLimit > 0 && account.exposure + more > account.exposureLimit) return refuse('EXPOSURE_LIMIT');
  if (market.def.maxExposureMinor > 0 && exposure > market.def.maxExposureMinor) return refuse('MARKET_EXPOSURE_LIMIT');
  return null;
}

/** Gives a bet its result; keeps the count of open bets. */
export function setResult(order: Order, result: BetResult): void {
  if ((order.result === 'PENDING') !== (result === 'PENDING')) order.holding.open += result === 'PENDING' ? 1 : -1;
  order.result = result;
}

/**
 * Ends what is left of a bet, resting or delayed, and releases its money. Which of cancelled, lapsed or voided it goes
 * to follows from the code. A bet with nothing matched is over: result VOID (UNDECLARE when the operator voids).
 */
export function endRemaining(state: State, order: Order, code: EndCode, reason?: string): void {
  const left = order.remaining;
  if (order.node !== 0) {
    touchLevel(state, order.runner, state.pool.level[order.node]!);
    remove(order.runner.book, order.node);
    order.node = 0;
  }
  if (order.terms === null) {
    countOpen(order.holding, order, -left);
    order.holding.market.gross -= grossOf(order.code, order.price, left);
  }
  order.remaining = 0;
  if (code === 'VOIDED') order.voided += left;
  else if (code === 'CANCELLED' || code === 'KILLED' || code === 'SELF_MATCH') order.cancelled += left;
  else order.lapsed += left;
  order.status = 'COMPLETE';
  order.dueAt = 0;
  order.endCode = code;
  if (reason !== undefined) order.reason = reason;
  if (order.matched === 0) setResult(order, code === 'VOIDED' ? 'UNDECLARE' : 'VOID');
  touchOrder(state, order);
  touchHolding(state, order.holding);
}

/** Computes the sums anew from the bets and, for the house, from the fills in which it stood. */
export function rebuildSums(holding: Holding): void {
  const { market } = holding;
  if (!market.isBook) return;
  holding.sums.fill(0);
  for (const order of holding.orders) {
    const at = SUMS * order.runner.index;
    const sign = order.code === BACK ? 1 : -1;
    holding.sums[at + WIN]! += sign * (order.matchedSum - 100 * order.matched);
    holding.sums[at + LOSE]! -= sign * 100 * order.matched;
    if (order.remaining > 0) countOpen(holding, order, order.remaining);
  }
  if (holding !== market.house) return;
  for (const fill of market.fills) {
    if (fill.void) continue;
    if (fill.back === null) countMatched(holding, fill.runner.index, BACK, fill.paid, fill.size);
    else if (fill.lay === null) countMatched(holding, fill.runner.index, 1, fill.paid, fill.size);
  }
}

/** The parts of a bet always make up its size (invariant 1 of the exchange reference 16). */
export function assertWhole(o: Order): void {
  const whole = o.matched + o.remaining + o.cancelled + o.lapsed + o.voided;
  if (o.size !== whole || o.remaining < 0 || o.matched < 0) assert(false, 'INV-13', `parts of bet ${o.id}`);
}
