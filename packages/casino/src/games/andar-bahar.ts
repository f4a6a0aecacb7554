import {
  type Card,
  CLUB,
  cardWords,
  DIAMOND,
  HEART,
  isEven,
  rankName,
  rankOf,
  rankWord,
  SPADE,
  suitOf,
} from '../cards.ts';
import { ENDINGS, endOf } from '../endings.ts';
import {
  type Deal,
  type Game,
  LOSE,
  NO_CHANCES,
  pays,
  type Selection,
  seat,
  selection,
  WIN,
  windowsAt,
  won,
} from '../game.ts';
import { listed } from '../words.ts';
import { CARD_BETS, PACES } from './card-bets.ts';

/** A win on the side's own first card of the window pays a quarter (the book's choice: half would favour the player). */
const FIRST_CARD = pays(125);

const ANDAR = 0;
const BAHAR = 1;
const JOKER = 2;
const SIDES = ['Andar', 'Bahar'] as const;

/** abj: the joker and how many cards were dealt after it. The last one matches; odd numbers are Bahar's. */
interface JokerOutcome {
  readonly joker: Card;
  readonly count: number;
}

function jokerSeat({ cards }: Deal): number {
  if (cards.length === 0) return JOKER;
  const matched = cards.length > 1 && rankOf(cards.at(-1)!) === rankOf(cards[0]!);
  if (matched) return -1;
  return cards.length % 2 === 1 ? BAHAR : ANDAR;
}

const winnerOf = ({ count }: JokerOutcome) => (count % 2 === 1 ? BAHAR : ANDAR);

/** SA and SB: that side's first card matches. 1st and 2nd bet: that side wins. */
function sideBets(side: 0 | 1): Selection<JokerOutcome>[] {
  const letter = side === ANDAR ? 'A' : 'B';
  const firstId = side === ANDAR ? 1 : 4;
  const ownFirst = side === ANDAR ? 2 : 1;
  const chase = (id: number, name: string, at: number, dealtBefore: number, returnPpm: number) =>
    selection<JokerOutcome>({
      id,
      name: `${name} ${letter}`,
      group: name,
      column: letter,
      label: name,
      price: { back: 200 },
      at: [at],
      returnPpm,
      limit: 'main',
      hint: '0.25 : 1 on its first card',
      pays: [
        { when: 'First card of the window', odds: 125 },
        { when: 'Later card', odds: 200 },
      ],
      mark: (outcome) => {
        if (winnerOf(outcome) !== side) return LOSE;
        return outcome.count === dealtBefore + ownFirst ? FIRST_CARD : WIN;
      },
    });
  return [
    selection<JokerOutcome>({
      id: firstId,
      name: `S${letter}`,
      group: 'First card',
      column: letter,
      label: `First ${SIDES[side]} card`,
      hint: 'matches the joker',
      price: { back: 1500 },
      at: [1],
      returnPpm: side === ANDAR ? 847_059 : 882_353,
      mark: ({ count }) => won(count === ownFirst),
    }),
    chase(firstId + 1, '1st Bet', 1, 0, side === ANDAR ? 927_635 : 985_894),
    chase(firstId + 2, '2nd Bet', 3, 2, side === ANDAR ? 924_731 : 985_345),
  ];
}

function jokerBet(
  id: number,
  name: string,
  group: string,
  odds: number,
  returnPpm: number,
  wins: (card: Card) => boolean,
) {
  return selection<JokerOutcome>({
    id,
    name: `Joker ${name}`,
    group,
    label: name,
    price: { back: odds },
    returnPpm,
    mark: ({ joker }) => won(wins(joker)),
  });
}

const JOKER_SUITS = [
  ['Spade', SPADE],
  ['Club', CLUB],
  ['Heart', HEART],
  ['Diamond', DIAMOND],
] as const;

export const abj: Game<JokerOutcome> = {
  family: 'andar-bahar',
  deck: 'D1',
  seats: [seat('A', 'Andar'), seat('B', 'Bahar'), seat('J', 'Joker')],
  pace: { cardMs: 2000, resultMs: 6000 },
  layout: {
    board: 'andar-bahar',
    sides: [],
    places: [
      { seat: JOKER, row: 0, column: 0, slots: 1, spread: 'row' },
      { seat: BAHAR, row: 0, column: 1, slots: 8, spread: 'fan' },
      { seat: ANDAR, row: 1, column: 1, slots: 8, spread: 'fan' },
    ],
  },
  selections: [
    ...sideBets(ANDAR),
    ...sideBets(BAHAR),
    ...Array.from({ length: 13 }, (_, index) =>
      jokerBet(7 + index, rankName(index + 1), 'Joker', 1200, 923_077, (card) => rankOf(card) === index + 1),
    ),
    ...JOKER_SUITS.map(([name, suit], index) =>
      jokerBet(20 + index, name, 'Joker suit', 375, 937_500, (card) => suitOf(card) === suit),
    ),
    jokerBet(24, 'Odd', 'Joker even or odd', CARD_BETS.Odd.odds, CARD_BETS.Odd.returnPpm, (card) => !isEven(card)),
    jokerBet(25, 'Even', 'Joker even or odd', CARD_BETS.Even.odds, CARD_BETS.Even.returnPpm, isEven),
  ],
  rules: [
    'One deck. The first card is the joker. Then Bahar and Andar get a card in turn until one has the rank of the joker: that side wins.',
    'Joker bets before the joker; SA, SB and 1st bets before the next card; 2nd bets after one card each.',
    "A win on the side's first card after the bet pays 0.25 to 1, later cards pay 1 to 1.",
  ],
  handRanks: [],
  nextSeat: jokerSeat,
  windowMs: windowsAt({ 0: 15, 1: 15, 3: 10 }),
  outcome: ({ cards }) => ({ joker: cards[0]!, count: cards.length - 1 }),
  endings: ENDINGS.abj,
  result: (outcome) => {
    const winner = winnerOf(outcome);
    return {
      ...endOf(ENDINGS.abj, winner === ANDAR ? '1' : '2'),
      text: `${SIDES[winner]}|Joker ${rankName(rankOf(outcome.joker))}|${outcome.count}`,
      words: `${SIDES[winner]} wins: card ${outcome.count} is a ${rankWord(rankOf(outcome.joker))} like the joker.`,
      winners: [winner],
      best: [0, outcome.count],
      void: false,
    };
  },
  chances: () => NO_CHANCES,
  note: (deal, index) => (index === JOKER ? deal.cards.slice(0, 1).map(cardWords).join() : countWords(deal, index)),
};

function countWords(deal: Deal, side: number): string {
  const count = deal.seats.filter((taken) => taken === side).length;
  return count === 0 ? '' : count === 1 ? '1 card' : `${count} cards`;
}

/** ab20: for each rank the number of the card on which it came first, from 0; even numbers are Bahar's. */
type FirstSeen = readonly number[];

function firstSeen({ cards }: Deal): number[] {
  const seen = Array<number>(14).fill(-1);
  for (let i = 0; i < cards.length; i++) {
    const rank = rankOf(cards[i]!);
    if (seen[rank] === -1) seen[rank] = i;
  }
  return seen;
}

function allRanksSeat({ cards }: Deal): number {
  if (cards.length >= 13) {
    let ranks = 0;
    for (const card of cards) ranks |= 1 << rankOf(card);
    if (ranks === 0x3ffe) return -1;
  }
  return cards.length % 2 === 0 ? BAHAR : ANDAR;
}

function rankSides(side: 0 | 1, firstId: number, returnPpm: number): Selection<FirstSeen>[] {
  return Array.from({ length: 13 }, (_, index) => {
    const rank = index + 1;
    return selection<FirstSeen>({
      id: firstId + index,
      name: `${SIDES[side]} ${rankName(rank)}`,
      group: SIDES[side],
      column: SIDES[side][0]!,
      label: rankName(rank),
      price: { back: 200 },
      returnPpm,
      limit: 'main',
      mark: (seen) => {
        const at = seen[rank]!;
        if ((at % 2 === 0 ? BAHAR : ANDAR) !== side) return LOSE;
        return at === 0 ? FIRST_CARD : WIN;
      },
    });
  });
}

export const ab20: Game<FirstSeen> = {
  family: 'andar-bahar',
  deck: 'D1',
  seats: [seat('A', 'Andar'), seat('B', 'Bahar')],
  pace: PACES.andarBahar.pace,
  layout: {
    board: 'andar-bahar',
    sides: [],
    places: [
      { seat: BAHAR, row: 0, column: 0, slots: 14, spread: 'fan' },
      { seat: ANDAR, row: 1, column: 0, slots: 14, spread: 'fan' },
    ],
  },
  selections: [...rankSides(ANDAR, 1, 960_384), ...rankSides(BAHAR, 21, 981_924)],
  rules: [
    'One deck, no joker. Bahar and Andar get a card in turn until all 13 ranks have come.',
    'Each rank belongs to the side on which it came first.',
    'A Bahar bet on the rank of the very first card pays 0.25 to 1, everything else 1 to 1.',
  ],
  handRanks: [],
  nextSeat: allRanksSeat,
  windowMs: windowsAt({ 0: PACES.andarBahar.first }),
  outcome: firstSeen,
  endings: ENDINGS.ab20,
  result: (seen) => {
    const on = (parity: number) =>
      Array.from({ length: 13 }, (_, index) => index + 1)
        .filter((rank) => seen[rank]! % 2 === parity)
        .map(rankName);
    const andar = on(1);
    const bahar = on(0);
    const words = (ranks: readonly string[]) => (ranks.length > 0 ? listed(ranks) : 'none');
    return {
      win: '',
      badge: `${andar.length}:${bahar.length}`,
      tone: 'none',
      text: `A:${andar.join(',')}|B:${bahar.join(',')}`,
      words: `Andar has ${words(andar)}. Bahar has ${words(bahar)}.`,
      winners: [],
      best: [],
      void: false,
    };
  },
  chances: () => NO_CHANCES,
  note: countWords,
};
