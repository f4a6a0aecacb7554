import { t } from '@lingui/core/macro';
import { cx } from '../../../ui/cx.ts';
import type { BoardProps } from '../board.ts';
import { rankOf } from '../cards.ts';
import { Cards } from '../hand.tsx';
import css from './match.module.css';
import seatsCss from './seats.module.css';

const NEED = 12;
const RUNS = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/** 20-20 Cricket Match: twelve off two balls. The card is the last ball; every first ball that reaches twelve with it wins. */
export function Board({ facts }: BoardProps) {
  const last = facts.deal.cards[0];
  const runs = last === undefined ? null : rankOf(last);
  return (
    <div className={css.match}>
      <div className={css.middle}>
        <div className={css.score}>
          <span className="fs-12">{t`Team B, 19.4 overs`}</span>
          <b className="num">{t`12 needed off 2 balls`}</b>
          <span className="fs-12">{t`You choose the first ball, the card is the last`}</span>
        </div>
        <div className={css.card}>
          <Cards hand={facts.hands[0] ?? []} slots={1} spread="row" />
          <span className={seatsCss.holds}>{runs === null ? t`Last ball` : t`Last ball: ${runs}`}</span>
        </div>
      </div>
      <ol className={css.list} aria-label={t`First balls`}>
        {RUNS.map((first) => {
          const state = runs === null ? null : first + runs >= NEED ? 'is-in' : 'is-out';
          return (
            <li key={first} className={cx(css.ball, 'num', state)}>
              {first}
              {runs !== null && (
                <span className="sr">{first + runs >= NEED ? ` ${t`reaches 12`}` : ` ${t`falls short`}`}</span>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
