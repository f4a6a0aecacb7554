/**
 * Stands by: follows the process that leads, and takes its place when it gives it back or has been silent. What it then has
 * is what it followed, so that nothing has to be loaded.
 */
import { performance } from 'node:perf_hooks';
import { roundKey } from '@fairgame/exchange';
import type { Bus } from '../bus/bus.ts';
import { endProcess } from './ending.ts';
import { type Applied, LOOK_MS, startFollowing, untilLed } from './following.ts';
import { createKeys, type Keys, keyId } from './keys.ts';
import { type CoreOptions, clockFor, lead } from './lead.ts';
import { type Place, readPlace, takePlace } from './place.ts';
import { fitWorlds, logEnd, newestSnapshot, readWorlds } from './recovery.ts';
import type { CommittedState } from './state.ts';
import type { Core } from './types.ts';
import { settleWorlds } from './worlds-open.ts';

/** A leader whose database was away with it gets so long to be there again. */
const STEADY_MS = 700;

export interface StandByOptions extends CoreOptions {
  bus: Bus;
  /** Ends the waiting: `standBy` throws its reason. */
  signal?: AbortSignal;
}

/**
 * Resolves when this process leads. Throws on the embedded database, which has one process; where the state cannot be made from the database, or this machine's clock is
 * wrong.
 */
export async function standBy(options: StandByOptions): Promise<Core> {
  const { db, log, bus, signal } = options;
  if (db.kind === 'embedded')
    throw new Error('the embedded database has one process: set DATABASE_URL for more than one');
  await untilLed(db, log);
  const keys = createKeys(db, log);
  const ending = new AbortController();
  const end = AbortSignal.any(signal ? [signal, ending.signal] : [ending.signal]);
  let look = (): void => {};
  let place: Place | undefined;
  const following = await startFollowing({
    db,
    log,
    bus,
    onApplied: (_, items) => noteKeys(keys, items),
    onLeader: () => {},
    onLeft: () => look(),
    onBroken(reason) {
      ending.abort(new Error(reason));
      (options.onFenced ?? endProcess)(reason);
    },
  });
  try {
    void keys.load();
    const { state, books } = following;
    log.info({ epoch: following.epoch, seq: state.seq }, 'stands by');
    place = await untilFree(options, state, end, (wake) => {
      look = wake;
    });
    // Nobody writes behind this any more.
    await db.lead({ owner: place.owner, lost: (why) => ending.abort(new Error(why)) });
    await following.catchUp();
    following.stop();
    end.throwIfAborted();
    if (state.seq !== place.lastSeq)
      throw new Error(`the log ends with command ${place.lastSeq}, this process has followed it to ${state.seq}`);
    // Players wait: nothing is asked after the other that can be asked beside it.
    const [{ chain }, snapshotSeq] = await Promise.all([
      logEnd(db.query),
      newestSnapshot(db.query),
      settleWorlds(db, options.currencies ?? ['EUR']),
    ]);
    fitWorlds(state.worlds, await readWorlds(db.query));
    return await lead(options, { place, state, books, chain, keys, snapshotSeq });
  } catch (error) {
    following.stop();
    keys.stop();
    place?.stop();
    throw error;
  }
}

/** The place, once nobody has it. */
async function untilFree(
  options: StandByOptions,
  state: CommittedState,
  end: AbortSignal,
  onWait: (wake: () => void) => void,
): Promise<Place> {
  const { db, log } = options;
  let seen: { renewed: string | null; since: number } | null = null;
  for (;;) {
    end.throwIfAborted();
    // Null while the database is away.
    const row = await readPlace(db).catch(() => null);
    if (!row || !seen || row.renewed !== seen.renewed) seen = row && { renewed: row.renewed, since: performance.now() };
    const isSilent = row?.silent && seen && performance.now() - seen.since >= STEADY_MS;
    if (row && (row.renewed === null || isSilent)) {
      // Who has the wrong time leaves it to others.
      clockFor(options, Math.max(state.at, row.last_at), state.worlds);
      const place = await takePlace(db, log, row.epoch).catch(() => null);
      if (place) return place;
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      onWait(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** As a leader notes them: which keys and rounds the tables have. */
function noteKeys(keys: Keys, items: readonly Applied[]): void {
  for (const { logged, events } of items) {
    if (logged.key !== undefined) keys.note(keyId(logged.actor, logged.key));
    for (const event of events.flat()) {
      if (event.type !== 'round') continue;
      const { provider, accountId, roundId } = event.round;
      keys.noteRound(roundKey(provider, accountId, roundId));
    }
  }
}
