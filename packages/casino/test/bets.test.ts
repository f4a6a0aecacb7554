import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bet, byMark, exposureOf, mostOf, riskOf, settleBet } from '../src/bets.ts';
import { commitOf } from '../src/fair.ts';
import { HALF, LOSE, pays, REFUND, WIN } from '../src/game.ts';
import { finish, newRound, openSelections } from '../src/round.ts';
import { gameOf, TABLES, type TableCode } from '../src/table.ts';

const bet = (
  selectionId: number,
  side: Bet['side'],
  price: number,
  stakeMinor: number,
  more: Partial<Bet> = {},
): Bet => ({
  selectionId,
  side,
  price,
  stakeMinor,
  ...more,
});

describe('profit and loss of one bet (C8)', () => {
  it('back and lay are mirror images', () => {
    for (const [mark, back] of [
      [WIN, 98],
      [LOSE, -100],
      [REFUND, 0],
      [HALF, -50],
      [pays(125), 25],
    ] as const) {
      expect(byMark(bet(1, 'BACK', 198, 100), mark).profitMinor).toBe(back);
      expect(byMark(bet(1, 'LAY', 198, 100), mark).profitMinor).toBe(back === 0 ? 0 : -back);
    }
    expect(byMark(bet(1, 'BACK', 198, 100), HALF).verdict).toBe('HALF');
    expect(byMark(bet(1, 'LAY', 198, 100), LOSE).verdict).toBe('WIN');
    expect(byMark(bet(1, 'BACK', 198, 100), REFUND).verdict).toBe('REFUND');
  });

  it('rounds half a unit away from zero', () => {
    expect(byMark(bet(1, 'BACK', 150, 1), WIN).profitMinor).toBe(1);
    expect(byMark(bet(1, 'BACK', 200, 1), HALF).profitMinor).toBe(-1);
    expect(byMark(bet(1, 'BACK', 198, 25), WIN).profitMinor).toBe(25);
    expect(byMark(bet(1, 'BACK', 197, 33), WIN).profitMinor).toBe(32);
  });

  it('sessions count from their own line at their own rate', () => {
    const value = (n: number) => ({ kind: 'VALUE', value: n }) as const;
    expect(byMark(bet(3, 'YES', 101, 100, { line: 14 }), value(14)).profitMinor).toBe(101);
    expect(byMark(bet(3, 'YES', 101, 100, { line: 14 }), value(13)).profitMinor).toBe(-100);
    expect(byMark(bet(3, 'NO', 113, 100, { line: 14 }), value(13)).profitMinor).toBe(100);
    expect(byMark(bet(3, 'NO', 113, 100, { line: 14 }), value(14)).profitMinor).toBe(-113);
  });

  it('a voided round gives every stake back', () => {
    for (const { game } of Object.values(TABLES)) {
      for (const { id, sides } of game.selections) {
        for (const side of sides) {
          expect(settleBet(game, null, bet(id, side, 200, 500, { line: 1 }))).toEqual({
            verdict: 'REFUND',
            profitMinor: 0,
          });
        }
      }
    }
  });

  it('poker: a shared best hand cancels every bet of the round', () => {
    const game = gameOf('poker20');
    for (let nonce = 0; nonce < 400; nonce++) {
      const round = finish(newRound('poker20', { serverSeed: commitOf('ties'), clientSeed: 'x', nonce }));
      const outcome = game.outcome(round);
      const result = game.result(outcome, round);
      expect(result.void).toBe(result.win === '0');
      if (result.void) return;
    }
    throw new Error('No tie was found.');
  });
});

describe('exposure (C8)', () => {
  const teen = gameOf('teen');

  it('nets the outcomes of a market and adds up the rest', () => {
    const backA = bet(1, 'BACK', 198, 100);
    const backB = bet(2, 'BACK', 198, 100);
    expect(exposureOf(teen, [backA])).toBe(100);
    expect(exposureOf(teen, [backA, backB])).toBe(2);
    expect(exposureOf(teen, [bet(1, 'LAY', 202, 100)])).toBe(102);
    expect(exposureOf(teen, [bet(1, 'BACK', 240, 100), bet(1, 'LAY', 198, 120)])).toBe(0);
    expect(exposureOf(teen, [backA, bet(11, 'BACK', 183, 50)])).toBe(150);
    expect(exposureOf(teen, [bet(3, 'BACK', 242, 100), bet(3, 'LAY', 253, 100)])).toBe(253);
  });

  it('a back and a lay of a market of one selection cover each other', () => {
    const match = gameOf('cmatch20');
    expect(exposureOf(match, [bet(6, 'BACK', 165, 100), bet(6, 'LAY', 169, 100)])).toBe(4); // wins: +65 - 69
    expect(exposureOf(match, [bet(6, 'BACK', 165, 100), bet(6, 'LAY', 169, 50)])).toBe(50); // loses: -100 + 50
    expect(exposureOf(match, [bet(6, 'BACK', 165, 100), bet(6, 'LAY', 160, 105)])).toBe(0); // +65 - 63, -100 + 105
    const colours = gameOf('card32eu');
    expect(exposureOf(colours, [bet(13, 'BACK', 325, 100), bet(13, 'LAY', 345, 90)])).toBe(10); // +225 - 220.5
    // Each colour is a market of its own.
    expect(exposureOf(colours, [bet(13, 'BACK', 325, 100), bet(14, 'LAY', 345, 90)])).toBe(321);
    expect(exposureOf(match, [bet(6, 'BACK', 165, 100), bet(5, 'LAY', 202, 100)])).toBe(202);
    expect(exposureOf(match, [bet(6, 'LAY', 169, 100)])).toBe(69);
  });

  it('holds parts of a minor unit in full, and promises none', () => {
    expect(riskOf(teen, bet(1, 'LAY', 202, 10))).toBe(11);
    expect(mostOf(teen, bet(1, 'BACK', 198, 10))).toBe(9);
    expect(exposureOf(teen, [bet(1, 'BACK', 198, 10), bet(2, 'BACK', 198, 10)])).toBe(1);
  });

  it('holds the cap of points and every unit of a bundle', () => {
    expect(riskOf(gameOf('cmeter'), bet(1, 'BACK', 215, 100))).toBe(5000);
    expect(riskOf(gameOf('worli'), bet(22, 'BACK', 14_000, 100))).toBe(12_000);
    expect(riskOf(gameOf('race20'), bet(6, 'NO', 105, 100, { line: 13 }))).toBe(105);
    expect(riskOf(gameOf('3cardj'), bet(2, 'LAY', 184, 100, { pick: [1, 2, 3] }))).toBe(84);
  });

  it('no round ever costs more than the exposure held, at any table', () => {
    const codes = Object.keys(TABLES) as TableCode[];
    fc.assert(
      fc.property(
        fc.constantFrom(...codes),
        fc.nat(1_000_000),
        fc.array(fc.tuple(fc.nat(500), fc.nat(3), fc.integer({ min: 1, max: 5000 })), { minLength: 1, maxLength: 12 }),
        (code, nonce, drafts) => {
          const game = gameOf(code);
          const opened = newRound(code, { serverSeed: commitOf('exposure'), clientSeed: '', nonce });
          const offers = openSelections(opened).filter(({ state }) => state === 'OPEN');
          const bets = drafts.flatMap(([at, sideAt, stakeMinor]) => {
            const offer = offers[at % offers.length]!;
            const selection = game.selections.find(({ id }) => id === offer.selectionId)!;
            const side = selection.sides[sideAt % selection.sides.length]!;
            const rate = side === 'YES' ? offer.yes : side === 'NO' ? offer.no : null;
            const price = rate ? rate.rate : side === 'LAY' ? offer.lay : offer.back;
            const pick = selection.pick ? [1, 4, 7, 9, 3].slice(0, selection.pick.least) : [];
            return price ? [bet(offer.selectionId, side, price, stakeMinor, { line: rate?.line, pick })] : [];
          });
          const round = finish(opened);
          const outcome = game.outcome(round);
          const settled = game.result(outcome, round).void ? null : outcome;
          const total = bets.reduce((sum, placed) => sum + settleBet(game, settled, placed).profitMinor, 0);
          const held = exposureOf(game, bets);
          expect(-total).toBeLessThanOrEqual(held);
          expect(held).toBeLessThanOrEqual(bets.reduce((sum, placed) => sum + riskOf(game, placed), 0));
          for (const placed of bets) {
            const { profitMinor } = settleBet(game, settled, placed);
            expect(Number.isSafeInteger(profitMinor)).toBe(true);
            expect(-profitMinor).toBeLessThanOrEqual(riskOf(game, placed));
          }
        },
      ),
      { numRuns: 1500, seed: 20_261 },
    );
  });
});
