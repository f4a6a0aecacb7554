/** Exact chances of the race to five cards of one suit, twelve of each: by the counts so far, at most 5^4 states. */
const RUNNERS = [0, 1, 2, 3];
const memo = new Map<number, readonly number[]>();

/** Chance of each suit to be the first with five cards; `counts` are the cards of each suit so far. */
export function raceChances(counts: readonly number[]): readonly number[] {
  const key = ((counts[0]! * 6 + counts[1]!) * 6 + counts[2]!) * 6 + counts[3]!;
  const known = memo.get(key);
  if (known) return known;
  const wins = [0, 0, 0, 0];
  const finished = counts.indexOf(5);
  if (finished >= 0) wins[finished] = 1;
  else {
    const left = 48 - counts.reduce((sum, count) => sum + count, 0);
    for (const suit of RUNNERS) {
      const chance = (12 - counts[suit]!) / left;
      const after = raceChances(counts.map((count, i) => (i === suit ? count + 1 : count)));
      for (const runner of RUNNERS) wins[runner]! += chance * after[runner]!;
    }
  }
  memo.set(key, wins);
  return wins;
}
