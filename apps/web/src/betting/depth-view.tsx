import type { MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useState } from 'react';
import { useMarket, useTraded } from '../live/live.ts';
import { formatWhole } from '../platform/format.ts';
import { named } from '../platform/named.ts';
import { setOneClick } from '../slip/slip.ts';
import { LiveBadge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { IconArrowLeft } from '../ui/icons.ts';
import { PHONE, useMedia } from '../ui/media.ts';
import { Rail } from '../ui/rail.tsx';
import { Segmented } from '../ui/tabs.tsx';
import { isInPlay } from './kinds.ts';
import { Ladder } from './ladder.tsx';
import { LadderKeys } from './ladder-keys.tsx';
import { LadderLink } from './ladder-link.tsx';
import { OneClickStrip } from './one-click.tsx';
import type { MarketPosition } from './positions.ts';
import { SlipDock } from './slip-dock.tsx';
import { PriceHistory } from './trend.tsx';
import dataTableCss from '../ui/data-table.module.css';
import css from '../ui/depth-view.module.css';
import eventCss from '../ui/event.module.css';
import marketCss from '../ui/market.module.css';

interface Props {
  marketId: number;
  match: { id: number; title: string };
  position: MarketPosition | undefined;
  onClose: () => void;
}

/** The whole book of a market's runners: one or two ladders side by side; on a phone one, with the slip below it. */
export function DepthView({ marketId, match, position, onClose }: Props) {
  const market = useMarket(marketId);
  const phone = useMedia(PHONE);
  const [count, setCount] = useState<'1' | '2'>('2');
  const [first, setFirst] = useState(0);
  // One-click is armed here and never outlives the view.
  useEffect(() => () => setOneClick(null), []);
  if (!market) return null;
  const runners = market.runners.filter((runner) => runner.status !== 'REMOVED');
  const most = phone ? 1 : Number(count);
  const last = Math.max(0, runners.length - most);
  const from = Math.min(first, last);
  const shown = runners.slice(from, from + most);
  return (
    <div className={css.view}>
      <Head market={market} title={match.title} onClose={onClose}>
        {runners.length > most && (
          <RunnerChoice
            label={most === 1 ? t`Runner` : t`First runner shown`}
            runners={runners.slice(0, last + 1)}
            value={runners[from]?.id}
            onChange={(id) => setFirst(runners.findIndex((runner) => runner.id === id))}
          />
        )}
        {!phone && (
          <Segmented label={t`Ladders`} value={count} onChange={setCount} items={{ 1: t`1 ladder`, 2: t`2 ladders` }} />
        )}
      </Head>
      <OneClickStrip />
      <div className={shown.length > 1 ? cx(marketCss.two, css.list) : css.list}>
        {shown.map((runner) => (
          <Ladder
            key={runner.id}
            market={market}
            runnerId={runner.id}
            name={runner.name}
            match={match}
            position={position}
          />
        ))}
      </div>
      {phone && <SlipDock marketId={marketId} />}
      <Rail slot="more">
        <PriceHistory market={market} title={t`Prices`} />
        <LadderKeys />
      </Rail>
    </div>
  );
}

function Head({
  market,
  title,
  onClose,
  children,
}: {
  market: MarketImage;
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const traded = useTraded(market.id);
  return (
    <div className={eventCss.head}>
      <IconButton icon={IconArrowLeft} label={t`Back to all markets`} onClick={onClose} />
      <h1>{title}</h1>
      {isInPlay(market) && <LiveBadge pill />}
      <span
        className={cx('t2 num', css.sum)}
      >{t`${{ market: named(market.name) }}, matched ${{ amount: formatWhole(traded) }}`}</span>
      <span className="grow" />
      <LadderLink marketId={market.id} />
      {children}
    </div>
  );
}

/** Which runner stands in the first ladder. */
function RunnerChoice({
  label,
  runners,
  value,
  onChange,
}: {
  label: string;
  runners: MarketImage['runners'];
  value: number | undefined;
  onChange: (id: number) => void;
}) {
  return (
    <select
      className={dataTableCss.pageSize}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {runners.map((runner) => (
        <option key={runner.id} value={runner.id}>
          {named(runner.name)}
        </option>
      ))}
    </select>
  );
}
