import { t } from '@lingui/core/macro';
import { cx } from '../../../ui/cx.ts';
import type { BoardProps } from '../board.ts';
import { rankOf } from '../cards.ts';
import { Cards } from '../hand.tsx';
import css from './pads.module.css';

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0];

/** Worli: three cards, their sum's last digit, and the pad it falls on. */
export function Board({ facts }: BoardProps) {
  const digits = facts.deal.cards.map((card) => rankOf(card) % 10);
  const done = digits.length === 3;
  const single = digits.reduce((sum, digit) => sum + digit, 0) % 10;
  // 1 is the lowest digit of a pana, 0 the highest.
  const pana = [...digits].sort((x, y) => (x || 10) - (y || 10)).join('');
  return (
    <div className={css.pads}>
      <div className={css.middle}>
        <Cards hand={facts.hands[0] ?? []} slots={3} spread="row" />
        <dl className={css.results}>
          <div>
            <dt>{t`Pana`}</dt>
            <dd className="num">{pana || '\u2013'}</dd>
          </div>
          <div>
            <dt>{t`Single`}</dt>
            <dd className="num">{done ? single : '\u2013'}</dd>
          </div>
        </dl>
      </div>
      <ol className={css.digits} aria-label={t`Singles`}>
        {DIGITS.map((digit) => (
          <li key={digit} className={cx(css.pad, done && digit === single ? 'num is-in' : 'num')}>
            {digit}
            {done && digit === single && <span className="sr"> {t`is the single`}</span>}
          </li>
        ))}
      </ol>
    </div>
  );
}
