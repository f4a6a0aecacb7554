import {
  CodedError,
  conditionalOrder,
  filterRange,
  filterValues,
  type QueryOf,
  roundDiv,
  type trader,
} from '@fairgame/contract';
import type { ConditionalView } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';
import { likeText, Where, type World } from './where.ts';

export interface EndQuery {
  accountId: number;
  world: World;
  /** When it was over, milliseconds since 1970, both inclusive. */
  from?: number;
  to?: number;
  marketIds?: number[];
  kinds?: string[];
  statuses?: string[];
  codes?: string[];
  /** Part of the name of event or market, any case. */
  keyword?: string;
}

/** Where a page begins: behind this one. */
export interface EndPlace {
  at: number;
  id: number;
}

/** A conditional order that is over. */
export interface EndRow {
  order: ConditionalView;
  endedAt: number;
  code: string | null;
  actor: string | null;
  /** The bet it became; null where it became none. */
  bet: { odd: number; stake: number; matched: number; oddsMatched: number } | null;
}

const { kind: KIND, status: STATUS } = conditionalOrder.def.shape;
const ENDED = STATUS.options.filter((status) => status !== 'WAITING');

const SELECT = `SELECT c.id, c.account_id, c.market_id, c.runner_id, c.kind, c.side, c.trigger_price, c.price, c.ticks, c.slip,
    c.size, c.level, c.persistence, c.for_bet_id, c.due_at, c.link, c.made_at, c.status, c.code, c.actor, c.bet_id, c.ended_at,
    COALESCE(b.first_price, b.price) AS bet_price, b.size AS bet_size, b.matched, b.matched_sum
  FROM conditional_ends c LEFT JOIN bets b ON b.id = c.bet_id AND b.placed_at = c.ended_at`;
/** Names are looked for in few rows: those of one account, in the time that was asked for. */
const NAMED = `EXISTS (SELECT 1 FROM markets m LEFT JOIN events ev ON ev.id = m.event_id
  WHERE m.id = c.market_id AND m.world = c.world AND COALESCE(ev.title, '') || ' ' || COALESCE(m.name, '') ILIKE`;

/** Of one account, the latest end first: so many, from the newest on or behind a place. What is older costs nothing. */
export async function conditionalEnds(
  db: Pick<Db, 'query'>,
  query: EndQuery,
  behind: EndPlace | null,
  limit: number,
): Promise<EndRow[]> {
  const where = new Where().and('c.account_id =', query.accountId).and('c.world =', query.world);
  if (query.from !== undefined) where.and('c.ended_at >=', query.from);
  if (query.to !== undefined) where.and('c.ended_at <=', query.to);
  if (query.marketIds) where.anyOf('c.market_id', query.marketIds, 'bigint');
  if (query.kinds) where.anyOf('c.kind', query.kinds, 'text');
  if (query.statuses) where.anyOf('c.status', query.statuses, 'text');
  if (query.codes) where.anyOf('c.code', query.codes, 'text');
  if (query.keyword) where.and(NAMED, likeText(query.keyword), ')');
  if (behind !== null) where.before('c.ended_at, c.id', [behind.at, behind.id]);
  const rows = await db.query<Stored>(
    `${SELECT} ${where.sql} ORDER BY c.ended_at DESC, c.id DESC ${where.page(1, limit)}`,
    where.params,
  );
  return rows.map(asRow);
}

/** Reads the call's query. Throws BAD_FILTER naming the field. */
export function readEndQuery(
  query: Omit<QueryOf<typeof trader.conditionalHistory>, 'cursor' | 'limit'>,
  who: { accountId: number; world: World },
): EndQuery {
  const marketIds = filterValues('betId', query.betId)?.map((value) => {
    if (!/^[1-9]\d{0,14}$/.test(value)) throw new CodedError('BAD_FILTER', { field: 'betId' });
    return Number(value);
  });
  const kinds = filterValues('kind', query.kind, KIND.options);
  const statuses = filterValues('status', query.status, ENDED);
  const codes = filterValues('code', query.code);
  const keyword = query.keyword?.trim();
  return {
    ...who,
    ...filterRange('endedAt', query.endedAt),
    ...(marketIds && { marketIds }),
    ...(kinds && { kinds }),
    ...(statuses && { statuses }),
    ...(codes && { codes }),
    ...(keyword && { keyword }),
  };
}

interface Stored {
  id: number;
  account_id: number;
  market_id: number;
  runner_id: number;
  kind: ConditionalView['kind'];
  side: ConditionalView['side'];
  trigger_price: number | null;
  price: number | null;
  ticks: number | null;
  slip: number | null;
  size: number | null;
  level: boolean | null;
  persistence: ConditionalView['persistence'];
  for_bet_id: number | null;
  due_at: number | null;
  link: number;
  made_at: number;
  status: ConditionalView['status'];
  code: string | null;
  actor: string | null;
  bet_id: number | null;
  ended_at: number;
  bet_price: number | null;
  bet_size: number | null;
  matched: number | null;
  matched_sum: number | null;
}

function asRow(row: Stored): EndRow {
  const { matched, matched_sum: sum } = row;
  return {
    order: {
      conditionalId: row.id,
      accountId: row.account_id,
      marketId: row.market_id,
      runnerId: row.runner_id,
      kind: row.kind,
      side: row.side,
      ...(row.trigger_price !== null && { trigger: row.trigger_price }),
      ...(row.price !== null && { price: row.price }),
      ...(row.ticks !== null && { ticks: row.ticks }),
      ...(row.slip !== null && { slip: row.slip }),
      ...(row.size !== null && { sizeMinor: row.size }),
      ...(row.level !== null && { level: row.level }),
      persistence: row.persistence,
      ...(row.for_bet_id !== null && { forBetId: row.for_bet_id }),
      ...(row.due_at !== null && { dueAt: row.due_at }),
      link: row.link,
      madeAt: row.made_at,
      status: row.status,
      ...(row.bet_id !== null && { betId: row.bet_id }),
    },
    endedAt: row.ended_at,
    code: row.code,
    actor: row.actor,
    bet:
      row.bet_price === null
        ? null
        : {
            odd: row.bet_price,
            stake: row.bet_size!,
            matched: matched!,
            oddsMatched: matched === 0 ? 0 : roundDiv(sum!, matched!),
          },
  };
}
