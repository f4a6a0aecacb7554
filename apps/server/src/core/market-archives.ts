/** What markets left behind that left memory: one text in each world, of a large one in parts. */
import { CodedError } from '@fairgame/contract';
import { type Command, type MarketId, type MarketSnapshot, sealed } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';
import type { World } from './types.ts';

type Looked = Pick<Db, 'query'>;

/** A result of play money can be taken back for so long; its accounts stay until then (auth/demo-accounts.ts). */
export const PLAY_RESULTS_MS = 7 * 86_400_000;
/** Nobody's account goes while a market comes back for it. */
const SPARE_MS = 3_600_000;

/**
 * Whether play money stays as it was paid when the result is taken back: it is too long ago, or accounts with bets are gone. What
 * is paid back to nobody would keep the market from coming back, and with it the worlds of real money from their correction.
 */
export async function isOverForPlay(db: Looked, marketId: MarketId, now: number): Promise<boolean> {
  const [row] = await db.query<{ over: boolean }>(
    `SELECT COALESCE(m.settled_at <= $2, false) OR EXISTS (
       SELECT 1 FROM bets b JOIN accounts a ON a.world = b.world AND a.id = b.account_id
         WHERE b.world = 'demo' AND b.market_id = $1 AND a.closed) AS over
       FROM markets m WHERE m.world = 'demo' AND m.id = $1`,
    [marketId, now - PLAY_RESULTS_MS + SPARE_MS],
  );
  return row?.over ?? false;
}

/** Of a large one without its parts. */
export async function readArchives(db: Looked, marketId: MarketId): Promise<Map<World, MarketSnapshot>> {
  const heads = await db.query<{ world: World; snapshot: string }>(
    'SELECT world, snapshot FROM market_archives WHERE market_id = $1',
    [marketId],
  );
  return new Map(heads.map(({ world, snapshot }) => [world, JSON.parse(snapshot) as MarketSnapshot]));
}

/** One part, from 0. Throws MARKET_UNKNOWN where it is not there. */
export async function readPart(db: Looked, world: World, marketId: MarketId, part: number): Promise<string> {
  const [row] = await db.query<{ text: string }>(
    'SELECT text FROM market_archive_parts WHERE world = $1 AND market_id = $2 AND part = $3',
    [world, marketId, part],
  );
  if (!row) throw new CodedError('MARKET_UNKNOWN', { field: 'marketId' });
  return row.text;
}

/** What brings a market back in these worlds where it left in parts. */
export async function recallsOf(
  db: Looked,
  marketId: MarketId,
  archives: ReadonlyMap<World, MarketSnapshot>,
  worlds: readonly World[],
): Promise<Array<{ world: World; command: Command }>> {
  const recalls: Array<{ world: World; command: Command }> = [];
  for (const world of worlds) {
    const archived = archives.get(world);
    if (archived?.count === undefined) continue;
    const seal = await sealOf(db, world, marketId, archived.count);
    recalls.push({ world, command: { type: 'market.recall', marketId, archived, seal } });
  }
  return recalls;
}

/** The seal over all parts, which are read one by one, so nobody is kept waiting; the core knows whether it is theirs. */
async function sealOf(db: Looked, world: World, marketId: MarketId, count: number): Promise<string> {
  let seal = '';
  for (let part = 0; part < count; part++) seal = sealed(seal, await readPart(db, world, marketId, part));
  return seal;
}
