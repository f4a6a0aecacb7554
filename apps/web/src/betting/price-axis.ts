import { LADDER, tickAtOrAbove, tickAtOrBelow, tickIndex } from '@fairgame/contract';
import type { ChartAxis } from '../ui/step-chart.tsx';

/** Prices that read well beside an axis, hundredths. */
const ROUND = [
  101, 105, 110, 120, 130, 140, 150, 160, 180, 200, 220, 250, 300, 350, 400, 500, 600, 800, 1000, 1500, 2000, 3000,
  5000, 10_000, 20_000, 50_000, 100_000,
] as const;
const MOST_TICKS = 5;

/**
 * The scale of a price chart: one step of the ladder is one step up everywhere, so that a favourite's move shows beside an
 * outsider at 120, and it never begins at a price that does not exist.
 */
export function priceAxis(least: number, most: number): ChartAxis {
  const low = Math.max(0, at(tickAtOrBelow(least)) - 1);
  const high = Math.min(LADDER.length - 1, at(tickAtOrAbove(most)) + 1);
  const min = LADDER[low]!;
  const max = LADDER[high]!;
  const round = ROUND.filter((price) => price >= min && price <= max);
  const every = Math.max(1, Math.ceil((high - low) / (MOST_TICKS - 1)));
  const plain = LADDER.filter((_, tick) => tick >= low && tick <= high && (tick - low) % every === 0);
  return { min, max, ticks: round.length >= 3 ? apart(round, low, high) : plain, at };
}

/** Where a price stands in steps of the ladder; between two of them in proportion. */
function at(price: number): number {
  const below = tickAtOrBelow(price);
  const tick = tickIndex(below);
  const above = LADDER[tick + 1];
  return above === undefined ? tick : tick + (price - below) / (above - below);
}

/** Of the round prices those that stand far enough from one another. */
function apart(prices: readonly number[], low: number, high: number): number[] {
  const gap = (high - low) / MOST_TICKS;
  const kept: number[] = [];
  for (const price of prices) if (kept.length === 0 || at(price) - at(kept.at(-1)!) >= gap) kept.push(price);
  return kept;
}
