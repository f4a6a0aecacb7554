import type { MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { named } from '../platform/named.ts';
import { cx } from '../ui/cx.ts';
import { Panel } from '../ui/panel.tsx';
import { Segmented } from '../ui/tabs.tsx';
import { useShownRunners } from './use-price-history.ts';
import css from './betting.module.css';

export interface ChartOf {
  market: MarketImage | undefined;
  /** Shorter where there is little room. */
  title?: string;
}

/** How much time it shows. */
export type Range = '15m' | '1h' | 'all';
/** The parts of the price chart in their places. It is as high empty as it is full: what stands below never moves. */
export function PriceFrame({
  title = t`Price history`,
  range = '1h',
  onRange,
  tools,
  legend,
  words = '\u00a0',
  tape,
  children,
}: {
  title?: string | undefined;
  range?: Range;
  /** Without it the choice of time cannot be pressed yet. */
  onRange?: (range: Range) => void;
  tools?: ReactNode;
  legend: ReactNode;
  words?: string;
  tape?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Panel
      title={title}
      flush={false}
      end={
        <span inert={!onRange}>
          <Segmented
            label={t`Time shown`}
            value={range}
            onChange={(next) => onRange?.(next)}
            items={{ '15m': t`15 min`, '1h': t`1 hour`, all: t`All` }}
          />
        </span>
      }
    >
      <div className={css.chartRoom}>
        <div className={css.split}>
          <div>
            <div className={css.chartTools}>{tools}</div>
            {legend}
            <div className={css.plot}>{children}</div>
            <p className={cx(css.plotWords, 't3 fs-12 num')}>{words}</p>
          </div>
          <div className={css.tape}>{tape}</div>
        </div>
      </div>
    </Panel>
  );
}

/** The place of the chart before it comes. */
export function PriceRoom({ market, title }: ChartOf) {
  const runners = useShownRunners(market);
  if (runners.length === 0) return null;
  return (
    <PriceFrame
      title={title}
      legend={
        <div className={cx(css.legend, 'fs-12 num')} aria-hidden="true">
          {runners.map(({ id, name }, at) => (
            <span key={id} className={cx(css.line, css[`line${(at % 4) + 1}`])}>
              {named(name)} <b>{'\u2013'}</b>
            </span>
          ))}
          {market!.runners.length > runners.length && <span className={css.more} />}
        </div>
      }
    />
  );
}
