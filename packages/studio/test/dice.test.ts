import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dice, diceTimes, winning } from '../src/rules/dice.ts';
import { checkBySimulation, checkLaws, checkRefusals, checkReturns, fair, playRound, refused } from './solo.ts';

const wagers = fc.record({
  stakeMinor: fc.integer({ min: 1, max: 500 }).map((n) => n * 100),
  side: fc.constantFrom('under', 'over'),
  mark: fc.integer({ min: 499, max: 9500 }),
});

describe('dice', () => {
  it('pays by hand', () => {
    expect(diceTimes(winning('under', 5000))).toBe(198);
    expect(winning('over', 4999)).toBe(5000); // 50.00 to 99.99
    expect(diceTimes(200)).toBe(4950);
    expect(diceTimes(9500)).toBe(104); // 1.0421...
  });

  it('[issue 5] every mark of both sides returns between 92 % and 100 %', () => {
    for (const side of ['under', 'over'] as const) {
      for (let mark = 0; mark < 10_000; mark++) {
        const numbers = winning(side, mark);
        if (numbers < 200 || numbers > 9500) {
          expect(refused(() => dice.wager({ stakeMinor: 100, side, mark }))).toBe('mark');
        } else {
          const paid = numbers * diceTimes(numbers);
          expect(paid >= 920_000 && paid <= 990_000).toBe(true);
        }
      }
    }
    checkReturns(dice);
  });

  it('the roll decides, and the mark itself wins on neither side', () => {
    const at = (roll: number) => ({ int: () => roll });
    const play = (side: string, mark: number, roll: number) =>
      playRound(dice, { stakeMinor: 1000, side, mark }, [], at(roll)).end.paidMinor;
    expect([play('under', 5000, 4999), play('under', 5000, 5000)]).toEqual([1980, 0]);
    expect([play('over', 5000, 5001), play('over', 5000, 5000)]).toEqual([1980, 0]);
  });

  it('keeps the laws of a game', () => checkLaws(dice, wagers, null, 4950));

  it('refuses wagers by the field at fault', () => {
    expect(refused(() => dice.wager({ stakeMinor: 100, side: 'in', mark: 5000 }))).toBe('side');
    expect(refused(() => dice.wager({ stakeMinor: 50_100, side: 'over', mark: 5000 }))).toBe('stakeMinor');
    checkRefusals((input) => dice.wager(input));
    expect(playRound(dice, { stakeMinor: 100, side: 'over', mark: 5000 }, [], fair(0)).end.over).toBe(true);
  });

  it('returns in play what is computed', () => checkBySimulation(dice));
});
