import { cx } from '../../../ui/cx.ts';
import type { BoardProps } from '../board.ts';
import { rankName, rankOf } from '../cards.ts';
import { type Fields, useField } from '../fields.tsx';
import type { SelectionInfo } from '../grid.ts';
import { Cards } from '../hand.tsx';
import css from './lucky7.module.css';

/** One card that falls on a side: low or high of seven, or one of three brothers. The sides are the main fields themselves. */
export function Board({ info, facts, fields }: BoardProps) {
  const card = facts.deal.cards[0];
  const rank = card === undefined ? null : rankOf(card);
  const sides = info.layout.sides.map((side) => ({
    ...side,
    selection: info.selections.find(({ id }) => id === side.selection)!,
  }));
  return (
    <div className={css.fields}>
      <Cards hand={facts.hands[0] ?? []} slots={1} spread="row" />
      <div className={css.pair} style={{ '--n': sides.length } as object}>
        {sides.map(({ name, from, to, selection }) => (
          <Side key={name} name={name} from={from} to={to} rank={rank} selection={selection} fields={fields} />
        ))}
      </div>
    </div>
  );
}

function Side({
  name,
  from,
  to,
  rank,
  selection,
  fields,
}: {
  name: string;
  from: number;
  to: number;
  /** Of the card that came. */
  rank: number | null;
  selection: SelectionInfo;
  fields: Fields;
}) {
  const { text, idle, won, button, mark } = useField(selection, 'BACK', fields);
  const hit = rank !== null && rank >= from && rank <= to;
  return (
    <button {...button} className={cx(css.field, hit && 'is-in', idle && 'is-shut', won && 'is-won')}>
      <b>{name}</b>
      <span className={cx(css.price, 'num')}>{text?.price ?? '\u2013'}</span>
      <span className={cx(css.ranks, 'num')} aria-hidden="true">
        {Array.from({ length: to - from + 1 }, (_, at) => (
          <i key={rankName(from + at)} className={rank === from + at ? 'is-in' : undefined}>
            {rankName(from + at)}
          </i>
        ))}
      </span>
      {mark}
    </button>
  );
}
