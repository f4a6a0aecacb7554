import type { MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useCallback, useMemo, useRef } from 'react';
import { useBroken, useDepth } from '../live/live.ts';
import { formatOdds } from '../platform/format.ts';
import { useSlipOf } from '../slip/slip.ts';
import { IconButton } from '../ui/button.tsx';
import { Crest, crestCode } from '../ui/crest.tsx';
import { cx } from '../ui/cx.ts';
import { IconTarget } from '../ui/icons.ts';
import { SignedMoney } from '../ui/money.tsx';
import { useCancel } from './cancel.ts';
import { CashOutAction } from './cash-out.tsx';
import { veilOf } from './kinds.ts';
import { type Book, bookOf, EVENS, isEdge, ordersOf, PRICES } from './ladder-book.ts';
import { useMarkedRow } from './ladder-keys.tsx';
import { LadderRow } from './ladder-row.tsx';
import { useView } from './ladder-view.ts';
import { pressPrice } from './live-price.tsx';
import { type MarketPosition, useOpenBets } from './positions.ts';
import css from '../ui/ladder.module.css';
import marketTableCss from '../ui/market-table.module.css';
import panelCss from '../ui/panel.module.css';

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
  const { depth, book, mine, off } = useBook(market, runnerId, match.id);
  const { cancel, cancelAll } = useCancel();
  const begin = book.middle ?? EVENS;
  const box = useRef<HTMLDivElement>(null);
  const view = useView(box, depth && begin);
  const slip = useSlipOf(marketId);
  const picked = slip?.runnerId === runnerId && slip.phase !== 'done' ? slip : null;
  const press = useCallback(
    (side: 'BACK' | 'LAY', price: number) =>
      pressPrice({ matchId: match.id, eventName: match.title, marketId, runnerId, side, price }),
    [match, marketId, runnerId],
  );
  const { marked, centre, onKey } = useMarkedRow(view, begin, {
    bet: off ? null : press,
    cancelAll: mine.size > 0 ? () => void cancelAll([marketId]) : null,
  });
  return (
    <section className={cx(panelCss.panel, css.ladder)} aria-label={t`Ladder of ${name}`}>
      <Head market={market} runnerId={runnerId} name={name} position={position} onCentre={centre} />
      <Balance of={book} known={depth !== undefined} />
      <Heads />
      <div className={css.view}>
        {view.away && book.middle !== null && <Away side={view.away} price={PRICES[book.middle]!} onPress={centre} />}
        {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: the ladder is one tab stop and takes the keys of its legend while it has the focus */}
        <div
          className={cx(css.box, off && 'is-off')}
          ref={box}
          tabIndex={0}
          role="group"
          aria-label={t`Prices of ${name}: arrows mark a row, B backs, L lays`}
          onKeyDown={onKey}
          onScroll={view.onScroll}
        >
          <div className={css.all} style={{ '--rows': PRICES.length, '--from': view.from } as object}>
            <Rows
              from={view.from}
              to={view.to}
              name={name}
              book={book}
              last={depth?.last}
              marked={marked}
              picked={picked}
              mine={mine}
              off={off}
              onPress={press}
              onCancel={cancel}
            />
          </div>
        </div>
        {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: see above */}
      </div>
    </section>
  );
}

/** The book of the runner, the player's orders in it, and whether it is closed now. */
function useBook(market: MarketImage, runnerId: number, matchId: number) {
  const depth = useDepth(market.id, runnerId);
  const broken = useBroken(market.id);
  const veil = veilOf(
    market,
    market.runners.find((one) => one.id === runnerId),
  );
  const { data: open } = useOpenBets(matchId);
  const mine = useMemo(() => ordersOf(open?.rows ?? [], market.id, runnerId), [open, market.id, runnerId]);
  const book = useMemo(() => bookOf(depth), [depth]);
  return { depth, book, mine, off: broken || veil !== null };
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
      <Crest code={crestCode(name)} name={name} size={26} />
      <div className="grow">
        <h3 className="fs-14">{name}</h3>
        <SignedMoney minor={position?.runners.find((one) => one.runnerId === runnerId)?.net ?? 0} />
      </div>
      <CashOutAction market={market} position={position} small />
      <IconButton icon={IconTarget} label={t`Centre`} onClick={onCentre} />
    </div>
  );
}

interface RowsProps {
  from: number;
  to: number;
  name: string;
  book: Book;
  /** The price that was matched last. */
  last: number | null | undefined;
  marked: number | null;
  /** What the slip holds of this runner. */
  picked: { side: 'BACK' | 'LAY'; price: number } | null;
  mine: ReturnType<typeof ordersOf>;
  off: boolean;
  onPress: (side: 'BACK' | 'LAY', price: number) => void;
  onCancel: (id: number) => Promise<void>;
}

function Rows({ from, to, name, book, last, marked, picked, mine, off, onPress, onCancel }: RowsProps) {
  return PRICES.slice(from, to).map((price, at) => (
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
      last={price === last}
      marked={from + at === marked}
      picked={picked?.price === price ? picked.side : null}
      sep={isEdge(from + at)}
      mineBack={mine.get(`BACK.${price}`)}
      mineLay={mine.get(`LAY.${price}`)}
      off={off}
      onPress={onPress}
      onCancel={onCancel}
    />
  ));
}

function Heads() {
  const mine = t({ message: 'Mine', comment: 'Over the own orders at each price.' });
  return (
    <div className={cx(css.rung, css.head)}>
      <span>{mine}</span>
      <span className="c-back">{t({ message: 'Back', context: 'bet' })}</span>
      <span>{t`Odds`}</span>
      <span className="c-lay">{t({ message: 'Lay', context: 'bet' })}</span>
      <span>{mine}</span>
      <span className={css.volume}>{t`Matched`}</span>
    </div>
  );
}

/** Where the market has gone, out of sight. */
function Away({ side, price, onPress }: { side: 'above' | 'below'; price: number; onPress: () => void }) {
  const odds = formatOdds(price);
  return (
    <button
      type="button"
      className={cx(css.away, side === 'above' ? css.awayAbove : css.awayBelow)}
      aria-label={side === 'above' ? t`Market above, at ${odds}: centre` : t`Market below, at ${odds}: centre`}
      onClick={onPress}
    >
      {side === 'above' ? '↑' : '↓'} {odds}
    </button>
  );
}

/** How much money waits on each side. `known`: the book is here, empty or not. */
function Balance({ of, known }: { of: Book; known: boolean }) {
  if (known && of.money === 0) return <p className={cx(css.none, 'fs-12 t2')}>{t`Nothing on offer`}</p>;
  const [back, lay] = [of.share, 100 - of.share];
  return (
    <div className={cx(css.weightRow, 'fs-12')}>
      <span className="c-back num">{t`Back ${back}%`}</span>
      <span className={css.weight} aria-hidden="true">
        <i className={css.weightBack} style={{ width: `${back}%` }} />
        <i className={css.weightLay} style={{ width: `${lay}%` }} />
      </span>
      <span className="c-lay num">{t`${lay}% Lay`}</span>
    </div>
  );
}
