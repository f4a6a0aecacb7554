/**
 * The door of the betting core: opens it from the database, takes commands, answers after the commit, and lets the
 * committed state be read. The rules are in @fairgame/exchange, the writing in writer.ts.
 */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import type { Command, MarketSnapshot, RoundView } from '@fairgame/exchange';
import { marketView, nextDueAt, roundKey, roundOf } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import type { Batch, Item } from './batch.ts';
import { keptAnswer } from './batch.ts';
import { createKeys, type Kept, keyId } from './keys.ts';
import { createReadings } from './readings.ts';
import { loadBooks, loadState, WORLDS, type Worlds } from './recovery.ts';
import type { Answer, Committed, Core, Request, World } from './types.ts';
import { createUpkeep } from './upkeep.ts';
import { createWriter, type Writer } from './writer.ts';

export { unpackAnswer as readAnswer } from './answers.ts';
export { unpackBatch as readBatch } from './log.ts';
export { hashWorlds, loadState, WORLDS, type Worlds } from './recovery.ts';
export type * from './types.ts';

export interface CoreOptions {
  db: Db;
  log: Log;
  /** Milliseconds since 1970. The core never lets its own time run backwards. */
  clock?: () => number;
  /** A snapshot after so many commands, or so long after the last. */
  snapshotCommands?: number;
  snapshotMs?: number;
  /** Closed markets leave memory after this time; undeclare and void take them back. */
  archiveMs?: number;
  /** Rounds of providers' games that are over leave memory after this time; a late movement takes them back. */
  roundMs?: number;
  /** Another process took over, or the tables don't fit any more. The default ends the process. */
  onFenced?: (reason: string) => void;
  /** Test points between the steps of a commit. */
  failpoint?: (point: 'applied' | 'written' | 'answered') => void;
}

/** Ids are reserved in blocks, so that `nextId` can answer at once; an unclean end skips the rest of a block. */
const ID_BLOCK = 100_000;
/** After a pause longer than this the unmatched bets of in-play markets lapse (trust 2.2). */
const LAPSE_AFTER_MS = 5000;

/**
 * Becomes the one writer of the database (migrated before), rebuilds the state, and suspends what was in play.
 * Throws when another process leads or when log and rows do not fit together.
 */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { db, log } = options;
  const clock = options.clock ?? Date.now;
  const owner = randomBytes(12).toString('hex');
  await db.lead();
  const [leader] = await db.write<{ epoch: number; last_seq: number; last_at: number; next_id: number }>(
    `UPDATE leader SET epoch = epoch + 1, owner = $1, next_id = next_id + ${ID_BLOCK}
       RETURNING epoch, last_seq, last_at, next_id`,
    [owner],
  );
  if (!leader) throw new Error('the database has no leader row; run the migrations');
  const loaded = await loadState(db, log);
  if (loaded.seq !== leader.last_seq) {
    throw new Error(`the log ends at command ${loaded.seq}, the leader's row says ${leader.last_seq}`);
  }
  const books = await loadBooks(db, loaded.worlds);

  let id = leader.next_id - ID_BLOCK;
  /** Up to here ids are safe to give out; a wanted bound becomes a safe one when its batch has committed. */
  let idBound = leader.next_id;
  let idWanted = idBound;
  const keys = createKeys(db);
  const flying = new Map<string, { payloadHash: string; answer: Promise<Answer | null> }>();
  const listeners = new Set<(batch: Committed) => void>();
  let dueTimer: NodeJS.Timeout | undefined;
  let dueAt: number | null = null;

  const writer: Writer = createWriter({
    db,
    log,
    clock,
    worlds: loaded.worlds,
    books,
    epoch: leader.epoch,
    owner,
    seq: loaded.seq,
    at: Math.max(loaded.at, leader.last_at),
    lastBetId: loaded.lastBetId,
    nextId: () => {
      if (idWanted - id < ID_BLOCK / 2) idWanted += ID_BLOCK;
      return idWanted;
    },
    onCommitted,
    onPoison,
    afterStall: (ms) => suspensions(writer.committed, 'Betting was interrupted', ms > LAPSE_AFTER_MS),
    onFenced: options.onFenced ?? endProcess,
    failpoint: options.failpoint,
  });
  const upkeep = createUpkeep({
    db,
    log,
    clock,
    writer,
    books,
    snapshotSeq: loaded.fromSeq,
    snapshotCommands: options.snapshotCommands ?? 100_000,
    snapshotMs: options.snapshotMs ?? 5 * 60_000,
    archiveMs: options.archiveMs ?? 30 * 60_000,
    roundMs: options.roundMs ?? 2 * 60_000,
    submitOwn: (command) => writer.first([ownItem(command, 'both')]),
  });

  function onCommitted(batch: Batch): void {
    idBound = Math.max(idBound, batch.idBound);
    for (const outcome of batch.outcomes) {
      const { request } = outcome.item;
      if (request.key === undefined || outcome.refused) continue;
      const kept = { payloadHash: request.payloadHash ?? '', answer: keptAnswer(outcome) };
      keys.add(keyId(request.actor, request.key), kept);
    }
    for (const { provider, accountId, roundId } of batch.rows.rounds.values())
      keys.noteRound(roundKey(provider, accountId, roundId));
    tell(batch);
    try {
      upkeep.onCommitted(batch);
      armClock();
    } catch (error) {
      log.error({ err: error }, 'upkeep failed');
    }
  }

  function tell(batch: Batch): void {
    if (listeners.size === 0) return;
    const committed: Committed = { epoch: writer.epoch, items: [] };
    for (const { logged, events, item } of batch.outcomes) {
      logged.applied.forEach(({ world, command }, i) => {
        const { actor } = item.request;
        committed.items.push({ seq: logged.seq, at: logged.at, world, actor, command, events: events[i]! });
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

  /** Keeps the command for study and stops betting where it happened; everything else goes on. */
  function onPoison(item: Item, error: unknown): void {
    const { command, actor } = item.request;
    const text = error instanceof Error ? error.message : String(error);
    db.query('INSERT INTO core_quarantine (at, actor, command, error) VALUES ($1, $2, $3, $4)', [
      clock(),
      actor,
      textOf(command),
      text,
    ]).catch((err: unknown) => log.error({ err }, 'the quarantined command could not be kept'));
    if (!('marketId' in command) || command.marketId === undefined || actor === 'core') return;
    const { marketId } = command;
    if (marketView(writer.committed.real, marketId)?.status !== 'OPEN') return;
    writer.first([ownItem({ type: 'market.state', marketId, status: 'SUSPENDED', reason: 'Under review' }, 'both')]);
  }

  /** Lets delayed bets go on when their time has come. */
  function armClock(): void {
    const next = earliestDue(writer.committed);
    if (next === dueAt) return;
    dueAt = next;
    clearTimeout(dueTimer);
    if (next === null) return;
    dueTimer = setTimeout(
      () => {
        dueAt = null;
        if (clock() < next) return armClock();
        for (const world of WORLDS) {
          const due = nextDueAt(writer.committed[world]);
          if (due !== null && due <= clock()) writer.first([ownItem({ type: 'clock' }, world)]);
        }
      },
      Math.min(Math.max(1, next - clock()), 60_000),
    );
    dueTimer.unref();
  }

  async function submit(request: Request): Promise<Answer> {
    const { actor, key } = request;
    if (key === undefined) return enqueue(request);
    const payloadHash = request.payloadHash ?? '';
    const name = keyId(actor, key);
    const twin = flying.get(name);
    if (twin) return repeated({ payloadHash: twin.payloadHash, answer: await twin.answer }, payloadHash);
    return fly(name, payloadHash, async () => {
      const kept = await find(actor, key, name);
      return kept ? repeated(kept, payloadHash) : enqueue(request);
    });
  }

  /** While `work` is under way, others with the same key wait for its outcome. */
  async function fly<T extends Answer | null>(name: string, payloadHash: string, work: () => Promise<T>): Promise<T> {
    const answer = work();
    flying.set(name, { payloadHash, answer });
    try {
      return await answer;
    } finally {
      flying.delete(name);
    }
  }

  async function burn(actor: string, key: string): Promise<Answer | null> {
    const name = keyId(actor, key);
    for (;;) {
      const twin = flying.get(name);
      if (!twin) break;
      const answer = await twin.answer.catch(() => null);
      if (answer) return { ...answer, replayed: true };
    }
    return fly(name, '', async () => {
      const kept = await find(actor, key, name);
      if (kept) return kept.answer && { ...kept.answer, replayed: true };
      const { seq, at } = writer;
      const burnt = await keys.burn(actor, key, { seq, at, owner }).catch((error: unknown) => {
        log.warn({ err: error }, 'a key could not be burnt');
        return false;
      });
      if (!burnt) throw new CodedError('UNAVAILABLE', { retryAfterS: 2 });
      return null;
    });
  }

  async function find(actor: string, key: string, name: string): Promise<Kept | undefined> {
    const known = keys.look(name);
    if (known !== null) return known;
    return keys.fetch(actor, key).catch((error: unknown) => {
      log.warn({ err: error }, 'a key could not be looked up');
      throw new CodedError('UNAVAILABLE', { retryAfterS: 2 });
    });
  }

  /** Into the queue, in the order of the calls, except that a market or round out of memory is first fetched from its archive. */
  function enqueue(request: Request): Promise<Answer> {
    const { command } = request;
    if (needsArchive(command, writer.committed)) return withArchive(request, command);
    if (needsRound(request.world, command, writer.committed)) {
      const { provider, accountId, roundId } = command;
      if (keys.mayHaveRound(roundKey(provider, accountId, roundId))) return withRound(request, command);
    }
    return push(
      request,
      worldsOf(request.world).map((world) => ({ world, command })),
    );
  }

  function push(request: Request, commands: Item['commands']): Promise<Answer> {
    return new Promise((resolve, reject) => {
      writer.enqueue({ request, commands, queuedAt: performance.now(), resolve, reject });
    });
  }

  async function withArchive(request: Request, command: Archivable): Promise<Answer> {
    const rows = await db.query<{ world: World; snapshot: string }>(
      'SELECT world, snapshot FROM market_archives WHERE market_id = $1',
      [command.marketId],
    );
    const commands = worldsOf(request.world).map((world) => {
      const row = rows.find((one) => one.world === world);
      return { world, command: row ? { ...command, archived: JSON.parse(row.snapshot) as MarketSnapshot } : command };
    });
    return push(request, commands);
  }

  async function withRound(request: Request, command: RoundCommand): Promise<Answer> {
    const rows = await db
      .query<{ world: World; view: string }>(
        'SELECT world, view FROM provider_rounds WHERE provider = $1 AND account_id = $2 AND round_id = $3',
        [command.provider, command.accountId, command.roundId],
      )
      .catch((error: unknown) => {
        log.warn({ err: error }, 'a round could not be looked up');
        throw new CodedError('UNAVAILABLE', { retryAfterS: 2 });
      });
    const commands = worldsOf(request.world).map((world) => {
      const row = rows.find((one) => one.world === world);
      const view = row && (JSON.parse(row.view) as RoundView);
      return { world, command: view && view.status !== 'OPEN' ? { ...command, archived: view } : command };
    });
    return push(request, commands);
  }

  await db.lead({ owner, lost: (why) => writer.fence(why) });
  writer.first(suspensions(loaded.worlds, 'Restarted', clock() - leader.last_at > LAPSE_AFTER_MS));
  await writer.idle();
  const loadedKeys = keys.load().catch((error: unknown) => log.warn({ err: error }, 'the keys could not be read'));
  armClock();
  log.info({ epoch: writer.epoch, seq: writer.seq, replayed: loaded.seq - loaded.fromSeq }, 'the core is open');

  return {
    submit,
    submitAll: (requests) =>
      Promise.all(
        requests.map((request) =>
          submit(request).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))),
        ),
      ),
    async answerOf(actor, key) {
      const name = keyId(actor, key);
      const twin = flying.get(name);
      if (twin) {
        const answer = await twin.answer.catch(() => null);
        if (answer) return { ...answer, replayed: true };
      }
      const kept = await find(actor, key, name);
      return kept?.answer ? { ...kept.answer, replayed: true } : null;
    },
    burn,
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
      rssBytes: process.memoryUsage.rss(),
      breaks: writer.breaks,
    }),
    async stop() {
      clearTimeout(dueTimer);
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

type Archivable = Extract<Command, { type: 'market.undeclare' | 'bets.void' }>;

function needsArchive(command: Command, worlds: Worlds): command is Archivable {
  if (command.type !== 'market.undeclare' && command.type !== 'bets.void') return false;
  return command.archived === undefined && WORLDS.some((world) => !marketView(worlds[world], command.marketId));
}

type RoundCommand = Extract<
  Command,
  { type: 'game.debit' | 'game.debitCredit' | 'game.credit' | 'game.rollback' | 'game.end' }
>;

/** A movement of a round that is not in memory: it may be new, or over and archived. */
function needsRound(world: Request['world'], command: Command, worlds: Worlds): command is RoundCommand {
  switch (command.type) {
    case 'game.debit':
    case 'game.debitCredit':
    case 'game.credit':
    case 'game.rollback':
    case 'game.end': {
      const { provider, accountId, roundId, archived } = command;
      const known = (one: World) => roundOf(worlds[one], provider, accountId, roundId) !== null;
      return archived === undefined && !worldsOf(world).every(known);
    }
    default:
      return false;
  }
}

/** What a second request under a key gets. */
function repeated(first: Kept, payloadHash: string): Answer {
  if (!first.answer) throw new CodedError('KEY_BURNT', { field: 'key' });
  if (first.payloadHash !== payloadHash) throw new CodedError('KEY_REUSED', { field: 'key' });
  return { ...first.answer, replayed: true };
}

function worldsOf(world: Request['world']): readonly World[] {
  return world === 'both' ? WORLDS : [world];
}

function ownItem(command: Command, world: Request['world']): Item {
  const request: Request = { world, command, actor: 'core' };
  const commands = worldsOf(world).map((one) => ({ world: one, command }));
  return { request, commands, queuedAt: performance.now(), resolve: () => {}, reject: () => {} };
}

/** Open in-play markets may not go on after a break on old prices; when it was long, unmatched bets lapse too. */
function suspensions(worlds: Worlds, reason: string, lapse: boolean): Item[] {
  const items: Item[] = [];
  for (const { marketId, inPlay, status } of createReadings(() => worlds).markets()) {
    if (!inPlay || status !== 'OPEN') continue;
    items.push(
      ownItem({ type: 'market.state', marketId, status: 'SUSPENDED', reason, ...(lapse ? { lapse } : {}) }, 'both'),
    );
  }
  return items;
}

function earliestDue(worlds: Worlds): number | null {
  const due = WORLDS.map((world) => nextDueAt(worlds[world])).filter((at) => at !== null);
  return due.length === 0 ? null : Math.min(...due);
}

function textOf(command: Command): string {
  try {
    return JSON.stringify(command);
  } catch (error) {
    return `${command.type}: ${String(error)}`;
  }
}

function endProcess(reason: string): void {
  process.stderr.write(`fairgame core: ${reason}; ending\n`);
  process.exit(1);
}
