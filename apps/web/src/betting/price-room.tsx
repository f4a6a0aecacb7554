import type { MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '../ui/icons.ts';
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
/** What of a market is drawn. */
export type View = 'line' | 'candles' | 'depth' | 'table';

/** The presses of the chart; a direction that leads nowhere cannot be pressed. */
export interface Tools {
  range: Range;
  onRange: (range: Range) => void;
  view: View;
  onView: (view: View) => void;
  onZoom: ((by: 1 | -1) => void) | null;
  canZoomOut: boolean;
  onMove: (direction: 1 | -1) => void;
  earlier: boolean;
  later: boolean;
}

/** The parts of the price chart in their places. It is as high empty as it is full: what stands below never moves. */
export function PriceFrame({
  title = t`Price history`,
  tools,
  legend,
  words = '\u00a0',
  tape,
  children,
}: {
  title?: string | undefined;
  /** Without them nothing can be pressed yet. */
  tools?: Tools;
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
        <span inert={!tools}>
          <Segmented
            label={t`Time shown`}
            value={tools?.range ?? '1h'}
            onChange={(next) => tools?.onRange(next)}
            items={{ '15m': t`15 min`, '1h': t`1 hour`, all: t`All` }}
          />
        </span>
      }
    >
      <div className={css.chartRoom}>
        <div className={css.split}>
          <div>
            <ToolRow tools={tools} />
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

function ToolRow({ tools }: { tools: Tools | undefined }) {
  const zoom = tools?.onZoom;
  return (
    <div className={css.chartTools} inert={!tools}>
      <Segmented
        label={t`Drawn as`}
        value={tools?.view ?? 'line'}
        onChange={(next) => tools?.onView(next)}
        items={{
          line: t({ message: 'Line', context: 'chart' }),
          candles: t`Candles`,
          depth: t`Depth`,
          table: t({ message: 'Table', context: 'figures' }),
        }}
      />
      <span className="row">
        <IconButton
          small
          icon={IconChevronLeft}
          label={t`Earlier`}
          disabled={!tools?.earlier}
          onClick={() => tools?.onMove(-1)}
        />
        <IconButton
          small
          icon={IconZoomOut}
          label={t`Zoom out`}
          disabled={!tools?.canZoomOut}
          onClick={() => zoom?.(-1)}
        />
        <IconButton small icon={IconZoomIn} label={t`Zoom in`} disabled={!zoom} onClick={() => zoom?.(1)} />
        <IconButton
          small
          icon={IconChevronRight}
          label={t`Later`}
          disabled={!tools?.later}
          onClick={() => tools?.onMove(1)}
        />
      </span>
    </div>
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
              {name} <b>{'\u2013'}</b>
            </span>
          ))}
        </div>
      }
    />
  );
}
