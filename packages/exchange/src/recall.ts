/** Settled markets that left memory, read back from what they left behind. */
import { openArchive } from './archive.ts';
import type { Refused } from './guard.ts';
import { refuse } from './guard.ts';
import type { Market, State } from './state.ts';
import { listMarket } from './state.ts';
import type { MarketSnapshot } from './types.ts';
import { markDirty } from './work.ts';

/** The market in memory, or read from its archive but not entered yet. */
export function recall(state: State, marketId: number, archived: MarketSnapshot | undefined): Market | Refused {
  const market = state.markets.get(marketId);
  if (market !== undefined) return market;
  if (archived === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  const restored = openArchive(state, archived);
  return restored?.id === marketId ? restored : refuse('MARKET_UNKNOWN', 'archived');
}

/** Enters a market that was read from its archive. */
export function enterRecalled(state: State, market: Market): void {
  if (state.markets.has(market.id)) return;
  listMarket(state, market);
  markDirty(state, market);
  for (const fill of market.fills) markDirty(state, fill);
  for (const holding of market.holdings.values()) holding.account.holdings.set(market.id, holding);
  for (const order of market.orders) {
    state.orders.set(order.id, order);
    markDirty(state, order);
  }
}
