import { plural, t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import css from './casino.module.css';

const R = 40;
const LENGTH = 2 * Math.PI * R;

/** Seconds left in a shrinking ring; amber in the last five. */
export function CountdownRing({
  endsAtMs,
  totalMs,
  now = Date.now,
}: {
  endsAtMs: number;
  totalMs: number;
  now?: () => number;
}) {
  const [left, setLeft] = useState(() => secondsLeft(endsAtMs, now()));
  useEffect(() => {
    setLeft(secondsLeft(endsAtMs, now()));
    const timer = setInterval(() => setLeft(secondsLeft(endsAtMs, now())), 250);
    return () => clearInterval(timer);
  }, [endsAtMs, now]);
  const share = Math.max(0, Math.min(1, (left * 1000) / totalMs));
  const late = left <= 5;
  return (
    <div className={css.ring} role="timer" aria-label={plural(left, { one: '# second left', other: '# seconds left' })}>
      <svg viewBox="0 0 96 96" aria-hidden="true">
        <circle cx="48" cy="48" r={R} fill="none" stroke="var(--s4)" strokeWidth="6" />
        <circle
          cx="48"
          cy="48"
          r={R}
          fill="none"
          stroke={late ? 'var(--live)' : 'var(--t1)'}
          strokeWidth="6"
          strokeLinecap="round"
          strokeDasharray={`${LENGTH * share} ${LENGTH}`}
        />
      </svg>
      <div className={css.ringValue}>
        <b>{left}</b>
        <span>{t`seconds`}</span>
      </div>
    </div>
  );
}

function secondsLeft(endsAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((endsAtMs - nowMs) / 1000));
}
