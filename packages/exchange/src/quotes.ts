/**
 * House-quoted markets (exchange reference 12): what a quote offers in each box, the amounts a bet fixes when it is
 * placed, the worst case of a set of bets, and how a result settles one of them. The sums per outcome are in runs.ts.
 */

import { roundDiv } from '@fairgame/contract';
import { cardAmounts, cardExposure, cardPosition, settleCard } from './cards.ts';
import type { QuoteBet, RunMarket } from './runs.ts';
import { meterCap, profitAt, runLadder, selectionHit, sufficientRuns, sumAt } from './runs.ts';
import type { BetResult, Position, Quote, QuoteKind, QuoteRow, Result, Side } from './types.ts';

export type { QuoteBet } from './runs.ts';

/**
 * Win and loss of a bet in minor units, rounded half away from zero (12.2). `price` is decimal hundredths or a rate per
 * 100 as the kind says. For a meter these are the extremes over the scores 0 to the cap.
 */
export function betAmounts(
  kind: QuoteKind,
  q: {
    side: Side;
    price: number;
    stakeMinor: number;
    line?: number | undefined;
    cap?: number | undefined;
    payMax?: number | undefined;
    payMin?: number | undefined;
  },
): { winMinor: number; lossMinor: number } {
  if (kind === 'card') return cardAmounts(q, q);
  if (kind === 'meter') {
    const line = q.line ?? 0; // 12.5: worst and best of a ladder 0 ... cap
    const up = Math.max(0, roundDiv(q.stakeMinor * q.price * (meterCap(line, q.cap) - line), 100));
    const down = roundDiv(q.stakeMinor * q.price * line, 100);
    return q.side === 'BACK' ? { winMinor: up, lossMinor: down } : { winMinor: down, lossMinor: up };
  }
  // 12.2: decimal o pays s(o-1), a rate r pays s x r/100.
  const prize = roundDiv(q.stakeMinor * (isDecimal(kind) ? q.price - 100 : q.price), 100);
  return q.side === 'BACK'
    ? { winMinor: prize, lossMinor: q.stakeMinor }
    : { winMinor: q.stakeMinor, lossMinor: prize };
}

/**
 * What may be taken now at one side of a row: price, line and the largest stake; null when nothing. Bookmaker rows have
 * boxes 0, 1, 2, best first (12.3); every other kind has box 0 only. Box limits: a third, a half, all of the maximum.
 */
export function quoteFor(
  market: {
    kind: QuoteKind;
    rateThan100?: boolean | undefined;
    maxStakeMinor: number;
    runners: { readonly length: number };
  },
  row: QuoteRow,
  side: Side,
  box: number,
): Quote | null {
  const quote = side === 'BACK' ? row.back : row.lay;
  if (row.status !== 'ACTIVE' || !quote || quote.sizeMinor <= 0) return null;
  if (market.kind !== 'bookmaker') {
    if (box !== 0 || (side === 'LAY' && isBackOnly(market.kind))) return null; // 12.2: no lay for these three
    const decimal = isDecimal(market.kind) || (market.kind === 'card' && quote.line === undefined);
    if (quote.price <= (decimal ? 100 : 0)) return null; // 12.3: a zero rate can't be bet
    if (hasLine(market.kind) && quote.line === undefined) return null;
    return { ...quote, sizeMinor: Math.min(quote.sizeMinor, market.maxStakeMinor) };
  }
  if (box !== 0 && box !== 1 && box !== 2) return null;
  if (quote.price <= 0) return null; // 12.3: zero rate shows "-"
  if (box > 0 && market.runners.length === 2 && quote.price > 100) return null; // 12.3: outer boxes are 0
  const price = side === 'BACK' ? quote.price - box : quote.price + box; // 12.3: r, r-1, r-2 and r, r+1, r+2
  if (price <= 0) return null;
  if (!market.rateThan100 && (side === 'BACK' ? price > 100 : price >= 100)) return null; // 12.3: lay above 99.99
  const share = Math.floor(market.maxStakeMinor / (3 - box)); // 12.3: maxBet/(3 - placeIndex)
  return { ...quote, price, sizeMinor: Math.min(quote.sizeMinor, share) };
}

/** Worst case over all outcomes, not negative, minor units (12.4, 12.5, 12.7). A void counts 0. */
export function quoteExposure(market: RunMarket, bets: readonly QuoteBet[]): number {
  if (market.kind === 'card') return cardExposure(market, bets);
  let worst = 0;
  for (const run of sufficientRuns(market, bets)) worst = Math.min(worst, sumAt(market, bets, run));
  return -worst || 0;
}

/** A table per runner for bookmaker and yes/no markets, rows per run for the number markets (untrimmed, 12.4). */
export function quotePosition(market: RunMarket, bets: readonly QuoteBet[]): Pick<Position, 'runners' | 'runs'> {
  const { kind } = market;
  if (kind === 'card') return cardPosition(market, bets);
  if (kind !== 'bookmaker' && !isYesNo(kind)) return { runs: runLadder(market, bets) };
  return {
    runners: market.runners.map(({ runnerId }, index) => {
      const own = bets.filter((bet) => bet.runnerId === runnerId);
      const hit = isYesNo(kind) ? Math.min(index, 1) : index;
      const miss = hit === 0 ? 1 : 0;
      return {
        runnerId,
        winMinor: sumAt(market, own, hit),
        loseMinor: market.runners.length > 1 || isYesNo(kind) ? sumAt(market, own, miss) : 0,
        netMinor: sumAt(market, bets, hit),
      };
    }),
  };
}

/**
 * How a result ends one bet. A void gives VOID; a tie gives TIE and the stake back (12.8), but in a tied-match market it
 * is the yes. Several winners in a bookmaker market are treated as a tie. Throws RangeError when the result does not fit
 * the kind of the market: the caller refuses such a result first.
 */
export function settleQuote(
  market: RunMarket,
  bet: QuoteBet,
  result: Result,
): { result: BetResult; profitMinor: number } {
  if (result.kind === 'void') return { result: 'VOID', profitMinor: 0 };
  if (result.kind === 'cards') return settleCard(bet, result);
  const outcome = outcomeOf(market, result);
  if (outcome === null) return { result: 'TIE', profitMinor: 0 };
  const profitMinor = profitAt(market, bet, outcome);
  if (market.kind === 'meter') {
    return { result: profitMinor > 0 ? 'WIN' : profitMinor < 0 ? 'LOSS' : 'TIE', profitMinor };
  }
  const won = selectionHit(market, bet, outcome) === (bet.side === 'BACK');
  return { result: won ? 'WIN' : 'LOSS', profitMinor };
}

/** The outcome number of runs.ts, or null for a tie. */
function outcomeOf(market: RunMarket, result: Exclude<Result, { kind: 'void' | 'cards' }>): number | null {
  const { kind } = market;
  if (result.kind === 'tie') return kind === 'tied' ? 0 : null;
  if (result.kind === 'yes' && isYesNo(kind)) return result.yes ? 0 : 1;
  if (result.kind === 'winners' && kind === 'bookmaker') {
    if (result.runnerIds.length > 1) return null;
    const index = market.runners.findIndex((runner) => runner.runnerId === result.runnerIds[0]);
    if (index >= 0) return index;
  }
  if (result.kind === 'score' && kind !== 'bookmaker' && !isYesNo(kind) && result.score >= 0) {
    if (kind === 'oddEven') return result.score % 2 === 1 ? 0 : 1; // 12.2: 0 is even
    return kind === 'cricketCasino' ? result.score % 10 : result.score; // 12.2: score mod 10
  }
  throw new RangeError(`result ${result.kind} does not fit a ${kind} market`);
}

function isDecimal(kind: QuoteKind): boolean {
  return isYesNo(kind) || kind === 'oddEven' || kind === 'cricketCasino';
}

function isYesNo(kind: QuoteKind): boolean {
  return kind === 'fancy1' || kind === 'tied' || kind === 'completed';
}

function isBackOnly(kind: QuoteKind): boolean {
  return kind === 'oddEven' || kind === 'cricketCasino' || kind === 'khado';
}

function hasLine(kind: QuoteKind): boolean {
  return kind === 'session' || kind === 'overByover' || kind === 'ballByBall' || kind === 'khado' || kind === 'meter';
}
