import { useEffect, useRef, useState } from 'react';
import { useMarket, useTraded } from '../live/live.ts';
import { formatWhole } from '../platform/format.ts';
import { setOneClick, useSlipOf } from '../slip/slip.ts';
import { LiveBadge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { IconArrowLeft } from '../ui/icons.ts';
import { PHONE, useMedia } from '../ui/media.ts';
import { Rail } from '../ui/rail.tsx';
import { SlipBox } from '../ui/slip-parts.tsx';
import { Segmented } from '../ui/tabs.tsx';
import { Ladder } from './ladder.tsx';
import { LadderKeys } from './ladder-keys.tsx';
import { OneClickStrip } from './one-click.tsx';
import type { MarketPosition } from './positions.ts';
import { SlipForm } from './slip-form.tsx';
import { PriceHistory } from './trend.tsx';

interface Props {
  marketId: number;
  match: { id: number; title: string };
  position: MarketPosition | undefined;
  onClose: () => void;
}

/** The whole book of a market's runners: one or two ladders side by side; on a phone one, with the slip below it. */
export function DepthView({ marketId, match, position, onClose }: Props) {
  const market = useMarket(marketId);
  const traded = useTraded(marketId);
  const phone = useMedia(PHONE);
  const [count, setCount] = useState<'1' | '2'>('2');
  const [first, setFirst] = useState(0);
  // One-click is armed here and never outlives the view.
  useEffect(() => () => setOneClick(null), []);
  if (!market) return null;
  const runners = market.runners.filter((runner) => runner.status !== 'REMOVED');
  const most = phone ? 1 : Number(count);
  const from = Math.max(0, Math.min(first, runners.length - most));
  const shown = runners.slice(from, from + most);
  return (
    <div className="depth">
      <div className="mh">
        <IconButton icon={IconArrowLeft} label="Back to all markets" onClick={onClose} />
        <h1>{match.title}</h1>
        {market.inPlay && <LiveBadge pill />}
        <span className="t2 num depth__sum">
          {market.name}, matched {formatWhole(traded)}
        </span>
        <span className="grow" />
        {runners.length > most && (
          <select
            className="pgn__s"
            aria-label={most === 1 ? 'Runner' : 'First runner shown'}
            value={runners[from]?.id}
            onChange={(event) => setFirst(runners.findIndex((runner) => runner.id === Number(event.target.value)))}
          >
            {runners.slice(0, runners.length - most + 1).map((runner) => (
              <option key={runner.id} value={runner.id}>
                {runner.name}
              </option>
            ))}
          </select>
        )}
        {!phone && (
          <Segmented label="Ladders" value={count} onChange={setCount} items={{ 1: '1 ladder', 2: '2 ladders' }} />
        )}
      </div>
      <OneClickStrip />
      <div className={shown.length > 1 ? 'two depth__l' : 'depth__l'}>
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
      {phone && <Dock marketId={marketId} />}
      <Rail slot="more">
        <PriceHistory market={market} title="Prices" />
        <LadderKeys />
      </Rail>
    </div>
  );
}

/** The slip of a phone below the ladder: the ladder gives it the room, its rows stay where they are. */
function Dock({ marketId }: { marketId: number }) {
  const draft = useSlipOf(marketId);
  const box = useRef<HTMLDivElement>(null);
  // The row that was pressed stays in sight when the ladder grows shorter.
  const pressed = draft?.pressed;
  useEffect(() => {
    if (pressed !== undefined)
      box.current?.parentElement?.querySelector('.lad .is-sel')?.scrollIntoView?.({ block: 'nearest' });
  }, [pressed]);
  if (!draft) return null;
  return (
    <div className="depth__dock" ref={box}>
      <SlipBox inline side={draft.side === 'LAY' ? 'lay' : 'back'}>
        <SlipForm compact />
      </SlipBox>
    </div>
  );
}
