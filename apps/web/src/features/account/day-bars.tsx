import { t } from '@lingui/core/macro';
import { useRef } from 'react';
import { dayText, formatSigned, shortDayText } from '../../platform/format.ts';
import { cx } from '../../ui/cx.ts';
import { niceTicks } from '../../ui/step-chart.tsx';
import { useWidth } from '../../ui/use-width.ts';
import chartCss from '../../ui/chart.module.css';
import css from './reports.module.css';

const LEFT = 58;
const RIGHT = 10;
const TOP = 12;
const BOTTOM = 24;
const HEIGHT = 230;

/** Bars above and below zero per day and the running total over them. The table below holds the figures. */
export function DayBars({ days }: { days: ReadonlyArray<{ day: string; profitLoss: number }> }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 220);

  let sum = 0;
  const totals = days.map((day) => {
    sum += day.profitLoss;
    return sum;
  });
  const values = [0, ...days.map((day) => day.profitLoss), ...totals];
  const ticks = niceTicks(Math.min(...values), Math.max(...values));
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const y = (v: number) => TOP + ((high - v) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const slot = (width - LEFT - RIGHT) / Math.max(1, days.length);
  const x = (at: number) => LEFT + at * slot + slot / 2;
  const bar = Math.min(28, slot * 0.6);
  const every = Math.max(1, Math.ceil(days.length / Math.max(2, Math.floor((width - LEFT) / 74))));
  const [from, to] = [dayText(days[0]?.day ?? ''), dayText(days.at(-1)?.day ?? '')];
  const results = days.map(({ day, profitLoss }) => `${dayText(day)} ${formatSigned(profitLoss)}`).join('; ');
  const line = totals.map((total, at) => `${at ? 'L' : 'M'}${x(at).toFixed(1)} ${y(total).toFixed(1)}`).join('');
  return (
    <div className={chartCss.chartBox} ref={box}>
      <svg
        className={cx(chartCss.chart, css.days)}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        role="img"
        aria-label={t`Result per day from ${from} to ${to}: ${results}`}
      >
        {ticks.map((v) => (
          <g key={v}>
            <path
              className={v === 0 ? chartCss.zero : chartCss.grid}
              d={`M${LEFT} ${y(v).toFixed(1)}H${width - RIGHT}`}
            />
            <text x={LEFT - 8} y={y(v) + 4} textAnchor="end">
              {v === 0 ? '0' : formatSigned(Math.round(v), 0)}
            </text>
          </g>
        ))}
        {days.map((day, at) => (
          <g key={day.day}>
            <rect
              className={day.profitLoss < 0 ? css.loss : css.gain}
              x={x(at) - bar / 2}
              width={bar}
              y={Math.min(y(0), y(day.profitLoss))}
              height={Math.max(1, Math.abs(y(day.profitLoss) - y(0)))}
              rx="2"
            >
              <title>
                {dayText(day.day)}: {formatSigned(day.profitLoss)}
              </title>
            </rect>
            {at % every === 0 && (
              <text x={x(at)} y={HEIGHT - 6} textAnchor="middle">
                {shortDayText(day.day)}
              </text>
            )}
          </g>
        ))}
        {days.length > 1 && <path className={css.total} d={line} />}
        {days.length > 0 && <circle className="end" cx={x(days.length - 1)} cy={y(sum)} r="3.5" />}
      </svg>
    </div>
  );
}

/** What the colours of the bars and the line mean; at the right of the panel's head. */
export function DayBarsKey() {
  return (
    <span className={css.key} aria-hidden="true">
      <span className={css.keyGain}>{t`Up day`}</span>
      <span className={css.keyLoss}>{t`Down day`}</span>
      <span className={css.keyTotal}>{t`Running total`}</span>
    </span>
  );
}
