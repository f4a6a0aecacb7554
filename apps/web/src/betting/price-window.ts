import type { PlacedBet } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { say, type Words } from '../platform/language.ts';
import { named } from '../platform/named.ts';
import type { ChartMark } from '../ui/chart-marks.tsx';
import { isDeleted, oddsOf } from './bet-state.ts';
import { sideOf } from './positions.ts';
import type { Range } from './price-room.tsx';
import type { Candle, Mark, RunnerHistory } from './use-price-history.ts';

/** What part of the time a price chart shows, and what of the history lies in it. */

const SPAN_MS: Record<Range, number> = { '15m': 900_000, '1h': 3_600_000, all: Number.POSITIVE_INFINITY };
const SHORT_MS = 20_000;
/** Halvings of the whole; below them there is nothing finer to see. */
const MOST_ZOOM = 8;
/** A part that was zoomed in to is never shorter. */
const LEAST_MS = 60_000;

export interface Zoom {
  /** Halvings of the time that the range has. */
  times: number;
  /** Where it ends; null goes on with the time. */
  end: number | null;
}
export const WHOLE: Zoom = { times: 0, end: null };

export interface Window {
  from: number;
  until: number;
  /** Ends of the time there is anything for. */
  first: number;
  last: number;
}

export function windowOf(range: Range, zoom: Zoom, first: number, last: number): Window {
  const start = Math.min(last - LEAST_MS, Math.max(first, last - SPAN_MS[range]));
  const length = Math.max(LEAST_MS, (last - start) / 2 ** zoom.times);
  const until = Math.min(last, Math.max(start + length, zoom.end ?? last));
  return { from: until - length, until, first: start, last };
}

/** A quarter of what is shown earlier or later; at the end it goes on with the time again. */
export function moved({ from, until, last }: Window, zoom: Zoom, direction: 1 | -1): Zoom {
  const end = until + (direction * (until - from)) / 4;
  return { ...zoom, end: end >= last ? null : end };
}

/** Whether there is something nearer to see. */
export const isDivisible = ({ from, until }: Window, { times }: Zoom): boolean =>
  times < MOST_ZOOM && until - from > LEAST_MS;

/** Twice as near or as far; what is `part` of the way from the start to the end stays where it is. */
export function zoomed(window: Window, zoom: Zoom, by: 1 | -1, part = 1): Zoom {
  // Presses that show nothing nearer would have to be pressed back.
  if (by > 0 && !isDivisible(window, zoom)) return zoom;
  const { from, until, first, last } = window;
  const times = Math.max(0, zoom.times + by);
  const length = Math.max(LEAST_MS, (last - first) / 2 ** times);
  const end = from + part * (until - from) + (1 - part) * length;
  return { times, end: times === 0 || end >= last ? null : end };
}

/** With the price of now at its end, where the last reading is older. */
export function withTail(candles: readonly Candle[], [at, price]: readonly [number, number]): readonly Candle[] {
  const last = candles.at(-1);
  if (price === 0 || last?.[4] === price) return candles;
  if (!last || at >= last[0] + SHORT_MS) return [...candles, [at - (at % SHORT_MS), price, price, price, price, 0]];
  const [begin, open, high, low, , matched] = last;
  return [...candles.slice(0, -1), [begin, open, Math.max(high, price), Math.min(low, price), price, matched]];
}

/** The candles that lie in a time; for a line also the one that stood when it began. */
export function within(candles: readonly Candle[], { from, until }: Window, stood: boolean): Candle[] {
  const inside = candles.filter(([at]) => at >= from && at <= until);
  const before = stood ? candles.findLast(([at]) => at < from) : undefined;
  return before ? [[from, before[4], before[4], before[4], before[4], 0], ...inside] : inside;
}

/** Money matched in each part of a time, over the runners given. */
export function sums(runners: readonly RunnerHistory[], { from, until }: Window, parts: number): number[] {
  const bars = Array<number>(parts).fill(0);
  for (const { candles } of runners)
    for (const [at, , , , , matched] of candles)
      if (at >= from && at <= until)
        bars[Math.min(parts - 1, Math.floor(((at - from) / (until - from || 1)) * parts))]! += matched;
  return bars;
}

/** What happened to the market, and the player's own bets on the runners shown. */
export function marksOf(
  marks: readonly Mark[],
  bets: readonly PlacedBet[],
  runnerIds: ReadonlySet<number>,
  { from, until }: Window,
): ChartMark[] {
  const own = bets
    .filter((bet) => runnerIds.has(bet.runnerId) && !isDeleted(bet) && (bet.matched > 0 || bet.remaining > 0))
    .map((bet): ChartMark => {
      const price = bet.oddsMatched || bet.odds;
      const side = sideOf(bet) === 'BACK' ? 'back' : 'lay';
      return { t: Date.parse(bet.createdAt), text: betWords(bet, side, oddsOf(bet, price)), v: price, side };
    });
  const told = marks.map(({ at, is, text }): ChartMark => {
    return { t: at, text: is !== 'inPlay' && text ? named(text) : say(WORDS[is]) };
  });
  return [...told, ...own].filter(({ t: at }) => at >= from && at <= until).sort((a, b) => a.t - b.t);
}

const WORDS: Record<Mark['is'], Words> = { inPlay: msg`In-play`, suspended: msg`Suspended`, closed: msg`Closed` };

function betWords({ teamName, matched }: PlacedBet, side: 'back' | 'lay', odds: string): string {
  const name = named(teamName);
  if (matched > 0) return side === 'back' ? t`Your back of ${name} at ${odds}` : t`Your lay of ${name} at ${odds}`;
  return side === 'back' ? t`Your back of ${name} at ${odds}, unmatched` : t`Your lay of ${name} at ${odds}, unmatched`;
}
