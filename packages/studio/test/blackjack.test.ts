import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BASIC,
  BLACKJACK_MOVES,
  type BlackjackAct,
  type BlackjackView,
  basicAct,
  blackjack,
  pointsOf,
  totalOf,
} from '../src/rules/blackjack.ts';
import { basicReturn } from './blackjack-exact.ts';
import { checkLaws, checkRefusals, checkReturns, fair, playRound, quick, refused } from './solo.ts';
import { strategies } from './strategies.ts';

const wagers = fc.integer({ min: 1, max: 500 }).map((n) => ({ stakeMinor: n * 100 }));
const moves = fc.constantFrom(...BLACKJACK_MOVES).map((act) => ({ act }));
const viewOf = (state: unknown) => blackjack.view(state) as BlackjackView;

/** A round with known cards, by their values, in the order player, dealer, player, dealer, then as drawn. */
function stacked(values: readonly number[], acts: readonly string[], stakeMinor = 1000) {
  const cards = values.map((value) => value - 1);
  const [a, up, b, hole] = cards as [number, number, number, number];
  const state = {
    stakeMinor,
    cards: [...cards, ...Array.from({ length: 44 - cards.length }, () => 9)],
    used: 4,
    hands: [{ cards: [a, b], stakeMinor, done: false, surrendered: false, outcome: null }],
    dealer: [up, hole],
    over: false,
  };
  let step: ReturnType<typeof blackjack.open> = { state, over: false, paidMinor: 0 };
  let staked = stakeMinor;
  for (const act of acts) {
    const move = blackjack.move!({ act });
    staked += blackjack.extra!(step.state, move);
    step = blackjack.play!(step.state, move);
  }
  return { staked, paid: step.paidMinor, over: step.over, view: viewOf(step.state) };
}

describe('blackjack', () => {
  it('counts hands', () => {
    expect(totalOf([0, 9])).toEqual({ total: 21, soft: true });
    expect(totalOf([0, 0, 8])).toEqual({ total: 21, soft: true });
    expect(totalOf([0, 5, 9])).toEqual({ total: 17, soft: false });
    expect(totalOf([12, 11, 1])).toEqual({ total: 22, soft: false });
    expect([0, 8, 9, 12, 13].map(pointsOf)).toEqual([1, 9, 10, 10, 1]);
  });

  it('pays by hand: win, push, loss, bust', () => {
    expect(stacked([10, 6, 9, 10, 5], ['stand'])).toMatchObject({ paid: 0, view: { dealer: [5, 9, 4] } }); // 19 against 21
    expect(stacked([10, 6, 9, 10, 10], ['stand'])).toMatchObject({ paid: 2000, staked: 1000 }); // the dealer busts
    expect(stacked([10, 7, 7, 10], ['stand'])).toMatchObject({ paid: 1000, view: { hands: [{ outcome: 'push' }] } });
    expect(stacked([10, 7, 6, 10], ['stand'])).toMatchObject({ paid: 0, view: { hands: [{ outcome: 'lost' }] } });
    expect(stacked([10, 7, 6, 10, 8], ['hit'])).toMatchObject({
      paid: 0,
      over: true,
      view: { hands: [{ outcome: 'bust' }] },
    });
  });

  it('the dealer stands on a soft 17 and draws to 16, and not at all against a bust hand', () => {
    expect(stacked([10, 6, 8, 1], ['stand']).view.dealer).toHaveLength(2); // ace and 6
    expect(stacked([10, 6, 8, 10, 2], ['stand']).view.dealer).toHaveLength(3);
    expect(stacked([10, 6, 6, 10, 10], ['hit']).view.dealer).toHaveLength(2);
  });

  it('doubles with one card and twice the stake', () => {
    expect(stacked([5, 6, 6, 10, 10, 10], ['double'])).toMatchObject({ staked: 2000, paid: 4000, over: true });
    expect(stacked([5, 6, 6, 10, 2, 2], ['double'])).toMatchObject({ staked: 2000, paid: 0, over: true }); // 13 against 18
  });

  it('splits once, plays the hands in turn, doubles after it, and 21 is no blackjack', () => {
    // 8 8 against 6 and 10: hand one 8+3 doubled with 10, hand two 8+10 stands; the dealer draws 10.
    const round = stacked([8, 6, 8, 10, 3, 10, 10, 10], ['split', 'double', 'stand']);
    expect(round).toMatchObject({ staked: 3000, paid: 4000 + 2000, over: true });
    expect(refused(() => stacked([8, 6, 8, 10, 8, 8], ['split', 'split']))).toBe('act');
    expect(refused(() => stacked([8, 6, 8, 10, 3, 10], ['split', 'surrender']))).toBe('act');
    // Aces get one card each: 21 and 15, the dealer has 18.
    const aces = stacked([1, 8, 1, 10, 10, 4], ['split']);
    expect(aces).toMatchObject({ staked: 2000, paid: 2000, over: true });
    expect(aces.view.hands.map((hand) => hand.outcome)).toEqual(['won', 'lost']);
  });

  it('surrender gives half back; leaving stands on all hands', () => {
    expect(stacked([10, 9, 6, 10], ['surrender'])).toMatchObject({ staked: 1000, paid: 500, over: true });
    expect(stacked([8, 6, 8, 10, 2, 2, 10], ['split', 'leave'])).toMatchObject({
      staked: 2000,
      paid: 4000,
      over: true,
    });
  });

  it('blackjack pays 3:2 at once, ties with the dealer, and ends the round when the dealer has it', () => {
    const seen = new Set<string>();
    for (let nonce = 0; nonce < 2000; nonce++) {
      const first = blackjack.open(blackjack.wager({ stakeMinor: 200 }), fair(nonce));
      const { dealer, hands, over } = viewOf(first.state);
      const own = hands[0]!.cards.length === 2 && totalOf(hands[0]!.cards).total === 21;
      if (!over) {
        expect(own).toBe(false);
        continue;
      }
      const theirs = totalOf(dealer as number[]).total === 21;
      expect(own || theirs).toBe(true);
      expect(first.paidMinor).toBe(own ? (theirs ? 200 : 500) : 0);
      seen.add(`${own}${theirs}`);
    }
    expect([...seen].sort()).toEqual(['falsetrue', 'truefalse', 'truetrue']);
  });

  it('hides the hole card and the shoe until the round is over', () => {
    fc.assert(
      fc.property(wagers, fc.array(moves, { maxLength: 12 }), fc.nat(100_000), (wager, sent, nonce) => {
        for (const step of playRound(blackjack, wager, sent, fair(nonce)).steps) {
          const view = viewOf(step.state);
          expect(Object.keys(view).sort()).toEqual(['active', 'allowed', 'dealer', 'hands', 'over']);
          expect(view.dealer.includes(null)).toBe(!step.over);
          expect(view.allowed.length > 0).toBe(!step.over);
        }
      }),
    );
  });

  it('whatever is played, cards never run out and the payment is what the hands say', () => {
    fc.assert(
      fc.property(wagers, fc.array(moves, { maxLength: 60 }), fc.nat(100_000), (wager, sent, nonce) => {
        const { end } = playRound(blackjack, wager, sent, fair(nonce));
        const { hands, dealer } = viewOf(end.state);
        expect([...hands.flatMap((hand) => hand.cards), ...dealer].every((card) => Number.isInteger(card))).toBe(true);
        const times = { blackjack: 2.5, won: 2, push: 1, lost: 0, bust: 0, surrendered: 0.5 };
        expect(end.paidMinor).toBe(hands.reduce((sum, hand) => sum + hand.stakeMinor * times[hand.outcome!], 0));
      }),
    );
  });

  it('keeps the laws of a game', () => checkLaws(blackjack, wagers, moves, 800));

  it('refuses wagers and moves by the field at fault', () => {
    expect(refused(() => blackjack.wager({ stakeMinor: 150 }))).toBe('stakeMinor');
    expect(refused(() => blackjack.wager({ stakeMinor: 100, insurance: true }))).toBe('insurance');
    expect(refused(() => blackjack.move!({ act: 'peek' }))).toBe('act');
    expect(refused(() => stacked([10, 6, 9, 10], ['split']))).toBe('act');
    expect(refused(() => stacked([2, 6, 3, 10, 4], ['hit', 'double']))).toBe('act');
    expect(refused(() => stacked([10, 7, 7, 10], ['stand', 'stand']))).toBe('act');
    checkRefusals((input) => blackjack.wager(input));
    checkRefusals((input) => blackjack.move!(input));
  });

  it('the basic strategy says what the rules panel says', () => {
    const hand = (
      values: readonly number[],
      up: number,
      allowed: readonly BlackjackAct[] = BLACKJACK_MOVES.filter((act) => act !== 'split'),
    ) =>
      basicAct(
        values.map((value) => value - 1),
        up,
        allowed,
      );
    expect([2, 3, 6, 7].map((up) => hand([5, 4], up))).toEqual(['hit', 'double', 'double', 'hit']);
    expect([9, 10].map((up) => hand([6, 4], up))).toEqual(['double', 'hit']);
    expect([10, 1].map((up) => hand([6, 5], up))).toEqual(['double', 'hit']);
    expect([3, 4, 6, 7].map((up) => hand([10, 2], up))).toEqual(['hit', 'stand', 'stand', 'hit']);
    expect([9, 10, 1].map((up) => hand([10, 6], up))).toEqual(['surrender', 'surrender', 'surrender']);
    expect([9, 10, 1].map((up) => hand([10, 5], up))).toEqual(['hit', 'surrender', 'hit']);
    expect([2, 3, 6, 7, 8, 9].map((up) => hand([1, 7], up))).toEqual([
      'stand',
      'double',
      'double',
      'stand',
      'stand',
      'hit',
    ]);
    expect([6, 7, 8].map((up) => hand([9, 9], up, BLACKJACK_MOVES))).toEqual(['split', 'stand', 'split']);
    expect([4, 5].map((up) => hand([4, 4], up, BLACKJACK_MOVES))).toEqual(['hit', 'split']);
    expect(hand([8, 8], 10, BLACKJACK_MOVES)).toBe('split');
  });

  it('[issue 5] the return of basic strategy, by going through every hand, is the one that is printed', () => {
    expect(basicReturn()).toEqual(BASIC);
    checkReturns(blackjack);
  });

  it('returns in play what is computed', () => {
    const random = quick(20_261_120);
    const play = strategies.blackjack!;
    const rounds = 200_000;
    let nets = 0;
    let squares = 0;
    for (let i = 0; i < rounds; i++) {
      let staked = 100;
      let step = blackjack.open(blackjack.wager(play.wager(random)), random);
      while (!step.over) {
        const next = blackjack.move!(play.move!(viewOf(step.state), random));
        staked += blackjack.extra!(step.state, next);
        step = blackjack.play!(step.state, next);
      }
      const net = (step.paidMinor - staked) / 100;
      nets += net;
      squares += net * net;
    }
    const mean = nets / rounds;
    const error = Math.sqrt((squares / rounds - mean * mean) / rounds);
    expect(Math.abs(mean - (BASIC.ofFirstStakePpm / 1_000_000 - 1))).toBeLessThan(4 * error);
    expect(play.expectedPpm).toBe(BASIC.ofAllStakedPpm);
  });
});
