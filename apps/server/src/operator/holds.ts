import type { MarketId } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';

/** Markets the operator has suspended. The feed asks before it opens one, so that it stays shut until it is given back. */
export interface Holds {
  isHeld(marketId: MarketId): boolean;
  hold(marketIds: readonly MarketId[], at: number, reason: string): Promise<void>;
  release(marketIds: readonly MarketId[]): Promise<void>;
  /** Who knows the state a market should have takes it back here and answers true; else it is simply opened. */
  onRelease(taker: (marketId: MarketId) => boolean): () => void;
  /** Asks the takers. */
  takenBack(marketId: MarketId): boolean;
}

export async function createHolds(db: Db): Promise<Holds> {
  const rows = await db.query<{ market_id: number }>('SELECT market_id FROM market_holds');
  const held = new Set(rows.map((row) => row.market_id));
  const takers = new Set<(marketId: MarketId) => boolean>();
  return {
    isHeld: (marketId) => held.has(marketId),
    async hold(marketIds, at, reason) {
      // In memory first: the feed must not slip in while the row is written.
      for (const id of marketIds) held.add(id);
      await db.query(
        `INSERT INTO market_holds (market_id, at, reason) SELECT id, $2, $3 FROM unnest($1::bigint[]) AS ids (id)
         ON CONFLICT (market_id) DO UPDATE SET at = EXCLUDED.at, reason = EXCLUDED.reason`,
        [marketIds, at, reason],
      );
    },
    async release(marketIds) {
      await db.query('DELETE FROM market_holds WHERE market_id = ANY($1::bigint[])', [marketIds]);
      for (const id of marketIds) held.delete(id);
    },
    onRelease(taker) {
      takers.add(taker);
      return () => takers.delete(taker);
    },
    takenBack: (marketId) => [...takers].some((taker) => taker(marketId)),
  };
}
