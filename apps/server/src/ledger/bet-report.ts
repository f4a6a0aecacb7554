import {
  type bets,
  CodedError,
  filterRange,
  filterValues,
  parseSort,
  placedBet,
  type QueryOf,
  SPORT_KEYS,
} from '@fairgame/contract';
import type { Bet, MarketKind, MarketView } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';
import { likeText, Where, type World } from './where.ts';

export interface BetQuery {
  accountId: number;
  world: World;
  page: number;
  limit: number;
  marketIds?: number[];
  runnerIds?: number[];
  eventIds?: number[];
  /** Sports, as the catalogue spells them. */
  eventTypes?: string[];
  results?: string[];
  statuses?: string[];
  /** True: the result is open. False: settled, void or taken out. */
  open?: boolean;
  /** Leaves out what ended without anything matched. */
  onlyAlive?: boolean;
  /** When it was placed, milliseconds since 1970, inclusive. */
  from?: number;
  to?: number;
  /** Part of the name of the market or event, any case. */
  keyword?: string;
  sort?: Array<{ column: SortColumn; direction: 'ASC' | 'DESC' }>;
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
/** Rounds of the card tables are no event of the catalogue. */
const CARDS = 'casino';
const EVENT_TYPES = [...SPORT_KEYS, CARDS];

export interface BetPage {
  rows: BetRow[];
  total: number;
  page: number;
  limit: number;
  totals: { stake: number; matched: number; profitLoss: number };
}

const SORT = {
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

const joined = (bets: string) => `FROM ${bets} b LEFT JOIN markets m ON m.id = b.market_id AND m.world = b.world
  LEFT JOIN events ev ON ev.id = m.event_id`;
const FROM = joined('bets');
const COLUMNS = `b.id AS "betId", b.account_id AS "accountId", b.market_id AS "marketId", b.runner_id AS "runnerId",
  b.kind, b.side, b.price, b.matched_sum AS "matchedSum", b.size AS "sizeMinor", b.matched AS "matchedMinor",
  b.remaining AS "remainingMinor", b.cancelled AS "cancelledMinor", b.lapsed AS "lapsedMinor", b.voided AS "voidedMinor",
  b.persistence, b.status, b.due_at AS "dueAt", b.placed_at AS "placedAt", b.line, b.box, b.win AS "winMinor",
  b.loss AS "lossMinor", b.end_code AS "endCode",
  COALESCE((SELECT r.reason FROM bet_reasons r WHERE r.bet_id = b.id), b.reason) AS reason, b.result, b.profit AS "profitMinor", b.version,
  b.settled_at AS "settledAt", m.event_id AS "eventId", m.view, ev.title AS "eventName", ev.match_type AS "eventType"`;

function whereOf(query: BetQuery): Where {
  const where = new Where().and('b.account_id =', query.accountId).and('b.world =', query.world);
  if (query.marketIds) where.anyOf('b.market_id', query.marketIds, 'bigint');
  if (query.runnerIds) where.anyOf('b.runner_id', query.runnerIds, 'bigint');
  if (query.eventIds) where.anyOf('m.event_id', query.eventIds, 'bigint');
  if (query.eventTypes)
    where.anyOf(`COALESCE(ev.match_type, CASE WHEN m.kind = 'card' THEN '${CARDS}' END)`, query.eventTypes, 'text');
  if (query.results) where.anyOf('b.result', query.results, 'text');
  if (query.statuses) where.anyOf('b.status', query.statuses, 'text');
  if (query.open !== undefined) where.also(query.open ? "b.result = 'PENDING'" : "b.result <> 'PENDING'");
  // A bet taken back or lapsed before anything of it was matched is not open, though its market has no result yet.
  if (query.onlyAlive) where.also("NOT (b.result = 'PENDING' AND b.status = 'COMPLETE' AND b.matched = 0)");
  if (query.from !== undefined) where.and('b.placed_at >=', query.from);
  if (query.to !== undefined) where.and('b.placed_at <=', query.to);
  if (query.keyword)
    where.and(`(COALESCE(ev.title, '') || ' ' || COALESCE(m.name, '')) ILIKE`, likeText(query.keyword));
  return where;
}

/** Bets of one account, newest first unless asked otherwise, open ones those that wait first; totals over all pages of the filter. */
export async function betPage(db: Pick<Db, 'query'>, query: BetQuery): Promise<BetPage> {
  const where = whereOf(query);
  const totals = await totalsOf(db, query);
  const order = (query.sort ?? unsorted(query))
    .map(({ column, direction }) => `${SORT[column]} ${direction}, `)
    .join('');
  const isBeyond = (query.page - 1) * query.limit >= totals.total;
  return {
    rows: isBeyond ? [] : await rowsOn(db, query, where, `ORDER BY ${order}b.id DESC`),
    total: totals.total,
    page: query.page,
    limit: query.limit,
    totals: { stake: totals.stake, matched: totals.matched, profitLoss: totals.profit },
  };
}

/** Bets that are added up in one statement: on the embedded engine others come between two, however long the history. */
const SLICE = 5000;

async function totalsOf(
  db: Pick<Db, 'query'>,
  query: BetQuery,
): Promise<{ total: number; stake: number; matched: number; profit: number }> {
  const all = { total: 0, stake: 0, matched: 0, profit: 0 };
  for (let behind = 0; ; ) {
    const where = whereOf(query);
    const of = `FILTER (${where.sql})`;
    const own = placedIn(query, where.params).and('id >', behind);
    const [sums] = await db.query<typeof all & { read: number; last: number }>(
      `SELECT count(*) AS read, COALESCE(max(b.id), 0) AS last, count(*) ${of} AS total,
              COALESCE(sum(b.size) ${of}, 0)::bigint AS stake, COALESCE(sum(b.matched) ${of}, 0)::bigint AS matched,
              COALESCE(sum(b.profit) ${of}, 0)::bigint AS profit
         ${joined(`(SELECT * FROM bets ${own.sql} ORDER BY id LIMIT ${SLICE})`)}`,
      own.params,
    );
    const { read, last, ...these } = sums!;
    for (const column of ['total', 'stake', 'matched', 'profit'] as const) all[column] += these[column];
    if (read < SLICE) return all;
    behind = last;
  }
}

/** Conditions on the bets' own table that leave out no bet of the filter, whatever they are joined with. */
function placedIn({ accountId, world, from, to }: BetQuery, params: unknown[]): Where {
  const own = new Where(params).and('account_id =', accountId).and('world =', world);
  if (from !== undefined) own.and('placed_at >=', from);
  if (to !== undefined) own.and('placed_at <=', to);
  return own;
}

/** Their numbers first: what is told of a bet is not gathered for all those on the pages before. */
async function rowsOn(
  db: Pick<Db, 'query'>,
  { page, limit }: BetQuery,
  where: Where,
  order: string,
): Promise<BetRow[]> {
  const ids = await db.query<{ id: number }>(
    `SELECT b.id ${FROM} ${where.sql} ${order} ${where.page(page, limit)}`,
    where.params,
  );
  const rows = await db.query<Omit<BetRow, 'market'> & { view: string | null }>(
    `SELECT ${COLUMNS} ${FROM} WHERE b.id = ANY($1::bigint[]) ${order}`,
    [ids.map(({ id }) => id)],
  );
  return rows.map(withViews());
}

/** COMPLETE comes last: of more open bets than a page takes, orders that are not read could be neither seen nor cancelled. */
function unsorted({ open, results }: BetQuery): NonNullable<BetQuery['sort']> {
  const isOpen = open || results?.every((result) => OPEN_RESULTS.includes(result));
  return isOpen ? [{ column: 'status', direction: 'DESC' }] : [];
}

/** The same, so many of them from the newest on, or behind the one with this number. */
export async function betSlice(
  db: Pick<Db, 'query'>,
  query: BetQuery,
  behind: number | null,
  limit: number,
): Promise<BetRow[]> {
  const where = whereOf(query);
  if (behind !== null) where.and('b.id <', behind);
  const rows = await db.query<Omit<BetRow, 'market'> & { view: string | null }>(
    `SELECT ${COLUMNS} ${FROM} ${where.sql} ORDER BY b.id DESC ${where.page(1, limit)}`,
    where.params,
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
    result.sort = parseSort(query.sort, Object.keys(SORT)) as Array<{ column: SortColumn; direction: 'ASC' | 'DESC' }>;
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
