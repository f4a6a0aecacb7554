/** What limits are measured by, read from the committed tables. */
import type { World } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import { ENTRIES, entryRange, NEWEST_ENTRY } from '../ledger/ledger.ts';

/** Whose figures: an account and the world that keeps it. */
export interface Holder {
  userId: number;
  world: World;
}

export interface Played {
  balanceMinor: number;
  /** Net result of settled bets and of rounds of games since each of the given moments. */
  netMinor: number[];
}

/** Balance and net results in one statement, so that they are of one moment: their sum does not change by settlement. */
export async function played(db: Pick<Db, 'query'>, who: Holder, since: readonly number[]): Promise<Played> {
  const first = await firstEntry(db, who, Math.min(...since));
  const sums = since.map((_, i) => `COALESCE(sum(e.amount) FILTER (WHERE l.at >= $${i + 3}), 0)::bigint AS net${i}`);
  const [row] = await db.query<{ balance: number | null } & { [net: `net${number}`]: number }>(
    `SELECT (SELECT balance FROM accounts WHERE world = $1 AND id = $2) AS balance, ${sums.join(', ')}
       ${ENTRIES}
      WHERE e.world = $1 AND e.account_id = $2 AND e.n >= $${since.length + 3} AND l.area > 0`,
    [who.world, who.userId, ...since, first],
  );
  return { balanceMinor: row?.balance ?? 0, netMinor: since.map((_, i) => row?.[`net${i}`] ?? 0) };
}

/** Number of the account's first entry since a moment: what is read costs what came since, not the account's history. */
async function firstEntry(db: Pick<Db, 'query'>, { userId, world }: Holder, from: number): Promise<number> {
  return (await entryRange(db, { accountId: userId, world }, { from }))!.first;
}

/** Money paid in since a moment, gross. */
export async function deposited(db: Pick<Db, 'query'>, who: Holder, since: number): Promise<number> {
  const [row] = await db.query<{ sum: number }>(
    `SELECT COALESCE(sum(e.amount), 0)::bigint AS sum ${ENTRIES}
      WHERE e.world = $1 AND e.account_id = $2 AND e.n >= $3 AND l.kind IN ('deposit', 'creditReference') AND e.amount > 0`,
    [who.world, who.userId, await firstEntry(db, who, since)],
  );
  return row?.sum ?? 0;
}

/** When the first deposit came, if one has; and the number of the newest entry, up to which there is no other first one. */
export interface FirstDeposit {
  firstDepositAt: number | null;
  undatedTo: number;
}

/** Of an account without one up to entry `undatedTo`: it is asked about before each of its bets, and only what came since is read. */
export async function firstDeposit(db: Pick<Db, 'query'>, who: Holder, undatedTo: number): Promise<FirstDeposit> {
  const [row] = await db.query<FirstDeposit>(
    `SELECT ${NEWEST_ENTRY} AS "undatedTo", (
       SELECT l.at ${ENTRIES}
        WHERE e.world = $1 AND e.account_id = $2 AND e.n > $3 AND l.kind IN ('deposit', 'creditReference') AND e.amount > 0
        ORDER BY e.n LIMIT 1
     ) AS "firstDepositAt"`,
    [who.world, who.userId, undatedTo],
  );
  return row!;
}
