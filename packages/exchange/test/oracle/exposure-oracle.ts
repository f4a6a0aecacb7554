/**
 * Worst case by trying everything: every set of winners, and every subset of the unmatched bets being matched at its
 * limit (exchange reference 9.1). In exact 1/10 000. Shares no code with the package.
 */
export interface OracleBet {
  runner: number;
  side: 'BACK' | 'LAY';
  price: number;
  size: number;
}

/** Result of one bet if its runner wins or not. */
export function resultE4(bet: OracleBet, wins: boolean): number {
  const back = wins ? bet.size * (bet.price - 100) : -bet.size * 100;
  return bet.side === 'BACK' ? back : -back;
}

/** All sets of `count` of these runners; all of them when there are fewer. */
export function winnerSets(runners: number[], count: number): number[][] {
  if (count >= runners.length) return [runners];
  if (count === 0) return [[]];
  return runners
    .flatMap((runner, i) => winnerSets(runners.slice(i + 1), count - 1).map((set) => [runner, ...set]))
    .filter((set) => set.length === count);
}

/** Every subset, for at most a dozen unmatched bets. */
export function exposureBySubsets(matched: OracleBet[], open: OracleBet[], runners: number[], winners: number): number {
  let worst = 0;
  for (const set of winnerSets(runners, winners)) {
    const sure = matched.reduce((sum, bet) => sum + resultE4(bet, set.includes(bet.runner)), 0);
    for (let chosen = 0; chosen < 1 << open.length; chosen++) {
      let sum = sure;
      open.forEach((bet, i) => {
        if (chosen & (1 << i)) sum += resultE4(bet, set.includes(bet.runner));
      });
      worst = Math.min(worst, sum);
    }
  }
  return Math.ceil(-worst / 100) || 0;
}

/** The same without subsets: an unmatched bet counts where it loses. For longer lists. */
export function exposureByOutcomes(
  matched: OracleBet[],
  open: OracleBet[],
  runners: number[],
  winners: number,
): number {
  let worst = 0;
  for (const set of winnerSets(runners, winners)) {
    let sum = 0;
    for (const bet of matched) sum += resultE4(bet, set.includes(bet.runner));
    for (const bet of open) sum += Math.min(0, resultE4(bet, set.includes(bet.runner)));
    worst = Math.min(worst, sum);
  }
  return Math.ceil(-worst / 100) || 0;
}
