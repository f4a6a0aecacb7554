/**
 * Reports from a replica (DATABASE_READ_URL), so that a long history read by many costs the database that takes the bets
 * nothing. A replica is a little behind: a reading says which command it must have seen, and goes to the database itself where
 * the replica does not get there within a moment, cannot be reached, or is of another database.
 */
import { CodedError } from '@fairgame/contract';
import type { Db, Log, ReportSource } from './types.ts';
import { DbLost } from './types.ts';

/** How long a reading waits for the replica to have come so far. */
const WAIT_MS = 300;
const LOOK_MS = 20;
/** After a failure readings go to the database itself for so long; then one tries, without waiting. */
const REST_MS = 1000;

/** Which database it is and how far it has come. */
const LOOK = `SELECT last_seq AS seq, ${placeSql()} AS place FROM leader`;

export interface Replica {
  /** Runs `read` there, all of it on one state that has command `seq`; where that does not go, `elsewhere`. */
  report<T>(seq: number, read: (db: Pick<Db, 'query'>) => Promise<T>, elsewhere: () => Promise<T>): Promise<T>;
  /** Readings since the start, by where they went or why they did not go here. */
  counts(): Record<ReportSource, number>;
}

/** Names a database and its copies: the same on a primary and on its replicas, another one everywhere else. */
export async function placeOf(query: Db['query']): Promise<string> {
  return (await query<{ place: string }>(`SELECT ${placeSql()} AS place`))[0]!.place;
}

function placeSql(): string {
  return "(SELECT system_identifier FROM pg_control_system()) || '/' || current_database()";
}

/** `place` is that of the database itself; `tx` a transaction on the replica. */
export function createReplica({ tx, place, log }: { tx: Db['tx']; place: string; log: Log }): Replica {
  const counts: Record<ReportSource, number> = { replica: 0, behind: 0, away: 0 };
  let restUntil = 0;
  let resting: 'behind' | 'away' | null = null;

  /** The answer of the reading, or why there is none. */
  async function attempt<T>(seq: number, read: (db: Pick<Db, 'query'>) => Promise<T>): Promise<Outcome<T>> {
    let is: 'asking' | 'reading' | 'late' = 'asking';
    const reading = tx(async (query): Promise<Outcome<T>> => {
      await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const [leader] = await query<{ seq: number; place: string }>(LOOK);
      if (is === 'late') return { is: 'away' };
      if (leader?.place !== place) return { is: 'away', error: new Error('the replica is of another database') };
      if (leader.seq < seq) return { is: 'behind' };
      is = 'reading';
      return { is: 'read', value: await read({ query }) };
    }).catch((error: unknown): Outcome<T> => {
      // What a reading itself refuses, or takes too long for, it would elsewhere too; but not what ends a replica's reading alone.
      if (is === 'reading' && error instanceof CodedError && causeCode(error) !== CONFLICT) throw error;
      return { is: 'away', error };
    });
    const tooLate = new Promise<Outcome<T>>((resolve) => {
      const timer = setTimeout(() => {
        if (is !== 'asking') return;
        is = 'late';
        resolve({ is: 'away', error: new DbLost(true, 'the replica does not answer') });
      }, WAIT_MS);
      void reading.finally(() => clearTimeout(timer)).catch(() => {});
    });
    return Promise.race([reading, tooLate]);
  }

  function rest(why: 'behind' | 'away', error?: unknown): void {
    restUntil = performance.now() + REST_MS;
    if (resting !== why) log.warn({ err: error, why }, 'reports are read from the database itself');
    resting = why;
  }

  return {
    counts: () => counts,
    async report(seq, read, elsewhere) {
      const until = performance.now() + (resting ? 0 : WAIT_MS);
      while (performance.now() >= restUntil) {
        const outcome = await attempt(seq, read);
        if (outcome.is === 'read') {
          if (resting) log.info({}, 'reports are read from the replica again');
          resting = null;
          counts.replica++;
          return outcome.value;
        }
        if (outcome.is === 'behind' && performance.now() < until)
          await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        else rest(outcome.is, outcome.error);
      }
      counts[resting ?? 'away']++;
      return elsewhere();
    },
  };
}

type Outcome<T> = { is: 'read'; value: T } | { is: 'behind' | 'away'; error?: unknown };

/** The replica had to go on with what its primary did, over what the reading was looking at. */
const CONFLICT = '40001';

function causeCode({ cause }: CodedError): unknown {
  return (cause as { code?: unknown } | undefined)?.code;
}
