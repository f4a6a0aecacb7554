import type { MarketImage } from '@fairgame/contract';
import { msg } from '@lingui/core/macro';
import { later } from '../platform/later.tsx';
import { whenQuiet } from '../platform/when-quiet.ts';
import { alone } from '../ui/boundary.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { type ChartOf, PriceRoom } from './price-room.tsx';
import { usePriceHistory } from './use-price-history.ts';

/** The small trend before the cells. */
export function Trend({ market, runnerId }: { market: MarketImage; runnerId: number }) {
  const { runners } = usePriceHistory(market);
  const candles = runners.find(({ runner }) => runner.id === runnerId)?.candles ?? [];
  return <Sparkline points={candles.slice(-40).map(([, , , , close]) => close)} />;
}

/** What an event that is over left behind. */
export const PastPrices = alone(
  msg`The price charts`,
  later(async () => (await import('./past-prices.tsx')).PastPrices),
);

/** The chart below the markets: it comes when the first screen stands, into the room that is kept for it. */
export const PriceHistory = alone(
  msg`The price chart`,
  later(
    async () => {
      await new Promise<void>(whenQuiet);
      return (await import('./price-history.tsx')).PriceHistory;
    },
    (props: ChartOf) => <PriceRoom {...props} />,
  ),
);
