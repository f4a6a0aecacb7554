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
 * By how much the result on a runner, if it wins, changes when another is removed: a list by the index of the removed one,
 * or null where the account has nothing that would be reduced. Unmatched lays count as if they had been matched before.
 */
export type Shifts = ReadonlyArray<readonly number[] | null>;

/**
 * Worst result over every legal set of winners, in 1/10 000. `active` are the indexes of the runners still in the
 * market; with fewer of them than `winners`, all of them win.
 */
export function worstE4(sums: readonly number[], active: Int32Array, winners: number): number {
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
  smallest.clear(winners);
  for (let i = 0; i < count; i++) {
    const at = SUMS * active[i]!;
    const lose = sums[at + LOSE]! - sums[at + OPEN_STAKE]!;
    losing += lose;
    smallest.add(sums[at]! - sums[at + OPEN_LIABILITY]! - lose, i);
  }
  return losing + smallest.sum();
}

/**
 * Worst result when any one runner may yet be removed (exchange reference 7): its bets void, the prices of the others
 * reduced by its factor. In 1/10 000; never better than nothing at all left to win.
 */
export function worstOfRemovals(
  sums: readonly number[],
  shifts: Shifts | null,
  active: Int32Array,
  winners: number,
): number {
  const count = active.length;
  let losing = 0;
  for (let i = 0; i < count; i++) {
    const at = SUMS * active[i]!;
    const lose = sums[at + LOSE]! - sums[at + OPEN_STAKE]!;
    losing += lose;
    loses[i] = lose;
    gaps[i] = sums[at]! - sums[at + OPEN_LIABILITY]! - lose;
  }
  let worst = 0;
  if (shifts === null) {
    // No price changes: the smallest gaps but the removed runner's own.
    const most = Math.min(winners, count - 1);
    smallest.clear(most + 1);
    for (let i = 0; i < count; i++) smallest.add(gaps[i]!, i);
    for (let i = 0; i < count; i++) worst = Math.min(worst, losing - loses[i]! + smallest.sumWithout(i, most));
    return worst;
  }
  for (let gone = 0; gone < count; gone++) {
    const removed = active[gone]!;
    smallest.clear(Math.min(winners, count - 1));
    for (let i = 0; i < count; i++) {
      if (i !== gone) smallest.add(gaps[i]! + (shifts[active[i]!]?.[removed] ?? 0), i);
    }
    worst = Math.min(worst, losing - loses[gone]! + smallest.sum());
  }
  return worst;
}

/** Money to hold for a worst case: minor units, rounded up, never negative. */
export function heldMinor(worst: number): number {
  return worst >= 0 ? 0 : divCeil(-worst, 100);
}

/** Far above the largest field (definition.ts). */
const MOST = 512;
const gaps = new Float64Array(MOST);
const loses = new Float64Array(MOST);

/** The few smallest of many values, kept sorted; one list, used anew by each sum. */
const smallest = {
  values: new Float64Array(MOST),
  owners: new Int32Array(MOST),
  count: 0,
  most: 0,
  clear(most: number): void {
    this.count = 0;
    this.most = most;
  },
  add(value: number, owner: number): void {
    const { values, owners, most } = this;
    if (this.count === most) {
      if (most === 0 || value >= values[most - 1]!) return;
      this.count--;
    }
    let at = this.count++;
    while (at > 0 && values[at - 1]! > value) {
      values[at] = values[at - 1]!;
      owners[at] = owners[at - 1]!;
      at--;
    }
    values[at] = value;
    owners[at] = owner;
  },
  sum(): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += this.values[i]!;
    return sum;
  },
  /** Of the `most` smallest that are not the owner's. */
  sumWithout(owner: number, most: number): number {
    let sum = 0;
    let left = most;
    for (let i = 0; i < this.count && left > 0; i++) {
      if (this.owners[i] === owner) continue;
      sum += this.values[i]!;
      left--;
    }
    return sum;
  },
};

function allWin(sums: readonly number[], active: Int32Array): number {
  let worst = 0;
  for (let i = 0; i < active.length; i++) {
    const at = SUMS * active[i]!;
    worst += sums[at]! - sums[at + OPEN_LIABILITY]!;
  }
  return worst;
}
