import { t } from '@lingui/core/macro';
import { listed } from '../../../platform/format.ts';
import { cx } from '../../../ui/cx.ts';
import type { BoardProps } from '../board.ts';
import { rankOf, suitOf } from '../cards.ts';
import { Cards } from '../hand.tsx';
import css from './meter.module.css';

const FULL = 77;

/** Casino Meter: points of the low and the high zone as two bars; the 9 and 10 of spades count against both. */
export function Board({ facts }: BoardProps) {
  const points = { low: 0, high: 0, spade: 0 };
  for (const card of facts.deal.cards) {
    const rank = rankOf(card);
    if ((rank === 9 || rank === 10) && suitOf(card) === 0) points.spade += rank;
    else if (rank <= 9) points.low += rank;
    else points.high += rank;
  }
  const lead = points.low - points.high;
  const { low, high, spade } = points;
  const by = Math.abs(lead);
  const told = [
    t`${{ count: facts.deal.cards.length }} of 11 cards`,
    lead === 0 ? '' : lead > 0 ? t`Low leads by ${by}` : t`High leads by ${by}`,
    spade > 0 ? t`spade 9 and 10: ${spade} against both` : '',
  ];
  const bar = (name: string, value: number, kind: 'low' | 'high') => (
    <div className={cx(css.bar, `is-${kind}`)}>
      <span className={css.name}>{name}</span>
      <span className={css.track} style={{ '--fill': `${Math.min(100, (value / FULL) * 100)}%` } as object} />
      <b className="num">{value}</b>
    </div>
  );
  return (
    <div className={css.meter}>
      <div className={css.scales} role="img" aria-label={t`Low ${low}, high ${high}, spade nine and ten ${spade}`}>
        {bar(t({ message: 'Low', context: 'meter' }), low, 'low')}
        {bar(t({ message: 'High', context: 'meter' }), high, 'high')}
      </div>
      <p className={cx(css.lead, 'num')}>{listed(...told)}</p>
      <Cards hand={facts.hands[0] ?? []} slots={11} spread="track" />
    </div>
  );
}
