import { type DepthImage, LADDER, type PlacedBet } from '@fairgame/contract';
import { sideOf } from './positions.ts';

/** A runner's book as rows of a ladder. Rows count from the top, prices are hundredths. */

/** High odds on top. */
export const PRICES: readonly number[] = [...LADDER].reverse();
export const rowOf = (price: number): number => PRICES.findIndex((one) => one <= price);
/** Where the ladder of a runner without a market begins: at evens. */
export const EVENS = rowOf(200);

/** The row that is there, nearest to this one. */
export const withinLadder = (row: number): number => Math.max(0, Math.min(PRICES.length - 1, row));

export type Book = ReturnType<typeof bookOf>;

/** What stands at each price, and how much of it is drawn as a full bar; sizes in minor units. */
export function bookOf(depth: DepthImage | undefined) {
  const back = new Map(depth?.back ?? []);
  const lay = new Map(depth?.lay ?? []);
  const traded = new Map(depth?.traded ?? []);
  const bestBack = depth?.back[0]?.[0] ?? 0;
  const bestLay = depth?.lay[0]?.[0] ?? 0;
  const sum = (side: Map<number, number>) => [...side.values()].reduce((total, size) => total + size, 0);
  const money = sum(back) + sum(lay);
  return {
    back,
    lay,
    traded,
    bestBack,
    bestLay,
    middle: middleOf(bestBack, bestLay, depth?.last),
    most: Math.max(1, ...back.values(), ...lay.values()),
    mostTraded: Math.max(1, ...traded.values()),
    money,
    share: money > 0 ? Math.round((sum(back) / money) * 100) : 50,
  };
}

/** The row between what can be backed and laid; of the last trade where nothing is on offer. */
export function middleOf(bestBack = 0, bestLay = 0, last: number | null = null): number | null {
  if (bestBack && bestLay) return (rowOf(bestLay) + rowOf(bestBack)) >> 1;
  const price = bestBack || bestLay || last;
  return price ? rowOf(price) : null;
}

/** Whether a tick is larger above this row than the one before: a line stands there. */
export const isEdge = (row: number): boolean => row > 1 && tickAbove(row) !== tickAbove(row - 1);

const tickAbove = (row: number): number => PRICES[row - 1]! - PRICES[row]!;

/** Own bets of one runner that still wait, by side and price: "BACK.218". */
export function ordersOf(
  bets: readonly PlacedBet[],
  marketId: number,
  runnerId: number,
): ReadonlyMap<string, readonly PlacedBet[]> {
  const own = new Map<string, PlacedBet[]>();
  for (const bet of bets) {
    if (bet.betId !== marketId || bet.runnerId !== runnerId || bet.remaining === 0) continue;
    const at = `${sideOf(bet)}.${bet.odds}`;
    own.set(at, [...(own.get(at) ?? []), bet]);
  }
  return own;
}
