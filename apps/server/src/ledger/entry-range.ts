import type { Db } from '../db/db.ts';
import type { World } from './where.ts';

/**
 * An expression: the number of the newest entry of the account $2 in the world $1, 0 without any. Not max(n): without statistics the
 * planner takes the account for one of few rows and reads them all.
 */
export const NEWEST_ENTRY =
  'COALESCE((SELECT n FROM ledger_entries WHERE world = $1 AND account_id = $2 ORDER BY n DESC LIMIT 1), 0)';

/**
 * Entries `e`, each with its transaction `l`, found by its number: joined plainly, a planner with statistics reads the ledger of the
 * whole site beside two thousand entries of one account.
 */
export const ENTRIES = `FROM ledger_entries e JOIN LATERAL (SELECT * FROM ledger WHERE id = e.ledger_id OFFSET 0) l ON true`;

/**
 * Which of an account's entries lie between two moments (milliseconds since 1970, inclusive), as numbers of entries. Entries
 * are numbered in the order of time, so their ends are found by halving: a report costs what its range holds, not what the
 * account's history holds. Entries that are not in the tables (any more) count as old. Empty ranges have `first` above
 * `last`; null stands for all of them.
 */
export async function entryRange(
  db: Pick<Db, 'query'>,
  account: { accountId: number; world: World },
  range: { from?: number | undefined; to?: number | undefined },
): Promise<{ first: number; last: number } | null> {
  if (range.from === undefined && range.to === undefined) return null;
  const { accountId, world } = account;
  const [row] = await db.query<{ first: number; last: number }>(
    `WITH RECURSIVE newest AS (
       SELECT ${NEWEST_ENTRY} AS n
     ), halves(of, lo, hi) AS (
       SELECT b.of, 1::bigint, newest.n + 1 FROM newest, (VALUES ('first', $3::bigint), ('last', $4::bigint)) AS b(of, at)
       UNION ALL
       SELECT h.of, CASE WHEN m.before THEN m.n + 1 ELSE h.lo END, CASE WHEN m.before THEN h.hi ELSE m.n END
         FROM halves h CROSS JOIN LATERAL (
           SELECT (h.lo + h.hi) / 2 AS n, COALESCE((
             SELECT l.at < CASE h.of WHEN 'first' THEN $3::bigint ELSE $4::bigint END
               FROM ledger_entries e JOIN ledger l ON l.id = e.ledger_id
               WHERE e.world = $1 AND e.account_id = $2 AND e.n = (h.lo + h.hi) / 2
           ), true) AS before
         ) m WHERE h.lo < h.hi
     )
     SELECT (SELECT lo FROM halves WHERE of = 'first' AND lo = hi) AS first,
            (SELECT lo FROM halves WHERE of = 'last' AND lo = hi) - 1 AS last`,
    [world, accountId, range.from ?? 0, (range.to ?? Number.MAX_SAFE_INTEGER - 1) + 1],
  );
  return row!;
}
