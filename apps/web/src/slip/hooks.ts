import { useSyncExternalStore } from 'react';
import { asksFirst, type Draft, isSelected, oneClickStake, onSlip, type PriceRule, priceRule, slip } from './slip.ts';

export const useSlip = (): Draft | null => useSyncExternalStore(onSlip, slip);
export const usePriceRule = (): PriceRule => useSyncExternalStore(onSlip, priceRule);
export const useAsksFirst = (): boolean => useSyncExternalStore(onSlip, asksFirst);
export const useOneClick = (): number | null => useSyncExternalStore(onSlip, oneClickStake);

/** Whether a cell is the selected one; renders only when that changes. */
export function useSelected(
  marketId: number,
  runnerId: number,
  side: 'BACK' | 'LAY',
  price: number,
  box?: number,
): boolean {
  return useSyncExternalStore(onSlip, () => isSelected(marketId, runnerId, side, price, box));
}
