/** Mines: a field of 25 tiles, some of them mined; every safe tile raises the multiple, until it is cashed out. */
import { shuffle } from '@fairgame/casino';
import {
  CYCLE_MS,
  fields,
  oneOf,
  payOf,
  type Random,
  type ReturnRow,
  RuleError,
  type Step,
  soloGame,
  stakeFrom,
  wholeFrom,
} from '../game.ts';

export interface MinesWager {
  readonly stakeMinor: number;
  readonly mines: number;
}

interface State extends MinesWager {
  /** Mined tiles, 0 to 24 row by row. */
  readonly mined: readonly number[];
  /** In the order of opening; the last one is the mined one where the round was lost. */
  readonly opened: readonly number[];
  readonly end: MinesView['end'];
}

export type MinesMove = { readonly do: 'open'; readonly tile: number } | { readonly do: 'cash' };

export interface MinesView {
  readonly mines: number;
  readonly opened: readonly number[];
  /** What cashing out pays now (hundredths); after the round what it paid. */
  readonly times: number;
  /** The multiple after one more safe tile; null when the round is over. */
  readonly nextTimes: number | null;
  readonly end: 'open' | 'cashed' | 'mined';
  /** Where the mines are: only after the round. */
  readonly mined: readonly number[] | null;
}

export const TILES = 25;
const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };
const MOST_TIMES = 1_000_000;
/** Of 100 stakes 99 are meant to come back, whenever the player stops; the multiple is cut to hundredths. */
const MEANT = 99;

/** Ways to take k of n; exact for n up to 25. */
const ways = (n: number, k: number) => {
  let count = 1;
  for (let i = 1; i <= k; i++) count = (count * (n - k + i)) / i;
  return count;
};

/** By mines and safe tiles, up to all there are. */
const LADDERS: readonly (readonly number[])[] = Array.from({ length: TILES }, (_, mines) =>
  Array.from({ length: TILES - mines + 1 }, (_, safe) =>
    safe === 0 ? 100 : Math.floor((MEANT * ways(TILES, safe)) / ways(TILES - mines, safe)),
  ),
);
const MOST_TILES = LADDERS.map((ladder) => ladder.findLastIndex((times) => times <= MOST_TIMES));

/** The multiple after so many safe tiles, in hundredths: 0.99 over the chance of getting so far, cut. */
export const minesTimes = (mines: number, safe: number): number => LADDERS[mines]![safe]!;

/** The round pays by itself after so many safe tiles: all there are, or the last one within the highest multiple. */
export const mostTiles = (mines: number): number => MOST_TILES[mines]!;

/** Average return of playing for so many safe tiles, in millionths (cut). */
export function minesReturn(mines: number, safe: number): number {
  return Math.floor((minesTimes(mines, safe) * ways(TILES - mines, safe) * 10_000) / ways(TILES, safe));
}

export const mines = soloGame<MinesWager, State, MinesMove, MinesView>({
  kind: 'solo',
  code: 'mines',
  name: 'Mines',
  category: 'Others',
  family: 'mines',
  cycleMs: CYCLE_MS,
  ...limits,
  rules: [
    'Choose 1 to 24 mines. They are laid under the 25 tiles before you open the first one and never move.',
    'Each safe tile raises the multiple. Cash out when you like; a mine ends the round and the stake is lost.',
    'After n safe tiles the multiple is 0.99 divided by the chance of finding n safe tiles, cut to two decimals.',
    'The round pays out by itself when all safe tiles are open, or when one more would lead over 10,000 times the stake.',
    'Cashing out before the first tile gives the stake back.',
  ],
  returns(): ReturnRow[] {
    let low = 1_000_000;
    let high = 0;
    for (let count = 1; count < TILES; count++) {
      for (let safe = 1; safe <= mostTiles(count); safe++) {
        low = Math.min(low, minesReturn(count, safe));
        high = Math.max(high, minesReturn(count, safe));
      }
    }
    return [
      { bet: '3 mines, cash out after 3 tiles', ppm: minesReturn(3, 3), how: 'exact' },
      { bet: 'Lowest of all mines and tiles', ppm: low, how: 'exact' },
      { bet: 'Highest of all mines and tiles', ppm: high, how: 'exact' },
    ];
  },
  wager(input) {
    const { stakeMinor, mines: count } = fields(input, ['stakeMinor', 'mines']);
    return { stakeMinor: stakeFrom(stakeMinor, limits), mines: wholeFrom(count, 'mines', 1, TILES - 1) };
  },
  stakeOf: (wager) => wager.stakeMinor,
  open(wager, random) {
    return step({ ...wager, mined: layMines(wager.mines, random), opened: [], end: 'open' });
  },
  view(state) {
    const over = state.end !== 'open';
    const safe = safeTiles(state);
    return {
      mines: state.mines,
      opened: state.opened,
      times: state.end === 'mined' ? 0 : minesTimes(state.mines, safe),
      nextTimes: over ? null : minesTimes(state.mines, safe + 1),
      end: state.end,
      mined: over ? state.mined : null,
    };
  },
  move(input) {
    const { do: what, tile } = fields(input, ['do', 'tile']);
    if (oneOf(what, 'do', ['open', 'cash'] as const) === 'open')
      return { do: 'open', tile: wholeFrom(tile, 'tile', 0, TILES - 1) };
    if (tile !== undefined) throw new RuleError('tile', 'Cashing out takes no tile.');
    return { do: 'cash' };
  },
  play(state, move) {
    if (state.end !== 'open') throw new RuleError('move', 'The round is over.');
    if (move.do === 'cash') return step({ ...state, end: 'cashed' });
    if (state.opened.includes(move.tile)) throw new RuleError('tile', 'This tile is open already.');
    const opened = [...state.opened, move.tile];
    if (state.mined.includes(move.tile)) return step({ ...state, opened, end: 'mined' });
    return step({ ...state, opened, end: opened.length === mostTiles(state.mines) ? 'cashed' : 'open' });
  },
  leave: () => ({ do: 'cash' }),
});

function layMines(count: number, random: Random): number[] {
  const tiles = Array.from({ length: TILES }, (_, tile) => tile);
  return shuffle(tiles, random)
    .slice(0, count)
    .sort((a, b) => a - b);
}

const safeTiles = (state: State) => state.opened.length - (state.end === 'mined' ? 1 : 0);

function step(state: State): Step<State> {
  const paidMinor = state.end === 'cashed' ? payOf(state.stakeMinor, minesTimes(state.mines, safeTiles(state))) : 0;
  return { state, over: state.end !== 'open', paidMinor };
}
