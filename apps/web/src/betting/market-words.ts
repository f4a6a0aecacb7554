import type { MarketImage } from '@fairgame/contract';
import { formatWhole } from '../ui/format.ts';

export const limitsText = (market: Pick<MarketImage, 'minStakeMinor' | 'maxStakeMinor'>): string =>
  `Min ${formatWhole(market.minStakeMinor)}, max ${formatWhole(market.maxStakeMinor)}`;

/** Says why a market is shut, beside the veil. */
export const stateText = (market: Pick<MarketImage, 'status' | 'reason' | 'resultText'>): string =>
  market.status === 'CLOSED'
    ? market.resultText
      ? `Result: ${market.resultText}`
      : 'Closed'
    : market.status === 'SUSPENDED' && market.reason
      ? market.reason
      : '';
