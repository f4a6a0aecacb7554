/**
 * How long the server takes to start with 100,000 open orders and a million settled bets behind it, after a clean end and
 * after being killed with the log of all those orders still to be replayed.
 *
 * - `restart.DATABASE.clean`, `restart.DATABASE.killed`: from the start of the process to the first answered call; the
 *   goal of 10 s stands as baseline.
 *
 * `npm run bench -- restart [--orders 100000] [--settled 1000000] [--database embedded|postgres]`
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createApp } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import { openCore, type Request } from '../apps/server/src/core/core.ts';
import { type Db, migrate, openDatabase, silent } from '../apps/server/src/db/db.ts';
import { freshDatabase } from '../apps/server/test/fresh-database.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { newBookMarket } from './places.ts';
import { report, round } from './report.ts';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    settled: { type: 'string', default: '1000000' },
    database: { type: 'string' },
    role: { type: 'string', default: 'lead' },
  },
});
const ORDERS = Number(values.orders);
const SETTLED = Number(values.settled);
const GOAL_S = 10;
const PLAYERS = 500;
const MARKETS = 300;
const AT_ONCE = 256;

if (values.role === 'server') await serve();
else await lead();

async function lead(): Promise<void> {
  if (values.database !== 'postgres') {
    const folder = mkdtempSync(join(tmpdir(), 'fairgame-restart-'));
    await measure('embedded', { FAIRGAME_DATA: folder, DATABASE_URL: '' });
    rmSync(folder, { recursive: true, force: true });
  }
  if (values.database !== 'embedded') {
    const own = process.env.DATABASE_URL ? null : await startPostgres();
    const server = process.env.DATABASE_URL ?? own?.url;
    if (server) {
      const folder = mkdtempSync(join(tmpdir(), 'fairgame-restart-'));
      const { url, drop } = await freshDatabase(server);
      await measure('postgres', { FAIRGAME_DATA: folder, DATABASE_URL: url });
      await drop();
      rmSync(folder, { recursive: true, force: true });
    } else console.error('restart: this machine has no PostgreSQL, so only the embedded database is measured');
    await own?.stop();
  }
  process.exit(0);
}

async function measure(database: string, env: Record<string, string>): Promise<void> {
  await fill(env);
  const killed = await start(env);
  killed.child.send('stop');
  await gone(killed.child);
  const clean = await start(env);
  clean.child.send('stop');
  await gone(clean.child);
  for (const [name, { seconds, replayed }] of [
    ['killed', killed],
    ['clean', clean],
  ] as const) {
    report({
      name: `restart.${database}.${name}`,
      unit: 's',
      value: round(seconds),
      baseline: GOAL_S,
      ratio: round(GOAL_S / seconds),
      openOrders: ORDERS,
      settledBets: SETTLED,
      replayedCommands: replayed,
    });
  }
}

/** The database of a busy site, left behind as by a kill: no snapshot since the first order. */
async function fill(env: Record<string, string>): Promise<void> {
  const db = await openDatabase({
    url: env.DATABASE_URL || undefined,
    dataDir: join(env.FAIRGAME_DATA!, 'db'),
    log: silent,
  });
  await migrate(db);
  const core = await openCore({ db, log: silent, snapshotCommands: 1_000_000_000, snapshotMs: 1_000_000_000 });
  const players = Array.from({ length: PLAYERS }, () => core.nextId());
  const markets = Array.from({ length: MARKETS }, () => newBookMarket(core));
  const requests: Request[] = [];
  for (const accountId of players) {
    requests.push(
      { world: 'real', actor: 'bench', command: { type: 'account.open', accountId, currency: 'EUR', kind: 'player' } },
      {
        world: 'real',
        actor: 'bench',
        command: { type: 'account.transfer', accountId, amountMinor: 1_000_000_000, reason: 'deposit', text: 'Bench' },
      },
    );
  }
  requests.push(...markets.map(({ create }) => create));
  for (let i = 0; i < ORDERS; i++) {
    const accountId = players[i % PLAYERS]!;
    const { marketId, runnerIds } = markets[(i * 7) % MARKETS]!;
    requests.push({
      world: 'real',
      actor: `player:${accountId}`,
      key: `restart-${i.toString().padStart(12, '0')}`,
      payloadHash: 'x',
      command: {
        type: 'order.place',
        betId: 0,
        accountId,
        marketId,
        runnerId: runnerIds[i % 3]!,
        side: i % 2 === 0 ? 'BACK' : 'LAY',
        price: i % 2 === 0 ? 300 + (i % 20) * 5 : 180 + (i % 10) * 2,
        sizeMinor: 100 + (i % 50),
        persistence: 'PERSIST',
      },
    });
  }
  for (let i = 0; i < requests.length; i += AT_ONCE) {
    const answers = await core.submitAll(requests.slice(i, i + AT_ONCE));
    const failed = answers.find((answer) => answer instanceof Error);
    if (failed) throw failed;
  }
  await settledBets(db, players, markets[0]!.marketId);
  // No core.stop(): what it would tidy up is left undone.
  await db.close();
}

/** A long past: bets with their keys and postings, written as rows. */
async function settledBets(db: Db, players: number[], marketId: number): Promise<void> {
  const slice = 50_000;
  for (let from = 0; from < SETTLED; from += slice) {
    const range = [from + 1_000_000_000, Math.min(SETTLED, from + slice) - 1 + 1_000_000_000];
    await db.query(
      `INSERT INTO bets SELECT n, 'real', ${players[0]} + n % ${PLAYERS}, ${marketId}, ${marketId} + 1, 'order', 'BACK', 200, 20000,
         100, 100, 0, 0, 0, 0, 'LAPSE', 'COMPLETE', 0, 1700000000000 + n, NULL, NULL, NULL, NULL, NULL, NULL,
         'LOSS', -100, 2, 1700000000000 + n, 1 FROM generate_series($1::bigint, $2::bigint) n`,
      range,
    );
    await db.query(
      `INSERT INTO idempotency SELECT 'player:' || (${players[0]} + n % ${PLAYERS}), 'settled-' || n, 'real', 'x', 1, 1700000000000,
         n, '[1,1700000000000,[]]' FROM generate_series($1::bigint, $2::bigint) n`,
      range,
    );
  }
}

async function start(env: Record<string, string>): Promise<{ seconds: number; replayed: number; child: ChildProcess }> {
  const started = performance.now();
  const child = fork(fileURLToPath(import.meta.url), ['--role', 'server'], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, ...env },
  });
  const replayed = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { replayed: number }).replayed));
    child.once('exit', () => reject(new Error('the server did not start')));
  });
  return { seconds: (performance.now() - started) / 1000, replayed, child };
}

function gone(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

async function serve(): Promise<void> {
  const config = loadConfig({
    ...process.env,
    FAIRGAME_ROOT: dirname(dirname(fileURLToPath(import.meta.url))),
    FAIRGAME_FEED: 'none',
    FAIRGAME_LOG: 'error',
    FAIRGAME_DEMO_PLAYERS: 'off',
    PORT: '0',
  });
  const app = await createApp({ config });
  const url = await app.http.listen();
  const answer = await fetch(`${url}/readyz`);
  if (!answer.ok) throw new Error(`/readyz answered ${answer.status}`);
  const [log] = await app.db.query<{ n: number }>(
    'SELECT last_seq - COALESCE((SELECT max(seq) FROM core_snapshots), 0) AS n FROM leader',
  );
  process.on('message', () => void app.close().then(() => process.exit(0)));
  process.send!({ replayed: log!.n });
}
