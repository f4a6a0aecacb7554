import { COMMISSION } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';
import { betParts, isSurelyWithout } from './bet-parts.ts';
import type { Reading } from './desk.ts';
import { ENTRIES } from './entry-range.ts';
import { rangeOf, whereIn } from './statement-parts.ts';
import type { World } from './where.ts';

export interface ProfitQuery {
  accountId: number;
  world: World;
  level: 'sport' | 'match' | 'market';
  /** Narrow a lower level: the sport of the matches, the match of the markets. */
  eventType?: string;
  matchId?: number;
  /** When it was settled, milliseconds since 1970, inclusive. */
  from?: number;
  to?: number;
  /** Whose days it is told by; a name both Intl and the database know. */
  timeZone?: string;
}

export interface ProfitReport {
  rows: Array<{
    id: string;
    name: string;
    eventType: string;
    matchId: number | null;
    betId: number | null;
    /** What the balance gained or lost: results less commission. */
    profitLoss: number;
    commission: number;
    /** Bets of the account in it that had something matched. */
    totalBet: number;
    settledAt: string | null;
  }>;
  days: Array<{ day: string; profitLoss: number }>;
  total: number;
}

interface MarketSum {
  /** Null for a game of a provider. */
  market_id: number | null;
  game: string | null;
  rounds: string[];
  event_id: number | null;
  name: string | null;
  match_type: string | null;
  title: string | null;
  day: string;
  net: number;
  commission: number;
  last_at: number;
}

/** Markets whose event the catalogue does not know. */
const OTHER = 'other';
/** Games of the providers stand together where sports do; below them a row for each game. */
const GAMES = 'liveCasino';
const SPORT = `CASE WHEN l.provider IS NULL THEN COALESCE(ev.match_type, '${OTHER}') ELSE '${GAMES}' END`;

/** Entries that are added up in one statement. */
const SLICE = 5000;

/**
 * Settled results of an account by sport, match or market, and per day. Corrections of results are in the figures.
 * Rounds of providers' games count when they are over, and were so when the first part was read.
 */
export async function profitLoss(db: Reading, query: ProfitQuery): Promise<ProfitReport> {
  const { first, last } = await rangeOf(db, query);
  const open = await openRounds(db, query);
  const sums: MarketSum[] = [];
  for (let from = first; from <= last; from += SLICE)
    sums.push(...(await sumsOf(db, query, from, Math.min(last, from + SLICE - 1), open)));
  const counts = await countBets(db, query, [...new Set(sums.flatMap((sum) => sum.market_id ?? []))]);
  return { rows: grouped(sums, query.level, counts), days: byDay(sums), total: sum(sums.map((row) => row.net)) };
}

/** What the entries `first` to `last` come to, by market or game and day. */
async function sumsOf(
  db: Reading,
  query: ProfitQuery,
  first: number,
  last: number,
  open: string[],
): Promise<MarketSum[]> {
  const where = whereIn(query, first, last)
    .also('l.area > 0')
    .and(
      "(l.provider IS NULL OR l.kind = 'roundPromo' OR (r.label IS NOT NULL AND NOT l.provider || '/' || l.round_id = ANY(",
      open,
      '::text[])))',
    );
  if (query.eventType !== undefined) where.and(`${SPORT} =`, query.eventType);
  if (query.matchId !== undefined) where.and('l.event_id =', query.matchId);
  const zone = `$${where.params.push(query.timeZone ?? 'UTC')}`;
  // Each found by its number, for the same reason as transactions are.
  return db.query<MarketSum>(
    `SELECT l.market_id, l.event_id, l.provider || '/' || l.game AS game, COALESCE(m.name, r.label, l.provider) AS name,
            ${SPORT} AS match_type, COALESCE(ev.title, r.label, l.provider) AS title, (to_timestamp(l.at / 1000) AT TIME ZONE ${zone})::date::text AS day,
            COALESCE(array_agg(DISTINCT l.round_id) FILTER (WHERE l.round_id IS NOT NULL), '{}') AS rounds,
            sum(e.amount)::bigint AS net, max(l.at) AS last_at,
            COALESCE(-sum(e.amount) FILTER (WHERE l.kind = 'commission' OR c.has_commission), 0)::bigint AS commission
       ${ENTRIES}
       LEFT JOIN LATERAL (SELECT name FROM markets WHERE id = l.market_id AND world = l.world OFFSET 0) m ON true
       LEFT JOIN LATERAL (SELECT match_type, title FROM events WHERE id = l.event_id OFFSET 0) ev ON true
       LEFT JOIN LATERAL (SELECT label FROM provider_rounds WHERE provider = l.provider AND account_id = e.account_id
         AND round_id = l.round_id AND world = l.world OFFSET 0) r ON true
       LEFT JOIN LATERAL (SELECT true AS has_commission FROM ledger_entries WHERE l.kind IN ('reverse', 'void')
         AND ledger_id = e.ledger_id AND account_id = ${COMMISSION} LIMIT 1) c ON true
       ${where.sql} GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    where.params,
  );
}

/** Behind so many entries the sum so far of a lifetime is kept. */
const KEEP_AFTER = 200;

/**
 * Lifetime result of the account's settled bets and finished rounds, minor units. The sum up to some entry is kept; a reading
 * adds what came behind it.
 */
export async function lifetimeProfit(db: Pick<Db, 'query'>, accountId: number, world: World): Promise<number> {
  for (;;) {
    const [row] = await db.query<{ net: number; upto: number; added: number }>(
      `WITH kept AS (
         SELECT COALESCE(max(upto), 0) AS upto, COALESCE(max(net), 0) AS net FROM profit_counters
           WHERE world = $1 AND account_id = $2
       ), fresh AS (
         SELECT e.n, CASE WHEN l.area > 0 THEN e.amount ELSE 0 END AS amount
           ${ENTRIES}
           WHERE e.world = $1 AND e.account_id = $2 AND e.n > (SELECT upto FROM kept) ORDER BY e.n LIMIT ${SLICE}
       )
       SELECT ((SELECT net FROM kept) + COALESCE(sum(amount), 0))::bigint AS net,
              COALESCE(max(n), (SELECT upto FROM kept)) AS upto, count(*) AS added FROM fresh`,
      [world, accountId],
    );
    const { net, upto, added } = row!;
    if (added >= KEEP_AFTER) {
      await db.query(
        `INSERT INTO profit_counters (world, account_id, upto, net) VALUES ($1, $2, $3, $4)
         ON CONFLICT (world, account_id) DO UPDATE SET upto = EXCLUDED.upto, net = EXCLUDED.net
           WHERE profit_counters.upto < EXCLUDED.upto`,
        [world, accountId, upto, net],
      );
    }
    if (added < SLICE) return net - (await movedInOpenRounds(db, accountId, world));
  }
}

/** What rounds of games that are not over have moved so far: nothing of it is won or lost yet. */
async function movedInOpenRounds(db: Pick<Db, 'query'>, accountId: number, world: World): Promise<number> {
  const [row] = await db.query<{ net: number }>(
    `SELECT COALESCE(sum(paid + refunded - staked), 0)::bigint AS net FROM provider_rounds
       WHERE account_id = $2 AND world = $1 AND status = 'OPEN'`,
    [world, accountId],
  );
  return row!.net;
}

/** Provider and number of each round that is not over. */
async function openRounds(db: Reading, { accountId, world }: ProfitQuery): Promise<string[]> {
  const rows = await db.query<{ round: string }>(
    `SELECT provider || '/' || round_id AS round FROM provider_rounds
       WHERE account_id = $2 AND world = $1 AND status = 'OPEN'`,
    [world, accountId],
  );
  return rows.map(({ round }) => round);
}

async function countBets(db: Reading, query: ProfitQuery, marketIds: number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  if (marketIds.length === 0) return counts;
  const own = { accountId: query.accountId, world: query.world, marketIds };
  for (const part of await betParts(db, own)) {
    if (isSurelyWithout(own, part)) continue;
    const rows = await db.query<{ market_id: number; bets: number }>(
      `SELECT market_id, count(*) AS bets FROM bets
         WHERE account_id = $1 AND world = $2 AND id > $3 AND id <= $4 AND matched > 0 AND market_id = ANY($5::bigint[])
         GROUP BY market_id`,
      [query.accountId, query.world, part.behind, part.last, marketIds],
    );
    for (const { market_id, bets } of rows) counts.set(market_id, (counts.get(market_id) ?? 0) + bets);
  }
  return counts;
}

function grouped(sums: MarketSum[], level: ProfitQuery['level'], counts: Map<number, number>): ProfitReport['rows'] {
  const groups = new Map<
    string,
    { row: ProfitReport['rows'][number]; markets: Set<number>; rounds: Set<string>; lastAt: number }
  >();
  for (const one of sums) {
    const eventType = one.match_type ?? OTHER;
    const title = one.title ?? `Event ${one.event_id ?? ''}`.trim();
    const id =
      level === 'sport' ? eventType : (one.game ?? String(level === 'match' ? (one.event_id ?? 0) : one.market_id));
    let group = groups.get(id);
    if (!group) {
      const row = {
        id,
        name: { sport: eventType, match: title, market: one.name ?? `Market ${one.market_id}` }[level],
        eventType,
        matchId: level === 'sport' ? null : one.event_id,
        betId: level === 'market' ? one.market_id : null,
        profitLoss: 0,
        commission: 0,
        totalBet: 0,
        settledAt: null,
      };
      group = { row, markets: new Set(), rounds: new Set(), lastAt: 0 };
      groups.set(id, group);
    }
    group.row.profitLoss += one.net;
    group.row.commission += one.commission;
    if (one.market_id === null) for (const round of one.rounds) group.rounds.add(`${one.game}/${round}`);
    else group.markets.add(one.market_id);
    group.lastAt = Math.max(group.lastAt, one.last_at);
  }
  return [...groups.values()]
    .sort((a, b) => b.lastAt - a.lastAt)
    .map(({ row, markets, rounds, lastAt }) => ({
      ...row,
      totalBet: rounds.size + sum([...markets].map((market) => counts.get(market) ?? 0)),
      settledAt: new Date(lastAt).toISOString(),
    }));
}

function byDay(sums: MarketSum[]): ProfitReport['days'] {
  const days = new Map<string, number>();
  for (const one of sums) days.set(one.day, (days.get(one.day) ?? 0) + one.net);
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, profitLoss]) => ({ day, profitLoss }));
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
