/**
 * How long the server, as it is shipped, takes to start with 100,000 open orders and a million settled bets behind it: after a
 * clean end; after a kill, with what its snapshots left to be replayed; and with the log of all those orders to be replayed, as
 * if no snapshot could have been taken.
 *
 * - `restart.DATABASE.clean`, `.killed`, `.replayed`: from the start of the process to the first answered call; the goal
 *   stands as baseline.
 *
 * `npm run bench -- restart [--orders 100000] [--settled 1000000] [--database embedded|postgres]`. Filling takes most of the time
 * and is told on stderr: one to two minutes a database with nothing else running.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createApp } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import { openCore, type Request } from '../apps/server/src/core/core.ts';
import { type Db, migrate, openDatabase, silent } from '../apps/server/src/db/db.ts';
import { freshDatabase } from '../apps/server/test/fresh-database.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { newBookMarket } from './places.ts';
import { heard } from './processes.ts';
import { report, round } from './report.ts';
import { FLAGS, ROOT, shipped } from './shipped.ts';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    settled: { type: 'string', default: '1000000' },
    database: { type: 'string' },
  },
});
const ORDERS = Number(values.orders);
const SETTLED = Number(values.settled);
const GOAL_S = 3;
/** Without a snapshot at all. */
const REPLAY_GOAL_S = 10;
const PLAYERS = 500;
const MARKETS = 300;
const AT_ONCE = 256;

const say = (line: string) => process.stderr.write(`restart: ${line}\n`);

if (process.env.BENCH_ROLE === 'server') await serve();
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
  const program = await shipped(fileURLToPath(import.meta.url));
  say(`${database} is being filled`);
  for (const [name, goalS, before] of [
    ['killed', GOAL_S, fill],
    ['clean', GOAL_S, async () => 0],
    ['replayed', REPLAY_GOAL_S, withoutSnapshots],
  ] as const) {
    const replayed = await before(env);
    const { child, seconds } = await start(program, env);
    report({
      name: `restart.${database}.${name}`,
      unit: 's',
      value: round(seconds),
      baseline: goalS,
      ratio: round(goalS / seconds),
      openOrders: ORDERS,
      settledBets: SETTLED,
      replayedCommands: replayed,
    });
    child.send('stop');
    await once(child, 'exit');
  }
}

async function opened(env: Record<string, string>): Promise<Db> {
  return openDatabase({
    url: env.DATABASE_URL || undefined,
    dataDir: join(env.FAIRGAME_DATA!, 'db'),
    log: silent,
  });
}

/** The log is all there: nothing but quotes would have left it, and nobody quoted. */
async function withoutSnapshots(env: Record<string, string>): Promise<number> {
  const db = await opened(env);
  await db.query('DELETE FROM core_snapshots');
  const replayed = await left(db);
  await db.close();
  return replayed;
}

/** Commands that the next start has to replay. */
async function left(db: Db): Promise<number> {
  const [log] = await db.query<{ n: number }>(
    'SELECT last_seq - COALESCE((SELECT max(seq) FROM core_snapshots), 0) AS n FROM leader',
  );
  return log!.n;
}

/** The database of a busy site, left behind as by a kill. */
async function fill(env: Record<string, string>): Promise<number> {
  const db = await opened(env);
  await migrate(db);
  const core = await openCore({ db, log: silent });
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
  say(`${ORDERS} orders are open`);
  await settledBets(db, players, markets[0]!.marketId);
  // No core.stop(): what it would tidy up is left undone.
  const replayed = await left(db);
  await db.close();
  return replayed;
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
    say(`${Math.min(SETTLED, from + slice)} settled bets`);
  }
}

async function start(program: string, env: Record<string, string>): Promise<{ seconds: number; child: ChildProcess }> {
  const started = performance.now();
  const child = fork(program, [], {
    execArgv: FLAGS,
    env: { ...process.env, ...env, BENCH_ROLE: 'server', FAIRGAME_ROOT: ROOT },
  });
  await heard(child, 'started');
  return { seconds: (performance.now() - started) / 1000, child };
}

async function serve(): Promise<void> {
  const config = loadConfig({
    ...process.env,
    FAIRGAME_FEED: 'none',
    FAIRGAME_LOG: 'error',
    FAIRGAME_DEMO_PLAYERS: 'off',
    PORT: '0',
  });
  const app = await createApp({ config });
  const url = await app.http.listen();
  const answer = await fetch(`${url}/readyz`);
  if (!answer.ok) throw new Error(`/readyz answered ${answer.status}`);
  process.on('message', () => void app.close().then(() => process.exit(0)));
  process.send!({ what: 'started' });
}
