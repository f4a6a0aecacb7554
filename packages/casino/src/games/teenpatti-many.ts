import { ENDINGS, endOf } from '../endings.ts';
import {
  dealtTo,
  type Game,
  inOrder,
  LOSE,
  NO_CHANCES,
  type Place,
  REFUND,
  seat,
  selection,
  WIN,
  windowsAt,
  won,
} from '../game.ts';
import { COLOR, PAIR, PURE, SEQUENCE, TEEN_NAMES, TRAIL } from '../hands.ts';
import { beatIt, listed } from '../words.ts';
import { PACES, sideBySide } from './card-bets.ts';
import {
  beats,
  HAND_RANKS,
  type Hands,
  handsInWords,
  handsOf,
  note,
  PAIR_PLUS_8,
  pairPlus,
  RANK_RULES,
  rounds,
} from './teenpatti-hands.ts';

const PLAYERS_8 = [0, 1, 2, 3, 4, 5, 6, 7];
const DEALER = 8;

export const teen8: Game<Hands> = {
  family: 'teenpatti',
  deck: 'D1',
  seats: [...PLAYERS_8.map((index) => seat(String(index + 1), `Player ${index + 1}`)), seat('D', 'Dealer')],
  pace: PACES.fixed.pace,
  layout: {
    board: 'table',
    sides: [],
    places: [
      { seat: DEALER, row: 0, column: 1, slots: 3, spread: 'row' },
      ...PLAYERS_8.map((index): Place => ({ seat: index, row: 1, column: index, slots: 3, spread: 'fan' })),
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
        hint: 'beats the dealer',
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
        hint: 'higher sum of ranks',
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
  endings: ENDINGS.teen8,
  result: (hands, deal) => {
    const winners = PLAYERS_8.filter((index) => hands[index]!.strength > hands[DEALER]!.strength);
    const numbers = winners.map((index) => String(index + 1));
    const dealer = `The dealer has ${note(deal, DEALER).toLowerCase()}.`;
    return {
      win: numbers.join(',') || '0',
      badge: `${numbers.length}/8`,
      tone: 'none',
      text: [numbers.join(',') || 'Dealer', ...hands.map((hand) => TEEN_NAMES[hand.rank])].join('|'),
      words: `${dealer} ${beatIt(numbers)}`,
      winners,
      best: dealtTo(deal, winners),
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
        hint: 'best of three hands',
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
          hint: 'exactly this hand',
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
    endings: ENDINGS.teen9,
    result: (hands, deal) => {
      const { holders } = best(hands);
      const winner = holders.length === 1 ? holders[0]! : -1;
      const winners = winner < 0 ? [] : [winner];
      const second = Math.max(...hands.filter((_, index) => index !== winner).map((hand) => hand.strength));
      const next = hands.findIndex((hand, index) => index !== winner && hand.strength === second);
      const [better, worse] = handsInWords(hands[holders[0]!]!, hands[next]!);
      return {
        ...endOf(ENDINGS.teen9, winner < 0 ? '0' : String(11 + winner * 10)),
        text: [winner < 0 ? 'Tie' : ANIMALS[winner]!, ...hands.map((hand) => TEEN_NAMES[hand.rank])].join('|'),
        words:
          winner < 0
            ? `${listed(holders.map((index) => ANIMALS[index]!))} share the best hand, ${better}.`
            : `${ANIMALS[winner]} wins: ${better} beats the ${worse} of ${ANIMALS[next]}.`,
        winners,
        best: dealtTo(deal, winners),
        void: false,
      };
    },
    chances: () => NO_CHANCES,
    note,
  };
}

export const teen9: Game<Hands> = makeTeen9('fair');
