import type { MarketImage, PlacedBet } from '@fairgame/contract';
import { availableOf, type Wallet } from '../live/live.ts';
import type { Draft } from '../slip/slip.ts';
import type { MarketPosition } from './positions.ts';
import { outcomeOf } from './sums.ts';

export interface Shortage {
  /** What the bet adds to the exposure, and what is there for it: minor units. */
  needMinor: number;
  haveMinor: number;
  /** The client knows all that counts. Else the server, which does, decides. */
  sure: boolean;
  /** The largest stake there is money for; 0 when there is none. */
  stakeMinor: number;
}

interface Standing {
  market: MarketImage | undefined;
  position: MarketPosition | undefined;
  /** The player's open bets of the match; undefined until they are read. */
  open: readonly PlacedBet[] | undefined;
  wallet: Wallet | null;
  /** The market takes the bet at its price at once. */
  taken: boolean;
}

/**
 * Whether the money there is covers the bet, by the exposure it adds (exchange reference 9.1): a bet that only turns what is
 * at risk costs nothing. Null while it does.
 */
export function shortageOf(draft: Draft, stakeMinor: number, standing: Standing): Shortage | null {
  const { wallet, position, open } = standing;
  if (!wallet || stakeMinor <= 0) return null;
  const haveMinor = Math.max(0, availableOf(wallet));
  const needMinor = addedExposure(draft, stakeMinor, standing);
  if (needMinor <= haveMinor) return null;
  const waiting = open?.some((bet) => bet.betId === draft.marketId && (bet.remaining > 0 || bet.status === 'PENDING'));
  // The sum is exact where one runner wins, or where the player has nothing yet; bets that wait count in ways of their own,
  // and where runners may be taken out, every such outcome counts too.
  const exact = (runnersOf(standing) !== null && !standing.market?.removable) || !position;
  return {
    needMinor,
    haveMinor,
    sure: exact && waiting === false,
    stakeMinor: largestStake(draft, haveMinor, standing),
  };
}

function largestStake(draft: Draft, haveMinor: number, standing: Standing): number {
  let low = 0;
  let high = draft.maxStakeMinor;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (addedExposure(draft, middle, standing) <= haveMinor) low = middle;
    else high = middle - 1;
  }
  return low >= draft.minStakeMinor ? low : 0;
}

/** Results per runner of a market in which one wins; null for others. */
function runnersOf({ market, position }: Standing): Array<{ id: number; net: number }> | null {
  if (market?.winners !== 1 || !['book', 'bookmaker', 'tied', 'completed'].includes(market.kind)) return null;
  return market.runners
    .filter((runner) => runner.status !== 'REMOVED')
    .map(({ id }) => ({ id, net: position?.runners.find((one) => one.runnerId === id)?.net ?? 0 }));
}

function addedExposure(draft: Draft, stakeMinor: number, standing: Standing): number {
  const { profitMinor, liabilityMinor } = outcomeOf(draft, stakeMinor);
  const runners = runnersOf(standing);
  if (!runners) return liabilityMinor;
  // What it would win counts only once it is matched.
  const gain = standing.taken ? profitMinor : 0;
  const worst = (nets: number[]) => Math.max(0, -Math.min(...nets));
  const next = runners.map(
    ({ id, net }) => net + ((id === draft.runnerId) === (draft.side === 'BACK') ? gain : -liabilityMinor),
  );
  return Math.max(0, worst(next) - worst(runners.map(({ net }) => net)));
}

/** A back takes any price at or above its own, a lay any at or below. */
export const takes = (draft: Pick<Draft, 'side' | 'price'>, price: number): boolean =>
  draft.side === 'BACK' ? price >= draft.price : price <= draft.price;
