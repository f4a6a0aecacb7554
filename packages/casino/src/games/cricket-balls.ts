import { cardWords, rankOf } from '../cards.ts';
import { ENDINGS, endOf } from '../endings.ts';
import { type Game, inOrder, NO_CHANCES, seat, selection, windowsAt, won } from '../game.ts';
import { PACES, sideBySide } from './card-bets.ts';

/** Twelve are needed off two balls; the first gives r runs, one card is the last. Back and lay are published. */
const RUNS = [
  [2, 950, 1050, 950_000],
  [3, 480, 520, 960_000],
  [4, 323, 343, 969_000],
  [5, 245, 255, 980_000],
  [6, 198, 202, 990_000],
  [7, 165, 169, 990_000],
  [8, 142, 145, 994_000],
  [9, 124, 127, 992_000],
  [10, 110, 112, 990_000],
] as const;

export const cmatch20: Game<number> = {
  family: 'cricket-balls',
  deck: 'D40',
  seats: [seat('L', 'Last ball')],
  pace: PACES.single.pace,
  layout: sideBySide('match', 1, 1),
  selections: RUNS.map(([runs, back, lay, returnPpm]) =>
    selection<number>({
      id: runs - 1,
      name: `Run ${runs}`,
      group: 'Run',
      label: String(runs),
      hint: `last ball ${12 - runs} or more`,
      price: { back, lay },
      net: `run-${runs}`,
      returnPpm,
      limit: 'main',
      mark: (last) => won(runs + last >= 12),
    }),
  ),
  rules: [
    'Team B needs 12 runs off the last two balls. You choose the runs of the first, 2 to 10; one card, ace to 10, is the last.',
    'Reaching 12 wins.',
  ],
  handRanks: [],
  nextSeat: inOrder([0]),
  windowMs: windowsAt({ 0: PACES.single.first }),
  outcome: ({ cards }) => rankOf(cards[0]!),
  endings: ENDINGS.cmatch20,
  result: (last) => ({
    ...endOf(ENDINGS.cmatch20, String(last)),
    text: `${last}|Run ${12 - last} and more`,
    words: `The last ball is ${last}. ${last === 1 ? 'No first ball of 10 or less reaches 12.' : `Run ${12 - last} and more win.`}`,
    winners: [],
    best: [0],
    void: false,
  }),
  chances: () => NO_CHANCES,
  note: ({ cards }) => cards.map(cardWords).join(),
};

/** Ball By Ball: what one delivery may be, its weight of a thousand and its odds, in the order of the draw. */
const OUTCOMES = [
  { name: '0 runs', weight: 310, back: 311 },
  { name: '1 run', weight: 370, back: 263 },
  { name: '2 runs', weight: 65, back: 1460 },
  { name: '3 runs', weight: 5, back: 15_000 },
  { name: '4 runs', weight: 110, back: 865 },
  { name: '6 runs', weight: 50, back: 1900 },
  { name: 'Caught', weight: 27, back: 3500 },
  { name: 'Bowled', weight: 9, back: 10_000 },
  { name: 'LBW', weight: 3, back: 30_000 },
  { name: 'Run Out', weight: 4, back: 22_500 },
  { name: 'Stumped', weight: 1, back: 80_000 },
  { name: 'Others', weight: 1, back: 80_000 },
  { name: 'No Ball', weight: 5, back: 18_000 },
  { name: 'Wide', weight: 32, back: 2950 },
  { name: 'Bye', weight: 2, back: 45_000 },
  { name: 'Leg Bye', weight: 6, back: 15_000 },
] as const;
const GROUPS = [
  { id: 17, name: 'Boundary', hint: '4 or 6 runs', back: 595, codes: [5, 6] },
  { id: 18, name: 'Wicket', hint: 'any dismissal', back: 2100, codes: [7, 8, 9, 10, 11, 12] },
  { id: 19, name: 'Extra Runs', hint: 'any extra', back: 2100, codes: [13, 14, 15, 16] },
] as const;
const weightOf = (code: number) => OUTCOMES[code - 1]!.weight;

/** Result code 1 to 16 of a number from 0 to 999. */
function codeOf(drawn: number): number {
  let below = 0;
  for (let code = 1; code <= 16; code++) {
    below += weightOf(code);
    if (drawn < below) return code;
  }
  throw new Error('The draw is 0 to 999.');
}

export const ballbyball: Game<number> = {
  family: 'cricket-balls',
  deck: 'U1000',
  seats: [seat('B', 'Ball')],
  pace: PACES.ball.pace,
  layout: sideBySide('ball', 1, 1),
  selections: [
    ...OUTCOMES.map(({ name, weight, back }, index) =>
      selection<number>({
        id: index + 1,
        name,
        group: index < 6 ? 'Runs' : index < 12 ? 'Wicket' : 'Extras',
        price: { back },
        returnPpm: weight * back * 10,
        limit: back > 10_000 ? 'long' : 'side',
        mark: (code) => won(code === index + 1),
      }),
    ),
    ...GROUPS.map(({ id, name, hint, back, codes }) =>
      selection<number>({
        id,
        name,
        hint,
        group: 'Any',
        price: { back },
        returnPpm: codes.reduce((sum, code) => sum + weightOf(code), 0) * back * 10,
        mark: (code) => won(codes.some((one) => one === code)),
      }),
    ),
  ],
  rules: [
    'One delivery. Exactly one of the sixteen outcomes happens.',
    `A number from 0 to 999 is drawn. Of 1000 balls: ${OUTCOMES.map(({ name, weight }) => `${name} ${weight}`).join(', ')}.`,
    'Run bets count runs off the bat. Runs on a wicket ball do not count; a run out on a no ball is a no ball.',
    'Boundary is 4 or 6 runs, Wicket any dismissal, Extra Runs any extra.',
  ],
  handRanks: [],
  nextSeat: inOrder([0]),
  windowMs: windowsAt({ 0: PACES.ball.first }),
  outcome: ({ cards }) => codeOf(cards[0]!),
  endings: ENDINGS.ballbyball,
  result: (code) => ({
    ...endOf(ENDINGS.ballbyball, String(code)),
    text: OUTCOMES[code - 1]!.name,
    words: `${OUTCOMES[code - 1]!.name}.`,
    winners: [],
    best: [],
    void: false,
  }),
  chances: () => NO_CHANCES,
  note: ({ cards }) => (cards.length > 0 ? OUTCOMES[codeOf(cards[0]!) - 1]!.name : ''),
};
