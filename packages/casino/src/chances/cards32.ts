/**
 * Exact chances of the four players of 32 cards (6 to K, four of each). Only the first four cards must be enumerated:
 * players who share the highest total draw on from the same shuffled rest with equal totals, so they win equally often.
 */
const START = [8, 9, 10, 11] as const;
/**
 * The stack can run out in a tie-break (2 in 10^14, then the round is void), so the true chance is a hair below the
 * equal share: a lay price that would come out even is rounded up, as exact fractions round it.
 */
const NEVER_EVEN = 1 - 2e-9;

/** Chance of each player given the first cards dealt, as ranks in the order 8, 9, 10, 11 (none to four of them). */
export function cards32Chances(dealt: readonly number[]): number[] {
  const left = Array<number>(14).fill(0).fill(4, 6);
  for (const rank of dealt) left[rank]! -= 1;
  const wins = [0, 0, 0, 0];
  const totals = [0, 0, 0, 0];
  for (let player = 0; player < dealt.length; player++) totals[player] = START[player]! + dealt[player]!;
  let ways = 1;
  for (let i = dealt.length; i < 4; i++) ways *= 32 - i;

  const deal = (player: number, weight: number) => {
    if (player === 4) {
      const top = Math.max(totals[0]!, totals[1]!, totals[2]!, totals[3]!);
      const holders = totals.filter((total) => total === top).length;
      for (let i = 0; i < 4; i++)
        if (totals[i] === top) wins[i]! += holders === 1 ? weight : (weight / holders) * NEVER_EVEN;
      return;
    }
    for (let rank = 6; rank <= 13; rank++) {
      const count = left[rank]!;
      if (count === 0) continue;
      left[rank] = count - 1;
      totals[player] = START[player]! + rank;
      deal(player + 1, weight * count);
      left[rank] = count;
    }
  };
  deal(dealt.length, 1);
  return wins.map((sum) => sum / ways);
}
