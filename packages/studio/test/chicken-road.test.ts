import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Random } from '../src/game.ts';
import {
  type ChickenView,
  chickenReturn,
  chickenRoad,
  chickenTimes,
  ROAD_CODES,
  ROADS,
} from '../src/rules/chicken-road.ts';
import { checkBySimulation, checkLaws, checkRefusals, checkReturns, fair, playRound, refused } from './solo.ts';

const wagers = fc.record({
  stakeMinor: fc.integer({ min: 1, max: 500 }).map((n) => n * 100),
  road: fc.constantFrom(...ROAD_CODES),
});
const moves = fc.oneof(
  { weight: 9, arbitrary: fc.constant({ do: 'go' }) },
  { weight: 1, arbitrary: fc.constant({ do: 'cash' }) },
);
const viewOf = (state: unknown) => chickenRoad.view(state) as ChickenView;
/** No car in the first lanes, then a car in all. */
const freeLanes = (count: number): Random => {
  let at = 0;
  return { int: (n) => (at++ < count ? n - 1 : 0) };
};
const play = (road: string, random: Random, ...sent: string[]) =>
  playRound(
    chickenRoad,
    { stakeMinor: 1000, road },
    sent.map((what) => ({ do: what })),
    random,
  ).end;

describe('chicken road', () => {
  it('pays by hand', () => {
    expect(play('village', freeLanes(1), 'go', 'cash').paidMinor).toBe(1040); // 0.99 * 20/19 = 1.042...
    expect(play('town', freeLanes(1), 'go', 'cash').paidMinor).toBe(1100); // 0.99 * 10/9
    expect(play('city', freeLanes(2), 'go', 'go', 'cash').paidMinor).toBe(1540); // 0.99 * 25/16 = 1.546...
    expect(play('motorway', freeLanes(3), 'go', 'go', 'go', 'cash').paidMinor).toBe(4580); // 0.99 * 125/27 = 4.583...
    expect(play('motorway', freeLanes(3), 'go', 'go', 'go', 'go').paidMinor).toBe(0);
    expect(play('city', freeLanes(0), 'cash').paidMinor).toBe(1000);
  });

  it('the last lane pays by itself', () => {
    for (const road of ROAD_CODES) {
      const { lanes } = ROADS[road];
      const end = play(road, freeLanes(lanes), ...Array.from({ length: lanes }, () => 'go'));
      expect(end).toMatchObject({ over: true, paidMinor: 10 * chickenTimes(road, lanes) });
      expect(viewOf(end.state).end).toBe('cashed');
    }
  });

  it('[issue 5] every lane of every road returns between 92 % and 100 %, and pays at most 1,300 times', () => {
    for (const road of ROAD_CODES) {
      for (let lanes = 1; lanes <= ROADS[road].lanes; lanes++) {
        expect(chickenReturn(road, lanes)).toBeGreaterThanOrEqual(920_000);
        expect(chickenReturn(road, lanes)).toBeLessThanOrEqual(990_000);
        expect(chickenTimes(road, lanes)).toBeGreaterThan(chickenTimes(road, lanes - 1));
      }
      expect(chickenTimes(road, ROADS[road].lanes)).toBeLessThanOrEqual(130_000);
    }
    checkReturns(chickenRoad);
  });

  it('hides the cars until the round is over', () => {
    fc.assert(
      fc.property(wagers, fc.array(moves, { maxLength: 25 }), fc.nat(100_000), (wager, sent, nonce) => {
        const { steps } = playRound(chickenRoad, wager, sent, fair(nonce));
        for (const { state, over } of steps) {
          const view = viewOf(state);
          expect(view.cars === null).toBe(!over);
          expect(view.nextTimes === null).toBe(over);
        }
        const end = viewOf(steps.at(-1)!.state);
        expect(end.cars!.slice(0, end.lanes).includes(true)).toBe(end.end === 'hit');
      }),
    );
  });

  it('keeps the laws of a game', () => checkLaws(chickenRoad, wagers, moves, 130_000));

  it('refuses wagers and moves by the field at fault', () => {
    expect(refused(() => chickenRoad.wager({ stakeMinor: 100, road: 'lane' }))).toBe('road');
    expect(refused(() => chickenRoad.wager({ stakeMinor: 99, road: 'town' }))).toBe('stakeMinor');
    expect(refused(() => chickenRoad.wager(null))).toBe('wager');
    expect(refused(() => chickenRoad.move!({ do: 'run' }))).toBe('do');
    expect(refused(() => chickenRoad.move!({ do: 'go', lanes: 2 }))).toBe('lanes');
    const end = play('town', freeLanes(0), 'go');
    expect(refused(() => chickenRoad.play!(end.state, chickenRoad.move!({ do: 'cash' })))).toBe('move');
    checkRefusals((input) => chickenRoad.wager(input));
    checkRefusals((input) => chickenRoad.move!(input));
  });

  it('returns in play what is computed', () => checkBySimulation(chickenRoad));
});
