/**
 * The worst case of an account in a runner market: THE rule that says whether a bet may stand (exchange reference 9.1).
 *
 * An account's sums are four integers a runner, in 1/10 000 of the currency, at `4 x runner index`:
 * +0 result of its matched bets on the runner if it wins, +1 the same if it loses,
 * +2 liability of its unmatched lays on the runner, +3 stakes of its unmatched backs on it.
 * Unmatched bets count only where they would lose: they may never match.
 */
import { divCeil } from '@fairgame/contract';

export const WIN = 0;
export const LOSE = 1;
export const OPEN_LIABILITY = 2;
export const OPEN_STAKE = 3;
export const SUMS = 4;

/**
 * Worst result over every legal set of winners, in 1/10 000. `active` are the indexes of the runners still in the
 * market; with fewer of them than `winners`, all of them win.
 */
export function worstE4(sums: Float64Array, active: Int32Array, winners: number): number {
  const count = active.length;
  if (winners >= count) return allWin(sums, active);
  let losing = 0;
  if (winners === 1) {
    let least = Infinity;
    for (let i = 0; i < count; i++) {
      const at = SUMS * active[i]!;
      const lose = sums[at + LOSE]! - sums[at + OPEN_STAKE]!;
      const gap = sums[at]! - sums[at + OPEN_LIABILITY]! - lose;
      losing += lose;
      if (gap < least) least = gap;
    }
    return losing + least;
  }
  // The n smallest gaps, kept sorted; n is a handful.
  const smallest: number[] = [];
  for (let i = 0; i < count; i++) {
    const at = SUMS * active[i]!;
    const lose = sums[at + LOSE]! - sums[at + OPEN_STAKE]!;
    const gap = sums[at]! - sums[at + OPEN_LIABILITY]! - lose;
    losing += lose;
    if (smallest.length === winners && gap >= smallest[winners - 1]!) continue;
    if (smallest.length === winners) smallest.pop();
    let at2 = smallest.length;
    smallest.push(gap);
    while (at2 > 0 && smallest[at2 - 1]! > gap) {
      smallest[at2] = smallest[at2 - 1]!;
      at2--;
    }
    smallest[at2] = gap;
  }
  let worst = losing;
  for (const gap of smallest) worst += gap;
  return worst;
}

/** Money to hold for a worst case: minor units, rounded up, never negative. */
export function heldMinor(worst: number): number {
  return worst >= 0 ? 0 : divCeil(-worst, 100);
}

function allWin(sums: Float64Array, active: Int32Array): number {
  let worst = 0;
  for (let i = 0; i < active.length; i++) {
    const at = SUMS * active[i]!;
    worst += sums[at]! - sums[at + OPEN_LIABILITY]!;
  }
  return worst;
}
