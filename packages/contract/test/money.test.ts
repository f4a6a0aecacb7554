import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cardOddsText,
  divCeil,
  divFloor,
  e4ToMinor,
  LADDER,
  minorToText,
  moveTicks,
  oddsText,
  parseMinor,
  parseOdds,
  roundDiv,
  tickAtOrAbove,
  tickAtOrBelow,
  tickIndex,
  tickInFavour,
} from '../src/money.ts';

describe('the price ladder (exchange reference 2)', () => {
  it('has 350 prices, each band beginning at its index', () => {
    expect(LADDER).toHaveLength(350);
    const bands = [
      [101, 0],
      [200, 99],
      [300, 149],
      [400, 169],
      [600, 189],
      [1000, 209],
      [2000, 229],
      [3000, 239],
      [5000, 249],
      [10_000, 259],
      [100_000, 349],
    ];
    for (const [price, index] of bands) expect(tickIndex(price!)).toBe(index);
  });

  it('a price between ticks is none', () => {
    for (const price of [100, 201, 303, 405, 601, 1025, 2050, 3100, 5100, 10_500, 100_001, 1.5, Number.NaN]) {
      expect(tickIndex(price)).toBe(-1);
    }
  });

  it('a step crosses a band with the steps of each band: 1.99, 2.00, 2.02', () => {
    expect([moveTicks(199, 1), moveTicks(199, 2), moveTicks(202, -2)]).toEqual([200, 202, 199]);
    expect([moveTicks(101, -1), moveTicks(100_000, 1)]).toEqual([101, 100_000]);
  });

  it('a typed price is rounded in the favour of the player: a back up, a lay down', () => {
    expect([tickInFavour(285, 'BACK'), tickInFavour(285, 'LAY')]).toEqual([286, 284]);
    expect([tickInFavour(284, 'BACK'), tickInFavour(284, 'LAY')]).toEqual([284, 284]);
  });

  it('every price lies between the ticks around it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200_000 }), (price) => {
        const below = tickAtOrBelow(price);
        const above = tickAtOrAbove(price);
        expect(tickIndex(below)).toBeGreaterThanOrEqual(0);
        expect(tickIndex(above)).toBeGreaterThanOrEqual(0);
        if (price >= 101 && price <= 100_000) {
          expect(below).toBeLessThanOrEqual(price);
          expect(above).toBeGreaterThanOrEqual(price);
          expect(tickIndex(above) - tickIndex(below)).toBe(tickIndex(price) >= 0 ? 0 : 1);
        }
      }),
    );
  });
});

describe('integers (exchange reference 1)', () => {
  it('stake x odds is exact in 1/10 000 and rounded once, half away from zero', () => {
    expect(e4ToMinor(2 * (165 - 100))).toBe(1); // lay 0.02 at 1.65: 0.013
    expect([e4ToMinor(199), e4ToMinor(-101), e4ToMinor(100), e4ToMinor(-100)]).toEqual([1, -2, 1, -1]);
    expect([divCeil(199, 100), divCeil(-101, 100), divCeil(-1, 100)]).toEqual([2, -1, 0]);
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 100_000 }), (value, by) => {
        const [v, b] = [BigInt(value), BigInt(by)];
        const rest = ((v % b) + b) % b;
        expect(divFloor(value, by)).toBe(Number((v - rest) / b));
        expect(divCeil(value, by)).toBe(Number((v - rest) / b + (rest > 0n ? 1n : 0n)));
      }),
    );
    expect(Object.is(roundDiv(-1, 100), 0)).toBe(true);
  });

  it('text and back', () => {
    expect([minorToText(123_456), minorToText(-5), minorToText(0)]).toEqual(['1234.56', '-0.05', '0.00']);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999_999 }), (minor) => {
        expect(parseMinor(minorToText(minor))).toBe(minor);
      }),
    );
    expect([parseMinor('1,234.5'), parseMinor('1,23'), parseMinor('1e3'), parseMinor('-1'), parseMinor('')]).toEqual([
      123_450,
      null,
      null,
      null,
      null,
    ]);
    expect([parseOdds('2.02'), parseOdds('2'), parseOdds('x'), parseOdds('1.999')]).toEqual([202, 200, null, null]);
    expect([286, 1050, 2000].map(oddsText)).toEqual(['2.86', '10.5', '20']);
    // Prices that stand between the steps, as those of card tables, keep their hundredths.
    expect([1217, 1336, 8270].map(oddsText)).toEqual(['12.17', '13.36', '82.70']);
    expect([198, 1200, 1217, 3400, 9131].map(cardOddsText)).toEqual(['1.98', '12.00', '12.17', '34', '91.31']);
  });
});
