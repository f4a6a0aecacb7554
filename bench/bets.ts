/**
 * Acknowledged, committed bets a second.
 *
 * - `bets.core.DATABASE.N`: through the core with N waiting clients, beside the very same rows written one transaction a bet
 *   over one connection (`baseline`; `connections16` over sixteen, PostgreSQL only) to the same database in the same run;
 * - `bets.http.DATABASE`: the same through HTTP with sessions, 128 connections;
 * - `bets.http.embedded.p99`: 500 bets a second on a fixed schedule while 500 sockets watch; the goal stands as baseline.
 * - `bets.cpu.DATABASE.WAY`: processor time of the server for a bet by POST, over the open socket, as one of fifty in a call,
 *   beside an empty POST of the same size to a bare Fastify.
 *
 * `npm run bench -- bets [--seconds 10] [--only core|http|cpu] [--database embedded|postgres] [--cpuBets 3000]`.
 * With `--core 0` the server of `bets.http` is held to that one core (`taskset -c 1` before the command keeps the bettors off it).
 * PostgreSQL: DATABASE_URL, else a
 * private one where the machine has the binaries.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { LISTS, type ListName, plainInsert, readList } from '../apps/server/src/core/columns.ts';
import { type Core, openCore } from '../apps/server/src/core/core.ts';
import { type Db, migrate, openDatabase, silent } from '../apps/server/src/db/db.ts';
import { freshDatabase } from '../apps/server/test/fresh-database.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { cpuFigures } from './bets-cpu.ts';
import { httpFigures } from './bets-http.ts';
import { type BookMarket, openBookMarket, openPlayers } from './places.ts';
import { percentile, report, round } from './report.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    database: { type: 'string' },
    cpuBets: { type: 'string', default: '3000' },
    core: { type: 'string' },
  },
});
const SECONDS = Number(values.seconds);
const CLIENTS = [1, 32, 256];
const PLAYERS = 200;
const MARKETS = 20;
/** Bets whose rows the baselines write. */
const SAMPLE = 5000;
const TURNS = 5;
const own = values.database === 'embedded' || process.env.DATABASE_URL ? null : await startPostgres();
const server = process.env.DATABASE_URL ?? own?.url;
const places: Array<{ name: string; make: () => Promise<Place> }> = [];
if (values.database !== 'embedded' && server) places.push({ name: 'postgres', make: () => onPostgres(server) });
if (values.database !== 'postgres') places.push({ name: 'embedded', make: embedded });
if (!server && values.database !== 'embedded')
  console.error('bets: this machine has no PostgreSQL, so only the embedded database is measured');

for (const { name, make } of places) {
  if (wanted('core') || wanted('http')) {
    const single = await coreFigures(name, await make(), wanted('core') ? CLIENTS : []);
    if (wanted('http'))
      await onPlace(make, (place) =>
        httpFigures({ ...place, database: name, seconds: SECONDS, baseline: single, core: values.core }),
      );
  }
  if (wanted('cpu'))
    await onPlace(make, (place) => cpuFigures({ ...place, database: name, count: Number(values.cpuBets) }));
}
await own?.stop();
process.exit(0);

function wanted(part: 'core' | 'http' | 'cpu'): boolean {
  return values.only === undefined || values.only === part;
}

async function onPlace(
  make: () => Promise<Place>,
  act: (at: { url: string | undefined; dataDir: string }) => Promise<void>,
): Promise<void> {
  const place = await make();
  await act({ url: place.url, dataDir: place.dataDir });
  await place.remove();
}

interface Place {
  url?: string;
  dataDir: string;
  remove(): Promise<void>;
}

async function embedded(): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairgame-bench-'));
  return { dataDir, remove: async () => rmSync(dataDir, { recursive: true, force: true }) };
}

async function onPostgres(server: string): Promise<Place> {
  const { url, drop } = await freshDatabase(server);
  return { url, dataDir: '', remove: drop };
}

/** Answers the baseline: bets a second at one transaction a bet over one connection. */
async function coreFigures(name: string, place: Place, counts: number[]): Promise<number> {
  const db = await openDatabase({ url: place.url, dataDir: place.dataDir, log: silent });
  await migrate(db);
  const captured: unknown[][] = [];
  let capturing = false;
  const tapped: Db = {
    ...db,
    write: (sql, params) => {
      if (capturing && params && sql.includes('core_commit')) captured.push(params);
      return db.write(sql, params);
    },
  };
  const core = await openCore({ db: tapped, log: silent });
  const bet = await cast(core);

  // The rows of single bets, as the core itself writes them.
  capturing = true;
  for (let i = 0; i < SAMPLE; i++) await bet();
  capturing = false;
  const rows = captured.map(rowsOf);
  // In turns, so that whatever else the machine does meanwhile meets both alike.
  const share = Math.floor(rows.length / TURNS);
  const turns = Array.from({ length: TURNS }, (_, i) => rows.slice(i * share, (i + 1) * share));
  const singles: number[] = [];
  const sixteens: number[] = [];
  const cores = counts.map((clients) => ({ clients, count: 0, ms: 0, cpuUs: 0, latencies: [] as number[] }));
  for (const clients of counts) await load(bet, clients, 1);
  for (const slice of turns) {
    singles.push(place.url ? await overConnections(place.url, slice, 1) : await overThread(db, slice));
    if (place.url) sixteens.push(await overConnections(place.url, slice, 16));
    for (const sum of cores) {
      const cpu = process.cpuUsage();
      const { ms, latencies } = await load(bet, sum.clients, SECONDS / TURNS);
      const used = process.cpuUsage(cpu);
      sum.count += latencies.length;
      sum.ms += ms;
      sum.cpuUs += used.user + used.system;
      for (const latency of latencies) sum.latencies.push(latency);
    }
  }
  const single = median(singles);
  for (const { clients, count, ms, cpuUs, latencies } of cores) {
    const rate = count / (ms / 1000);
    report({
      name: `bets.core.${name}.${clients}`,
      unit: 'bets/s',
      value: Math.round(rate),
      baseline: Math.round(single),
      ratio: round(rate / single),
      p50ms: round(percentile(latencies, 50)),
      p99ms: round(percentile(latencies, 99)),
      cpuUsPerBet: Math.round(cpuUs / count),
      ...(sixteens.length === 0 ? {} : { connections16: Math.round(median(sixteens)) }),
    });
  }
  await core.stop();
  await db.close();
  await place.remove();
  return single;
}

/** Players with money and order books; answers a function that places the next bet. */
async function cast(core: Core): Promise<() => Promise<unknown>> {
  const players = await openPlayers(core, PLAYERS);
  const markets: BookMarket[] = [];
  for (let i = 0; i < MARKETS; i++) markets.push(await openBookMarket(core, { maxStakeMinor: 10_000_000 }));
  let n = 0;
  let state = 42;
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  return () => {
    const accountId = players[random(players.length)]!;
    const market = markets[random(markets.length)]!;
    const side = random(2) === 0 ? 'BACK' : 'LAY';
    // Seven of ten rest, three cross.
    const crossing = random(10) < 3;
    const above = (side === 'BACK') !== crossing;
    return core.submit({
      world: 'real',
      actor: `player:${accountId}`,
      key: `bench-${(++n).toString(36).padStart(12, '0')}`,
      payloadHash: 'b7e23ec29af22b0b4e41da31e868d572',
      command: {
        type: 'order.place',
        betId: 0,
        accountId,
        marketId: market.marketId,
        runnerId: market.runnerIds[random(3)]!,
        side,
        price: above ? 202 + random(10) * 2 : 180 + random(10) * 2,
        sizeMinor: 100 + random(2000),
        persistence: 'LAPSE',
      },
    });
  };
}

async function load(
  bet: () => Promise<unknown>,
  clients: number,
  seconds: number,
): Promise<{ ms: number; latencies: number[] }> {
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        const sent = performance.now();
        await bet();
        latencies.push(performance.now() - sent);
      }
    }),
  );
  return { ms: performance.now() - started, latencies };
}

function median(values: number[]): number {
  return percentile(values, 50);
}

/** What one bet changes, as plain statements. */
type Statement = [sql: string, params: unknown[]];

/** The same rows as core_commit would write for this one bet, a statement a row, as a program without batches would. */
function rowsOf(params: unknown[]): Statement[] {
  const [epoch, first, last, at, , logic, body, sum, chain, , , , , ...lists] = params;
  const list = (name: ListName) => {
    const text = lists[LISTS.indexOf(name)];
    return text == null ? [] : readList(name, text as string);
  };
  const statements: Statement[] = [
    [
      `INSERT INTO core_log (first_seq, last_seq, epoch, at, logic, body, checksum, chain)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [first, last, epoch, at, logic, body, sum, chain],
    ],
  ];
  const insert = (table: string, name: ListName) => {
    const { sql, values } = plainInsert(table);
    for (const row of list(name)) statements.push([sql, values(row)]);
  };
  insert('bets', 'newBets');
  // Sorted, so that two transactions never wait for each other in a ring.
  for (const b of list('betChanges').sort(by('betId'))) {
    statements.push([
      `UPDATE bets SET matched_sum = $1, matched = $2, remaining = $3, status = $4, version = $5, seq = $6
         WHERE id = $7 AND placed_at = $8`,
      [b.matchedSum, b.matchedMinor, b.remainingMinor, b.status, b.version, b.seq, b.betId, b.placedAt],
    ]);
  }
  insert('fills', 'fills');
  for (const a of list('walletChanges').sort(by('id'))) {
    statements.push([
      'UPDATE accounts SET balance = $1, exposure = $2, version = $3, seq = $4 WHERE world = $5 AND id = $6',
      [a.balance, a.exposure, a.version, a.seq, a.world, a.id],
    ]);
  }
  insert('idempotency', 'keys');
  return statements;
}

function by(name: string) {
  return (a: Record<string, unknown>, b: Record<string, unknown>) => Number(a[name]) - Number(b[name]);
}

/** Rows once more, under other keys so that they are new. */
function shifted(rows: Statement[], by: number): Statement[] {
  const more = (value: unknown) => Number(value) + by;
  return rows.map(([sql, params]): Statement => {
    if (sql.startsWith('INSERT INTO core_log')) return [sql, [more(params[0]), more(params[1]), ...params.slice(2)]];
    if (sql.startsWith('INSERT INTO bets')) return [sql, [more(params[0]), ...params.slice(1)]];
    if (sql.startsWith('INSERT INTO fills')) return [sql, [params[0], more(params[1]), ...params.slice(2)]];
    if (sql.startsWith('INSERT INTO idempotency'))
      return [sql, [params[0], `${String(params[1])}-${by}`, ...params.slice(2)]];
    return [sql, params];
  });
}

async function overThread(db: Db, rows: Statement[][]): Promise<number> {
  const work = rows.map((one) => shifted(one, 1_000_000_000));
  const started = performance.now();
  for (const statements of work) {
    await db.tx(async (q) => {
      for (const [sql, params] of statements) await q(sql, params);
    });
  }
  return work.length / ((performance.now() - started) / 1000);
}

async function overConnections(url: string, rows: Statement[][], connections: number): Promise<number> {
  const work = rows.map((one) => shifted(one, 1_000_000_000 * connections));
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  const started = performance.now();
  let next = 0;
  let done = 0;
  await Promise.all(
    clients.map(async (client) => {
      for (let i = next++; i < work.length; i = next++) {
        await client.query('BEGIN');
        for (const [sql, params] of work[i]!) await client.query(sql, params);
        await client.query('COMMIT');
        done++;
      }
    }),
  );
  const rate = done / ((performance.now() - started) / 1000);
  await Promise.all(clients.map((client) => client.end()));
  return rate;
}
