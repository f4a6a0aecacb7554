/** European roulette: one zero, the whole table, any number of chips in one wager. */
import { CYCLE_MS, fields, payOf, type ReturnRow, RuleError, soloGame, stakeFrom, wholeFrom } from '../game.ts';

export type SpotKind =
  | 'straight'
  | 'split'
  | 'street'
  | 'trio'
  | 'corner'
  | 'first-four'
  | 'line'
  | 'column'
  | 'dozen'
  | 'even-money';

export interface Spot {
  /** `split-17-20`, `red`, `column-2`. */
  readonly id: string;
  readonly kind: SpotKind;
  readonly label: string;
  readonly numbers: readonly number[];
  /** Hundredths of the chip, the chip included. */
  readonly times: number;
}

interface Chip {
  readonly spot: string;
  readonly stakeMinor: number;
}

interface Wager {
  readonly chips: readonly Chip[];
}

interface State extends Wager {
  readonly number: number;
  /** What each chip paid back, in the order of the wager. */
  readonly paid: readonly number[];
}

const limits = { minStakeMinor: 100, maxStakeMinor: 100_000 };
export const POCKETS = 37;

/** The order of the pockets on a single zero wheel, clockwise. */
export const WHEEL: readonly number[] = [
  0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7,
  28, 12, 35, 3, 26,
];
const RED: ReadonlySet<number> = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);

export const colourOf = (number: number): 'green' | 'red' | 'black' =>
  number === 0 ? 'green' : RED.has(number) ? 'red' : 'black';

/** Every place of the table that takes a chip. */
export const SPOTS: ReadonlyMap<string, Spot> = new Map(allSpots().map((spot) => [spot.id, spot]));

export const roulette = soloGame<Wager, State, never, State>({
  kind: 'solo',
  code: 'roulette',
  name: 'Elm Street Roulette',
  category: 'Live',
  family: 'roulette',
  cycleMs: CYCLE_MS,
  ...limits,
  rules: [
    'Put chips on any places of the table; one ball falls into one of 37 pockets, 0 to 36, each equally likely.',
    'Pays, the chip included: straight 36×, split 18×, street and trio 12×, corner and first four 9×, line 6×, column and dozen 3×, red, black, odd, even, low and high 2×.',
    'Zero is neither red nor black, odd nor even, low nor high, and stands in no column or dozen: those bets lose on it.',
    'All chips of a wager together are at least 1 and at most 1,000. The most a wager can pay is 36 times its stake.',
  ],
  returns(): ReturnRow[] {
    const kinds: readonly [SpotKind, string][] = [
      ['straight', 'Straight'],
      ['split', 'Split'],
      ['street', 'Street'],
      ['trio', 'Trio'],
      ['corner', 'Corner'],
      ['first-four', 'First four'],
      ['line', 'Line'],
      ['column', 'Column'],
      ['dozen', 'Dozen'],
      ['even-money', 'Red, black, odd, even, low, high'],
    ];
    return kinds.map(([kind, bet]) => {
      const spot = [...SPOTS.values()].find((each) => each.kind === kind)!;
      return { bet, ppm: Math.floor((spot.numbers.length * spot.times * 10_000) / POCKETS), how: 'exact' };
    });
  },
  wager(input) {
    const { chips } = fields(input, ['chips']);
    if (!Array.isArray(chips) || chips.length < 1 || chips.length > SPOTS.size)
      throw new RuleError('chips', `chips is a list of 1 to ${SPOTS.size} chips.`);
    const read = chips.map((chip: unknown): Chip => {
      const { spot, stakeMinor } = fields(chip, ['spot', 'stakeMinor']);
      if (typeof spot !== 'string' || !SPOTS.has(spot)) throw new RuleError('spot', 'spot is no place of the table.');
      return { spot, stakeMinor: stakeFrom(stakeMinor, limits) };
    });
    if (new Set(read.map((chip) => chip.spot)).size !== read.length)
      throw new RuleError('spot', 'A place is named once, with the whole stake on it.');
    wholeFrom(sum(read), 'stakeMinor', limits.minStakeMinor, limits.maxStakeMinor);
    return { chips: read };
  },
  stakeOf: (wager) => sum(wager.chips),
  open(wager, random) {
    const number = random.int(POCKETS);
    const paid = wager.chips.map((chip) => {
      const spot = SPOTS.get(chip.spot)!;
      return spot.numbers.includes(number) ? payOf(chip.stakeMinor, spot.times) : 0;
    });
    return {
      state: { chips: wager.chips, number, paid },
      over: true,
      paidMinor: paid.reduce((all, each) => all + each, 0),
    };
  },
  view: (state) => state,
});

const sum = (chips: readonly Chip[]) => chips.reduce((all, chip) => all + chip.stakeMinor, 0);

/** The table is twelve rows of three: row r holds 3r-2, 3r-1, 3r. */
function allSpots(): Spot[] {
  const spots: Spot[] = [];
  const inside = (kind: SpotKind, label: string, numbers: readonly number[]) =>
    spots.push({ id: `${kind}-${numbers.join('-')}`, kind, label, numbers, times: 3600 / numbers.length });
  const outside = (id: string, kind: SpotKind, label: string, holds: (number: number) => boolean) => {
    const numbers = Array.from({ length: 36 }, (_, i) => i + 1).filter(holds);
    spots.push({ id, kind, label, numbers, times: 3600 / numbers.length });
  };
  for (let n = 0; n < POCKETS; n++) inside('straight', `${n}`, [n]);
  for (const n of [1, 2, 3]) inside('split', `Split 0, ${n}`, [0, n]);
  inside('trio', 'Trio 0, 1, 2', [0, 1, 2]);
  inside('trio', 'Trio 0, 2, 3', [0, 2, 3]);
  inside('first-four', 'First four', [0, 1, 2, 3]);
  for (let n = 1; n <= 36; n++) {
    const across = n % 3 !== 0;
    const below = n <= 33;
    if (across) inside('split', `Split ${n}, ${n + 1}`, [n, n + 1]);
    if (below) inside('split', `Split ${n}, ${n + 3}`, [n, n + 3]);
    if (across && below) inside('corner', `Corner ${n} to ${n + 4}`, [n, n + 1, n + 3, n + 4]);
    if (n % 3 === 1) inside('street', `Street ${n} to ${n + 2}`, [n, n + 1, n + 2]);
    if (n % 3 === 1 && below) inside('line', `Line ${n} to ${n + 5}`, [n, n + 1, n + 2, n + 3, n + 4, n + 5]);
  }
  for (const column of [1, 2, 3])
    outside(`column-${column}`, 'column', `Column ${column}`, (n) => n % 3 === column % 3);
  for (const dozen of [1, 2, 3])
    outside(`dozen-${dozen}`, 'dozen', `Dozen ${dozen}`, (n) => Math.ceil(n / 12) === dozen);
  outside('red', 'even-money', 'Red', (n) => RED.has(n));
  outside('black', 'even-money', 'Black', (n) => !RED.has(n));
  outside('odd', 'even-money', 'Odd', (n) => n % 2 === 1);
  outside('even', 'even-money', 'Even', (n) => n % 2 === 0);
  outside('low', 'even-money', 'Low, 1 to 18', (n) => n <= 18);
  outside('high', 'even-money', 'High, 19 to 36', (n) => n >= 19);
  return spots;
}
