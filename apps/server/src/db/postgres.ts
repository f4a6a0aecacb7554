import pg from 'pg';
import type { Db, Log, Query } from './types.ts';
import { DbLost } from './types.ts';
import { safe } from './values.ts';

const CONNECT_MS = 3000;
/** A statement of the writer that has not answered by then is given up as lost and decided by reading. */
const WRITE_MS = 30_000;
/** Session lock of the one writer; any constant of our own. */
const LEADER_LOCK = 7_305_190_211;
const READERS = 4;

pg.types.setTypeParser(pg.types.builtins.INT8, safe);

/** A pool for reads and short transactions, and the writer's own connection, which also holds the leader's lock. */
export async function openPostgres(url: string, log: Log): Promise<Db> {
  const pool = new pg.Pool({
    connectionString: url,
    max: READERS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    statement_timeout: 20_000,
    application_name: 'fairgame',
  });
  let healthy = true;
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  const checked: Query = async <T>(sql: string, params?: unknown[]) => {
    try {
      const { rows } = await pool.query(sql, params);
      healthy = true;
      return rows as T[];
    } catch (error) {
      if (isConnectionError(error)) healthy = false;
      throw error;
    }
  };
  await checked('SELECT 1');

  let writer: pg.Client | null = null;
  let leading = false;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      application_name: 'fairgame-writer',
    });
    client.on('error', (error) => {
      log.warn({ err: error }, "the writer's database connection is lost");
      drop(client);
    });
    client.on('end', () => drop(client));
    try {
      await client.connect();
      if (leading) await takeLock(client);
    } catch (error) {
      client.end().catch(() => {});
      healthy = false;
      throw new DbLost(false, error);
    }
    writer = client;
    healthy = true;
    return client;
  }
  function drop(client: pg.Client): void {
    if (writer !== client) return;
    writer = null;
    healthy = false;
  }

  const write: Query = async <T>(sql: string, params?: unknown[]) => {
    if (closed) throw new DbLost(false, 'closed');
    const client = writer ?? (await connect());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DbLost(true, 'no answer in time')), WRITE_MS);
    });
    try {
      // A name makes the server keep the plan of the one statement that is sent all the time.
      const name = /^SELECT (core_\w+)\(/.exec(sql)?.[1];
      const done = client.query({ text: sql, values: params ?? [], ...(name ? { name } : {}) });
      done.catch(() => {});
      const { rows } = await Promise.race([done, late]);
      return rows as T[];
    } catch (error) {
      if (!(error instanceof DbLost) && !isConnectionError(error)) throw error;
      drop(client);
      // Not politely: a connection that hangs would never end.
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      throw error instanceof DbLost ? error : new DbLost(true, error);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    kind: 'postgres',
    query: checked,
    write,
    async exec(sql) {
      await pool.query(sql);
    },
    async tx(fn) {
      const client = await pool.connect();
      let broken = false;
      try {
        await client.query('BEGIN');
        const result = await fn(async <T>(sql: string, params?: unknown[]) => {
          const { rows } = await client.query(sql, params);
          return rows as T[];
        });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {
          broken = true;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async lead() {
      leading = true;
      if (writer) await takeLock(writer);
      else await connect();
    },
    healthy: () => !closed && healthy,
    async close() {
      if (closed) return;
      closed = true;
      const client = writer;
      writer = null;
      await client?.end().catch(() => {});
      await pool.end();
    },
  };
}

/** The lock only keeps two servers from overlapping by mistake; what fences is the epoch in every commit. */
async function takeLock(client: pg.Client): Promise<void> {
  const until = Date.now() + 5000;
  for (;;) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS held', [LEADER_LOCK]);
    if ((rows[0] as { held: boolean }).held) return;
    if (Date.now() > until) throw new Error('another server holds the leader lock of this database');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Errors of the line, of a server going down or starting up: classes 08, 57P and the system's own. */
function isConnectionError(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && /^(08|57P|E[A-Z]+)/.test(code)) return true;
  return (
    typeof message === 'string' && /connection|timeout exceeded|not queryable/i.test(message) && code === undefined
  );
}
