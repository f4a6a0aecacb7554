import { DepthView } from '../src/betting/depth.tsx';
import { MARKET_ID, MATCH_ID, show } from './trading.tsx';

/** The ladders of the market that `live` gives. */
export const showLadders = () =>
  show(
    <DepthView
      marketId={MARKET_ID}
      match={{ id: MATCH_ID, title: 'India v Australia' }}
      position={undefined}
      onClose={() => undefined}
    />,
  );
