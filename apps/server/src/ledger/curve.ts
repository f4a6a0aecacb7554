import type { Db } from '../db/db.ts';
import { ENTRIES, entryRange, NEWEST_ENTRY } from './entry-range.ts';
import type { World } from './where.ts';

/** Points of a drawn balance: what a chart can show, whatever the history holds. */
const MOST_POINTS = 240;

/**
 * The balance after each entry of a range, oldest first: [ms, minor units]; every so many entries where there are more than
 * a chart shows, the first and the last always among them.
 */
export async function balanceCurve(
  db: Pick<Db, 'query'>,
  account: { accountId: number; world: World },
  range: { from?: number | undefined; to?: number | undefined },
): Promise<Array<[number, number]>> {
  const { accountId, world } = account;
  const [{ n: newest } = { n: 0 }] = await db.query<{ n: number }>(`SELECT ${NEWEST_ENTRY} AS n`, [world, accountId]);
  const { first, last } = (await entryRange(db, account, range)) ?? { first: 1, last: newest };
  const count = last - first + 1;
  if (count <= 0) return [];
  const points = Math.min(count, MOST_POINTS);
  const numbers = Array.from({ length: points }, (_, at) =>
    points === 1 ? last : first + Math.round((at * (count - 1)) / (points - 1)),
  );
  const rows = await db.query<{ at: number; balance: number }>(
    `SELECT l.at, e.balance_after AS balance ${ENTRIES}
       WHERE e.world = $1 AND e.account_id = $2 AND e.n = ANY($3::bigint[]) ORDER BY e.n`,
    [world, accountId, numbers],
  );
  return rows.map(({ at, balance }) => [at, balance]);
}
