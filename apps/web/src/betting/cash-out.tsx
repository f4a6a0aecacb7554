import type { MarketImage } from '@fairgame/contract';
import { later } from '../platform/later.tsx';
import type { MarketPosition } from './positions.ts';

const CashOutOffer = later(async () => (await import('./cash-out-button.tsx')).CashOutOffer);

/** Takes the same result on every runner. The first press reads what that brings now and what it cancels, the second acts. */
export function CashOutAction({
  position,
  ...rest
}: {
  market: MarketImage;
  position: MarketPosition | undefined;
  small?: boolean;
}) {
  // Without a position nothing here follows the prices, nor is its code needed.
  return position ? <CashOutOffer position={position} {...rest} /> : null;
}
