import { useRef } from 'react';
import { BARS, Bars, Candles, type ChartCandle, type ChartMark, Marks, WORDS } from './chart-marks.tsx';
import { Tip, useReading } from './chart-tip.tsx';
import { useWidth } from './use-width.ts';
import css from './chart.module.css';

export type ChartPoint = { t: number; v: number };
export type ChartSeries = { name: string; points: readonly ChartPoint[]; dashed?: boolean; colour?: 1 | 2 | 3 | 4 };

/** The upright scale: its ends, its lines, and where a value stands between them (in any unit). */
export interface ChartAxis {
  min: number;
  max: number;
  ticks: readonly number[];
  at: (v: number) => number;
}

const LEFT = 52;
const RIGHT = 14;
const TOP = 14;
const BOTTOM = 24;
const LEAST_WIDTH = 240;
/** Where in the time shown something stands on the screen: 0 its start, 1 its end, else beside it. */
export const partAt = ({ left, width }: DOMRect, clientX: number): number =>
  (((clientX - left) / (width || 1)) * Math.max(LEAST_WIDTH, width) - LEFT) /
  (Math.max(LEAST_WIDTH, width) - LEFT - RIGHT);
/** A mark is told by the tip from so near. */
const NEAR_PX = 8;

interface Props {
  series: readonly ChartSeries[];
  /** Sums of spans of time of one length each, from the first time shown to the last. */
  bars?: readonly number[] | undefined;
  /** In place of the line of the one series: its spans of time, each so long. */
  candles?: { of: readonly ChartCandle[]; stepMs: number } | undefined;
  /** What happened, drawn where it did. */
  marks?: readonly ChartMark[];
  /** By default a straight scale with round figures. */
  axis?: ChartAxis;
  /** The lines go on to this time. */
  until?: number;
  label: string;
  height?: number;
  formatValue: (v: number) => string;
  formatTime: (t: number) => string;
  /** Lines of the tip at a time; by default the time and each value. */
  tip?: (t: number) => readonly string[];
}

/**
 * Values over time in our own SVG: stepped lines, since a value stands until the next; a light fill under a single one, bars
 * of what came together (`bars`), a crosshair with `tip` under the pointer. Words for charts go into `label`.
 */
export function StepChart({
  series,
  bars,
  candles,
  marks,
  axis: given,
  until,
  label,
  height = 190,
  formatValue,
  formatTime,
  tip,
}: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, LEAST_WIDTH);
  const { part, handlers } = useReading(box, partAt);
  if (series.every(({ points }) => points.length === 0))
    return <div className={css.chartBox} ref={box} style={{ height }} />;
  const plot = plotOf(series, {
    axis: given,
    until,
    width,
    height,
    bars: bars !== undefined,
    words: marks !== undefined,
  });
  const { t0, t1, x, top } = plot;
  const hover = part === null ? null : t0 + part * (t1 - t0);
  return (
    <div className={css.chartBox} ref={box}>
      <svg
        className={css.chart}
        viewBox={`0 0 ${width} ${height}`}
        height={height}
        role="img"
        aria-label={label}
        {...handlers}
      >
        <Grid plot={plot} right={width - RIGHT} format={formatValue} />
        <Times t0={t0} t1={t1} x={x} y={height - 6} count={width < 480 ? 2 : 4} format={formatTime} />
        {bars && <Bars of={bars} left={LEFT} width={width - LEFT - RIGHT} bottom={height - BOTTOM} />}
        {candles ? (
          <Candles of={candles.of} place={plot} width={x(t0 + candles.stepMs) - x(t0)} />
        ) : (
          <Lines series={series} plot={plot} />
        )}
        {marks && <Marks of={marks} place={plot} top={top} bottom={height - BOTTOM} right={width - RIGHT} />}
        {hover !== null && <Cross at={hover} series={series} plot={plot} bottom={height - BOTTOM} />}
      </svg>
      {hover !== null && (
        <Tip
          at={x(hover)}
          width={width}
          top={top}
          lines={[
            ...(tip?.(hover) ?? [formatTime(hover), ...valuesAt(series, hover, formatValue)]),
            ...new Set(marks?.filter(({ t }) => Math.abs(x(t) - x(hover)) < NEAR_PX).map(({ text }) => text)),
          ]}
        />
      )}
    </div>
  );
}

/** Where a time and a value stand in the picture. */
function plotOf(
  series: readonly ChartSeries[],
  {
    axis: given,
    until,
    width,
    height,
    bars,
    words,
  }: {
    axis: ChartAxis | undefined;
    until: number | undefined;
    width: number;
    height: number;
    bars: boolean;
    words: boolean;
  },
) {
  const top = TOP + (words ? WORDS : 0);
  const all = series.flatMap((s) => s.points);
  const t0 = Math.min(...all.map((p) => p.t));
  const t1 = Math.max(...all.map((p) => p.t), until ?? 0, t0 + 1);
  const axis = given ?? straight(Math.min(...all.map((p) => p.v)), Math.max(...all.map((p) => p.v)));
  const floor = height - BOTTOM - (bars ? BARS : 0);
  const x = (t: number) => LEFT + ((t - t0) / (t1 - t0)) * (width - LEFT - RIGHT);
  const span = axis.at(axis.max) - axis.at(axis.min) || 1;
  const y = (v: number) => top + ((axis.at(axis.max) - axis.at(v)) / span) * (floor - top);
  const line = (points: readonly ChartPoint[]) =>
    `${points
      .map((p, i) => `${i === 0 ? `M${x(p.t).toFixed(1)} ` : `H${x(p.t).toFixed(1)}V`}${y(p.v).toFixed(1)}`)
      .join('')}H${x(until ?? points.at(-1)!.t).toFixed(1)}`;
  return { t0, t1, axis, top, floor, x, y, line };
}

type Plot = ReturnType<typeof plotOf>;

const colourOf = (series: readonly ChartSeries[], i: number): string =>
  series.length === 1 ? 'var(--t1)' : `var(--series-${series[i]!.colour ?? (i % 4) + 1})`;

function Grid({ plot: { axis, y }, right, format }: { plot: Plot; right: number; format: (v: number) => string }) {
  return axis.ticks.map((v) => (
    <g key={v}>
      <path className={v === 0 ? css.zero : css.grid} d={`M${LEFT} ${y(v).toFixed(1)}H${right}`} />
      <text x={LEFT - 8} y={y(v) + 4} textAnchor="end">
        {format(v)}
      </text>
    </g>
  ));
}

function Lines({ series, plot: { x, floor, line } }: { series: readonly ChartSeries[]; plot: Plot }) {
  const single = series.length === 1;
  return (
    <>
      {single && series[0]!.points.length > 1 && (
        <path className={css.area} d={`${line(series[0]!.points)}V${floor}H${x(series[0]!.points[0]!.t)}Z`} />
      )}
      {series.map((s, i) => (
        <path
          key={s.name}
          d={line(s.points)}
          fill="none"
          stroke={colourOf(series, i)}
          strokeWidth={single ? 1.5 : 1.8}
          strokeDasharray={s.dashed ? '5 3' : undefined}
          strokeLinejoin="round"
        />
      ))}
    </>
  );
}

/** The line under the pointer, with the values on it. */
function Cross({
  at,
  series,
  plot: { x, y, top },
  bottom,
}: {
  at: number;
  series: readonly ChartSeries[];
  plot: Plot;
  bottom: number;
}) {
  return (
    <>
      <path className={css.cross} d={`M${x(at)} ${top}V${bottom}`} />
      {series.map((s, i) => {
        const v = valueAt(s.points, at);
        return (
          v !== null && (
            <circle
              key={s.name}
              cx={x(at)}
              cy={y(v)}
              r="3.5"
              fill="var(--s1)"
              stroke={colourOf(series, i)}
              strokeWidth="1.6"
            />
          )
        );
      })}
    </>
  );
}

const valuesAt = (series: readonly ChartSeries[], t: number, format: (v: number) => string): string[] =>
  series.flatMap(({ name, points }) => {
    const v = valueAt(points, t);
    return v === null ? [] : [`${series.length === 1 ? '' : `${name} `}${format(v)}`];
  });

function Times({
  t0,
  t1,
  x,
  y,
  count,
  format,
}: {
  t0: number;
  t1: number;
  x: (t: number) => number;
  y: number;
  count: number;
  format: (t: number) => string;
}) {
  const times = Array.from({ length: count + 1 }, (_, i) => t0 + ((t1 - t0) * i) / count);
  return times.map((t, i) => (
    <text key={t} x={x(t)} y={y} textAnchor={i === 0 ? 'start' : i === count ? 'end' : 'middle'}>
      {i > 0 && format(t) === format(times[i - 1]!) ? '' : format(t)}
    </text>
  ));
}

function straight(min: number, max: number): ChartAxis {
  const ticks = niceTicks(min, max);
  return { min: ticks[0]!, max: ticks.at(-1)!, ticks, at: (v) => v };
}

/** Four or five round values that hold the range. */
export function niceTicks(min: number, max: number): number[] {
  const span = max - min || Math.abs(max) || 1;
  const raw = span / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const unit = [1, 2, 2.5, 5, 10].find((m) => m * power >= raw)! * power;
  const from = Math.floor(min / unit);
  const to = Math.max(Math.ceil(max / unit), from + 1);
  return Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * unit).toPrecision(12)));
}

/** The value that stands at a time; null before the first. */
function valueAt(points: readonly ChartPoint[], t: number): number | null {
  let found: number | null = null;
  for (const p of points) {
    if (p.t > t) break;
    found = p.v;
  }
  return found;
}
