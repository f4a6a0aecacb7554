import { describe, expect, it } from 'vitest';
import { cardOf, cardWords, deckOf, keyOf, parseCard, siteName, standardName } from '../src/cards.ts';
import {
  ankOf,
  baccaratTotal,
  bankerDraws,
  panaKind,
  panaOf,
  teenClass,
  teenStrength,
  threeBaccaratKey,
  worliDigit,
} from '../src/hands.ts';
import { POKER_NAMES, pokerClass, pokerHand } from '../src/poker.ts';
import { gameOf } from '../src/table.ts';

const hand = (text: string) => text.split(' ').map(parseCard);
const teen = (text: string) => {
  const [a, b, c] = hand(text);
  return teenStrength(a!, b!, c!);
};
const baccarat3 = (text: string) => threeBaccaratKey(hand(text));

describe('cards', () => {
  it('writes and reads both notations: HH is the spade, DD the heart, SS the diamond', () => {
    expect(siteName(parseCard('KS'))).toBe('KHH');
    expect(siteName(parseCard('10D'))).toBe('10SS');
    expect(siteName(parseCard('AH'))).toBe('ADD');
    expect(siteName(parseCard('7C'))).toBe('7CC');
    for (const card of deckOf('D1')) {
      expect(parseCard(siteName(card))).toBe(card);
      expect(parseCard(standardName(card))).toBe(card);
    }
    expect(cardWords(parseCard('9HH'))).toBe('nine of spades');
    for (const bad of ['1', '0', '11S', 'KHS', 'Khh', '']) expect(() => parseCard(bad)).toThrow('not a card');
  });

  it('has the stacks of C11', () => {
    const sizes = { D1: 52, D8: 416, D32: 32, D48: 48, D40: 40, DB: 32, DSO: 35, DV3: 70, DQ: 21 } as const;
    for (const [name, size] of Object.entries(sizes)) expect(deckOf(name as keyof typeof sizes)).toHaveLength(size);
    expect(deckOf('DSO').slice(-7).map(standardName).join()).toBe('AS,2S,3S,4S,6S,10S,KS');
    expect(deckOf('DQ').at(-1)).toBe(cardOf(12, 1));
    expect(deckOf('D1').slice(0, 14).map(standardName).join()).toBe('AS,2S,3S,4S,5S,6S,7S,8S,9S,10S,JS,QS,KS,AH');
  });

  it('breaks ties spade, heart, club, diamond', () => {
    expect(hand('5S 5H 5C 5D').map(keyOf)).toEqual([54, 53, 52, 51]);
  });
});

describe('teenpatti hands (C3)', () => {
  it('counts every class and 741 strengths', () => {
    const strengths: number[] = [];
    for (let a = 0; a < 52; a++) {
      for (let b = a + 1; b < 52; b++) for (let c = b + 1; c < 52; c++) strengths.push(teenStrength(a, b, c));
    }
    const counts = [0, 0, 0, 0, 0, 0, 0];
    for (const strength of strengths) counts[teenClass(strength)]! += 1;
    expect(counts).toEqual([0, 16440, 3744, 1096, 720, 52, 48]);
    expect(new Set(strengths).size).toBe(741);
  });

  it('orders hands', () => {
    const order = [
      '5S 3H 2C',
      'AS KD JC',
      '2S 2H 3C',
      '2S 2H AC',
      'AS AH 2C',
      '2S 3S 5S',
      'AS KS JS',
      '2S 3S 4H',
      'JS QH KD',
      'AH 2S 3D',
      'AH KS QD',
      '2S 2H 2D',
      'AS AH AD',
      '2S 3S 4S',
      'JS QS KS',
      'AH 2H 3H',
      'AH KH QH',
    ];
    for (let i = 1; i < order.length; i++) expect(teen(order[i]!)).toBeGreaterThan(teen(order[i - 1]!));
    expect(teenClass(teen('KS AS 2S'))).toBe(3);
    expect(teen('9S 5H 3D')).toBe(teen('3S 9C 5C'));
  });
});

describe('3 Baccarat (C4)', () => {
  it('orders trail, three faces, value, faces, best face, best point and suit', () => {
    const order = [
      '10S 9H AD',
      'KD 8H 2D',
      '10D 10C 9C',
      'KD 9H 10C',
      'KS 9H 10C',
      'QS KD 9D',
      'QD KC JC',
      'QD KH JC',
      '2S 2H 2D',
      'KS KH KD',
      'AS AC AD',
    ];
    const keys = order.map(baccarat3);
    for (let i = 1; i < order.length; i++) {
      expect(keys[i]!, order[i]).toBeGreaterThan(keys[i - 1]!);
    }
    // Equal digits and no face: cards count by rank, so a ten beats a nine though its point is nothing; then the suit.
    expect(baccarat3('10D 5H 4C')).toBeGreaterThan(baccarat3('9S 9H AD'));
    expect(baccarat3('10S 5H 4C')).toBeGreaterThan(baccarat3('10D 5D 4D'));
    expect(gameOf('teen20').rules.join(' ')).toContain('without faces the highest card, ten down to ace');
    expect(baccarat3('2H JC 6H')).toBe(81112);
    expect(baccarat3('4D 4H JS')).toBe(81114);
  });
});

describe('poker hands (C5)', () => {
  it('names and orders best hands of seven', () => {
    const order: [string, string][] = [
      ['2S 4H 6D 8C JS QH KD', 'High Card'],
      ['2S 2H 6D 8C JS QH KD', 'One Pair'],
      ['2S 2H 6D 6C KS KH AD', 'Two Pair'],
      ['2S 2H 2D 8C JS QH KD', 'Three of a Kind'],
      ['AS 2H 3D 4C 5S KH KD', 'Straight'],
      ['6S 2H 3D 4C 5S KH KD', 'Straight'],
      ['AS 2S 3S 9S KS KH KD', 'Flush'],
      ['2S 2H 2D KC KS AH QD', 'Full House'],
      ['2S 2H 2D KC KS KH QD', 'Full House'],
      ['2S 2H 2D 2C KS KH KD', 'Four of a Kind'],
      ['AS 2S 3S 4S 5S KH KD', 'Straight Flush'],
      ['6S 2S 3S 4S 5S AS KD', 'Straight Flush'],
      ['10S JS QS KS AS 9S 8S', 'Royal Flush'],
    ];
    let before = -1;
    for (const [cards, name] of order) {
      const strength = pokerHand(hand(cards));
      expect(POKER_NAMES[pokerClass(strength)]).toBe(name);
      expect(strength).toBeGreaterThan(before);
      before = strength;
    }
    expect(pokerHand(hand('9S 9H AD KC QS 3H 2D'))).toBe(pokerHand(hand('9C 9D AS KS QH 4S 2C')));
    expect(pokerHand(hand('9S 9H AD KC QS 3H 2D'))).toBeGreaterThan(pokerHand(hand('9C 9D AS KS JH 4S 2C')));
  });
});

describe('baccarat and worli', () => {
  it('draws the third cards of C6', () => {
    expect(baccaratTotal(hand('7C 2C'))).toBe(9);
    expect(baccaratTotal(hand('QC 2C 4D'))).toBe(6);
    const draws = [0, 1, 2, 3, 4, 5, 6, 7].map((banker) =>
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((third) => bankerDraws(banker, third)).join(''),
    );
    expect(draws).toEqual(['0123456789', '0123456789', '0123456789', '012345679', '234567', '4567', '67', '']);
    expect([4, 5, 6, 7].map((banker) => bankerDraws(banker, null))).toEqual([true, true, false, false]);
  });

  it('makes 220 panas: 120 single, 90 double, 10 triple, the same for every single', () => {
    const panas = new Set<string>();
    for (let a = 0; a < 10; a++) {
      for (let b = 0; b < 10; b++) for (let c = 0; c < 10; c++) panas.add(panaOf([a, b, c]));
    }
    const kinds = { SP: 0, DP: 0, TP: 0 };
    const singles = new Int32Array(10);
    for (const pana of panas) {
      kinds[panaKind(pana)] += 1;
      singles[ankOf(pana.split('').map(Number))]! += 1;
    }
    expect(kinds).toEqual({ SP: 120, DP: 90, TP: 10 });
    expect([...singles]).toEqual(Array(10).fill(22));
    expect(panaOf(hand('2C 10C 7S').map(worliDigit))).toBe('270');
    expect(panaOf([0, 1, 2])).toBe('120');
    expect(panaOf([0, 9, 9])).toBe('990');
  });
});

describe('what a hand holds, in words', () => {
  it('names full and part hands of teenpatti', () => {
    const game = gameOf('teen20');
    const words = (text: string) => {
      const cards = hand(text);
      return game.note({ cards, seats: cards.map(() => 0) }, 0);
    };
    expect(words('KS')).toBe('King high, two cards to come');
    expect(words('KS 9D')).toBe('King high, one card to come');
    expect(words('6S 6D')).toBe('Pair of sixes, one card to come');
    expect(words('KS 9D KH')).toBe('Pair of kings');
    expect(words('JH 10C 2S')).toBe('Jack high');
    expect(words('AH AC AS')).toBe('Trail of aces');
    expect(words('AH KH 9H')).toBe('Color, ace high');
    expect(words('AH 3H 9H')).toBe('Color, ace high');
    expect(words('AH 2C 3H')).toBe('Sequence, ace to three');
    expect(words('AH 2H 3H')).toBe('Pure Sequence, ace to three');
    expect(words('QH KH JH')).toBe('Pure Sequence, king high');
  });
});
