/** What keeps the core in order beside its work: snapshots, tables for the months to come, archiving of markets, the watchdog. */

import type { Command } from '@fairgame/exchange';
import { roundsOf, stateSize } from '@fairgame/exchange';
import { type Db, type Log, shortenLog } from '../db/db.ts';
import type { Batch } from './batch.ts';
import { createLeaving } from './leaving.ts';
import { keepMonths } from './months.ts';
import { createRecheck } from './recheck.ts';
import { pruneLog } from './ring.ts';
import type { Books } from './rows.ts';
import { createSnapshotDue } from './snapshot-due.ts';
import { createSnapshotter } from './snapshotter.ts';
import { openWorlds } from './worlds.ts';
import type { Writer } from './writer.ts';

export interface Upkeep {
  onCommitted(batch: Batch): void;
  /** Makes the tables of the months to come where they are missing. */
  makeMonths(): Promise<void>;
  /** `snapshot`: takes a last one, so that the next start has nothing to replay. */
  stop(last: { snapshot: boolean }): Promise<void>;
}

const CHECK_MS = 10_000;
/** The embedded engine has nobody else to clear dead rows away: the small tables often, the large ones at a clean end. */
const VACUUM = ['leader', 'accounts', 'markets', 'core_snapshots', 'core_hashes', 'feed_state', 'market_charts'];
const VACUUM_AT_END =
  'VACUUM (ANALYZE) accounts, markets, bets, fills, ledger, ledger_entries, idempotency, provider_rounds, provider_txs';
/** Shorter runs leave too little behind to be worth it. */
const END_AFTER_BATCHES = 2000;

export function createUpkeep(options: {
  db: Db;
  log: Log;
  clock: () => number;
  writer: Writer;
  owner: string;
  books: Books;
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
}): Upkeep {
  const { db, log, clock, writer, owner } = options;
  const snapshotter = createSnapshotter({
    db,
    writer,
    owner,
    ...(options.smallRows ? { smallRows: options.smallRows } : {}),
  });
  const leaving = createLeaving({ keepMs: options.archiveMs, keepRows: options.archiveRows });
  const due = createSnapshotDue({
    commands: options.snapshotCommands,
    ms: options.snapshotMs,
    restMs: options.snapshotRestMs,
    now: clock(),
    behind: writer.seq - options.snapshotSeq,
  });
  const recheck = createRecheck(writer, log, options.submitOwn);
  const months = keepMonths({ db, log, clock, keysMonths: options.keepKeysMonths });
  let snapshotSeq = options.snapshotSeq;
  let snapping: Promise<void> | null = null;
  let batches = 0;
  let checkAt = 0;

  function onCommitted(batch: Batch): void {
    batches++;
    recheck(batch);
    const now = clock();
    due.count(batch.outcomes);
    if (!snapping && due.isDue(now)) snapping = snapshot((rows) => snapshotter.take(now, rows), now);
    if (now < checkAt) return;
    checkAt = now + CHECK_MS;
    if (db.kind === 'embedded')
      shortenLog(db).catch((error: unknown) => log.warn({ err: error }, 'the log of the engine was not shortened'));
    for (const marketId of leaving.due(writer.committed, now)) options.submitOwn({ type: 'market.archive', marketId });
    const before = now - options.roundMs;
    const over = openWorlds(writer.committed).some((world) =>
      roundsOf(writer.committed[world]).some((round) => round.status !== 'OPEN' && round.closedAt <= before),
    );
    if (over) options.submitOwn({ type: 'game.forget', before });
    months.makeDue(now);
  }

  async function snapshot(take: (rows: number) => Promise<number>, now: number): Promise<void> {
    const { seq } = writer;
    const rows = openWorlds(writer.committed).reduce((sum, world) => sum + stateSize(writer.committed[world]), 0);
    snapshotSeq = seq;
    due.begun(now, rows);
    try {
      // A thread takes what is committed when it comes to it.
      snapshotSeq = Math.max(snapshotSeq, await take(rows));
      writer.slot = await pruneLog(db, owner, writer.slot);
      if (db.kind === 'embedded') for (const table of VACUUM) await db.exec(`VACUUM ${table}`);
    } catch (error) {
      log.error({ err: error, seq }, 'the snapshot failed; the log stays longer');
    } finally {
      snapping = null;
      due.ended();
    }
  }

  return {
    onCommitted,
    makeMonths: months.make,
    async stop(last) {
      await snapping;
      const now = clock();
      if (last.snapshot && writer.seq > snapshotSeq) await snapshot(() => snapshotter.takeLast(now), now);
      await snapshotter.stop();
      await months.made();
      if (db.kind !== 'embedded' || batches < END_AFTER_BATCHES) return;
      await db
        .exec(VACUUM_AT_END)
        .catch((error: unknown) => log.warn({ err: error }, 'the tables were not cleared up'));
    },
  };
}
