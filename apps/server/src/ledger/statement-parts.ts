/**
 * A statement is read in parts, so many numbers of entries each: no statement of the database costs what the history holds,
 * and on the embedded engine bets come between two of them. What a whole part comes to is kept, and read from then on.
 */
import type { TransactionRow } from '@fairgame/contract';
import type { Reading } from './desk.ts';
import { ENTRIES, entryRange, NEWEST_ENTRY } from './entry-range.ts';
import { mustNotBeTooLong } from './too-long.ts';
import { likeText, Where, type World } from './where.ts';

/** Entries of an account between two moments, or of one kind. */
export interface StatementFilter {
  accountId: number;
  world: World;
  /** Milliseconds since 1970, both inclusive. */
  from?: number;
  to?: number;
  /** 0 deposits and withdrawals, 1 sport, 2 casino, 3 live casino. */
  area?: number;
  /** Part of the description, any case. */
  description?: string;
  transType?: TransactionRow['transType'];
}

/** What the filter takes of the entries `first` to `last`: how many, and their sums in minor units. */
export interface Part {
  count: number;
  credit: number;
  debit: number;
  /** Numbers of the first and the last of them. */
  first: number;
  last: number;
}
interface Group extends Part {
  area: number;
  kind: TransactionRow['transType'];
}

/** Entries of a part. Kept sums go by it: another number needs another table. */
export const BLOCK = 2000;

/** What the row is called in the specification: results by their sign, corrections as money put in or taken out. */
export const TRANS_TYPE = `CASE
  WHEN l.kind = 'creditReference' THEN 'creditReference'
  WHEN l.kind IN ('deposit', 'withdrawal', 'correction') THEN CASE WHEN e.amount >= 0 THEN 'add' ELSE 'withDraw' END
  WHEN e.amount >= 0 THEN 'win' ELSE 'loss' END`;
export const DESCRIPTION = `CASE WHEN ev.title IS NULL THEN l.text ELSE ev.title || ' / ' || l.text END`;
export const FROM = `${ENTRIES}
  LEFT JOIN LATERAL (SELECT title FROM events WHERE id = l.event_id OFFSET 0) ev ON true`;

/** Whether it takes every entry of its time. */
export const takesAll = ({ area, transType, description }: StatementFilter): boolean =>
  area === undefined && transType === undefined && description === undefined;

/**
 * The numbers of the entries of its time that are there; `first` above `last` where there are none. Throws TIME_TOO_LONG where words
 * would be looked for in too many.
 */
export async function rangeOf(db: Reading, filter: StatementFilter): Promise<{ first: number; last: number }> {
  const { world, accountId } = filter;
  const [ends] = await db.query<{ first: number; last: number }>(
    `SELECT COALESCE((SELECT n FROM ledger_entries WHERE world = $1 AND account_id = $2 ORDER BY n LIMIT 1), 1) AS first,
            ${NEWEST_ENTRY} AS last`,
    [world, accountId],
  );
  const asked = await entryRange(db, filter, filter);
  const range = asked ? { first: Math.max(ends!.first, asked.first), last: Math.min(ends!.last, asked.last) } : ends!;
  if (filter.description !== undefined) mustNotBeTooLong(range.last - range.first + 1);
  return range;
}

/** Conditions of the filter for entries of these numbers. */
export function whereIn(filter: StatementFilter, first: number, last: number): Where {
  const where = new Where()
    .and('e.world =', filter.world)
    .and('e.account_id =', filter.accountId)
    .and('e.n >=', first)
    .and('e.n <=', last);
  if (filter.area !== undefined) where.and('l.area =', filter.area);
  if (filter.transType !== undefined) where.and(`${TRANS_TYPE} =`, filter.transType);
  if (filter.description !== undefined) where.and(`${DESCRIPTION} ILIKE`, likeText(filter.description));
  return where;
}

/** The parts that hold something of the filter, from the newest on. */
export async function* partsOf(
  db: Reading,
  filter: StatementFilter,
  { first, last }: { first: number; last: number },
): AsyncGenerator<Part> {
  if (first > last) return;
  const blocks = { oldest: Math.floor((first - 1) / BLOCK), newest: Math.floor((last - 1) / BLOCK) };
  // A description may have got its event's title since.
  const canKeep = filter.description === undefined;
  const kept = canKeep ? await keptOf(db, filter, blocks) : new Map<number, Group[]>();
  for (let block = blocks.newest; block >= blocks.oldest; block--) {
    const [from, to] = [block * BLOCK + 1, (block + 1) * BLOCK];
    const isWhole = from >= first && to <= last;
    let groups = isWhole ? kept.get(block) : undefined;
    if (!groups) {
      groups = await groupsOf(db, filter, Math.max(from, first), Math.min(to, last));
      if (isWhole && canKeep) await keep(db, filter, block, groups);
    }
    const part = sumOf(groups.filter((group) => takes(filter, group)));
    if (part.count > 0) yield part;
  }
}

const takes = ({ area, transType }: StatementFilter, group: Group): boolean =>
  (area === undefined || group.area === area) && (transType === undefined || group.kind === transType);

/** All of them as one. */
export function sumOf(parts: readonly Part[]): Part {
  const sum = (of: 'count' | 'credit' | 'debit') => parts.reduce((all, part) => all + part[of], 0);
  return {
    count: sum('count'),
    credit: sum('credit'),
    debit: sum('debit'),
    first: parts.reduce((least, part) => Math.min(least, part.first), Number.POSITIVE_INFINITY),
    last: parts.reduce((most, part) => Math.max(most, part.last), 0),
  };
}

async function keptOf(
  db: Reading,
  { world, accountId }: StatementFilter,
  { oldest, newest }: { oldest: number; newest: number },
): Promise<Map<number, Group[]>> {
  const rows = await db.query<{ block: number; sums: string }>(
    'SELECT block, sums FROM statement_sums WHERE world = $1 AND account_id = $2 AND block BETWEEN $3 AND $4',
    [world, accountId, oldest, newest],
  );
  return new Map(rows.map(({ block, sums }) => [block, JSON.parse(sums) as Group[]]));
}

/** All kinds of them, but of what is described so. */
function groupsOf(db: Reading, filter: StatementFilter, first: number, last: number): Promise<Group[]> {
  const { accountId, world, description } = filter;
  const all = { accountId, world, ...(description !== undefined && { description }) };
  const { sql, params } = whereIn(all, first, last);
  const from = filter.description === undefined ? ENTRIES : FROM;
  return db.query<Group>(
    `SELECT l.area, ${TRANS_TYPE} AS kind, count(*) AS count,
            COALESCE(sum(e.amount) FILTER (WHERE e.amount > 0), 0)::bigint AS credit,
            COALESCE(-sum(e.amount) FILTER (WHERE e.amount < 0), 0)::bigint AS debit,
            min(e.n) AS first, max(e.n) AS last ${from} ${sql} GROUP BY 1, 2`,
    params,
  );
}

/** Who cannot keep it (a database that is busy, a version before this one) adds it up once more. */
async function keep(db: Reading, { world, accountId }: StatementFilter, block: number, groups: Group[]): Promise<void> {
  await db
    .keep?.(
      'INSERT INTO statement_sums (world, account_id, block, sums) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [world, accountId, block, JSON.stringify(groups)],
    )
    .catch(() => {});
}
