import {
  type account,
  filterRange,
  parseSort,
  type QueryOf,
  TRANSACTION_TYPES,
  type TransactionRow,
} from '@fairgame/contract';
import type { Db } from '../db/db.ts';
import { entryRange } from './entry-range.ts';
import { likeText, Where, type World } from './where.ts';

export interface StatementQuery {
  accountId: number;
  world: World;
  page: number;
  limit: number;
  /** Milliseconds since 1970, both inclusive. */
  from?: number;
  to?: number;
  /** 0 deposits and withdrawals, 1 sport, 2 casino, 3 live casino. */
  area?: number;
  /** Part of the description, any case. */
  description?: string;
  transType?: TransactionRow['transType'];
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

/** What the row is called in the specification: results by their sign, corrections as money put in or taken out. */
const TRANS_TYPE = `CASE
  WHEN l.kind = 'creditReference' THEN 'creditReference'
  WHEN l.kind IN ('deposit', 'withdrawal', 'correction') THEN CASE WHEN e.amount >= 0 THEN 'add' ELSE 'withDraw' END
  WHEN e.amount >= 0 THEN 'win' ELSE 'loss' END`;
const DESCRIPTION = `CASE WHEN ev.title IS NULL THEN l.text ELSE ev.title || ' / ' || l.text END`;
const FROM = `FROM ledger_entries e JOIN ledger l ON l.id = e.ledger_id LEFT JOIN events ev ON ev.id = l.event_id`;

async function whereOf(db: Pick<Db, 'query'>, query: StatementQuery) {
  const own = new Where().and('e.world =', query.world).and('e.account_id =', query.accountId);
  const range = await entryRange(db, query, query);
  if (range) own.and('e.n >=', range.first).and('e.n <=', range.last);
  if (query.area !== undefined) own.and('l.area =', query.area);
  if (query.transType !== undefined) own.and(`${TRANS_TYPE} =`, query.transType);
  if (query.description !== undefined) own.and(`${DESCRIPTION} ILIKE`, likeText(query.description));
  return { own, range };
}

/** The account's own entries, newest first unless asked otherwise, each with the balance after it. Amounts in minor units. */
export async function statement(db: Pick<Db, 'query'>, query: StatementQuery): Promise<StatementPage> {
  const { own, range } = await whereOf(db, query);
  const [sums] = await db.query<{
    total: number;
    credit: number;
    debit: number;
    first: number | null;
    last: number | null;
  }>(
    `SELECT count(*) AS total, COALESCE(sum(e.amount) FILTER (WHERE e.amount > 0), 0)::bigint AS credit,
            COALESCE(-sum(e.amount) FILTER (WHERE e.amount < 0), 0)::bigint AS debit,
            min(e.n) AS first, max(e.n) AS last ${FROM} ${own.sql}`,
    own.params,
  );
  const { total, credit, debit } = sums!;
  const { opening, closing } =
    sums!.first === null
      ? await balanceAtEnd(db, query, range?.last)
      : await balancesAround(db, query, sums!.first, sums!.last!);
  const order = `ORDER BY e.n ${query.oldestFirst ? 'ASC' : 'DESC'} ${own.page(query.page, query.limit)}`;
  return {
    rows: (query.page - 1) * query.limit >= total ? [] : await rowsOf(db, own, order),
    total,
    page: query.page,
    limit: query.limit,
    totals: { credit, debit, opening, closing },
  };
}

/** The same, so many of them from the newest on, or behind the one with this number. */
export async function statementSlice(
  db: Pick<Db, 'query'>,
  query: StatementQuery,
  behind: number | null,
  limit: number,
): Promise<TransactionRow[]> {
  const { own } = await whereOf(db, query);
  if (behind !== null) own.and('e.n <', behind);
  return rowsOf(db, own, `ORDER BY e.n DESC ${own.page(1, limit)}`);
}

async function rowsOf(db: Pick<Db, 'query'>, own: Where, order: string): Promise<TransactionRow[]> {
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

/** Nothing of the filter in the range: the balance as it was when the range ended. */
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
