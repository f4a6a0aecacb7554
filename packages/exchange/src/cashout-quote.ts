/** What leaving a position would bring this moment, from the books and quotes as they stand (exchange reference 10). */
import { roundDiv, TICKS, tickIndex } from '@fairgame/contract';
import type { SideCode } from './book.ts';
import { BACK, LAY } from './book.ts';
import type { CashOut, RunnerOffers } from './cashout.ts';
import { cashOut, cashOutRate, greenUp } from './cashout.ts';
import { restingOf } from './live.ts';
import { priceOf } from './orders.ts';
import { position, quoteRows } from './readings.ts';
import type { Order, Runner, State } from './state.ts';
import type { AccountId, BetId, MarketId, Position, RunnerId } from './types.ts';

export interface CashOutQuote {
  cashOut: CashOut;
  /** The account's waiting orders in the market: they are no part of the position and go with it. */
  cancels: BetId[];
  /** To be sent with the group of bets: refused once the market has changed in what matters. */
  marketVersion: number;
}

/** How much of a position is left: a percentage, or the part with so much of its exposure (what it loses at worst). */
export type Share = { percent: number } | { amountMinor: number };

const ALL: Share = { percent: 100 };

/**
 * What leaving a market would bring the account this moment: of a book or a bookmaker market whole, or of one runner
 * (`runnerId`) in a book. Its own waiting orders are not among the offers. Null: unknown market, or one of another kind.
 * With a share `results` are those of all of it, what is left among them.
 */
export function cashOutQuote(
  state: State,
  accountId: AccountId,
  marketId: MarketId,
  runnerId?: RunnerId,
  share = ALL,
): CashOutQuote | null {
  const market = state.markets.get(marketId);
  const standing = position(state, accountId, marketId);
  if (market === undefined || standing?.runners === undefined) return null;
  if (!market.isBook && market.def.kind !== 'bookmaker') return null;
  const fraction = fractionOf(share, standing.runners, runnerId);
  const runners = standing.runners.map((one) => partOf(one, fraction));
  const { status, minStake: minStakeMinor, maxStake: maxStakeMinor, def } = market;
  const holding = market.holdings.get(accountId);
  const waiting = holding ? restingOf(holding.live) : [];
  const cancels = waiting.map((order) => order.id);
  const limits = { status, minStakeMinor, maxStakeMinor, commissionBps: def.commissionBps };
  const quote = (part: CashOut) => {
    const cashOut = withRest(part, standing.runners!, fraction, def.commissionBps);
    return { cashOut, cancels, marketVersion: market.version };
  };
  if (!market.isBook) {
    const { rateThan100 } = def;
    const rates = { ...limits, rows: quoteRows(state, marketId), ...(rateThan100 !== undefined && { rateThan100 }) };
    return quote(runnerId === undefined ? cashOutRate(runners, rates) : { ok: false, reason: 'WRONG_MARKET' });
  }
  const offers = { ...limits, winners: def.winners, runners: market.runners.map((one) => offersOf(one, waiting)) };
  if (runnerId === undefined) return quote(cashOut(runners, offers));
  const own = runners.find((one) => one.runnerId === runnerId);
  return quote(own === undefined ? { ok: false, reason: 'NO_POSITION' } : greenUp(own, offers));
}

type Row = NonNullable<Position['runners']>[number];

/** So many parts of so many. */
type Fraction = readonly [taken: number, whole: number];

/** Of a position that can lose nothing no amount of the loss can be left. */
function fractionOf(share: Share, rows: readonly Row[], runnerId: RunnerId | undefined): Fraction {
  if ('percent' in share) return [share.percent, 100];
  const own = rows.find((row) => row.runnerId === runnerId);
  const worst = Math.min(
    ...(runnerId === undefined ? rows.map((row) => row.netMinor) : [own?.winMinor ?? 0, own?.loseMinor ?? 0]),
  );
  return worst < 0 ? [Math.min(share.amountMinor, -worst), -worst] : [0, 1];
}

/** Exact: both may be as large as money gets. */
function part(amount: number, [taken, whole]: Fraction): number {
  if (taken === whole) return amount;
  const twice = BigInt(Math.abs(amount)) * BigInt(taken) * 2n;
  return Math.sign(amount) * Number((twice + BigInt(whole)) / (2n * BigInt(whole))) || 0;
}

function partOf({ runnerId, winMinor, loseMinor, netMinor }: Row, fraction: Fraction): Row {
  const [win, lose, net] = [winMinor, loseMinor, netMinor].map((amount) => part(amount, fraction));
  return { runnerId, winMinor: win!, loseMinor: lose!, netMinor: net! };
}

/** What closing a part leaves of the whole. Of one runner the second result is that if it loses. */
function withRest(closed: CashOut, all: readonly Row[], fraction: Fraction, commissionBps: number): CashOut {
  if (!closed.ok || fraction[0] === fraction[1]) return closed;
  const own =
    closed.results.at(-1)?.runnerId === 0 ? all.find((row) => row.runnerId === closed.results[0]!.runnerId) : undefined;
  const rest = (runnerId: RunnerId) => {
    const row = own ?? all.find((one) => one.runnerId === runnerId);
    const amount = own === undefined ? (row?.netMinor ?? 0) : runnerId === 0 ? own.loseMinor : own.winMinor;
    return amount - part(amount, fraction);
  };
  const results = closed.results.map(({ runnerId, netMinor }) => ({ runnerId, netMinor: netMinor + rest(runnerId) }));
  const worst = Math.min(...results.map(({ netMinor }) => netMinor));
  const commission = worst > 0 ? roundDiv(worst * commissionBps, 10_000) : 0;
  return { ...closed, results, valueMinor: worst - commission };
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
