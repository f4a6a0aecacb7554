import { type DepthImage, LADDER, type MarketImage, type PlacedBet } from '@fairgame/contract';
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
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
import { LadderRow } from './ladder-row.tsx';
import { pressPrice } from './live-price.tsx';
import { type MarketPosition, sideOf, useOpenBets } from './positions.ts';

/** High odds on top. */
const PRICES = [...LADDER].reverse();
const rowOf = (price: number): number => PRICES.findIndex((one) => one <= price);
/** Where the ladder of a runner without a market begins: at evens. */
const EVENS = rowOf(200);

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
  const mine = useOwnOrders(match.id, marketId, runnerId);
  const book = useMemo(() => bookOf(depth), [depth]);
  const box = useRef<HTMLDivElement>(null);
  const view = useView(box, depth && (book.middle ?? EVENS));
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
    const next = Math.max(0, Math.min(PRICES.length - 1, row));
    setMarked(next);
    view.show(next);
    announce(formatOdds(PRICES[next]!));
  };
  const onKey = (event: KeyboardEvent) => {
    // Keys of the lists of own orders are theirs.
    if (event.defaultPrevented || (event.target as Element).closest('[popover]')) return;
    const key = event.key.toLowerCase();
    const move = { arrowup: -1, arrowdown: 1, pageup: -10, pagedown: 10 }[key];
    if (move !== undefined) mark(marked === null ? (book.middle ?? EVENS) : marked + move);
    else if (key === 'b' || key === 'l') {
      // A held key is one press. Nothing is done at a row that is not marked in sight.
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (marked === null || !view.shows(marked)) mark(marked ?? book.middle ?? EVENS);
      else if (!off) press(key === 'b' ? 'BACK' : 'LAY', PRICES[marked]!);
    } else if (key === 'c' && !event.ctrlKey && !event.metaKey) centre();
    else if (key === 'escape') {
      if (mine.size === 0) return;
      void cancelAll([marketId]);
    } else return;
    event.preventDefault();
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
                sep={bandOf(PRICES[view.from + at - 1] ?? price) !== bandOf(price)}
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

type Book = ReturnType<typeof bookOf>;

function bookOf(depth: DepthImage | undefined) {
  const back = new Map(depth?.back ?? []);
  const lay = new Map(depth?.lay ?? []);
  const traded = new Map(depth?.traded ?? []);
  const bestBack = depth?.back[0]?.[0] ?? 0;
  const bestLay = depth?.lay[0]?.[0] ?? 0;
  const sum = (side: Map<number, number>) => [...side.values()].reduce((total, size) => total + size, 0);
  const money = sum(back) + sum(lay);
  return {
    back,
    lay,
    traded,
    bestBack,
    bestLay,
    /** The row between what can be backed and laid; of the last trade where nothing is on offer. */
    middle:
      bestLay && bestBack ? (rowOf(bestLay) + rowOf(bestBack)) >> 1 : rowAt(bestBack || bestLay || depth?.last || 0),
    most: Math.max(1, ...back.values(), ...lay.values()),
    mostTraded: Math.max(1, ...traded.values()),
    money,
    share: money > 0 ? Math.round((sum(back) / money) * 100) : 50,
  };
}
const rowAt = (price: number): number | null => (price > 0 ? rowOf(price) : null);

/** A line stands where the size of a tick changes. */
const bandOf = (price: number): number =>
  [200, 300, 400, 600, 1000, 2000, 3000, 5000, 10_000].findIndex((edge) => price < edge);

function useOwnOrders(matchId: number, marketId: number, runnerId: number): ReadonlyMap<string, readonly PlacedBet[]> {
  const { data } = useOpenBets(matchId);
  return useMemo(() => {
    const own = new Map<string, PlacedBet[]>();
    for (const bet of data?.rows ?? []) {
      if (bet.betId !== marketId || bet.runnerId !== runnerId || bet.remaining === 0) continue;
      const at = `${sideOf(bet)}.${bet.odds}`;
      own.set(at, [...(own.get(at) ?? []), bet]);
    }
    return own;
  }, [data, marketId, runnerId]);
}

/** Rows drawn beyond those in sight. */
const MORE = 8;
/** Before the browser has laid the ladder out. */
const ROW_PX = 25;
const VIEW_PX = 27 * ROW_PX;

/** The part of the ladder in sight. */
function useView(box: RefObject<HTMLDivElement | null>, middle: number | undefined) {
  const [top, setTop] = useState(0);
  const measure = useCallback(() => {
    const element = box.current;
    const row = element?.querySelector<HTMLElement>('.lad__r')?.offsetHeight || ROW_PX;
    return { row, seen: Math.max(1, Math.floor((element?.clientHeight || VIEW_PX) / row)) };
  }, [box]);
  const goTo = useCallback(
    (first: number) => {
      const { row, seen } = measure();
      const next = Math.max(0, Math.min(PRICES.length - seen, first));
      if (box.current) box.current.scrollTop = next * row;
      setTop(next);
    },
    [box, measure],
  );
  const centreOn = useCallback((row: number) => goTo(row - (measure().seen >> 1)), [goTo, measure]);
  // Once, as soon as there is a market to centre on.
  const centred = useRef(false);
  useLayoutEffect(() => {
    if (centred.current || middle === undefined) return;
    centred.current = true;
    centreOn(middle);
  }, [middle, centreOn]);
  // A box that grows or shrinks shows another number of rows.
  const [, sized] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => sized((n) => n + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  const { seen } = measure();
  const shows = (row: number) => row >= top && row < top + seen;
  return {
    from: Math.max(0, top - MORE),
    to: Math.min(PRICES.length, top + seen + MORE),
    /** Where the market is, when it is out of sight. */
    away: middle === undefined || shows(middle) ? null : middle < top ? ('above' as const) : ('below' as const),
    shows,
    onScroll: () => setTop(Math.round((box.current?.scrollTop ?? 0) / measure().row)),
    centre: () => {
      if (middle !== undefined) centreOn(middle);
    },
    /** Brings a row into sight, where it is not. */
    show: (row: number) => {
      if (!shows(row)) centreOn(row);
    },
  };
}
