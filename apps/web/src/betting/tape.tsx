import { CALLS, type MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useCall } from '../api/api.ts';
import { useTraded } from '../live/live.ts';
import { formatMoney, formatOdds, formatSeconds } from '../platform/format.ts';
import { named } from '../platform/named.ts';
import { SideChip } from '../ui/badge.tsx';
import { cx } from '../ui/cx.ts';
import { useAfter } from './use-after.ts';
import buttonCss from '../ui/button.module.css';
import css from './betting.module.css';

/** The last trades of a market, newest first: read anew when the open line says that more was matched. `titled`: what it is stands above it. */
export function Tape({ market, titled }: { market: MarketImage; titled?: true }) {
  const { data, isError, refetch } = useCall(
    CALLS.catalog.trades,
    { params: { id: String(market.id) } },
    { keep: true },
  );
  useAfter(useTraded(market.id), () => void refetch());
  const names = new Map(market.runners.map(({ id, name }) => [id, named(name)]));
  const trades = data?.trades ?? [];
  return (
    // A box that scrolls must be reachable by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls
    <section className={css.tapeBox} aria-label={t`Last trades`} tabIndex={0}>
      <table className={cx(css.trades, 'num')}>
        <caption className={titled && 'sr'}>{t`Last trades`}</caption>
        <thead className="sr">
          <tr>
            {[t`Time`, t`Runner`, t`Taken`, t`Price`, t`Size`].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {trades.map(([id, at, runnerId, price, size, taker]) => (
            <tr key={id}>
              <th scope="row">{formatSeconds(at)}</th>
              <td className={css.tapeName}>
                <span className="clip" title={names.get(runnerId)}>
                  {names.get(runnerId)}
                </span>
              </td>
              <td>
                <SideChip side={taker === 'BACK' ? 'back' : 'lay'} />
              </td>
              <td>
                <b>{formatOdds(price)}</b>
              </td>
              <td>{formatMoney(size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {data && trades.length === 0 && <p className="t3 fs-12">{t`Nothing was matched yet.`}</p>}
      {isError && !data && (
        <p className="t3 fs-12">
          {t`The trades did not load.`}{' '}
          <button type="button" className={cx(buttonCss.asLink, 'link')} onClick={() => void refetch()}>
            {t`Try again`}
          </button>
        </p>
      )}
    </section>
  );
}
