import { useState } from 'react';
import { serverNow } from '../platform/clock.ts';
import { formatOdds, formatTime, formatWhole } from '../platform/format.ts';
import { cx } from '../ui/cx.ts';
import { IconChartLine } from '../ui/icons.ts';
import { EmptyState } from '../ui/note.tsx';
import { StepChart } from '../ui/step-chart.tsx';
import { priceAxis } from './price-axis.ts';
import { type ChartOf, PriceFrame, type Range } from './price-room.tsx';
import { type RunnerHistory, usePriceHistory } from './use-price-history.ts';
import css from './betting.module.css';

const MS: Record<Range, number> = { '15m': 900_000, '1h': 3_600_000, all: Number.POSITIVE_INFINITY };

/** Bars of matched money below the prices. */
const BARS = 40;

/** Prices over time on the scale of the ladder, with the money matched below; each runner can be taken out of the picture. */
export function PriceHistory({ market, title }: ChartOf) {
  const [range, setRange] = useState<Range>('1h');
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const history = usePriceHistory(market);
  if (!market || history.length === 0) return null;
  const known = history.filter(({ points }) => points.length > 0);
  const last = Math.max(0, ...known.flatMap(({ points }) => points.map(([t]) => t)));
  const until = market.status === 'CLOSED' ? last : Math.max(last, serverNow());
  const from = Math.max(until - MS[range], Math.min(...known.flatMap(({ points }) => points.map(([t]) => t))));
  const shown = known.filter(({ runner }) => !hidden.has(runner.id));
  const prices = shown.map(({ points }) => within(points, from)).filter((points) => points.length > 0);
  const matched = sums(shown, from, until);
  const total = matched.reduce((sum, one) => sum + one, 0);
  const all = prices.flatMap((points) => points.map(([, price]) => price));
  return (
    <PriceFrame
      title={title}
      range={range}
      onRange={setRange}
      legend={<Legend runners={history} hidden={hidden} onChange={setHidden} />}
      {...(known.length > 0 ? { words: wordsOf(total) } : {})}
    >
      {known.length === 0 && history.every(({ come }) => come) && (
        <EmptyState icon={IconChartLine} title="No prices yet">
          The chart starts with the first prices on offer.
        </EmptyState>
      )}
      {all.length > 0 && (
        <StepChart
          series={shown.map(({ runner, points }) => ({
            name: runner.name,
            colour: ((history.findIndex((one) => one.runner.id === runner.id) % 4) + 1) as 1 | 2 | 3 | 4,
            points: within(points, from).map(([t, v]) => ({ t, v })),
          }))}
          axis={priceAxis(Math.min(...all), Math.max(...all))}
          bars={total > 0 ? matched : undefined}
          until={until}
          label={`Prices of ${market.name}: ${shown.map(({ runner, points }) => `${runner.name} ${formatOdds(points.at(-1)![1])}`).join(', ')}`}
          formatValue={(v) => formatOdds(Math.round(v))}
          formatTime={formatTime}
        />
      )}
    </PriceFrame>
  );
}

const wordsOf = (total: number): string =>
  total > 0
    ? `Matched ${formatWhole(total)} in this time. Prices are the last matched, or the best to back.`
    : 'Nothing matched in this time: prices are the best to back.';

type Known = RunnerHistory;
type Point = Known['points'][number];

/** Each has its place and colour from the start: a first price that comes later moves nothing. */
function Legend({
  runners,
  hidden,
  onChange,
}: {
  runners: readonly Known[];
  hidden: ReadonlySet<number>;
  onChange: (hidden: ReadonlySet<number>) => void;
}) {
  return (
    <fieldset className={cx(css.legend, 'fs-12 num')} aria-label="Runners shown">
      {runners.map(({ runner, points }, at) => {
        const on = !hidden.has(runner.id);
        return (
          <button
            key={runner.id}
            type="button"
            className={cx(css.line, css[`line${(at % 4) + 1}`])}
            aria-pressed={on}
            // The last one stays: a chart of nothing says nothing.
            disabled={on && runners.length - hidden.size === 1}
            onClick={() => {
              const next = new Set(hidden);
              if (on) next.add(runner.id);
              else next.delete(runner.id);
              onChange(next);
            }}
          >
            {runner.name} <b>{priceText(points)}</b>
          </button>
        );
      })}
    </fieldset>
  );
}

const priceText = (points: readonly Point[]): string => {
  const last = points.at(-1);
  return last ? formatOdds(last[1]) : '\u2013';
};

/** The prices from a time on; what stood then stands at its beginning. */
function within(points: readonly Point[], from: number): Point[] {
  const first = points.findLastIndex(([t]) => t <= from);
  const rest = points.slice(first + 1);
  const [, price, traded] = points[first] ?? [];
  return price === undefined ? rest : [[from, price, traded!], ...rest];
}

/** Money matched in each part of a time, over the runners given. */
function sums(runners: readonly Known[], from: number, until: number): number[] {
  const bars = Array<number>(BARS).fill(0);
  for (const { points } of runners)
    for (const [at, [t, , traded]] of points.entries()) {
      const before = points[at - 1];
      if (!before || t < from) continue;
      const bar = Math.min(BARS - 1, Math.floor(((t - from) / (until - from || 1)) * BARS));
      bars[bar]! += Math.max(0, traded - before[2]);
    }
  return bars;
}
