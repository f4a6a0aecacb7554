import { type Card, rankOf, suitOf } from '../cards.ts';
import { boardCounts } from '../chances/poker.ts';
import { ENDINGS, type Ending, endOf } from '../endings.ts';
import {
  cardsAt,
  type Deal,
  dealtTo,
  type Game,
  inOrder,
  type Layout,
  LOSE,
  NO_CHANCES,
  pays,
  type Result,
  type Selection,
  seat,
  selection,
  windowsAt,
  won,
} from '../game.ts';
import type { Chance } from '../odds.ts';
import { bestFive, POKER_NAMES, pokerClass, pokerHand, pokerHandsInWords, pokerWords } from '../poker.ts';
import { PACES } from './card-bets.ts';

interface Outcome {
  readonly holes: readonly (readonly Card[])[];
  readonly strengths: readonly number[];
  /** -1: the best hand is shared, the round is cancelled. */
  readonly winner: number;
}

interface Variant {
  readonly players: number;
  readonly names: readonly string[];
  /** By winning seat; the shared best hand last. */
  readonly endings: readonly Ending[];
  readonly oneDay: boolean;
  readonly selections: readonly Selection<Outcome>[];
  readonly rules: readonly string[];
}

const FLUSHES = 8;

function holdem(variant: Variant): Game<Outcome> {
  const { players, names } = variant;
  const board = players;
  const outcome = (deal: Deal): Outcome => {
    const shared = cardsAt(deal, board);
    const holes = names.map((_, index) => cardsAt(deal, index));
    const strengths = holes.map((hole) => pokerHand([...hole, ...shared]));
    const top = Math.max(...strengths);
    const holders = strengths.filter((strength) => strength === top).length;
    return { holes, strengths, winner: holders === 1 ? strengths.indexOf(top) : -1 };
  };
  const round = names.map((_, index) => index);
  const { first, later, pace } = variant.oneDay ? PACES.oneDay : PACES.fixed;
  return {
    family: 'poker',
    deck: 'D1',
    seats: [
      ...names.map((name, index) => seat(players === 2 ? 'AB'[index]! : String(index + 1), name)),
      seat('T', 'Board'),
    ],
    pace,
    layout: layoutOf(players),
    selections: variant.selections,
    rules: [
      'One deck. Two cards to each player in turn, then five on the board. The best five of seven cards win.',
      'Best first: straight flush, four of a kind, full house, flush, straight, three of a kind, two pair, pair, high card.',
      'When the best hand is shared the round is cancelled and every bet goes back.',
      ...variant.rules,
    ],
    handRanks: [...POKER_NAMES].reverse(),
    nextSeat: inOrder([...round, ...round, board, board, board, board, board]),
    windowMs: windowsAt(variant.oneDay ? { 0: first, 4: later, 7: later, 8: later } : { 0: first }),
    outcome,
    endings: variant.endings,
    result: (found, deal) => result(variant, found, deal),
    chances: variant.oneDay ? oneDayChances : () => NO_CHANCES,
    note: (deal, index) => {
      const shared = cardsAt(deal, board);
      if (index === board || shared.length < 3) return '';
      return pokerWords([...cardsAt(deal, index), ...shared]);
    },
  };
}

function layoutOf(players: number): Layout {
  const perRow = players === 2 ? 2 : 3;
  return {
    board: 'poker',
    sides: [],
    places: [
      { seat: players, row: 1, column: 0, slots: 5, spread: 'row' },
      ...Array.from({ length: players }, (_, index) => ({
        seat: index,
        row: index < perRow ? 0 : 2,
        column: index % perRow,
        slots: 2,
        spread: 'fan' as const,
      })),
    ],
  };
}

function result({ names, endings, players }: Variant, { holes, strengths, winner }: Outcome, deal: Deal): Result {
  const classes = strengths.map((strength) => POKER_NAMES[pokerClass(strength)]!);
  const shared = cardsAt(deal, players);
  const seven = holes.map((hole) => [...hole, ...shared]);
  const nobody = { text: ['Tie', ...classes].join('|'), winners: [], best: [], void: true };
  if (winner < 0) {
    const words = 'The best hand is shared: the round is cancelled and stakes go back.';
    return { ...endOf(endings, '0'), ...nobody, words };
  }
  const name = names[winner]!;
  const next = strengths.indexOf(Math.max(...strengths.filter((_, index) => index !== winner)));
  const [better, worse] = pokerHandsInWords(seven[winner]!, seven[next]!);
  const whose = players > 2 ? ` of ${names[next]}` : '';
  const dealt = [...dealtTo(deal, [winner]), ...dealtTo(deal, [players])];
  return {
    ...endOf(endings, endings[winner]!.win),
    text: [name, ...classes].join('|'),
    words: `${name} wins: ${better} ${better.includes(',') ? 'beat' : 'beats'} ${worse}${whose}.`,
    winners: [winner],
    best: bestFive(seven[winner]!).map((i) => dealt[i]!),
    void: false,
  };
}

/** Before the deal both win equally often and the price is that of an even chance; ties go back. */
const OPENING = 0.479662933;

function oneDayChances(deal: Deal): ReadonlyMap<number, Chance> {
  let winA = OPENING;
  let winB = OPENING;
  if (deal.cards.length > 0) {
    const counts = boardCounts(cardsAt(deal, 0), cardsAt(deal, 1), cardsAt(deal, 2));
    const all = counts.winA + counts.tie + counts.winB;
    winA = counts.winA / all;
    winB = counts.winB / all;
  }
  return new Map<number, Chance>([
    [1, { kind: 'RUNNER', win: winA, lose: winB }],
    [2, { kind: 'RUNNER', win: winB, lose: winA }],
  ]);
}

const LETTERS = ['A', 'B'] as const;
const TWO_PLAYERS = ['Player A', 'Player B'];

/** Two card bonus (N to 1), best line first. */
function twoCardBonus(hole: readonly Card[]): number {
  const [high, low] = hole.map((card) => (rankOf(card) === 1 ? 14 : rankOf(card))).sort((x, y) => y - x) as [
    number,
    number,
  ];
  const suited = suitOf(hole[0]!) === suitOf(hole[1]!);
  if (high === low) return high === 14 ? 30 : high >= 11 ? 10 : 3;
  if (high !== 14 || low < 11) return 0;
  if (low === 13) return suited ? 25 : 15;
  return suited ? 20 : 5;
}

/** Seven card bonus (N to 1) by class; the book's 30 for four of a kind returns 91.79 %. */
const SEVEN_CARD = [0, 0, 0, 3, 4, 6, 8, 32, 50, 100] as const;
const nTo1 = (n: number) => (n > 0 ? pays((n + 1) * 100) : LOSE);

function bonusBets(index: 0 | 1): Selection<Outcome>[] {
  const letter = LETTERS[index];
  return [
    selection<Outcome>({
      id: 3 + index * 2,
      name: `Player ${letter} 2 card Bonus`,
      group: '2 card bonus',
      column: letter,
      label: '2 card bonus',
      price: { back: 400 },
      shown: 'to-one',
      limit: 'fancy',
      returnPpm: 939_762,
      hint: 'by the two cards',
      pays: [
        { when: 'A-A', odds: 3100 },
        { when: 'A-K suited', odds: 2600 },
        { when: 'A-Q, A-J suited', odds: 2100 },
        { when: 'A-K', odds: 1600 },
        { when: 'J-J, Q-Q, K-K', odds: 1100 },
        { when: 'A-Q, A-J', odds: 600 },
        { when: '2-2 to 10-10', odds: 400 },
      ],
      mark: ({ holes }) => nTo1(twoCardBonus(holes[index]!)),
    }),
    selection<Outcome>({
      id: 4 + index * 2,
      name: `Player ${letter} 7 card Bonus`,
      group: '7 card bonus',
      column: letter,
      label: '7 card bonus',
      price: { back: 400 },
      shown: 'to-one',
      limit: 'fancy',
      returnPpm: 921_127,
      hint: 'by the best hand',
      pays: SEVEN_CARD.flatMap((n, rank) => (n > 0 ? [{ when: POKER_NAMES[rank]!, odds: (n + 1) * 100 }] : [])),
      mark: ({ strengths }) => nTo1(SEVEN_CARD[pokerClass(strengths[index]!)]!),
    }),
  ];
}

export const poker: Game<Outcome> = holdem({
  players: 2,
  names: TWO_PLAYERS,
  endings: ENDINGS.poker,
  oneDay: true,
  selections: [
    ...LETTERS.map((letter, index) =>
      selection<Outcome>({
        id: index + 1,
        name: `Player ${letter}`,
        group: 'Winner',
        column: letter,
        label: 'Winner',
        hint: 'best five of seven',
        price: null,
        net: 'winner',
        limit: 'main',
        mark: ({ winner }) => won(winner === index),
      }),
    ),
    ...bonusBets(0),
    ...bonusBets(1),
  ],
  rules: [
    'The players are priced again after the hole cards, the flop and the turn. Bonus bets are taken before the deal and pay their best line, whoever wins.',
  ],
});

/** Pattern bets: name, class, odds of poker20 with return, odds of poker6 with return. */
const PATTERNS = [
  'One Pair',
  'Two Pair',
  'Three of a Kind',
  'Straight',
  'Flush',
  'Full House',
  'Four of a Kind',
  'Straight Flush',
] as const;
const ODDS_20 = [200, 375, 1600, 1600, 2600, 2900, 25_100, 50_100] as const;
const PPM_20 = [889_256, 875_843, 786_719, 689_679, 800_098, 739_541, 444_636, 189_279] as const;
/** Share of rounds in which the best hand is shared. */
const CANCELLED_20 = 0.040674134;
const CANCELLED_6 = 0.07215771;
const patternClass = (strength: number) => Math.min(FLUSHES, pokerClass(strength));

export const poker20: Game<Outcome> = holdem({
  players: 2,
  names: TWO_PLAYERS,
  endings: ENDINGS.poker20,
  oneDay: false,
  selections: LETTERS.flatMap((letter, index) => [
    selection<Outcome>({
      id: 11 + index * 10,
      name: `Winner ${letter}`,
      group: 'Winner',
      column: letter,
      label: 'Winner',
      hint: 'best five of seven',
      price: { back: 198 },
      returnPpm: 990_407,
      limit: 'main',
      mark: ({ winner }) => won(winner === index),
    }),
    ...PATTERNS.map((name, row) =>
      selection<Outcome>({
        id: 12 + index * 10 + row,
        name: `${name} ${letter}`,
        group: name,
        column: letter,
        label: name,
        hint: 'exactly this hand',
        price: { back: ODDS_20[row]! },
        returnPpm: PPM_20[row]!,
        refunds: CANCELLED_20,
        limit: 'fancy',
        mark: ({ strengths }) => won(patternClass(strengths[index]!) === row + 1),
      }),
    ),
  ]),
  rules: ["A pattern bet wins on exactly the best class of that player's seven cards, whoever wins."],
});

const SIX = [1, 2, 3, 4, 5, 6];
const PATTERNS_6 = [
  ['High Card', 100_100, 516_592],
  ['Pair', 580, 959_843],
  ['Two Pair', 310, 949_395],
  ['Three of a Kind', 650, 946_214],
  ['Straight', 640, 948_342],
  ['Flush', 810, 947_128],
  ['Full House', 860, 944_793],
  ['Four of a Kind', 9100, 869_850],
  ['Straight Flush', 40_100, 769_697],
] as const;
const RARE = ['High Card', 'Four of a Kind', 'Straight Flush'];

export const poker6: Game<Outcome> = holdem({
  players: 6,
  names: SIX.map((number) => `Player ${number}`),
  endings: ENDINGS.poker6,
  oneDay: false,
  selections: [
    ...SIX.map((number, index) =>
      selection<Outcome>({
        id: 10 + number,
        name: `Player ${number}`,
        group: 'Winner',
        column: String(number),
        label: 'Winner',
        hint: 'best five of seven',
        price: { back: 575 },
        returnPpm: 961_340,
        limit: 'main',
        mark: ({ winner }) => won(winner === index),
      }),
    ),
    ...PATTERNS_6.map(([name, back, returnPpm], row) =>
      selection<Outcome>({
        id: 21 + row,
        name,
        group: 'Winning hand',
        hint: 'exactly this hand wins',
        price: { back },
        returnPpm,
        refunds: CANCELLED_6,
        limit: RARE.includes(name) ? 'long' : 'fancy',
        mark: ({ strengths, winner }) => won(winner >= 0 && patternClass(strengths[winner]!) === row),
      }),
    ),
  ],
  rules: ['Winning hand bets win on exactly the class of the hand that wins; a royal flush is a straight flush here.'],
});
