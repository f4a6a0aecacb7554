import type { MarketImage, PlacedBet } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type ReactNode, type RefObject, useMemo, useRef } from 'react';
import { useBroken, useDepth } from '../live/live.ts';
import { formatOdds } from '../platform/format.ts';
import { cx } from '../ui/cx.ts';
import { isDeleted } from './bet-state.ts';
import { useClosed } from './closed-words.ts';
import { veilOf } from './kinds.ts';
import { type Book, bookOf, EVENS, isEdge, middleOf, ordersOf, PRICES } from './ladder-book.ts';
import type { useMarkedRow } from './ladder-keys.tsx';
import { LadderRow, type Traded } from './ladder-row.tsx';
import type { useView } from './ladder-view.ts';
import { useMarketBets } from './positions.ts';
import css from '../ui/ladder.module.css';
import traderCss from './trader.module.css';

/** The book of the runner, the player's orders in it, whether bets of his were matched, and whether and why it is closed now. */
export function useBook(market: MarketImage, runnerId: number, matchId: number) {
  const depth = useDepth(market.id, runnerId);
  const broken = useBroken(market.id);
  const runner = market.runners.find((one) => one.id === runnerId);
  const veil = veilOf(market, runner);
  const closed = useClosed(market.id, market, runner);
  const { rows, total, readAt } = useMarketBets(matchId, market.id);
  const before = useRef<ReturnType<typeof ordersOf>>(new Map());
  const mine = useMemo(() => {
    before.current = kept(before.current, ordersOf(rows, market.id, runnerId));
    return before.current;
  }, [rows, market.id, runnerId]);
  // Of more bets than are read, a result of nothing may be one that was made.
  const matched =
    rows.length < total ||
    rows.some((bet) => bet.betId === market.id && bet.runnerId === runnerId && bet.matched > 0 && !isDeleted(bet));
  const book = useMemo(() => bookOf(depth), [depth]);
  // Until the book has come, the best prices of the market say where the ladder begins.
  const begin = depth ? (book.middle ?? EVENS) : middleOf(runner?.back[0]?.[0], runner?.lay[0]?.[0]);
  return { depth, begin, book, mine, matched, readAt, closed, off: broken || veil !== null };
}

type Orders = ReturnType<typeof ordersOf>;

/** The lists of prices where nothing changed are those from before: their rows are not drawn anew. */
function kept(before: Orders, now: Orders): Orders {
  const same = (a: readonly PlacedBet[] | undefined, b: readonly PlacedBet[]) =>
    a?.length === b.length && a.every((bet, at) => bet === b[at]);
  return new Map([...now].map(([at, bets]) => [at, same(before.get(at), bets) ? before.get(at)! : bets]));
}

interface BodyProps {
  name: string;
  box: RefObject<HTMLDivElement | null>;
  view: ReturnType<typeof useView>;
  keys: ReturnType<typeof useMarkedRow>;
  state: ReturnType<typeof useBook>;
  /** What the slip holds of this runner. */
  picked: { side: 'BACK' | 'LAY'; price: number } | null;
  onPress: (side: 'BACK' | 'LAY', price: number) => void;
  onCancel: (id: number) => unknown;
  /** What a trader's row has more, by its price. */
  more?: (price: number) => Traded;
  label: string;
  /** Beside the rows, such as a chip under the pointer. */
  children?: ReactNode;
}

/**
 * The rows of a ladder. They stand still: the view is centred once and when the player asks for it, never under a pointer. It
 * scrolls as any list; only the rows in sight are drawn.
 */
export function LadderBody({
  name,
  box,
  view,
  keys,
  state,
  picked,
  onPress,
  onCancel,
  more,
  label,
  children,
}: BodyProps) {
  const { book, depth, mine, off, closed } = state;
  return (
    <>
      <Balance of={book} known={depth !== undefined} />
      <Heads trader={more !== undefined} />
      <div className={css.view}>
        {view.away && book.middle !== null && (
          <Away side={view.away} price={PRICES[book.middle]!} onPress={keys.centre} />
        )}
        {closed && (
          <p className={traderCss.shut} role="status">
            {closed}
          </p>
        )}
        {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: the ladder is one tab stop and takes the keys of its legend while it has the focus */}
        <div
          className={cx(css.box, off && 'is-off')}
          ref={box}
          tabIndex={0}
          role="group"
          aria-label={label}
          onKeyDown={keys.onKey}
          onScroll={view.onScroll}
        >
          <div className={css.all} style={{ '--rows': PRICES.length, '--from': view.from } as object}>
            <Rows
              from={view.from}
              to={view.to}
              name={name}
              book={book}
              last={depth?.last}
              marked={keys.marked}
              picked={picked}
              mine={mine}
              off={off}
              onPress={onPress}
              onCancel={onCancel}
              more={more}
            />
          </div>
        </div>
        {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: see above */}
        {children}
      </div>
    </>
  );
}

interface RowsProps extends Pick<BodyProps, 'name' | 'picked' | 'onPress' | 'onCancel'> {
  from: number;
  to: number;
  book: Book;
  /** The price that was matched last. */
  last: number | null | undefined;
  marked: number | null;
  mine: ReadonlyMap<string, readonly PlacedBet[]>;
  off: boolean;
  more: BodyProps['more'] | undefined;
}

/** Of the largest size of its kind, in whole percent: a row is drawn anew only where its bar is another. */
const part = (size: number, most: number, least = 0): number => Math.max(least, Math.round((size / most) * 100));

function Rows({ from, to, name, book, last, marked, picked, mine, off, onPress, onCancel, more }: RowsProps) {
  return PRICES.slice(from, to).map((price, at) => {
    const [back, lay, traded] = [book.back.get(price) ?? 0, book.lay.get(price) ?? 0, book.traded.get(price) ?? 0];
    return (
      <LadderRow
        key={price}
        price={price}
        name={name}
        back={back}
        lay={lay}
        traded={traded}
        backBar={part(back, book.most, 4)}
        layBar={part(lay, book.most, 4)}
        tradedBar={part(traded, book.mostTraded)}
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
        {...more?.(price)}
      />
    );
  });
}

function Heads({ trader }: { trader: boolean }) {
  const mine = t({ message: 'Mine', comment: 'Over the own orders at each price.' });
  return (
    <div className={cx(css.rung, css.head)}>
      {trader && <span title={t`Your result, whatever wins, if you close here`}>{t`P/L`}</span>}
      <span>{mine}</span>
      <span className="c-back">{t({ message: 'Back', context: 'bet' })}</span>
      <span>{t`Odds`}</span>
      <span className="c-lay">{t({ message: 'Lay', context: 'bet' })}</span>
      <span>{mine}</span>
      <span className={css.volume}>{t({ message: 'Matched', context: 'ladder' })}</span>
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
