/** Which worlds a database has, and how another one is opened beside those that run. */
import { definitionOf, FIRST_PLAYER, marketsOf, marketView } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';
import type { Item } from './batch.ts';
import { readWorlds } from './recovery.ts';
import { ownItem } from './submitting.ts';
import { type Currency, inTerms, openWorlds, type Terms, type World, type Worlds, worldsOf } from './worlds.ts';

/**
 * Brings the database's list of worlds to the site's currencies. Throws with a plain sentence where accounts would be left
 * without a world.
 */
export async function settleWorlds(
  db: Pick<Db, 'query'>,
  currencies: readonly Currency[],
): Promise<Map<World, string>> {
  const wanted = new Map(worldsOf(currencies).map(({ world, currency }) => [world, currency]));
  const kept = await readWorlds(db.query);
  const home = kept.get('real');
  if (home !== undefined && home !== currencies[0]) {
    throw new Error(
      `the home currency of this database is ${home}: FAIRGAME_CURRENCIES must begin with it, not with ${currencies[0]}`,
    );
  }
  for (const [world, currency] of kept) {
    if (wanted.has(world)) continue;
    const [row] = await db.query<{ n: number }>('SELECT count(*) AS n FROM accounts WHERE world = $1 AND id >= $2', [
      world,
      FIRST_PLAYER,
    ]);
    if (row!.n > 0)
      throw new Error(`this database keeps ${row!.n} accounts in ${currency}: FAIRGAME_CURRENCIES must name it`);
    await db.query('DELETE FROM worlds WHERE name = $1', [world]);
    kept.delete(world);
  }
  for (const [world, currency] of wanted) {
    if (kept.has(world)) continue;
    await db.query('INSERT INTO worlds VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [world, currency]);
    kept.set(world, currency);
  }
  return kept;
}

/** The commands that bring open markets of the home world into worlds that lack them, new ones; their prices come with the feed. */
export function openings(worlds: Worlds, termsOf: (world: World) => Terms): Item[] {
  const items: Item[] = [];
  const home = termsOf('real').factor;
  for (const world of openWorlds(worlds)) {
    for (const { marketId } of marketsOf(worlds.real)) {
      const market = marketView(worlds[world], marketId) ? null : definitionOf(worlds.real, marketId);
      if (!market) continue;
      for (const limit of ['minStakeMinor', 'maxStakeMinor', 'maxExposureMinor'] as const)
        market[limit] = Math.round(market[limit] / home);
      items.push(
        ownItem(
          inTerms(termsOf(world), { type: 'market.create', market }, () => market.kind),
          [world],
        ),
      );
    }
  }
  return items;
}
