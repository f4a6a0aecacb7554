/**
 * Which closed markets leave the core's memory. They stay a while, because their page and a corrected result still want them,
 * but only so many rows of them: past that the one closed longest goes first, so memory follows what is open and not what
 * was settled today. Undeclaring and voiding take a market back from its archive at any time.
 */
import { type MarketId, marketSizes } from '@fairgame/exchange';
import { openWorlds, type Worlds } from './worlds.ts';

/** A market that has just closed stays for so long, however large: its result is being read. */
const LEAST_MS = 60_000;
/** No more of them at a time than this, and one market: the writer stops for it. */
const ROWS_AT_A_TIME = 50_000;

export interface Leaving {
  /** The markets that are to go now, those closed longest first. */
  due(worlds: Worlds, now: number): MarketId[];
}

/** `keepMs`: no market stays longer. `keepRows`: bets and fills of closed markets, over all worlds. */
export function createLeaving({ keepMs, keepRows }: { keepMs: number; keepRows: number }): Leaving {
  /** In the order in which they closed. */
  let closedAt = new Map<MarketId, number>();
  return {
    due(worlds, now) {
      const closed = closedEverywhere(worlds);
      closedAt = new Map([...closedAt].filter(([marketId]) => closed.has(marketId)));
      for (const marketId of closed.keys()) if (!closedAt.has(marketId)) closedAt.set(marketId, now);
      let rows = 0;
      for (const one of closed.values()) rows += one;
      const due: MarketId[] = [];
      let going = 0;
      for (const [marketId, at] of closedAt) {
        const tooMany = rows - going > keepRows && now - at >= LEAST_MS;
        if (going >= ROWS_AT_A_TIME || !(tooMany || now - at >= keepMs)) break;
        due.push(marketId);
        going += closed.get(marketId)!;
      }
      return due;
    },
  };
}

/** Rows of each market that no world has any work with left. */
function closedEverywhere(worlds: Worlds): Map<MarketId, number> {
  const rows = new Map<MarketId, number>();
  const busy = new Set<MarketId>();
  for (const world of openWorlds(worlds)) {
    for (const market of marketSizes(worlds[world])) {
      if (market.closed) rows.set(market.marketId, (rows.get(market.marketId) ?? 0) + market.rows);
      else busy.add(market.marketId);
    }
  }
  for (const marketId of busy) rows.delete(marketId);
  return rows;
}
