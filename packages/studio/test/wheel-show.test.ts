import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BONUSES, SEGMENTS, type timesOf, WHEEL_SPOTS, type WheelSpot, wheelShow } from '../src/rules/wheel-show.ts';
import { checkSharedBySimulation, checkSharedLaws } from './shared.ts';
import { fair, refused } from './solo.ts';

const wagers = fc.record({
  stakeMinor: fc.integer({ min: 1, max: 500 }).map((n) => n * 100),
  spot: fc.constantFrom(...WHEEL_SPOTS),
});

/** All results, each with its weight: a numbered segment counts as often as a bonus segment has ways. */
function* results() {
  for (let segment = 0; segment < SEGMENTS.length; segment++) {
    const spot = SEGMENTS[segment]!;
    if (spot !== 'harbour' && spot !== 'lighthouse') {
      yield { result: { segment, value: null, multiplier: null }, share: 1 / SEGMENTS.length };
      continue;
    }
    const { values, multipliers } = BONUSES[spot];
    const share = 1 / (SEGMENTS.length * values.length * multipliers.length);
    for (let value = 0; value < values.length; value++)
      for (let multiplier = 0; multiplier < multipliers.length; multiplier++)
        yield { result: { segment, value, multiplier }, share };
  }
}

describe('wheel show', () => {
  it('has 52 segments as the rules say, no two alike side by side', () => {
    const count = (spot: WheelSpot) => SEGMENTS.filter((each) => each === spot).length;
    expect(WHEEL_SPOTS.map(count)).toEqual([25, 12, 7, 2, 4, 2]);
    SEGMENTS.forEach((spot, i) => {
      expect(spot).not.toBe(SEGMENTS[(i + 1) % SEGMENTS.length]);
    });
  });

  it('[issue 5] every bet returns what is printed, between 92 % and 100 %', () => {
    // By hand: 25*2/52, 12*4/52, 7*7/52, 2*25/52, 4*10.5*7/6/52, 2*16.25*1.5/52.
    const byHand = [961_538, 923_076, 942_307, 961_538, 942_307, 937_500];
    expect(wheelShow.returns().map((row) => row.ppm)).toEqual(byHand);
    WHEEL_SPOTS.forEach((spot, i) => {
      let mean = 0;
      for (const { result, share } of results())
        mean += (share * wheelShow.settle(wheelShow.wager({ stakeMinor: 100, spot }), result, null)) / 100;
      expect(Math.floor(mean * 1_000_000 + 1e-6)).toBe(byHand[i]);
    });
  });

  it('pays by hand', () => {
    const pay = (spot: WheelSpot, result: Parameters<typeof timesOf>[0]) =>
      wheelShow.settle(wheelShow.wager({ stakeMinor: 300, spot }), result, null);
    expect(pay('x2', { segment: 1, value: null, multiplier: null })).toBe(600);
    expect(pay('x4', { segment: 1, value: null, multiplier: null })).toBe(0);
    expect(pay('x25', { segment: 14, value: null, multiplier: null })).toBe(7500);
    expect(pay('harbour', { segment: 8, value: 3, multiplier: 3 })).toBe(300 * 40); // boat of 20, flag of 2
    expect(pay('lighthouse', { segment: 0, value: 5, multiplier: 6 })).toBe(300 * 200); // window of 40, lamp of 5
    expect(pay('harbour', { segment: 0, value: 5, multiplier: 6 })).toBe(0);
  });

  it('runs longer with a bonus, and shows the whole result', () => {
    const plain = { segment: 1, value: null, multiplier: null };
    const bonus = { segment: 0, value: 2, multiplier: 2 };
    expect(wheelShow.runMs(bonus)).toBeGreaterThan(wheelShow.runMs(plain));
    expect(wheelShow.view(bonus, false)).toEqual(bonus);
  });

  it('draws a value and a multiplier with a bonus only', () => {
    for (let nonce = 0; nonce < 300; nonce++) {
      const result = wheelShow.draw(fair(nonce)) as {
        segment: number;
        value: number | null;
        multiplier: number | null;
      };
      const bonus = ['harbour', 'lighthouse'].includes(SEGMENTS[result.segment]!);
      expect([result.value !== null, result.multiplier !== null]).toEqual([bonus, bonus]);
    }
  });

  it('keeps the laws of a shared game', () => checkSharedLaws(wheelShow, wagers, 20_000));

  it('refuses wagers by the field at fault', () => {
    expect(refused(() => wheelShow.wager({ stakeMinor: 50, spot: 'x2' }))).toBe('stakeMinor');
    expect(refused(() => wheelShow.wager({ stakeMinor: 100, spot: 'x3' }))).toBe('spot');
    expect(refused(() => wheelShow.wager({ stakeMinor: 100, spot: 'x2', more: 1 }))).toBe('more');
  });

  it('returns in play what is computed', () => checkSharedBySimulation(wheelShow));
});
