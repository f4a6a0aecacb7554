import { t } from '@lingui/core/macro';
import { formatOdds, formatWhole } from '../platform/format.ts';
import type { ChartMark } from '../ui/chart-marks.tsx';
import { cx } from '../ui/cx.ts';
import type { Candle } from './use-price-history.ts';
import css from './betting.module.css';

/** What the chart shows, as rows: spans of time of one runner, newest first, with what happened and the player's bets between them. */
export function PriceTable({
  name,
  candles,
  marks,
  formatTime,
}: {
  name: string;
  candles: readonly Candle[];
  marks: readonly ChartMark[];
  formatTime: (t: number) => string;
}) {
  const rows = [
    ...candles.map((candle) => ({ t: candle[0], candle, text: '' })),
    ...marks.map((mark) => ({ t: mark.t, candle: null, text: mark.text })),
  ].sort((a, b) => b.t - a.t);
  return (
    // A box that scrolls must be reachable by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls
    <section className={css.chartTable} aria-label={t`Prices of ${name} as a table`} tabIndex={0}>
      <table className={cx(css.trades, 'num')}>
        <caption className="sr">{t`Prices of ${name}, newest first`}</caption>
        <thead>
          <tr>
            {[t`Time`, t`First`, t`High`, t`Low`, t`Last`, t`Matched`].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ t: time, candle, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may stand at one time
            <tr key={`${time} ${at}`}>
              <th scope="row">{formatTime(time)}</th>
              {candle ? (
                <>
                  {candle.slice(1, 5).map((price, place) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column
                    <td key={place}>{formatOdds(price)}</td>
                  ))}
                  <td>{candle[5] > 0 ? formatWhole(candle[5]) : '\u2013'}</td>
                </>
              ) : (
                <td colSpan={5}>{text}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
