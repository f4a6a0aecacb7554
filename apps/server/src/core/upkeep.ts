/** What keeps the core in order beside its work: snapshots, pruning of the log, archiving of markets, the watchdog. */

import type { Command } from '@fairgame/exchange';
import { audit, FIRST_PLAYER, marketsOf, myMarkets, position, roundsOf, wallet } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import type { Batch } from './batch.ts';
import { packSnapshot, WORLDS } from './recovery.ts';
import type { Books } from './rows.ts';
import type { Writer } from './writer.ts';

export interface Upkeep {
  onCommitted(batch: Batch): void;
  /** Takes a last snapshot, so that the next start has nothing to replay. */
  stop(): Promise<void>;
}

/** Every so manyeth batch one touched account is recomputed. */
const RECHECK_EVERY = 16;
const ARCHIVE_CHECK_MS = 10_000;
/** The embedded engine has nobody else to clear dead rows away: the small tables often, the large ones at a clean end. */
const VACUUM = ['core_log', 'leader', 'accounts', 'markets'];
const VACUUM_AT_END =
  'VACUUM (ANALYZE) accounts, markets, bets, fills, ledger, ledger_entries, idempotency, provider_rounds, provider_txs';
/** Shorter runs leave too little behind to be worth it. */
const END_AFTER_BATCHES = 2000;

export function createUpkeep(options: {
  db: Db;
  log: Log;
  clock: () => number;
  writer: Writer;
  books: Books;
  snapshotSeq: number;
  snapshotCommands: number;
  snapshotMs: number;
  archiveMs: number;
  roundMs: number;
  submitOwn: (command: Command) => void;
}): Upkeep {
  const { db, log, clock, writer } = options;
  const opened = clock();
  const closedAt = new Map<number, number>();
  let snapshotSeq = options.snapshotSeq;
  let snapshotAt = opened;
  let snapping: Promise<void> | null = null;
  let batches = 0;
  let archiveCheckAt = 0;

  function onCommitted(batch: Batch): void {
    batches++;
    if (batches % RECHECK_EVERY === 0) recheck(batch);
    const now = clock();
    if (snapshotIsDue(now) && !snapping) snapping = takeSnapshot(now);
    if (now < archiveCheckAt) return;
    archiveCheckAt = now + ARCHIVE_CHECK_MS;
    archiveClosed(now);
    const before = now - options.roundMs;
    const over = WORLDS.some((world) =>
      roundsOf(writer.committed[world]).some((round) => round.status !== 'OPEN' && round.closedAt <= before),
    );
    if (over) options.submitOwn({ type: 'game.forget', before });
  }

  function snapshotIsDue(now: number): boolean {
    const commands = writer.seq - snapshotSeq;
    return commands >= options.snapshotCommands || (commands > 0 && now - snapshotAt >= options.snapshotMs);
  }

  /** The state is copied at once, between two batches; packing and writing go on beside the work. */
  function takeSnapshot(now: number): Promise<void> {
    const { seq, lastCommitAt: at, lastBetId, committed: worlds } = writer;
    const packed = packSnapshot({ worlds, seq, at, lastBetId });
    snapshotSeq = seq;
    snapshotAt = now;
    return packed
      .then(async ({ body, checksum }) => {
        await db.query('INSERT INTO core_snapshots (seq, at, body, checksum) VALUES ($1, $2, $3, $4)', [
          seq,
          now,
          body,
          checksum,
        ]);
        await prune();
      })
      .catch((error: unknown) => log.error({ err: error, seq }, 'the snapshot failed; the log stays longer'))
      .finally(() => {
        snapping = null;
      });
  }

  /** Two snapshots stay; of the log behind the older one only what moved money or bets. */
  async function prune(): Promise<void> {
    await db.query(
      'DELETE FROM core_snapshots WHERE seq < (SELECT min(seq) FROM (SELECT seq FROM core_snapshots ORDER BY seq DESC LIMIT 2) s)',
    );
    const older = '(SELECT seq FROM core_snapshots ORDER BY seq DESC OFFSET 1 LIMIT 1)';
    await db.query(`DELETE FROM core_log WHERE NOT money AND last_seq <= ${older}`);
    await db.query(`DELETE FROM core_hashes WHERE seq <= ${older}`);
    if (db.kind === 'embedded') for (const table of VACUUM) await db.exec(`VACUUM ${table}`);
  }

  function archiveClosed(now: number): void {
    for (const { marketId, status } of marketsOf(writer.committed.real)) {
      if (status !== 'CLOSED') {
        closedAt.delete(marketId);
        continue;
      }
      const since = closedAt.get(marketId) ?? now;
      closedAt.set(marketId, since);
      if (now - since < options.archiveMs) continue;
      closedAt.delete(marketId);
      options.submitOwn({ type: 'market.archive', marketId });
    }
  }

  /** INV-05 and INV-06 of one account that the batch touched, from its positions; a break stops betting where it stands. */
  function recheck(batch: Batch): void {
    const players = [...batch.rows.accounts.values()].filter((row) => row.id >= FIRST_PLAYER);
    const row = players[batches % Math.max(1, players.length)];
    if (!row) return;
    const state = writer.committed[row.world];
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
    log.error({ faults: WORLDS.flatMap((world) => audit(writer.committed[world])).slice(0, 20) }, text);
  }

  function suspend(marketId: number): void {
    options.submitOwn({ type: 'market.state', marketId, status: 'SUSPENDED', reason: 'Under review' });
  }

  return {
    onCommitted,
    async stop() {
      await snapping;
      if (writer.seq > snapshotSeq) await takeSnapshot(clock());
      if (db.kind !== 'embedded' || batches < END_AFTER_BATCHES) return;
      await db
        .exec(VACUUM_AT_END)
        .catch((error: unknown) => log.warn({ err: error }, 'the tables were not cleared up'));
    },
  };
}
