import { useCallback, useSyncExternalStore } from 'react';
import { bets, type Draft, onPicked, onSlip, pricePicked, slip } from './draft.ts';
import { asksFirst, keepsSeveral, oneClickStake, type PriceRule, priceRule } from './settings.ts';

export const useSlip = (): Draft | null => useSyncExternalStore(onSlip, slip);
/** All bets of the slip. */
export const useBets = (): readonly Draft[] => useSyncExternalStore(onSlip, bets);
export const useKeepsSeveral = (): boolean => useSyncExternalStore(onSlip, keepsSeveral);
export const usePriceRule = (): PriceRule => useSyncExternalStore(onSlip, priceRule);
export const useAsksFirst = (): boolean => useSyncExternalStore(onSlip, asksFirst);
export const useOneClick = (): number | null => useSyncExternalStore(onSlip, oneClickStake);

/** The draft while it is of this market; screens with many markets render the one it is in. */
export const useSlipOf = (marketId: number): Draft | null =>
  useSyncExternalStore(onSlip, () => {
    const last = slip();
    return last?.marketId === marketId ? last : null;
  });

/** Whether a bet waits for the player's password. */
export const usePasswordAsked = (): boolean =>
  useSyncExternalStore(onSlip, () => bets().some(({ passwordFor }) => passwordFor));

/** The price with which the slip holds this cell; renders only when that changes. */
export function usePicked(marketId: number, runnerId: number, side: 'BACK' | 'LAY', box?: number): number | null {
  const listen = useCallback((listener: () => void) => onPicked(marketId, runnerId, listener), [marketId, runnerId]);
  return useSyncExternalStore(listen, () => pricePicked(marketId, runnerId, side, box));
}
