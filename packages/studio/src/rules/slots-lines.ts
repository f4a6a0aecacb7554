/** Orchard Row: five reels of three, 20 lines, a sun that stands for all, eight free spins with the middle reel all suns. */
import { payOf, type Random, type ReturnRow, soloGame } from '../game.ts';
import {
  cellsAt,
  payLines,
  SLOT,
  type SlotShape,
  type SlotStep,
  type SlotSymbol,
  type SlotView,
  type SlotWager,
  type SlotWin,
  stripsOf,
  timesText,
} from './slots.ts';

/** Where the five reels stopped: the paid spin first, then the free ones. */
interface State extends SlotWager {
  readonly spins: readonly (readonly number[])[];
}

export const SUN = 0;
export const BASKET = 1;
const ROWS = 3;
const REELS = 5;
const MIDDLE = 2;

const pays = (key: string, name: string): SlotSymbol => ({ key, name, role: 'pays' });
const SYMBOLS: readonly SlotSymbol[] = [
  { key: 'sun', name: 'Sun', role: 'wild' },
  { key: 'basket', name: 'Basket', role: 'scatter' },
  pays('apple', 'Apple'),
  pays('pear', 'Pear'),
  pays('plum', 'Plum'),
  pays('cherry', 'Cherries'),
  pays('quince', 'Lemon'),
  pays('leaf', 'Leaf'),
  pays('acorn', 'Acorn'),
  pays('mushroom', 'Mushroom'),
];

/** W sun, B basket, then apple, pear, plum (U), cherries, lemon (Q), leaf, acorn (N), mushroom. */
export const LINES_STRIPS = stripsOf('WBAPUCQLNM', [
  'AMCLNUQBPLMCNUAQLMBCPNUQ',
  'LWQPMNCAUQLPMWNCQAPUNLCM',
  'UCMWLQABUPMCLNQWUAMPLCQN',
  'NUWCLPMQAUNCWLMQPUCNALQM',
  'QLBUNCMAPQULNBCMPLUQANCM',
]);

/** Multiples of the line's share of the stake for three, four and five, by symbol. */
export const LINE_PAYS: readonly (readonly number[])[] = [
  [],
  [],
  [25, 150, 1000],
  [20, 75, 500],
  [15, 60, 250],
  [10, 50, 150],
  [8, 30, 100],
  [6, 25, 80],
  [5, 20, 80],
  [5, 20, 80],
];

/** Row on each reel, from the top. */
export const LINES: readonly (readonly number[])[] = [
  '11111',
  '00000',
  '22222',
  '01210',
  '21012',
  '00100',
  '22122',
  '12221',
  '10001',
  '01110',
  '21112',
  '01010',
  '21212',
  '10101',
  '12121',
  '11011',
  '11211',
  '00122',
  '22100',
  '02020',
].map((rows) => Array.from(rows, Number));

export const ORCHARD = { freeSpins: 8, basketTimes: 200, maxTimes: 100_000 } as const;
/** A line's share of the stake is a twentieth: one multiple of it is five hundredths of the stake. */
export const LINE_TIMES = 100 / LINES.length;
/** By enumeration of all stops with the sum of the free spins folded up to the cap: test/slots.test.ts. */
export const LINES_PPM = 959_814;

/** Cells of a spin; on free spins the middle reel is all suns. */
function cellsOf(stops: readonly number[], free: boolean): number[] {
  const cells = cellsAt(LINES_STRIPS, stops);
  if (free) cells.fill(SUN, MIDDLE * ROWS, (MIDDLE + 1) * ROWS);
  return cells;
}

const cellOn = (line: readonly number[], reel: number) => reel * ROWS + line[reel]!;

/** What the lines pay, in hundredths of the stake; `found` gets each line that does. */
function linesTimes(
  cells: readonly number[],
  found?: (line: number, symbol: number, reels: number, times: number) => void,
): number {
  let sum = 0;
  for (let index = 0; index < LINES.length; index++) {
    const line = LINES[index]!;
    const symbol = cells[line[0]!]!;
    let reels = 1;
    while (reels < REELS) {
      const shown = cells[cellOn(line, reels)]!;
      if (shown !== symbol && shown !== SUN) break;
      reels += 1;
    }
    // Baskets pay by the round, not by the line.
    if (reels < 3 || symbol === BASKET) continue;
    const times = LINE_PAYS[symbol]![reels - 3]! * LINE_TIMES;
    sum += times;
    found?.(index, symbol, reels, times);
  }
  return sum;
}

/** A basket on each of the first, third and fifth reel. */
const opens = (cells: readonly number[]) =>
  [0, MIDDLE, REELS - 1].every((reel) => {
    for (let row = 0; row < ROWS; row++) if (cells[reel * ROWS + row] === BASKET) return true;
    return false;
  });

const stopAll = (random: Random) => LINES_STRIPS.map((strip) => random.int(strip.length));

function roundTimes(spins: State['spins']): number {
  let times = spins.length > 1 ? ORCHARD.basketTimes : 0;
  spins.forEach((stops, index) => {
    times += linesTimes(cellsOf(stops, index > 0));
  });
  return times;
}

function stepOf(stops: readonly number[], free: boolean): SlotStep {
  const cells = cellsOf(stops, free);
  const wins: SlotWin[] = [];
  let times = linesTimes(cells, (line, symbol, reels, each) => {
    const at = LINES[line]!.slice(0, reels).map((_, reel) => cellOn(LINES[line]!, reel));
    wins.push({ symbol, cells: at, times: each, words: `${reels} on line ${line + 1}` });
  });
  const gives = !free && opens(cells);
  if (gives) {
    times += ORCHARD.basketTimes;
    const at = cells.flatMap((shown, cell) => (shown === BASKET ? [cell] : []));
    wins.push({ symbol: BASKET, cells: at, times: ORCHARD.basketTimes, words: 'three reels' });
  }
  return { kind: free ? 'free' : 'spin', cells, wins, times, multiplier: 1, spins: gives ? ORCHARD.freeSpins : 0 };
}

export const linesShape: SlotShape = {
  columns: REELS,
  rows: ROWS,
  symbols: SYMBOLS,
  still: cellsAt(LINES_STRIPS, [0, 0, 4, 3, 6]),
  counts: ['3', '4', '5'],
  pays: LINE_PAYS.flatMap((times, symbol) =>
    times.length > 0 ? [{ symbol, times: times.map((each) => each * LINE_TIMES) }] : [],
  ),
  lines: LINES.map((line) => line.map((_, reel) => cellOn(line, reel))),
};

export const slotsLines = soloGame<SlotWager, State, never, SlotView>({
  ...SLOT,
  code: 'slots-lines',
  name: 'Orchard Row',
  rules: [
    `Five reels show three symbols each. The stake lies in equal parts on ${LINES.length} lines. A line pays for three, four or five of a symbol in a row from the left, its longest run only; all lines that win are added.`,
    'The sun is on reels two, three and four and stands for every symbol but the basket.',
    `A basket on each of the reels one, three and five pays ${timesText(ORCHARD.basketTimes)} times the stake and gives ${ORCHARD.freeSpins} free spins during which the whole middle reel is suns. Free spins give no further free spins.`,
    `What three, four and five on a line pay, in multiples of the whole stake: ${payLines(SYMBOLS, linesShape.pays)}.`,
    `The most a round pays is ${timesText(ORCHARD.maxTimes)} times the stake. Every stop of a reel is equally likely on every spin.`,
  ],
  returns: (): ReturnRow[] => [{ bet: 'Spin, free spins included', ppm: LINES_PPM, how: 'exact' }],
  open({ stakeMinor }, random) {
    const spins = [stopAll(random)];
    if (opens(cellsOf(spins[0]!, false))) for (let i = 0; i < ORCHARD.freeSpins; i++) spins.push(stopAll(random));
    const times = Math.min(ORCHARD.maxTimes, roundTimes(spins));
    return { state: { stakeMinor, spins }, over: true, paidMinor: payOf(stakeMinor, times) };
  },
  view({ spins }) {
    const times = roundTimes(spins);
    return {
      steps: spins.map((stops, index) => stepOf(stops, index > 0)),
      times: Math.min(ORCHARD.maxTimes, times),
      capped: times > ORCHARD.maxTimes,
    };
  },
});
