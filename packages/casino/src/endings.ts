/**
 * The ways a round of each table can end, as the results strip and the statistics name them. Plain data apart from the
 * rules, so that a lobby can colour a result without loading them.
 */

/** Colour and shape of an ending; the letters say the same. `tie` is what none of the sides won. */
export type Tone = 'a' | 'b' | 'c' | 'd' | 'tie' | 'none';

export interface Ending {
  /** Result code of C13; two codes may share a badge. */
  readonly win: string;
  /** One to three characters. */
  readonly badge: string;
  readonly name: string;
  readonly tone: Tone;
}

type Row = readonly [win: string, badge: string, name: string, tone?: Tone];
const endings = (...rows: readonly Row[]): readonly Ending[] =>
  rows.map(([win, badge, name, tone = 'none']) => ({ win, badge, name, tone }));

const players = (codes: readonly [string, string]) =>
  endings([codes[0], 'A', 'Player A', 'a'], [codes[1], 'B', 'Player B', 'b'], ['0', 'T', 'Tie', 'tie']);
const dragonTiger = endings(['1', 'D', 'Dragon', 'a'], ['2', 'T', 'Tiger', 'b'], ['3', 'TIE', 'Tie', 'tie']);
const baccarat = endings(
  ['1', 'P', 'Player', 'a'],
  ['2', 'B', 'Banker', 'b'],
  ['4', 'B', 'Banker', 'b'],
  ['3', 'T', 'Tie', 'tie'],
);
const lucky7 = endings(['1', 'L', 'Low', 'a'], ['2', 'H', 'High', 'b'], ['0', '7', 'Seven', 'tie']);
const cards32 = endings(
  ['1', '8', 'Player 8', 'a'],
  ['2', '9', 'Player 9', 'b'],
  ['3', '10', 'Player 10', 'c'],
  ['4', '11', 'Player 11', 'd'],
  ['0', 'N', 'No result', 'tie'],
);
const seats = (count: number) =>
  endings(...Array.from({ length: count }, (_, i): Row => [`${i + 1}`, `${i + 1}`, `Player ${i + 1}`]));
const digits = endings(...[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((n): Row => [`${n}`, `${n}`, `Single ${n}`]));
const BALLS: readonly Row[] = [
  ['1', '0', '0 runs'],
  ['2', '1', '1 run'],
  ['3', '2', '2 runs'],
  ['4', '3', '3 runs'],
  ['5', '4', '4 runs', 'a'],
  ['6', '6', '6 runs', 'a'],
  ['7', 'W', 'Caught', 'b'],
  ['8', 'W', 'Bowled', 'b'],
  ['9', 'W', 'LBW', 'b'],
  ['10', 'W', 'Run Out', 'b'],
  ['11', 'W', 'Stumped', 'b'],
  ['12', 'W', 'Others', 'b'],
  ['13', 'NB', 'No Ball', 'c'],
  ['14', 'WD', 'Wide', 'c'],
  ['15', 'B', 'Bye', 'c'],
  ['16', 'LB', 'Leg Bye', 'c'],
];

/**
 * By game code. At `war` and `teen8` several seats may win a round: their code is a list of these. At `ab20`, `3cardj` and
 * `cmeter` a round has no one ending to name: their badge is what came.
 */
export const ENDINGS = {
  dt20: dragonTiger,
  dt202: dragonTiger,
  dt6: endings(['1', 'D', 'Dragon', 'a'], ['2', 'T', 'Tiger', 'b']),
  dtl20: endings(['1', 'D', 'Dragon', 'a'], ['21', 'T', 'Tiger', 'b'], ['41', 'L', 'Lion', 'c']),
  teen20: players(['1', '3']),
  teen: players(['1', '2']),
  teen8: seats(8),
  teen9: endings(
    ['11', 'T', 'Tiger', 'a'],
    ['21', 'L', 'Lion', 'b'],
    ['31', 'D', 'Dragon', 'c'],
    ['0', 'TIE', 'Tie', 'tie'],
  ),
  baccarat,
  baccarat2: baccarat,
  lucky7,
  lucky7eu: lucky7,
  aaa: endings(['1', 'Am', 'Amar', 'a'], ['2', 'Ak', 'Akbar', 'b'], ['3', 'An', 'Anthony', 'c']),
  btable: endings(
    ['1', 'DON', 'DON'],
    ['2', 'AAA', 'Amar Akbar Anthony', 'a'],
    ['3', 'SBG', 'Sahib Bibi Aur Ghulam', 'b'],
    ['4', 'DV', 'Dharam Veer', 'c'],
    ['5', 'KKP', 'Kis KisKo Pyaar Karoon', 'd'],
    ['6', 'Gh', 'Ghulam'],
  ),
  ab20: endings(),
  abj: endings(['1', 'A', 'Andar', 'a'], ['2', 'B', 'Bahar', 'b']),
  card32: cards32,
  card32eu: cards32,
  queen: endings(
    ['1', '0', 'Total 0', 'a'],
    ['2', '1', 'Total 1', 'b'],
    ['3', '2', 'Total 2', 'c'],
    ['4', '3', 'Total 3', 'd'],
    ['0', 'N', 'No result', 'tie'],
  ),
  race20: endings(
    ['1', '\u2660', 'King of spades'],
    ['2', '\u2665', 'King of hearts'],
    ['3', '\u2663', 'King of clubs'],
    ['4', '\u2666', 'King of diamonds'],
  ),
  poker: players(['11', '21']),
  poker20: players(['11', '21']),
  poker6: endings(...[1, 2, 3, 4, 5, 6].map((n): Row => [`${n + 10}`, `${n}`, `Player ${n}`]), [
    '0',
    'T',
    'Shared',
    'tie',
  ]),
  war: seats(6),
  superover: endings(['1', 'E', 'ENG', 'a'], ['2', 'R', 'RSA', 'b'], ['0', 'T', 'Tie', 'tie']),
  cricketv3: endings(['1', 'A', 'AUS', 'a'], ['2', 'I', 'IND', 'b'], ['0', 'T', 'Tie', 'tie']),
  cmatch20: endings(...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n): Row => [`${n}`, `${n}`, `Last ball ${n}`])),
  ballbyball: endings(...BALLS),
  '3cardj': endings(),
  cmeter: endings(),
  worli2: digits,
  worli: digits,
} as const satisfies Record<string, readonly Ending[]>;

/** What of a result the strip shows, by its code; the code has to be one of the endings. */
export function endOf(of: readonly Ending[], win: string): Pick<Ending, 'win' | 'badge' | 'tone'> {
  const ending = of.find((one) => one.win === win);
  if (!ending) throw new Error(`No ending "${win}".`);
  return { win, badge: ending.badge, tone: ending.tone };
}
