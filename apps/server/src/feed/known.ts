/**
 * What the site calls what a source calls otherwise: the same number for the same key, over restarts too. Written with the
 * names of events and markets, before the core gets the market.
 */
import type { MarketId, MarketView } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';

export interface Known {
  /** The number of an event; a fresh one when the key is new, or the event is over. */
  event(key: string): number;
  over(key: string): void;
  market(key: string): MarketId;
  /** The market as the core holds it; undefined when it was never made. */
  held(key: string): MarketView | undefined;
}

/** Positive safe integers, each once, ascending. */
export interface Ids {
  next(): number;
}

/** For a source that is told for the first time. */
export function nothingKnown(ids: Ids): Known {
  const events = new Map<string, number>();
  const markets = new Map<string, MarketId>();
  return {
    event: (key) => numberOf(events, key, ids),
    over: (key) => void events.delete(key),
    market: (key) => numberOf(markets, key, ids),
    held: () => undefined,
  };
}

/** Settled markets of that long ago are known too: their source may correct a result. */
const REMEMBER_MS = 3 * 86_400_000;

/**
 * What is known of the sources whose keys begin with `prefix` (`stream:`). Keys are given without it; what is new gets the
 * numbers of `ids`.
 */
export async function openKnown(options: {
  db: Pick<Db, 'query'>;
  prefix: string;
  ids: Ids;
  clock: () => number;
  market: (marketId: MarketId) => MarketView | undefined;
}): Promise<Known> {
  const { db, prefix, ids, clock, market } = options;
  const since = clock() - REMEMBER_MS;
  const strip = (source: string) => source.slice(prefix.length);
  const eventRows = await db.query<{ id: number; source: string }>(
    `SELECT id, event->>'source' AS source FROM events
       WHERE stop_at_ms IS NULL AND event->>'source' LIKE $1 ORDER BY id`,
    [`${prefix}%`],
  );
  const marketRows = await db.query<{ id: MarketId; source: string }>(
    `SELECT m.market_id AS id, m.source FROM market_meta m JOIN events e ON e.id = m.event_id
       WHERE m.source LIKE $1 AND (e.stop_at_ms IS NULL OR e.stop_at_ms > $2) ORDER BY m.market_id`,
    [`${prefix}%`, since],
  );
  const events = new Map(eventRows.map((row) => [strip(row.source), row.id]));
  const markets = new Map(marketRows.map((row) => [strip(row.source), row.id]));
  const gone = await archived(
    db,
    marketRows.map((row) => row.id).filter((id) => !market(id)),
  );
  return {
    event: (key) => numberOf(events, key, ids),
    over: (key) => void events.delete(key),
    market: (key) => numberOf(markets, key, ids),
    held(key) {
      const id = markets.get(key);
      return id === undefined ? undefined : (market(id) ?? gone.get(id));
    },
  };
}

/** The next number above all that were ever given to an event or a market, and above what the clock makes unlikely. */
export async function idsAfter(db: Pick<Db, 'query'>, now: number): Promise<Ids> {
  const [row] = await db.query<{ last: number }>(
    `SELECT GREATEST((SELECT COALESCE(max(market_id), 0) FROM market_meta),
                     (SELECT COALESCE(max(id), 0) FROM events)) AS last`,
  );
  let last = Math.max(now * 1000, row?.last ?? 0);
  return { next: () => ++last };
}

/** Markets that have left the core's memory, as they were last written. */
async function archived(db: Pick<Db, 'query'>, ids: readonly MarketId[]): Promise<Map<MarketId, MarketView>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: MarketId; view: string }>(
    'SELECT DISTINCT ON (id) id, view FROM markets WHERE id = ANY($1::bigint[]) ORDER BY id, world',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, JSON.parse(row.view) as MarketView]));
}

function numberOf(known: Map<string, number>, key: string, ids: Ids): number {
  const id = known.get(key) ?? ids.next();
  known.set(key, id);
  return id;
}
