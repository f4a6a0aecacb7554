/**
 * Number and two-way markets of the house: what a bet brings on each score, the run ladder with its display trim, and
 * the rows that suffice for the worst case (exchange reference 12.4 and 12.5). One function, `profitAt`, is the only
 * place that knows who wins what; exposure, ladder and settlement all read it.
 *
 * An outcome is a number: the score (session kinds, khado, meter), the last digit (cricketCasino), 0 odd / 1 even
 * (oddEven), 0 yes / 1 no (fancy1, tied, completed), the index of the winning runner (bookmaker).
 */

import { roundDiv } from '@fairgame/contract';
import type { QuoteKind, RunnerId, Side } from './types.ts';

/** A bet on a house quote; `winMinor` and `lossMinor` were fixed when it was placed (12.2). */
export type QuoteBet = {
  runnerId: RunnerId;
  side: Side;
  price: number;
  stakeMinor: number;
  line?: number;
  winMinor: number;
  lossMinor: number;
  /** khado: how many runs the row covers; the runner's width when absent. */
  width?: number;
  /** Accepted but still delayed: it may yet lapse, so sums count it only where it loses. */
  pending?: boolean;
};

/**
 * What these sums need of a market. The order of `runners` carries meaning: yes then no (fancy1, tied, completed), odd
 * then even (oddEven), digits 0 to 9 (cricketCasino).
 */
export interface RunMarket {
  kind: QuoteKind;
  cap?: number | undefined;
  runners: ReadonlyArray<{
    runnerId: RunnerId;
    width?: number | undefined;
    group?: number | undefined;
    payMax?: number | undefined;
    payMin?: number | undefined;
  }>;
}

export interface RunRow {
  run: number;
  profitMinor: number;
}

/** Rows shown beyond the outermost lines of a session (12.4). */
const PADDING = 5;
/** khado lists end this far above the last covered run (12.5: l + N + 9). */
const KHADO_TAIL = 9;
/** A meter without a stored cap ends here above its line (12.5: ladder 0 to l + 100). */
const METER_TAIL = 100;

/** The score at which a meter bet stops counting: the market's cap, else its line + 100 (12.5). */
export function meterCap(line: number, cap: number | undefined): number {
  return cap ?? line + METER_TAIL;
}

/** Result of one bet in minor units when `outcome` (see the head of this file) comes true. */
export function profitAt(market: RunMarket, bet: QuoteBet, outcome: number): number {
  if (market.kind === 'meter') {
    const line = bet.line ?? 0;
    const score = Math.min(Math.max(outcome, 0), meterCap(line, market.cap));
    const runs = bet.side === 'BACK' ? score - line : line - score;
    return roundDiv(bet.stakeMinor * bet.price * runs, 100); // 12.2: s x r/100 a run
  }
  const happened = selectionHit(market, bet, outcome);
  return happened === (bet.side === 'BACK') ? bet.winMinor : -bet.lossMinor || 0;
}

/** Whether what the bet names (score at the line, this digit, this runner) came true; the side is not looked at. */
export function selectionHit(market: RunMarket, bet: QuoteBet, outcome: number): boolean {
  switch (market.kind) {
    case 'session':
    case 'overByover':
    case 'ballByBall':
    case 'meter':
      return outcome >= (bet.line ?? 0); // 12.2: yes if score >= line
    case 'khado': {
      const line = bet.line ?? 0;
      return outcome >= line && outcome < line + khadoWidth(market, bet); // 12.2: l <= score <= l + N - 1
    }
    case 'fancy1':
    case 'tied':
    case 'completed':
      return (market.runners[0]?.runnerId === bet.runnerId) === (outcome === 0); // 12.5: {yes, no}
    case 'card': // cards.ts
    case 'oddEven':
    case 'cricketCasino':
    case 'bookmaker':
      return market.runners[outcome]?.runnerId === bet.runnerId; // 12.2: runner is the result
  }
}

/**
 * Outcomes among which the worst case of these bets surely is. Session kinds: {lowest line - 1} and every line (12.4);
 * khado adds the first run above each row; meter is every score up to the cap, since each bet is rounded by itself.
 */
export function sufficientRuns(market: RunMarket, bets: readonly QuoteBet[]): number[] {
  switch (market.kind) {
    case 'session':
    case 'overByover':
    case 'ballByBall':
    case 'khado': {
      if (bets.length === 0) return [];
      const runs = new Set<number>();
      let lowest = Number.POSITIVE_INFINITY;
      for (const bet of bets) {
        const line = bet.line ?? 0;
        lowest = Math.min(lowest, line);
        runs.add(Math.max(0, line));
        if (market.kind === 'khado') runs.add(Math.max(0, line + khadoWidth(market, bet)));
      }
      if (lowest > 0) runs.add(lowest - 1);
      return [...runs].sort((a, b) => a - b);
    }
    case 'card': // cards.ts
      return [];
    case 'meter':
      return range(0, meterTop(market, bets));
    case 'cricketCasino':
      return range(0, 9);
    case 'oddEven':
    case 'fancy1':
    case 'tied':
    case 'completed':
      return [0, 1];
    case 'bookmaker':
      return range(0, market.runners.length - 1);
  }
}

/**
 * The full ladder as stored and sent, one row a run: session kinds from 5 under the lowest line (not under 0) to 5 over
 * the highest (12.4), khado from 1 to l+N+9, meter 0 to the cap, digits 0 to 9, and 0/1 for the two-way kinds (12.5).
 * Empty for a session or khado without bets. `draft` is a bet being typed: its what-if.
 */
export function runLadder(market: RunMarket, bets: readonly QuoteBet[], draft?: QuoteBet): RunRow[] {
  const all = draft ? [...bets, draft] : bets;
  return ladderRuns(market, all).map((run) => ({ run, profitMinor: sumAt(market, all, run) }));
}

/** Sum of the bets' results on one outcome, minor units. */
export function sumAt(market: RunMarket, bets: readonly QuoteBet[], outcome: number): number {
  let sum = 0;
  for (const bet of bets) {
    const profit = profitAt(market, bet, outcome);
    if (profit < 0 || !bet.pending) sum += profit;
  }
  return sum;
}

/**
 * The rows a player sees of a session ladder. Lists of 8 or fewer are whole. Longer ones lose 4 rows at each end around
 * the first sign change as 12.4 describes; a list of one sign (all negative too) loses the first and the last 4. Besides,
 * both rows of every sign change stay, and the rows on both sides of each border of the worst value. Zero is not
 * negative. Meter and khado lists are never passed here.
 */
export function trimRuns<Row extends { profitMinor: number }>(rows: readonly Row[]): Row[] {
  const n = rows.length;
  if (n <= 8) return [...rows];
  const negative = rows.map((row) => row.profitMinor < 0);
  const change = negative.findIndex((sign, i) => i > 0 && sign !== negative[i - 1]);
  let from = 4;
  let to = n - 4;
  if (change > 4) to = n - Math.min(4, n - change);
  else if (change > 0) from = change - 1;

  const keep = new Set(range(from, to - 1));
  const worst = rows.reduce((least, row) => Math.min(least, row.profitMinor), Number.POSITIVE_INFINITY);
  for (let i = 1; i < n; i++) {
    const border = (rows[i]!.profitMinor === worst) !== (rows[i - 1]!.profitMinor === worst);
    if (border || negative[i] !== negative[i - 1]) keep.add(i - 1).add(i);
  }
  return rows.filter((_, i) => keep.has(i));
}

/**
 * Names for the shown rows of a session-like or khado ladder: "52", and at the ends "44 or less" or "57 or more" where
 * every score beyond brings the same. `all` is the untrimmed ladder the shown rows were taken from.
 */
export function labelRuns(all: readonly RunRow[], shown: readonly RunRow[]): Array<RunRow & { label: string }> {
  const first = shown[0];
  const last = shown.at(-1);
  const same = (row: RunRow, beyond: (run: number) => boolean) =>
    all.every((other) => !beyond(other.run) || other.profitMinor === row.profitMinor);
  return shown.map((row) => {
    let label = String(row.run);
    if (row === last && same(row, (run) => run > row.run)) label = `${row.run} or more`;
    else if (row === first && row.run > 0 && same(row, (run) => run < row.run)) label = `${row.run} or less`;
    return { ...row, label };
  });
}

function ladderRuns(market: RunMarket, bets: readonly QuoteBet[]): number[] {
  if (bets.length === 0 && market.kind !== 'meter') return sufficientRuns(market, bets);
  const lines = bets.map((bet) => bet.line ?? 0);
  const lowest = Math.min(...lines);
  switch (market.kind) {
    case 'session':
    case 'overByover':
    case 'ballByBall':
      return range(Math.max(0, lowest - PADDING), Math.max(...lines) + PADDING);
    case 'khado': {
      const top = Math.max(...bets.map((bet) => (bet.line ?? 0) + khadoWidth(market, bet)));
      return range(Math.min(1, Math.max(0, lowest)), top + KHADO_TAIL);
    }
    default:
      return sufficientRuns(market, bets);
  }
}

function khadoWidth(market: RunMarket, bet: QuoteBet): number {
  return bet.width ?? market.runners.find((runner) => runner.runnerId === bet.runnerId)?.width ?? 1;
}

function meterTop(market: RunMarket, bets: readonly QuoteBet[]): number {
  return market.cap ?? bets.reduce((top, bet) => Math.max(top, meterCap(bet.line ?? 0, undefined)), -1);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}
