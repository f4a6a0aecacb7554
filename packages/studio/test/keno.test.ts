import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KenoView, keno, kenoPays, kenoReturn, kenoWays } from '../src/rules/keno.ts';
import { checkBySimulation, checkLaws, checkRefusals, checkReturns, fair, playRound, refused } from './solo.ts';

const wagers = fc.record({
  stakeMinor: fc.integer({ min: 1, max: 500 }).map((n) => n * 100),
  picks: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 }),
});

describe('keno', () => {
  it('counts by hand: one pick is hit in a quarter of all draws, ten picks all in one draw', () => {
    expect(kenoWays(1, 1) * 3).toBe(kenoWays(1, 0));
    expect(kenoWays(10, 10)).toBe(1);
    expect(kenoWays(10, 10 - 1)).toBe(300); // one of ten missed, one of thirty drawn instead
    expect(kenoReturn(1)).toBe(975_000); // 3.90 / 4
    // Two picks: both hit 10*9/(40*39) of the time, one 2*10*30/(40*39): 7 * 90/1560 + 1.5 * 600/1560
    expect(kenoReturn(2)).toBe(980_769);
    for (let picks = 1; picks <= 10; picks++) {
      const all = kenoPays(picks).reduce((sum, _, hits) => sum + kenoWays(picks, hits), 0);
      expect(all).toBe(847_660_528);
    }
  });

  it('[issue 5] every number of picks returns between 92 % and 100 %, more hits never pay less, 10,000 times at most', () => {
    for (let picks = 1; picks <= 10; picks++) {
      expect(kenoReturn(picks)).toBeGreaterThanOrEqual(920_000);
      expect(kenoReturn(picks)).toBeLessThanOrEqual(1_000_000);
      const pays = kenoPays(picks);
      expect(pays).toHaveLength(picks + 1);
      for (let hits = 1; hits <= picks; hits++) expect(pays[hits]!).toBeGreaterThanOrEqual(pays[hits - 1]!);
      expect(pays[picks]!).toBeLessThanOrEqual(1_000_000);
    }
    expect(keno.returns()).toHaveLength(10);
    checkReturns(keno);
  });

  it('draws ten different numbers and pays by the hits', () => {
    fc.assert(
      fc.property(wagers, fc.nat(100_000), (wager, nonce) => {
        const { end, stakeMinor } = playRound(keno, wager, [], fair(nonce));
        const view = keno.view(end.state) as KenoView;
        expect(new Set(view.drawn).size).toBe(10);
        expect(view.drawn.every((number) => number >= 1 && number <= 40)).toBe(true);
        expect(view.hits).toBe(wager.picks.filter((pick) => view.drawn.includes(pick)).length);
        expect(end.paidMinor * 100).toBe(stakeMinor * kenoPays(wager.picks.length)[view.hits]!);
      }),
    );
  });

  it('keeps the laws of a game', () => checkLaws(keno, wagers, null, 1_000_000));

  it('refuses wagers by the field at fault', () => {
    const stakeMinor = 100;
    expect(refused(() => keno.wager({ stakeMinor, picks: [] }))).toBe('picks');
    expect(refused(() => keno.wager({ stakeMinor, picks: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }))).toBe('picks');
    expect(refused(() => keno.wager({ stakeMinor, picks: [4, 4] }))).toBe('picks');
    expect(refused(() => keno.wager({ stakeMinor, picks: [41] }))).toBe('picks');
    expect(refused(() => keno.wager({ stakeMinor, picks: '7' }))).toBe('picks');
    expect(refused(() => keno.wager({ stakeMinor: 0, picks: [7] }))).toBe('stakeMinor');
    expect(keno.wager({ stakeMinor, picks: [9, 3] })).toEqual({ stakeMinor, picks: [3, 9] });
    checkRefusals((input) => keno.wager(input));
  });

  it('returns in play what is computed', () => checkBySimulation(keno));
});
