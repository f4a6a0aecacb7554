import { type PointerEvent, useEffect, useRef, useState } from 'react';

export type ChartPoint = { t: number; v: number };
export type ChartSeries = { name: string; points: readonly ChartPoint[]; dashed?: boolean };
export type ChartMark = { t: number; text: string; strong?: boolean };

const LEFT = 52;
const RIGHT = 14;
const TOP = 14;
const BOTTOM = 24;
const COLOURS = ['var(--series-1)', 'var(--series-2)', 'var(--series-3)', 'var(--series-4)'];

/**
 * Values over time in our own SVG: a stepped line with a light fill for a balance (`step`), plain lines for prices; a
 * crosshair with `tip` under the pointer. Words for charts go into `label`, the table below holds the figures.
 */
export function StepChart({
  series,
  marks = [],
  label,
  height = 190,
  step = true,
  formatValue,
  formatTime,
  tip,
}: {
  series: readonly ChartSeries[];
  marks?: readonly ChartMark[];
  label: string;
  height?: number;
  step?: boolean;
  formatValue: (v: number) => string;
  formatTime: (t: number) => string;
  /** Lines of the tip at a time; by default the time and each value. */
  tip?: (t: number) => readonly string[];
}) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  const [hover, setHover] = useState<number | null>(null);
  useEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(240, Math.round(entry.contentRect.width)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const all = series.flatMap((s) => s.points);
  if (all.length === 0) return <div className="chart-box" ref={box} style={{ height }} />;
  const t0 = Math.min(...all.map((p) => p.t));
  const t1 = Math.max(...all.map((p) => p.t), t0 + 1);
  const ticks = niceTicks(Math.min(...all.map((p) => p.v)), Math.max(...all.map((p) => p.v)));
  const v0 = ticks[0]!;
  const v1 = ticks.at(-1)!;
  const x = (t: number) => LEFT + ((t - t0) / (t1 - t0)) * (width - LEFT - RIGHT);
  const y = (v: number) => TOP + ((v1 - v) / (v1 - v0 || 1)) * (height - TOP - BOTTOM);
  const line = (points: readonly ChartPoint[]) =>
    points
      .map((p, i) =>
        i === 0
          ? `M${x(p.t).toFixed(1)} ${y(p.v).toFixed(1)}`
          : `${step ? `H${x(p.t).toFixed(1)}V` : `L${x(p.t).toFixed(1)} `}${y(p.v).toFixed(1)}`,
      )
      .join('');
  const single = series.length === 1;
  const colour = (i: number) => (single ? 'var(--t1)' : COLOURS[i % COLOURS.length]!);
  const steps = width < 480 ? 2 : 4;
  const times = Array.from({ length: steps + 1 }, (_, i) => t0 + ((t1 - t0) * i) / steps);

  const onMove = (event: PointerEvent<SVGSVGElement>) => {
    const rect = event.currentTarget.getBoundingClientRect();
    const px = ((event.clientX - rect.left) / rect.width) * width;
    setHover(px < LEFT || px > width - RIGHT ? null : t0 + ((px - LEFT) / (width - LEFT - RIGHT)) * (t1 - t0));
  };
  const values = hover === null ? [] : series.map((s) => valueAt(s.points, hover));
  const lines =
    hover === null
      ? []
      : (tip?.(hover) ?? [
          formatTime(hover),
          ...series.map((s, i) => `${single ? '' : `${s.name} `}${formatValue(values[i] ?? 0)}`),
        ]);

  return (
    <div className="chart-box" ref={box}>
      <svg
        className="chart"
        viewBox={`0 0 ${width} ${height}`}
        height={height}
        role="img"
        aria-label={label}
        onPointerMove={onMove}
        onPointerLeave={() => setHover(null)}
      >
        {ticks.map((v) => (
          <g key={v}>
            <path className={v === 0 ? 'zero' : 'grid'} d={`M${LEFT} ${y(v).toFixed(1)}H${width - RIGHT}`} />
            <text x={LEFT - 8} y={y(v) + 4} textAnchor="end">
              {formatValue(v)}
            </text>
          </g>
        ))}
        {times.map((t, i) => (
          <text
            key={t}
            x={x(t)}
            y={height - 6}
            textAnchor={i === 0 ? 'start' : i === times.length - 1 ? 'end' : 'middle'}
          >
            {i > 0 && formatTime(t) === formatTime(times[i - 1]!) ? '' : formatTime(t)}
          </text>
        ))}
        {marks.map((mark) => (
          <g key={`${mark.t}${mark.text}`} className={mark.strong ? 'mark mark--strong' : 'mark'}>
            <path d={`M${x(mark.t)} ${TOP}V${height - BOTTOM}`} />
            <circle cx={x(mark.t)} cy={TOP} r="8" />
            <text x={x(mark.t)} y={TOP + 4} textAnchor="middle">
              {mark.text}
            </text>
          </g>
        ))}
        {step && single && series[0]!.points.length > 1 && (
          <path className="area" d={`${line(series[0]!.points)}V${y(v0)}H${x(series[0]!.points[0]!.t)}Z`} />
        )}
        {series.map((s, i) => (
          <path
            key={s.name}
            d={line(s.points)}
            fill="none"
            stroke={colour(i)}
            strokeWidth={single ? 1.5 : 1.8}
            strokeDasharray={s.dashed ? '5 3' : undefined}
            strokeLinejoin="round"
          />
        ))}
        {hover !== null && (
          <>
            <path className="cross" d={`M${x(hover)} ${TOP}V${height - BOTTOM}`} />
            {values.map(
              (v, i) =>
                v !== null && (
                  <circle
                    key={series[i]!.name}
                    cx={x(hover)}
                    cy={y(v)}
                    r="3.5"
                    fill="var(--s1)"
                    stroke={colour(i)}
                    strokeWidth="1.6"
                  />
                ),
            )}
          </>
        )}
      </svg>
      {hover !== null && (
        <div
          className="chart__tip num"
          style={x(hover) > width / 2 ? { right: width - x(hover) + 10, top: TOP } : { left: x(hover) + 10, top: TOP }}
        >
          {lines.map((text, i) =>
            i === 0 ? (
              <div className="t3" key={text}>
                {text}
              </div>
            ) : (
              <b key={text}>{text} </b>
            ),
          )}
        </div>
      )}
    </div>
  );
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

function valueAt(points: readonly ChartPoint[], t: number): number | null {
  let found: number | null = null;
  for (const p of points) {
    if (p.t > t) break;
    found = p.v;
  }
  return found ?? points[0]?.v ?? null;
}
