import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dutch, dutch } from '../src/dutching.ts';

const ANY = { minStakeMinor: 1, maxStakeMinor: 10_000_000_000 };
const offers = (...levels: Array<Array<readonly [number, number]>>) =>
  levels.map((backable, at) => ({ runnerId: at + 1, backable }));
const DEEP = 10_000_000;
function good(result: Dutch): Extract<Dutch, { ok: true }> {
  if (!result.ok) throw new Error(result.reason);
  return result;
}
const sizes = (result: Dutch) => good(result).stakes.map(({ sizeMinor }) => sizeMinor);

describe('dutching', () => {
  it('70.00 over 3.00 and 4.00 is 40.00 and 30.00: 50.00 either way', () => {
    const found = good(dutch(offers([[300, DEEP]], [[400, DEEP]]), { totalMinor: 7000 }, ANY));
    expect(found.stakes).toEqual([
      { runnerId: 1, price: 300, sizeMinor: 4000 },
      { runnerId: 2, price: 400, sizeMinor: 3000 },
    ]);
    expect(found.totalMinor).toBe(7000);
    expect(found.results.map(({ netMinor }) => netMinor)).toEqual([5000, 5000]);
  });

  it('the same by the profit', () => {
    expect(sizes(dutch(offers([[300, DEEP]], [[400, DEEP]]), { profitMinor: 5000 }, ANY))).toEqual([4000, 3000]);
  });

  it('walks down the prices, and sends the worst it needs', () => {
    // A return of 120.00: 10.00 at 3.20 are 32.00, the other 88.00 at 3.00 are 29.34.
    const walked = good(
      dutch(
        offers(
          [
            [320, 1000],
            [300, DEEP],
          ],
          [[400, DEEP]],
        ),
        { totalMinor: 6934 },
        ANY,
      ),
    );
    expect(walked.stakes).toEqual([
      { runnerId: 1, price: 300, sizeMinor: 3934 },
      { runnerId: 2, price: 400, sizeMinor: 3000 },
    ]);
  });

  it.each([
    ['nobody offers one of them', offers([[300, DEEP]], []), { totalMinor: 7000 }, 'NO_DEPTH'],
    ['too little for the total', offers([[300, 1000]], [[400, DEEP]]), { totalMinor: 7000 }, 'NO_DEPTH'],
    ['too little for the profit', offers([[300, 1000]], [[400, DEEP]]), { profitMinor: 5000 }, 'NO_DEPTH'],
    ['a book of more than 100', offers([[190, DEEP]], [[190, DEEP]]), { totalMinor: 7000 }, 'NO_PROFIT'],
    ['the same by the profit', offers([[190, DEEP]], [[190, DEEP]]), { profitMinor: 100 }, 'NO_PROFIT'],
    ['no runner', [], { totalMinor: 7000 }, 'NO_DEPTH'],
  ] as const)('is nothing where %s', (_, on, goal, reason) => {
    expect(dutch(on, goal, ANY)).toEqual({ ok: false, reason });
  });

  it('names the runner whose stake the market does not take', () => {
    const on = offers([[110, DEEP]], [[10_000, DEEP]]);
    const limits = { minStakeMinor: 100, maxStakeMinor: 5000 };
    expect(dutch(on, { totalMinor: 5000 }, limits)).toEqual({ ok: false, reason: 'STAKE_TOO_SMALL', runnerId: 2 });
    expect(dutch(on, { totalMinor: 20_000 }, limits)).toEqual({ ok: false, reason: 'STAKE_TOO_LARGE', runnerId: 1 });
  });

  const level = fc.tuple(fc.integer({ min: 101, max: 100_000 }), fc.integer({ min: 1, max: 1_000_000_000 }));
  const ladder = fc.array(level, { minLength: 1, maxLength: 3 }).map((levels) => [...levels].sort(([a], [b]) => b - a));
  const ladders = fc.array(ladder, { minLength: 1, maxLength: 8 }).map((all) => offers(...all));
  /** What stakes bring if theirs wins, at the levels as they stand, 1/10 000: counted unit by unit of a level. */
  const returnOf = (levels: ReadonlyArray<readonly [number, number]>, sizeMinor: number) => {
    let left = sizeMinor;
    return levels.reduce((sum, [price, size]) => {
      const taken = Math.min(left, size);
      left -= taken;
      return sum + taken * price;
    }, 0);
  };
  const resultsE4 = (on: ReturnType<typeof offers>, found: Extract<Dutch, { ok: true }>) =>
    found.stakes.map(({ sizeMinor }, at) => returnOf(on[at]!.backable, sizeMinor) - found.totalMinor * 100);
  const spread = (found: Extract<Dutch, { ok: true }>) => Math.max(...found.stakes.map(({ price }) => price));

  it('by a total: never above what was asked nor below it by more than rounding, results alike but for one minor unit of stake', () => {
    fc.assert(
      fc.property(ladders, fc.integer({ min: 1, max: 1_000_000_000 }), (on, totalMinor) => {
        const found = dutch(on, { totalMinor }, ANY);
        if (!found.ok) return;
        expect(found.totalMinor).toBeLessThanOrEqual(totalMinor);
        expect(found.totalMinor).toBeGreaterThan(totalMinor - on.length);
        expect(found.totalMinor).toBe(found.stakes.reduce((sum, { sizeMinor }) => sum + sizeMinor, 0));
        const all = resultsE4(on, found);
        expect(found.results.map(({ netMinor }) => netMinor)).toEqual(all.map((e4) => Math.floor(e4 / 100)));
        expect(Math.max(...all) - Math.min(...all)).toBeLessThan(spread(found));
        // Nothing is staked below the limit it is sent with, and no level is asked for more than it has.
        for (const [at, { price, sizeMinor }] of found.stakes.entries())
          expect(
            on[at]!.backable.filter((one) => one[0] >= price).reduce((sum, [, size]) => sum + size, 0),
          ).toBeGreaterThanOrEqual(sizeMinor);
      }),
      { numRuns: 150 },
    );
  });

  it('by a profit: every one of them brings it, none more than rounding beyond, and what it costs brings it again', () => {
    fc.assert(
      fc.property(ladders, fc.integer({ min: 1, max: 100_000_000 }), (on, profitMinor) => {
        const found = dutch(on, { profitMinor }, ANY);
        if (!found.ok) return;
        for (const e4 of resultsE4(on, found)) {
          expect(e4).toBeGreaterThanOrEqual(profitMinor * 100);
          expect(e4).toBeLessThan((profitMinor + on.length) * 100 + spread(found));
        }
        const again = good(dutch(on, { totalMinor: found.totalMinor }, ANY));
        expect(Math.min(...again.results.map(({ netMinor }) => netMinor))).toBeGreaterThanOrEqual(profitMinor);
      }),
      { numRuns: 150 },
    );
  });

  it('finds a profit wherever a total of the same prices brings one as large', () => {
    fc.assert(
      fc.property(ladders, fc.integer({ min: 1000, max: 100_000_000 }), (on, totalMinor) => {
        const found = dutch(on, { totalMinor }, ANY);
        if (!found.ok) return;
        const worst = Math.min(...found.results.map(({ netMinor }) => netMinor));
        expect(dutch(on, { profitMinor: worst }, ANY).ok).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
