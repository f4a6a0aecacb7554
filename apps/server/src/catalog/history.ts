/** Prices of runners over time, sampled; kept in memory for the hours of a match, thinned as they grow older. */
import type { MarketImage } from '@fairgame/contract';

const MOST_POINTS = 360;

/** Time in ms, price in hundredths, and the runner's matched money until then in minor units. */
export type Point = [at: number, price: number, tradedMinor: number];

export interface History {
  /** Takes the present prices of a book market. */
  sample(image: MarketImage, now: number): void;
  /** Oldest first. */
  points(marketId: number, runnerId: number): Point[];
  forget(marketId: number): void;
}

export function createHistory(): History {
  const markets = new Map<number, Map<number, Point[]>>();
  return {
    sample(image, now) {
      let runners = markets.get(image.id);
      if (!runners) {
        runners = new Map();
        markets.set(image.id, runners);
      }
      for (const runner of image.runners) {
        const price = priceOf(runner);
        if (price === 0) continue;
        let points = runners.get(runner.id);
        if (!points) {
          points = [];
          runners.set(runner.id, points);
        }
        const last = points[points.length - 1];
        if (last?.[1] === price && last[2] === runner.tradedMinor) continue;
        points.push([now, price, runner.tradedMinor]);
        if (points.length > MOST_POINTS) thin(points);
      }
    },
    points: (marketId, runnerId) => markets.get(marketId)?.get(runnerId) ?? [],
    forget: (marketId) => void markets.delete(marketId),
  };
}

/**
 * The last traded price while it lies within today's offers, else the best that can be backed: the house quotes without
 * trading, and a trade of an hour ago is no price of now.
 */
function priceOf(runner: MarketImage['runners'][number]): number {
  const back = runner.back[0]?.[0] ?? 0;
  const lay = runner.lay[0]?.[0] ?? 0;
  if (runner.last > 0 && runner.last >= back && (lay === 0 || runner.last <= lay)) return runner.last;
  return back || runner.last;
}

/** Every other point of the older half goes. */
function thin(points: Point[]): void {
  const half = points.length >> 1;
  const older = points.splice(0, half).filter((_, i) => i % 2 === 0);
  points.unshift(...older);
}
