import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { colourOf, POCKETS, roulette, SPOTS, WHEEL } from '../src/rules/roulette.ts';
import { checkBySimulation, checkLaws, checkRefusals, checkReturns, fair, playRound, refused } from './solo.ts';

interface View {
  readonly number: number;
  readonly paid: readonly number[];
}

const all = [...SPOTS.values()];
const wagers = fc
  .uniqueArray(fc.constantFrom(...SPOTS.keys()), { minLength: 1, maxLength: 8 })
  .chain((spots) => fc.tuple(...spots.map((spot) => fc.integer({ min: 1, max: 100 }).map((n) => ({ spot, n })))))
  .map((chips) => ({ chips: chips.map(({ spot, n }) => ({ spot, stakeMinor: n * 100 })) }));

/** What the chips pay on each of the 37 numbers, each number met once in the fair stream. */
function onEveryNumber(chips: readonly { spot: string; stakeMinor: number }[]): Map<number, number> {
  const paid = new Map<number, number>();
  for (let number = 0; number < POCKETS; number++) {
    const { end } = playRound(roulette, { chips }, [], { int: () => number });
    paid.set(number, end.paidMinor);
  }
  return paid;
}

describe('roulette', () => {
  it('has the whole table: 157 places of the known kinds', () => {
    const count = (kind: string) => all.filter((spot) => spot.kind === kind).length;
    expect(count('straight')).toBe(37);
    expect(count('split')).toBe(60);
    expect(count('street')).toBe(12);
    expect(count('trio')).toBe(2);
    expect(count('corner')).toBe(22);
    expect(count('first-four')).toBe(1);
    expect(count('line')).toBe(11);
    expect(count('column')).toBe(3);
    expect(count('dozen')).toBe(3);
    expect(count('even-money')).toBe(6);
    expect(SPOTS.size).toBe(157);
    expect([...WHEEL].sort((a, b) => a - b)).toEqual(Array.from({ length: 37 }, (_, n) => n));
  });

  it('numbers on the wheel change colour from one to the next', () => {
    for (let i = 1; i < POCKETS; i++) {
      const next = WHEEL[(i + 1) % POCKETS]!;
      if (next !== 0) expect(colourOf(WHEEL[i]!)).not.toBe(colourOf(next));
    }
    expect(WHEEL.filter((number) => colourOf(number) === 'red')).toHaveLength(18);
  });

  it('[issue 5] every place returns 36/37, between 92 % and 100 %', () => {
    for (const spot of all) {
      const paid = [...onEveryNumber([{ spot: spot.id, stakeMinor: 100 }]).values()];
      expect(paid.reduce((sum, each) => sum + each, 0)).toBe(3600);
    }
    for (const row of roulette.returns()) expect(row.ppm).toBe(972_972);
    checkReturns(roulette);
  });

  it('pays by hand: 17 with chips around it', () => {
    const chips = [
      { spot: 'straight-17', stakeMinor: 100 },
      { spot: 'split-14-17', stakeMinor: 200 },
      { spot: 'street-16-17-18', stakeMinor: 100 },
      { spot: 'corner-16-17-19-20', stakeMinor: 100 },
      { spot: 'line-13-14-15-16-17-18', stakeMinor: 100 },
      { spot: 'column-2', stakeMinor: 100 },
      { spot: 'dozen-2', stakeMinor: 100 },
      { spot: 'black', stakeMinor: 100 },
      { spot: 'odd', stakeMinor: 100 },
      { spot: 'high', stakeMinor: 100 },
    ];
    const paid = onEveryNumber(chips);
    expect(paid.get(17)).toBe(3600 + 3600 + 1200 + 900 + 600 + 300 + 300 + 200 + 200);
    expect(paid.get(0)).toBe(0);
    expect(paid.get(21)).toBe(300 + 200 + 200); // dozen 2, odd, high
  });

  it('zero wins with what touches it and nothing else', () => {
    const winners = all.filter((spot) => onEveryNumber([{ spot: spot.id, stakeMinor: 100 }]).get(0)! > 0);
    expect(winners.map((spot) => spot.id).sort()).toEqual([
      'first-four-0-1-2-3',
      'split-0-1',
      'split-0-2',
      'split-0-3',
      'straight-0',
      'trio-0-1-2',
      'trio-0-2-3',
    ]);
  });

  it('pays chip by chip, in the order of the wager', () => {
    fc.assert(
      fc.property(wagers, fc.nat(100_000), (wager, nonce) => {
        const { end } = playRound(roulette, wager, [], fair(nonce));
        const { number, paid } = roulette.view(end.state) as View;
        wager.chips.forEach((chip, i) => {
          const spot = SPOTS.get(chip.spot)!;
          expect(paid[i]).toBe(spot.numbers.includes(number) ? (chip.stakeMinor * 36) / spot.numbers.length : 0);
        });
        expect(paid.reduce((sum, each) => sum + each, 0)).toBe(end.paidMinor);
      }),
    );
  });

  it('keeps the laws of a game', () => checkLaws(roulette, wagers, null, 3600));

  it('refuses wagers by the field at fault', () => {
    const chip = { spot: 'red', stakeMinor: 100 };
    expect(refused(() => roulette.wager({ chips: [] }))).toBe('chips');
    expect(refused(() => roulette.wager({ chips: [{ spot: 'purple', stakeMinor: 100 }] }))).toBe('spot');
    expect(refused(() => roulette.wager({ chips: [chip, chip] }))).toBe('spot');
    expect(refused(() => roulette.wager({ chips: [{ ...chip, stakeMinor: 150 }] }))).toBe('stakeMinor');
    expect(refused(() => roulette.wager({ chips: [chip, { spot: 'odd', stakeMinor: 100_000 }] }))).toBe('stakeMinor');
    expect(refused(() => roulette.wager({ chips: [chip], lucky: 7 }))).toBe('lucky');
    checkRefusals((input) => roulette.wager(input));
  });

  it('returns in play what is computed', () => checkBySimulation(roulette));
});
