/**
 * The door of the betting core: opens it from the database, takes commands, answers after the commit, and lets the
 * committed state be read. The rules are in @fairgame/exchange, the writing in writer.ts.
 */
import { randomBytes } from 'node:crypto';
import { CodedError } from '@fairgame/contract';
import { marketView, nextDueAt, roundKey } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import type { Batch, Item } from './batch.ts';
import { createClock } from './clock.ts';
import { prepareCommit } from './columns.ts';
import { createKeys, keyId } from './keys.ts';
import { quarantine } from './quarantine.ts';
import { createReadings } from './readings.ts';
import { loadBooks, loadState } from './recovery.ts';
import { currentSlot } from './ring.ts';
import { createSubmitting, ownItem } from './submitting.ts';
import type { Committed, Core, CoreMeter, Currency, World } from './types.ts';
import { createUpkeep } from './upkeep.ts';
import { createWorkPump } from './work.ts';
import { openWorlds, SAME_TERMS, type Terms, type Worlds, worldFor } from './worlds.ts';
import { openings, settleWorlds } from './worlds-open.ts';
import { Writer } from './writer.ts';

export { unpackFate as readFate } from './answers.ts';
export { betIdsOf } from './bet-ids.ts';
export { cancelAll } from './cancelling.ts';
export { boundHouse } from './house-bounds.ts';
export { chainAfter, type Logged, type LogRow, readLog, unpackRow } from './log.ts';
export { type Month, monthStart, monthsMade } from './months.ts';
export { carriedChain, dropLogMonth } from './moving-out.ts';
export { follow, hashWorlds, loadState, readWorlds } from './recovery.ts';
export type * from './types.ts';
export { ALL_WORLDS, openWorlds, perWorld, type Terms, type Worlds } from './worlds.ts';

export interface CoreOptions {
  db: Db;
  log: Log;
  /** The machine's clock, milliseconds since 1970; the core's own time passes evenly whatever it does (clock.ts). */
  clock?: () => number;
  /** Milliseconds that pass evenly. */
  steady?: () => number;
  /** Go by the machine's clock even where it contradicts the log. */
  trustClock?: boolean;
  /** The first is the home currency of the site and of its play money. */
  currencies?: readonly Currency[];
  /** What is different in the worlds of these currencies. */
  terms?: Partial<Record<Currency, Terms>>;
  /** A snapshot after so many commands, or so long after the last; not before it has rested so long (snapshot-due.ts). */
  snapshotCommands?: number;
  snapshotMs?: number;
  snapshotRestMs?: number;
  /** Up to so many rows the writer reads the state out itself; a larger one has a thread for it. */
  smallRows?: number;
  /** Closed markets leave memory after this time, or before it while they are more than so many rows (leaving.ts). */
  archiveMs?: number;
  archiveRows?: number;
  /** Rounds of providers' games that are over leave memory after this time; a late movement takes them back. */
  roundMs?: number;
  /** Keys are kept for so many whole months beside the running one, and for the life of their bets. */
  keepKeysMonths?: number;
  /** Another process took over, or the tables don't fit any more. The default ends the process. */
  onFenced?: (reason: string) => void;
  meter?: CoreMeter;
  /** Test points between the steps of a commit. */
  failpoint?: (point: 'applied' | 'written' | 'answered') => void;
}

/** Ids are reserved in blocks, so that `nextId` can answer at once; an unclean end skips the rest of a block. */
const ID_BLOCK = 100_000;
/** After a pause longer than this the unmatched bets of in-play markets lapse (trust 2.2). */
const LAPSE_AFTER_MS = 5000;

/**
 * Becomes the one writer of the database (migrated before), rebuilds the state, and suspends what was in play.
 * Throws when another process leads, when log and rows do not fit together, and when this machine's clock cannot be right.
 */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { db, log } = options;
  const owner = randomBytes(12).toString('hex');
  await db.lead();
  const [leader] = await db.write<{ epoch: number; last_seq: number; last_at: number; next_id: number }>(
    `UPDATE leader SET epoch = epoch + 1, owner = $1, next_id = next_id + ${ID_BLOCK}
       RETURNING epoch, last_seq, last_at, next_id`,
    [owner],
  );
  if (!leader) throw new Error('the database has no leader row; run the migrations');
  await prepareCommit(db);
  const currencies = options.currencies ?? ['EUR'];
  await settleWorlds(db, currencies);
  const loaded = await loadState(db, log);
  const lastAt = Math.max(loaded.at, leader.last_at);
  const clock = createClock({
    ...(options.clock ? { wall: options.clock } : {}),
    ...(options.steady ? { steady: options.steady } : {}),
    lastAt,
    trust: options.trustClock ?? false,
    isWaiting: () => earliestDue(loaded.worlds) !== null,
  });
  const books = await loadBooks(db, loaded);

  let id = leader.next_id - ID_BLOCK;
  /** Up to here ids are safe to give out; a wanted bound becomes a safe one when its batch has committed. */
  let idBound = leader.next_id;
  let idWanted = idBound;
  const terms = (world: World) => options.terms?.[loaded.worlds[world].currency as Currency] ?? SAME_TERMS;
  const keys = createKeys(db, log);
  const listeners = new Set<(batch: Committed) => void>();

  const writer = new Writer({
    db,
    log,
    clock,
    worlds: loaded.worlds,
    books,
    epoch: leader.epoch,
    owner,
    seq: loaded.seq,
    lastBetId: loaded.lastBetId,
    chain: loaded.chain,
    nextId: () => {
      if (idWanted - id < ID_BLOCK / 2) idWanted += ID_BLOCK;
      return idWanted;
    },
    onCommitted,
    onPoison,
    onNoTable: () => upkeep.makeMonths(),
    afterStall: (ms) => suspensions(writer.committed, 'Betting was interrupted', ms > LAPSE_AFTER_MS),
    onFenced: options.onFenced ?? endProcess,
    probe: () => [ownItem({ type: 'clock' }, ['real'])],
    meter: options.meter,
    failpoint: options.failpoint,
  });
  const due = createDueTimer(writer, clock);
  const work = createWorkPump({ writer, log });
  const upkeep = createUpkeep({
    db,
    log,
    clock: () => clock.now(),
    writer,
    owner,
    books,
    smallRows: options.smallRows,
    snapshotSeq: loaded.fromSeq,
    snapshotCommands: options.snapshotCommands ?? 20_000,
    snapshotMs: options.snapshotMs ?? 5 * 60_000,
    snapshotRestMs: options.snapshotRestMs ?? 15_000,
    archiveMs: options.archiveMs ?? 30 * 60_000,
    archiveRows: options.archiveRows ?? 100_000,
    roundMs: options.roundMs ?? 2 * 60_000,
    keepKeysMonths: options.keepKeysMonths ?? 14,
    submitOwn: (command) => writer.first([ownItem(command, openWorlds(writer.committed))]),
  });

  function onCommitted(batch: Batch): void {
    idBound = Math.max(idBound, batch.idBound);
    for (const { actor, key, payloadHash, answer } of batch.keys) keys.add(keyId(actor, key), payloadHash, answer);
    for (const { provider, accountId, roundId } of batch.rows.rounds.values())
      keys.noteRound(roundKey(provider, accountId, roundId));
    tell(batch);
    try {
      upkeep.onCommitted(batch);
      due.arm();
      work.onCommitted(batch);
    } catch (error) {
      log.error({ err: error }, 'upkeep failed');
    }
  }

  function tell(batch: Batch): void {
    if (listeners.size === 0) return;
    const committed: Committed = { epoch: writer.epoch, items: [] };
    for (const { logged, events } of batch.outcomes) {
      const { seq, at, actor, requestId } = logged;
      logged.applied.forEach(({ world, command }, i) => {
        committed.items.push({ seq, at, world, actor, command, events: events[i]!, requestId });
      });
    }
    for (const listener of listeners) {
      try {
        listener(committed);
      } catch (error) {
        log.error({ err: error }, 'a listener of committed batches failed');
      }
    }
  }

  function onPoison(item: Item, error: unknown): void {
    const marketId = quarantine(db, log, clock.now(), item, error);
    if (work.broke(item) || marketId === null || marketView(writer.committed.real, marketId)?.status !== 'OPEN') return;
    const worlds = openWorlds(writer.committed);
    writer.first([ownItem({ type: 'market.state', marketId, status: 'SUSPENDED', reason: 'Under review' }, worlds)]);
  }

  await upkeep.makeMonths();
  writer.slot = await currentSlot(db);
  await db.lead({ owner, lost: (why) => writer.fence(why) });
  writer.first(openings(loaded.worlds, terms));
  writer.first(suspensions(loaded.worlds, 'Restarted', Math.abs(clock.now() - leader.last_at) > LAPSE_AFTER_MS));
  await writer.idle();
  const loadedKeys = keys.load();
  due.arm();
  work.goOn();
  log.info({ epoch: writer.epoch, seq: writer.seq, replayed: loaded.seq - loaded.fromSeq }, 'the core is open');

  return {
    ...createSubmitting({ db, log, writer, keys, terms, meter: options.meter }),
    currencies,
    worldFor: (currency, isDemo) => worldFor(currencies, currency, isDemo),
    terms,
    read: createReadings(() => writer.committed, books),
    onCommitted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    nextId() {
      // Commits push the bound out long before; only a database that is away for half a block brings this about.
      if (id >= idBound) throw new CodedError('UNAVAILABLE');
      return id++;
    },
    health: () => ({
      epoch: writer.epoch,
      seq: writer.seq,
      queueDepth: writer.depth(),
      oldestMs: Math.round(writer.oldestMs()),
      lastCommitAt: writer.lastCommitAt,
      available: writer.available() && db.healthy(),
      failingSince: writer.failingSince,
      breaks: writer.breaks,
      mismatches: writer.mismatches,
      stuck: work.stuck(),
    }),
    async stop() {
      due.stop();
      keys.stop();
      await writer.stop();
      await loadedKeys;
      await upkeep.stop();
      // A clean end gives back the rest of the block of ids.
      await db
        .write('UPDATE leader SET next_id = $1 WHERE owner = $2', [id, owner])
        .catch((error: unknown) => log.warn({ err: error }, 'the ids left over are skipped'));
    },
  };
}

/** Lets delayed bets go on when their time has come. */
function createDueTimer(writer: Writer, clock: { now(): number }): { arm(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let dueAt: number | null = null;

  function arm(): void {
    const next = earliestDue(writer.committed);
    if (next === dueAt) return;
    dueAt = next;
    clearTimeout(timer);
    if (next === null) return;
    timer = setTimeout(
      () => {
        dueAt = null;
        const now = clock.now();
        if (now < next) return arm();
        for (const world of openWorlds(writer.committed)) {
          const due = nextDueAt(writer.committed[world]);
          if (due !== null && due <= now) writer.first([ownItem({ type: 'clock' }, [world])]);
        }
      },
      Math.min(Math.max(1, next - clock.now()), 60_000),
    );
    timer.unref();
  }

  return { arm, stop: () => clearTimeout(timer) };
}

/** Open in-play markets may not go on after a break on old prices; when it was long, unmatched bets lapse too. */
function suspensions(worlds: Worlds, reason: string, lapse: boolean): Item[] {
  const items: Item[] = [];
  for (const { marketId, inPlay, status } of createReadings(() => worlds).markets()) {
    // One in which bets lapse would be open again when they have; one that is settling refuses.
    if (!inPlay || (status !== 'OPEN' && status !== 'SETTLING')) continue;
    const command = { type: 'market.state', marketId, status: 'SUSPENDED', reason, ...(lapse && { lapse }) } as const;
    for (const world of openWorlds(worlds)) items.push(ownItem(command, [world]));
  }
  return items;
}

function earliestDue(worlds: Worlds): number | null {
  const due = openWorlds(worlds)
    .map((world) => nextDueAt(worlds[world]))
    .filter((at) => at !== null);
  return due.length === 0 ? null : Math.min(...due);
}

function endProcess(reason: string): void {
  process.stderr.write(`fairgame core: ${reason}; ending\n`);
  process.exit(1);
}
