import type { MarketImage } from '@fairgame/contract';
import { later } from '../platform/later.tsx';
import buttonCss from '../ui/button.module.css';

const Dutch = later(
  async () => (await import('./dutching.tsx')).DutchButton,
  // Its place, so that the signs beside it stay in theirs.
  () => <i className={buttonCss.icon} />,
);

/** The button that backs several runners for one profit; where there are two of them that is never to be had. */
export const DutchMe = ({ market }: { market: MarketImage }) =>
  market.kind === 'book' && market.runners.length > 2 ? <Dutch market={market} /> : null;
