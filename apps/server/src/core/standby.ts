/**
 * Stands by: follows the process that leads, and takes its place when it gives it back or has been silent. What it then has
 * is what it followed, so that nothing has to be loaded.
 */
import { performance } from 'node:perf_hooks';
import { roundKey } from '@fairgame/exchange';
import type { Bus } from '../bus/bus.ts';
import { warmCommit } from './columns.ts';
import { endProcess } from './ending.ts';
import { type Applied, type Following, LOOK_MS, startFollowing, untilLed } from './following.ts';
import { createKeys, type Keys, keyId } from './keys.ts';
import { type CoreOptions, clockFor, lead } from './lead.ts';
import { type Place, readPlace, takePlace } from './place.ts';
import { copyWorlds, fitWorlds, hashWorlds, isHashNear, logEnd, newestSnapshot } from './recovery.ts';
import { advance, type CommittedState } from './state.ts';
import type { Core } from './types.ts';
import { settleWorlds } from './worlds-open.ts';

/** A leader whose database was away with it gets so long to be there again. */
const STEADY_MS = 700;
/** One that goes on saying that it is there, each time too late, is slow: another over the same database would be, too. */
const SLOW_MS = 2000;
/** A leader that says that nobody can ask it gets so long to be asked again. */
const OFFERED_MS = 2000;
/** Looks at which the statements of a commit are planned: PostgreSQL keeps a plan after the fifth, and makes it anew for new tables. */
const WARM_AT_FIRST = 6;
const WARM_EVERY = 40;

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
  /** A leader has its state twice (writer.ts); to copy a large one takes longer than players should wait. */
  let ahead: CommittedState | undefined;
  const following = await startFollowing({
    db,
    log,
    bus,
    onApplied(_, items) {
      noteKeys(keys, items);
      if (ahead) keepUp(ahead, following.state, items);
    },
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
    ahead = { ...state, worlds: copyWorlds(state.worlds) };
    log.info({ epoch: following.epoch, seq: state.seq }, 'stands by');
    place = await untilFree(options, state, end, (wake) => {
      look = wake;
    });
    // Whose row it is, behind him nobody writes any more. Players wait: what follows is asked over the two connections that stand.
    const [found] = await Promise.all([
      readEnd(options, following),
      db.lead({ owner: place.owner, lost: (why) => ending.abort(new Error(why)) }),
    ]);
    following.stop();
    end.throwIfAborted();
    if (state.seq !== place.lastSeq)
      throw new Error(`the log ends with command ${place.lastSeq}, this process has followed it to ${state.seq}`);
    for (const { worlds } of [state, ahead]) fitWorlds(worlds, found.currencies);
    return await lead(options, { ...found, place, state, books, keys, ahead: ahead.worlds });
  } catch (error) {
    following.stop();
    keys.stop();
    place?.stop();
    throw error;
  }
}

/** What else there is at the end of the log, which is followed up to there. */
async function readEnd({ db, currencies = ['EUR'] }: StandByOptions, following: Following) {
  await following.catchUp();
  const { chain } = await logEnd(db.query);
  const snapshotSeq = await newestSnapshot(db.query);
  return { chain, snapshotSeq, currencies: await settleWorlds(db, currencies) };
}

/** Applies what was followed to the second state as well, whose next hash is to be near when players wait for it. */
function keepUp(ahead: CommittedState, state: CommittedState, items: readonly Applied[]): void {
  const logged = items.map((item) => item.logged);
  advance(ahead, { last: state.seq, items: logged }, (world) => state.worlds[world].currency);
  if (!isHashNear(ahead.worlds)) hashWorlds(ahead.worlds);
}

/** The place, once nobody has it. */
async function untilFree(
  options: StandByOptions,
  state: CommittedState,
  end: AbortSignal,
  onWait: (wake: () => void) => void,
): Promise<Place> {
  const { db, log, bus, steady = () => performance.now() } = options;
  // By the connection over which it will write: it stands then, and one that hangs is noticed.
  const line = { kind: db.kind, query: db.write };
  let looks = 0;
  let seen: { renewed: string | null; since: number; patienceMs: number } | null = null;
  /** Since when the place is offered, and this process could be asked. */
  let offered: number | null = null;
  for (;;) {
    end.throwIfAborted();
    // Planned before players wait for it. Of a version that has not led yet there is nothing to plan.
    if (looks < WARM_AT_FIRST || looks % WARM_EVERY === 0) await warmCommit(db.write).catch(() => undefined);
    looks++;
    // Null while the database is away.
    const row = await readPlace(line).catch(() => null);
    const now = steady();
    if (!row || !seen || row.renewed !== seen.renewed)
      seen = row && { renewed: row.renewed, since: now, patienceMs: row.silent && seen ? SLOW_MS : STEADY_MS };
    offered = row?.offered && bus.connected() ? (offered ?? now) : null;
    const isSilent = row?.silent && seen && now - seen.since >= seen.patienceMs;
    const isOffered = offered !== null && now - offered >= OFFERED_MS;
    if (row && (row.renewed === null || isSilent || isOffered)) {
      // Who has the wrong time leaves it to others.
      clockFor(options, Math.max(state.at, row.last_at), state.worlds);
      const place = await takePlace(db, log, row.epoch).catch(() => null);
      if (place) {
        const why = row.renewed === null ? 'given back' : isSilent ? 'silent' : 'offered';
        log.info(
          { epoch: place.epoch, why, silentMs: why === 'silent' && seen ? Math.round(now - seen.since) : 0 },
          'takes the place',
        );
        return place;
      }
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
