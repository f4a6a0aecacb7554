import type { MarketImage } from '@fairgame/contract';
import { later } from '../platform/later.tsx';

const Dutch = later(async () => (await import('./dutching.tsx')).DutchButton);

/** The button that backs several runners for one profit; where there are two of them that is never to be had. */
export const DutchMe = ({ market }: { market: MarketImage }) =>
  market.kind === 'book' && market.runners.length > 2 ? <Dutch market={market} /> : null;
