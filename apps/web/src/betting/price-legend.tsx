import type { MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { formatOdds } from '../platform/format.ts';
import { named } from '../platform/named.ts';
import { cx } from '../ui/cx.ts';
import type { RunnerHistory } from './use-price-history.ts';
import dataTableCss from '../ui/data-table.module.css';
import css from './betting.module.css';

/**
 * Each runner has its place and colour from the start: a first price that comes later moves nothing. `one`: a drawing of one
 * runner, which a press chooses; else a press takes a line out of the picture and puts it back.
 */
export function Legend({
  runners,
  field,
  hidden,
  one,
  onHide,
  onOne,
  onMore,
}: {
  runners: readonly RunnerHistory[];
  /** All of the market, of which more can be added. */
  field: MarketImage['runners'];
  hidden: ReadonlySet<number>;
  one: number | null;
  onHide: (hidden: ReadonlySet<number>) => void;
  onOne: (id: number) => void;
  onMore: (id: number) => void;
}) {
  const rest = field.filter(
    ({ id, status }) => status !== 'REMOVED' && !runners.some(({ runner }) => runner.id === id),
  );
  return (
    <fieldset className={cx(css.legend, 'fs-12 num')} aria-label={t`Runners shown`}>
      {runners.map(({ runner, candles }, at) => {
        const on = one === null ? !hidden.has(runner.id) : one === runner.id;
        const press = (): void => {
          if (one !== null) {
            onOne(runner.id);
            return;
          }
          const next = new Set(hidden);
          if (on) next.add(runner.id);
          else next.delete(runner.id);
          onHide(next);
        };
        return (
          <button
            key={runner.id}
            type="button"
            className={cx(css.line, css[`line${(at % 4) + 1}`], one !== null && css.pick)}
            aria-pressed={on}
            // The last one stays: a chart of nothing says nothing.
            disabled={one === null && on && runners.length - hidden.size === 1}
            onClick={press}
          >
            {named(runner.name)} <b>{candles.length > 0 ? formatOdds(candles.at(-1)![4]) : '\u2013'}</b>
          </button>
        );
      })}
      {rest.length > 0 && (
        <select
          className={cx(dataTableCss.pageSize, css.more)}
          aria-label={t`Add a runner`}
          value=""
          onChange={(event) => onMore(Number(event.target.value))}
        >
          <option value="">{t`Add a runner`}</option>
          {rest.map(({ id, name }) => (
            <option key={id} value={id}>
              {named(name)}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  );
}
