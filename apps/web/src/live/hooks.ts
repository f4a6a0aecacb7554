import type { DepthImage, MarketImage, RunnerImage, Score } from '@fairgame/contract';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { watchDepth, watchMatches } from './match-socket.ts';
import { onPace, type Pace, pace } from './pace.ts';
import { onSpeaks, speaks } from './speaking.ts';
import * as store from './store.ts';
import { type Wallet, wallet, walletKey } from './wallet.ts';

function useKey<T>(key: string, read: () => T): T {
  return useSyncExternalStore(
    useCallback((listener: () => void) => store.subscribe(key, listener), [key]),
    read,
  );
}

/** A market without following its prices: renders again when its shape (status, names, lines) changes. */
export function useMarket(marketId: number): MarketImage | undefined {
  return useKey(store.keys.market(marketId), () => shapes(marketId));
}

// The image object changes with every price; rows must not. So the shape handed out is renewed only when told.
const shapeCache = new Map<number, MarketImage>();
function shapes(marketId: number): MarketImage | undefined {
  const now = store.market(marketId);
  if (!now) {
    shapeCache.delete(marketId);
    return undefined;
  }
  const held = shapeCache.get(marketId);
  if (held && sameMarket(held, now)) return held;
  shapeCache.set(marketId, now);
  return now;
}
function sameMarket(a: MarketImage, b: MarketImage): boolean {
  if (a === b) return true;
  for (const field of Object.keys(b) as Array<keyof MarketImage>)
    if (field !== 'runners' && field !== 'tradedMinor' && a[field] !== b[field]) return false;
  return (
    a.runners.length === b.runners.length &&
    b.runners.every((one, at) => {
      const was = a.runners[at]!;
      return (
        was.id === one.id &&
        was.status === one.status &&
        was.name === one.name &&
        was.factor === one.factor &&
        was.yesLine === one.yesLine &&
        was.noLine === one.noLine
      );
    })
  );
}

/** A market with all its prices: for sums over the whole field, such as cash out. Renders with every change of it. */
export function useMarketPrices(marketId: number): MarketImage | undefined {
  return useKey(store.keys.prices(marketId), () => store.market(marketId));
}

/** One runner, with its prices. */
export function useRunner(marketId: number, runnerId: number): RunnerImage | undefined {
  return useKey(store.keys.runner(marketId, runnerId), () => store.runner(marketId, runnerId));
}

/** One price: [price, size], or null when there is none. Renders again only when this level changes. */
export function useLevel(
  marketId: number,
  runnerId: number,
  side: 'back' | 'lay',
  depth: number,
): [number, number] | null {
  return useKey(store.keys.runner(marketId, runnerId), () => store.runner(marketId, runnerId)?.[side][depth] ?? null);
}

/** Money matched in a market. */
export function useTraded(marketId: number): number {
  return useKey(store.keys.market(marketId), () => store.market(marketId)?.tradedMinor ?? 0);
}

export function useMarketIds(matchId: number): number[] {
  return useKey(store.keys.match(matchId), () => store.marketIds(matchId));
}

export function useScore(matchId: number): Score | null {
  return useKey(store.keys.score(matchId), () => store.scoreOf(matchId));
}

/** When the match ended while on the screen; null while it goes on. */
export function useStopped(matchId: number): string | null {
  return useKey(store.keys.match(matchId), () => store.stoppedAt(matchId));
}

/** Prices are not to be bet on: held back until an image comes (a gap, a new epoch, a lost connection), or frozen. */
export function useBroken(marketId: number): boolean {
  const broken = useKey(store.keys.market(marketId), () => store.isBroken(marketId));
  const frozen = usePace() === 'frozen';
  return useHealth() !== 'live' || broken || frozen;
}

/** Why prices of a market that is open are not to be bet on. */
export function useStaleWords(): string {
  return usePace() === 'frozen' ? 'Prices are frozen' : 'Waiting for fresh prices';
}

/** How fast prices move on this screen. */
export function usePace(): Pace {
  return useSyncExternalStore(onPace, pace);
}

/** Whether the price in the slip is spoken. */
export function useSpeaks(): boolean {
  return useSyncExternalStore(onSpeaks, speaks);
}

export function useHealth(): store.Health {
  return useKey(store.keys.health, store.healthNow);
}

/** Follows the full ladder of a runner while mounted. */
export function useDepth(marketId: number, runnerId: number): DepthImage | undefined {
  useEffect(() => watchDepth(marketId, runnerId), [marketId, runnerId]);
  return useKey(store.keys.depth(marketId, runnerId), () => store.depthOf(marketId, runnerId));
}

/** Watches matches while mounted: `full` all their markets, `head` the main market only. */
export function useWatch(matchIds: readonly number[], mode: 'full' | 'head'): void {
  const text = [...matchIds].sort((a, b) => a - b).join(',');
  useEffect(() => (text === '' ? undefined : watchMatches(text.split(',').map(Number), mode)), [text, mode]);
}

/** Balance and exposure, live; null until the first reading. */
export function useWallet(): Wallet | null {
  return useKey(walletKey, wallet);
}
