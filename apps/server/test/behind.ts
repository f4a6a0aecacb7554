/**
 * The server tests a second time, against a site of two parts as several processes have them: a gateway, whose doors the tests knock
 * at, and behind it core, feed, tables and desk, with a real PostgreSQL and a real NATS between them: `FAIRGAME_TEST_CLUSTER=on npx vitest run apps/server/test/bets.test.ts`.
 */
import { randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import { startPostgres } from '../../../scripts/postgres.ts';
import type { Site } from '../src/app.ts';
import type { Env } from '../src/config.ts';
import { freshDatabase } from './fresh-database.ts';
import { findNats, startNats } from './nats-server.ts';

/** Whether a server of these settings is made of two parts: not one that says itself what it is, or goes on with data that is there. */
export function isInParts(env: Env): boolean {
  const own = ['DATABASE_URL', 'FAIRGAME_DATA', 'FAIRGAME_ROLES', 'NATS_URL'].some((name) => env[name] !== undefined);
  return process.env.FAIRGAME_TEST_CLUSTER === 'on' && !own;
}

let postgres: Awaited<ReturnType<typeof startPostgres>> = null;

/** `open` makes an app of settings. Answers both parts as one; what the feed and the tables do is done behind. */
export async function openParts(open: (env: Env) => Promise<Site>): Promise<Site> {
  if (!postgres) {
    postgres = await startPostgres();
    if (!postgres || !findNats()) throw new Error('the tests over two parts need PostgreSQL and nats-server');
    afterAll(() => postgres?.stop());
  }
  const [database, nats] = [await freshDatabase(postgres.url), await startNats(findNats()!)];
  const env = {
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    FAIRGAME_SECRET: randomBytes(32).toString('hex'),
    FAIRGAME_CLOCK: 'trust',
  };
  const behind = await open({ ...env, FAIRGAME_ROLES: 'core,feed,tables,desk' });
  const gateway = await open({ ...env, FAIRGAME_ROLES: 'gateway' });
  return {
    ...gateway,
    ...(behind.catalog && { catalog: behind.catalog }),
    ...(behind.bridge && { bridge: behind.bridge }),
    ...(behind.casino && { casino: behind.casino }),
    async start() {
      await behind.start();
      await gateway.start();
    },
    async close() {
      await gateway.close();
      await behind.close();
      await nats.end();
      await database.drop();
    },
  };
}
