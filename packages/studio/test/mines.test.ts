import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MinesView, mines, minesReturn, minesTimes, mostTiles } from '../src/rules/mines.ts';
import { checkBySimulation, checkLaws, checkRefusals, checkReturns, fair, playRound, refused } from './solo.ts';

const open = (tile: number) => ({ do: 'open', tile });
const cash = { do: 'cash' };
const wagers = fc.record({
  stakeMinor: fc.integer({ min: 1, max: 500 }).map((n) => n * 100),
  mines: fc.integer({ min: 1, max: 24 }),
});
const moves = fc.oneof({ weight: 9, arbitrary: fc.nat(24).map(open) }, { weight: 1, arbitrary: fc.constant(cash) });
const viewOf = (state: unknown) => mines.view(state) as MinesView;

describe('mines', () => {
  it('pays by hand: 3 mines, one tile 25/22, two tiles 25*24/(22*21), each times 0.99 and cut', () => {
    expect(minesTimes(3, 1)).toBe(112); // 1.125
    expect(minesTimes(3, 2)).toBe(128); // 1.2857...
    expect(minesTimes(1, 1)).toBe(103); // 1.03125
    expect(minesTimes(1, 24)).toBe(2475); // one tile left of 25: 25 * 0.99
    expect(minesTimes(24, 1)).toBe(2475);
    expect(minesTimes(20, 4)).toBe(250_470); // 12650 / 5 * 0.99 = 2504.70
    expect(minesReturn(3, 1)).toBe(985_600); // 1.12 * 22/25
  });

  it('a multiple never goes over 10,000, and the round pays by itself at the last one within', () => {
    expect(mostTiles(20)).toBe(4); // five would be 53,130 * 0.99
    expect(mostTiles(1)).toBe(24);
    for (let count = 1; count <= 24; count++) {
      const most = mostTiles(count);
      expect(minesTimes(count, most)).toBeLessThanOrEqual(1_000_000);
      if (most < 25 - count) expect(minesTimes(count, most + 1)).toBeGreaterThan(1_000_000);
      for (let safe = 1; safe <= most; safe++)
        expect(minesTimes(count, safe)).toBeGreaterThan(minesTimes(count, safe - 1));
    }
  });

  it('[issue 5] every number of mines and tiles returns between 92 % and 100 %', () => {
    let ways = 0;
    for (let count = 1; count <= 24; count++) {
      for (let safe = 1; safe <= mostTiles(count); safe++) {
        expect(minesReturn(count, safe)).toBeGreaterThanOrEqual(920_000);
        expect(minesReturn(count, safe)).toBeLessThanOrEqual(990_000);
        ways += 1;
      }
    }
    expect(ways).toBeGreaterThan(150);
    checkReturns(mines);
  });

  it('a mined tile ends the round, a safe one raises it, the end by itself pays', () => {
    const wager = mines.wager({ stakeMinor: 1000, mines: 24 });
    const first = mines.open(wager, fair(1));
    const { mined } = first.state as { mined: number[] };
    const safe = Array.from({ length: 25 }, (_, tile) => tile).find((tile) => !mined.includes(tile))!;
    expect(mined).toHaveLength(24);
    const won = mines.play!(first.state, mines.move!(open(safe)));
    expect(won).toMatchObject({ over: true, paidMinor: 24_750 });
    const lost = mines.play!(first.state, mines.move!(open(mined[0]!)));
    expect(lost).toMatchObject({ over: true, paidMinor: 0 });
    expect(viewOf(lost.state)).toMatchObject({ end: 'mined', times: 0, nextTimes: null, mined });
  });

  it('hides the mines until the round is over', () => {
    fc.assert(
      fc.property(wagers, fc.array(moves), fc.nat(10_000), (wager, sent, nonce) => {
        for (const step of playRound(mines, wager, sent, fair(nonce)).steps) {
          const view = viewOf(step.state);
          expect(view.mined === null).toBe(!step.over);
          if (!step.over)
            expect(Object.keys(view).sort()).toEqual(['end', 'mined', 'mines', 'nextTimes', 'opened', 'times']);
        }
      }),
    );
  });

  it('leaving before the first tile gives the stake back', () => {
    expect(playRound(mines, { stakeMinor: 700, mines: 5 }, [], fair(3)).end.paidMinor).toBe(700);
  });

  it('keeps the laws of a game', () => checkLaws(mines, wagers, moves, 1_000_000));

  it('refuses wagers and moves by the field at fault', () => {
    expect(refused(() => mines.wager({ stakeMinor: 150, mines: 3 }))).toBe('stakeMinor');
    expect(refused(() => mines.wager({ stakeMinor: 100, mines: 0 }))).toBe('mines');
    expect(refused(() => mines.wager({ stakeMinor: 100, mines: 25 }))).toBe('mines');
    expect(refused(() => mines.wager({ stakeMinor: 100, mines: 3, luck: 1 }))).toBe('luck');
    expect(refused(() => mines.move!({ do: 'open', tile: 25 }))).toBe('tile');
    expect(refused(() => mines.move!({ do: 'cash', tile: 3 }))).toBe('tile');
    expect(refused(() => mines.move!({ do: 'dig' }))).toBe('do');
    const { end } = playRound(mines, { stakeMinor: 100, mines: 3 }, [cash], fair(0));
    expect(refused(() => mines.play!(end.state, mines.move!(open(1))))).toBe('move');
    const first = mines.open(mines.wager({ stakeMinor: 100, mines: 1 }), fair(0));
    const safe = (first.state as { mined: number[] }).mined[0] === 7 ? 8 : 7;
    const second = mines.play!(first.state, mines.move!(open(safe)));
    expect(refused(() => mines.play!(second.state, mines.move!(open(safe))))).toBe('tile');
    checkRefusals((input) => mines.wager(input));
    checkRefusals((input) => mines.move!(input));
  });

  it('returns in play what is computed', () => checkBySimulation(mines));
});
