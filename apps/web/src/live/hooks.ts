import type { DepthImage, MarketImage, RunnerImage, Score } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { type LineState, lineState, onLine } from './line.ts';
import { joinMatchRoom } from './main-socket.ts';
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
  return useKey(store.keys.market(marketId), () => store.shapeOf(marketId));
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

/**
 * Prices are not to be bet on: held back until an image of this connection comes (a reading of the list, a gap, a lost
 * line, a row that was out of sight), old, or frozen.
 */
export function useBroken(marketId: number): boolean {
  const held = useKey(store.keys.market(marketId), () => store.isHeldBack(marketId));
  const frozen = usePace() === 'frozen';
  return useHealth() !== 'live' || held || frozen;
}

/** The same for a press, which must not trust what was drawn a moment ago. */
export const canBet = (marketId: number): boolean =>
  store.healthNow() === 'live' && !store.isHeldBack(marketId) && pace() !== 'frozen';

/** Why prices of a market that is open are not to be bet on. */
export function useStaleWords(): string {
  return usePace() === 'frozen' ? t`Prices are frozen` : t`Waiting for fresh prices`;
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

/** In the room of a match while mounted: its results for everyone are told there. */
export function useMatchRoom(matchId: number): void {
  useEffect(() => (matchId > 0 ? joinMatchRoom(matchId) : undefined), [matchId]);
}

/** State of the connection. */
export function useLine(): LineState {
  return useSyncExternalStore(onLine, lineState);
}

/** Balance and exposure, live; null until the first reading. */
export function useWallet(): Wallet | null {
  return useKey(walletKey, wallet);
}
