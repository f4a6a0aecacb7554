import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comet,
  crashPoint,
  DRAWS,
  LEAST_AUTO,
  msUntil,
  presetPpm,
  skyward,
  timesAfter,
  VARIANTS,
} from '../src/rules/crash.ts';
import { checkSharedBySimulation, checkSharedLaws } from './shared.ts';
import { refused } from './solo.ts';

const [SKY] = VARIANTS;
const GAMES = [
  { game: skyward, variant: VARIANTS[0]! },
  { game: comet, variant: VARIANTS[1]! },
];

describe.each(GAMES)('crash: $variant.name', ({ game, variant }) => {
  const wagers = fc.record({
    stakeMinor: fc.integer({ min: 1, max: variant.maxStakeMinor / 100 }).map((n) => n * 100),
    autoTimes: fc.option(fc.integer({ min: LEAST_AUTO, max: variant.cap })),
  });
  const bet = (autoTimes: number | null) => game.wager({ stakeMinor: 100, autoTimes });

  it('[issue 5] every preset returns between 92 % and 100 %, all of them', () => {
    for (let times = LEAST_AUTO; times <= variant.cap; times++) {
      const ppm = presetPpm(variant, times);
      if (ppm < variant.meant * 10_000 - 3 || ppm > variant.meant * 10_000) expect({ times, ppm }).toBe(null);
    }
  });

  it('the point reaches a preset for exactly the numbers that its return counts', () => {
    fc.assert(
      fc.property(fc.integer({ min: LEAST_AUTO, max: variant.cap }), (times) => {
        const winning = Math.floor((variant.meant * DRAWS) / times);
        expect(crashPoint(variant, winning - 1)).toBeGreaterThanOrEqual(times);
        expect(crashPoint(variant, winning)).toBeLessThan(times);
      }),
      { numRuns: 2000 },
    );
    expect(crashPoint(variant, 0)).toBe(variant.cap);
    expect(crashPoint(variant, DRAWS - 1)).toBe(100);
  });

  it('cashing out by hand at any multiple returns between 92 % and 100 % too', () => {
    // A bet can be cashed out at t while the round has not ended, so if the point is t or more and not 1.00.
    for (const times of [100, 101, 102, 110, 150, 200, 1000, 10_000, variant.cap]) {
      const ppm = (presetPpm(variant, Math.max(101, times)) * times) / Math.max(101, times);
      expect(ppm).toBeGreaterThanOrEqual(920_000);
      expect(ppm).toBeLessThanOrEqual(1_000_000);
    }
  });

  it('pays a preset up to the point, nothing over it, nothing at 1.00, and everyone at the cap', () => {
    expect(game.settle(bet(250), { crash: 250 }, 250)).toBe(250);
    expect(game.settle(bet(251), { crash: 250 }, 251)).toBe(0);
    expect(game.settle(bet(null), { crash: 250 }, 137)).toBe(137);
    expect(game.settle(bet(null), { crash: 250 }, null)).toBe(0);
    expect(game.settle(bet(101), { crash: 100 }, 101)).toBe(0);
    expect(game.settle(bet(null), { crash: 100 }, 100)).toBe(0);
    expect(game.settle(bet(null), { crash: variant.cap }, null)).toBe(variant.cap);
  });

  it('the multiple never falls, starts at 1.00, and the round ends as it would pass the point', () => {
    expect(timesAfter(variant, 0)).toBe(100);
    expect(timesAfter(variant, -5)).toBe(100);
    let before = 100;
    for (let ms = 0; ms < 120_000; ms += 7) {
      const now = timesAfter(variant, ms);
      if (now < before) expect({ ms, now }).toBe(null);
      before = now;
    }
    expect(before).toBe(variant.cap);
    fc.assert(
      fc.property(fc.integer({ min: 101, max: variant.cap }), (crash) => {
        const end = game.runMs({ crash });
        expect(timesAfter(variant, end - 1)).toBeLessThanOrEqual(crash);
        expect(timesAfter(variant, end)).toBeGreaterThanOrEqual(Math.min(crash + 1, variant.cap));
        expect(game.timesAt!(end - 1)).toBe(timesAfter(variant, end - 1));
      }),
    );
    expect(game.runMs({ crash: 100 })).toBe(0);
  });

  it('grows as an exponential does', () => {
    for (const ms of [1000, 5000, 20_000, 60_000]) {
      const exact = Math.min(variant.cap, 100 * Math.exp(ms * Math.log(variant.growth)));
      expect(Math.abs(timesAfter(variant, ms) - exact)).toBeLessThanOrEqual(1.0001);
    }
    expect(msUntil(variant, 200)).toBe(Math.ceil(Math.log(2) / Math.log(variant.growth)));
  });

  it('says nothing of the point while it runs', () => {
    expect(game.view({ crash: 250 }, false)).toEqual({ crash: null });
    expect(game.view({ crash: 250 }, true)).toEqual({ crash: 250 });
  });

  it('keeps the laws of a shared game', () => checkSharedLaws(game, wagers, variant.cap));

  it('refuses wagers by the field at fault', () => {
    expect(refused(() => game.wager({ stakeMinor: 150, autoTimes: null }))).toBe('stakeMinor');
    expect(refused(() => game.wager({ stakeMinor: 100, autoTimes: 100 }))).toBe('autoTimes');
    expect(refused(() => game.wager({ stakeMinor: 100, autoTimes: variant.cap + 1 }))).toBe('autoTimes');
    expect(refused(() => game.wager({ stakeMinor: 100, autoTimes: 200.5 }))).toBe('autoTimes');
    expect(refused(() => game.wager({ stakeMinor: 100, sure: true }))).toBe('sure');
    expect(game.wager({ stakeMinor: 100 })).toEqual({ stakeMinor: 100, autoTimes: null });
  });

  it('returns in play what is computed', () => checkSharedBySimulation(game));
});

describe('crash', () => {
  it('by hand: Skyward stops at 1.00 unless the number is under 97 of 101 parts', () => {
    const share = Math.floor((97 * DRAWS) / 101);
    expect(crashPoint(SKY!, share - 1)).toBe(101);
    expect(crashPoint(SKY!, share)).toBe(100);
    expect(crashPoint(SKY!, Math.floor((97 * DRAWS) / 200) - 1)).toBe(200);
    expect(crashPoint(SKY!, DRAWS / 2 - 1)).toBe(194); // half of all rounds reach 1.94
  });
});
