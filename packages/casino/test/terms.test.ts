import { describe, expect, it } from 'vitest';
import { type Bet, mostOf, riskOf, settleBet } from '../src/bets.ts';
import { parseCard } from '../src/cards.ts';
import { commitOf } from '../src/fair.ts';
import type { Deal, Game, Side } from '../src/game.ts';
import { bestFive, pokerHandsInWords, pokerWords } from '../src/poker.ts';
import { finish, newRound, offersFor } from '../src/round.ts';
import { gameOf, TABLES, type TableCode } from '../src/table.ts';

const codes = Object.keys(TABLES) as TableCode[];
const deals = (code: TableCode, count: number): Deal[] =>
  Array.from({ length: count }, (_, nonce) =>
    finish(newRound(code, { serverSeed: commitOf(`terms ${nonce}`), clientSeed: 'terms', nonce })),
  );
const cards = (text: string) => text.split(' ').map(parseCard);
/** A deal of a table from its cards: who gets each is the table's own order. */
function dealOf(code: TableCode, text: string): Deal {
  const game = gameOf(code);
  const dealt: { cards: number[]; seats: number[] } = { cards: [], seats: [] };
  for (const card of cards(text)) {
    dealt.seats.push(game.nextSeat(dealt));
    dealt.cards.push(card);
  }
  expect(game.nextSeat(dealt), `${code}: ${text} is a whole deal`).toBe(-1);
  return dealt;
}
function wordsOf(code: TableCode, text: string): string {
  const deal = dealOf(code, text);
  return gameOf(code).result(gameOf(code).outcome(deal), deal).words;
}

/** Bets of every selection and side at its price, with a choice where it asks for one. */
function betsOf(game: Game, stakeMinor: number): Bet[] {
  const picks: Record<string, number[]> = {
    ranks: [1, 7, 13],
    Pana: [1, 2, 3],
    Cycle: [1, 2],
    'Motor SP': [1, 2, 3, 4],
  };
  const offers = offersFor(game, { cards: [], seats: [] });
  return game.selections.flatMap((selection): Bet[] =>
    selection.sides.flatMap((side: Side): Bet[] => {
      const offer = offers.find(({ selectionId }) => selectionId === selection.id)!;
      const rate = side === 'YES' ? offer.yes : side === 'NO' ? offer.no : null;
      const price = rate ? rate.rate : side === 'LAY' ? offer.lay : offer.back;
      if (price === null) return [];
      const pick = selection.pick ? (picks[selection.pick.of] ?? picks[selection.name] ?? [6]) : undefined;
      const line = rate ? { line: rate.line } : {};
      return [{ selectionId: selection.id, side, price, stakeMinor, ...line, ...(pick ? { pick } : {}) }];
    }),
  );
}

describe('what a bet can bring and cost, as data', () => {
  for (const code of codes) {
    it(`${code}: no bet of 60 rounds wins more or loses more than it says`, () => {
      const game = gameOf(code);
      const bets = betsOf(game, 100);
      for (const deal of deals(code, 60)) {
        const outcome = game.result(game.outcome(deal), deal).void ? null : game.outcome(deal);
        for (const bet of bets) {
          const { profitMinor } = settleBet(game, outcome, bet);
          expect(profitMinor).toBeLessThanOrEqual(mostOf(game, bet));
          expect(-profitMinor).toBeLessThanOrEqual(riskOf(game, bet));
        }
      }
    });

    it(`${code}: a bet that pays by how it wins names every way with its odds`, () => {
      const game = gameOf(code);
      for (const deal of deals(code, 200)) {
        const outcome = game.outcome(deal);
        for (const selection of game.selections) {
          if (selection.pick) continue;
          const mark = selection.mark(outcome, []);
          if (mark.kind !== 'WIN' || mark.odds === null || selection.pays === null) continue;
          expect(
            selection.pays.map(({ odds }) => odds),
            selection.name,
          ).toContain(mark.odds);
        }
      }
    });
  }

  it('counts points and units: Casino Meter 2.00 wins at most 115.00, SP All 1.00 at most 23.00', () => {
    const most = (code: TableCode, name: string, stakeMinor: number, pick?: number[]) => {
      const game = gameOf(code);
      const { id, price } = game.selections.find((one) => one.name === name)!;
      return mostOf(game, {
        selectionId: id,
        side: 'BACK',
        price: price!.back!,
        stakeMinor,
        ...(pick ? { pick } : {}),
      });
    };
    expect(most('cmeter', 'Low', 200)).toBe(11_500);
    expect(most('worli', 'SP All', 100)).toBe(2300);
    expect(most('worli', 'SP', 100, [6])).toBe(13_100);
    expect(most('teen20', 'Pair Plus A', 100)).toBe(4500);
    expect(most('baccarat', 'Banker', 100)).toBe(100);
    expect(most('abj', '1st Bet A', 100)).toBe(100);
  });
});

describe('how a round ended, for strip and statistics', () => {
  for (const code of codes) {
    it(`${code}: says what happened, with the cards that decided it`, () => {
      const game = gameOf(code);
      const badges = new Set<string>();
      for (const deal of deals(code, 60)) {
        const result = game.result(game.outcome(deal), deal);
        badges.add(result.badge);
        expect(result.badge.length).toBeLessThanOrEqual(8);
        expect(result.words).toMatch(/^[A-Z0-9].*\.$/);
        expect(result.best.every((at) => deal.cards[at] !== undefined)).toBe(true);
        for (const ended of game.endings.length === 0 ? [] : result.win.split(',')) {
          const ending = game.endings.find(({ win }) => win === ended);
          // Where several may win, none of them may.
          if (ended === '0' && !ending) expect(result.winners).toEqual([]);
          else expect(ending, ended).toBeDefined();
          if (ending && !result.badge.includes('/'))
            expect(result).toMatchObject({ badge: ending.badge, tone: ending.tone });
        }
        if (result.winners.length > 0 && game.family !== 'poker' && game.family !== 'overs' && code !== 'abj') {
          const at = result.best.map((i) => deal.seats[i]);
          expect(new Set(at)).toEqual(new Set(result.winners));
        }
      }
      // A strip of one sign says nothing.
      expect(badges.size).toBeGreaterThan(1);
    });
  }

  /** Hands of three, one card to each in turn. */
  const inTurn = (...hands: string[]) =>
    [0, 1, 2].map((at) => hands.map((hand) => hand.split(' ')[at]).join(' ')).join(' ');
  const low = ['2S 4H 6D', '2H 4D 6C', '2D 4C 7S', '2C 4S 7H', '3S 5H 7D', '3H 5D 7C', '3D 5C 8S'];
  it.each<[TableCode, string, string]>([
    ['teen8', inTurn('AS AH AD', ...low, '9S 9H 10D'), '1/8'],
    ['teen8', inTurn('KS KH QD', ...low, 'AS AH AD'), '0/8'],
    ['ab20', 'AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS', '6:7'],
    ['ab20', 'AS 2S 2H 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS', '7:6'],
    ['war', 'KS 7C 4H 9H 2D 7H 8H', '2/6'],
    ['war', '2S 7C 4H 9H 2D 7H KH', '0/6'],
    ['3cardj', 'AS 10H 5D', 'A 10 5'],
    ['3cardj', 'QS QH QD', 'Q Q Q'],
    ['cmeter', 'AS 2S 3S 4S 5S 6S 7S 8S 9H KS QS', 'L 20'],
    ['cmeter', 'KS KH KD KC QS QH QD AS 2S 3S 4S', 'H 78'],
    ['cmeter', 'AS 2S 3S 4S 5S 6S 7S 8S KS QS JS', '0'],
  ])('%s: %s is marked %s: what came, in letters of its own', (code, text, badge) => {
    const deal = dealOf(code, text);
    expect(gameOf(code).result(gameOf(code).outcome(deal), deal).badge).toBe(badge);
  });

  it('ballbyball: marks runs, wicket and each extra by letters of their own', () => {
    const game = gameOf('ballbyball');
    const firsts = [0, 310, 680, 745, 750, 860, 910, 937, 946, 949, 953, 954, 955, 960, 992, 994];
    const marks = firsts.map((drawn) => {
      const deal = { cards: [drawn], seats: [0] };
      return game.result(game.outcome(deal), deal).badge;
    });
    expect(marks).toEqual(['0', '1', '2', '3', '4', '6', 'W', 'W', 'W', 'W', 'W', 'W', 'NB', 'WD', 'B', 'LB']);
  });

  it('tells the three sides of a three-way table apart', () => {
    for (const code of ['dtl20', 'teen9', 'aaa'] as const) {
      const tones = gameOf(code).endings.map(({ tone }) => tone);
      expect(tones.slice(0, 3), code).toEqual(['a', 'b', 'c']);
    }
  });
});

describe('why a hand won', () => {
  it.each([
    ['teen20', 'KS QD 9D JC 2C 5S', 'Player A wins: king high beats queen high.'],
    ['teen20', 'KS KD QD JC 2C 5S', 'Player A wins: king high with queen beats king high with jack.'],
    ['teen20', 'KS KD QD QC 2C 5S', 'Player B wins: king high with queen and five beats king high with queen and two.'],
    ['teen20', '9S 9D 9C 9H 2C 5S', 'Player B wins: pair of nines with five beats pair of nines with two.'],
    ['teen20', 'AS QH 2D QD 3C QC', 'Player B wins: trail of queens beats sequence, ace to three.'],
    ['teen20', 'KS KD QD QC 2C 2S', 'Tie: both have king high. Player bets go back.'],
    ['teen9', '9S KC 5D 3S 6S JD 5C AC 8D', 'Dragon wins: color, jack high beats the ace high of Lion.'],
    ['dt20', 'KS 9H', 'Dragon wins: king beats nine.'],
    ['dt20', 'JH JS', 'Tiger wins: jack of spades beats jack of hearts.'],
    ['dt20', '7H 7H', 'Tie: both have the seven of hearts.'],
    ['dtl20', '10D 9C 10C', 'Lion wins: ten of clubs beats ten of diamonds and nine.'],
    ['baccarat', '9S 2H KD 4C', 'Player wins with a natural 9 against 6.'],
    ['baccarat', 'KS 2H KD 4C 5H', 'Banker wins with 6 against 5; Banker bets are paid half.'],
    ['card32', '7D 8C JC 10C 7C 9D', 'Player 11 wins with 30 against 15, 17 and 28.'],
    ['war', 'KS 7C 4H 9H 2D 7H 8H', 'The dealer has the eight of hearts. Players 1 and 4 beat it.'],
    ['abj', '4S JH 3D 4H', 'Bahar wins: card 3 is a four like the joker.'],
    ['lucky7', '7D', 'The seven of diamonds: Low and High get half back.'],
  ] as const)('%s %s', (code, text, words) => {
    expect(wordsOf(code, text)).toBe(words);
  });

  it('names the margin of a cricket match: runs for the side that bats first, wickets for the chase', () => {
    expect(wordsOf('superover', '6S 6H 6C 6D 4S 4H 2S KS KD')).toBe('ENG wins by 30 runs: 32/0 against 2/2.');
    expect(wordsOf('superover', 'AS AH AC AD 2S KH 6S 2H')).toBe('RSA wins by 2 wickets: 8/0 against 6/1.');
  });

  it('marks the best five of seven and names what they beat', () => {
    const seven = cards('KS 9D KH 9C 2D 5H JS');
    expect(bestFive(seven).map((i) => seven[i])).toEqual(cards('KS 9D KH 9C JS'));
    expect(pokerWords(seven)).toBe('Two pair, kings and nines');
    expect(pokerWords(cards('AS 2D 3H 4C 5D 9H JS'))).toBe('Straight to the five');
    expect(pokerWords(cards('8C 8H 8S QD QC 2D 3D'))).toBe('Full house, eights over queens');
    expect(pokerHandsInWords(cards('KS QD KH 9C 2D 5H JS'), cards('KC 10D KD 9C 2D 5H JS'))).toEqual([
      'pair of kings with queen',
      'pair of kings with jack',
    ]);
    expect(wordsOf('poker20', 'KS AC KH 2S 9D 9C 3H 5H JS')).toBe(
      'Player A wins: two pair, kings and nines beat pair of nines.',
    );
    const deal = dealOf('poker20', 'KS AC KH 2S 9D 9C 3H 5H JS');
    const { best } = gameOf('poker20').result(gameOf('poker20').outcome(deal), deal);
    expect(new Set(best.map((i) => deal.cards[i]))).toEqual(new Set(cards('KS KH 9D 9C JS')));
  });
});

describe('rules that leave nothing to look up', () => {
  it('says when the Banker draws, and how often each ball comes', () => {
    const draw = gameOf('baccarat').rules.find((rule) => rule.startsWith('The Banker then draws'))!;
    for (const part of [
      '0 to 5 where the Player stood',
      '0 to 2 always',
      '3 unless that card was an 8',
      '4 if it was 2 to 7',
      '5 if it was 4 to 7',
      '6 if it was 6 or 7',
      'never on 7',
    ])
      expect(draw).toContain(part);
    const balls = gameOf('ballbyball').rules.join(' ');
    for (const part of ['0 runs 310', '6 runs 50', 'LBW 3', 'Leg Bye 6']) expect(balls).toContain(part);
    for (const code of ['worli', 'worli2'] as const)
      expect(gameOf(code).rules.join(' ')).toContain('Line 1 is 1 to 5, line 2 is 6 to 9 and 0');
  });
});
