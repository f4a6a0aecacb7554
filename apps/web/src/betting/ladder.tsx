import type { MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useCallback, useRef } from 'react';
import { named } from '../platform/named.ts';
import { useSlipOf } from '../slip/slip.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { IconTarget } from '../ui/icons.ts';
import { SignedMoney } from '../ui/money.tsx';
import { AlertMe } from './alert-me.tsx';
import { useCancel } from './cancel.ts';
import { CashOutAction } from './cash-out.tsx';
import { LadderBody, useBook } from './ladder-body.tsx';
import { EVENS } from './ladder-book.ts';
import { useMarkedRow } from './ladder-keys.tsx';
import { useView } from './ladder-view.ts';
import { pressPrice } from './live-price.tsx';
import type { MarketPosition } from './positions.ts';
import { RunnerCrest } from './runner-crest.tsx';
import css from '../ui/ladder.module.css';
import marketTableCss from '../ui/market-table.module.css';
import panelCss from '../ui/panel.module.css';

/** The whole book of one runner beside the slip: a press puts a price into it. A trader's is desk-ladder.tsx. */
export function Ladder({
  market,
  runnerId,
  name,
  match,
  position,
}: {
  market: MarketImage;
  runnerId: number;
  name: string;
  match: { id: number; title: string };
  position: MarketPosition | undefined;
}) {
  const marketId = market.id;
  const state = useBook(market, runnerId, match.id);
  const { mine, off } = state;
  const { cancel, cancelAll } = useCancel();
  const begin = state.begin ?? EVENS;
  const box = useRef<HTMLDivElement>(null);
  const view = useView(box, state.begin);
  const slip = useSlipOf(marketId);
  const picked = slip?.runnerId === runnerId && slip.phase !== 'done' ? slip : null;
  const press = useCallback(
    (side: 'BACK' | 'LAY', price: number) =>
      pressPrice({ matchId: match.id, eventName: match.title, marketId, runnerId, side, price }),
    [match, marketId, runnerId],
  );
  const keys = useMarkedRow(view, begin, {
    bet: off ? null : press,
    cancelAll: mine.size > 0 ? () => void cancelAll([marketId]) : null,
  });
  return (
    <section className={cx(panelCss.panel, css.ladder)} aria-label={t`Ladder of ${{ name: named(name) }}`}>
      <Head market={market} runnerId={runnerId} name={name} position={position} onCentre={keys.centre} />
      <LadderBody
        name={named(name)}
        box={box}
        view={view}
        keys={keys}
        state={state}
        picked={picked}
        onPress={press}
        onCancel={cancel}
        label={t`Prices of ${{ name: named(name) }}: arrows mark a row, B backs, L lays`}
      />
    </section>
  );
}

interface HeadProps {
  market: MarketImage;
  runnerId: number;
  name: string;
  position: MarketPosition | undefined;
  onCentre: () => void;
}

function Head({ market, runnerId, name, position, onCentre }: HeadProps) {
  return (
    <div className={marketTableCss.head}>
      <RunnerCrest name={name} />
      <div className="grow">
        <h3 className="fs-14">{named(name)}</h3>
        <SignedMoney minor={position?.runners.find((one) => one.runnerId === runnerId)?.net ?? 0} />
      </div>
      <CashOutAction market={market} position={position} small />
      <AlertMe market={market} runnerId={runnerId} />
      <IconButton icon={IconTarget} label={t`Centre`} onClick={onCentre} />
    </div>
  );
}
