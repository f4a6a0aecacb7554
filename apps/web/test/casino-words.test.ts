import { describe as describeTable, ENDINGS, gameOf, TABLES, type TableCode } from '@fairgame/casino';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { casinoMessages } from '../build/casino-words.ts';
import { writeCatalogue } from '../build/catalogue.ts';
import { spokenMessages } from '../build/messages.ts';
import { categoryLabel, categoryName } from '../src/features/casino/categories.ts';
import { handStemOf, stemOf } from '../src/features/casino/stem.ts';
import { casinoWords, endingWords, noteWords, resultWords, spoken } from '../src/features/casino/vocabulary.ts';
import { chooseLanguage } from '../src/platform/language.ts';

vi.mock('../languages/hi.po', () => ({
  font: undefined,
  default: {
    'casino:Player {a}': ['खिलाड़ी ', ['a']],
    'casino:Card {a} Odd': ['कार्ड ', ['a'], ' विषम'],
    'casino:Total: the higher sum of ranks; equal loses half.': 'योग',
    'casino:Winner': 'विजेता',
    'casino:Pair of {a}': [['a'], ' का पेयर'],
    'casino:kings': 'बादशाह',
    Teenpatti: 'तीन पत्ती',
    'Studio Nine': 'never asked for',
  },
}));

describe('the words of the card tables', () => {
  beforeEach(() => chooseLanguage('hi'));
  afterEach(() => chooseLanguage('en'));

  test('a name is said by its stem, a sentence as a whole, and what has no words of its own as it is', () => {
    expect(stemOf('Card 5 D')).toEqual({ stem: 'Card {a} {b}', held: { a: '5', b: 'D' } });
    expect(['1-4', 'K♠', 'A-K suited', 'SP'].map((text) => stemOf(text).stem)).toEqual([
      '1-4',
      'K♠',
      'A-K suited',
      'SP',
    ]);
    expect(['Player B', 'Card 3 Odd', 'Trail'].map(casinoWords)).toEqual(['खिलाड़ी B', 'कार्ड 3 विषम', 'Trail']);
    const { seats, groups, rules, selections } = spoken(describeTable('teen20'));
    expect(seats.map(({ name }) => name)).toEqual(['खिलाड़ी A', 'खिलाड़ी B']);
    expect(groups).toContain('विजेता');
    expect(rules).toContain('योग');
    expect(selections.find(({ id }) => id === 1)).toMatchObject({ name: 'खिलाड़ी A', group: 'विजेता', column: 'A' });
  });

  test('a category is said by its English; what a provider made up stays', () => {
    expect(['Teenpatti', 'Studio Nine'].map(categoryName)).toEqual(['तीन पत्ती', 'Studio Nine']);
    expect(categoryLabel('teenpatti')).toBe('तीन पत्ती');
  });

  test('what a hand comes to is said by its parts, and translators get every part that games note', () => {
    expect(noteWords('Pair of kings, Card 3 Odd, two cards to come')).toBe(
      'बादशाह का पेयर, कार्ड 3 विषम, two cards to come',
    );
    const all = new Set(casinoMessages());
    const known = (part: string) => [part, stemOf(part).stem, handStemOf(part).stem].some((text) => all.has(text));
    const parts = (Object.keys(TABLES) as TableCode[]).flatMap((code) => {
      const game = gameOf(code);
      const deal: { cards: number[]; seats: number[] } = { cards: [], seats: [] };
      const notes: string[] = [];
      for (let next = game.nextSeat(deal); next >= 0 && deal.cards.length < 40; next = game.nextSeat(deal)) {
        deal.cards.push((deal.cards.length * 29 + 7) % 52);
        deal.seats.push(next);
        notes.push(...game.seats.map((_, seat) => game.note(deal, seat)));
      }
      return notes.join(', ').split(', ');
    });
    expect(parts.length).toBeGreaterThan(500);
    expect([...new Set(parts)].filter((part) => /[a-z]{2}/.test(part) && !known(part))).toEqual([]);
  });

  test('how a round ended names who won where its sentence has no translation', () => {
    const info = spoken(describeTable('teen20'));
    const ended = { win: '3', badge: 'B', winners: [1], void: false, words: 'Player B wins: a pair beats king high.' };
    expect(resultWords(info, ended)).toBe('Result: खिलाड़ी B');
    expect(resultWords(info, { ...ended, win: '0', badge: 'T', winners: [] })).toBe('Result: Tie');
    const row = { win: '3', badge: 'B', text: ended.words };
    expect(endingWords(row, info.endings)).toBe('खिलाड़ी B');
    expect(endingWords(row, ENDINGS.teen20)).toBe('खिलाड़ी B');
    expect(endingWords({ ...row, win: '1,3' }, info.endings)).toBe('खिलाड़ी A, खिलाड़ी B');
    expect(endingWords({ ...row, win: '6:7', badge: '6:7' }, [])).toBe('6:7');
  });

  test('English stays what the rules of the tables say', async () => {
    await chooseLanguage('en');
    for (const code of Object.keys(TABLES) as TableCode[])
      expect(spoken(describeTable(code))).toEqual(describeTable(code));
    expect(casinoWords('Card 3 Odd')).toBe('Card 3 Odd');
  });

  test('translators get every text once, and the page finds what they wrote by its English', () => {
    const all = casinoMessages();
    expect(all).toContain('Card {a} Odd');
    expect(all).toContain(gameOf('teen20').rules[0]);
    expect(all.filter((text) => !/[a-z]{2}/.test(text))).toEqual([]);
    const entry = { message: 'Player {a}', context: 'casino', translation: 'खिलाड़ी {a}', origin: [] };
    const { transform } = spokenMessages() as unknown as { transform: (code: string, id: string) => { code: string } };
    expect(
      transform(writeCatalogue({ [generateMessageId('Player {a}', 'casino')]: entry }, 'hi'), '/hi.po').code,
    ).toContain('"casino:Player {a}":["खिलाड़ी ",["a"]]');
  });
});
