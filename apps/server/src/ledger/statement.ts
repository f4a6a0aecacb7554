import {
  type account,
  filterRange,
  parseSort,
  type QueryOf,
  TRANSACTION_TYPES,
  type TransactionRow,
} from '@fairgame/contract';
import type { Db } from '../db/db.ts';
import type { Reading } from './desk.ts';
import {
  DESCRIPTION,
  FROM,
  type Part,
  partsOf,
  rangeOf,
  type StatementFilter,
  sumOf,
  TRANS_TYPE,
  takesAll,
  whereIn,
} from './statement-parts.ts';
import type { Where, World } from './where.ts';

export interface StatementQuery extends StatementFilter {
  page: number;
  limit: number;
  oldestFirst?: boolean;
}

export interface StatementPage {
  rows: TransactionRow[];
  total: number;
  page: number;
  limit: number;
  /** Over all pages of the filter; opening and closing are the balances before its first and after its last row. */
  totals: { credit: number; debit: number; opening: number; closing: number };
}

/** The account's own entries, newest first unless asked otherwise, each with the balance after it. Amounts in minor units. */
export async function statement(db: Reading, query: StatementQuery): Promise<StatementPage> {
  const range = await rangeOf(db, query);
  const parts: Part[] = [];
  for await (const part of partsOf(db, query, range)) parts.push(part);
  const { count, credit, debit, first, last } = sumOf(parts);
  // Nothing of the filter: the balance as it was when its time ended.
  const { opening, closing } =
    count === 0 ? await balanceAtEnd(db, query, range.last) : await balancesAround(db, query, first, last);
  return {
    rows: await pageOf(db, query, query.oldestFirst ? parts.reverse() : parts),
    total: count,
    page: query.page,
    limit: query.limit,
    totals: { credit, debit, opening, closing },
  };
}

/** Passes over whole parts to where the page begins. */
async function pageOf(db: Reading, query: StatementQuery, parts: readonly Part[]): Promise<TransactionRow[]> {
  const { page, limit, oldestFirst } = query;
  const rows: TransactionRow[] = [];
  let skip = (page - 1) * limit;
  for (const { count, first, last } of parts) {
    if (rows.length === limit) break;
    if (skip < count) {
      const where = whereIn(query, first, last);
      const order = `ORDER BY e.n ${oldestFirst ? 'ASC' : 'DESC'}`;
      rows.push(...(await rowsOf(db, where, `${order} ${where.slice(limit - rows.length, skip)}`)));
    }
    skip = Math.max(0, skip - count);
  }
  return rows;
}

/** The same, so many of them from the newest on, or behind the one with this number. */
export async function statementSlice(
  db: Reading,
  query: StatementQuery,
  behind: number | null,
  limit: number,
): Promise<TransactionRow[]> {
  const { first, last } = await rangeOf(db, query);
  const range = { first, last: behind === null ? last : Math.min(last, behind - 1) };
  // Every entry counts: so many of them are found without a look at more.
  const parts = takesAll(query) ? [{ ...range, count: limit }] : partsOf(db, query, range);
  const rows: TransactionRow[] = [];
  for await (const part of parts) {
    const where = whereIn(query, part.first, part.last);
    rows.push(...(await rowsOf(db, where, `ORDER BY e.n DESC ${where.slice(limit - rows.length, 0)}`)));
    if (rows.length === limit) break;
  }
  return rows;
}

async function rowsOf(db: Reading, own: Where, order: string): Promise<TransactionRow[]> {
  const rows = await db.query<Omit<TransactionRow, 'createdAt' | 'betId'> & { at: number; marketId: number | null }>(
    `SELECT l.id, e.n AS "uniqueId", l.at, ${TRANS_TYPE} AS "transType", l.area AS type, e.amount,
            e.balance_after AS "closingBalance", ${DESCRIPTION} AS description, l.event_id AS "matchId",
            l.market_id AS "marketId", NULL AS "runnerId"
       ${FROM} ${own.sql} ${order}`,
    own.params,
  );
  return rows.map(({ at, marketId, ...row }) => ({
    ...row,
    createdAt: new Date(at).toISOString(),
    betId: marketId === null ? [] : [marketId],
  }));
}

/** Reads the call's query. Throws BAD_FILTER naming the field. */
export function readStatementQuery(
  query: QueryOf<typeof account.transactions>,
  who: { accountId: number; world: World },
): StatementQuery {
  const result: StatementQuery = { ...who, page: Number(query.page ?? 1), limit: Number(query.limit ?? 15) };
  if (query.type !== undefined) result.area = Number(query.type);
  Object.assign(result, filterRange('transaction.createdAt', query['transaction.createdAt']));
  const keyword = query.keyword?.trim();
  if (keyword) {
    const transType = TRANSACTION_TYPES.find((type) => type.toLowerCase() === keyword.toLowerCase());
    if (query.searchBy === 'transType' && transType) result.transType = transType;
    else result.description = keyword;
  }
  if (query.sort !== undefined) {
    const [first] = parseSort(query.sort, ['transaction.createdAt', 'transaction.uniqueId']);
    result.oldestFirst = first?.direction === 'ASC';
  }
  return result;
}

async function balancesAround(
  db: Pick<Db, 'query'>,
  { accountId, world }: StatementQuery,
  first: number,
  last: number,
): Promise<{ opening: number; closing: number }> {
  const rows = await db.query<{ n: number; amount: number; balance_after: number }>(
    'SELECT n, amount, balance_after FROM ledger_entries WHERE world = $1 AND account_id = $2 AND n IN ($3, $4)',
    [world, accountId, first, last],
  );
  const start = rows.find((row) => row.n === first)!;
  return { opening: start.balance_after - start.amount, closing: rows.find((row) => row.n === last)!.balance_after };
}

/** The balance behind the last entry up to this one. */
export async function balanceAtEnd(
  db: Pick<Db, 'query'>,
  { accountId, world }: Pick<StatementQuery, 'accountId' | 'world'>,
  last = Number.MAX_SAFE_INTEGER,
): Promise<{ opening: number; closing: number }> {
  const [row] = await db.query<{ balance_after: number }>(
    `SELECT balance_after FROM ledger_entries WHERE world = $1 AND account_id = $2 AND n <= $3 ORDER BY n DESC LIMIT 1`,
    [world, accountId, last],
  );
  const balance = row?.balance_after ?? 0;
  return { opening: balance, closing: balance };
}
