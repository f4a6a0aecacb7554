import { t } from '@lingui/core/macro';
import css from './market.module.css';

/** A price trend in 64 by 24. Nothing is drawn for fewer than two points. */
export function Sparkline({
  points,
  label = t`Price trend`,
  width = 64,
  height = 24,
}: {
  points: readonly number[];
  label?: string;
  width?: number;
  height?: number;
}) {
  if (points.length < 2) return <svg className={css.spark} width={width} height={height} aria-hidden="true" />;
  const min = Math.min(...points);
  const range = Math.max(...points) - min || 1;
  const x = (i: number) => (i * (width - 5)) / (points.length - 1) + 1;
  const y = (v: number) => height - 4 - ((v - min) / range) * (height - 8);
  const path = points.map((v, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(v).toFixed(1)}`).join('');
  return (
    <svg
      className={css.spark}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <path d={path} fill="none" stroke="var(--t2)" strokeWidth="1.3" strokeLinejoin="round" />
      <circle cx={x(points.length - 1)} cy={y(points.at(-1)!)} r="2" fill="var(--t2)" />
    </svg>
  );
}
