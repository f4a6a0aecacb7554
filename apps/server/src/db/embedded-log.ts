/**
 * The write-ahead log of the embedded engine. The engine has no background process that would ever begin a checkpoint, so
 * without this its log holds everything since the start, and a start after a crash reads all of it.
 */
import type { Db } from './types.ts';

const MOST_BYTES = 32 * 1024 * 1024;

/** Begins the log anew once it is long; some 200 ms in which nothing else is served. */
export async function shortenLog(db: Pick<Db, 'query' | 'exec'>): Promise<void> {
  const [row] = await db.query<{ long: boolean }>(
    'SELECT pg_current_wal_insert_lsn() - redo_lsn > $1 AS long FROM pg_control_checkpoint()',
    [MOST_BYTES],
  );
  if (row!.long) await db.exec('CHECKPOINT');
}
