import { rankOf, suitOf, suitWord } from '../cards.ts';
import { raceChances } from '../chances/race.ts';
import { ENDINGS, endOf } from '../endings.ts';
import { cardsAt, type Deal, type Game, seat, selection, windowsAt, won } from '../game.ts';
import type { Chance } from '../odds.ts';
import { PACES, sideBySide } from './card-bets.ts';

interface Outcome {
  readonly suit: number;
  readonly cards: number;
  readonly points: number;
}

const KINGS = ['K of Spade', 'K of Heart', 'K of Club', 'K of Diamond'] as const;
const SIGNS = ['\u2660', '\u2665', '\u2663', '\u2666'] as const;

function counts(deal: Deal): number[] {
  const steps = [0, 0, 0, 0];
  for (const card of deal.cards) steps[suitOf(card)]! += 1;
  return steps;
}

const WIN_WITH = [
  [7, 5, 10_100, 186_864],
  [8, 6, 5100, 394_983],
  [9, 7, 2600, 503_410],
  [10, 15, 800, 930_287],
  [11, 16, 1100, 781_025],
  [12, 17, 3100, 825_401],
] as const;

export const race20: Game<Outcome> = {
  family: 'race',
  deck: 'D48',
  // One stack: every card goes to the track of its own suit.
  seats: [seat('T', 'Track')],
  pace: PACES.oneDay.pace,
  layout: sideBySide('race', 1, 17, 1, 'track'),
  selections: [
    ...KINGS.map((name, suit) =>
      selection<Outcome>({
        id: suit + 1,
        name,
        group: 'Winner',
        label: `K${SIGNS[suit]}`,
        price: null,
        net: 'winner',
        limit: 'main',
        mark: (outcome) => won(outcome.suit === suit),
      }),
    ),
    selection<Outcome>({
      id: 5,
      name: 'Total Point',
      hint: 'No below 79, Yes from 83',
      group: 'Session',
      // At the book's even money No returns 89.6 %.
      price: { no: { line: 79, rate: 94 }, yes: { line: 83, rate: 100 } },
      mark: ({ points }) => ({ kind: 'VALUE', value: points }),
    }),
    selection<Outcome>({
      id: 6,
      name: 'Total Card',
      hint: 'cards dealt in all',
      group: 'Session',
      price: { no: { line: 13, rate: 105 }, yes: { line: 13, rate: 90 } },
      mark: ({ cards }) => ({ kind: 'VALUE', value: cards }),
    }),
    ...WIN_WITH.map(([id, cards, back, returnPpm]) =>
      selection<Outcome>({
        id,
        name: `Win with ${cards}`,
        group: 'Win with',
        label: String(cards),
        hint: 'cards dealt in all',
        price: { back },
        returnPpm,
        limit: back > 10_000 ? 'long' : 'side',
        mark: (outcome) => won(outcome.cards === cards),
      }),
    ),
  ],
  rules: [
    'The kings are the runners, the other 48 cards the deck. Every card moves the king of its suit one step; the first with five steps wins.',
    'The kings are priced again after cards 4, 8 and 12; all other bets are taken before the first card only.',
    'Total Point: sum of the ranks of all cards, ace 1 to queen 12. Yes wins from 83 up, No below 79; between them both lose.',
    'Total Card: number of cards dealt. Win with: exactly that many cards.',
  ],
  handRanks: [],
  nextSeat: (deal) => (counts(deal).includes(5) ? -1 : 0),
  windowMs: windowsAt({ 0: PACES.oneDay.first, 4: PACES.oneDay.later, 8: PACES.oneDay.later, 12: PACES.oneDay.later }),
  outcome: (deal) => ({
    suit: counts(deal).indexOf(5),
    cards: deal.cards.length,
    points: deal.cards.reduce((sum, card) => sum + rankOf(card), 0),
  }),
  endings: ENDINGS.race20,
  result: ({ suit, cards, points }, deal) => ({
    ...endOf(ENDINGS.race20, String(suit + 1)),
    text: `${KINGS[suit]}|${points}|${cards}`,
    words: `The king of ${suitWord(suit)} wins: five steps in ${cards} cards, ${points} points.`,
    winners: [],
    best: deal.cards.flatMap((card, i) => (suitOf(card) === suit ? [i] : [])),
    void: false,
  }),
  chances: (deal) => {
    const wins = raceChances(counts(deal));
    return new Map(wins.map((win, suit): [number, Chance] => [suit + 1, { kind: 'RUNNER', win, lose: 1 - win }]));
  },
  note: (deal) =>
    cardsAt(deal, 0).length > 0 ? SIGNS.map((sign, suit) => `${sign} ${counts(deal)[suit]}`).join(', ') : '',
};
