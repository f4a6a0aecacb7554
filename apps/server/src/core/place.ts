/**
 * The leader's place: a row of the database with an epoch, which every commit checks, and the time at which its holder last
 * said that it is there. All times are the database's.
 */
import { randomBytes } from 'node:crypto';
import { type Db, LEADER_LOCK_HELD, type Log } from '../db/db.ts';

/** Ids are reserved in blocks, so that `nextId` can answer at once; an unclean end skips the rest of a block. */
export const ID_BLOCK = 100_000;
const RENEW_MS = 500;
/**
 * Who stands by may take the place of a leader that was silent for two seconds; for one where no connection holds the leader's lock
 * either, which ends with its process. One whose connection broke alone has it again sooner.
 */
const SILENT = `(renewed_at < clock_timestamp() - interval '2 seconds'
  OR (renewed_at < clock_timestamp() - interval '1 second' AND NOT ${LEADER_LOCK_HELD}))`;
/** The place is offered by its holder, whom nobody can ask. A database of a version before has no such column, and can be read. */
const OFFERED = "coalesce((to_jsonb(leader) ->> 'offered_epoch')::bigint = epoch, false)";
/** So a leader that offers its place stands there for programs that know no `offered_epoch`: silent since long ago. */
const LONG_AGO = "clock_timestamp() - interval '1 minute'";

export interface Place {
  /** Names this process in the row. */
  readonly owner: string;
  readonly epoch: number;
  /** The last command of the log and its time. */
  readonly lastSeq: number;
  readonly lastAt: number;
  /** Ids below are reserved, the last block of them for this process. */
  readonly nextId: number;
  /**
   * `lost` is called once should another process take the place. While `isHeard` denies it, the place is offered to who can be asked,
   * and kept until one takes it.
   */
  keep(lost: (why: string) => void, isHeard?: () => boolean): void;
  /** Gives the place back, and the ids from `nextId` on: nothing may be written any more. */
  release(nextId: number): Promise<void>;
  /** Whether another process has the place by now. */
  isTaken(): Promise<boolean>;
  stop(): void;
}

export interface PlaceRow {
  epoch: number;
  owner: string;
  /** The last command of the log and its time. */
  last_seq: number;
  last_at: number;
  /** When its holder last said that it is there; null: it was given back. */
  renewed: string | null;
  /** It has not said so lately. */
  silent: boolean;
  /** It says that nobody can ask it: who can be asked may have the place. */
  offered: boolean;
}

/** Null where nobody ever led. The holder of an embedded database's place need not say anything. */
export async function readPlace(db: Pick<Db, 'kind' | 'query'>): Promise<PlaceRow | null> {
  const [row] = await db.query<PlaceRow>(
    `SELECT epoch, owner, last_seq, last_at, renewed_at::text AS renewed,
            coalesce(${SILENT}, false) AS silent, ${OFFERED} AS offered FROM leader`,
  );
  return row ? { ...row, silent: row.silent && db.kind === 'postgres' } : null;
}

/** Whether a process has said lately that it leads; not where nobody ever led, or nothing can be asked. */
export async function isLed(db: Pick<Db, 'kind' | 'query'>): Promise<boolean> {
  const place = await readPlace(db).catch(() => null);
  return place !== null && place.renewed !== null && !place.silent && !place.offered;
}

/** Whether a process took the place and has not given it back, silent or not. */
export async function isHeld(db: Pick<Db, 'kind' | 'query'>): Promise<boolean> {
  const place = await readPlace(db).catch(() => null);
  return place !== null && place.renewed !== null;
}

type Row = { epoch: number; last_seq: number; last_at: number; next_id: number };

/**
 * Takes the place: whoever had it writes no more. `from`: only from a leader of this epoch that gave it back, offers it or is silent;
 * null when that is not so (any more).
 */
export async function takePlace(db: Db, log: Log): Promise<Place>;
export async function takePlace(db: Db, log: Log, from: number): Promise<Place | null>;
export async function takePlace(db: Db, log: Log, from?: number): Promise<Place | null> {
  const owner = randomBytes(12).toString('hex');
  const isFree = `epoch = $2 AND (renewed_at IS NULL OR ${OFFERED} OR ${SILENT})`;
  const [row] = await db.write<Row>(
    `UPDATE leader SET epoch = epoch + 1, owner = $1, next_id = next_id + ${ID_BLOCK}, renewed_at = clock_timestamp()
       ${from === undefined ? '' : `WHERE ${isFree}`} RETURNING epoch, last_seq, last_at, next_id`,
    from === undefined ? [owner] : [owner, from],
  );
  if (row) return placeOf(db, log, owner, row);
  if (from === undefined) throw new Error('the database has no leader row; run the migrations');
  return null;
}

function placeOf(db: Db, log: Log, owner: string, row: Row): Place {
  let timer: NodeJS.Timeout | undefined;
  let lost: (why: string) => void = () => {};
  let isHeard = (): boolean => true;
  let offered = false;
  let renewing = false;

  async function renew(): Promise<void> {
    if (renewing) return;
    renewing = true;
    const unheard = !isHeard();
    if (unheard && !offered) log.warn({ epoch: row.epoch }, 'nobody can ask this leader: its place is offered');
    offered = unheard;
    try {
      const rows = await db.write(
        `UPDATE leader SET renewed_at = ${unheard ? LONG_AGO : 'clock_timestamp()'},
            offered_epoch = ${unheard ? 'epoch' : 'NULL'} WHERE owner = $1 RETURNING 1`,
        [owner],
      );
      if (rows.length > 0 || !timer) return;
      stop();
      lost('another fairGame has taken over this database');
    } catch {
      // The writer notices a database that is away, and what it may still do there.
    } finally {
      renewing = false;
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  // Nobody can stand by beside an embedded database.
  if (db.kind === 'postgres') {
    timer = setInterval(() => void renew(), RENEW_MS);
    timer.unref();
  }
  return {
    owner,
    epoch: row.epoch,
    lastSeq: row.last_seq,
    lastAt: row.last_at,
    nextId: row.next_id,
    keep(told, heard) {
      lost = told;
      isHeard = heard ?? isHeard;
    },
    async release(nextId) {
      stop();
      await db
        .write('UPDATE leader SET next_id = $1, renewed_at = NULL WHERE owner = $2', [nextId, owner])
        .catch((error: unknown) => log.warn({ err: error }, 'the ids left over are skipped'));
      await db.release();
    },
    async isTaken() {
      return (await readPlace(db))?.owner !== owner;
    },
    stop,
  };
}
