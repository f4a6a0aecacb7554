import type { MarketImage } from '@fairgame/contract';
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { useBroken, useDepth } from '../live/live.ts';
import { formatOdds } from '../platform/format.ts';
import { useSlipOf } from '../slip/slip.ts';
import { IconButton } from '../ui/button.tsx';
import { Crest, crestCode } from '../ui/crest.tsx';
import { IconTarget } from '../ui/icons.ts';
import { announce } from '../ui/live-region.tsx';
import { SignedMoney } from '../ui/money.tsx';
import { useCancel } from './cancel.ts';
import { CashOutAction } from './cash-out.tsx';
import { veilOf } from './kinds.ts';
import { type Book, bookOf, EVENS, isEdge, ordersOf, PRICES, withinLadder } from './ladder-book.ts';
import { actOf } from './ladder-keys.tsx';
import { LadderRow } from './ladder-row.tsx';
import { useView } from './ladder-view.ts';
import { pressPrice } from './live-price.tsx';
import { type MarketPosition, useOpenBets } from './positions.ts';

/**
 * The whole book of one runner. Its rows stand still: the view is centred once and when the player asks for it, never under
 * a pointer. It scrolls as any list; only the rows in sight are drawn.
 */
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
  const depth = useDepth(marketId, runnerId);
  const broken = useBroken(marketId);
  const veil = veilOf(
    market,
    market.runners.find((one) => one.id === runnerId),
  );
  const off = broken || veil !== null;
  const { cancel, cancelAll } = useCancel();
  const { data: open } = useOpenBets(match.id);
  const mine = useMemo(() => ordersOf(open?.rows ?? [], marketId, runnerId), [open, marketId, runnerId]);
  const book = useMemo(() => bookOf(depth), [depth]);
  const begin = book.middle ?? EVENS;
  const box = useRef<HTMLDivElement>(null);
  const view = useView(box, depth && begin);
  const [marked, setMarked] = useState<number | null>(null);
  const slip = useSlipOf(marketId);
  const picked = slip?.runnerId === runnerId && slip.phase !== 'done' ? slip : null;
  const press = useCallback(
    (side: 'BACK' | 'LAY', price: number) =>
      pressPrice({ matchId: match.id, eventName: match.title, marketId, runnerId, side, price }),
    [match, marketId, runnerId],
  );
  const centre = () => {
    setMarked(null);
    view.centre();
  };
  const mark = (row: number) => {
    const next = withinLadder(row);
    setMarked(next);
    view.show(next);
    announce(formatOdds(PRICES[next]!));
  };
  const onKey = (event: KeyboardEvent) => {
    const act = actOf(event);
    if (act === null || (act === 'cancelAll' && mine.size === 0)) return;
    event.preventDefault();
    if (act === 'centre') centre();
    else if (act === 'cancelAll') void cancelAll([marketId]);
    else if ('move' in act) mark(marked === null ? begin : marked + act.move);
    // Nothing is done at a row that is not marked in sight.
    else if (marked === null || !view.shows(marked)) mark(marked ?? begin);
    else if (!off) press(act.bet, PRICES[marked]!);
  };
  const net = position?.runners.find((one) => one.runnerId === runnerId)?.net ?? 0;
  return (
    <section className="panel lad" aria-label={`Ladder of ${name}`}>
      <div className="mk__h">
        <Crest code={crestCode(name)} name={name} size={26} />
        <div className="grow">
          <h3 className="fs-14">{name}</h3>
          <SignedMoney minor={net} />
        </div>
        <CashOutAction market={market} position={position} small />
        <IconButton icon={IconTarget} label="Centre" onClick={centre} />
      </div>
      {depth && book.money === 0 ? <p className="lad__none fs-12 t2">Nothing on offer</p> : <Balance of={book} />}
      <div className="lad__r lad__h">
        <span>Mine</span>
        <span className="c-back">Back</span>
        <span>Odds</span>
        <span className="c-lay">Lay</span>
        <span>Mine</span>
        <span className="lad__v">Matched</span>
      </div>
      <div className="lad__view">
        {view.away && book.middle !== null && (
          <button
            type="button"
            className={`lad__away lad__away--${view.away}`}
            aria-label={`Market ${view.away}, at ${formatOdds(PRICES[book.middle]!)}: centre`}
            onClick={centre}
          >
            {view.away === 'above' ? '↑' : '↓'} {formatOdds(PRICES[book.middle]!)}
          </button>
        )}
        {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: the ladder is one tab stop and takes the keys of its legend while it has the focus */}
        <div
          className={off ? 'lad__box is-off' : 'lad__box'}
          ref={box}
          tabIndex={0}
          role="group"
          aria-label={`Prices of ${name}: arrows mark a row, B backs, L lays`}
          onKeyDown={onKey}
          onScroll={view.onScroll}
        >
          <div className="lad__all" style={{ '--rows': PRICES.length, '--from': view.from } as object}>
            {PRICES.slice(view.from, view.to).map((price, at) => (
              <LadderRow
                key={price}
                price={price}
                name={name}
                back={book.back.get(price) ?? 0}
                lay={book.lay.get(price) ?? 0}
                traded={book.traded.get(price) ?? 0}
                most={book.most}
                mostTraded={book.mostTraded}
                best={price === book.bestBack ? 'back' : price === book.bestLay ? 'lay' : null}
                last={price === depth?.last}
                marked={view.from + at === marked}
                picked={picked?.price === price ? picked.side : null}
                sep={isEdge(view.from + at)}
                mineBack={mine.get(`BACK.${price}`)}
                mineLay={mine.get(`LAY.${price}`)}
                off={off}
                onPress={press}
                onCancel={cancel}
              />
            ))}
          </div>
        </div>
        {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: see above */}
      </div>
    </section>
  );
}

/** How much money waits on each side. */
function Balance({ of }: { of: Book }) {
  return (
    <div className="lad__wom fs-12">
      <span className="c-back num">Back {of.share}%</span>
      <span className="wom" aria-hidden="true">
        <i className="wom__b" style={{ width: `${of.share}%` }} />
        <i className="wom__l" style={{ width: `${100 - of.share}%` }} />
      </span>
      <span className="c-lay num">{100 - of.share}% Lay</span>
    </div>
  );
}
