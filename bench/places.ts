/** Where the benches of the core put their databases, and the cast that bets in them. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MarketDef } from '@fairgame/exchange';
import type { Core, Request, World } from '../apps/server/src/core/core.ts';
import { type Db, migrate, openDatabase, silent } from '../apps/server/src/db/db.ts';
import { marketDef } from '../apps/server/test/fixture.ts';
import { freshDatabase } from '../apps/server/test/fresh-database.ts';
import { startPostgres } from '../scripts/postgres.ts';

export interface DbPlace {
  name: 'embedded' | 'postgres';
  open(): Promise<Db>;
  /** Of all its files, or of the database as PostgreSQL counts it. */
  bytes(db: Db): Promise<number>;
}

/** Runs `measure` on each database that was asked for and that this machine has, a fresh one each. */
export async function onDatabases(
  only: string | undefined,
  bench: string,
  measure: (place: DbPlace) => Promise<void>,
): Promise<void> {
  if (only !== 'postgres') {
    const folder = mkdtempSync(join(tmpdir(), `fairgame-${bench}-`));
    await measure({ name: 'embedded', open: () => opened(undefined, folder), bytes: async () => bytesBelow(folder) });
    rmSync(folder, { recursive: true, force: true });
  }
  if (only === 'embedded') return;
  const own = process.env.DATABASE_URL ? null : await startPostgres();
  const server = process.env.DATABASE_URL ?? own?.url;
  if (server) {
    const { url, drop } = await freshDatabase(server);
    const bytes = async (db: Db) =>
      (await db.query<{ n: number }>('SELECT pg_database_size(current_database())::bigint AS n'))[0]!.n;
    await measure({ name: 'postgres', open: () => opened(url, ''), bytes });
    await drop();
  } else console.error(`${bench}: this machine has no PostgreSQL, so only the embedded database is measured`);
  await own?.stop();
}

async function opened(url: string | undefined, dataDir: string): Promise<Db> {
  const db = await openDatabase({ url, dataDir, log: silent });
  await migrate(db);
  return db;
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

export interface BookMarket {
  marketId: number;
  runnerIds: number[];
}

export async function openPlayers(core: Core, count: number, world: World = 'real'): Promise<number[]> {
  const players = Array.from({ length: count }, () => core.nextId());
  const own = { world, actor: 'bench' } as const;
  for (const accountId of players) {
    await core.submit({ ...own, command: { type: 'account.open', accountId, currency: 'EUR', kind: 'player' } });
    const deposit = { amountMinor: 1_000_000_000_000, reason: 'deposit', text: 'Bench' } as const;
    await core.submit({ ...own, command: { type: 'account.transfer', accountId, ...deposit } });
  }
  return players;
}

export async function openBookMarket(core: Core, over: Partial<MarketDef> = {}): Promise<BookMarket> {
  const market = newBookMarket(core, over);
  await core.submit(market.create);
  return market;
}

/** A market that is opened by its `create`. */
export function newBookMarket(core: Core, over: Partial<MarketDef> = {}): BookMarket & { create: Request } {
  const marketId = core.nextId();
  const runnerIds = [core.nextId(), core.nextId(), core.nextId()];
  const runners = runnerIds.map((runnerId, i) => ({ runnerId, name: `Runner ${i + 1}` }));
  const market = marketDef(marketId, marketId, { runners, ...over });
  return { marketId, runnerIds, create: { world: 'all', actor: 'bench', command: { type: 'market.create', market } } };
}

/** The n-th bet: backs and lays in turn of neighbouring players at one price, so that each second one meets the one before. */
export function bet(n: number, { marketId, runnerIds }: BookMarket, players: readonly number[]): Request {
  const accountId = players[n % players.length]!;
  return {
    world: 'real',
    actor: `player:${accountId}`,
    key: `bench-${n.toString().padStart(14, '0')}`,
    payloadHash: 'x',
    command: {
      type: 'order.place',
      betId: 0,
      accountId,
      marketId,
      runnerId: runnerIds[(n >> 1) % runnerIds.length]!,
      side: n % 2 === 0 ? 'BACK' : 'LAY',
      price: 300,
      sizeMinor: 100 + (n % 50),
      persistence: 'PERSIST',
    },
  };
}
