import { isRed, rankOf } from '../cards.ts';
import { handChances, prepareHands } from '../chances/teenpatti.ts';
import { ENDINGS, type Ending, endOf } from '../endings.ts';
import {
  cardsAt,
  type Deal,
  dealtTo,
  type Game,
  HALF,
  inOrder,
  NO_CHANCES,
  type Result,
  type Selection,
  seat,
  selection,
  windowsAt,
  won,
} from '../game.ts';
import { TEEN_NAMES, threeBaccaratKey } from '../hands.ts';
import type { Chance } from '../odds.ts';
import { CARD_BETS, PACES, sideBySide } from './card-bets.ts';
import {
  beats,
  HAND_RANKS,
  type Hand,
  type Hands,
  handsInWords,
  handsOf,
  note,
  PAIR_PLUS_20,
  pairPlus,
  RANK_RULES,
  rounds,
} from './teenpatti-hands.ts';

const twoHandResult =
  (of: readonly Ending[]) =>
  (hands: Hands, deal: Deal): Result => {
    const [a, b] = hands as [Hand, Hand];
    const difference = a.strength - b.strength;
    const winner = difference > 0 ? 0 : difference < 0 ? 1 : -1;
    const winners = winner < 0 ? [] : [winner];
    const { name, win } = winner < 0 ? of.at(-1)! : of[winner]!;
    const [better, worse] = winner === 1 ? handsInWords(b, a) : handsInWords(a, b);
    return {
      ...endOf(of, win),
      text: [name, ...hands.map((hand, index) => `${'AB'[index]} ${TEEN_NAMES[hand.rank]}`)].join('|'),
      words: winner < 0 ? `Tie: both have ${better}. Player bets go back.` : `${name} wins: ${better} beats ${worse}.`,
      winners,
      best: dealtTo(deal, winners),
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

const TWO_OF_THREE = 'two of the three cards';
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
    {
      ...even(1 + index * 2, 'Player', 'Winner', 198, 990_011, beats(index, other)),
      limit: 'main',
      hint: 'best three cards',
    },
    pairPlus(2 + index * 2, letter, letter, index, PAIR_PLUS_20, 999_457),
    {
      ...even(5 + index, '3 Baccarat', '3 Baccarat', 198, 990_000, (hands) =>
        won(threeBaccaratKey(hands[index]!.cards) > threeBaccaratKey(hands[other]!.cards)),
      ),
      hint: 'last digit of the sum',
    },
    {
      ...even(7 + index, 'Total', 'Total', 200, 979_152, (hands) => {
        const difference = hands[index]!.total - hands[other]!.total;
        return difference === 0 ? HALF : won(difference > 0);
      }),
      hint: 'higher sum of ranks',
    },
    {
      ...even(9 + index * 2, 'Red', 'Colour', 197, 985_000, (hands) => won(reds(hands[index]!) >= 2)),
      hint: TWO_OF_THREE,
    },
    {
      ...even(10 + index * 2, 'Black', 'Colour', 197, 985_000, (hands) => won(reds(hands[index]!) < 2)),
      hint: TWO_OF_THREE,
    },
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
    '3 Baccarat: a trail, then three faces, then the last digit of the sum (ten and faces nothing).',
    '3 Baccarat with equal digits: more faces, then the highest face; without faces the highest card, ten down to ace; then its suit: spade, heart, club, diamond.',
    'Total: the higher sum of ranks; equal loses half.',
    'Red and Black: at least two of the three cards.',
  ],
  windowMs: windowsAt({ 0: PACES.fixed.first }),
  endings: ENDINGS.teen20,
  result: twoHandResult(ENDINGS.teen20),
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
        hint: 'best three cards',
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
        hint: 'two neighbouring ranks',
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
  endings: ENDINGS.teen,
  result: twoHandResult(ENDINGS.teen),
  prepare: prepareHands,
  chances: (deal) => {
    const { winA, winB } = handChances(cardsAt(deal, 0), cardsAt(deal, 1));
    return new Map<number, Chance>([
      [1, { kind: 'RUNNER', win: winA, lose: winB }],
      [2, { kind: 'RUNNER', win: winB, lose: winA }],
    ]);
  },
};
