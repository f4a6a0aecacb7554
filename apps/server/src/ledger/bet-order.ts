/** Which bets stand on a page: by their numbers whole parts are passed over; by anything else they are sorted, as many as one may. */
import { type BetFilter, FROM, whereOf } from './bet-filter.ts';
import type { Sums } from './bet-parts.ts';
import type { Reading } from './desk.ts';
import { mustNotBeTooLong } from './too-long.ts';
import type { Where } from './where.ts';

export const SORT = {
  'betPlaced.createdAt': 'b.placed_at',
  createdAt: 'b.placed_at',
  id: 'b.id',
  odds: 'b.price',
  amount: 'b.size',
  profitLoss: 'b.profit',
  status: 'b.status',
  settledAt: 'b.settled_at',
} as const;
type SortColumn = keyof typeof SORT;
export type BetOrder = Array<{ column: SortColumn; direction: 'ASC' | 'DESC' }>;
/** Bets are numbered in the order in which they are placed. */
const BY_NUMBER: ReadonlySet<SortColumn> = new Set(['betPlaced.createdAt', 'createdAt', 'id']);

type Page = BetFilter & { page: number; limit: number; sort: BetOrder };

/** The numbers of the bets of the page, in its order. `parts`: what the filter takes of each, the newest first. */
export async function idsOn(db: Reading, page: Page, parts: ReadonlyArray<readonly Sums[]>): Promise<number[]> {
  const steps = stepsOf(page.sort, parts);
  return steps ? idsInSteps(db, page, steps) : idsSorted(db, page, parts);
}

/** So many bets that follow one another in the order asked. */
interface Step {
  first: number;
  last: number;
  count: number;
  status?: string;
  isOldestFirst: boolean;
}

/** Bets by their numbers, or by those within each status; null for another order. */
function stepsOf(sort: BetOrder, parts: ReadonlyArray<readonly Sums[]>): Step[] | null {
  const status = sort[0]?.column === 'status' ? sort[0] : undefined;
  const then = status ? sort[1] : sort[0];
  if (then && !BY_NUMBER.has(then.column)) return null;
  const isOldestFirst = then?.direction === 'ASC';
  const inOrder = isOldestFirst ? parts.toReversed() : parts;
  const of = (name?: string): Step[] =>
    inOrder.flatMap((part) => {
      const sums = name === undefined ? part : part.filter((one) => one.status === name);
      if (sums.length === 0) return [];
      const first = Math.min(...sums.map((one) => one.first));
      const last = Math.max(...sums.map((one) => one.last));
      const count = sums.reduce((all, one) => all + one.count, 0);
      return { first, last, count, isOldestFirst, ...(name !== undefined && { status: name }) };
    });
  if (!status) return of();
  const names = [...new Set(parts.flat().map((one) => one.status))].sort();
  return (status.direction === 'ASC' ? names : names.reverse()).flatMap(of);
}

/** Passes over whole steps to where the page begins. */
async function idsInSteps(db: Reading, page: Page, steps: readonly Step[]): Promise<number[]> {
  const { limit } = page;
  const ids: number[] = [];
  let skip = (page.page - 1) * limit;
  for (const { count, status, isOldestFirst, ...range } of steps) {
    if (ids.length === limit) break;
    if (skip < count) {
      const where = whereOf(page, range);
      if (status !== undefined) where.and('b.status =', status);
      const order = `ORDER BY b.id ${isOldestFirst ? 'ASC' : 'DESC'}`;
      ids.push(...(await idsOf(db, where, `${order} ${where.slice(limit - ids.length, skip)}`)));
    }
    skip = Math.max(0, skip - count);
  }
  return ids;
}

/** The first of each part, as many as there are up to the end of the page, sorted once more. */
async function idsSorted(db: Reading, page: Page, parts: ReadonlyArray<readonly Sums[]>): Promise<number[]> {
  const steps = stepsOf([], parts)!;
  mustNotBeTooLong(steps.reduce((sum, { count }) => sum + count, 0));
  const order = page.sort.map(({ column, direction }) => `${SORT[column]} ${direction}, `).join('');
  const keys = page.sort.map(({ column }, at) => `, ${SORT[column]} AS k${at}`).join('');
  const upTo = page.page * page.limit;
  const found: Candidate[] = [];
  for (const range of steps) {
    const where = whereOf(page, range);
    const rows = await db.query<Candidate>(
      `SELECT b.id${keys} ${FROM} ${where.sql} ORDER BY ${order}b.id DESC ${where.slice(upTo, 0)}`,
      where.params,
    );
    found.push(...rows);
  }
  found.sort((a, b) => compare(page.sort, a, b));
  return found.slice(upTo - page.limit, upTo).map(({ id }) => id);
}

type Candidate = { id: number } & Record<`k${number}`, number | string | null>;

/** As the database does: without a value comes last, and first where the highest come first. */
function compare(sort: BetOrder, a: Candidate, b: Candidate): number {
  for (const [at, { direction }] of sort.entries()) {
    const [one, other] = [a[`k${at}`]!, b[`k${at}`]!];
    if (one === other) continue;
    const isHigher = one === null || (other !== null && one > other);
    return isHigher === (direction === 'ASC') ? 1 : -1;
  }
  return b.id - a.id;
}

export async function idsOf(db: Reading, where: Where, order: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>(`SELECT b.id ${FROM} ${where.sql} ${order}`, where.params);
  return rows.map(({ id }) => id);
}
