import {
  type Bet,
  describe as describeTable,
  exposureOf,
  type Game,
  gameOf,
  mostOf,
  riskOf,
  type Selection,
  TABLES,
  type TableCode,
} from '@fairgame/casino';
import { betAmounts, type QuoteBet, quoteExposure } from '@fairgame/exchange';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsOf, runnerIdOf, runnersOf } from '../src/casino/selections.ts';

const codes = Object.keys(TABLES) as TableCode[];

/** A bet of a selection and side that the table offers, at a price and a stake of no round number. */
function betOf(game: Game): fc.Arbitrary<Bet> {
  const places = game.selections.flatMap((selection) => selection.sides.map((side) => ({ selection, side })));
  return fc
    .record({
      place: fc.constantFrom(...places),
      moved: fc.integer({ min: 101, max: 5000 }),
      stakeMinor: fc.integer({ min: 1, max: 1_000_000 }),
      values: fc.infiniteStream(fc.nat()),
    })
    .map(({ place: { selection, side }, moved, stakeMinor, values }) => {
      const fixed = side === 'LAY' ? selection.price?.lay : selection.price?.back;
      const asks = side === 'YES' || side === 'NO';
      const pick = choiceOf(selection, values);
      return {
        selectionId: selection.id,
        side,
        price: fixed ?? moved,
        stakeMinor,
        ...(asks ? { line: 10 } : {}),
        ...(pick ? { pick } : {}),
      };
    });
}

function choiceOf({ pick }: Selection<unknown>, values: Iterator<number>): number[] | undefined {
  if (!pick) return undefined;
  const choice: number[] = [];
  while (choice.length < pick.least) {
    let value = pick.from + (values.next().value! % (pick.to - pick.from + 1));
    while (!pick.repeats && choice.includes(value)) value = value === pick.to ? pick.from : value + 1;
    choice.push(value);
  }
  return choice;
}

/** The bet as the round's market holds it. */
function heldOf(code: TableCode, bet: Bet): QuoteBet {
  const selection = gameOf(code).selections.find(({ id }) => id === bet.selectionId)!;
  const runnerId = runnerIdOf(bet.selectionId, bet.pick);
  const { payMax, payMin } =
    runnersOf(code).find((runner) => runner.runnerId === runnerId) ?? boundsOf(selection, bet.pick ?? []);
  const { price, stakeMinor, line } = bet;
  const side = bet.side === 'BACK' || bet.side === 'YES' ? 'BACK' : 'LAY';
  const amounts = betAmounts('card', { side, price, stakeMinor, line, payMax, payMin });
  return { runnerId, side, price, stakeMinor, ...(line === undefined ? {} : { line }), ...amounts };
}

/** What a stake brings and costs by the plain data of the table alone. */
function byFields(code: TableCode, { selectionId, side, price, line, stakeMinor }: Bet) {
  const { pays, points, stakes } = describeTable(code).selections.find(({ id }) => id === selectionId)!;
  if (stakes === null) return null;
  const odds = pays ? Math.max(...pays.map((pay) => pay.odds)) : price;
  const most = points ? points * (price - 100) : line === undefined ? odds - 100 * stakes : price;
  return side === 'BACK' || side === 'YES'
    ? { winMinor: Math.floor((stakeMinor * Math.max(0, most)) / 100), lossMinor: stakeMinor * stakes }
    : { winMinor: stakeMinor * stakes, lossMinor: Math.ceil((stakeMinor * most) / 100) };
}

describe('the terms of a table are the terms of the book', () => {
  for (const code of codes) {
    const game = gameOf(code);

    it(`${code}: what a bet is said to bring and cost is what the core holds for it`, () => {
      fc.assert(
        fc.property(betOf(game), (bet) => {
          const { winMinor, lossMinor } = heldOf(code, bet);
          expect({ winMinor: mostOf(game, bet), lossMinor: riskOf(game, bet) }).toEqual({ winMinor, lossMinor });
          expect(byFields(code, bet) ?? { winMinor, lossMinor }).toEqual({ winMinor, lossMinor });
        }),
        { numRuns: 200 },
      );
    });

    it(`${code}: bets of one round together are said to cost what the core holds for them`, () => {
      const runners = runnersOf(code);
      fc.assert(
        fc.property(fc.array(betOf(game), { maxLength: 8 }), (bets) => {
          const market = { kind: 'card', runners } as const;
          expect(exposureOf(game, bets)).toBe(
            quoteExposure(
              market,
              bets.map((bet) => heldOf(code, bet)),
            ),
          );
        }),
        { numRuns: 200 },
      );
    });
  }
});
