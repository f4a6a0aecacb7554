/**
 * The single writer's own connection. It holds a session lock of the database while the process leads; what fences is the
 * epoch in every commit, the lock only keeps two servers from overlapping by mistake and lets the second one say why.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import pg from 'pg';
import { assertDurable, type Durability, needsSynchronousCommit, type ServerState, STATE_SQL } from './durability.ts';
import { isConnectionError } from './errors.ts';
import type { Db, Holder, Log, Query } from './types.ts';
import { DbLost, Fenced } from './types.ts';

const CONNECT_MS = 3000;
/** A statement of the writer that has not answered by then is given up as lost and decided by reading. */
const WRITE_MS = 30_000;
const RETRY_MS = 250;
/** A leader that just ended, or our own connection that the server has not missed yet, gives the lock back within this. */
const LOCK_MS = 5000;
/** The lock is asked for this often. */
const AGAIN_MS = 50;
/** Session lock of the one writer; any constant of our own. */
const LEADER_LOCK = 7_305_190_211;

interface LeaderLine extends Pick<Db, 'write' | 'lead' | 'release' | 'healthy' | 'close'> {
  leads(): boolean;
}

export function createLeaderLine(options: { url: string; log: Log; durability: Durability }): LeaderLine {
  const { url, log, durability } = options;
  const instance = randomBytes(4).toString('hex');
  let client: pg.Client | null = null;
  let connecting: Promise<pg.Client> | null = null;
  let leading = false;
  let holder: Holder | null = null;
  let closed = false;
  let again: NodeJS.Timeout | undefined;

  async function open(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      application_name: nameOf(instance),
    });
    next.on('error', (error) => {
      log.warn({ err: error }, "the writer's database connection is lost");
      drop(next);
    });
    next.on('end', () => drop(next));
    try {
      await next.connect();
      if (leading) await takePlace(next);
    } catch (error) {
      next.end().catch(() => {});
      if (!(error instanceof Fenced)) throw new DbLost(false, error);
      holder?.lost(error.message);
      throw error;
    }
    client = next;
    return next;
  }

  /** The lock, the row and the promises of the server; all again after each reconnect. */
  async function takePlace(on: pg.Client): Promise<void> {
    // Whose row it is leads, whoever still has the lock.
    if (holder) await mustOwn(on, holder);
    await takeLock(on, instance, holder !== null);
    await assertPromises(on, durability, log);
    if (holder) await mustOwn(on, holder);
  }

  function connect(): Promise<pg.Client> {
    connecting ??= open().finally(() => {
      connecting = null;
    });
    return connecting;
  }

  function drop(gone: pg.Client): void {
    if (client !== gone) return;
    client = null;
    if (leading && !closed) comeBack();
  }

  /** At once and not with the next bet: only who holds the lock knows whether it leads. */
  function comeBack(): void {
    clearTimeout(again);
    again = setTimeout(() => {
      if (closed || client) return;
      connect().catch((error: unknown) => {
        if (!(error instanceof Fenced)) comeBack();
      });
    }, RETRY_MS);
    again.unref();
  }

  const write: Query = async <T>(sql: string, params?: unknown[]) => {
    if (closed) throw new DbLost(false, 'closed');
    const line = client ?? (await connect());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DbLost(true, 'no answer in time')), WRITE_MS);
    });
    try {
      // A name makes the server keep the plan of the one statement that is sent all the time.
      const name = /^SELECT (core_\w+)\(/.exec(sql)?.[1];
      const done = line.query({ text: sql, values: params ?? [], ...(name ? { name } : {}) });
      done.catch(() => {});
      const { rows } = await Promise.race([done, late]);
      return rows as T[];
    } catch (error) {
      if (!(error instanceof DbLost) && !isConnectionError(error)) throw error;
      drop(line);
      // Not politely: a connection that hangs would never end.
      (line as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      throw error instanceof DbLost ? error : new DbLost(true, error);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    write,
    leads: () => leading,
    healthy: () => !closed && client !== null,
    async lead(given) {
      if (given) holder = given;
      if (leading && client) return;
      leading = true;
      try {
        if (client) await takePlace(client);
        else await connect();
      } catch (error) {
        leading = false;
        throw error instanceof DbLost ? (error.cause as Error) : error;
      }
    },
    async release() {
      leading = false;
      holder = null;
      // Without a connection it is not held.
      if (client) await giveBackLock(client);
    },
    async close() {
      closed = true;
      clearTimeout(again);
      const last = client;
      client = null;
      await last?.end().catch(() => {});
    },
  };
}

async function assertPromises(on: pg.Client, durability: Durability, log: Log): Promise<void> {
  const { rows } = await on.query(STATE_SQL);
  const state = rows[0] as ServerState;
  try {
    assertDurable(state, durability, log);
  } catch (error) {
    throw new Fenced((error as Error).message);
  }
  if (needsSynchronousCommit(state)) {
    log.warn({ synchronousCommit: state.synchronousCommit }, 'synchronous_commit is switched on for the writer');
    await on.query('SET synchronous_commit = on');
  }
}

async function mustOwn(on: pg.Client, { owner }: Holder): Promise<void> {
  const { rows } = await on.query('SELECT owner FROM leader');
  if ((rows[0] as { owner: string } | undefined)?.owner !== owner)
    throw new Fenced('another fairGame has taken over this database');
}

/** At most 63 characters, so that another server can say who holds the lock. */
function nameOf(instance: string): string {
  return `fairgame-writer ${instance} ${process.pid} ${hostname()}`.slice(0, 63);
}

/** Who holds the leader's lock; null when nobody does. */
export interface LockHolder {
  backend: number;
  instance: string;
  /** `since 2026-01-10T12:00:00.000Z, host web-1, process 4711`. */
  text: string;
}

export async function lockHolder(on: Pick<pg.Client, 'query'>): Promise<LockHolder | null> {
  const { rows } = await on.query(
    `SELECT a.pid, a.application_name AS name, a.backend_start AS since, a.client_addr AS address
       FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
       WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
         AND ((l.classid::bigint << 32) | l.objid::bigint) = $1
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [LEADER_LOCK],
  );
  const row = rows[0] as { pid: number; name: string | null; since: Date | null; address: string | null } | undefined;
  if (!row) return null;
  const [, instance = '', pid = 'unknown', host = row.address ?? 'unknown'] =
    /^fairgame-writer (\w+) (\d+) (.+)$/.exec(row.name ?? '') ?? [];
  const since = row.since?.toISOString() ?? 'an unknown time';
  return { backend: row.pid, instance, text: `since ${since}, host ${host}, process ${pid}` };
}

async function giveBackLock(on: pg.Client): Promise<void> {
  await on.query('SELECT pg_advisory_unlock($1)', [LEADER_LOCK]).catch(() => undefined);
}

/** `byRight`: whoever else holds it is ended. */
async function takeLock(on: pg.Client, instance: string, byRight: boolean): Promise<void> {
  const until = Date.now() + LOCK_MS;
  for (;;) {
    const { rows } = await on.query('SELECT pg_try_advisory_lock($1) AS held', [LEADER_LOCK]);
    if ((rows[0] as { held: boolean }).held) return;
    const other = await lockHolder(on);
    // Our own earlier connection, cut off on the way: the server would keep it for minutes.
    if (other && (byRight || other.instance === instance))
      await on.query('SELECT pg_terminate_backend($1)', [other.backend]);
    if (Date.now() > until) {
      throw new Fenced(
        `another fairGame leads this database (${other?.text ?? 'it has just begun'}). Stop it first; ` +
          'if it hangs, take over with: npm run takeover',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
