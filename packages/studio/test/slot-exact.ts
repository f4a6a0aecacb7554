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

const window = (strip: readonly number[], stop: number) => [0, 1, 2].map((next) => strip[(stop + next) % strip.length]!);
const add = (map: Map<number, number>, key: number, count: number) => map.set(key, (map.get(key) ?? 0) + count);

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
  const plain = new Map<number, number>();
  const giving = new Map<number, number>();
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
            add(pearls >= WAYS.pearls ? giving : plain, pay, 1);
          }
      }
  }
  return { all: r1 * r2 * r3 * r4 * r5, plain, giving };
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

/** With `free` the middle reel shows nothing but suns. */
export function linesSpins(free: boolean): Spins {
  const pays = linePays();
  const windows = LINES_STRIPS.map((strip, reel) =>
    free && reel === 2 ? [[0, 0, 0]] : strip.map((_, stop) => window(strip, stop)),
  );
  const plain = new Map<number, number>();
  const giving = new Map<number, number>();
  const start = new Uint32Array(LINES.length);
  for (const one of windows[0]!)
    for (const two of windows[1]!)
      for (const three of windows[2]!) {
        LINES.forEach((line, i) => {
          start[i] = one[line[0]!]! * 10_000 + two[line[1]!]! * 1000 + three[line[2]!]! * 100;
        });
        const gave = !free && one.includes(1) && three.includes(1);
        for (const four of windows[3]!)
          for (const five of windows[4]!) {
            let pay = 0;
            for (let i = 0; i < LINES.length; i++) {
              const line = LINES[i]!;
              pay += pays[start[i]! + four[line[3]!]! * 10 + five[line[4]!]!]!;
            }
            add(gave && five.includes(1) ? giving : plain, pay, 1);
          }
      }
  return { all: windows.reduce((all, reel) => all * reel.length, 1), plain, giving };
}

/** Chances by pay, in steps of `unit`, everything from `cap` on gathered at `cap`. */
function spread(maps: readonly ReadonlyMap<number, number>[], all: number, times: number, unit: number, cap: number) {
  const chances = new Float64Array(cap / unit + 1);
  for (const map of maps)
    for (const [pay, count] of map) chances[Math.min(cap, pay * times) / unit]! += count / all;
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

function exact(paid: Spins, free: Spins, rule: { spins: number; times: number; bonus: number; cap: number }, unit: number): Exact {
  const mean = (map: ReadonlyMap<number, number>) => [...map].reduce((sum, [pay, count]) => sum + pay * count, 0);
  const freeMean = ((mean(free.plain) + mean(free.giving)) / free.all) * rule.times;
  const givingCount = [...paid.giving.values()].reduce((sum, count) => sum + count, 0);
  const uncapped =
    (mean(paid.plain) + mean(paid.giving) + givingCount * (rule.bonus + rule.spins * freeMean)) / paid.all;

  const one = spread([free.plain, free.giving], free.all, rule.times, unit, rule.cap);
  let sums = spread([paid.giving], paid.all, 1, unit, rule.cap);
  const shifted = new Float64Array(sums.length);
  sums.forEach((chance, i) => {
    shifted[Math.min(sums.length - 1, i + rule.bonus / unit)]! += chance;
  });
  sums = shifted;
  for (let i = 0; i < rule.spins; i++) sums = folded(sums, one);
  const total = spread([paid.plain], paid.all, 1, unit, rule.cap);
  sums.forEach((chance, i) => {
    total[i]! += chance;
  });
  let first = 0;
  let second = 0;
  total.forEach((chance, i) => {
    const stakes = (i * unit) / 100;
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
  return exact(
    spins,
    spins,
    { spins: WAYS.freeSpins, times: WAYS.freeMultiplier, bonus: 0, cap: WAYS.maxTimes },
    5,
  );
}

export function linesExact(): Exact {
  return exact(
    linesSpins(false),
    linesSpins(true),
    { spins: ORCHARD.freeSpins, times: 1, bonus: ORCHARD.basketTimes, cap: ORCHARD.maxTimes },
    5,
  );
}
