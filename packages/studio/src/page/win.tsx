/** The one celebration there is: what was paid, when it is more than was staked; nothing at all otherwise. */
import { amount, times } from './board.ts';
import type { Paid } from './panel.tsx';

const RAYS = Array.from({ length: 12 }, (_, at) => at * 30);

export function WinBadge({ paid, motion }: { paid: Paid | null; motion: boolean }) {
  if (paid === null || paid.paidMinor <= paid.stakeMinor) return null;
  return (
    <div className={motion ? 'win is-moving' : 'win'} aria-hidden="true">
      <svg viewBox="-60 -60 120 120">
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
