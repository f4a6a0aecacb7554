/**
 * The single writer (architecture 3): takes what waits, applies it in memory, writes it in one transaction, and only then
 * tells anybody. One batch is in flight at a time; the next one is applied and made ready meanwhile, but not sent before
 * the one in flight is known to have committed (measured: it doubles the rate, since the database has a core of its own).
 *
 * `ahead` is the state with all that was applied, `state` the committed one that everybody reads: it follows by applying the
 * same batches after the commit (state.ts), so nothing uncommitted is ever visible, and a batch that was lost costs no more than
 * throwing `ahead` away.
 */
import { performance } from 'node:perf_hooks';
import { CodedError, tooLate } from '@fairgame/contract';
import { pendingWork } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import { applyItem, type Batch, createBatch, type Item, isSlice, sealBatch } from './batch.ts';
import type { CoreClock } from './clock.ts';
import { Failing } from './failing.ts';
import { Phase } from './phase.ts';
import { copyWorlds, hashWorlds, isHashNear } from './recovery.ts';
import { type Books, mergeRows } from './rows.ts';
import { type Landing, Sending, unavailable, unknownOutcome } from './sending.ts';
import { createStallWatch } from './stall.ts';
import { advance, applyLogged, type CommittedState } from './state.ts';
import type { CoreMeter } from './types.ts';
import { createWaiting, type Line } from './waiting.ts';
import { isOfDemo, openWorlds, type Worlds } from './worlds.ts';

/** Bounds of architecture 3 and trust 2.4. */
export const LIMITS = {
  batch: 64,
  applyMs: 2,
  /** Commands that wait, a line. */
  queue: { real: 5000, demo: 1000 },
  queueMs: 1000,
  unavailableMs: 2000,
  stallMs: 5000,
  /** Nobody wants a command any more that waited so long (a process that was stopped and goes on). */
  ageMs: 5000,
};
/** A hash of the state goes into the log about this often. */
const HASH_EVERY = 1000;
/** So many commands later at most, where a large act is being looked at for it. */
const HASH_LATE = 20 * HASH_EVERY;

export interface WriterOptions {
  db: Db;
  log: Log;
  clock: CoreClock;
  state: CommittedState;
  /** The same once more, independent of it; made here where nobody had it ready. */
  ahead?: Worlds | undefined;
  books: Books;
  epoch: number;
  /** Names this process in the leader's row. */
  owner: string;
  chain: string;
  /** The upper bound of ids that may be given out once the next batch has committed. */
  nextId: () => number;
  /** A batch is committed: before its answers are released. */
  onCommitted: (batch: Batch) => void;
  /** The command on which the core failed an assertion. */
  onPoison: (item: Item, error: unknown) => void;
  /** A batch had no table to go to: makes the missing month's. */
  onNoTable: () => Promise<void>;
  /** Items to put first when the database is back after a stall that long, or this process after a pause. */
  afterStall: (stalledMs: number) => Item[];
  /** Another process leads, or the database does not fit any more: this one must end. */
  onFenced: (reason: string) => void;
  /** A command that changes nothing, to see whether commits go well again. */
  probe: () => Item[];
  meter?: CoreMeter | undefined;
  /** Test points between the steps of a commit. */
  failpoint?: ((point: 'applied' | 'written' | 'answered') => void) | undefined;
}

export class Writer {
  private readonly options: WriterOptions;
  private readonly queue = createWaiting<Item>((item) => this.lineOf(item));
  private readonly stall;
  private readonly phase = new Phase<Batch>();
  private readonly sending: Sending;
  /** Applied behind the one in flight; growing until it is sealed. */
  private next: Batch | null = null;
  /** The command since which a hash is due; null where none is. */
  private hashDueAt: number | null = null;
  /** Committed, being told. */
  private publishing: Batch | null = null;
  private ahead: Worlds;
  private pumpIsDue = false;
  private stopping = false;
  private idlers: Array<() => void> = [];
  /** While this many remain, batches are of one command: one of them made a whole batch fail. */
  private alone = 0;
  /** What everybody reads. */
  readonly state: CommittedState;
  /** The end of the chain over the kept rows of the log. */
  chain: string;
  /** Of the ring of core_log_short, the one that is filled. */
  slot = 0;
  lastCommitAt: number;
  /** Broken invariants since the start. */
  breaks = 0;
  mismatches = 0;
  readonly failing: Failing;

  constructor(options: WriterOptions) {
    this.options = options;
    this.state = options.state;
    this.ahead = options.ahead ?? copyWorlds(options.state.worlds);
    this.chain = options.chain;
    this.lastCommitAt = options.clock.now();
    this.sending = new Sending({
      ...options,
      onFailing: () => this.failing.begin(),
      onBroken: () => this.lineBroke(),
      isStopping: () => this.stopping,
    });
    this.failing = new Failing({
      now: () => options.clock.now(),
      probe: () => this.first(options.probe()),
      onWell: () => this.sending.tellWell(),
    });
    this.stall = createStallWatch({
      pauseMs: LIMITS.stallMs,
      onTick: () => this.lookAtCommit(),
      onPause: (ms) => this.first(options.afterStall(ms)),
    });
  }

  /** Under which this process writes. */
  get epoch(): number {
    return this.sending.epoch;
  }

  get committed(): Worlds {
    return this.state.worlds;
  }

  get seq(): number {
    return this.state.seq;
  }

  /** Throws BUSY or UNAVAILABLE, and then nothing was taken. */
  enqueue(item: Item): void {
    if (!this.available()) throw unavailable();
    const line = this.lineOf(item);
    const full = this.depth(line) >= LIMITS.queue[line] || this.oldestMs(line) > LIMITS.queueMs;
    if (full && !item.urgent) throw new CodedError('BUSY', { retryAfterS: 1 });
    item.waitsSince = this.stall.now();
    this.queue.push(item);
    this.start();
  }

  /** Past all bounds, before everything else: the core's own commands. */
  first(items: Item[]): void {
    if (this.stopping || this.phase.is === 'fenced' || items.length === 0) return;
    for (const item of items) item.waitsSince ??= this.stall.now();
    this.queue.unshift(items);
    this.start();
  }

  available(): boolean {
    return !this.stopping && !this.failing.isShut && this.phase.takes() && !this.isLate();
  }

  depth(line: Line): number {
    return this.queue.length(line);
  }

  oldestMs(line: Line): number {
    const oldest = this.queue.first(line);
    return oldest?.waitsSince === undefined ? 0 : this.stall.now() - oldest.waitsSince;
  }

  /** Resolves when nothing waits and nothing is in flight. */
  idle(): Promise<void> {
    if (this.phase.is === 'fenced' || this.isIdle()) return Promise.resolve();
    return new Promise((resolve) => {
      this.idlers.push(resolve);
      this.start();
    });
  }

  /** Takes nothing more, finishes what waits (or gives it up when the database is gone). */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.idle();
    this.stall.stop();
  }

  private isIdle(): boolean {
    return this.phase.is === 'idle' && this.queue.isEmpty() && this.next === null;
  }

  /** Of play money is what no other world takes; what only settles a key goes by whose key it is. */
  private lineOf({ commands, actor }: Item): Line {
    const isDemo =
      commands.length > 0 ? commands.every(({ world }) => world === 'demo') : isOfDemo(this.committed, actor);
    return isDemo ? 'demo' : 'real';
  }

  /** Whether something waits that the batch that is made may still take. */
  private hasNext(): boolean {
    return (this.next === null || this.next.texts === null) && this.queue.hasFor(this.next?.demo ?? 0);
  }

  /** The commit hangs: nothing is taken until it is back. */
  private isLate(): boolean {
    return this.stall.ms() > LIMITS.unavailableMs;
  }

  /** Soon, so that what comes in together is taken together, and sockets and timers get their turn between two batches. */
  private start(): void {
    if (this.pumpIsDue) return;
    this.pumpIsDue = true;
    setImmediate(() => {
      this.pumpIsDue = false;
      try {
        this.pump();
      } catch (error) {
        this.fail(error);
      }
    });
  }

  private pump(): void {
    if (this.phase.is === 'fenced' || (this.failing.holdsBack() && !this.stopping)) return;
    this.applyWaiting();
    if (this.phase.is === 'idle' && this.next !== null) this.launch(this.next);
    // Nothing is left over while the batch can still grow; else the end of the flight calls again.
    if (this.hasNext() && this.phase.is !== 'deciding' && !this.isLate()) this.start();
    if (this.isIdle()) this.wakeIdlers();
  }

  private wakeIdlers(): void {
    for (const done of this.idlers.splice(0)) done();
  }

  /** Adds what waits to the next batch, up to its bounds; a full one is made ready to be sent. */
  private applyWaiting(): void {
    const { queue, phase } = this;
    if (phase.is === 'deciding' || this.isLate()) return;
    const { books, clock } = this.options;
    const { state, chain } = this;
    let until = performance.now() + LIMITS.applyMs;
    while (this.hasNext()) {
      const item = queue.takeFor(this.next?.demo ?? 0)!;
      if (isTooLate(item)) {
        item.reject(tooLate());
        continue;
      }
      this.next ??= createBatch(state, chain, books, phase.batch);
      const most = this.alone > 0 ? 1 : LIMITS.batch;
      try {
        applyItem(this.next, item, clock.now(), this.ahead, books);
      } catch (error) {
        this.dropBroken(item, error);
        return;
      }
      // A slice takes nothing of others' time: it comes before them in every batch, and may be longer than all of that.
      if (isSlice(item)) until = performance.now() + LIMITS.applyMs;
      if (this.lineOf(item) === 'demo') this.next.demo++;
      if (this.next.outcomes.length >= most) {
        if (this.alone > 0) this.alone--;
        this.seal(this.next);
      }
      if (performance.now() > until) return;
    }
  }

  private seal(batch: Batch): void {
    const crossed = Math.floor(batch.last / HASH_EVERY) > Math.floor((batch.first - 1) / HASH_EVERY);
    if (crossed) this.hashDueAt ??= batch.last;
    const { hashDueAt } = this;
    const late = hashDueAt !== null && batch.last - hashDueAt > HASH_LATE;
    const isDue = hashDueAt !== null && (late || isHashNear(this.ahead) || !isLookedAt(this.ahead));
    if (isDue) this.hashDueAt = null;
    sealBatch(batch, isDue ? hashWorlds(this.ahead) : null, this.slot);
  }

  /** A command failed an assertion: what was applied with it goes again, without it. */
  private dropBroken(item: Item, error: unknown): void {
    this.breaks++;
    this.options.log.error(
      { err: error, type: item.commands[0]?.command.type, actor: item.actor },
      'a command broke the core',
    );
    item.reject(new CodedError('INTERNAL'));
    this.quarantine(item, error);
    // Those before it go before what its quarantine may have put first.
    const before = this.next?.outcomes ?? [];
    this.next = null;
    this.queue.unshift(before.map((outcome) => outcome.item));
    this.rebuild();
    this.start();
  }

  /** `ahead` anew: what is committed and, when it may still commit, what is in flight. */
  private rebuild(): void {
    this.ahead = copyWorlds(this.committed);
    for (const { logged } of this.phase.batch?.outcomes ?? []) applyLogged(this.ahead, logged);
  }

  private launch(batch: Batch): void {
    this.next = null;
    this.phase.step('launch', batch);
    if (batch.texts === null) this.seal(batch);
    batch.idBound = this.options.nextId();
    this.options.failpoint?.('applied');
    this.stall.begin();
    this.sending
      .send(batch)
      .then((landing) => this.landed(batch, landing))
      .catch((error: unknown) => this.fail(error));
  }

  private landed(batch: Batch, landing: Landing): void {
    const done = landing.is === 'committed';
    this.phase.step('land');
    // Until its commands are answered they are in nobody else's hands, should something fail here.
    if (done) this.publishing = batch;
    if (landing.is === 'refused') this.takeApart(batch, landing.error);
    else if (landing.is === 'lost') this.giveUp(batch, landing);
    if (landing.is === 'lost' && landing.fence !== undefined) this.fence(landing.fence);
    const stalledMs = this.stall.end();
    batch.flightMs = stalledMs;
    if (done) {
      this.failing.well();
      const { meter } = this.options;
      meter?.committed(batch.outcomes.length, stalledMs / 1000);
      for (const { applyMs } of batch.outcomes) meter?.applied(applyMs / 1000);
    } else if (this.failing.since !== null) this.failing.later();
    // The next one goes first: the database works while this one is told.
    if (done && this.next !== null && this.phase.is === 'idle') this.launch(this.next);
    if (done) this.publish(batch);
    if (stalledMs > LIMITS.stallMs) this.first(this.options.afterStall(stalledMs));
    this.start();
  }

  /** Looks after a commit that hangs: new commands are refused, old ones in the queue are told that nothing was taken. */
  private lookAtCommit(): void {
    if (!this.isLate()) return;
    for (const line of ['real', 'demo'] as const) {
      while (this.oldestMs(line) >= LIMITS.unavailableMs) this.queue.shift(line)!.reject(unavailable());
    }
    this.abandonNext();
  }

  /** What was applied behind a batch that hangs was not sent: those who wait for it are told that nothing was taken. */
  private abandonNext(): void {
    if (this.next === null) return;
    const { outcomes } = this.next;
    this.next = null;
    this.rebuild();
    for (const { item } of outcomes) item.reject(unavailable());
  }

  /** Nothing is taken until it is known what became of the batch that is out. */
  private lineBroke(): void {
    this.phase.step('decide');
    for (const item of this.queue.clear()) item.reject(unavailable());
    this.abandonNext();
  }

  /** Refused for what is in it, so nothing of it was done: each command again by itself, to find which. */
  private takeApart(batch: Batch, error: unknown): void {
    const items = batch.outcomes.map((outcome) => outcome.item);
    this.reopen();
    if (items.length > 1) {
      this.alone = items.length;
      this.queue.unshift(items);
      return;
    }
    this.breaks++;
    items[0]!.reject(new CodedError('INTERNAL'));
    this.quarantine(items[0]!, error);
  }

  private quarantine(item: Item, cause: unknown): void {
    try {
      this.options.onPoison(item, cause);
    } catch (error) {
      this.options.log.error({ err: error }, 'a command could not be quarantined');
    }
  }

  private giveUp(batch: Batch, { tell, shut = false }: Extract<Landing, { is: 'lost' }>): void {
    this.reopen();
    for (const { item } of batch.outcomes) item.reject(tell);
    this.failing.lost(shut);
    if (shut) for (const item of this.queue.clear()) item.reject(unavailable());
  }

  /** The batch that landed did not commit: what was applied behind it waits again. */
  private reopen(): void {
    this.queue.unshift((this.next?.outcomes ?? []).map((outcome) => outcome.item));
    this.next = null;
    this.rebuild();
  }

  private publish(batch: Batch): void {
    this.options.failpoint?.('written');
    this.advance(batch);
    mergeRows(this.options.books, batch.rows);
    this.chain = batch.chain;
    this.lastCommitAt = batch.outcomes.at(-1)!.logged.at;
    this.options.onCommitted(batch);
    for (const { item, refusal, logged, events } of batch.outcomes) {
      if (refusal) item.reject(new CodedError(refusal.code, refusal));
      else item.resolve({ seq: logged.seq, at: logged.at, events: events[0] ?? [], replayed: false });
    }
    this.publishing = null;
    this.options.failpoint?.('answered');
  }

  /** Brings the committed state on; that it tells the same proves that the core is deterministic. */
  private advance({ last, outcomes }: Batch): void {
    const again = advance(this.state, { last, items: outcomes.map((outcome) => outcome.logged) });
    outcomes.forEach(({ logged, events }, n) => {
      if (again[n]!.every((list, i) => list.length === events[i]!.length)) return;
      this.breaks++;
      this.options.log.error(
        { seq: logged.seq, command: logged.applied[0]?.command },
        'INV-10: a command told two different things',
      );
    });
  }

  /** The program is at fault: nobody knows what became of what was under way. */
  private fail(error: unknown): void {
    this.options.log.error({ err: error }, 'the writer failed');
    for (const batch of [this.publishing, this.phase.batch, this.next])
      for (const { item } of batch?.outcomes ?? []) item.reject(unknownOutcome());
    this.publishing = null;
    this.next = null;
    this.fence('the writer failed');
  }

  /** Another process leads, or may: from now on nothing is taken or written. */
  fence(reason: string): void {
    if (this.phase.is === 'fenced') return;
    this.phase.step('fence');
    this.options.log.error({ reason, epoch: this.epoch, seq: this.seq }, 'this process writes no more');
    for (const item of this.queue.clear()) item.reject(unavailable());
    for (const { item } of this.next?.outcomes ?? []) item.reject(unavailable());
    this.next = null;
    this.wakeIdlers();
    this.options.onFenced(reason);
  }
}

/** The core's own commands, and those that money hangs on, are never too late. */
function isTooLate({ actor, urgent, queuedAt, expiresAt }: Item): boolean {
  if (urgent || actor === 'core') return false;
  const now = performance.now();
  return now - queuedAt > LIMITS.ageMs || (expiresAt !== undefined && now > expiresAt);
}

/** Whether slices go on, each of which looks at a part of what the next hash is of; else it only becomes more. */
function isLookedAt(worlds: Worlds): boolean {
  return openWorlds(worlds).some((world) => pendingWork(worlds[world]).length > 0);
}
