import { CALLS, type MarketImage, type PlaceBody, type PlacedBet, TIME } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiError, api, errorText, refresh, refreshBets } from '../api/api.ts';
import { canBet, knowBets, marketNow, runnerNow, takeWallet } from '../live/live.ts';
import { formatOdds, formatStake } from '../platform/format.ts';
import { newKey } from '../platform/key.ts';
import { holdReload } from '../platform/reload.ts';
import { toast } from '../platform/toasts.ts';
import { type After, answerOf, broughtBy } from '../slip/slip.ts';
import { replaceBet, whyNotChanged } from './change-bet.ts';
import { veilOf } from './kinds.ts';

/** Bets that a ladder places and moves by itself, several at a time, each followed to its end whatever becomes of the answer. */

/** What becomes of the rest: it lapses when the market turns in play, is kept, or nothing is bet unless all is matched at once. */
export type Keep = 'LAPSE' | 'PERSIST' | 'KILL';

export interface Wish {
  side: 'BACK' | 'LAY';
  price: number;
  stake: number;
  keep: Keep;
  after: After;
}

interface OnItsWay {
  id: string;
  side: 'BACK' | 'LAY';
  price: number;
  minor: number;
  /** The bet that moves here. */
  bet?: number;
  /** Answered: it stays until the bets were read again, so that nothing blinks. */
  answeredAt?: number;
}

interface Setting {
  market: Pick<MarketImage, 'id' | 'betDelayMs' | 'inPlay'>;
  matchId: number;
  runnerId: number;
  /** When the player's bets were last read. */
  readAt: number;
}

export function useLadderPlacing({ market, matchId, runnerId, readAt }: Setting) {
  const [all, setAll] = useState<readonly OnItsWay[]>([]);
  const [password, setPassword] = useState<{ go: () => void } | null>(null);
  const here = useRef({ market, matchId, runnerId });
  useEffect(() => {
    here.current = { market, matchId, runnerId };
  });
  useEffect(() => {
    setAll((now) => {
      const left = now.filter(({ answeredAt }) => answeredAt === undefined || answeredAt >= readAt);
      return left.length === now.length ? now : left;
    });
  }, [readAt]);
  const deeds = useMemo(() => {
    const follow = async (one: OnItsWay, work: () => Promise<boolean>) => {
      setAll((now) => [...now, one]);
      const release = holdReload();
      const done = await work().catch(() => false);
      release();
      setAll((now) =>
        done
          ? now.map((each) => (each.id === one.id ? { ...each, answeredAt: Date.now() } : each))
          : now.filter(({ id }) => id !== one.id),
      );
      refreshBets();
    };
    const place = (wish: Wish, key = newKey()): void => {
      const { side, price, stake } = wish;
      void follow({ id: key, side, price, minor: stake }, () =>
        placed({ ...here.current, wish, key }, () => setPassword({ go: () => place(wish, key) })),
      );
    };
    const move = (bet: PlacedBet, side: 'BACK' | 'LAY', price: number): void => {
      const one = { id: `${bet.id}.${newKey()}`, side, price, minor: bet.remaining, bet: bet.id };
      void follow(one, () => moved(bet, price));
    };
    return { place, move };
  }, []);
  return { ...deeds, ...useMemo(() => sumsOf(all), [all]), password, leavePassword: () => setPassword(null) };
}

/** One and the same: rows are not drawn anew for it. */
const NONE = new Set<number>();

/** Stakes on their way by side and price, and the bets among them that wait elsewhere until they are there. */
function sumsOf(all: readonly OnItsWay[]) {
  const coming = new Map<string, number>();
  const moving = all.some(({ bet }) => bet !== undefined) ? new Set<number>() : NONE;
  for (const { side, price, minor, bet } of all) {
    const at = `${side}.${price}`;
    coming.set(at, (coming.get(at) ?? 0) + minor);
    if (bet !== undefined) moving.add(bet);
  }
  return { coming, moving };
}

interface Placing extends Omit<Setting, 'readAt'> {
  wish: Wish;
  key: string;
}

/** Sends a bet and follows it; true where one was placed. What went wrong was told. */
async function placed({ market, matchId, runnerId, wish, key }: Placing, onPassword: () => void): Promise<boolean> {
  const { side, price, stake, keep } = wish;
  const now = marketNow(market.id);
  const runner = runnerNow(market.id, runnerId);
  if (!now || !canBet(market.id) || veilOf(now, runner) !== null) {
    toast.error(t`Nothing was placed: the market does not take bets at this moment.`);
    return false;
  }
  const body: PlaceBody = {
    key,
    betId: market.id,
    matchId,
    runnerId,
    bettingType: side,
    odd: price,
    stake,
    marketVersion: now.version,
    ...(keep === 'KILL' ? { minFill: stake } : { persistence: keep }),
    ...broughtBy(wish.after),
  };
  const delayMs = now.inPlay ? now.betDelayMs : 0;
  try {
    const answer = await answerOf(
      key,
      () => api(CALLS.bets.place, { body }, { quiet: true, timeoutMs: TIME.placeTimeoutMs + delayMs }),
      { delayMs },
    );
    takeWallet(answer.wallet);
    knowBets([answer.bet]);
    tellPlaced(answer.bet, side);
    if (answer.orders) refresh(CALLS.trader.conditionals);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'STEP_UP_REQUIRED') onPassword();
    else if (error instanceof ApiError && error.code === 'KEY_UNKNOWN')
      toast.error(t`Your bet was not placed: the connection was lost before it arrived.`);
    else toast.error(errorText(error));
    return false;
  }
}

function tellPlaced(bet: PlacedBet, side: 'BACK' | 'LAY'): void {
  const [stake, odds] = [formatStake(bet.amount), formatOdds(bet.odds)];
  const state = placedState(bet);
  toast.success(side === 'BACK' ? t`Back ${stake} at ${odds}: ${state}` : t`Lay ${stake} at ${odds}: ${state}`);
}

function placedState({ status, matched, remaining }: PlacedBet): string {
  if (status === 'PENDING') return t({ message: 'in its delay', comment: 'a bet, after a colon' });
  if (matched === 0) return t({ message: 'waits', comment: 'a bet, after a colon' });
  if (remaining === 0) return t({ message: 'matched', comment: 'a bet, after a colon' });
  return t`${{ stake: formatStake(matched) }} matched`;
}

/** Takes a waiting bet to another price; true where it went there. It waits where it was until the server has said so. */
async function moved(bet: PlacedBet, price: number): Promise<boolean> {
  try {
    const { bet: next, wallet } = await replaceBet(bet.id, { odd: price, stake: bet.remaining }, bet.remaining);
    takeWallet(wallet);
    knowBets([next]);
    return true;
  } catch (failure) {
    const left = failure instanceof ApiError ? failure.current?.remainingMinor : undefined;
    toast.error(
      left === undefined
        ? whyNotChanged(failure)
        : t`${{ gone: formatStake(bet.remaining - left) }} of it was matched or ended meanwhile: nothing was moved.`,
    );
    return false;
  }
}
