/**
 * Months of the log that lie in files (scripts/archive): what stood last in each is kept here, so that the chain over the log
 * goes on from file to file to what is left, for the writer and for `verify`.
 */
import { basename } from 'node:path';
import type { Db, Query } from '../db/db.ts';
import { dropMonth, type Month } from './months.ts';

/** What a month of the log was moved into, read back from it. */
export interface MovedMonth {
  file: string;
  rows: number;
  lastSeq: number;
  /** The chain behind its last row. */
  chain: string;
  sha256: string;
  movedAt: number;
}

/** Takes a month of the log away that is in a file now; throws when the file does not hold what the month does. */
export async function dropLogMonth(db: Pick<Db, 'tx'>, month: Month, file: MovedMonth): Promise<void> {
  await db.tx(async (q) => {
    const [held] = await q<{ rows: number; last: number }>(
      `SELECT count(*) AS rows, COALESCE(max(last_seq), 0) AS last FROM ${month.table}`,
    );
    if (held!.rows !== file.rows || held!.last !== file.lastSeq)
      throw new Error(`${file.file} has other rows than ${month.table}: put the file aside and begin anew`);
    await q(
      `INSERT INTO moved_out (table_name, from_at, to_at, rows, last_seq, chain, file, sha256, moved_at)
         VALUES ('core_log', $1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        Math.max(0, month.from),
        month.to,
        file.rows,
        file.lastSeq,
        file.chain,
        basename(file.file),
        file.sha256,
        file.movedAt,
      ],
    );
    await dropMonth(q, 'core_log', month);
  });
}

/** The end of the chain over what was moved out of the log; null where nothing was. */
export async function carriedChain(q: Query): Promise<string | null> {
  const [row] = await q<{ chain: string }>(
    "SELECT chain FROM moved_out WHERE table_name = 'core_log' ORDER BY to_at DESC LIMIT 1",
  );
  return row?.chain ?? null;
}
