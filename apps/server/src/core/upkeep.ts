/** What keeps the core in order beside its work: snapshots, tables for the months to come, archiving of markets, the watchdog. */

import type { Command } from '@fairgame/exchange';
import { roundsOf, stateSize } from '@fairgame/exchange';
import { type Db, type Log, shortenLog } from '../db/db.ts';
import type { Batch } from './batch.ts';
import { createLeaving } from './leaving.ts';
import { keepMonths } from './months.ts';
import { createRecheck } from './recheck.ts';
import { pruneLog } from './ring.ts';
import { createSnapshotDue } from './snapshot-due.ts';
import { createSnapshotter } from './snapshotter.ts';
import { openWorlds } from './worlds.ts';
import type { Writer } from './writer.ts';

const CHECK_MS = 10_000;
/** The embedded engine has nobody else to clear dead rows away: the small tables often, the large ones at a clean end. */
const VACUUM = ['leader', 'accounts', 'markets', 'core_snapshots', 'core_hashes', 'feed_state', 'market_charts'];
const VACUUM_AT_END =
  'VACUUM (ANALYZE) accounts, markets, bets, fills, ledger, ledger_entries, idempotency, provider_rounds, provider_txs';
/** Shorter runs leave too little behind to be worth it. */
const END_AFTER_BATCHES = 2000;

interface Options {
  db: Db;
  log: Log;
  clock: () => number;
  writer: Writer;
  owner: string;
  snapshotSeq: number;
  snapshotCommands: number;
  snapshotMs: number;
  snapshotRestMs: number;
  /** States with fewer rows are read out by the writer itself. */
  smallRows?: number | undefined;
  archiveMs: number;
  archiveRows: number;
  roundMs: number;
  keepKeysMonths: number;
  submitOwn: (command: Command) => void;
}

export class Upkeep {
  private readonly options: Options;
  private readonly snapshotter;
  private readonly leaving;
  private readonly due;
  private readonly recheck;
  private readonly months;
  private snapshotSeq: number;
  private snapping: Promise<void> | null = null;
  private batches = 0;
  private checkAt = 0;

  constructor(options: Options) {
    const { db, log, clock, writer, owner, smallRows } = options;
    this.options = options;
    this.snapshotter = createSnapshotter({ db, writer, owner, ...(smallRows ? { smallRows } : {}) });
    this.leaving = createLeaving({ keepMs: options.archiveMs, keepRows: options.archiveRows });
    this.due = createSnapshotDue({
      commands: options.snapshotCommands,
      ms: options.snapshotMs,
      restMs: options.snapshotRestMs,
      now: clock(),
      behind: writer.seq - options.snapshotSeq,
    });
    this.recheck = createRecheck(writer, log, options.submitOwn);
    this.months = keepMonths({ db, log, clock, keysMonths: options.keepKeysMonths });
    this.snapshotSeq = options.snapshotSeq;
  }

  onCommitted(batch: Batch): void {
    this.batches++;
    this.recheck(batch);
    const now = this.options.clock();
    this.due.count(batch.outcomes);
    if (!this.snapping && this.due.isDue(now))
      this.snapping = this.snapshot((rows) => this.snapshotter.take(now, rows), now);
    if (now < this.checkAt) return;
    this.checkAt = now + CHECK_MS;
    this.check(now);
  }

  /** Makes the tables of the months to come where they are missing. */
  makeMonths(): Promise<void> {
    return this.months.make();
  }

  /** `snapshot`: takes a last one, so that the next start has nothing to replay. */
  async stop(last: { snapshot: boolean }): Promise<void> {
    const { db, log, clock, writer } = this.options;
    await this.snapping;
    const now = clock();
    if (last.snapshot && writer.seq > this.snapshotSeq) await this.snapshot(() => this.snapshotter.takeLast(now), now);
    await this.snapshotter.stop();
    await this.months.made();
    if (db.kind !== 'embedded' || this.batches < END_AFTER_BATCHES) return;
    await db.exec(VACUUM_AT_END).catch((error: unknown) => log.warn({ err: error }, 'the tables were not cleared up'));
  }

  /** What is looked at every few seconds: the engine's log, what leaves memory, the tables of the next month. */
  private check(now: number): void {
    const { db, log, writer, submitOwn, roundMs } = this.options;
    if (db.kind === 'embedded')
      shortenLog(db).catch((error: unknown) => log.warn({ err: error }, 'the log of the engine was not shortened'));
    for (const marketId of this.leaving.due(writer.committed, now)) submitOwn({ type: 'market.archive', marketId });
    const before = now - roundMs;
    const over = openWorlds(writer.committed).some((world) =>
      roundsOf(writer.committed[world]).some((round) => round.status !== 'OPEN' && round.closedAt <= before),
    );
    if (over) submitOwn({ type: 'game.forget', before });
    this.months.makeDue(now);
  }

  private async snapshot(take: (rows: number) => Promise<number>, now: number): Promise<void> {
    const { db, log, writer, owner } = this.options;
    const { seq } = writer;
    const rows = openWorlds(writer.committed).reduce((sum, world) => sum + stateSize(writer.committed[world]), 0);
    this.snapshotSeq = seq;
    this.due.begun(now, rows);
    try {
      // A thread takes what is committed when it comes to it.
      this.snapshotSeq = Math.max(this.snapshotSeq, await take(rows));
      writer.slot = await pruneLog(db, owner, writer.slot);
      if (db.kind === 'embedded') for (const table of VACUUM) await db.exec(`VACUUM ${table}`);
    } catch (error) {
      log.error({ err: error, seq }, 'the snapshot failed; the log stays longer');
    } finally {
      this.snapping = null;
      this.due.ended();
    }
  }
}
