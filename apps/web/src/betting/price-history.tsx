import { CALLS, eq, type MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useCall } from '../api/api.ts';
import { serverNow } from '../platform/clock.ts';
import { formatOdds, formatShortDay, formatTime, formatWhole, listed } from '../platform/format.ts';
import { named } from '../platform/named.ts';
import type { ChartMark } from '../ui/chart-marks.tsx';
import { IconChartLine } from '../ui/icons.ts';
import { EmptyState, ErrorNote } from '../ui/note.tsx';
import { StepChart } from '../ui/step-chart.tsx';
import { DepthChart } from './depth-chart.tsx';
import { priceAxis } from './price-axis.ts';
import { Legend } from './price-legend.tsx';
import { type ChartOf, PriceFrame, type Range } from './price-room.tsx';
import { PriceTable } from './price-table.tsx';
import { ToolRow, type View } from './price-tools.tsx';
import {
  isDivisible,
  marksOf,
  moved,
  sums,
  WHOLE,
  type Window,
  windowOf,
  within,
  withTail,
  type Zoom,
  zoomed,
} from './price-window.ts';
import { Tape } from './tape.tsx';
import { type Candle, type RunnerHistory, usePriceHistory } from './use-price-history.ts';
import { usePricesNow } from './use-prices-now.ts';
import { Zoomed } from './zoomed.tsx';

/** Bars of matched money below the prices. */
const BARS = 40;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Prices over time on the scale of the ladder, with the money matched below, as lines of all runners or candles of one; the depth of its
 * book; or the same as a table. Beside it the last trades.
 */
export function PriceHistory({ market, title }: ChartOf) {
  if (market?.kind !== 'book') return null;
  return <Charted key={market.id} market={market} title={title} />;
}

function Charted({ market, title }: { market: MarketImage; title: string | undefined }) {
  const [range, setRange] = useState<Range>('1h');
  const [view, setView] = useState<View>('line');
  const [zoom, setZoom] = useState<Zoom>(WHOLE);
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const [chosen, setChosen] = useState(0);
  const [more, setMore] = useState<readonly number[]>([]);
  const { known, retry, runners, marks, bets, window } = useKnown(market, range, zoom, more);
  if (runners.length === 0) return null;
  const one = runners.find(({ runner }) => runner.id === chosen) ?? runners[0]!;
  const alone = view !== 'line';
  const shown = (alone ? [one] : runners.filter(({ runner }) => !hidden.has(runner.id))).filter(
    ({ candles }) => candles.length > 0,
  );
  const matched = sums(shown, window, BARS);
  const total = matched.reduce((sum, part) => sum + part, 0);
  const drawn = { market, window, marks, bets, matched: total > 0 ? matched : undefined };
  return (
    <PriceFrame
      title={title}
      range={range}
      onRange={(next) => {
        setRange(next);
        setZoom(WHOLE);
      }}
      tools={
        <ToolRow
          view={view}
          onView={setView}
          onZoom={(by) => setZoom(zoomed(window, zoom, by))}
          canZoomIn={known && isDivisible(window, zoom)}
          canZoomOut={zoom.times > 0}
          onMove={(direction) => setZoom(moved(window, zoom, direction))}
          window={window}
        />
      }
      legend={
        <Legend
          runners={runners}
          field={market.runners}
          hidden={hidden}
          one={alone ? one.runner.id : null}
          onHide={setHidden}
          onOne={setChosen}
          onMore={(id) => {
            setMore([...more, id]);
            setChosen(id);
          }}
        />
      }
      {...(known ? { words: wordsOf(total) } : {})}
      tape={<Tape market={market} />}
    >
      {!known && runners.every(({ come }) => come) && view !== 'depth' && <NoPrices retry={retry} />}
      {view === 'depth' ? (
        <DepthChart marketId={market.id} runnerId={one.runner.id} name={named(one.runner.name)} />
      ) : (
        known && (
          <Zoomed
            label={title ?? t`Price history`}
            onZoom={(by, part) => setZoom(by === 0 ? WHOLE : zoomed(window, zoom, by, part))}
            onMove={(direction) => setZoom(moved(window, zoom, direction))}
          >
            <Drawn {...drawn} view={view} shown={shown} all={runners} />
          </Zoomed>
        )
      )}
    </PriceFrame>
  );
}

/** `retry`: that is not the market's doing, they could not be read. */
const NoPrices = ({ retry }: { retry: (() => void) | null }) =>
  retry ? (
    <ErrorNote title={t`The prices did not load.`} onRetry={retry} />
  ) : (
    <EmptyState icon={IconChartLine} title={t`No prices yet`}>
      {t`The chart starts with the first prices on offer.`}
    </EmptyState>
  );

/** What is known of the time that is shown: of the last hour in short spans, of what is older in long ones. */
function useKnown(market: MarketImage, range: Range, zoom: Zoom, more: readonly number[]) {
  const hour = usePriceHistory(market, 'hour', more);
  const whole = usePriceHistory(range === 'all' ? market : undefined, 'all', more);
  const { data } = useCall(CALLS.bets.list, { query: { betId: eq(market.id), limit: '100' } }, { keep: true });
  const bets = data?.rows ?? [];
  const over = market.status === 'CLOSED';
  const now = usePricesNow(
    market.id,
    hour.runners.map(({ runner }) => runner.id),
  );
  const begins = (range === 'all' ? whole : hour).runners.flatMap(({ candles }) => candles[0]?.[0] ?? []);
  const ends = hour.runners.flatMap(({ candles }) => candles.at(-1)?.[0] ?? []);
  const known = begins.length > 0;
  // A bet of this moment is in the picture by itself: where no price moves nothing else draws it anew for a quarter of a minute.
  const last = over ? Math.max(0, ...ends) : Math.max(serverNow(), ...bets.map((bet) => Date.parse(bet.createdAt)));
  const window = windowOf(range, zoom, known ? Math.min(...begins) : last, last);
  const fine = range !== 'all' || window.from >= last - HOUR_MS;
  const { runners } = fine ? hour : whole;
  return {
    known,
    retry: (range === 'all' ? whole : hour).retry,
    window,
    marks: hour.marks,
    bets,
    runners: over
      ? runners
      : runners.map((one, at) => ({ ...one, candles: withTail(one.candles, now[at] ?? [last, 0]) })),
  };
}

interface DrawnProps {
  market: MarketImage;
  window: Window;
  marks: Parameters<typeof marksOf>[0];
  bets: Parameters<typeof marksOf>[1];
  matched: number[] | undefined;
  view: Exclude<View, 'depth'>;
  shown: readonly RunnerHistory[];
  /** The same and those taken out: a runner keeps its colour. */
  all: readonly RunnerHistory[];
}

function Drawn({ market, window, marks: told, bets, matched, view, shown, all }: DrawnProps) {
  const long = window.until - window.from > DAY_MS;
  const formatAt = (at: number): string => (long ? `${formatShortDay(at)} ${formatTime(at)}` : formatTime(at));
  const marks: ChartMark[] = marksOf(told, bets, new Set(shown.map(({ runner }) => runner.id)), window);
  const parts = shown.map((one) => ({ ...one, candles: within(one.candles, window, view === 'line') }));
  const seen = parts.flatMap(({ candles }) => candles);
  const [first] = parts;
  if (!first || seen.length === 0) return <p className="t3 fs-12">{t`No price changed in this time.`}</p>;
  if (view === 'table')
    return <PriceTable name={named(first.runner.name)} candles={first.candles} marks={marks} formatTime={formatAt} />;
  const prices = [...seen.flatMap(([, , high, low]) => [high, low]), ...marks.flatMap(({ v }) => v ?? [])];
  return (
    <StepChart
      series={parts
        .filter(({ candles }) => candles.length > 0)
        .map(({ runner, candles }) => ({
          name: named(runner.name),
          colour: ((all.findIndex((one) => one.runner.id === runner.id) % 4) + 1) as 1 | 2 | 3 | 4,
          points: pointsOf(candles),
        }))}
      candles={view === 'candles' ? { of: first.candles.map(candleOf), stepMs: first.stepMs } : undefined}
      marks={marks}
      axis={priceAxis(Math.min(...prices), Math.max(...prices))}
      bars={matched}
      until={window.until}
      label={t`Prices of ${{ market: named(market.name) }}: ${{ prices: listed(...parts.map(priceWords)) }}`}
      formatValue={(v) => formatOdds(Math.round(v))}
      formatTime={formatAt}
      {...(view === 'candles' ? { tip: (at: number) => candleLines(first, at, formatAt) } : {})}
    />
  );
}

/** What the tip says of the candle at a time. */
function candleLines({ candles, stepMs }: RunnerHistory, at: number, format: (at: number) => string): string[] {
  const candle = candles.findLast(([from]) => from <= at);
  if (!candle || at >= candle[0] + stepMs) return [format(at)];
  const [from, , , , , sum] = candle;
  const [open, high, low, close] = candle.slice(1, 5).map((price) => formatOdds(price)) as [
    string,
    string,
    string,
    string,
  ];
  return [
    format(from),
    t`First ${open}, last ${close}`,
    t`High ${high}, low ${low}`,
    ...(sum > 0 ? [t`Matched ${{ amount: formatWhole(sum) }}`] : []),
  ];
}

const priceWords = ({ runner, candles }: RunnerHistory): string =>
  `${named(runner.name)} ${formatOdds(candles.at(-1)![4])}`;
const pointsOf = (candles: readonly Candle[]) => candles.map(([at, , , , v]) => ({ t: at, v }));
const candleOf = ([at, open, high, low, close]: Candle) => ({ t: at, open, high, low, close });

const wordsOf = (total: number): string =>
  total > 0
    ? t`Matched ${{ money: formatWhole(total) }} in this time. Prices are the last matched, or the best to back.`
    : t`Nothing matched in this time: prices are the best to back.`;
