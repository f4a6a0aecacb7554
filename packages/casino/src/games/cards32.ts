import { type Card, isEven, isRed, rankOf } from '../cards.ts';
import { cards32Chances } from '../chances/cards32.ts';
import { ENDINGS, endOf } from '../endings.ts';
import {
  cardsAt,
  type Deal,
  dealtTo,
  type Game,
  type LimitKind,
  REFUND,
  type Selection,
  seat,
  selection,
  WIN,
  windowsAt,
  won,
} from '../game.ts';
import type { Chance } from '../odds.ts';
import { listed } from '../words.ts';
import { PACES, sideBySide } from './card-bets.ts';

interface Outcome {
  /** The first card of each player: side bets never count tie-break cards. */
  readonly first: readonly Card[];
  readonly totals: readonly number[];
  /** -1: the stack ran out in a tie-break. */
  readonly winner: number;
}

const NUMBERS = [8, 9, 10, 11] as const;
const PLAYERS = [0, 1, 2, 3];

function totalsOf(deal: Deal): number[] {
  const totals: number[] = [...NUMBERS];
  for (let i = 0; i < deal.cards.length; i++) totals[deal.seats[i]!]! += rankOf(deal.cards[i]!);
  return totals;
}

function leaders(totals: readonly number[]): number[] {
  const top = Math.max(...totals);
  return PLAYERS.filter((player) => totals[player] === top);
}

/** One card each, then those who share the highest total draw again, level by level. */
function nextSeat(deal: Deal): number {
  const dealt = deal.cards.length;
  if (dealt < 4) return dealt;
  let at = 4;
  const totals = totalsOf({ cards: deal.cards.slice(0, 4), seats: deal.seats.slice(0, 4) });
  let tied = leaders(totals);
  while (tied.length > 1) {
    for (const player of tied) {
      if (at === 32) return -1;
      if (at === dealt) return player;
      totals[player]! += rankOf(deal.cards[at]!);
      at += 1;
    }
    tied = leaders(totals);
  }
  return -1;
}

function outcome(deal: Deal): Outcome {
  const totals = totalsOf(deal);
  const tied = leaders(totals);
  return { first: deal.cards.slice(0, 4), totals, winner: tied.length === 1 ? tied[0]! : -1 };
}

const players = PLAYERS.map((player) =>
  selection<Outcome>({
    id: player + 1,
    name: `Player ${NUMBERS[player]}`,
    group: 'Winner',
    column: String(NUMBERS[player]),
    price: null,
    net: 'winner',
    limit: 'main',
    mark: ({ winner }) => won(winner === player),
  }),
);

function chances(deal: Deal): ReadonlyMap<number, Chance> {
  const wins = cards32Chances(deal.cards.map(rankOf));
  return new Map(wins.map((win, player) => [player + 1, { kind: 'RUNNER', win, lose: 1 - win }]));
}

const reds = (cards: readonly Card[]) => cards.filter(isRed).length;
const digit = (cards: readonly Card[]) => cards.reduce((sum, card) => sum + rankOf(card), 0) % 10;
/** Returns of Single 0 to Single 9 in millionths. */
const SINGLE_PPM = [953_434, 938_376, 944_188, 938_376, 944_188, 938_376, 953_434, 959_511, 970_606, 959_511];

function side(
  id: number,
  name: string,
  group: string,
  price: { back: number; lay?: number },
  returnPpm: number,
  mark: (cards: readonly Card[]) => ReturnType<Selection<Outcome>['mark']>,
  more: { column?: string; label?: string; hint?: string; limit?: LimitKind; net?: string } = {},
): Selection<Outcome> {
  return selection<Outcome>({ id, name, group, price, returnPpm, ...more, mark: ({ first }) => mark(first) });
}

/** Points of one pair of players against the other pair's, start values not counted; equal gives the stake back. */
const pairTotal = (own: readonly [number, number]) => (cards: readonly Card[]) => {
  let difference = 0;
  for (const player of PLAYERS) difference += (own.includes(player) ? 1 : -1) * rankOf(cards[player]!);
  return difference === 0 ? REFUND : won(difference > 0);
};

const sides: readonly Selection<Outcome>[] = [
  ...PLAYERS.flatMap((player) =>
    (['Odd', 'Even'] as const).map((kind, i) =>
      side(
        5 + player * 2 + i,
        `Player ${NUMBERS[player]} ${kind}`,
        'Odd or even',
        { back: 197 },
        985_000,
        (cards) => won(isEven(cards[player]!) === (kind === 'Even')),
        { column: String(NUMBERS[player]), label: kind, hint: 'of the first card', limit: 'fancy' },
      ),
    ),
  ),
  side(13, 'Any Three Card Black', 'Colour', { back: 325, lay: 345 }, 974_277, (cards) => won(reds(cards) <= 1), {
    hint: 'three or four of four',
    limit: 'fancy',
    net: 'black',
  }),
  side(14, 'Any Three Card Red', 'Colour', { back: 325, lay: 345 }, 974_277, (cards) => won(reds(cards) >= 3), {
    hint: 'three or four of four',
    limit: 'fancy',
    net: 'red',
  }),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((value, index) =>
    side(
      15 + index,
      `Single ${value}`,
      'Single',
      { back: 950 },
      SINGLE_PPM[value]!,
      (cards) => (digit(cards) === value ? WIN : won(false)),
      { label: String(value), hint: 'last digit of the sum' },
    ),
  ),
  side(25, '8 & 9 Total', 'Total', { back: 197 }, 986_227, pairTotal([0, 1]), {
    hint: 'higher card points',
    limit: 'fancy',
  }),
  side(26, '10 & 11 Total', 'Total', { back: 197 }, 986_227, pairTotal([2, 3]), {
    hint: 'higher card points',
    limit: 'fancy',
  }),
  side(27, 'Two Black Two Red', 'Colour', { back: 244, lay: 254 }, 977_086, (cards) => won(reds(cards) === 2), {
    limit: 'fancy',
    net: 'two-two',
  }),
];

function cards32(selections: readonly Selection<Outcome>[], extra: readonly string[]): Game<Outcome> {
  return {
    family: 'cards32',
    deck: 'D32',
    seats: NUMBERS.map((number) => seat(String(number), `Player ${number}`)),
    pace: PACES.oneDay.pace,
    layout: sideBySide('cards32', 4, 1, 4, 'fan'),
    selections,
    rules: [
      'The cards 6 to king, worth 6 to 13. Players 8, 9, 10 and 11 start with that many points and get one card each.',
      'The highest total wins. Those who share it draw one more card each until one is ahead.',
      'Players are priced again after each of the first three cards; betting is closed while a tie is broken.',
      ...extra,
    ],
    handRanks: [],
    nextSeat,
    windowMs: windowsAt({ 0: PACES.oneDay.first, 1: PACES.oneDay.later, 2: PACES.oneDay.later, 3: PACES.oneDay.later }),
    outcome,
    endings: ENDINGS.card32,
    result: ({ first, totals, winner }, deal) => {
      const name = winner < 0 ? 'No result' : `Player ${NUMBERS[winner]}`;
      const parity = NUMBERS.map((number, i) => `${number}:${isEven(first[i]!) ? 'Even' : 'Odd'}`).join();
      const red = reds(first);
      const yes = (is: boolean) => (is ? 'Yes' : 'No');
      const colours = `Black:${yes(red <= 1)},Red:${yes(red >= 3)},2-2:${yes(red === 2)}`;
      const low = rankOf(first[0]!) + rankOf(first[1]!);
      const high = rankOf(first[2]!) + rankOf(first[3]!);
      const pair = low === high ? 'Tie' : low > high ? '8-9' : '10-11';
      const winners = winner < 0 ? [] : [winner];
      const others = PLAYERS.filter((player) => player !== winner).map((player) => totals[player]);
      return {
        ...endOf(ENDINGS.card32, String(winner + 1)),
        text: [name, parity, colours, digit(first), pair].join('|'),
        words:
          winner < 0
            ? 'No result: the stack ran out in a tie, stakes go back.'
            : `${name} wins with ${totals[winner]} against ${listed(others.map(String))}.`,
        winners,
        best: dealtTo(deal, winners),
        void: winner < 0,
      };
    },
    chances,
    note: (deal, index) => (cardsAt(deal, index).length > 0 ? `Total ${totalsOf(deal)[index]}` : ''),
  };
}

export const card32: Game<Outcome> = cards32(players, []);
export const card32eu: Game<Outcome> = cards32(
  [...players, ...sides],
  [
    'Side bets count the first four cards only. Three Card Black or Red wins on three or four cards of the colour.',
    'Single is the last digit of the sum of the four cards. 8 & 9 and 10 & 11 Total compare the card points of the pairs; equal gives the stake back.',
  ],
);
