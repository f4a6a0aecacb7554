import { COMMISSION } from '@fairgame/exchange';
import type { Db } from '../db/db.ts';
import { ENTRIES, entryRange } from './entry-range.ts';
import { Where, type World } from './where.ts';

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
  rounds: number;
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

/**
 * Settled results of an account by sport, match or market, and per day. Corrections of results are in the figures.
 * Rounds of providers' games count when they are over.
 */
export async function profitLoss(db: Pick<Db, 'query'>, query: ProfitQuery): Promise<ProfitReport> {
  const where = new Where()
    .and('e.world =', query.world)
    .and('e.account_id =', query.accountId)
    .also('l.area > 0')
    .also("(l.provider IS NULL OR l.kind = 'roundPromo' OR r.status <> 'OPEN')");
  const range = await entryRange(db, query, query);
  if (range) where.and('e.n >=', range.first).and('e.n <=', range.last);
  if (query.eventType !== undefined) where.and(`${SPORT} =`, query.eventType);
  if (query.matchId !== undefined) where.and('l.event_id =', query.matchId);
  const zone = `$${where.params.push(query.timeZone ?? 'UTC')}`;
  const sums = await db.query<MarketSum>(
    `SELECT l.market_id, l.event_id, l.provider || '/' || l.game AS game, COALESCE(m.name, r.label, l.provider) AS name,
            ${SPORT} AS match_type, COALESCE(ev.title, r.label, l.provider) AS title, (to_timestamp(l.at / 1000) AT TIME ZONE ${zone})::date::text AS day,
            count(DISTINCT l.round_id) AS rounds,
            sum(e.amount)::bigint AS net, max(l.at) AS last_at,
            COALESCE(-sum(e.amount) FILTER (WHERE l.kind = 'commission' OR (l.kind IN ('reverse', 'void') AND EXISTS (
              SELECT 1 FROM ledger_entries c WHERE c.ledger_id = e.ledger_id AND c.account_id = ${COMMISSION}
            ))), 0)::bigint AS commission
       FROM ledger_entries e JOIN ledger l ON l.id = e.ledger_id
       LEFT JOIN markets m ON m.id = l.market_id AND m.world = l.world
       LEFT JOIN events ev ON ev.id = l.event_id
       LEFT JOIN provider_rounds r ON r.provider = l.provider AND r.account_id = e.account_id
         AND r.round_id = l.round_id AND r.world = l.world
       ${where.sql} GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    where.params,
  );
  const counts = await countBets(db, query, [...new Set(sums.flatMap((sum) => sum.market_id ?? []))]);
  return { rows: grouped(sums, query.level, counts), days: byDay(sums), total: sum(sums.map((row) => row.net)) };
}

/** Entries that are added up in one statement; after that many the sum so far is kept. */
const SLICE = 5000;
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
    if (added < SLICE) return net - (await openRounds(db, accountId, world));
  }
}

/** What rounds of games that are not over have moved so far: nothing of it is won or lost yet. */
async function openRounds(db: Pick<Db, 'query'>, accountId: number, world: World): Promise<number> {
  const [row] = await db.query<{ net: number }>(
    `SELECT COALESCE(sum(paid + refunded - staked), 0)::bigint AS net FROM provider_rounds
       WHERE account_id = $2 AND world = $1 AND status = 'OPEN'`,
    [world, accountId],
  );
  return row!.net;
}

async function countBets(db: Pick<Db, 'query'>, query: ProfitQuery, marketIds: number[]): Promise<Map<number, number>> {
  if (marketIds.length === 0) return new Map();
  const rows = await db.query<{ market_id: number; bets: number }>(
    `SELECT market_id, count(*) AS bets FROM bets
       WHERE account_id = $1 AND world = $2 AND matched > 0 AND market_id = ANY($3::bigint[]) GROUP BY market_id`,
    [query.accountId, query.world, marketIds],
  );
  return new Map(rows.map((row) => [row.market_id, row.bets]));
}

function grouped(sums: MarketSum[], level: ProfitQuery['level'], counts: Map<number, number>): ProfitReport['rows'] {
  const groups = new Map<
    string,
    { row: ProfitReport['rows'][number]; markets: Set<number>; rounds: number; lastAt: number }
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
      group = { row, markets: new Set(), rounds: 0, lastAt: 0 };
      groups.set(id, group);
    }
    group.row.profitLoss += one.net;
    group.row.commission += one.commission;
    if (one.market_id === null) group.rounds += one.rounds;
    else group.markets.add(one.market_id);
    group.lastAt = Math.max(group.lastAt, one.last_at);
  }
  return [...groups.values()]
    .sort((a, b) => b.lastAt - a.lastAt)
    .map(({ row, markets, rounds, lastAt }) => ({
      ...row,
      totalBet: rounds + sum([...markets].map((market) => counts.get(market) ?? 0)),
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
