/**
 * An account's bets are read in parts of two thousand, in the order of their numbers: no statement of the database costs what the
 * history holds. What a part comes to whose bets all have their results is kept, and holds until one of them is changed after all
 * (migration 280): a reading adds up what is kept, and looks at the parts of what is open, and at the newest.
 */
import { type BetFilter, FROM, GROUPED, type Kind, looksWithin, takes, whereOf } from './bet-filter.ts';
import type { Reading } from './desk.ts';
import type { World } from './where.ts';

const SIZE = 2000;
/** Of more events the part does not say which. */
const MOST_EVENTS = 100;

/** Bets of one kind in a part: how many, their sums in minor units, the numbers of the first and the last of them. */
export interface Sums {
  status: string;
  count: number;
  stake: number;
  matched: number;
  profit: number;
  first: number;
  last: number;
}
interface Kept {
  groups: Array<Sums & Kind>;
  /** Lowest and highest number of their markets. */
  markets: [number, number];
  events: number[] | null;
}
interface Account {
  accountId: number;
  world: World;
}

export interface BetPart {
  /** Its bets are those above this number, up to and with `last`. */
  behind: number;
  last: number;
  /** Whether every bet of it lies in the time asked. */
  isWhole: boolean;
  /** Null: nothing that holds is kept. */
  kept: Kept | null;
}

/** All bets as one. */
export const ALL: BetPart = { behind: 0, last: Number.MAX_SAFE_INTEGER, isWhole: false, kept: null };

/** The parts that may hold bets of the time, the newest first. */
export async function betParts(db: Reading, query: BetFilter): Promise<BetPart[]> {
  const { accountId, world, from = 0, to = Number.MAX_SAFE_INTEGER } = query;
  const { behind, added } = await endOf(db, query);
  const isWithin = (part: Pick<Ends, 'placed_first' | 'placed_last'>) =>
    part.placed_first >= from && part.placed_last <= to;
  const newest: BetPart = { ...ALL, behind };
  if (behind === 0) return [newest];
  const rows = await db.query<Ends & { sums: string | null }>(
    `SELECT behind, last, placed_first, placed_last, CASE WHEN ${HOLDS} THEN sums END AS sums FROM bet_sums k
       WHERE world = $1 AND account_id = $2 AND placed_last >= greatest($3, ${RETIRED}) AND placed_first <= $4`,
    [world, accountId, from, to],
  );
  const known = new Map(rows.map((row) => [row.behind, row]));
  // A replica that is behind, or a database that took nothing, does not know them yet.
  for (const part of added)
    if (part.placed_last >= from && part.placed_first <= to && !known.has(part.behind))
      known.set(part.behind, { ...part, sums: null });
  const older = [...known.values()]
    .sort((a, b) => b.behind - a.behind)
    .map(
      (part): BetPart => ({
        behind: part.behind,
        last: part.last,
        isWhole: isWithin(part),
        kept: part.sums === null ? null : (JSON.parse(part.sums) as Kept),
      }),
    );
  return [newest, ...older];
}

interface Ends {
  behind: number;
  last: number;
  placed_first: number;
  placed_last: number;
}

/** Bets placed before are not in the tables any more. */
const RETIRED = "COALESCE((SELECT before_at FROM retired WHERE table_name = 'bets'), 0)";
/** No bet of it was changed, and none taken out with its month, since. */
export const HOLDS = `k.sums IS NOT NULL AND k.placed_first >= ${RETIRED}
    AND NOT EXISTS (SELECT 1 FROM bet_changes c WHERE c.account_id = k.account_id
      AND c.ids BETWEEN k.behind / 10000 AND k.last / 10000 AND c.seq > k.seq)`;

/** Where the newest part begins, which is not full; and the parts that became full since somebody last asked. */
async function endOf(db: Reading, { accountId, world }: Account): Promise<{ behind: number; added: Ends[] }> {
  const added: Ends[] = [];
  for (;;) {
    const [part] = await db.query<Ends & { count: number }>(
      `WITH newest AS (
         SELECT COALESCE($3::bigint, (SELECT last FROM bet_sums WHERE world = $1 AND account_id = $2 ORDER BY behind DESC LIMIT 1), 0) AS behind
       )
       SELECT min(newest.behind) AS behind, count(b.id) AS count, COALESCE(max(b.id), 0) AS last,
              COALESCE(min(b.placed_at), 0) AS placed_first, COALESCE(max(b.placed_at), 0) AS placed_last
         FROM newest LEFT JOIN LATERAL (
           SELECT id, placed_at FROM bets WHERE account_id = $2 AND world = $1 AND id > newest.behind ORDER BY id LIMIT ${SIZE}
         ) b ON true`,
      [world, accountId, added.at(-1)?.last ?? null],
    );
    const { count, ...ends } = part!;
    if (count < SIZE) return { behind: ends.behind, added };
    added.push(ends);
    await kept(
      db,
      `INSERT INTO bet_sums (world, account_id, behind, last, placed_first, placed_last) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT DO NOTHING`,
      [world, accountId, ends.behind, ends.last, ends.placed_first, ends.placed_last],
    );
  }
}

/** Whether what is kept of the part says that it has nothing of the filter. */
export function isSurelyWithout(query: BetFilter, { kept }: BetPart): boolean {
  if (!kept) return false;
  const { groups, markets, events } = kept;
  const { marketIds, eventIds } = query;
  return (
    !groups.some((group) => takes(query, group)) ||
    (marketIds?.every((id) => id < markets[0] || id > markets[1]) ?? false) ||
    (eventIds !== undefined && events !== null && !eventIds.some((id) => events.includes(id)))
  );
}

/** How many bets of a part are looked at one by one for the filter. */
export function lookedAt(query: BetFilter, part: BetPart): number {
  if (isSurelyWithout(query, part)) return 0;
  return part.kept?.groups.reduce((sum, { count }) => sum + count, 0) ?? SIZE;
}

/** What the filter takes of a part, by kinds. */
export async function sumsOf(db: Reading, query: BetFilter, part: BetPart): Promise<Sums[]> {
  if (isSurelyWithout(query, part)) return [];
  if (looksWithin(query) || !part.isWhole) return grouped(db, query, part);
  const groups = part.kept?.groups ?? (await readWhole(db, query, part));
  return groups.filter((group) => takes(query, group));
}

/** Stakes of bets placed since a moment, in minor units; what was cancelled, lapsed or taken back was none. */
export async function stakesSince(db: Reading, account: Account, from: number): Promise<number> {
  let sum = 0;
  for (const part of await betParts(db, { ...account, from })) {
    // Of a bet with its result nothing waits: what is matched is what was not cancelled, lapsed or taken back.
    if (part.isWhole && part.kept) sum += part.kept.groups.reduce((all, { matched }) => all + matched, 0);
    else sum += await stakesIn(db, account, from, part);
  }
  return sum;
}

async function stakesIn(db: Reading, account: Account, from: number, part: BetPart): Promise<number> {
  const [row] = await db.query<{ sum: number; open: number }>(
    `SELECT COALESCE(sum(size - cancelled - lapsed - voided), 0)::bigint AS sum, count(*) FILTER (WHERE result = 'PENDING') AS open
       FROM bets WHERE world = $1 AND account_id = $2 AND id > $3 AND id <= $4 AND placed_at >= $5`,
    [account.world, account.accountId, part.behind, part.last, from],
  );
  if (part.isWhole && row!.open === 0) await readWhole(db, account, part);
  return row!.sum;
}

type Row = Sums & Kind & { placed: number; seq: number; from_market: number; to_market: number; events: string };

async function grouped(db: Reading, filter: BetFilter, part: BetPart): Promise<Row[]> {
  const where = whereOf(filter, { first: part.behind + 1, last: part.last });
  return db.query<Row>(
    `SELECT ${GROUPED}, count(*) AS count, sum(b.size)::bigint AS stake, sum(b.matched)::bigint AS matched,
            sum(b.profit)::bigint AS profit, min(b.id) AS first, max(b.id) AS last,
            min(b.placed_at) AS placed, min(b.market_id) AS from_market, max(b.market_id) AS to_market, json_agg(DISTINCT m.event_id)::text AS events,
            (SELECT last_seq FROM leader) AS seq
       ${FROM} ${where.sql} GROUP BY 1, 2, 3, 4`,
    where.params,
  );
}

async function readWhole(db: Reading, { accountId, world }: Account, part: BetPart): Promise<Row[]> {
  const rows = await grouped(db, { accountId, world }, part);
  // Neither bets without a result nor those whose event is not known stay what they are.
  const stands = rows.length > 0 && rows.every(({ result, type }) => result !== 'PENDING' && type !== null);
  if (!stands) return rows;
  const events = [...new Set(rows.flatMap((row) => JSON.parse(row.events) as number[]))];
  const sums: Kept = {
    groups: rows.map(({ type, result, status, dead, count, stake, matched, profit, first, last }) => {
      return { type, result, status, dead, count, stake, matched, profit, first, last };
    }),
    markets: [Math.min(...rows.map((row) => row.from_market)), Math.max(...rows.map((row) => row.to_market))],
    events: events.length > MOST_EVENTS ? null : events,
  };
  await kept(
    db,
    `UPDATE bet_sums SET sums = $4, seq = $5, placed_first = $6
       WHERE world = $1 AND account_id = $2 AND behind = $3 AND seq < $5`,
    [world, accountId, part.behind, JSON.stringify(sums), rows[0]!.seq, Math.min(...rows.map(({ placed }) => placed))],
  );
  return rows;
}

/** Who cannot keep it (a database that is busy) reads it once more. */
async function kept(db: Reading, sql: string, params: unknown[]): Promise<void> {
  await db.keep?.(sql, params).catch(() => {});
}
