/** Own bets that were met by others, or lapsed, while nobody looked: the tables of the core say so afterwards. */
import { ALL_WORLDS } from '../core/core.ts';
import type { Db } from '../db/db.ts';

/** Something that became of a bet without its player's own doing; when, by the core's clock. */
export interface Met {
  accountId: number;
  marketId: number;
  at: number;
  /** The bet, where it lapsed. */
  lapsed: number | null;
}

/** Players who are asked for at once: some have many bets. */
const SLICE = 100;
/** Of a bet that had waited for longer, that it lapsed is not found: a player's bets of years would be read. */
const WEEK_MS = 7 * 86_400_000;

type Reader = Pick<Db, 'query'>;

/** Of these accounts, behind command `seq` of the log, in no particular order. Reads what came since, however much was before. */
export async function metSince(db: Reader, accountIds: readonly number[], seq: number): Promise<Met[]> {
  // What is older than a week is no news.
  const [since] = await db.query<{ at: number; next_id: number }>(
    `SELECT next_id, greatest(last_at - $2::bigint,
              (SELECT l.at FROM core_log l WHERE l.first_seq <= $1 ORDER BY l.first_seq DESC LIMIT 1)) AS at FROM leader`,
    [seq, WEEK_MS],
  );
  if (!since) return [];
  const waitedFrom = since.at - WEEK_MS;
  const from = {
    seq,
    at: since.at,
    fill: await firstId(db, FIRST_FILL, since.at, since.next_id),
    waitedFrom,
    waiting: await firstId(db, FIRST_BET, waitedFrom, since.next_id),
  };
  const met: Met[] = [];
  for (let at = 0; at < accountIds.length; at += SLICE) {
    const some = accountIds.slice(at, at + SLICE);
    met.push(...(await lapsesOf(db, some, from)), ...(await fillsOf(db, some, from)));
  }
  return met;
}

interface From {
  seq: number;
  at: number;
  /** No fill behind the command has a lower id. */
  fill: number;
  waitedFrom: number;
  /** No bet of the last days before has a lower id. */
  waiting: number;
}

const WORLDS = `'{${ALL_WORLDS.join()}}'::text[]`;
const FIRST_FILL = `SELECT min(f.at) AS at FROM unnest(${WORLDS}) AS w (world),
  LATERAL (SELECT at FROM fills WHERE world = w.world AND id >= $1 ORDER BY id LIMIT 1) f`;
const FIRST_BET = 'SELECT placed_at AS at FROM bets WHERE id >= $1 ORDER BY id LIMIT 1';

/** The least id from which on nothing is older than `from`. Ids rise with time, and have an index; times have none. */
async function firstId(db: Reader, first: string, from: number, nextId: number): Promise<number> {
  let [low, high] = [0, nextId];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await db.query<{ at: number | null }>(first, [middle]);
    if ((row?.at ?? null) === null || row!.at! >= from) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function lapsesOf(db: Reader, accountIds: readonly number[], from: From): Promise<Met[]> {
  const lapsed = await db.query<{ id: number; account_id: number; market_id: number; seq: number }>(
    `SELECT id, account_id, market_id, seq FROM bets
      WHERE placed_at >= $4 AND account_id = ANY($1::bigint[]) AND id >= $3 AND seq > $2
        AND end_code LIKE 'LAPSED%' AND result = 'PENDING'`,
    [accountIds, from.seq, from.waiting, from.waitedFrom],
  );
  if (lapsed.length === 0) return [];
  // Of a lapse only its command is known: when that was, the log says.
  const times = await db.query<{ seq: number; at: number }>(
    `SELECT s.seq, (SELECT l.at FROM core_log l WHERE l.first_seq <= s.seq ORDER BY l.first_seq DESC LIMIT 1) AS at
       FROM unnest($1::bigint[]) AS s (seq)`,
    [[...new Set(lapsed.map((bet) => bet.seq))]],
  );
  const atOf = new Map(times.map((row) => [row.seq, row.at]));
  return lapsed.map(({ id, account_id, market_id, seq }) => ({
    accountId: account_id,
    marketId: market_id,
    at: atOf.get(seq) ?? 0,
    lapsed: id,
  }));
}

interface Fill {
  at: number;
  account_id: number;
  market_id: number;
  bet_id: number;
  takes: boolean;
}

async function fillsOf(db: Reader, accountIds: readonly number[], from: From): Promise<Met[]> {
  const fills = await db.query<Fill>(
    `SELECT f.at, f.market_id, s.account_id, s.bet_id, s.takes
       FROM fills f, LATERAL (VALUES (f.back_account_id, f.back_bet_id, f.taker = 'BACK'),
                                     (f.lay_account_id, f.lay_bet_id, f.taker = 'LAY')) AS s (account_id, bet_id, takes)
      WHERE f.at >= $4 AND f.world = ANY(${WORLDS}) AND f.id >= $3 AND f.seq > $2 AND s.account_id = ANY($1::bigint[])`,
    [accountIds, from.seq, from.fill, from.at],
  );
  const taking = fills.filter(({ takes }) => takes).map(({ bet_id }) => bet_id);
  const placed = await db.query<{ id: number; placed_at: number }>(
    'SELECT id, placed_at FROM bets WHERE id = ANY($1::bigint[])',
    [[...new Set(taking)]],
  );
  const placedAt = new Map(placed.map((bet) => [bet.id, bet.placed_at]));
  return (
    fills
      // Who takes what stands there as he places his bet knows of it; where it waited first he does not.
      .filter(({ at, bet_id, takes }) => !takes || placedAt.get(bet_id) !== at)
      .map(({ at, account_id, market_id }) => ({ accountId: account_id, marketId: market_id, at, lapsed: null }))
  );
}
