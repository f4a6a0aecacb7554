/** What leaving a position would bring this moment, from the books and quotes as they stand (exchange reference 10). */
import { TICKS, tickIndex } from '@fairgame/contract';
import type { SideCode } from './book.ts';
import { BACK, LAY } from './book.ts';
import type { CashOut, RunnerOffers } from './cashout.ts';
import { cashOut, cashOutRate, greenUp } from './cashout.ts';
import { restingOf } from './live.ts';
import { priceOf } from './orders.ts';
import { position, quoteRows } from './readings.ts';
import type { Order, Runner, State } from './state.ts';
import type { AccountId, BetId, MarketId, RunnerId } from './types.ts';

export interface CashOutQuote {
  cashOut: CashOut;
  /** The account's waiting orders in the market: they are no part of the position and go with it. */
  cancels: BetId[];
  /** To be sent with the group of bets: refused once the market has changed in what matters. */
  marketVersion: number;
}

/**
 * What leaving a market would bring the account this moment: of a book or a bookmaker market whole, or of one runner
 * (`runnerId`) in a book. Its own waiting orders are not among the offers. Null: unknown market, or one of another kind.
 */
export function cashOutQuote(
  state: State,
  accountId: AccountId,
  marketId: MarketId,
  runnerId?: RunnerId,
): CashOutQuote | null {
  const market = state.markets.get(marketId);
  const standing = position(state, accountId, marketId);
  if (market === undefined || standing?.runners === undefined) return null;
  if (!market.isBook && market.def.kind !== 'bookmaker') return null;
  const { status, minStake: minStakeMinor, maxStake: maxStakeMinor, def } = market;
  const holding = market.holdings.get(accountId);
  const waiting = holding ? restingOf(holding.live) : [];
  const cancels = waiting.map((order) => order.id);
  const limits = { status, minStakeMinor, maxStakeMinor, commissionBps: def.commissionBps };
  const quote = (cashOut: CashOut) => ({ cashOut, cancels, marketVersion: market.version });
  if (!market.isBook) {
    const { rateThan100 } = def;
    const rates = { ...limits, rows: quoteRows(state, marketId), ...(rateThan100 !== undefined && { rateThan100 }) };
    return quote(runnerId === undefined ? cashOutRate(standing.runners, rates) : { ok: false, reason: 'WRONG_MARKET' });
  }
  const offers = { ...limits, winners: def.winners, runners: market.runners.map((one) => offersOf(one, waiting)) };
  if (runnerId === undefined) return quote(cashOut(standing.runners, offers));
  const own = standing.runners.find((one) => one.runnerId === runnerId);
  return quote(own === undefined ? { ok: false, reason: 'NO_POSITION' } : greenUp(own, offers));
}

/** What a runner offers to the owner of the given waiting orders. */
function offersOf(runner: Runner, waiting: readonly Order[]): RunnerOffers {
  const { book, id: runnerId, status } = runner;
  const own = new Map<number, number>();
  for (const { runner: at, code, price, remaining } of waiting) {
    if (at !== runner) continue;
    const level = code * TICKS + tickIndex(price);
    own.set(level, (own.get(level) ?? 0) + remaining);
  }
  const levels = (from: number, step: 1 | -1, side: SideCode): Array<[number, number]> => {
    const found: Array<[number, number]> = [];
    for (let tick = from; tick >= 0 && tick < TICKS; tick += step) {
      const level = side * TICKS + tick;
      const size = book.total[level]! - (own.get(level) ?? 0);
      if (size > 0) found.push([priceOf(level), size]);
    }
    return found;
  };
  return { runnerId, status, backable: levels(book.bestLay, -1, LAY), layable: levels(book.bestBack, 1, BACK) };
}
