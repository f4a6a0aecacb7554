import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DROP_SPOTS,
  type DropResult,
  type DropSpot,
  dropTimes,
  LIT,
  numberDrop,
  POTS,
} from '../src/rules/number-drop.ts';
import { checkSharedBySimulation, checkSharedLaws } from './shared.ts';
import { refused } from './solo.ts';

const wagers = fc.record({
  stakeMinor: fc.integer({ min: 1, max: 500 }).map((n) => n * 100),
  spot: fc.constantFrom(...DROP_SPOTS),
});
/** Pots and the lit one by their printed numbers, 1 to 8. */
const drop = (balls: readonly number[], lit = 8, multiplier = 2): DropResult => ({
  lit: lit - 1,
  multiplier,
  balls: balls.map((pot) => pot - 1) as unknown as DropResult['balls'],
});

/** Mean multiple (hundredths) of a bet over every result. */
function mean(spot: DropSpot): number {
  let sum = 0;
  let ways = 0;
  for (let a = 0; a < POTS; a++)
    for (let b = 0; b < POTS; b++)
      for (let c = 0; c < POTS; c++)
        for (let lit = 0; lit < POTS; lit++)
          for (const multiplier of LIT) {
            sum += dropTimes(spot, { lit, multiplier, balls: [a, b, c] });
            ways += 1;
          }
  return sum / ways;
}

describe('number drop', () => {
  it('pays by hand', () => {
    expect(dropTimes('pot-3', drop([3, 1, 2]))).toBe(200);
    expect(dropTimes('pot-3', drop([3, 3, 2]))).toBe(300);
    expect(dropTimes('pot-3', drop([3, 3, 3]))).toBe(2000);
    expect(dropTimes('pot-3', drop([3, 3, 3], 3, 10))).toBe(20_000);
    expect(dropTimes('pot-3', drop([3, 1, 2], 3, 5))).toBe(1000);
    expect(dropTimes('pot-3', drop([4, 1, 2], 3, 5))).toBe(0);
    expect([dropTimes('low', drop([1, 4, 8])), dropTimes('high', drop([1, 4, 8]))]).toEqual([192, 0]); // 13
    expect([dropTimes('low', drop([2, 4, 8])), dropTimes('high', drop([2, 4, 8]))]).toEqual([0, 192]); // 14
    expect(dropTimes('different', drop([1, 4, 8]))).toBe(145);
    expect(dropTimes('different', drop([1, 4, 4]))).toBe(0);
    expect(dropTimes('pair', drop([4, 1, 4]))).toBe(290);
    expect(dropTimes('pair', drop([4, 4, 4]))).toBe(0);
    expect(dropTimes('run', drop([5, 3, 4]))).toBe(1350);
    expect(dropTimes('run', drop([8, 1, 2]))).toBe(0);
    expect(dropTimes('triple', drop([6, 6, 6]))).toBe(6000);
  });

  it('[issue 5] every bet returns between 92 % and 100 %, as printed', () => {
    // By hand over 512 ways of the balls: one ball 147, two 21, three 1; a lit pot multiplies by 1.3 on average.
    const pot = Math.floor(((147 * 2 + 21 * 3 + 20) * 1.3 * 1_000_000) / 512);
    const byHand: Record<string, number> = {
      low: 960_000,
      high: 960_000,
      different: Math.floor((336 * 1_450_000) / 512),
      pair: Math.floor((168 * 2_900_000) / 512),
      run: Math.floor((36 * 13_500_000) / 512),
      triple: Math.floor((8 * 60_000_000) / 512),
    };
    for (const spot of DROP_SPOTS) {
      const ppm = Math.floor(mean(spot) * 10_000 + 1e-6);
      expect(ppm).toBe(byHand[spot] ?? pot);
      expect(ppm).toBeGreaterThanOrEqual(920_000);
      expect(ppm).toBeLessThanOrEqual(1_000_000);
    }
    expect(numberDrop.returns().map((row) => row.ppm)).toEqual([
      pot,
      ...['low', 'different', 'pair', 'run', 'triple'].map((spot) => byHand[spot]),
    ]);
  });

  it('keeps the laws of a shared game', () => checkSharedLaws(numberDrop, wagers, 20_000));

  it('refuses wagers by the field at fault', () => {
    expect(refused(() => numberDrop.wager({ stakeMinor: 0, spot: 'low' }))).toBe('stakeMinor');
    expect(refused(() => numberDrop.wager({ stakeMinor: 100, spot: 'pot-9' }))).toBe('spot');
    expect(refused(() => numberDrop.wager({ stakeMinor: 100, spot: 'low', y: 1 }))).toBe('y');
  });

  it('returns in play what is computed', () => checkSharedBySimulation(numberDrop));
});
