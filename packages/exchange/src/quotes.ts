/**
 * House-quoted markets (exchange reference 12): what a quote offers in each box, the amounts a bet fixes when it is
 * placed, the worst case of a set of bets, and how a result settles one of them. The sums per outcome are in runs.ts.
 */

import { divCeil, divFloor } from '@fairgame/contract';
import { cardAmounts, cardExposure, cardPosition, settleCard } from './cards.ts';
import { isYesNo } from './definition.ts';
import type { QuoteBet, RunMarket } from './runs.ts';
import { outcomeOfRunner, profitE4, runLadder, selectionHit, sufficientRuns, sumAt } from './runs.ts';
import type { BetResult, Position, Quote, QuoteKind, QuoteRow, Result, RunnerId, Side } from './types.ts';

export type { QuoteBet } from './runs.ts';

/**
 * Win and loss of a bet in minor units (12.2), the win rounded down and the loss up. `price` is decimal hundredths or a rate per
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
    const up = Math.max(0, q.stakeMinor * q.price * ((q.cap ?? 0) - line));
    const down = q.stakeMinor * q.price * line;
    return q.side === 'BACK'
      ? { winMinor: divFloor(up, 100), lossMinor: divCeil(down, 100) }
      : { winMinor: divFloor(down, 100), lossMinor: divCeil(up, 100) };
  }
  const prize = prizeOf(kind, q);
  return q.side === 'BACK'
    ? { winMinor: divFloor(prize, 100), lossMinor: q.stakeMinor }
    : { winMinor: q.stakeMinor, lossMinor: divCeil(prize, 100) };
}

/** What the backer of a fixed prize wins, exactly, in 1/10 000 of the currency. A decimal o pays s(o-1), a rate r s x r/100. */
export function prizeOf(kind: QuoteKind, q: { price: number; stakeMinor: number; line?: number | undefined }): number {
  const decimal = isDecimal(kind) || (kind === 'card' && q.line === undefined);
  return q.stakeMinor * (decimal ? q.price - 100 : q.price);
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
    runners: market.runners.map(({ runnerId }) => {
      const own = bets.filter((bet) => bet.runnerId === runnerId);
      const hit = outcomeOfRunner(market, runnerId);
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
  const exact = profitE4(market, bet, outcome);
  const profitMinor = divFloor(exact, 100);
  if (market.kind === 'meter') return { result: exact > 0 ? 'WIN' : exact < 0 ? 'LOSS' : 'TIE', profitMinor };
  const won = selectionHit(market, bet, outcome) === (bet.side === 'BACK');
  return { result: won ? 'WIN' : 'LOSS', profitMinor };
}

/** The outcome number of runs.ts, or null for a tie. */
function outcomeOf(market: RunMarket, result: Exclude<Result, { kind: 'void' | 'cards' }>): number | null {
  const { kind } = market;
  if (result.kind === 'tie') return kind === 'tied' ? 0 : null;
  if (result.kind === 'yes' && isYesNo(kind)) return result.yes ? 0 : 1;
  if ((result.kind === 'winners' || result.kind === 'ranks') && kind === 'bookmaker') {
    const won = result.kind === 'winners' ? result.runnerIds : best(result.ranks);
    if (won.length > 1) return null;
    const outcome = outcomeOfRunner(market, won[0] ?? -1);
    if (outcome >= 0) return outcome;
  }
  if (result.kind === 'score' && kind !== 'bookmaker' && !isYesNo(kind) && result.score >= 0) {
    if (kind === 'oddEven') return result.score % 2 === 1 ? 0 : 1; // 12.2: 0 is even
    return kind === 'cricketCasino' ? result.score % 10 : result.score; // 12.2: score mod 10
  }
  throw new RangeError(`result ${result.kind} does not fit a ${kind} market`);
}

function best(ranks: ReadonlyArray<{ runnerId: RunnerId; rank: number }>): RunnerId[] {
  const first = ranks.reduce((least, one) => Math.min(least, one.rank), Number.POSITIVE_INFINITY);
  return ranks.filter((one) => one.rank === first).map((one) => one.runnerId);
}

function isDecimal(kind: QuoteKind): boolean {
  return isYesNo(kind) || kind === 'oddEven' || kind === 'cricketCasino';
}

function isBackOnly(kind: QuoteKind): boolean {
  return kind === 'oddEven' || kind === 'cricketCasino' || kind === 'khado';
}

function hasLine(kind: QuoteKind): boolean {
  return kind === 'session' || kind === 'overByover' || kind === 'ballByBall' || kind === 'khado' || kind === 'meter';
}
