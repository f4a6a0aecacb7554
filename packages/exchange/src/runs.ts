/**
 * Number and two-way markets of the house: what a bet brings on each score, the run ladder with its display trim, and
 * the rows that suffice for the worst case (exchange reference 12.4 and 12.5). One function, `profitE4`, is the only
 * place that knows who wins what; exposure, ladder and settlement all read it.
 *
 * An outcome is a number: the score (session kinds, khado, meter), the last digit (cricketCasino), 0 odd / 1 even
 * (oddEven), 0 yes / 1 no (fancy1, tied, completed), the index of the winning runner (bookmaker).
 */

import { divFloor } from '@fairgame/contract';
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

/** What these sums need of a market. */
export interface RunMarket {
  kind: QuoteKind;
  /** meter: the last score that counts. */
  cap?: number | undefined;
  runners: ReadonlyArray<{
    runnerId: RunnerId;
    width?: number | undefined;
    stands?: 'yes' | 'no' | 'odd' | 'even' | undefined;
    digit?: number | undefined;
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
export const PADDING = 5;
/** khado lists end this far above the last covered run (12.5: l + N + 9). */
export const KHADO_TAIL = 9;
/** Exact result of one bet in 1/10 000 of the currency when `outcome` (see the head of this file) comes true. */
export function profitE4(market: RunMarket, bet: QuoteBet, outcome: number): number {
  if (market.kind === 'meter') return meterE4(market, bet, outcome);
  const happened = selectionHit(market, bet, outcome);
  return 100 * (happened === (bet.side === 'BACK') ? bet.winMinor : -bet.lossMinor) || 0;
}

/** A meter bet at a score (12.2: s x r/100 a run). */
function meterE4(market: RunMarket, bet: QuoteBet, score: number): number {
  const line = bet.line ?? 0;
  const counted = Math.min(Math.max(score, 0), market.cap ?? 0);
  return bet.stakeMinor * bet.price * (bet.side === 'BACK' ? counted - line : line - counted) || 0;
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
    case 'oddEven':
    case 'cricketCasino':
    case 'bookmaker':
    case 'card': // cards.ts
      return outcomeOfRunner(market, bet.runnerId) === outcome; // 12.2: runner is the result
  }
}

/** The outcome in which a runner wins; -1 for one that is not in the market. */
export function outcomeOfRunner(market: RunMarket, runnerId: RunnerId): number {
  const index = market.runners.findIndex((runner) => runner.runnerId === runnerId);
  const runner = market.runners[index];
  if (runner?.stands !== undefined) return runner.stands === 'yes' || runner.stands === 'odd' ? 0 : 1;
  return runner?.digit ?? index;
}

/**
 * Outcomes among which the worst case of these bets surely is. Session kinds: {lowest line - 1} and every line (12.4);
 * khado adds the first run above each row; meter is linear up to the cap, and a delayed bet only bends it down, so its ends suffice.
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
      return [0, market.cap ?? 0];
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

/** Sum of the bets' results on one outcome in minor units, as it would be booked: rounded once, down. */
export function sumAt(market: RunMarket, bets: readonly QuoteBet[], outcome: number): number {
  let sum = 0;
  for (const bet of bets) {
    const profit = profitE4(market, bet, outcome);
    if (profit < 0 || !bet.pending) sum += profit;
  }
  return divFloor(sum, 100);
}

/**
 * The rows a player sees of a ladder. Lists of 8 or fewer are whole. Longer ones lose 4 rows at each end around
 * the first sign change as 12.4 describes; a list of one sign (all negative too) loses the first and the last 4. Besides,
 * both rows of every sign change stay, and the rows on both sides of each border of the worst value. Zero is not
 * negative.
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
 * Names for the shown rows of a ladder: "52", and at the ends "44 or less" or "57 or more" where
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
  let lowest = Number.POSITIVE_INFINITY;
  let highest = 0;
  let top = 0;
  for (const bet of bets) {
    const line = bet.line ?? 0;
    lowest = Math.min(lowest, line);
    highest = Math.max(highest, line);
    top = Math.max(top, line + khadoWidth(market, bet));
  }
  switch (market.kind) {
    case 'session':
    case 'overByover':
    case 'ballByBall':
      return range(Math.max(0, lowest - PADDING), highest + PADDING);
    case 'khado':
      return range(Math.min(1, Math.max(0, lowest)), top + KHADO_TAIL);
    case 'meter':
      return range(0, market.cap ?? 0);
    default:
      return sufficientRuns(market, bets);
  }
}

function khadoWidth(market: RunMarket, bet: QuoteBet): number {
  return bet.width ?? market.runners.find((runner) => runner.runnerId === bet.runnerId)?.width ?? 1;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}
