/** Lantern Reef: five reels of three, 243 ways, a lantern fish that stands for all, eight free dives at double pay. */
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
  shownAt,
  stripsOf,
  timesText,
} from './slots.ts';

/** Where the five reels stopped: the paid spin first, then the free ones. */
interface State extends SlotWager {
  readonly spins: readonly (readonly number[])[];
}

export const WILD = 0;
export const PEARL = 1;
const ROWS = 3;
const REELS = 5;

const pays = (key: string, name: string): SlotSymbol => ({ key, name, role: 'pays' });
const SYMBOLS: readonly SlotSymbol[] = [
  { key: 'lantern', name: 'Lantern fish', role: 'wild' },
  { key: 'pearl', name: 'Pearl', role: 'scatter' },
  pays('jelly', 'Jellyfish'),
  pays('turtle', 'Turtle'),
  pays('fish', 'Reef fish'),
  pays('star', 'Starfish'),
  pays('shell', 'Shell'),
  pays('coral', 'Coral'),
  pays('anchor', 'Anchor'),
  pays('drop', 'Drop'),
];

/** W lantern fish, P pearl, then the paying symbols in the order above. */
export const WAYS_STRIPS = stripsOf('WPJTFSLCAD', [
  'JDCTASFLDPCAJFLSDTACFSLD',
  'DWLCSADJTLPDCASFDLTACJSF',
  'ACFSWLATDSPFCALTDJSFALCD',
  'CFJADLCTWSFLACPDJFCSLTAD',
  'DTLCSAJDPTFLCSADTJLDCFSA',
]);

/** Hundredths of the stake for each way of three, four and five, by symbol. */
export const WAYS_PAYS: readonly (readonly number[])[] = [
  [],
  [],
  [100, 500, 4000],
  [60, 300, 1500],
  [40, 150, 600],
  [30, 120, 400],
  [20, 80, 300],
  [20, 60, 200],
  [15, 50, 200],
  [15, 40, 120],
];

export const WAYS = { freeSpins: 8, freeMultiplier: 2, pearls: 3, maxTimes: 100_000 } as const;
/** By enumeration of all stops with the sum of the free dives folded up to the cap: test/slots.test.ts. */
export const WAYS_PPM = 955_698;

/** What one spin pays before any multiplier, and how many pearls it shows; `found` gets each win. */
function spinTimes(stops: readonly number[], found?: (symbol: number, reels: number, ways: number) => void): number {
  let times = 0;
  const first = shownAt(WAYS_STRIPS[0]!, stops[0]!);
  for (let row = 0; row < ROWS; row++) {
    const symbol = first[row]!;
    // Each symbol of the first reel once; there is no lantern fish on it.
    if (symbol === PEARL || first.indexOf(symbol) < row) continue;
    let ways = 0;
    for (const shown of first) if (shown === symbol) ways += 1;
    let reels = 1;
    for (; reels < REELS; reels++) {
      let count = 0;
      const strip = WAYS_STRIPS[reels]!;
      for (let next = 0; next < ROWS; next++) {
        const shown = strip[(stops[reels]! + next) % strip.length]!;
        if (shown === symbol || shown === WILD) count += 1;
      }
      if (count === 0) break;
      ways *= count;
    }
    if (reels < 3) continue;
    times += ways * WAYS_PAYS[symbol]![reels - 3]!;
    found?.(symbol, reels, ways);
  }
  return times;
}

function pearlsAt(stops: readonly number[]): number {
  let pearls = 0;
  for (let reel = 0; reel < REELS; reel++) if (shownAt(WAYS_STRIPS[reel]!, stops[reel]!).includes(PEARL)) pearls += 1;
  return pearls;
}

function roundTimes(spins: State['spins']): number {
  let times = 0;
  spins.forEach((stops, index) => {
    times += spinTimes(stops) * (index === 0 ? 1 : WAYS.freeMultiplier);
  });
  return times;
}

const stopAll = (random: Random) => WAYS_STRIPS.map((strip) => random.int(strip.length));

function stepOf(stops: readonly number[], free: boolean): SlotStep {
  const cells = cellsAt(WAYS_STRIPS, stops);
  const multiplier = free ? WAYS.freeMultiplier : 1;
  const wins: SlotWin[] = [];
  const times = spinTimes(stops, (symbol, reels, ways) => {
    const at = cells.flatMap((shown, cell) =>
      cell < reels * ROWS && (shown === symbol || shown === WILD) ? [cell] : [],
    );
    wins.push({
      symbol,
      cells: at,
      times: ways * WAYS_PAYS[symbol]![reels - 3]! * multiplier,
      words: `${reels} reels, ${ways === 1 ? '1 way' : `${ways} ways`}`,
    });
  });
  const spins = !free && pearlsAt(stops) >= WAYS.pearls ? WAYS.freeSpins : 0;
  return { kind: free ? 'free' : 'spin', cells, wins, times: times * multiplier, multiplier, spins };
}

export const waysShape: SlotShape = {
  columns: REELS,
  rows: ROWS,
  symbols: SYMBOLS,
  still: cellsAt(WAYS_STRIPS, [12, 8, 3, 7, 9]),
  counts: ['3', '4', '5'],
  pays: WAYS_PAYS.flatMap((times, symbol) => (times.length > 0 ? [{ symbol, times }] : [])),
  lines: [],
};

export const slotsWays = soloGame<SlotWager, State, never, SlotView>({
  ...SLOT,
  code: 'slots-ways',
  name: 'Lantern Reef',
  rules: [
    'Five reels show three symbols each. A symbol pays on three, four or five reels in a row from the left, in any row: 243 ways. A symbol seen twice on a reel doubles its ways; the ways of a symbol are multiplied with its pay.',
    'The lantern fish is on reels two, three and four and stands for every paying symbol.',
    `Three or more pearls anywhere on a paid spin give ${WAYS.freeSpins} free dives at ${WAYS.freeMultiplier} times the pay. Pearls pay nothing themselves and do nothing during free dives.`,
    `What a way of three, four and five pays, in multiples of the stake: ${payLines(SYMBOLS, waysShape.pays)}.`,
    `The most a round pays is ${timesText(WAYS.maxTimes)} times the stake. Every stop of a reel is equally likely on every spin.`,
  ],
  returns: (): ReturnRow[] => [{ bet: 'Spin, free dives included', ppm: WAYS_PPM, how: 'exact' }],
  open({ stakeMinor }, random) {
    const spins = [stopAll(random)];
    if (pearlsAt(spins[0]!) >= WAYS.pearls) for (let i = 0; i < WAYS.freeSpins; i++) spins.push(stopAll(random));
    const times = Math.min(WAYS.maxTimes, roundTimes(spins));
    return { state: { stakeMinor, spins }, over: true, paidMinor: payOf(stakeMinor, times) };
  },
  view({ spins }) {
    const times = roundTimes(spins);
    return {
      steps: spins.map((stops, index) => stepOf(stops, index > 0)),
      times: Math.min(WAYS.maxTimes, times),
      capped: times > WAYS.maxTimes,
    };
  },
});
