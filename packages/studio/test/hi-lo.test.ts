import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Random } from '../src/game.ts';
import { guessWords, type HiLoView, hiLo, hiLoReturn, hiLoTimes, winningRanks } from '../src/rules/hi-lo.ts';
import { checkBySimulation, checkLaws, checkRefusals, checkReturns, fair, playRound, refused } from './solo.ts';

const wagers = fc.record({ stakeMinor: fc.integer({ min: 1, max: 500 }).map((n) => n * 100) });
const moves = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom({ do: 'higher' }, { do: 'lower' }, { do: 'skip' }) },
  { weight: 1, arbitrary: fc.constant({ do: 'cash' }) },
);
const viewOf = (state: unknown) => hiLo.view(state) as HiLoView;
const rank = (card: number) => (card % 13) + 1;

/** These ranks come first, then aces. */
const ranks = (...wanted: number[]): Random => {
  let at = 0;
  return { int: () => (wanted[at++] ?? 1) - 1 };
};
const play = (random: Random, ...sent: string[]) =>
  playRound(
    hiLo,
    { stakeMinor: 1000 },
    sent.map((what) => ({ do: what })),
    random,
  ).end;

describe('hi-lo', () => {
  it('pays by hand', () => {
    // On a 7 both guesses win with 7 of 13 ranks: 0.99 * 13/7 = 1.838...
    expect(play(ranks(7, 7), 'higher', 'cash').paidMinor).toBe(1830);
    expect(play(ranks(7, 7), 'lower', 'cash').paidMinor).toBe(1830);
    expect(play(ranks(7, 6), 'higher').paidMinor).toBe(0);
    // On an ace higher wins with all but the ace (0.99 * 13/12 = 1.0725), lower is the same rank only (12.87).
    expect(play(ranks(1, 2), 'higher', 'cash').paidMinor).toBe(1070);
    expect(play(ranks(1, 1), 'higher').paidMinor).toBe(0);
    expect(play(ranks(1, 1), 'lower', 'cash').paidMinor).toBe(12_870);
    expect(play(ranks(13, 13), 'higher', 'cash').paidMinor).toBe(12_870);
    expect(play(ranks(13, 1), 'lower', 'cash').paidMinor).toBe(1070);
    // A queen: higher or same wins with two ranks.
    expect(play(ranks(12, 12), 'higher', 'cash').paidMinor).toBe(6430);
    // Two guesses are cut once: 0.99 * 13/7 * 13/9 = 2.655...
    expect(play(ranks(7, 9, 5), 'higher', 'lower', 'cash').paidMinor).toBe(2650);
    // A skip changes the card and nothing else.
    expect(play(ranks(12, 7, 8), 'skip', 'higher', 'cash').paidMinor).toBe(1830);
    expect(play(ranks(5), 'cash').paidMinor).toBe(1000);
  });

  it('says what a guess means', () => {
    expect([guessWords(1, 'higher'), guessWords(1, 'lower')]).toEqual(['Higher', 'Same']);
    expect([guessWords(13, 'higher'), guessWords(13, 'lower')]).toEqual(['Same', 'Lower']);
    expect([guessWords(2, 'higher'), guessWords(2, 'lower')]).toEqual(['Higher or same', 'Lower or same']);
  });

  it('[issue 5] every way to play returns between 92 % and 100 %', () => {
    checkReturns(hiLo);
    const rows = hiLo.returns();
    const lowest = rows.find((row) => row.bet.startsWith('Lowest'))!.ppm;
    let low = 1_000_000;
    let high = 0;
    // Every set of up to five guesses, whatever their order.
    const tryAll = (so: readonly number[], least: number) => {
      for (let next = least; next <= 12; next++) {
        const more = [...so, next];
        if (hiLoTimes(more) > 1_000_000) continue;
        low = Math.min(low, hiLoReturn(more));
        high = Math.max(high, hiLoReturn(more));
        if (more.length < 5) tryAll(more, next);
      }
    };
    tryAll([], 1);
    expect(low).toBeGreaterThanOrEqual(lowest);
    expect(lowest).toBeGreaterThanOrEqual(920_000);
    expect(high).toBe(990_000);
    for (let from = 1; from <= 13; from++) {
      const both = winningRanks(from, 'higher') + winningRanks(from, 'lower');
      expect(both).toBe(from === 1 || from === 13 ? 13 : 14);
    }
  });

  it('shows a card only when it is drawn, and offers what it pays', () => {
    fc.assert(
      fc.property(wagers, fc.array(moves, { maxLength: 30 }), fc.nat(100_000), (wager, sent, nonce) => {
        for (const { state, over, paidMinor } of playRound(hiLo, wager, sent, fair(nonce)).steps) {
          const view = viewOf(state);
          const { cards } = state as { cards: number[] };
          expect(view.cards).toEqual(cards.slice(0, view.done.length + 1));
          expect(over).toBe(view.end !== 'open');
          expect(paidMinor).toBe(over ? (wager.stakeMinor / 100) * view.times : 0);
          const on = rank(view.cards.at(-1)!);
          for (const guess of ['higher', 'lower'] as const) {
            const offer = view[guess];
            if (over) expect(offer).toBeNull();
            else if (offer) expect(offer.ranks).toBe(winningRanks(on, guess));
          }
        }
      }),
    );
  });

  it('takes five skips, then none; twenty right guesses pay by themselves', () => {
    const skips = Array.from({ length: 5 }, () => 'skip');
    const first = hiLo.open(hiLo.wager({ stakeMinor: 100 }), ranks(2, 2));
    let step = first;
    for (const what of skips) step = hiLo.play!(step.state, hiLo.move!({ do: what }));
    expect(viewOf(step.state).skipsLeft).toBe(0);
    expect(refused(() => hiLo.play!(step.state, hiLo.move!({ do: 'skip' })))).toBe('do');
    // On a 2 higher or same wins with 12 ranks, the 2 itself among them.
    const turns = ranks(...Array.from({ length: 26 }, () => 2));
    const end = play(turns, ...Array.from({ length: 25 }, () => 'higher'));
    expect(end).toMatchObject({
      over: true,
      paidMinor: (1000 / 100) * hiLoTimes(Array.from({ length: 20 }, () => 12)),
    });
  });

  it('does not offer a guess that leads over 10,000 times', () => {
    // Same rank on aces: 13^3 * 0.99 = 2175.03, a fourth would be 28,275.
    let step = hiLo.open(hiLo.wager({ stakeMinor: 100 }), ranks(1));
    for (let i = 0; i < 3; i++) step = hiLo.play!(step.state, hiLo.move!({ do: 'lower' }));
    expect(viewOf(step.state)).toMatchObject({ times: 217_503, lower: null, higher: { ranks: 12, times: 235_628 } });
    expect(refused(() => hiLo.play!(step.state, hiLo.move!({ do: 'lower' })))).toBe('do');
  });

  it('keeps the laws of a game', () => checkLaws(hiLo, wagers, moves, 1_000_000));

  it('refuses wagers and moves by the field at fault', () => {
    expect(refused(() => hiLo.wager({ stakeMinor: 100_000 }))).toBe('stakeMinor');
    expect(refused(() => hiLo.wager({ stakeMinor: 100, card: 3 }))).toBe('card');
    expect(refused(() => hiLo.move!({ do: 'peek' }))).toBe('do');
    expect(refused(() => hiLo.move!({ do: 'skip', card: 1 }))).toBe('card');
    const end = play(ranks(5), 'cash');
    expect(refused(() => hiLo.play!(end.state, hiLo.move!({ do: 'higher' })))).toBe('move');
    checkRefusals((input) => hiLo.wager(input));
    checkRefusals((input) => hiLo.move!(input));
  });

  it('returns in play what is computed', () => checkBySimulation(hiLo));
});
