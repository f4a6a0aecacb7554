import { t } from '@lingui/core/macro';
import { cx } from '../../../ui/cx.ts';
import type { BoardProps } from '../board.ts';
import css from './ball.module.css';

/** How far the ball goes, in parts of the way to the rope, by result code; wickets that fall at the stumps do not leave them. */
const REACH: Readonly<Record<string, number>> = {
  '1': 0.22,
  '2': 0.5,
  '3': 0.66,
  '4': 0.82,
  '5': 1,
  '6': 1.16,
  '7': 0.72,
  '10': 0.4,
  '14': 0.24,
  '15': 0.42,
  '16': 0.36,
};

/** Ball By Ball: the ground from above. The ball is bowled, and goes where the delivery came to. */
export function Board({ info, facts, round }: BoardProps) {
  const over = facts.result;
  const rolling = round.phase === 'DEALING';
  const ending = over && info.endings.find(({ win }) => win === over.win);
  const reach = over ? (REACH[over.win] ?? 0) : 0;
  // Any direction is as good: the number that was drawn gives one, the same for everybody.
  const turn = ((facts.deal.cards[0] ?? 0) * 137.5 * Math.PI) / 180;
  const end = { '--bx': `${Math.cos(turn) * reach * 138}px`, '--by': `${Math.sin(turn) * reach * 62}px` };
  return (
    <div className={css.board}>
      <svg className={css.pitch} viewBox="0 0 340 170" aria-hidden="true">
        <ellipse cx="170" cy="85" rx="160" ry="76" fill="#2f7a4b" />
        <ellipse cx="170" cy="85" rx="150" ry="70" fill="none" stroke="#f4efe0" strokeWidth="2" strokeDasharray="5 4" />
        <ellipse cx="170" cy="85" rx="84" ry="40" fill="#37884f" />
        <rect x="158" y="52" width="24" height="66" rx="2" fill="#cdb27d" />
        <path d="M156 62h28M156 108h28" stroke="#fff" strokeOpacity=".8" strokeWidth="1.400" />
        <g fill="#f6e7bd" stroke="#5b4524" strokeWidth=".6">
          <path d="M164 55h2v6h-2zM169 55h2v6h-2zM174 55h2v6h-2zM164 109h2v6h-2zM169 109h2v6h-2zM174 109h2v6h-2z" />
        </g>
        <g transform="translate(170 85)">
          <circle
            key={`${round.mid}${round.phase}`}
            className={cx(css.ball, over ? 'is-hit' : rolling && 'is-bowled')}
            style={end as object}
            r="5"
            fill="#b92a33"
            stroke="#f5e6cf"
          />
        </g>
      </svg>
      <div className={css.overs}>
        {ending ? (
          <>
            <span className={cx(css.result, `is-${ending.tone}`)}>{ending.badge}</span>
            <b>{ending.name}</b>
          </>
        ) : (
          <b>{rolling ? t`The ball is on its way` : t`Next delivery`}</b>
        )}
      </div>
    </div>
  );
}
