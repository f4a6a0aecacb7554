import { CALLS, type ConditionalOrder, type MarketImage, moveTicks, type PlacedBet } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { refresh, refreshBets } from '../api/api.ts';
import { formatOdds, formatStake, typedAmount } from '../platform/format.ts';
import { toast } from '../platform/toasts.ts';
import { edit, useBettingOff } from '../slip/slip.ts';
import { useCancel } from './cancel.ts';
import { eachWaiting, keepBet, whyNotChanged } from './change-bet.ts';
import { releaseHeld, useHeldOrders } from './held-orders.ts';
import { useArmed, useLadderSettings } from './ladder-armed.ts';
import { useBook } from './ladder-body.tsx';
import type { Book } from './ladder-book.ts';
import { useDrag } from './ladder-drag.ts';
import type { Asked, Choice } from './ladder-menu.tsx';
import { type Keep, useLadderPlacing } from './ladder-placing.ts';
import type { Traded } from './ladder-row.tsx';
import { breakEven, closedAt, type Standing } from './ladder-sums.ts';
import { pressPrice } from './live-price.tsx';
import { type MarketPosition, sideOf } from './positions.ts';
import { useStakeButtons } from './profile.ts';
import { useAfter } from './use-after.ts';

export interface DeskProps {
  market: MarketImage;
  runnerId: number;
  name: string;
  match: { id: number; title: string };
  position: MarketPosition | undefined;
}

/** Everything a trader's ladder knows and does: its book, its stake, its own bets in every state, and how they are changed. */
export function useDesk(props: DeskProps, box: RefObject<HTMLDivElement | null>) {
  const { market, runnerId, match, position } = props;
  const book = useBook(market, runnerId, match.id);
  const stopped = useBettingOff() !== null;
  const state = { ...book, off: book.off || stopped };
  const { stake, cap, settings, change, presets } = useStake(market);
  const armed = useArmed(market.status === 'CLOSED');
  const placing = useLadderPlacing({ market, matchId: match.id, runnerId, readAt: state.readAt });
  const { cancelEach, cancelRunner, cancel } = useCancel();
  const standing = standingOf(position, runnerId, state.matched);
  const held = useHeldOf(market.id, runnerId, state.book);
  const waiting = useMemo(() => [...state.mine.values()].flat(), [state.mine]);

  const bet = (side: 'BACK' | 'LAY', price: number, keep: Keep = settings.keep) => {
    if (state.off) return toast.error(t`Nothing was placed: the market does not take bets at this moment.`);
    if (armed.until === null) {
      const id = pressPrice({ matchId: match.id, eventName: match.title, marketId: market.id, runnerId, side, price });
      const persistence = keep === 'PERSIST' ? 'PERSIST' : 'LAPSE';
      const { offset, seconds } = settings;
      if (id !== null)
        edit({ stakeText: typedAmount(stake), persistence, fillOrKill: keep === 'KILL', offset, seconds }, id);
      return;
    }
    if (stake > cap) {
      toast.error(t`Nothing was placed: a press of this ladder places at most ${{ stake: formatStake(cap) }}.`);
      return;
    }
    armed.used();
    placing.place({ side, price, stake, keep, after: settings });
  };
  const drop = (ids: readonly number[], price: number) => {
    const held = waiting.filter(({ id }) => ids.includes(id));
    // Met or cancelled while it was dragged.
    if (held.length === 0) toast.error(whyNotChanged(null));
    for (const one of held) if (one.odds !== price) placing.move(one, sideOf(one), price);
  };
  const { drag, onPointerDown, leave } = useDrag(box, { drop, cancel: (ids) => void cancelEach(ids) });
  const cancelSide = (side: 'BACK' | 'LAY' | null) => {
    if (waiting.some((one) => side === null || sideOf(one) === side)) void cancelRunner(market.id, runnerId, side);
  };
  return {
    state,
    settings: { ...settings, stake },
    change,
    presets,
    cap,
    armed,
    placing,
    standing,
    held,
    waiting,
    bet,
    /** The same for the life of the ladder. */
    press: useStable(bet),
    cancel,
    cancelEach: (ids: readonly number[]) => void cancelEach(ids),
    drop,
    drag,
    onGrab: onPointerDown,
    leaveDrag: leave,
    cancelSide,
    more: useRowsMore({ standing, held: held.byPrice, placing, over: drag?.over ?? null }),
  };
}
export type Desk = ReturnType<typeof useDesk>;

function useStake(market: MarketImage) {
  const [settings, change] = useLadderSettings();
  const presets = useStakeButtons('Match');
  return {
    settings,
    change,
    presets,
    stake: settings.stake || (presets[0]?.stakeMinor ?? market.minStakeMinor),
    cap: settings.cap === 0 ? market.maxStakeMinor : Math.min(settings.cap, market.maxStakeMinor),
  };
}

/** Of the runner's own matched bets; null without any. `some`: there are some, though they may come to nothing. */
function standingOf(position: MarketPosition | undefined, runnerId: number, some: boolean): Standing | null {
  const own = position?.runners.find((one) => one.runnerId === runnerId);
  return own && (some || own.win !== 0 || own.lose !== 0) ? { win: own.win, lose: own.lose } : null;
}

/** What the server holds for the runner: all of it, and by the price that meets it. */
function useHeldOf(marketId: number, runnerId: number, { bestBack, bestLay }: Book) {
  const { data } = useHeldOrders(marketId);
  // A trailing stop goes with a better price without a word of the server.
  const isBehind = (data ?? []).some((order) => order.runnerId === runnerId && trails(order, { bestBack, bestLay }));
  useAfter(isBehind ? `${bestBack} ${bestLay}` : null, () => refresh(CALLS.trader.conditionals));
  return useMemo(() => {
    const all = (data ?? []).filter((order) => order.runnerId === runnerId);
    const byPrice = new Map<number, ConditionalOrder[]>();
    for (const order of all)
      if (order.trigger !== null) byPrice.set(order.trigger, [...(byPrice.get(order.trigger) ?? []), order]);
    return { all, byPrice };
  }, [data, runnerId]);
}

/** Whether the best price is better than all that a trailing stop has been told to have seen. */
function trails(
  { kind, bettingType, trigger, ticks }: ConditionalOrder,
  { bestBack, bestLay }: Pick<Book, 'bestBack' | 'bestLay'>,
): boolean {
  if (kind !== 'TRAIL' || trigger === null || ticks === null) return false;
  if (bettingType === 'LAY') return bestLay > 0 && moveTicks(bestLay, ticks) < trigger;
  return bestBack > 0 && moveTicks(bestBack, -ticks) > trigger;
}

const release = (id: number) => void releaseHeld({ id });

function useRowsMore({
  standing,
  held,
  placing: { coming, moving },
  over,
}: {
  standing: Standing | null;
  held: ReadonlyMap<number, readonly ConditionalOrder[]>;
  placing: Pick<ReturnType<typeof useLadderPlacing>, 'coming' | 'moving'>;
  over: number | null;
}) {
  const win = standing?.win ?? 0;
  const lose = standing?.lose ?? 0;
  const even = useMemo(() => (win === lose ? null : breakEven({ win, lose })), [win, lose]);
  return (price: number): Traded => ({
    closed: standing && closedAt(standing, price),
    even: price === even,
    held: held.get(price),
    comingBack: coming.get(`BACK.${price}`) ?? 0,
    comingLay: coming.get(`LAY.${price}`) ?? 0,
    moving,
    over: price === over,
    onRelease: release,
  });
}

/** The newest of a function that is made anew with each drawing, under one name. */
function useStable<A extends unknown[]>(work: (...args: A) => void): (...args: A) => void {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}

/** What a right press on a cell or a chip offers. */
export function choicesAt({ price, side, ids }: Asked, desk: Desk): { title: string; choices: Choice[] } {
  const at = formatOdds(price);
  const backs = side === 'BACK';
  const stake = formatStake(desk.settings.stake);
  if (ids.length === 0) {
    const bet = (keep: Keep) => () => desk.bet(side, price, keep);
    return {
      title: backs ? t`Back ${stake} at ${at}` : t`Lay ${stake} at ${at}`,
      choices: [
        { label: t`Lapse in-play`, onPress: bet('LAPSE') },
        { label: t`Keep in-play`, onPress: bet('PERSIST') },
        { label: t`Fill or kill`, onPress: bet('KILL') },
      ],
    };
  }
  const bets = desk.waiting.filter(({ id }) => ids.includes(id));
  return {
    title: backs ? t`Your back at ${at}` : t`Your lay at ${at}`,
    choices: [
      { label: t`Keep in-play`, onPress: () => void keepAll(bets, 'PERSIST') },
      { label: t`Lapse in-play`, onPress: () => void keepAll(bets, 'LAPSE') },
      { label: t`Cancel`, onPress: () => desk.cancelEach(bets.map(({ id }) => id)) },
    ],
  };
}

async function keepAll(bets: readonly PlacedBet[], persistence: PlacedBet['persistence']): Promise<void> {
  try {
    await eachWaiting(
      bets.map(({ id }) => id),
      (id) => keepBet(id, persistence),
    );
    toast.success(persistence === 'PERSIST' ? t`Kept in-play` : t`Lapses in-play`);
  } catch (failure) {
    toast.error(whyNotChanged(failure));
  } finally {
    refreshBets();
  }
}
