/** How a removed runner reduces the prices of bets on the others (exchange reference 7). Factors are percent x 100. */
import { divFloor, MIN_ODDS } from '@fairgame/contract';
import type { Removal } from './state.ts';

/** WIN markets: factors under 2.5 % change nothing. */
const WIN_THRESHOLD = 250;
/** PLACE markets: unmatched lays on the others go at 4 %. */
const PLACE_LAY_THRESHOLD = 400;
const WHOLE = 10_000n;

/** Whether a removal changes the prices of matched bets: from 2.5 % in WIN markets, always in PLACE markets. */
export function isReducing(factor: number, place: boolean): boolean {
  return place ? factor > 0 : factor >= WIN_THRESHOLD;
}

/** Whether unmatched lays on the other runners lapse (kept ones are reduced). */
export function isLayLapsing(factor: number, place: boolean): boolean {
  return factor >= (place ? PLACE_LAY_THRESHOLD : WIN_THRESHOLD);
}

/** The same for one removal alone. */
export function reducedOnce(price: number, factor: number, place: boolean): number {
  if (!isReducing(factor, place)) return price;
  const base = place ? 100 : 0;
  return Math.max(MIN_ODDS, base + divFloor((price - base) * (10_000 - factor) * 2 + 10_000, 20_000));
}

/**
 * The price a fill is paid at: the original times (1 - f) for every removal it was there for, rounded once to two
 * decimals (half up), 1.01 at least. In PLACE markets the winnings (price - 1) are reduced instead. A runner removed a
 * second time does not reduce again what its first removal reduced.
 */
export function reducedPrice(
  fill: { id: number; price: number },
  removals: ReadonlyArray<Pick<Removal, 'runnerId' | 'factor' | 'upTo'>>,
  place: boolean,
): number {
  if (removals.length === 0) return fill.price;
  const base = place ? 100 : 0;
  let value = BigInt(fill.price - base);
  let scale = 1n;
  const counted = new Set<number>();
  for (const removal of removals) {
    if (fill.id > removal.upTo || counted.has(removal.runnerId) || !isReducing(removal.factor, place)) continue;
    counted.add(removal.runnerId);
    value *= WHOLE - BigInt(removal.factor);
    scale *= WHOLE;
  }
  if (scale === 1n) return fill.price;
  return Math.max(MIN_ODDS, base + Number((value * 2n + scale) / (scale * 2n)));
}
