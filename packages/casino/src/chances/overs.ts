/**
 * Exact distribution of an innings of cards drawn without replacement: seven kinds (1, 2, 3, 4, 6 and 0 runs, wicket).
 * It ends after so many balls or wickets. Runs only add up, so a chase that stops when it is ahead ends won exactly when
 * the whole innings would have reached the target.
 */
export const RUN_KINDS: readonly number[] = [1, 2, 3, 4, 6, 0];
export const WICKET = 6;

export interface Innings {
  /** Cards left of each of RUN_KINDS, then wickets. */
  readonly left: readonly number[];
  readonly balls: number;
  /** Wickets that may still fall before the innings is over. */
  readonly wickets: number;
}

/** distribution[r] is the chance of exactly r more runs. With `only`, of that together with no other kind of run ball. */
export function runsToCome(innings: Innings, only: readonly boolean[] | null = null): number[] {
  const { left, balls, wickets } = innings;
  const total = left.reduce((sum, count) => sum + count, 0);
  const wicketCards = left[WICKET]!;
  const most = balls * 6;
  const distribution = Array<number>(most + 1).fill(0);
  if (balls === 0 || wickets === 0) {
    distribution[0] = 1;
    return distribution;
  }
  const ways = runWays(left, balls, only);
  const inn = (n: number, runs: number) => ways[n * (most + 1) + runs]!;

  // All balls are bowled with fewer wickets than end it.
  const deals = choose(total, balls);
  for (let fallen = 0; fallen < Math.min(wickets, balls + 1); fallen++) {
    const factor = choose(wicketCards, fallen) / deals;
    if (factor === 0) continue;
    for (let runs = 0; runs <= most; runs++) distribution[runs]! += factor * inn(balls - fallen, runs);
  }
  // The last wicket falls on this ball.
  for (let ball = wickets; ball <= balls && wickets <= wicketCards; ball++) {
    const before = choose(wicketCards, wickets - 1) / choose(total, ball - 1);
    const factor = (before * (wicketCards - wickets + 1)) / (total - ball + 1);
    for (let runs = 0; runs <= most; runs++) distribution[runs]! += factor * inn(ball - wickets, runs);
  }
  return distribution;
}

/** Ways to choose n run cards with so many runs: n rows of balls * 6 + 1. */
function runWays(left: readonly number[], balls: number, only: readonly boolean[] | null): Float64Array {
  const width = balls * 6 + 1;
  let ways = new Float64Array((balls + 1) * width);
  ways[0] = 1;
  for (let kind = 0; kind < RUN_KINDS.length; kind++) {
    const count = left[kind]!;
    if (count === 0 || (only && !only[kind])) continue;
    const runs = RUN_KINDS[kind]!;
    const next = new Float64Array(ways.length);
    for (let taken = 0; taken <= Math.min(count, balls); taken++) {
      const factor = choose(count, taken);
      const shift = taken * width + taken * runs;
      for (let n = 0; n + taken <= balls; n++) {
        const row = n * width;
        for (let at = row; at <= row + n * 6; at++) {
          if (ways[at] !== 0) next[at + shift]! += factor * ways[at]!;
        }
      }
    }
    ways = next;
  }
  return ways;
}

function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let result = 1;
  for (let i = 1; i <= Math.min(k, n - k); i++) result = (result * (n - i + 1)) / i;
  return result;
}

/** atLeast[n]: chance of `already` + more runs reaching n. */
export function reaching(distribution: readonly number[], already: number): number[] {
  const atLeast = Array<number>(already + distribution.length).fill(0);
  let sum = 0;
  for (let runs = distribution.length - 1; runs >= 0; runs--) {
    sum += distribution[runs]!;
    atLeast[already + runs] = sum;
  }
  for (let n = 0; n < already; n++) atLeast[n] = 1;
  return atLeast;
}
