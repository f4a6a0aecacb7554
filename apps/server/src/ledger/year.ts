import { beginOfDay } from '@fairgame/contract';
import type { Db } from '../db/db.ts';
import { ENTRIES, entryRange } from './entry-range.ts';
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
  const rows: MonthRow[] = [];
  for (let at = first; at <= last; at += SLICE)
    rows.push(...(await monthsIn(db, account, [at, Math.min(last, at + SLICE - 1)], zone)));
  const opening = (await balanceAtEnd(db, account, first - 1)).closing;
  let closing = opening;
  const months = Array.from({ length: 12 }, (_, at): MonthSums => {
    const of = rows.filter((row) => Number(row.month) === at + 1);
    const sum = (column: keyof typeof SUMS) => of.reduce((all, row) => all + row[column], 0);
    closing = of.at(-1)?.closing ?? closing;
    const [deposits, withdrawals] = [sum('deposits'), sum('withdrawals')];
    const [sport, casino, liveCasino] = [sum('sport'), sum('casino'), sum('liveCasino')];
    return { month: at + 1, deposits, withdrawals, sport, casino, liveCasino, closing };
  });
  return { opening, months };
}

/** Entries that are added up in one statement: on the embedded engine bets come between two. */
const SLICE = 2000;
type MonthRow = Omit<MonthSums, 'month'> & { month: string };
const SUMS = {
  deposits: 'l.area = 0 AND e.amount > 0',
  withdrawals: 'l.area = 0 AND e.amount < 0',
  sport: 'l.area = 1',
  casino: 'l.area = 2',
  liveCasino: 'l.area = 3',
} as const;
const COLUMNS = Object.entries(SUMS)
  .map(([name, takes]) => `COALESCE(sum(e.amount) FILTER (WHERE ${takes}), 0)::bigint AS "${name}"`)
  .join(', ');

/** Of the entries with these numbers: their months, the oldest first. */
function monthsIn(
  db: Pick<Db, 'query'>,
  { world, accountId }: { accountId: number; world: World },
  [first, last]: [number, number],
  zone: string,
): Promise<MonthRow[]> {
  return db.query(
    `SELECT to_char(to_timestamp(l.at / 1000) AT TIME ZONE $5, 'MM') AS month, ${COLUMNS},
            (max(ARRAY[e.n, e.balance_after]))[2] AS closing
       ${ENTRIES}
       WHERE e.world = $1 AND e.account_id = $2 AND e.n BETWEEN $3 AND $4 GROUP BY 1 ORDER BY 1`,
    [world, accountId, first, last, zone],
  );
}
