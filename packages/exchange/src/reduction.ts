/** How a removed runner reduces the prices of bets on the others (exchange reference 7). Factors are percent x 100. */
import { divFloor, MIN_ODDS } from '@fairgame/contract';
import type { Market, Removal } from './state.ts';

/** WIN markets: factors under 2.5 % change nothing. */
const WIN_THRESHOLD = 250;
/** PLACE markets: unmatched lays on the others go at 4 %. */
const PLACE_LAY_THRESHOLD = 400;
const WHOLE = 10_000n;

/** Whether a removal changes the prices of matched bets: from 2.5 % in WIN markets, always in PLACE markets. */
export function isReducing(factor: number, place: boolean): boolean {
  return place ? factor > 0 : factor >= WIN_THRESHOLD;
}

/** Whether unmatched lays on the other runners lapse (kept ones are reduced); otherwise they stay at their price. */
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

/** What becomes of a price in a field as it stands. */
export interface Reduced {
  now: number;
  /** By runner, should it be removed next; 0 where that changes nothing. */
  next: Int32Array;
}

/** Of a field, since bets by the hundred thousand share a few prices. A market asks anew once its field has changed. */
export interface Reductions {
  active: Int32Array;
  removals: number;
  byPrice: Map<number, Reduced>;
}

/** What a match is paid at after all removals it was there for, and after one more. */
export function reducedFill(market: Market, { id, price }: { id: number; price: number }): Reduced {
  const { removals } = market;
  let since = removals.length;
  while (since > 0 && id <= removals[since - 1]!.upTo) since--;
  const found = knownOf(market).get(keyOf(price, since));
  if (found !== undefined) return found;
  const place = market.def.placeMarket === true;
  return enter(market, price, since, {
    now: reducedPrice({ id, price }, removals, place),
    next: nextOf(market, (runnerId, factor) =>
      reducedPrice({ id, price }, [...removals, { runnerId, factor, upTo: id }], place),
    ),
  });
}

/** What one more removal makes of a match at a price that no removal has reduced. */
export function reducedNew(market: Market, price: number): Reduced {
  const found = knownOf(market).get(keyOf(price, NEW));
  if (found !== undefined) return found;
  const place = market.def.placeMarket === true;
  return enter(market, price, NEW, {
    now: price,
    next: nextOf(market, (_, factor) => reducedOnce(price, factor, place)),
  });
}

/** What one more removal makes of the price of an unmatched lay: nothing, where it stays as it is. */
export function reducedOpen(market: Market, price: number): Reduced {
  const found = knownOf(market).get(keyOf(price, UNMATCHED));
  if (found !== undefined) return found;
  const place = market.def.placeMarket === true;
  return enter(market, price, UNMATCHED, {
    now: price,
    next: nextOf(market, (_, factor) => (isLayLapsing(factor, place) ? reducedOnce(price, factor, place) : 0)),
  });
}

const NEW = -1;
const UNMATCHED = -2;

/** What is known of prices in the field as it is. */
function knownOf(market: Market): Map<number, Reduced> {
  const { active, removals, reductions } = market;
  if (reductions !== null && reductions.active === active && reductions.removals === removals.length)
    return reductions.byPrice;
  const byPrice = new Map<number, Reduced>();
  market.reductions = { active, removals: removals.length, byPrice };
  return byPrice;
}

/** `since`: how many removals were before it. */
function keyOf(price: number, since: number): number {
  return price * MOST_REMOVALS + since - UNMATCHED;
}

function enter(market: Market, price: number, since: number, reduced: Reduced): Reduced {
  knownOf(market).set(keyOf(price, since), reduced);
  return reduced;
}

/** Far above the largest field. */
const MOST_REMOVALS = 4096;

function nextOf(market: Market, reduce: (runnerId: number, factor: number) => number): Int32Array {
  const next = new Int32Array(market.runners.length);
  for (const index of market.active) {
    const { id, def } = market.runners[index]!;
    const factor = def.adjustmentFactor ?? 0;
    if (isReducing(factor, market.def.placeMarket === true)) next[index] = reduce(id, factor);
  }
  return next;
}
