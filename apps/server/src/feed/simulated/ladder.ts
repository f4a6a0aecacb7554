/**
 * From a fair probability to what the house shows: three or more levels on the 350-tick ladder, a decimal pair, a rate
 * per 100, a pair of lines. Backs are always under fair and lays over it, so the backs of a whole field add up to a
 * little more than 100 %.
 */
import { LADDER, MAX_ODDS, MIN_ODDS, tickAtOrAbove, tickAtOrBelow, tickIndex } from '@fairgame/contract';
import type { Quote } from '@fairgame/exchange';
import { type Rng, uniform } from './rng.ts';

type Levels = Array<[number, number]>;
export interface RunnerBook {
  backable: Levels;
  layable: Levels;
}

const DEPTH = 4;
/** Under this a runner has no offers at all: it cannot win any more, or nearly so. */
const HOPELESS = 0.0003;

/**
 * Best back and lay around a fair probability, hundredths; 0 where there is none. The margin is a step in log-odds, so
 * it is small on a near certainty and larger on an outsider; at evens it is that share of the price.
 */
export function bestPrices(p: number, margin: number): { back: number; lay: number } {
  if (p < HOPELESS) return { back: 0, lay: 0 };
  const step = Math.exp(2 * margin);
  const under = 100 * (1 + (1 - p) / (p * step));
  const over = 100 * (1 + ((1 - p) * step) / p);
  return { back: under < MIN_ODDS ? 0 : tickAtOrBelow(under), lay: over > MAX_ODDS ? 0 : tickAtOrAbove(over) };
}

/** Levels for one runner. `depthMinor` is the stake at the best price of an even-money runner. */
export function runnerBook(r: Rng, best: { back: number; lay: number }, depthMinor: number): RunnerBook {
  const book: RunnerBook = { backable: [], layable: [] };
  const back = tickIndex(best.back);
  for (let i = 0; best.back > 0 && i < DEPTH && back - i >= 0; i++) {
    book.backable.push([LADDER[back - i]!, levelSize(r, LADDER[back - i]!, i, depthMinor)]);
  }
  const lay = tickIndex(best.lay);
  for (let i = 0; best.lay > 0 && i < DEPTH && lay + i < LADDER.length; i++) {
    book.layable.push([LADDER[lay + i]!, levelSize(r, LADDER[lay + i]!, i, depthMinor)]);
  }
  return book;
}

/** Stake offered at a level in minor units: 200.00 to 50,000.00, less at long odds, a little more behind the best. */
export function levelSize(r: Rng, price: number, level: number, depthMinor: number): number {
  const long = Math.min(1, (200 / price) ** 0.7);
  const size = depthMinor * long * (1 + 0.25 * level) * (0.45 + 1.1 * uniform(r) ** 1.5);
  return Math.round(Math.min(5_000_000, Math.max(20_000, size)) / 100) * 100;
}

/** Decimal back and lay of a yes/no or number quote; null where out of the ladder. */
export function decimalQuotes(p: number, margin: number, sizeMinor: number): { back: Quote | null; lay: Quote | null } {
  const { back, lay } = bestPrices(p, margin);
  return { back: back > 0 ? { price: back, sizeMinor } : null, lay: lay > 0 ? { price: lay, sizeMinor } : null };
}

/** Rates per 100 of a bookmaker row: back under fair, lay over it. Rates over 900 are not quoted. */
export function rateQuotes(p: number, margin: number, sizeMinor: number): { back: Quote | null; lay: Quote | null } {
  const fair = (100 * (1 - p)) / p;
  const back = Math.floor(fair * (1 - margin));
  const lay = Math.max(back + 1, Math.ceil(fair * (1 + margin)));
  return {
    back: p < 0.985 && back >= 1 && back <= 900 ? { price: back, sizeMinor } : null,
    lay: p < 0.985 && lay <= 900 ? { price: lay, sizeMinor } : null,
  };
}

/**
 * The No and Yes of a session. `atLeast(n)` is the chance of n or more, falling in n. Two lines at 100 where the number
 * is fine-grained, one line at two rates where it is coarse ("one line with 110/90", exchange reference 12.1). Null
 * when nothing is left to guess.
 */
export function lineQuotes(
  atLeast: (n: number) => number,
  low: number,
  high: number,
  sizeMinor: number,
): { yes: Quote; no: Quote } | null {
  if (high <= low) return null;
  // The first n whose chance is 49 % or less is the Yes; the last n that No wins below with 49 % or less is the No.
  let yes = low + 1;
  while (yes < high && atLeast(yes) > 0.49) yes++;
  let no = yes;
  while (no > low && 1 - atLeast(no) > 0.49) no--;
  const over = atLeast(yes);
  if (no < yes && over > 0.42 && 1 - atLeast(no) > 0.42 && no > low) {
    return { yes: { price: 100, sizeMinor, line: yes }, no: { price: 100, sizeMinor, line: no } };
  }
  // Coarse: the line nearest to even money, with a rate for each side.
  const line = Math.abs(atLeast(yes) - 0.5) <= Math.abs(atLeast(Math.max(low + 1, yes - 1)) - 0.5) ? yes : yes - 1;
  const p = atLeast(Math.max(low + 1, line));
  if (p < 0.03 || p > 0.97) return null;
  const yesRate = Math.max(1, Math.floor(((1 - p) / p) * 96));
  const noRate = Math.max(yesRate + 1, Math.ceil(((1 - p) / p) * 104));
  const at = Math.max(low + 1, line);
  return { yes: { price: yesRate, sizeMinor, line: at }, no: { price: noRate, sizeMinor, line: at } };
}
