/**
 * The single writer's own connection. It holds a session lock of the database while the process leads; what fences is the
 * epoch in every commit, the lock only keeps two servers from overlapping by mistake and lets the second one say why.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import pg from 'pg';
import { assertDurable, type Durability, needsSynchronousCommit, type ServerState, STATE_SQL } from './durability.ts';
import { isConnectionError } from './errors.ts';
import type { Db, Holder, Log } from './types.ts';
import { DbLost, Fenced } from './types.ts';

const CONNECT_MS = 3000;
/** A statement of the writer that has not answered by then is given up as lost and decided by reading. */
const WRITE_MS = 30_000;
/** So long who does not lead waits for a reading: it looks whether the place is free, and that over a way that stands. */
const LOOK_MS = 3000;
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
  return new LeaderConnection(options);
}

class LeaderConnection implements LeaderLine {
  private readonly url: string;
  private readonly log: Log;
  private readonly durability: Durability;
  private readonly instance = randomBytes(4).toString('hex');
  private client: pg.Client | null = null;
  private connecting: Promise<pg.Client> | null = null;
  private leading = false;
  private holder: Holder | null = null;
  private closed = false;
  private again: NodeJS.Timeout | undefined;

  constructor(options: { url: string; log: Log; durability: Durability }) {
    this.url = options.url;
    this.log = options.log;
    this.durability = options.durability;
  }

  async write<T>(sql: string, params?: unknown[]): Promise<T[]> {
    if (this.closed) throw new DbLost(false, 'closed');
    const line = this.client ?? (await this.connect());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const ms = !this.leading && sql.startsWith('SELECT') ? LOOK_MS : WRITE_MS;
      timer = setTimeout(() => reject(new DbLost(true, 'no answer in time')), ms);
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
      this.drop(line);
      // Not politely: a connection that hangs would never end.
      (line as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      throw error instanceof DbLost ? error : new DbLost(true, error);
    } finally {
      clearTimeout(timer);
    }
  }

  leads(): boolean {
    return this.leading;
  }

  healthy(): boolean {
    return !this.closed && this.client !== null;
  }

  async lead(given?: Holder): Promise<void> {
    if (given) this.holder = given;
    if (this.leading && this.client) return;
    this.leading = true;
    try {
      if (this.client) await this.takePlace(this.client);
      else await this.connect();
    } catch (error) {
      this.leading = false;
      throw error instanceof DbLost ? (error.cause as Error) : error;
    }
  }

  async release(): Promise<void> {
    this.leading = false;
    this.holder = null;
    // Without a connection it is not held.
    if (this.client) await giveBackLock(this.client);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.again);
    const last = this.client;
    this.client = null;
    await last?.end().catch(() => {});
  }

  private async open(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      application_name: nameOf(this.instance),
    });
    next.on('error', (error) => {
      this.log.warn({ err: error }, "the writer's database connection is lost");
      this.drop(next);
    });
    next.on('end', () => this.drop(next));
    try {
      await next.connect();
      if (this.leading) await this.takePlace(next);
    } catch (error) {
      next.end().catch(() => {});
      if (!(error instanceof Fenced)) throw new DbLost(false, error);
      this.holder?.lost(error.message);
      throw error;
    }
    this.client = next;
    return next;
  }

  /** The lock, the row and the promises of the server; all again after each reconnect. */
  private async takePlace(on: pg.Client): Promise<void> {
    // Whose row it is leads, whoever still has the lock.
    if (this.holder) await mustOwn(on, this.holder);
    await takeLock(on, this.instance, this.holder !== null);
    await assertPromises(on, this.durability, this.log);
    if (this.holder) await mustOwn(on, this.holder);
  }

  private connect(): Promise<pg.Client> {
    this.connecting ??= this.open().finally(() => {
      this.connecting = null;
    });
    return this.connecting;
  }

  private drop(gone: pg.Client): void {
    if (this.client !== gone) return;
    this.client = null;
    if (this.leading && !this.closed) this.comeBack();
  }

  /** At once and not with the next bet: only who holds the lock knows whether it leads. */
  private comeBack(): void {
    clearTimeout(this.again);
    this.again = setTimeout(() => {
      if (this.closed || this.client) return;
      this.connect().catch((error: unknown) => {
        if (!(error instanceof Fenced)) this.comeBack();
      });
    }, RETRY_MS);
    this.again.unref();
  }
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

/** Of `pg_locks`, called `l`: the leader's lock, held by any session of this database. */
const HELD = `l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
         AND ((l.classid::bigint << 32) | l.objid::bigint) = ${LEADER_LOCK}
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** An expression: whether any session holds the leader's lock. Of a process that was killed none does, as soon as the system has closed its connections. */
export const LEADER_LOCK_HELD = `EXISTS (SELECT 1 FROM pg_locks l WHERE ${HELD})`;

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
       WHERE ${HELD}`,
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
        true,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
