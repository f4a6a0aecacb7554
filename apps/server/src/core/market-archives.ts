/** What markets left behind that left memory: one text in each world, of a large one in parts. */
import { CodedError } from '@fairgame/contract';
import { type MarketId, type MarketSnapshot, sealed } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';
import type { World } from './types.ts';

type Looked = Pick<Db, 'query'>;

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

/** The seal over all parts, which are read one by one, so nobody is kept waiting; the core knows whether it is theirs. */
export async function sealOf(
  db: Looked,
  world: World,
  marketId: MarketId,
  { count = 0 }: MarketSnapshot,
): Promise<string> {
  let seal = '';
  for (let part = 0; part < count; part++) seal = sealed(seal, await readPart(db, world, marketId, part));
  return seal;
}
