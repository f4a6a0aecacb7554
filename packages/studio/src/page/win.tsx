/** The one celebration there is: what was paid, when it is more than was staked; nothing at all otherwise. */
import { useEffect, useState } from 'react';
import { amount, times } from './board.ts';
import { cx } from './cx.ts';
import type { Paid } from './till.ts';
import css from './win.module.css';

/** Then the board is free to be looked at; the panel goes on saying what was paid. */
const STAYS_MS = 3200;
const RAYS = Array.from({ length: 12 }, (_, at) => at * 30);

export function WinBadge({ paid, motion }: { paid: Paid | null; motion: boolean }) {
  if (paid === null || paid.paidMinor <= paid.stakeMinor) return null;
  return <Badge paid={paid} motion={motion} />;
}

function Badge({ paid, motion }: { paid: Paid; motion: boolean }) {
  const [there, setThere] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setThere(false), STAYS_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!there) return null;
  return (
    <div className={cx(css.win, motion && 'is-moving')} aria-hidden="true">
      <svg viewBox="-60 -60 120 120" aria-hidden="true">
        {RAYS.map((turn) => (
          <path key={turn} d="M0 -30V-52" transform={`rotate(${turn})`} />
        ))}
      </svg>
      <p>
        <b>{amount(paid.paidMinor)}</b>
        <span>{times(Math.floor((paid.paidMinor * 100) / paid.stakeMinor))}</span>
      </p>
    </div>
  );
}
