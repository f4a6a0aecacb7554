/** What markets left behind that left memory: one text in each world, of a large one in parts. */
import type { MarketId, MarketSnapshot } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';
import type { World } from './types.ts';

export async function readArchives(db: Pick<Db, 'query'>, marketId: MarketId): Promise<Map<World, MarketSnapshot>> {
  const heads = await db.query<{ world: World; snapshot: string }>(
    'SELECT world, snapshot FROM market_archives WHERE market_id = $1',
    [marketId],
  );
  const archives = new Map(heads.map(({ world, snapshot }) => [world, JSON.parse(snapshot) as MarketSnapshot]));
  for (const [world, archive] of archives) {
    if (archive.count === undefined) continue;
    // One that left before, larger, may have left parts behind these.
    const rows = await db.query<{ text: string }>(
      'SELECT text FROM market_archive_parts WHERE world = $1 AND market_id = $2 AND part < $3 ORDER BY part',
      [world, marketId, archive.count],
    );
    archives.set(world, { ...archive, parts: rows.map(({ text }) => text) });
  }
  return archives;
}
