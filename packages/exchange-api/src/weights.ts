/** How much one call may ask for, in points. */
import type { MARKET_PROJECTIONS, PRICE_DATA, Word } from './enums.ts';
import { ApiError } from './errors.ts';

const MOST_POINTS = 200;
export const MOST_RESULTS = 1000;
export const MOST_ORDERS = 1000;
export const MOST_IDS = 250;
export const MOST_PLACED = 200;
export const MOST_CHANGED = 60;

type PriceData = Word<typeof PRICE_DATA>;

/** Throws TOO_MUCH_DATA. */
export function weighCatalogue(maxResults: number, projections: readonly Word<typeof MARKET_PROJECTIONS>[]): void {
  const each = Number(projections.includes('MARKET_DESCRIPTION')) + Number(projections.includes('RUNNER_METADATA'));
  weigh(maxResults * each);
}

/** Throws TOO_MUCH_DATA. */
export function weighBook(markets: number, data: readonly PriceData[], bestDepth: number | undefined): void {
  const has = (one: PriceData) => data.includes(one);
  let each = 0;
  if (has('SP_AVAILABLE')) each += 3;
  if (has('SP_TRADED')) each += 7;
  // All beats best where both are asked.
  if (has('EX_ALL_OFFERS')) each += has('EX_TRADED') ? 32 : 17;
  else if (has('EX_BEST_OFFERS')) each += (has('EX_TRADED') ? 20 : 5) * ((bestDepth ?? 3) / 3);
  else if (has('EX_TRADED')) each += 17;
  weigh(markets * (each || 2));
}

/** Throws TOO_MUCH_DATA. */
export const weighProfit = (markets: number): void => weigh(markets * 4);

function weigh(points: number): void {
  if (points > MOST_POINTS) throw new ApiError('TOO_MUCH_DATA', `${Math.ceil(points)} points of ${MOST_POINTS}`);
}
