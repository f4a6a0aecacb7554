import type { MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { formatWhole } from '../platform/format.ts';
import { named, namedResult } from '../platform/named.ts';

export const limitsText = (market: Pick<MarketImage, 'minStakeMinor' | 'maxStakeMinor'>): string =>
  t`Min ${{ least: formatWhole(market.minStakeMinor) }}, max ${{ most: formatWhole(market.maxStakeMinor) }}`;

/** Says why a market is shut, beside the veil. */
export const stateText = (market: Pick<MarketImage, 'status' | 'reason' | 'resultText'>): string =>
  market.status === 'CLOSED'
    ? market.resultText
      ? t`Result: ${{ result: namedResult(market.resultText) }}`
      : t`Closed`
    : market.status === 'SETTLING'
      ? named(market.reason) || t`The result is being booked`
      : market.status === 'SUSPENDED' && market.reason
        ? named(market.reason)
        : '';

/** The draw as a runner of its own: "Draw", "The Draw". */
export const isDraw = (name: string): boolean => /^(the )?draw$/i.test(name);
