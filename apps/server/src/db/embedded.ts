import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CodedError } from '@fairgame/contract';
import { damageOf, makeCluster } from './embedded-folder.ts';
import { translated } from './errors.ts';
import { lockFolder } from './folder-lock.ts';
import type { Db, Holder, LaneUse, Log, Query } from './types.ts';
import { DbLost, Fenced } from './types.ts';
import { numbers } from './values.ts';

interface Reply {
  id: number;
  rows?: unknown[];
  error?: { message: string; code?: string };
}

/** The built server has the thread beside it as .js; run from source it is the .mjs file itself. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './pglite-worker.mjs' : './pglite-worker.js', import.meta.url);

/** Reports one after the other, with others between them; more than so many waiting are refused. */
const REPORTS_WAITING = 16;

/** Opens (and on first use creates) the embedded engine in `dataDir`, under a lock file. `memory://` needs no folder. */
export async function openEmbedded(dataDir: string, log: Log): Promise<Db> {
  if (dataDir.startsWith('memory://'))
    return embedded(dataDir, log, { release: () => {}, lost: () => null, onLost: () => {} });
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o700);
  const folder = join(dataDir, 'pg');
  let lost: string | null = null;
  let tell: (why: string) => void = () => {};
  const lock = await lockFolder(dataDir, existsSync(folder), (why) => {
    lost = why;
    log.error({}, why);
    tell(why);
  });
  const hold: Hold = {
    release: () => lock.release(),
    lost: () => lost,
    onLost(listener) {
      tell = listener;
      if (lost !== null) listener(lost);
    },
  };
  try {
    await makeCluster(dataDir, async (fresh) => {
      // Creating a cluster takes half a gigabyte of memory that only the end of its thread gives back.
      const first = await startThread(fresh);
      await first.close();
    });
    return await embedded(folder, log, hold);
  } catch (error) {
    hold.release();
    throw error;
  }
}

/** The folder's lock as the database sees it. */
interface Hold {
  release(): void;
  lost(): string | null;
  onLost(listener: (why: string) => void): void;
}

async function embedded(folder: string, log: Log, hold: Hold): Promise<Db> {
  const thread = await startThread(folder).catch((error: unknown) => Promise.reject(damageOf(folder, error)));
  const line = new Line(folder, log, hold, thread);
  const reports = createReports(line);
  const db: Db = {
    kind: 'embedded',
    query: (sql, params) => line.query(sql, params),
    write: (sql, params) => line.write(sql, params),
    patiently: (work) => work(),
    lane: (name) => (name === 'reports' ? reportsDb : db),
    report: (_seq, read) => read(reportsDb),
    reportSources: () => null,
    exec: (sql) => line.alone('exec', sql),
    tx: (fn) => line.tx(fn),
    ...(folder.startsWith('memory://') ? {} : { copyFiles: (to: string) => line.alone('copy', to) }),
    release: async () => {},
    lead: (holder) => leadIn(hold, holder),
    healthy: () => line.healthy(),
    lanes: () => [laneUse('site', line.asked, 0), reports.use()],
    close: () => line.close(),
  };
  const reportsDb: Db = { ...db, query: reports.query };
  return db;
}

/** The one connection, and the thread at its other end: started again where it died. */
class Line {
  /** Statements under way or waiting. */
  asked = 0;
  private readonly folder: string;
  private readonly log: Log;
  private readonly hold: Hold;
  private thread: Thread;
  private closed = false;
  private reopening: Promise<void> | null = null;
  /** Set while a transaction is open: everybody else waits, since there is one connection. */
  private open: Promise<void> | null = null;

  constructor(folder: string, log: Log, hold: Hold, thread: Thread) {
    this.folder = folder;
    this.log = log;
    this.hold = hold;
    this.thread = thread;
  }

  healthy(): boolean {
    return !this.closed && this.hold.lost() === null && this.thread.alive();
  }

  query<T>(sql: string, params?: unknown[]): Promise<T[]> {
    return this.write<T>(sql, params).catch((error: unknown) => Promise.reject(translated(error)));
  }

  async write<T>(sql: string, params?: unknown[]): Promise<T[]> {
    this.asked++;
    try {
      while (this.open) await this.open;
      if (!this.healthy()) await this.revive();
      return await this.run<T>(sql, params);
    } finally {
      this.asked--;
    }
  }

  async alone(op: 'exec' | 'copy', text: string): Promise<void> {
    while (this.open) await this.open;
    await this.revive();
    await this.thread.ask(op, text);
  }

  async tx<T>(fn: (q: Query) => Promise<T>): Promise<T> {
    while (this.open) await this.open;
    let done = () => {};
    this.open = new Promise((resolve) => {
      done = resolve;
    });
    try {
      await this.revive();
      const q = this.within(this.thread);
      await q('BEGIN');
      try {
        const result = await fn(q);
        await q('COMMIT');
        return result;
      } catch (error) {
        await q('ROLLBACK').catch(() => {});
        throw error;
      }
    } finally {
      this.open = null;
      done();
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    while (this.open) await this.open;
    this.closed = true;
    if (this.thread.alive()) await this.thread.close().catch(() => {});
    this.hold.release();
  }

  /** A dead thread's transaction is gone; its later statements must not run on the next thread on their own. */
  private within(mine: Thread): Query {
    return async <T>(sql: string, params?: unknown[]) => {
      if (mine !== this.thread || !mine.alive()) throw new DbLost(false, 'the transaction is gone');
      return this.run<T>(sql, params);
    };
  }

  private async run<T>(sql: string, params?: unknown[]): Promise<T[]> {
    return numbers((await this.thread.ask('query', sql, params)) as T[]);
  }

  /** Makes sure of a thread, or throws why there can be none. */
  private async revive(): Promise<void> {
    if (this.closed) throw new DbLost(false, 'closed');
    const why = this.hold.lost();
    if (why !== null) throw new Fenced(why);
    if (this.thread.alive()) return;
    this.reopening ??= startThread(this.folder).then(
      (next) => {
        this.thread = next;
        this.reopening = null;
        this.log.warn({}, 'embedded database started again');
      },
      (error: unknown) => {
        this.reopening = null;
        this.log.error({ err: error }, damageOf(this.folder, error).message);
        throw new DbLost(false, error);
      },
    );
    await this.reopening;
  }
}

/** Reports go one after the other, with others' statements between them; more than REPORTS_WAITING are refused. */
function createReports(line: Line): { query: Query; use: () => LaneUse } {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let refused = 0;
  return {
    async query<T>(sql: string, params?: unknown[]) {
      if (waiting >= REPORTS_WAITING) {
        refused++;
        throw new CodedError('BUSY', { retryAfterS: 2 });
      }
      waiting++;
      const mine = last.then(() => line.query<T>(sql, params)).finally(() => void waiting--);
      last = mine.catch(() => {});
      return mine;
    },
    use: () => laneUse('reports', waiting, refused),
  };
}

interface Thread {
  /** `text` is a statement, or the folder to copy into. */
  ask(op: 'query' | 'exec' | 'copy' | 'close', text?: string, params?: unknown[]): Promise<unknown[]>;
  alive(): boolean;
  close(): Promise<void>;
}

/** All are of one connection. */
function laneUse(lane: LaneUse['lane'], asked: number, refused: number): LaneUse {
  return { lane, open: 1, idle: asked === 0 ? 1 : 0, waiting: Math.max(0, asked - 1), refused };
}

/** The types of Node know the name for its types alone. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
let engine: Promise<WebAssembly.Module> | undefined;
/** The engine, compiled once for all threads of this process: each by itself would take half a second of a core for it. */
function compiledEngine(): Promise<WebAssembly.Module> {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  engine ??= readFile(join(folder, 'pglite.wasm')).then((bytes) => WebAssembly.compile(bytes));
  return engine;
}

async function startThread(folder: string): Promise<Thread> {
  const workerData = { dataDir: folder, engine: await compiledEngine() };
  const worker = new Worker(WORKER, { workerData, execArgv: [], stdout: false, stderr: false });
  const waiting = new Map<number, { resolve: (rows: unknown[]) => void; reject: (error: Error) => void }>();
  let alive = true;
  let last = 0;
  const gone = (cause: unknown) => {
    alive = false;
    for (const { reject } of waiting.values()) reject(new DbLost(true, cause));
    waiting.clear();
  };
  worker.on('error', gone);
  worker.on('exit', () => gone('the database thread ended'));
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
  });
  const ready = new Promise<unknown[]>((resolve, reject) => {
    waiting.set(0, { resolve, reject });
  });
  worker.on('message', ({ id, rows, error }: Reply) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(Object.assign(new Error(error.message), error));
    else call?.resolve(rows ?? []);
  });
  const thread: Thread = {
    alive: () => alive,
    ask: (op, text, params) =>
      new Promise((resolve, reject) => {
        if (!alive) return reject(new DbLost(false, 'the database thread is not running'));
        const id = ++last;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, op, text, params });
      }),
    async close() {
      await thread.ask('close');
      await worker.terminate();
      await ended;
    },
  };
  return ready.then(
    () => thread,
    async (error: unknown) => {
      await worker.terminate();
      throw error;
    },
  );
}

/** The folder's lock is held from opening on. */
async function leadIn(hold: Hold, holder?: Holder): Promise<void> {
  if (holder) hold.onLost(holder.lost);
  const why = hold.lost();
  if (why !== null) throw new Fenced(why);
}
