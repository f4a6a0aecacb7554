/**
 * The single writer (architecture 3): takes what waits, applies it in memory, writes it in one transaction, and only then
 * tells anybody. One batch is in flight at a time; the next one is applied and made ready meanwhile, but not sent before
 * the one in flight is known to have committed (measured: it doubles the rate, since the database has a core of its own).
 *
 * `ahead` is the state with all that was applied, `committed` the state everybody reads: it follows by applying the same
 * commands after the commit, so nothing uncommitted is ever visible, and a batch that was lost costs no more than
 * throwing `ahead` away.
 */
import { performance } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import type { Db, Log } from '../db/db.ts';
import { DbLost, fencedBy } from '../db/db.ts';
import { applyItem, type Batch, commitParams, createBatch, type Item, type Outcome, sealBatch } from './batch.ts';
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
  /** The upper bound of ids that may be given out once the next batch has committed. */
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
  /** Another process leads, or may: from now on nothing is taken or written. */
  fence(reason: string): void;
  /** Resolves when nothing waits and nothing is in flight. */
  idle(): Promise<void>;
  /** Takes nothing more, finishes what waits (or gives it up when the database is gone). */
  stop(): Promise<void>;
}

export function createWriter(options: WriterOptions): Writer {
  const { db, log, clock, books } = options;
  const queue = createQueue<Item>();
  const { worlds: committed } = options;
  let ahead = copyWorlds(committed);
  let { epoch, seq, at, lastBetId } = options;
  let lastCommitAt = clock();
  /** Sent to the database, outcome not known yet. */
  let flight: Batch | null = null;
  /** Applied behind it; still growing until it is sealed. */
  let open: Batch | null = null;
  /** Committed, being told. */
  let publishing: Batch | null = null;
  let pumpIsDue = false;
  const idlers: Array<() => void> = [];
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
    giveBack();
  }, 100);
  watch.unref();

  const available = () => !stopping && !fenced && !deciding && !late;
  const isIdle = () => queue.length === 0 && flight === null && open === null;

  /** Soon, so that what comes in together is taken together, and sockets and timers get their turn between two batches. */
  function start(): void {
    if (pumpIsDue) return;
    pumpIsDue = true;
    setImmediate(() => {
      pumpIsDue = false;
      try {
        pump();
      } catch (error) {
        fail(error);
      }
    });
  }

  function pump(): void {
    if (fenced) return;
    applyWaiting();
    if (flight === null && open !== null) launch();
    // Nothing is left over while the batch can still grow; else the end of the flight calls again.
    if (queue.length > 0 && open?.texts == null && !deciding && !late) start();
    if (isIdle()) for (const done of idlers.splice(0)) done();
  }

  /** Adds what waits to the open batch, up to its bounds; a full one is made ready to be sent. */
  function applyWaiting(): void {
    if (deciding || late) return;
    const until = performance.now() + LIMITS.applyMs;
    while (queue.length > 0 && (open === null || open.texts === null)) {
      open ??= createBatch({ seq, lastBetId }, books, flight);
      const most = alone > 0 ? 1 : LIMITS.batch;
      const item = queue.shift()!;
      at = Math.max(at, clock());
      try {
        applyItem(open, item, at, ahead, books);
      } catch (error) {
        takeOut(item, error);
        return;
      }
      if (open.outcomes.length >= most) {
        if (alone > 0) alone--;
        seal(open);
      }
      if (performance.now() > until) return;
    }
  }

  function seal(batch: Batch): void {
    const crossed = Math.floor(batch.last / HASH_EVERY) > Math.floor((batch.first - 1) / HASH_EVERY);
    sealBatch(batch, crossed ? hashWorlds(ahead) : null);
  }

  /** A command failed an assertion: what was applied with it goes again, without it. */
  function takeOut(item: Item, error: unknown): void {
    breaks++;
    log.error({ err: error, type: item.request.command.type, actor: item.request.actor }, 'a command broke the core');
    item.reject(new CodedError('INTERNAL'));
    putAside(item, error);
    // Those before it go before what putting it aside may have put first.
    const before = open?.outcomes ?? [];
    open = null;
    queue.unshift(before.map((outcome) => outcome.item));
    rebuild();
    start();
  }

  /** `ahead` anew: what is committed and, when it may still commit, what is in flight. */
  function rebuild(): void {
    ahead = copyWorlds(committed);
    for (const { logged } of flight?.outcomes ?? []) applyLogged(ahead, logged);
  }

  /** What was applied behind a batch that hangs was not sent: those who wait for it are told that nothing was taken. */
  function giveBack(): void {
    if (open === null) return;
    const { outcomes } = open;
    open = null;
    rebuild();
    for (const { item } of outcomes) item.reject(unavailable());
  }

  function launch(): void {
    const batch = open!;
    open = null;
    flight = batch;
    if (batch.texts === null) seal(batch);
    batch.idBound = options.nextId();
    options.failpoint?.('applied');
    writingSince = performance.now();
    db.write(COMMIT, commitParams(batch, epoch))
      .then(
        () => true,
        (error: unknown) => settleFailure(batch, error),
      )
      .then((done) => landed(batch, done))
      .catch(fail);
  }

  function landed(batch: Batch, done: boolean): void {
    const wasStalled = Math.max(stalledMs, performance.now() - writingSince);
    writingSince = 0;
    late = false;
    stalledMs = 0;
    flight = null;
    // The next one goes first: the database works while this one is told.
    if (done && open !== null && !fenced) launch();
    if (done) publish(batch);
    if (wasStalled > LIMITS.stallMs && !fenced && !stopping) queue.unshift(options.afterStall(wasStalled));
    start();
  }

  function fail(error: unknown): void {
    log.error({ err: error }, 'the writer failed');
    for (const batch of [publishing, flight, open])
      for (const { item } of batch?.outcomes ?? []) item.reject(unknown());
    publishing = null;
    flight = null;
    open = null;
    fence('the writer failed');
  }

  /** The commit was refused, or nobody knows. Answers whether the batch is in the database after all. */
  async function settleFailure(batch: Batch, error: unknown): Promise<boolean> {
    const code = (error as { code?: string }).code ?? '';
    const ended = fencedBy(error);
    if (ended !== null) {
      giveUp(batch, unavailable());
      fence(ended);
      return false;
    }
    log.error({ err: error, first: batch.first, last: batch.last }, 'a commit failed');
    const outOfRoom = code.startsWith('53') || code.startsWith('58') || code.startsWith('25');
    if (!(error instanceof DbLost) && !outOfRoom) {
      // Refused for what is in it, so nothing of it was done: each command again by itself, to find which.
      const items = batch.outcomes.map((outcome) => outcome.item);
      reopen();
      if (items.length > 1) {
        alone = items.length;
        queue.unshift(items);
        return false;
      }
      breaks++;
      items[0]!.reject(new CodedError('INTERNAL'));
      putAside(items[0]!, error);
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
    giveBack();
    try {
      while (!stopping) {
        try {
          const [row] = await db.write<{ epoch: number; last_seq: number }>(
            'UPDATE leader SET epoch = epoch + 1 WHERE owner = $1 RETURNING epoch, last_seq',
            [options.owner],
          );
          if (!row) {
            fence('another fairGame leads this database');
            return null;
          }
          epoch = row.epoch;
          log.warn({ epoch, seq: row.last_seq }, 'the database is back');
          return row.last_seq;
        } catch (error) {
          const ended = fencedBy(error);
          if (ended !== null) {
            fence(ended);
            return null;
          }
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
    reopen();
    for (const { item } of batch.outcomes) item.reject(error);
  }

  /** The batch in flight did not commit: what was applied behind it waits again. */
  function reopen(): void {
    queue.unshift((open?.outcomes ?? []).map((outcome) => outcome.item));
    open = null;
    flight = null;
    rebuild();
  }

  function publish(batch: Batch): void {
    publishing = batch;
    options.failpoint?.('written');
    for (const outcome of batch.outcomes) follow(outcome);
    mergeRows(books, batch.rows);
    seq = batch.last;
    lastBetId = batch.lastBetId;
    lastCommitAt = batch.outcomes.at(-1)!.logged.at;
    options.onCommitted(batch);
    for (const outcome of batch.outcomes) {
      const { item, refused, logged, events } = outcome;
      if (refused) item.reject(new CodedError(refused.code, { field: refused.field, current: refused.current }));
      else item.resolve({ seq: logged.seq, at: logged.at, events: events[0]!, replayed: false });
    }
    publishing = null;
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
    for (const { item } of open?.outcomes ?? []) item.reject(unavailable());
    open = null;
    for (const done of idlers.splice(0)) done();
    options.onFenced(reason);
  }

  function idle(): Promise<void> {
    if (fenced || isIdle()) return Promise.resolve();
    return new Promise((resolve) => {
      idlers.push(resolve);
      start();
    });
  }

  return {
    enqueue(item) {
      if (!available()) throw unavailable();
      const full = queue.length >= LIMITS.queue || this.oldestMs() > LIMITS.queueMs;
      if (full && !item.request.urgent) throw new CodedError('BUSY', { retryAfterS: 1 });
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
    fence,
    idle,
    async stop() {
      stopping = true;
      if (!fenced) await idle();
      clearInterval(watch);
    },
  };
}

const COMMIT = `SELECT core_commit(${Array.from({ length: 22 }, (_, i) => `$${i + 1}`).join(', ')})`;

function unavailable(): CodedError {
  return new CodedError('UNAVAILABLE', { retryAfterS: 2 });
}

function unknown(): CodedError {
  return new CodedError('INTERNAL', { message: 'The outcome is not known. Ask by key what became of this request.' });
}
