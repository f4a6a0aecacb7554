/** Quartz Hollow: six by six stones, groups of five or more that touch pay and go, the stones above fall, pay grows. */
import { payOf, type ReturnRow, soloGame } from '../game.ts';
import {
  payLines,
  SLOT,
  type SlotShape,
  type SlotStep,
  type SlotSymbol,
  type SlotView,
  type SlotWager,
  type SlotWin,
  timesText,
} from './slots.ts';

/** Every stone in the order it was drawn: 36 for the first grid, then those that fell in. */
interface State extends SlotWager {
  readonly drawn: readonly number[];
}

const SIZE = 6;
const CELLS = SIZE * SIZE;
const LEAST = 5;
const EMPTY = -1;

const pays = (key: string, name: string): SlotSymbol => ({ key, name, role: 'pays' });
const SYMBOLS: readonly SlotSymbol[] = [
  pays('ruby', 'Ruby'),
  pays('topaz', 'Topaz'),
  pays('emerald', 'Emerald'),
  pays('sapphire', 'Sapphire'),
  pays('amethyst', 'Amethyst'),
  pays('quartz', 'Quartz'),
];

/** How many of a hundred stones are each, rarest first. */
export const WEIGHTS: readonly number[] = [8, 13, 17, 19, 21, 22];
const WEIGHT_SUM = 100;
const STONES: readonly number[] = WEIGHTS.flatMap((weight, stone) => Array<number>(weight).fill(stone));

/** Sizes from which a group pays more; the last is for all larger ones. */
const SIZES = [5, 6, 7, 8, 10, 12, 15];
/** Hundredths of the stake by stone and size. */
export const CLUSTER_PAYS: readonly (readonly number[])[] = [
  [300, 500, 800, 1500, 3000, 8000, 25_000],
  [200, 300, 500, 1000, 2000, 5000, 15_000],
  [120, 200, 300, 600, 1200, 3000, 10_000],
  [80, 120, 200, 400, 800, 2000, 6000],
  [60, 90, 150, 300, 600, 1500, 5000],
  [45, 60, 100, 200, 400, 1000, 3000],
];
/** Multiplier of the first grid and of each fall; the last holds for all further ones. */
const MULTIPLIERS = [1, 2, 3, 4, 5];

export const HOLLOW = { maxTimes: 100_000, maxFalls: 30 } as const;
/** Simulated over 20,000,000 rounds; `npm run bench -- returns` measures it again from another seed. */
export const CLUSTER_PPM = 951_040;
export const CLUSTER_ERROR_PPM = 579;

const SIZE_OF = Array.from({ length: CELLS + 1 }, (_, count) => SIZES.findLastIndex((least) => count >= least));
/** Cells that touch a cell, by cell. */
const TOUCH: readonly (readonly number[])[] = Array.from({ length: CELLS }, (_, cell) => {
  const row = cell % SIZE;
  return [
    ...(row > 0 ? [cell - 1] : []),
    ...(row < SIZE - 1 ? [cell + 1] : []),
    ...(cell >= SIZE ? [cell - SIZE] : []),
    ...(cell < CELLS - SIZE ? [cell + SIZE] : []),
  ];
});

/** Cells of the search, kept between calls: it is done for every grid of every round. */
const visited = new Uint8Array(CELLS);
const found: number[] = [];

/** Groups of at least five, each as its cells. */
export function groupsIn(cells: readonly number[]): number[][] {
  const groups: number[][] = [];
  visited.fill(0);
  for (let start = 0; start < CELLS; start++) {
    if (visited[start] === 1) continue;
    visited[start] = 1;
    const stone = cells[start];
    found.length = 1;
    found[0] = start;
    for (let i = 0; i < found.length; i++) {
      const beside = TOUCH[found[i]!]!;
      for (let k = 0; k < beside.length; k++) {
        const next = beside[k]!;
        if (visited[next] === 1 || cells[next] !== stone) continue;
        visited[next] = 1;
        found.push(next);
      }
    }
    if (found.length >= LEAST) groups.push([...found]);
  }
  return groups;
}

const groupTimes = (stone: number, count: number) => CLUSTER_PAYS[stone]![SIZE_OF[count]!]!;
const multiplierAt = (fall: number) => MULTIPLIERS[Math.min(fall, MULTIPLIERS.length - 1)]!;

/** Plays a round with stones from `next`; `shown` gets each grid with its groups. Returns hundredths of the stake. */
function play(
  next: () => number,
  shown?: (cells: readonly number[], groups: number[][], fall: number) => void,
): number {
  const cells: number[] = [];
  while (cells.length < CELLS) cells.push(next());
  let times = 0;
  for (let fall = 0; ; fall++) {
    const groups = groupsIn(cells);
    shown?.(cells, groups, fall);
    for (const group of groups) times += groupTimes(cells[group[0]!]!, group.length) * multiplierAt(fall);
    if (groups.length === 0 || times >= HOLLOW.maxTimes || fall === HOLLOW.maxFalls) return times;
    for (const group of groups) for (const cell of group) cells[cell] = EMPTY;
    for (let column = 0; column < CELLS; column += SIZE) settle(cells, column, next);
  }
}

/** Stones of a column fall to its foot; new ones come in from the top, the lowest first. */
function settle(cells: number[], column: number, next: () => number): void {
  let to = column + SIZE - 1;
  for (let from = to; from >= column; from--) {
    const stone = cells[from]!;
    if (stone !== EMPTY) cells[to--] = stone;
  }
  while (to >= column) cells[to--] = next();
}

function stepsOf(drawn: readonly number[]): { steps: SlotStep[]; times: number } {
  const steps: SlotStep[] = [];
  let at = 0;
  const times = play(
    () => drawn[at++]!,
    (cells, groups, fall) => {
      const multiplier = multiplierAt(fall);
      const wins: SlotWin[] = groups.map((group) => {
        const symbol = cells[group[0]!]!;
        return {
          symbol,
          cells: group,
          times: groupTimes(symbol, group.length) * multiplier,
          words: `${group.length} together`,
        };
      });
      const sum = wins.reduce((all, win) => all + win.times, 0);
      steps.push({ kind: fall === 0 ? 'spin' : 'fall', cells: [...cells], wins, times: sum, multiplier, spins: 0 });
    },
  );
  return { steps, times };
}

const sizeText = (index: number) => {
  const from = SIZES[index]!;
  const to = (SIZES[index + 1] ?? CELLS + 1) - 1;
  return index === SIZES.length - 1 ? `${from}+` : from === to ? String(from) : `${from}-${to}`;
};

export const clusterShape: SlotShape = {
  columns: SIZE,
  rows: SIZE,
  symbols: SYMBOLS,
  still: Array.from({ length: CELLS }, (_, cell) => (Math.floor(cell / SIZE) * 3 + (cell % SIZE) * 2) % SYMBOLS.length),
  counts: SIZES.map((_, index) => sizeText(index)),
  pays: CLUSTER_PAYS.map((times, symbol) => ({ symbol, times })),
  lines: [],
};

export const slotsCluster = soloGame<SlotWager, State, never, SlotView>({
  ...SLOT,
  code: 'slots-cluster',
  name: 'Quartz Hollow',
  rules: [
    'Thirty-six stones lie in six columns. Five or more of a kind that touch side by side or one above the other pay by their number and are taken away; the stones above fall, new ones come in from the top, and what touches now pays again.',
    `The first grid pays once, and each fall pays one more: ${MULTIPLIERS.slice(1).join(', ')} times, then always ${MULTIPLIERS.at(-1)} times. The round ends when nothing pays, after ${HOLLOW.maxFalls} falls, or at the highest pay.`,
    `What ${SIZES.map((_, index) => sizeText(index)).join(', ')} together pay, in multiples of the stake: ${payLines(SYMBOLS, clusterShape.pays)}.`,
    `Of ${WEIGHT_SUM} stones drawn ${WEIGHTS.map((weight, stone) => `${weight} are ${SYMBOLS[stone]!.name.toLowerCase()}`).join(', ')} on average, each by itself.`,
    `The most a round pays is ${timesText(HOLLOW.maxTimes)} times the stake.`,
  ],
  returns: (): ReturnRow[] => [
    { bet: 'Round, falls included', ppm: CLUSTER_PPM, how: 'simulated', errorPpm: CLUSTER_ERROR_PPM },
  ],
  open({ stakeMinor }, random) {
    const drawn: number[] = [];
    const times = play(() => {
      const stone = STONES[random.int(WEIGHT_SUM)]!;
      drawn.push(stone);
      return stone;
    });
    return {
      state: { stakeMinor, drawn },
      over: true,
      paidMinor: payOf(stakeMinor, Math.min(HOLLOW.maxTimes, times)),
    };
  },
  view({ drawn }) {
    const { steps, times } = stepsOf(drawn);
    return { steps, times: Math.min(HOLLOW.maxTimes, times), capped: times > HOLLOW.maxTimes };
  },
});
