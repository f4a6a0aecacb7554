/**
 * The price of one runner over time as candles: a span of time with its first, highest, lowest and last price and what was
 * matched in it. Spans in which nothing changed have none. Bounded: the last hour in short spans, the whole life of the market
 * in spans that grow twice as long whenever they are too many.
 */

/** When the span begins (ms), first, highest, lowest and last price (hundredths), matched in it (minor units). */
export type Candle = [at: number, open: number, high: number, low: number, close: number, matchedMinor: number];

export const SHORT_MS = 20_000;
const HOUR_MS = 3_600_000;
export const MOST_LONG = 120;

export interface Candles {
  /** A price that is on offer, or at which `sizeMinor` was matched. Answers whether it changed anything. */
  take(at: number, price: number, sizeMinor?: number): boolean;
  /** The last hour before `now` in short spans; what is older in long ones. */
  hour(now: number): Candle[];
  /** All of it, in long spans. */
  all(): Candle[];
  /** How long the long spans are. */
  longMs(): number;
  /** What was kept of it before, oldest first, comes before what is known already. */
  before(kept: readonly Candle[], stepMs: number): void;
}

export function createCandles(): Candles {
  const short: Candle[] = [];
  let long: Candle[] = [];
  let stepMs = SHORT_MS;

  const grow = (): void => {
    while (long.length > MOST_LONG) {
      stepMs *= 2;
      long = joined(long, stepMs);
    }
  };

  return {
    take(at, price, sizeMinor = 0) {
      if (sizeMinor === 0 && short.at(-1)?.[4] === price) return false;
      put(short, beginOf(at, SHORT_MS), price, sizeMinor);
      while (short[0]![0] < at - HOUR_MS) short.shift();
      put(long, beginOf(at, stepMs), price, sizeMinor);
      grow();
      return true;
    },
    hour(now) {
      const recent = short.filter(([at]) => at >= now - HOUR_MS);
      // What stood when the hour began, and what a new start of the server has in long spans only.
      const edge = recent[0]?.[0] ?? Number.POSITIVE_INFINITY;
      const older = long.filter(([at]) => at < edge);
      const from = Math.max(
        0,
        older.findLastIndex(([at]) => at <= now - HOUR_MS),
      );
      return [...older.slice(from), ...recent];
    },
    all: () => [...long],
    longMs: () => stepMs,
    before(kept, keptMs) {
      const first = long[0]?.[0] ?? Number.POSITIVE_INFINITY;
      stepMs = Math.max(stepMs, keptMs);
      long = joined([...kept.filter(([at]) => at < first), ...long], stepMs);
      grow();
    },
  };
}

const beginOf = (at: number, stepMs: number): number => at - (at % stepMs);

/** Into the span that begins then, or a new one; a moment before the last span (a clock set back) counts as the last. */
function put(candles: Candle[], at: number, price: number, sizeMinor: number): void {
  const last = candles.at(-1);
  if (!last || last[0] < at) {
    candles.push([at, price, price, price, price, sizeMinor]);
    return;
  }
  last[2] = Math.max(last[2], price);
  last[3] = Math.min(last[3], price);
  last[4] = price;
  last[5] += sizeMinor;
}

/** The same in longer spans. */
export function joined(candles: readonly Candle[], stepMs: number): Candle[] {
  const made: Candle[] = [];
  for (const [at, open, high, low, close, matched] of candles) {
    const begin = beginOf(at, stepMs);
    const last = made.at(-1);
    if (last?.[0] !== begin) {
      made.push([begin, open, high, low, close, matched]);
      continue;
    }
    last[2] = Math.max(last[2], high);
    last[3] = Math.min(last[3], low);
    last[4] = close;
    last[5] += matched;
  }
  return made;
}

/** Each number as what it differs by, so that a row is short. */
export function packed(candles: readonly Candle[], stepMs: number): number[] {
  let before = 0;
  let price = 0;
  return candles.flatMap(([at, open, high, low, close, matched]) => {
    const step = at / stepMs;
    const one = [step - before, open - price, high - open, open - low, close - open, matched];
    before = step;
    price = close;
    return one;
  });
}

export function unpacked(numbers: readonly number[], stepMs: number): Candle[] {
  const candles: Candle[] = [];
  let at = 0;
  let price = 0;
  for (let i = 0; i + 5 < numbers.length; i += 6) {
    at += numbers[i]!;
    const open = price + numbers[i + 1]!;
    price = open + numbers[i + 4]!;
    candles.push([at * stepMs, open, open + numbers[i + 2]!, open - numbers[i + 3]!, price, numbers[i + 5]!]);
  }
  return candles;
}
