import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLOUR_SPOTS, type ColourSpot, colour, coloursOf, colourTimes } from '../src/rules/colour.ts';
import { checkSharedBySimulation, checkSharedLaws } from './shared.ts';
import { refused } from './solo.ts';

const wagers = fc.record({
  stakeMinor: fc.integer({ min: 1, max: 500 }).map((n) => n * 100),
  spot: fc.constantFrom(...COLOUR_SPOTS),
});
const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

describe('colour', () => {
  it('colours the digits as the genre does', () => {
    expect(digits.filter((digit) => coloursOf(digit).includes('green'))).toEqual([1, 3, 5, 7, 9]);
    expect(digits.filter((digit) => coloursOf(digit).includes('red'))).toEqual([0, 2, 4, 6, 8]);
    expect(digits.filter((digit) => coloursOf(digit).includes('violet'))).toEqual([0, 5]);
  });

  it('pays by hand', () => {
    const row = (spot: ColourSpot) => digits.map((digit) => colourTimes(spot, digit));
    expect(row('green')).toEqual([0, 200, 0, 200, 0, 150, 0, 200, 0, 200]);
    expect(row('red')).toEqual([150, 0, 200, 0, 200, 0, 200, 0, 200, 0]);
    expect(row('violet')).toEqual([475, 0, 0, 0, 0, 475, 0, 0, 0, 0]);
    expect(row('small')).toEqual([192, 192, 192, 192, 192, 0, 0, 0, 0, 0]);
    expect(row('big')).toEqual([0, 0, 0, 0, 0, 192, 192, 192, 192, 192]);
    expect(row('7')).toEqual([0, 0, 0, 0, 0, 0, 0, 950, 0, 0]);
    expect(colour.settle(colour.wager({ stakeMinor: 300, spot: 'green' }), { digit: 5 }, null)).toBe(450);
  });

  it('[issue 5] every bet returns between 92 % and 100 %, as printed', () => {
    const mean = (spot: ColourSpot) => digits.reduce((sum, digit) => sum + colourTimes(spot, digit), 0) * 1000;
    for (const spot of COLOUR_SPOTS) {
      expect(mean(spot)).toBeGreaterThanOrEqual(920_000);
      expect(mean(spot)).toBeLessThanOrEqual(1_000_000);
    }
    expect(colour.returns().map((row) => row.ppm)).toEqual([950_000, 950_000, 950_000, 960_000, 950_000]);
    expect((['green', 'red', 'violet', 'big', '9'] as const).map(mean)).toEqual(colour.returns().map((row) => row.ppm));
  });

  it('keeps the laws of a shared game', () => checkSharedLaws(colour, wagers, 950));

  it('refuses wagers by the field at fault', () => {
    expect(refused(() => colour.wager({ stakeMinor: 120, spot: 'red' }))).toBe('stakeMinor');
    expect(refused(() => colour.wager({ stakeMinor: 100, spot: 7 }))).toBe('spot');
    expect(refused(() => colour.wager({ stakeMinor: 100, spot: 'blue' }))).toBe('spot');
    expect(refused(() => colour.wager({ stakeMinor: 100, spot: 'red', x: 0 }))).toBe('x');
  });

  it('returns in play what is computed', () => checkSharedBySimulation(colour));
});
