/** Chances of a football match from here on: the goals still to come are Poisson, the two sides independent. */

/** Minutes of injury time to reckon with before they are announced. */
export const EXPECTED_ADDED = [2, 5] as const;
/** Share of a side's goals that falls in the first half. */
const FIRST_HALF_SHARE = 0.45;
const MOST = 12;

/** Goals a minute in a half for a side expected to score `lambda` in the whole match. */
export function goalRate(lambda: number, half: 0 | 1): number {
  const share = half === 0 ? FIRST_HALF_SHARE : 1 - FIRST_HALF_SHARE;
  return (lambda * share) / (45 + EXPECTED_ADDED[half]);
}

export interface FootballChances {
  home: number;
  draw: number;
  away: number;
  /** Final score h-a at [h * SIDE + a]; more than the last counts there. */
  grid: Float64Array;
  bothScore: number;
  /** Chance of more than n goals, n from 0. */
  over: number[];
}

export const SIDE = MOST + 1;

/** `meanA` and `meanB` are the goals still expected of each side. */
export function footballChances(goalsA: number, goalsB: number, meanA: number, meanB: number): FootballChances {
  const a = poisson(meanA);
  const b = poisson(meanB);
  const out: FootballChances = {
    home: 0,
    draw: 0,
    away: 0,
    grid: new Float64Array(SIDE * SIDE),
    bothScore: 0,
    over: [],
  };
  const totals = new Float64Array(2 * SIDE + 1);
  for (let i = 0; i <= MOST; i++) {
    for (let j = 0; j <= MOST; j++) {
      const p = a[i]! * b[j]!;
      const h = Math.min(MOST, goalsA + i);
      const w = Math.min(MOST, goalsB + j);
      out.grid[h * SIDE + w]! += p;
      if (h > w) out.home += p;
      else if (h < w) out.away += p;
      else out.draw += p;
      if (h > 0 && w > 0) out.bothScore += p;
      totals[h + w]! += p;
    }
  }
  let over = 1;
  for (let n = 0; n < 8; n++) {
    over -= totals[n]!;
    out.over.push(Math.min(1, Math.max(0, over)));
  }
  return out;
}

function poisson(mean: number): Float64Array {
  const p = new Float64Array(MOST + 1);
  let term = Math.exp(-mean);
  let sum = 0;
  for (let i = 0; i <= MOST; i++) {
    p[i] = term;
    sum += term;
    term *= mean / (i + 1);
  }
  // The little that is left belongs to the last.
  p[MOST]! += Math.max(0, 1 - sum);
  return p;
}
