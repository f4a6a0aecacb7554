/** The last trades of a market, as the core committed them. What this process did not hear itself stands in the rows. */
import { perWorld, type World } from '../core/core.ts';
import type { Db } from '../db/db.ts';

/** Number of the trade, when (ms), runner, price (hundredths), size (minor units), and what its taker did. */
export type Trade = [id: number, at: number, runnerId: number, price: number, sizeMinor: number, taker: 'BACK' | 'LAY'];

export const MOST_TRADES = 50;

export interface Tape {
  take(world: World, marketId: number, trade: Trade): void;
  /** Newest first. */
  read(world: World, marketId: number): Promise<Trade[]>;
  forget(world: World, marketId: number): void;
}

interface Held {
  /** Oldest first. */
  trades: Trade[];
  /** What lies before them was read from the rows. */
  whole: boolean;
}

export function createTape(db: Pick<Db, 'query'>, isLive: (world: World, marketId: number) => boolean): Tape {
  const worlds = perWorld(() => new Map<number, Held>());

  async function older(world: World, marketId: number): Promise<Trade[]> {
    const rows = await db.query<{ id: number; at: number; runner: number; price: number; size: number; taker: string }>(
      `SELECT id, at, runner_id AS runner, price, size, taker FROM fills
         WHERE market_id = $1 AND world = $2 ORDER BY id DESC LIMIT ${MOST_TRADES}`,
      [marketId, world],
    );
    return rows.map(({ id, at, runner, price, size, taker }) => [id, at, runner, price, size, taker as 'BACK']);
  }

  return {
    take(world, marketId, trade) {
      const held = worlds[world].get(marketId);
      if (!held) worlds[world].set(marketId, { trades: [trade], whole: false });
      // The rows may have told it before the commit was heard here.
      else if (trade[0] <= (held.trades.at(-1)?.[0] ?? 0)) return;
      // A little more than is shown, so that not every trade moves all others.
      else if (held.trades.push(trade) > MOST_TRADES * 2) {
        held.trades.splice(0, MOST_TRADES);
        held.whole = true;
      }
    },
    async read(world, marketId) {
      let held = worlds[world].get(marketId);
      if (!held?.whole && (held?.trades.length ?? 0) < MOST_TRADES) {
        const rows = await older(world, marketId);
        // Of a market that is over nothing is kept; its rows answer.
        if (!isLive(world, marketId)) return rows;
        held = worlds[world].get(marketId) ?? { trades: [], whole: true };
        const first = held.trades[0]?.[0] ?? Number.POSITIVE_INFINITY;
        held.trades.unshift(...rows.filter(([id]) => id < first).reverse());
        held.whole = true;
        worlds[world].set(marketId, held);
      }
      return held!.trades.slice(-MOST_TRADES).reverse();
    },
    forget: (world, marketId) => void worlds[world].delete(marketId),
  };
}
