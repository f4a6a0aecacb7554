import { CodedError } from '@fairgame/contract';
import pg from 'pg';
import type { Durability } from './durability.ts';
import { isConnectionError, isExhausted, translated } from './errors.ts';
import { createLeaderLine } from './postgres-leader.ts';
import { createReplica, placeOf, type Replica } from './replica.ts';
import type { Db, Lane, LaneUse, Log, Query } from './types.ts';
import { DbLost } from './types.ts';
import { safe } from './values.ts';

pg.types.setTypeParser(pg.types.builtins.INT8, safe);

interface LaneBounds {
  connections: number;
  /** How long a statement may wait for a connection, and how many may wait. */
  waitMs: number;
  waiting: number;
  statementMs: number;
}
const LANES: Record<Lane | 'replica', LaneBounds> = {
  money: { connections: 4, waitMs: 3000, waiting: 1000, statementMs: 20_000 },
  site: { connections: 4, waitMs: 3000, waiting: 1000, statementMs: 20_000 },
  people: { connections: 4, waitMs: 3000, waiting: 200, statementMs: 5000 },
  reports: { connections: 3, waitMs: 2000, waiting: 24, statementMs: 10_000 },
  replica: { connections: 4, waitMs: 2000, waiting: 24, statementMs: 10_000 },
};

const PATIENCE_MS = 60_000;
const AGAIN_MS = 250;

/** Those to the database itself. */
const OWN = ['money', 'site', 'people', 'reports'] as const satisfies readonly Lane[];

/** Pools for readings and short transactions, one a lane, and the writer's own connection, which holds the leader's lock. */
export async function openPostgres(options: {
  url: string;
  readUrl: string | undefined;
  log: Log;
  durability: Durability;
}): Promise<Db> {
  const { url, readUrl, log, durability } = options;
  let reached = true;
  const patience = { until: 0 };
  const lanes = new Map<LaneUse['lane'], PoolLane>();
  const onReached = (is: boolean) => {
    reached = is;
  };
  for (const lane of OWN) lanes.set(lane, openLane({ url, lane, log, onReached, patience }));
  const reports = lanes.get('reports')!;
  let replica: Replica | null = null;
  const leader = createLeaderLine({ url, log, durability });
  let closed = false;

  const through = (lane: PoolLane): Db => ({
    kind: 'postgres',
    query: lane.query,
    tx: lane.tx,
    lane: (name) => views.get(name)!,
    write: (sql, params) => leader.write(sql, params),
    exec: async (sql) => void (await lane.run((client) => client.query(sql))),
    lead: (holder) => leader.lead(holder),
    release: () => leader.release(),
    async patiently(work) {
      patience.until = performance.now() + PATIENCE_MS;
      try {
        return await work();
      } finally {
        patience.until = 0;
      }
    },
    healthy: () => !closed && (leader.leads() ? leader.healthy() : reached),
    report: (seq, read) => (replica ? replica.report(seq, read, () => read(reports)) : read(reports)),
    reportSources: () => replica?.counts() ?? null,
    lanes: () => [...lanes.values()].map((one) => one.use()),
    async close() {
      if (closed) return;
      closed = true;
      await leader.close();
      await Promise.all([...lanes.values()].map((one) => one.close()));
    },
  });
  const views = new Map<Lane, Db>(OWN.map((name) => [name, through(lanes.get(name)!)]));
  const db = views.get('site')!;
  try {
    await db.query('SELECT 1');
    if (readUrl !== undefined) {
      const lane = openLane({ url: readUrl, lane: 'replica', log, onReached: () => {} });
      lanes.set('replica', lane);
      replica = createReplica({ tx: lane.tx, place: await placeOf(db.query), log });
    }
  } catch (error) {
    await db.close();
    throw unreachable(error);
  }
  return db;
}

interface PoolLane {
  query: Query;
  tx: Db['tx'];
  run<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  use(): LaneUse;
  close(): Promise<void>;
}

function openLane(options: {
  url: string;
  lane: LaneUse['lane'];
  log: Log;
  onReached: (is: boolean) => void;
  /** Until then a connection that is not to be had is waited for. */
  patience?: { until: number };
}): PoolLane {
  const { url, lane, log, onReached, patience = { until: 0 } } = options;
  const bounds = LANES[lane];
  let refused = 0;
  const pool = new pg.Pool({
    connectionString: url,
    max: bounds.connections,
    connectionTimeoutMillis: bounds.waitMs,
    keepAlive: true,
    statement_timeout: bounds.statementMs,
    application_name: `fairgame-${lane}`,
  });
  pool.on('error', (error) => log.warn({ err: error, lane }, 'idle database connection lost'));
  // The pool looks after those that nobody uses. One in use tells its statement; an error that nobody hears would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));

  async function run<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (pool.waitingCount >= bounds.waiting) {
      refused++;
      throw new CodedError('BUSY', { retryAfterS: 2 });
    }
    let client: pg.PoolClient | undefined;
    let broken = false;
    try {
      client = await connected(pool, patience, log);
      const result = await work(client);
      onReached(true);
      return result;
    } catch (error) {
      broken = isConnectionError(error);
      if (isExhausted(error)) refused++;
      else if (broken) onReached(false);
      throw translated(error);
    } finally {
      client?.release(broken);
    }
  }

  return {
    run,
    query: <T>(sql: string, params?: unknown[]) => run(async (client) => (await client.query(sql, params)).rows as T[]),
    tx: (fn) =>
      run(async (client) => {
        try {
          await client.query('BEGIN');
          const result = await fn(async <T>(sql: string, params?: unknown[]) => {
            const { rows } = await client.query(sql, params);
            return rows as T[];
          });
          await client.query('COMMIT');
          return result;
        } catch (error) {
          // A connection that cannot even roll back is not given to anybody else.
          await client.query('ROLLBACK').catch(() => Promise.reject(new DbLost(true, error)));
          throw error;
        }
      }),
    use: () => ({ lane, open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, refused }),
    close: () => pool.end(),
  };
}

async function connected(pool: pg.Pool, patience: { until: number }, log: Log): Promise<pg.PoolClient> {
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (performance.now() >= patience.until) throw error;
      log.warn({ err: error }, 'no connection to the database yet; tried again');
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

function unreachable(error: unknown): Error {
  const cause = error instanceof DbLost ? error.cause : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return new Error(`the database of DATABASE_URL cannot be reached (${text})`, { cause: error });
}
