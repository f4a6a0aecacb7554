/** What keeps the core in order beside its work: snapshots, tables for the months to come, archiving of markets, the watchdog. */

import type { Command } from '@fairgame/exchange';
import { audit, FIRST_PLAYER, isTold, myMarkets, position, roundsOf, stateSize, wallet } from '@fairgame/exchange';
import { type Db, type Log, shortenLog } from '../db/db.ts';
import type { Batch } from './batch.ts';
import { createLeaving } from './leaving.ts';
import { dropKeys, makeMonths, monthStart } from './months.ts';
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

/** Every so manyeth batch one touched account is recomputed. */
const RECHECK_EVERY = 16;
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
  let snapshotSeq = options.snapshotSeq;
  let snapping: Promise<void> | null = null;
  let makingMonths: Promise<void> | null = null;
  /** Up to when there are tables. */
  let monthsTo = 0;
  let batches = 0;
  let checkAt = 0;

  function onCommitted(batch: Batch): void {
    batches++;
    if (batches % RECHECK_EVERY === 0) recheck(batch);
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
    if (monthStart(now, 2) >= monthsTo)
      months().catch((error: unknown) => log.error({ err: error }, 'the tables of the next month could not be made'));
  }

  function months(): Promise<void> {
    makingMonths ??= makeMonths(db, clock())
      .then(async (to) => {
        monthsTo = to;
        const gone = await dropKeys(db, clock(), options.keepKeysMonths);
        for (const { table } of gone) log.info({ table }, 'keys of a month are not kept any longer');
      })
      .finally(() => {
        makingMonths = null;
      });
    return makingMonths;
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

  /** INV-05 and INV-06 of one account that the batch touched, from its positions; a break stops betting where it stands. */
  function recheck(batch: Batch): void {
    const players = [...batch.rows.accounts.values()].filter((row) => row.id >= FIRST_PLAYER);
    const row = players[batches % Math.max(1, players.length)];
    if (!row || row.closed) return;
    const state = writer.committed[row.world];
    if (!isTold(state, row.id)) return;
    const held = wallet(state, row.id);
    const markets = myMarkets(state, row.id);
    const exposure = markets.reduce(
      (sum, { marketId }) => sum + (position(state, row.id, marketId)?.exposureMinor ?? 0),
      0,
    );
    if (held && held.exposureMinor === exposure && row.exposure === exposure && row.balance === held.balanceMinor)
      return;
    alarm(`INV-05: account ${row.id} (${row.world}) has exposure ${held?.exposureMinor}, its markets make ${exposure}`);
    for (const { marketId } of markets) suspend(marketId);
  }

  function alarm(text: string): void {
    writer.breaks++;
    writer.mismatches++;
    log.error(
      {
        faults: openWorlds(writer.committed)
          .flatMap((world) => audit(writer.committed[world]))
          .slice(0, 20),
      },
      text,
    );
  }

  function suspend(marketId: number): void {
    options.submitOwn({ type: 'market.state', marketId, status: 'SUSPENDED', reason: 'Under review' });
  }

  return {
    onCommitted,
    makeMonths: months,
    async stop(last) {
      await snapping;
      const now = clock();
      if (last.snapshot && writer.seq > snapshotSeq) await snapshot(() => snapshotter.takeLast(now), now);
      await snapshotter.stop();
      await makingMonths?.catch(() => undefined);
      if (db.kind !== 'embedded' || batches < END_AFTER_BATCHES) return;
      await db
        .exec(VACUUM_AT_END)
        .catch((error: unknown) => log.warn({ err: error }, 'the tables were not cleared up'));
    },
  };
}
