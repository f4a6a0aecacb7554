import { beginOfDay } from '@fairgame/contract';
import type { Db } from '../db/db.ts';
import { entryRange } from './entry-range.ts';
import { balanceAtEnd } from './statement.ts';
import type { World } from './where.ts';

/** What moved an account's balance in a month, minor units: money in and out, and results after commission. */
export interface MonthSums {
  /** 1 to 12. */
  month: number;
  deposits: number;
  withdrawals: number;
  sport: number;
  casino: number;
  liveCasino: number;
  /** The balance at its end. */
  closing: number;
}
export interface YearSums {
  opening: number;
  /** Twelve of them. */
  months: MonthSums[];
}

/** The months of a year by the clock of the place. */
export async function yearSums(
  db: Pick<Db, 'query'>,
  account: { accountId: number; world: World },
  year: number,
  zone: string,
): Promise<YearSums> {
  const from = beginOfDay(Date.UTC(year, 0, 1), zone);
  const to = beginOfDay(Date.UTC(year + 1, 0, 1), zone) - 1;
  const { first, last } = (await entryRange(db, account, { from, to }))!;
  const rows = await db.query<Omit<MonthSums, 'month'> & { month: string }>(
    `SELECT to_char(to_timestamp(l.at / 1000) AT TIME ZONE $5, 'MM') AS month,
            COALESCE(sum(e.amount) FILTER (WHERE l.area = 0 AND e.amount > 0), 0)::bigint AS deposits,
            COALESCE(sum(e.amount) FILTER (WHERE l.area = 0 AND e.amount < 0), 0)::bigint AS withdrawals,
            COALESCE(sum(e.amount) FILTER (WHERE l.area = 1), 0)::bigint AS sport,
            COALESCE(sum(e.amount) FILTER (WHERE l.area = 2), 0)::bigint AS casino,
            COALESCE(sum(e.amount) FILTER (WHERE l.area = 3), 0)::bigint AS "liveCasino",
            (max(ARRAY[e.n, e.balance_after]))[2] AS closing
       FROM ledger_entries e JOIN ledger l ON l.id = e.ledger_id
       WHERE e.world = $1 AND e.account_id = $2 AND e.n BETWEEN $3 AND $4 GROUP BY 1`,
    [account.world, account.accountId, first, last, zone],
  );
  const opening = (await balanceAtEnd(db, account, first - 1)).closing;
  let closing = opening;
  const months = Array.from({ length: 12 }, (_, at): MonthSums => {
    const none = { deposits: 0, withdrawals: 0, sport: 0, casino: 0, liveCasino: 0, closing };
    const row = rows.find((one) => Number(one.month) === at + 1) ?? none;
    closing = row.closing;
    return { ...row, month: at + 1 };
  });
  return { opening, months };
}
