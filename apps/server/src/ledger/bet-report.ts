import {
  type bets,
  CodedError,
  filterRange,
  filterValues,
  parseSort,
  placedBet,
  type QueryOf,
} from '@fairgame/contract';
import type { Bet, MarketKind, MarketView } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';
import { type BetFilter, EVENT_TYPES, FROM, takesAllBets, whereOf } from './bet-filter.ts';
import { type BetOrder, idsOf, idsOn, SORT } from './bet-order.ts';
import { ALL, type BetPart, betParts, isSurelyWithout, lookedAt, type Sums, sumsOf } from './bet-parts.ts';
import type { Reading } from './desk.ts';
import { mustNotBeTooLong } from './too-long.ts';
import { Where, type World } from './where.ts';

export interface BetQuery extends BetFilter {
  page: number;
  limit: number;
  sort?: BetOrder;
}

export interface BetRow extends Bet {
  settledAt: number | null;
  eventId: number;
  /** The market as it stands now; null when its row is missing. */
  market: MarketView | null;
  /** From the catalogue; null for an event it does not know. */
  eventName: string | null;
  eventType: string | null;
}

const { status: STATUS, result: RESULT } = placedBet.def.shape;
const STATUSES = STATUS.options;
const RESULTS = RESULT.options;
const OPEN_RESULTS: readonly string[] = ['PENDING', 'UNDECLARE'] satisfies Array<(typeof RESULTS)[number]>;
export interface BetPage {
  rows: BetRow[];
  total: number;
  page: number;
  limit: number;
  totals: { stake: number; matched: number; profitLoss: number };
}

const COLUMNS = `b.id AS "betId", b.account_id AS "accountId", b.market_id AS "marketId", b.runner_id AS "runnerId",
  b.kind, b.side, b.price, b.matched_sum AS "matchedSum", b.size AS "sizeMinor", b.matched AS "matchedMinor",
  b.remaining AS "remainingMinor", b.cancelled AS "cancelledMinor", b.lapsed AS "lapsedMinor", b.voided AS "voidedMinor",
  b.persistence, b.status, b.due_at AS "dueAt", b.placed_at AS "placedAt", b.line, b.box, b.win AS "winMinor",
  b.loss AS "lossMinor", b.end_code AS "endCode",
  COALESCE((SELECT r.reason FROM bet_reasons r WHERE r.bet_id = b.id), b.reason) AS reason, b.result, b.profit AS "profitMinor", b.version,
  b.settled_at AS "settledAt", m.event_id AS "eventId", m.view, ev.title AS "eventName", ev.match_type AS "eventType"`;

/**
 * Bets of one account, newest first unless asked otherwise, open ones those that wait first; totals over all pages of the filter.
 * Throws TIME_TOO_LONG where too many would have to be looked at one by one, for words or to sort them.
 */
export async function betPage(db: Reading, query: BetQuery): Promise<BetPage> {
  const parts: Sums[][] = [];
  for (const part of await partsFor(db, query)) parts.push(await sumsOf(db, query, part));
  const sums = parts.flat();
  const sum = (of: 'count' | 'stake' | 'matched' | 'profit') => sums.reduce((all, one) => all + one[of], 0);
  const ids = await idsOn(db, { ...query, sort: query.sort ?? unsorted(query) }, parts);
  const rows = new Map((await rowsOf(db, ids)).map((row) => [row.betId, row]));
  return {
    rows: ids.flatMap((id) => rows.get(id) ?? []),
    total: sum('count'),
    page: query.page,
    limit: query.limit,
    totals: { stake: sum('stake'), matched: sum('matched'), profitLoss: sum('profit') },
  };
}

async function partsFor(db: Reading, query: BetFilter): Promise<BetPart[]> {
  const parts = await betParts(db, query);
  if (query.keyword !== undefined) mustNotBeTooLong(parts.reduce((sum, part) => sum + lookedAt(query, part), 0));
  return parts;
}

/** COMPLETE comes last: of more open bets than a page takes, orders that are not read could be neither seen nor cancelled. */
function unsorted({ open, results }: BetQuery): BetOrder {
  const isOpen = open || results?.every((result) => OPEN_RESULTS.includes(result));
  return isOpen ? [{ column: 'status', direction: 'DESC' }] : [];
}

/** The same, so many of them from the newest on, or behind the one with this number. */
export async function betSlice(db: Reading, query: BetQuery, behind: number | null, limit: number): Promise<BetRow[]> {
  const end = behind === null ? Number.MAX_SAFE_INTEGER : behind - 1;
  // Every bet counts: so many of them are found without a look at more.
  const parts = takesAllBets(query) ? [ALL] : await partsFor(db, query);
  const ids: number[] = [];
  for (const part of parts) {
    if (ids.length === limit) break;
    if (part.behind >= end || isSurelyWithout(query, part)) continue;
    const where = whereOf(query, { first: part.behind + 1, last: Math.min(part.last, end) });
    ids.push(...(await idsOf(db, where, `ORDER BY b.id DESC ${where.slice(limit - ids.length, 0)}`)));
  }
  return (await rowsOf(db, ids)).sort((a, b) => b.betId - a.betId);
}

/** What is told of a bet is not gathered for those on the pages before: their numbers are found first. */
async function rowsOf(db: Pick<Db, 'query'>, ids: readonly number[]): Promise<BetRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<Omit<BetRow, 'market'> & { view: string | null }>(
    `SELECT ${COLUMNS} ${FROM} WHERE b.id = ANY($1::bigint[])`,
    [ids],
  );
  return rows.map(withViews());
}

/**
 * Reads the query of bet.list. `isCurrentBets` means open bets. Throws BAD_FILTER naming the field, and NOT_ALLOWED when
 * `createBy` names somebody else.
 */
export function readBetQuery(query: QueryOf<typeof bets.list>, who: { accountId: number; world: World }): BetQuery {
  const result: BetQuery = { ...who, page: Number(query.page ?? 1), limit: Number(query.limit ?? 10) };
  const ids = (field: keyof typeof query): number[] | undefined =>
    filterValues(field, query[field])?.map((value) => {
      const id = Number(value);
      if (!/^\d{1,16}$/.test(value) || !Number.isSafeInteger(id)) throw new CodedError('BAD_FILTER', { field });
      return id;
    });
  const owner = ids('createBy');
  if (owner?.some((id) => id !== who.accountId)) throw new CodedError('NOT_ALLOWED', { field: 'createBy' });
  const runners = ids('runnerId') ?? ids('betPlaced.runnerId');
  Object.assign(
    result,
    defined({
      marketIds: ids('betId'),
      runnerIds: runners,
      eventIds: ids('betPlaced.matchId'),
      eventTypes: filterValues('betPlaced.eventType', query['betPlaced.eventType'], EVENT_TYPES),
      statuses: filterValues('status', query.status, STATUSES),
      keyword: query.keyword?.trim() || undefined,
      open: query.isCurrentBets === undefined ? undefined : query.isCurrentBets === 'true',
      results: query.result === 'isNull' ? undefined : filterValues('result', query.result, RESULTS),
      ...filterRange('betPlaced.createdAt', query['betPlaced.createdAt']),
    }),
  );
  if (query.result === 'isNull') result.open = true;
  if (query.sort !== undefined) {
    result.sort = parseSort(query.sort, Object.keys(SORT)) as BetOrder;
  }
  return result;
}

/** Columns that are null where the bet has no such thing. */
const OPTIONAL = ['line', 'box', 'winMinor', 'lossMinor', 'endCode', 'reason'] as const;

function dropNulls<T extends object>(row: T): T {
  const copy = { ...row } as Record<string, unknown>;
  for (const name of OPTIONAL) if (copy[name] === null) delete copy[name];
  return copy as T;
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

export interface ClearedQuery {
  accountId: number;
  world: World;
  status: 'SETTLED' | 'VOIDED' | 'LAPSED' | 'CANCELLED';
  /** When it was settled or, without a result, placed; both inclusive. */
  from: number;
  to: number;
  betIds?: number[];
  marketIds?: number[];
  eventIds?: number[];
  eventTypes?: string[];
  /** Market and runner. */
  runners?: Array<[number, number]>;
  sides?: Array<Pick<Bet, 'kind' | 'side'>>;
  /** Of which kinds of markets. */
  kinds: readonly MarketKind[];
  most: number;
}

const CLEARED_AT = 'COALESCE(b.settled_at, b.placed_at)';
const CLEARED = {
  SETTLED: "b.matched > 0 AND b.result IN ('WIN', 'LOSS', 'TIE')",
  // The result of a bet that was never matched is void as well.
  VOIDED: "(b.voided > 0 OR (b.matched > 0 AND b.result IN ('VOID', 'UNDECLARE')))",
  LAPSED: 'b.lapsed > 0',
  CANCELLED: 'b.cancelled > 0 AND b.remaining = 0',
} as const;

export interface ClearedRow extends BetRow {
  /** From the catalogue; null where it does not know them. */
  marketType: string | null;
  startAt: number | null;
}

/** Bets that are over, wholly or in the part the status is about; the latest first. */
export async function clearedBets(db: Pick<Db, 'query'>, query: ClearedQuery): Promise<ClearedRow[]> {
  const where = new Where().and('b.account_id =', query.accountId).and('b.world =', query.world);
  where.also(CLEARED[query.status]).anyOf('m.kind', query.kinds, 'text');
  where.and(`${CLEARED_AT} >=`, query.from).and(`${CLEARED_AT} <=`, query.to);
  if (query.betIds) where.anyOf('b.id', query.betIds, 'bigint');
  if (query.marketIds) where.anyOf('b.market_id', query.marketIds, 'bigint');
  if (query.eventIds) where.anyOf('m.event_id', query.eventIds, 'bigint');
  if (query.eventTypes) where.anyOf('ev.match_type', query.eventTypes, 'text');
  if (query.runners) where.anyPair('b.market_id, b.runner_id', query.runners);
  if (query.sides)
    where.anyOf(
      `b.kind || ' ' || b.side`,
      query.sides.map(({ kind, side }) => `${kind} ${side}`),
      'text',
    );
  const rows = await db.query<Omit<ClearedRow, 'market'> & { view: string | null }>(
    `SELECT ${COLUMNS}, mm.market_type AS "marketType", ev.start_at_ms AS "startAt"
       ${FROM} LEFT JOIN market_meta mm ON mm.market_id = b.market_id ${where.sql} ORDER BY ${CLEARED_AT} DESC, b.id DESC ${where.page(1, query.most)}`,
    where.params,
  );
  return rows.map(withViews<ClearedRow>());
}

/** The views of markets are read once each, however many bets they have. */
function withViews<R extends BetRow = BetRow>() {
  const views = new Map<string, MarketView>();
  const viewOf = (text: string | null) => {
    if (text === null) return null;
    const view = views.get(text) ?? (JSON.parse(text) as MarketView);
    views.set(text, view);
    return view;
  };
  return ({ view, ...row }: Omit<R, 'market'> & { view: string | null }): R =>
    ({ ...dropNulls(row as object), market: viewOf(view) }) as R;
}
