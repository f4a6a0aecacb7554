import { type Card, isRed, rankOf } from '../cards.ts';
import { handChances, prepareHands } from '../chances/teenpatti.ts';
import {
  cardsAt,
  type Deal,
  type Game,
  HALF,
  inOrder,
  LOSE,
  listed,
  NO_CHANCES,
  type Place,
  pays,
  REFUND,
  type Selection,
  seat,
  selection,
  toneOf,
  WIN,
  windowsAt,
  won,
} from '../game.ts';
import { COLOR, PAIR, PURE, SEQUENCE, TEEN_NAMES, TRAIL, teenClass, teenStrength, threeBaccaratKey } from '../hands.ts';
import type { Chance } from '../odds.ts';
import { CARD_BETS, PACES, sideBySide } from './card-bets.ts';

interface Hand {
  readonly cards: readonly Card[];
  readonly strength: number;
  readonly rank: number;
  /** Sum of the ranks, ace 1 to king 13. */
  readonly total: number;
}
/** Hands by seat. */
type Hands = readonly Hand[];

const HAND_RANKS = TEEN_NAMES.slice(1).reverse();
const RANK_RULES = [
  'Best first: pure sequence, trail, sequence, color, pair, high card. A-K-Q is the highest sequence, A-2-3 the second.',
];

function handOf(cards: readonly Card[]): Hand {
  const strength = teenStrength(cards[0]!, cards[1]!, cards[2]!);
  const total = rankOf(cards[0]!) + rankOf(cards[1]!) + rankOf(cards[2]!);
  return { cards, strength, rank: teenClass(strength), total };
}

const rounds = (seats: number) => Array.from({ length: seats * 3 }, (_, index) => index % seats);
const handsOf = (seats: number) => (deal: Deal) =>
  Array.from({ length: seats }, (_, index) => handOf(cardsAt(deal, index)));
const note = (deal: Deal, index: number) => {
  const cards = cardsAt(deal, index);
  return cards.length === 3 ? TEEN_NAMES[handOf(cards).rank]! : '';
};

/** Against seat `against`: a tie gives the stake back. */
const beats = (index: number, against: number) => (hands: Hands) => {
  const difference = hands[index]!.strength - hands[against]!.strength;
  return difference === 0 ? REFUND : won(difference > 0);
};

/** What each class pays, N to 1, weakest first. */
type PairPlus = Readonly<Record<number, number>>;
const PAIR_PLUS_20: PairPlus = { [PAIR]: 1, [COLOR]: 4, [SEQUENCE]: 6, [TRAIL]: 35, [PURE]: 45 };
const PAIR_PLUS_8: PairPlus = { [PAIR]: 1, [COLOR]: 4, [SEQUENCE]: 6, [TRAIL]: 30, [PURE]: 40 };

function pairPlus(id: number, name: string, column: string, index: number, table: PairPlus, returnPpm: number) {
  return selection<Hands>({
    id,
    name: `Pair Plus ${name}`,
    group: 'Pair plus',
    column,
    label: 'Pair plus',
    price: { back: 200 },
    shown: 'to-one',
    returnPpm,
    table: Object.entries(table).map(([rank, n]) => [TEEN_NAMES[Number(rank)]!, `${n}:1`] as const),
    mark: (hands) => {
      const n = table[hands[index]!.rank];
      return n === undefined ? LOSE : pays((n + 1) * 100);
    },
  });
}

const twoHandResult = (codes: readonly string[]) => (hands: Hands) => {
  const [a, b] = hands as [Hand, Hand];
  const difference = a.strength - b.strength;
  const winner = difference > 0 ? 0 : difference < 0 ? 1 : -1;
  const name = winner < 0 ? 'Tie' : `Player ${'AB'[winner]}`;
  const held = `Player A has ${TEEN_NAMES[a.rank]!.toLowerCase()}, Player B has ${TEEN_NAMES[b.rank]!.toLowerCase()}.`;
  return {
    win: codes[winner] ?? '0',
    badge: winner < 0 ? 'T' : 'AB'[winner]!,
    tone: toneOf(winner),
    text: [name, ...hands.map((hand, index) => `${'AB'[index]} ${TEEN_NAMES[hand.rank]}`)].join('|'),
    words: `${held} ${winner < 0 ? 'It is a tie.' : `${name} wins.`}`,
    winners: winner < 0 ? [] : [winner],
    void: false,
  };
};

const TWO = {
  family: 'teenpatti',
  deck: 'D1' as const,
  seats: [seat('A', 'Player A'), seat('B', 'Player B')],
  layout: sideBySide('table', 2, 3),
  handRanks: HAND_RANKS,
  nextSeat: inOrder(rounds(2)),
  outcome: handsOf(2),
  note,
};

const reds = (hand: Hand) => hand.cards.filter(isRed).length;

/** Bets of one player of teen20: 1.98 to win, pair plus and the newer side bets. */
function bets20(index: number): Selection<Hands>[] {
  const letter = 'AB'[index]!;
  const other = 1 - index;
  const even = (
    id: number,
    name: string,
    group: string,
    back: number,
    returnPpm: number,
    mark: Selection<Hands>['mark'],
  ) =>
    selection<Hands>({
      id,
      name: `${name} ${letter}`,
      group,
      column: letter,
      label: name,
      price: { back },
      returnPpm,
      mark,
    });
  return [
    { ...even(1 + index * 2, 'Player', 'Winner', 198, 990_011, beats(index, other)), limit: 'main' },
    pairPlus(2 + index * 2, letter, letter, index, PAIR_PLUS_20, 999_457),
    even(5 + index, '3 Baccarat', '3 Baccarat', 198, 990_000, (hands) =>
      won(threeBaccaratKey(hands[index]!.cards) > threeBaccaratKey(hands[other]!.cards)),
    ),
    even(7 + index, 'Total', 'Total', 200, 979_152, (hands) => {
      const difference = hands[index]!.total - hands[other]!.total;
      return difference === 0 ? HALF : won(difference > 0);
    }),
    even(9 + index * 2, 'Red', 'Colour', 197, 985_000, (hands) => won(reds(hands[index]!) >= 2)),
    even(10 + index * 2, 'Black', 'Colour', 197, 985_000, (hands) => won(reds(hands[index]!) < 2)),
  ];
}

export const teen20: Game<Hands> = {
  ...TWO,
  pace: PACES.fixed.pace,
  selections: [...bets20(0), ...bets20(1)].sort((x, y) => x.id - y.id),
  rules: [
    'One deck. Three cards each in turn; the better hand wins. Equal hands give Player bets back.',
    ...RANK_RULES,
    'Pair plus pays on the hand alone, its best class only.',
    '3 Baccarat: a trail, then three faces, then the last digit of the sum. Total: the higher sum of ranks; equal loses half.',
    'Red and Black: at least two of the three cards.',
  ],
  windowMs: windowsAt({ 0: PACES.fixed.first }),
  result: twoHandResult(['1', '3']),
  chances: () => NO_CHANCES,
};

/** Two of the three ranks are neighbours on the circle A-2- ... -K-A. */
function consecutive(hand: Hand): boolean {
  const ranks = hand.cards.map(rankOf);
  return ranks.some((x, i) => ranks.some((y, j) => i !== j && (x - y + 13) % 13 === 1));
}

export const teen: Game<Hands> = {
  ...TWO,
  pace: PACES.oneDay.pace,
  selections: [
    ...[0, 1].map((index) =>
      selection<Hands>({
        id: index + 1,
        name: `Player ${'AB'[index]}`,
        group: 'Winner',
        column: 'AB'[index]!,
        label: 'Player',
        price: null,
        net: 'winner',
        limit: 'main',
        mark: beats(index, 1 - index),
      }),
    ),
    ...[0, 1].map((index) =>
      selection<Hands>({
        id: index + 3,
        name: `Consecutive ${'AB'[index]}`,
        group: 'Consecutive',
        column: 'AB'[index]!,
        label: 'Consecutive',
        price: { back: 242, lay: 253 },
        returnPpm: 979_388,
        mark: (hands) => won(consecutive(hands[index]!)),
      }),
    ),
    ...(['Odd', 'Even'] as const).flatMap((kind, row) =>
      [0, 1, 2, 3, 4, 5].map((card) =>
        selection<Hands>({
          id: 11 + row * 10 + card,
          name: `Card ${card + 1} ${kind}`,
          group: `Card ${card + 1}`,
          label: kind,
          price: { back: CARD_BETS[kind].odds },
          returnPpm: CARD_BETS[kind].returnPpm,
          mark: (hands) => won(CARD_BETS[kind].test(hands[card % 2]!.cards[card >> 1]!)),
        }),
      ),
    ),
  ],
  rules: [
    'One deck. Three cards each in turn; the better hand wins. Equal hands give Player bets back.',
    ...RANK_RULES,
    'Player A and B are priced again before every card. All other bets are taken before the first card only.',
    'Consecutive: two of the three ranks are neighbours; king and ace are neighbours too.',
  ],
  windowMs: windowsAt({ 0: PACES.oneDay.first, 1: 8, 2: 8, 3: 8, 4: 8, 5: 8 }),
  result: twoHandResult(['1', '2']),
  prepare: prepareHands,
  chances: (deal) => {
    const { winA, winB } = handChances(cardsAt(deal, 0), cardsAt(deal, 1));
    return new Map<number, Chance>([
      [1, { kind: 'RUNNER', win: winA, lose: winB }],
      [2, { kind: 'RUNNER', win: winB, lose: winA }],
    ]);
  },
};

const PLAYERS_8 = [0, 1, 2, 3, 4, 5, 6, 7];
const DEALER = 8;

export const teen8: Game<Hands> = {
  family: 'teenpatti',
  deck: 'D1',
  seats: [...PLAYERS_8.map((index) => seat(String(index + 1), `Player ${index + 1}`)), seat('D', 'Dealer')],
  pace: PACES.fixed.pace,
  layout: {
    board: 'table',
    places: [
      { seat: DEALER, row: 0, column: 1, slots: 3, spread: 'row' },
      ...PLAYERS_8.map(
        (index): Place => ({ seat: index, row: 1 + (index >> 2), column: index % 4, slots: 3, spread: 'fan' }),
      ),
    ],
  },
  selections: [
    ...PLAYERS_8.map((index) =>
      selection<Hands>({
        id: index + 1,
        name: `Player ${index + 1}`,
        group: 'Winner',
        column: String(index + 1),
        label: 'Player',
        price: { back: 198 },
        returnPpm: 990_011,
        limit: 'main',
        mark: beats(index, DEALER),
      }),
    ),
    ...PLAYERS_8.map((index) => pairPlus(index + 9, String(index + 1), String(index + 1), index, PAIR_PLUS_8, 976_833)),
    ...PLAYERS_8.map((index) =>
      selection<Hands>({
        id: index + 17,
        name: `Total ${index + 1}`,
        group: 'Total',
        column: String(index + 1),
        label: 'Total',
        price: { back: 198 },
        returnPpm: 990_417,
        mark: (hands) => {
          const difference = hands[index]!.total - hands[DEALER]!.total;
          return difference === 0 ? REFUND : won(difference > 0);
        },
      }),
    ),
  ],
  rules: [
    'One deck. Three cards to each of eight players and to the dealer. Each player plays the dealer; equal hands give the stake back.',
    ...RANK_RULES,
    "Pair plus pays on the hand alone. Total: a higher sum of ranks than the dealer's; equal gives the stake back.",
  ],
  handRanks: HAND_RANKS,
  nextSeat: inOrder(rounds(9)),
  windowMs: windowsAt({ 0: PACES.fixed.first }),
  outcome: handsOf(9),
  result: (hands) => {
    const winners = PLAYERS_8.filter((index) => hands[index]!.strength > hands[DEALER]!.strength);
    const numbers = winners.map((index) => String(index + 1));
    const dealer = `The dealer has ${TEEN_NAMES[hands[DEALER]!.rank]!.toLowerCase()}.`;
    return {
      win: numbers.join(',') || '0',
      badge: 'R',
      tone: 'none',
      text: [numbers.join(',') || 'Dealer', ...hands.map((hand) => TEEN_NAMES[hand.rank])].join('|'),
      words: `${dealer} ${numbers.length > 0 ? `Player ${listed(numbers)} won.` : 'No player won.'}`,
      winners,
      void: false,
    };
  },
  chances: () => NO_CHANCES,
  note,
};

const ANIMALS = ['Tiger', 'Lion', 'Dragon'] as const;
/** Class of a pattern bet, its name here, the odds the book proposes and the published ones, in hundredths. */
const PATTERNS = [
  { rank: PAIR, name: 'Pair', fair: 560, published: 500, ways: 3744 },
  { rank: COLOR, name: 'Flush', fair: 1900, published: 1200, ways: 1096 },
  { rank: SEQUENCE, name: 'Straight', fair: 2900, published: 2100, ways: 720 },
  { rank: TRAIL, name: 'Trio', fair: 40_000, published: 12_600, ways: 52 },
  { rank: PURE, name: 'Straight Flush', fair: 43_500, published: 15_100, ways: 48 },
] as const;

function best(hands: Hands): { top: number; holders: number[] } {
  const top = Math.max(...hands.map((hand) => hand.strength));
  return { top, holders: hands.flatMap((hand, index) => (hand.strength === top ? [index] : [])) };
}

/** The published odds of trio and straight flush return a third of the stakes, so the site offers the book's own. */
export function makeTeen9(odds: 'fair' | 'published'): Game<Hands> {
  return {
    family: 'teenpatti',
    deck: 'D1',
    seats: ANIMALS.map((name) => seat(name[0]!, name)),
    pace: PACES.fixed.pace,
    layout: sideBySide('table', 3, 3),
    selections: ANIMALS.flatMap((name, index) => [
      selection<Hands>({
        id: 11 + index * 10,
        name: `Winner ${name}`,
        group: 'Winner',
        column: name[0]!,
        label: 'Winner',
        price: { back: 294 },
        returnPpm: 979_574,
        limit: 'main',
        mark: (hands) => {
          const { holders } = best(hands);
          if (!holders.includes(index)) return LOSE;
          return holders.length === 1 ? WIN : REFUND;
        },
      }),
      ...PATTERNS.map((pattern, row) =>
        selection<Hands>({
          id: 12 + index * 10 + row,
          name: `${pattern.name} ${name}`,
          group: pattern.name,
          column: name[0]!,
          label: pattern.name,
          price: { back: pattern[odds] },
          returnPpm: Math.round((pattern[odds] * 10_000 * pattern.ways) / 22_100),
          limit: pattern[odds] > 10_000 ? 'long' : 'side',
          mark: (hands) => won(hands[index]!.rank === pattern.rank),
        }),
      ),
    ]),
    rules: [
      'One deck. Three cards each to Tiger, Lion and Dragon; the best hand wins. Who shares the best hand gets the stake back.',
      ...RANK_RULES,
      'Pattern bets win on exactly that class of that hand, whoever wins.',
    ],
    handRanks: HAND_RANKS,
    nextSeat: inOrder(rounds(3)),
    windowMs: windowsAt({ 0: PACES.fixed.first }),
    outcome: handsOf(3),
    result: (hands) => {
      const { holders } = best(hands);
      const winner = holders.length === 1 ? holders[0]! : -1;
      const held = hands.map((hand, index) => `${ANIMALS[index]} has ${TEEN_NAMES[hand.rank]!.toLowerCase()}`);
      return {
        win: winner < 0 ? '0' : String(11 + winner * 10),
        badge: winner < 0 ? 'TIE' : ANIMALS[winner]![0]!,
        tone: toneOf(winner),
        text: [winner < 0 ? 'Tie' : ANIMALS[winner]!, ...hands.map((hand) => TEEN_NAMES[hand.rank])].join('|'),
        words: `${listed(held)}. ${winner < 0 ? 'It is a tie.' : `${ANIMALS[winner]} wins.`}`,
        winners: winner < 0 ? [] : [winner],
        void: false,
      };
    },
    chances: () => NO_CHANCES,
    note,
  };
}

export const teen9: Game<Hands> = makeTeen9('fair');
