import type { MarketId } from '@fairgame/exchange';
import { type Bus, pack, unpack } from '../bus/bus.ts';
import type { Db, Log } from '../db/db.ts';

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

type Told = { held: readonly MarketId[] } | { released: readonly MarketId[] };

const SUBJECT = 'ctl.holds';

/** The rows are the truth; other processes of the site are told of a change at once, and read them again after a pause of the bus. */
export async function createHolds(db: Db, bus: Bus, log: Log): Promise<Holds> {
  const held = new Set<MarketId>();
  const takers = new Set<(marketId: MarketId) => boolean>();
  const tell = (told: Told): void => bus.tell(SUBJECT, pack(told));

  async function read(): Promise<void> {
    const rows = await db.query<{ market_id: number }>('SELECT market_id FROM market_holds');
    held.clear();
    for (const row of rows) held.add(row.market_id);
  }
  await read();
  bus.hear(SUBJECT, (body) => {
    const told = unpack<Told>(body);
    if ('held' in told) for (const id of told.held) held.add(id);
    else for (const id of told.released) held.delete(id);
  });
  bus.onHearing((hears) => {
    if (hears) read().catch((error: unknown) => log.error({ err: error }, 'holds could not be read again'));
  });

  return {
    isHeld: (marketId) => held.has(marketId),
    async hold(marketIds, at, reason) {
      // In memory first: the feed must not slip in while the row is written.
      for (const id of marketIds) held.add(id);
      tell({ held: marketIds });
      await db.query(
        `INSERT INTO market_holds (market_id, at, reason) SELECT id, $2, $3 FROM unnest($1::bigint[]) AS ids (id)
         ON CONFLICT (market_id) DO UPDATE SET at = EXCLUDED.at, reason = EXCLUDED.reason`,
        [marketIds, at, reason],
      );
    },
    async release(marketIds) {
      await db.query('DELETE FROM market_holds WHERE market_id = ANY($1::bigint[])', [marketIds]);
      for (const id of marketIds) held.delete(id);
      tell({ released: marketIds });
    },
    onRelease(taker) {
      takers.add(taker);
      return () => takers.delete(taker);
    },
    takenBack: (marketId) => [...takers].some((taker) => taker(marketId)),
  };
}
