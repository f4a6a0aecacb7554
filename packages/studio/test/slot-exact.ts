/**
 * Returns of the reel slots by enumeration, written apart from their rules: every combination of stops of the five reels is
 * gone through, free spins are folded as sums of independent spins, and what is above the cap is cut.
 */
import { LINE_PAYS, LINE_TIMES, LINES, LINES_STRIPS, ORCHARD } from '../src/rules/slots-lines.ts';
import { WAYS, WAYS_PAYS, WAYS_STRIPS } from '../src/rules/slots-ways.ts';

/** Number of stops for each pay (hundredths of the stake), apart for spins that give free spins and those that do not. */
export interface Spins {
  readonly all: number;
  readonly plain: ReadonlyMap<number, number>;
  readonly giving: ReadonlyMap<number, number>;
}

export interface Exact {
  /** Millionths of the stake. */
  readonly ppm: number;
  /** Without the cap. */
  readonly uncappedPpm: number;
  readonly hitRate: number;
  readonly freeRate: number;
  /** Standard deviation of one round, in stakes. */
  readonly deviation: number;
  /** The most that one paid and one free spin pay, hundredths. */
  readonly most: readonly [number, number];
  /** Chance that a round reaches the cap. */
  readonly capRate: number;
}

const window = (strip: readonly number[], stop: number) =>
  [0, 1, 2].map((next) => strip[(stop + next) % strip.length]!);
/** All pays are multiples of it. */
const UNIT = 5;
/** Pays of one spin are counted in an array, which is much quicker than a map. */
const counter = () => new Float64Array(40_000 / UNIT);
const counted = (counts: Float64Array) =>
  new Map([...counts].flatMap((count, at) => (count > 0 ? [[at * UNIT, count] as const] : [])));

/** Pay of five stops of the ways in hundredths, by walking every way of one cell a reel. */
export function waysPayAt(stops: readonly number[]): number {
  const shown = WAYS_STRIPS.map((strip, reel) => window(strip, stops[reel]!));
  let pay = 0;
  for (let symbol = 2; symbol < WAYS_PAYS.length; symbol++) {
    const fits = shown.map((cells) => cells.filter((cell) => cell === symbol || cell === 0).length);
    const reels = fits.indexOf(0);
    const run = reels < 0 ? 5 : reels;
    if (run >= 3)
      pay += fits.slice(0, run).reduce((product, count) => product * count, 1) * WAYS_PAYS[symbol]![run - 3]!;
  }
  return pay;
}

export function waysSpins(): Spins {
  const symbols = WAYS_PAYS.length;
  // For each reel, stop and symbol: how many of the three cells show it or the wild.
  const seen = WAYS_STRIPS.map((strip) =>
    strip.map((_, stop) => {
      const shown = window(strip, stop);
      return Array.from({ length: symbols }, (_, s) => shown.filter((cell) => cell === s || cell === 0).length);
    }),
  );
  const pearl = WAYS_STRIPS.map((strip) => strip.map((_, stop) => (window(strip, stop).includes(1) ? 1 : 0)));
  const [r1, r2, r3, r4, r5] = WAYS_STRIPS.map((strip) => strip.length) as [number, number, number, number, number];
  const plain = counter();
  const giving = counter();
  for (let a = 0; a < r1; a++) {
    const first = [...new Set(window(WAYS_STRIPS[0]!, a))].filter((s) => s >= 2);
    for (let b = 0; b < r2; b++)
      for (let c = 0; c < r3; c++) {
        const threes = first.map((s) => [s, seen[0]![a]![s]! * seen[1]![b]![s]! * seen[2]![c]![s]!] as const);
        const alive = threes.filter(([, ways]) => ways > 0);
        for (let d = 0; d < r4; d++)
          for (let e = 0; e < r5; e++) {
            let pay = 0;
            for (const [s, ways] of alive) {
              const four = ways * seen[3]![d]![s]!;
              const five = four * seen[4]![e]![s]!;
              const pays = WAYS_PAYS[s]!;
              pay += five > 0 ? five * pays[2]! : four > 0 ? four * pays[1]! : ways * pays[0]!;
            }
            const pearls = pearl[0]![a]! + pearl[1]![b]! + pearl[2]![c]! + pearl[3]![d]! + pearl[4]![e]!;
            (pearls >= WAYS.pearls ? giving : plain)[pay / UNIT]! += 1;
          }
      }
  }
  return { all: r1 * r2 * r3 * r4 * r5, plain: counted(plain), giving: counted(giving) };
}

/** Pay of one line by its five symbols, in hundredths of the stake, as a table over base-10 numbers. */
function linePays(): Uint16Array {
  const table = new Uint16Array(100_000);
  for (let code = 0; code < table.length; code++) {
    const line = String(code).padStart(5, '0').split('').map(Number);
    const symbol = line[0]!;
    if (symbol < 2) continue;
    const stop = line.findIndex((shown) => shown !== symbol && shown !== 0);
    const reels = stop < 0 ? 5 : stop;
    if (reels >= 3) table[code] = LINE_PAYS[symbol]![reels - 3]! * LINE_TIMES;
  }
  return table;
}

const LINE_PAY = linePays();

/** Pay of the lines at five stops, in hundredths of the stake. */
export function linesPayAt(stops: readonly number[], free: boolean): number {
  const shown = LINES_STRIPS.map((strip, reel) => (free && reel === 2 ? [0, 0, 0] : window(strip, stops[reel]!)));
  return LINES.reduce((sum, line) => sum + LINE_PAY[Number(line.map((row, reel) => shown[reel]![row]).join(''))]!, 0);
}

/** With `free` the middle reel shows nothing but suns. */
export function linesSpins(free: boolean): Spins {
  const windows = LINES_STRIPS.map((strip, reel) =>
    free && reel === 2 ? [[0, 0, 0]] : strip.map((_, stop) => window(strip, stop)),
  );
  // For each stop of a reel: its part of the number of each line.
  const parts = windows.map((stops, reel) =>
    stops.map((shown) => Uint32Array.from(LINES, (line) => shown[line[reel]!]! * 10 ** (4 - reel))),
  );
  const basket = windows.map((stops) => stops.map((shown) => shown.includes(1)));
  const plain = counter();
  const giving = counter();
  const start = new Uint32Array(LINES.length);
  const [one, two, three, four, five] = parts as [
    Uint32Array[],
    Uint32Array[],
    Uint32Array[],
    Uint32Array[],
    Uint32Array[],
  ];
  for (let a = 0; a < one.length; a++)
    for (let b = 0; b < two.length; b++)
      for (let c = 0; c < three.length; c++) {
        const gave = !free && basket[0]![a]! && basket[2]![c]!;
        for (let d = 0; d < four.length; d++) {
          for (let i = 0; i < start.length; i++) start[i] = one[a]![i]! + two[b]![i]! + three[c]![i]! + four[d]![i]!;
          for (let e = 0; e < five.length; e++) {
            const last = five[e]!;
            let pay = 0;
            for (let i = 0; i < start.length; i++) pay += LINE_PAY[start[i]! + last[i]!]!;
            (gave && basket[4]![e]! ? giving : plain)[pay / UNIT]! += 1;
          }
        }
      }
  return { all: windows.reduce((all, reel) => all * reel.length, 1), plain: counted(plain), giving: counted(giving) };
}

/** Chances by pay, in steps of UNIT, everything from `cap` on gathered at `cap`. */
function spread(maps: readonly ReadonlyMap<number, number>[], all: number, times: number, cap: number): Float64Array {
  const chances = new Float64Array(cap / UNIT + 1);
  for (const map of maps) for (const [pay, count] of map) chances[Math.min(cap, pay * times) / UNIT]! += count / all;
  return chances;
}

function folded(x: Float64Array, y: Float64Array): Float64Array {
  const sum = new Float64Array(x.length);
  const last = x.length - 1;
  const filled = [...y.keys()].filter((j) => y[j]! > 0);
  for (let i = 0; i <= last; i++) {
    if (x[i] === 0) continue;
    for (const j of filled) sum[Math.min(last, i + j)]! += x[i]! * y[j]!;
  }
  return sum;
}

function exact(paid: Spins, free: Spins, rule: { spins: number; times: number; bonus: number; cap: number }): Exact {
  const mean = (map: ReadonlyMap<number, number>) => [...map].reduce((sum, [pay, count]) => sum + pay * count, 0);
  const freeMean = ((mean(free.plain) + mean(free.giving)) / free.all) * rule.times;
  const givingCount = [...paid.giving.values()].reduce((sum, count) => sum + count, 0);
  const uncapped =
    (mean(paid.plain) + mean(paid.giving) + givingCount * (rule.bonus + rule.spins * freeMean)) / paid.all;

  const one = spread([free.plain, free.giving], free.all, rule.times, rule.cap);
  let sums: Float64Array = spread([paid.giving], paid.all, 1, rule.cap);
  const shifted = new Float64Array(sums.length);
  sums.forEach((chance, i) => {
    shifted[Math.min(sums.length - 1, i + rule.bonus / UNIT)]! += chance;
  });
  sums = shifted;
  for (let i = 0; i < rule.spins; i++) sums = folded(sums, one);
  const total = spread([paid.plain], paid.all, 1, rule.cap);
  sums.forEach((chance, i) => {
    total[i]! += chance;
  });
  let first = 0;
  let second = 0;
  total.forEach((chance, i) => {
    const stakes = (i * UNIT) / 100;
    first += chance * stakes;
    second += chance * stakes * stakes;
  });
  return {
    ppm: first * 1_000_000,
    uncappedPpm: uncapped * 10_000,
    hitRate: 1 - total[0]!,
    freeRate: givingCount / paid.all,
    deviation: Math.sqrt(second - first * first),
    most: [
      Math.max(...paid.plain.keys(), ...paid.giving.keys()),
      Math.max(...free.plain.keys(), ...free.giving.keys()) * rule.times,
    ],
    capRate: total.at(-1)!,
  };
}

export function waysExact(): Exact {
  const spins = waysSpins();
  return exact(spins, spins, { spins: WAYS.freeSpins, times: WAYS.freeMultiplier, bonus: 0, cap: WAYS.maxTimes });
}

export function linesExact(): Exact {
  return exact(linesSpins(false), linesSpins(true), {
    spins: ORCHARD.freeSpins,
    times: 1,
    bonus: ORCHARD.basketTimes,
    cap: ORCHARD.maxTimes,
  });
}
