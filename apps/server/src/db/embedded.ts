import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Db, Log, Query } from './types.ts';
import { DbLost } from './types.ts';
import { numbers } from './values.ts';

interface Reply {
  id: number;
  rows?: unknown[];
  error?: { message: string; code?: string };
}

/** The built server has the thread beside it as .js; run from source it is the .mjs file itself. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './pglite-worker.mjs' : './pglite-worker.js', import.meta.url);

/** Opens (and on first use creates) the embedded engine in `dataDir`, under a lock file. `memory://` needs no folder. */
export async function openEmbedded(dataDir: string, log: Log): Promise<Db> {
  const onDisk = !dataDir.startsWith('memory://');
  const unlock = onDisk ? prepareFolder(dataDir) : () => {};
  const folder = onDisk ? join(dataDir, 'pg') : dataDir;
  try {
    if (onDisk && !existsSync(join(folder, 'PG_VERSION'))) {
      // Creating a cluster takes half a gigabyte of memory that only the end of its thread gives back.
      const first = await startThread(folder);
      await first.close();
    }
    return await embedded(folder, log, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function embedded(folder: string, log: Log, unlock: () => void): Promise<Db> {
  let thread = await startThread(folder);
  let closed = false;
  let reopening: Promise<void> | null = null;
  /** Set while a transaction is open: everybody else waits, since there is one connection. */
  let open: Promise<void> | null = null;

  const alive = async () => {
    if (closed) throw new DbLost(false, 'closed');
    if (thread.alive()) return;
    reopening ??= startThread(folder).then(
      (next) => {
        thread = next;
        reopening = null;
        log.warn({}, 'embedded database started again');
      },
      (error: unknown) => {
        reopening = null;
        throw new DbLost(false, error);
      },
    );
    await reopening;
  };
  const run: Query = async <T>(sql: string, params?: unknown[]) =>
    numbers((await thread.ask('query', sql, params)) as T[]);
  const query: Query = async <T>(sql: string, params?: unknown[]) => {
    while (open) await open;
    if (!thread.alive() || closed) await alive();
    return run<T>(sql, params);
  };

  return {
    kind: 'embedded',
    query,
    write: query,
    async exec(sql) {
      while (open) await open;
      await alive();
      await thread.ask('exec', sql);
    },
    async tx(fn) {
      while (open) await open;
      let done = () => {};
      open = new Promise((resolve) => {
        done = resolve;
      });
      try {
        await alive();
        const mine = thread;
        // A dead thread's transaction is gone; its later statements must not run on the next thread on their own.
        const inTx: Query = async <T>(sql: string, params?: unknown[]) => {
          if (mine !== thread || !mine.alive()) throw new DbLost(false, 'the transaction is gone');
          return run<T>(sql, params);
        };
        await inTx('BEGIN');
        try {
          const result = await fn(inTx);
          await inTx('COMMIT');
          return result;
        } catch (error) {
          await inTx('ROLLBACK').catch(() => {});
          throw error;
        }
      } finally {
        open = null;
        done();
      }
    },
    // The lock file is held from opening on.
    lead: async () => {},
    healthy: () => !closed && thread.alive(),
    async close() {
      if (closed) return;
      while (open) await open;
      closed = true;
      if (thread.alive()) await thread.close().catch(() => {});
      unlock();
    },
  };
}

interface Thread {
  ask(op: 'query' | 'exec' | 'close', sql?: string, params?: unknown[]): Promise<unknown[]>;
  alive(): boolean;
  close(): Promise<void>;
}

function startThread(folder: string): Promise<Thread> {
  const worker = new Worker(WORKER, { workerData: { dataDir: folder }, execArgv: [], stdout: false, stderr: false });
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
    ask: (op, sql, params) =>
      new Promise((resolve, reject) => {
        if (!alive) return reject(new DbLost(false, 'the database thread is not running'));
        const id = ++last;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, op, sql, params });
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

/** Makes the folder for this user only and takes its lock; answers what gives the lock back. */
function prepareFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o700);
  const file = join(dataDir, 'lock');
  const mine = `${process.pid} ${startOf(process.pid)}`;
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(file, mine, { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 3) throw error;
      const holder = readFileSync(file, 'utf8');
      const [pid = '0', start = ''] = holder.split(' ');
      // A killed process leaves its lock behind; its number may by now be another process's, hence the start time.
      if (Number(pid) > 0 && isRunning(Number(pid)) && (start === '' || start === startOf(Number(pid)))) {
        throw new Error(`${dataDir} is in use by process ${pid}`, { cause: error });
      }
      rmSync(file, { force: true });
    }
  }
  return () => {
    if (existsSync(file) && readFileSync(file, 'utf8') === mine) rmSync(file, { force: true });
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process started, in the kernel's ticks; empty where there is no /proc. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
