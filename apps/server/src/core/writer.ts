/**
 * The single writer (architecture 3): takes what waits, applies it in memory, writes it in one transaction, and only then
 * tells anybody. One batch is in flight at a time. `ahead` is the state with the batch in flight, `committed` the state
 * everybody reads: it follows by applying the same commands after the commit, so nothing uncommitted is ever visible, and
 * a batch that was lost costs no more than throwing `ahead` away.
 */
import { performance } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import type { Db, Log } from '../db/db.ts';
import { DbLost } from '../db/db.ts';
import { applyItem, type Batch, commitParams, createBatch, type Item, type Outcome } from './batch.ts';
import { createQueue } from './queue.ts';
import { applyLogged, copyWorlds, hashWorlds, type Worlds } from './recovery.ts';
import { type Books, mergeRows } from './rows.ts';

/** Bounds of architecture 3 and trust 2.4. */
export const LIMITS = { batch: 64, applyMs: 2, queue: 5000, queueMs: 1000, unavailableMs: 2000, stallMs: 5000 };
/** A hash of the state goes into the log about this often. */
const HASH_EVERY = 1000;
const RETRY_MS = 250;

export interface WriterOptions {
  db: Db;
  log: Log;
  clock: () => number;
  worlds: Worlds;
  books: Books;
  epoch: number;
  /** Names this process in the leader's row. */
  owner: string;
  seq: number;
  at: number;
  lastBetId: number;
  /** The upper bound of ids given out so far; written with every commit. */
  nextId: () => number;
  /** A batch is committed: before its answers are released. */
  onCommitted: (batch: Batch) => void;
  /** The command on which the core failed an assertion. */
  onPoison: (item: Item, error: unknown) => void;
  /** Items to put first when the database is back after a stall that long. */
  afterStall: (stalledMs: number) => Item[];
  /** Another process leads, or the database does not fit any more: this one must end. */
  onFenced: (reason: string) => void;
  /** Test points between the steps of a commit. */
  failpoint?: ((point: 'applied' | 'written' | 'answered') => void) | undefined;
}

export interface Writer {
  /** Throws BUSY or UNAVAILABLE, and then nothing was taken. */
  enqueue(item: Item): void;
  /** Past all bounds, before everything else: the core's own commands. */
  first(items: Item[]): void;
  readonly committed: Worlds;
  readonly seq: number;
  readonly at: number;
  readonly epoch: number;
  readonly lastBetId: number;
  readonly lastCommitAt: number;
  /** Broken invariants since the start. */
  breaks: number;
  available(): boolean;
  depth(): number;
  oldestMs(): number;
  /** Resolves when nothing waits and nothing is in flight. */
  idle(): Promise<void>;
  /** Takes nothing more, finishes what waits (or gives it up when the database is gone). */
  stop(): Promise<void>;
}

export function createWriter(options: WriterOptions): Writer {
  const { db, log, clock, books } = options;
  const queue = createQueue<Item>();
  let ahead = copyWorlds(options.worlds);
  const committed = options.worlds;
  let { epoch, seq, at, lastBetId } = options;
  let lastCommitAt = clock();
  let running: Promise<void> | null = null;
  let current: Batch | null = null;
  let writingSince = 0;
  let deciding = false;
  let late = false;
  let stalledMs = 0;
  let stopping = false;
  let fenced = false;
  /** While this many remain, batches are of one command: one of them made a whole batch fail. */
  let alone = 0;
  let breaks = 0;

  // Looks after a commit that hangs: new commands are refused, old ones in the queue are told that nothing was taken.
  const watch = setInterval(() => {
    if (writingSince === 0) return;
    const ms = performance.now() - writingSince;
    late = ms > LIMITS.unavailableMs;
    stalledMs = Math.max(stalledMs, ms);
    if (!late) return;
    for (;;) {
      const item = queue.first();
      if (!item || performance.now() - item.queuedAt < LIMITS.unavailableMs) break;
      queue.shift()!.reject(unavailable());
    }
  }, 100);
  watch.unref();

  const available = () => !stopping && !fenced && !deciding && !late;

  function start(): void {
    running ??= Promise.resolve()
      .then(run)
      .catch((error: unknown) => {
        log.error({ err: error }, 'the writer failed');
        for (const { item } of current?.outcomes ?? []) item.reject(unknown());
        fence('the writer failed');
      })
      .finally(() => {
        running = null;
        if (queue.length > 0 && !fenced) start();
      });
  }

  async function run(): Promise<void> {
    while (queue.length > 0 && !fenced) {
      const batch = applyWaiting();
      if (!batch) continue;
      current = batch;
      await commit(batch);
      current = null;
      // Sockets and timers get their turn between two batches.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Null when a command failed an assertion: the others go again, without it. */
  function applyWaiting(): Batch | null {
    at = Math.max(at, clock());
    const batch = createBatch(seq, at, lastBetId, books);
    const most = alone > 0 ? 1 : LIMITS.batch;
    const until = performance.now() + LIMITS.applyMs;
    while (queue.length > 0 && batch.outcomes.length < most) {
      if (batch.outcomes.length > 0 && performance.now() > until) break;
      const item = queue.shift()!;
      try {
        applyItem(batch, item, ahead, books);
      } catch (error) {
        breaks++;
        ahead = copyWorlds(committed);
        log.error({ err: error, command: item.request.command, actor: item.request.actor }, 'a command broke the core');
        item.reject(new CodedError('INTERNAL'));
        putAside(item, error);
        // Those before it go again, and before what putting it aside may have put first.
        queue.unshift(batch.outcomes.map((outcome) => outcome.item));
        return null;
      }
    }
    if (alone > 0) alone--;
    return batch;
  }

  async function commit(batch: Batch): Promise<void> {
    const crossed = Math.floor(batch.last / HASH_EVERY) > Math.floor(seq / HASH_EVERY);
    const params = commitParams(batch, epoch, options.nextId(), crossed ? hashWorlds(ahead) : null);
    options.failpoint?.('applied');
    writingSince = performance.now();
    let done = true;
    try {
      await db.write(COMMIT, params);
    } catch (error) {
      done = await settleFailure(batch, error);
    }
    const wasStalled = Math.max(stalledMs, performance.now() - writingSince);
    writingSince = 0;
    late = false;
    stalledMs = 0;
    if (done) publish(batch);
    if (wasStalled > LIMITS.stallMs && !fenced && !stopping) queue.unshift(options.afterStall(wasStalled));
  }

  /** The commit was refused, or nobody knows. Answers whether the batch is in the database after all. */
  async function settleFailure(batch: Batch, error: unknown): Promise<boolean> {
    const code = (error as { code?: string }).code ?? '';
    if (code === 'FG001') {
      giveUp(batch, unavailable());
      fence('another process leads');
      return false;
    }
    log.error({ err: error, first: batch.first, last: batch.last }, 'a commit failed');
    const outOfRoom = code.startsWith('53') || code.startsWith('58') || code.startsWith('25');
    if (!(error instanceof DbLost) && !outOfRoom) {
      // Refused for what is in it, so nothing of it was done: each command again by itself, to find which.
      ahead = copyWorlds(committed);
      if (batch.outcomes.length > 1) {
        alone = batch.outcomes.length;
        queue.unshift(batch.outcomes.map((outcome) => outcome.item));
      } else {
        breaks++;
        giveUp(batch, new CodedError('INTERNAL'));
        putAside(batch.outcomes[0]!.item, error);
      }
      return false;
    }
    const last = await decide();
    if (last === batch.last) return true;
    if (last !== null && last !== batch.first - 1) fence(`the database is at command ${last}, this process at ${seq}`);
    giveUp(batch, last === null ? unknown() : unavailable());
    return false;
  }

  /**
   * Reads what became of a commit. Taking a new epoch in the same statement makes the answer final: should the old
   * connection's statement still be under way, it can only come before or be refused.
   */
  async function decide(): Promise<number | null> {
    deciding = true;
    for (const item of queue.clear()) item.reject(unavailable());
    try {
      while (!stopping) {
        try {
          const [row] = await db.write<{ epoch: number; last_seq: number }>(
            'UPDATE leader SET epoch = epoch + 1 WHERE owner = $1 RETURNING epoch, last_seq',
            [options.owner],
          );
          if (!row) {
            fence('another process leads');
            return null;
          }
          epoch = row.epoch;
          log.warn({ epoch, seq: row.last_seq }, 'the database is back');
          return row.last_seq;
        } catch (error) {
          log.warn({ err: error }, 'the database is away');
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
      return null;
    } finally {
      deciding = false;
    }
  }

  function putAside(item: Item, cause: unknown): void {
    try {
      options.onPoison(item, cause);
    } catch (error) {
      log.error({ err: error }, 'a command could not be put aside');
    }
  }

  function giveUp(batch: Batch, error: Error): void {
    ahead = copyWorlds(committed);
    for (const { item } of batch.outcomes) item.reject(error);
  }

  function publish(batch: Batch): void {
    options.failpoint?.('written');
    for (const outcome of batch.outcomes) follow(outcome);
    mergeRows(books, batch.rows);
    seq = batch.last;
    lastBetId = batch.lastBetId;
    lastCommitAt = batch.at;
    options.onCommitted(batch);
    for (const outcome of batch.outcomes) {
      const { item, refused, logged, events } = outcome;
      if (refused) item.reject(new CodedError(refused.code, { field: refused.field, current: refused.current }));
      else item.resolve({ seq: logged.seq, at: logged.at, events: events[0]!, replayed: false });
    }
    options.failpoint?.('answered');
  }

  /** Brings the committed state on; that it tells the same proves that the core is deterministic. */
  function follow({ logged, events }: Outcome): void {
    const again = applyLogged(committed, logged);
    if (again.every((list, i) => list.length === events[i]!.length)) return;
    breaks++;
    log.error({ seq: logged.seq, command: logged.applied[0]?.command }, 'INV-10: a command told two different things');
  }

  function fence(reason: string): void {
    if (fenced) return;
    fenced = true;
    for (const item of queue.clear()) item.reject(unavailable());
    options.onFenced(reason);
  }

  return {
    enqueue(item) {
      if (!available()) throw unavailable();
      if (queue.length >= LIMITS.queue || this.oldestMs() > LIMITS.queueMs)
        throw new CodedError('BUSY', { retryAfterS: 1 });
      queue.push(item);
      start();
    },
    first(items) {
      if (stopping || fenced || items.length === 0) return;
      queue.unshift(items);
      start();
    },
    get committed() {
      return committed;
    },
    get seq() {
      return seq;
    },
    get at() {
      return at;
    },
    get epoch() {
      return epoch;
    },
    get lastBetId() {
      return lastBetId;
    },
    get lastCommitAt() {
      return lastCommitAt;
    },
    get breaks() {
      return breaks;
    },
    set breaks(value) {
      breaks = value;
    },
    available,
    depth: () => queue.length,
    oldestMs() {
      const oldest = queue.first();
      return oldest ? performance.now() - oldest.queuedAt : 0;
    },
    async idle() {
      while (running) await running;
    },
    async stop() {
      stopping = true;
      while (running) await running;
      clearInterval(watch);
    },
  };
}

const COMMIT = 'SELECT core_commit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)';

function unavailable(): CodedError {
  return new CodedError('UNAVAILABLE', { retryAfterS: 2 });
}

function unknown(): CodedError {
  return new CodedError('INTERNAL', { message: 'The outcome is not known. Ask by key what became of this request.' });
}
