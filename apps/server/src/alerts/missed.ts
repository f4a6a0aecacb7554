/** Own bets that were met by others, or lapsed, while nobody looked: the tables of the core say so afterwards. */
import type { Db } from '../db/db.ts';

/** Something that became of a bet without its player's own doing; when, by the core's clock. */
export interface Met {
  accountId: number;
  marketId: number;
  at: number;
  /** The bet, where it lapsed. */
  lapsed: number | null;
}

interface Changed {
  id: number;
  account_id: number;
  market_id: number;
  placed_at: number;
  lapsed: boolean;
  seq: number;
}

/** Players who are asked for at once: some have many bets. */
const SLICE = 100;

/** Of these accounts, behind command `seq` of the log, in no particular order. */
export async function metSince(db: Pick<Db, 'query'>, accountIds: readonly number[], seq: number): Promise<Met[]> {
  const met: Met[] = [];
  for (let from = 0; from < accountIds.length; from += SLICE) {
    const bets = await db.query<Changed>(
      `SELECT id, account_id, market_id, placed_at, seq,
              coalesce(end_code LIKE 'LAPSED%' AND result = 'PENDING', false) AS lapsed
         FROM bets WHERE account_id = ANY($1::bigint[]) AND seq > $2`,
      [accountIds.slice(from, from + SLICE), seq],
    );
    if (bets.length > 0) met.push(...(await lapsesOf(db, bets)), ...(await fillsOf(db, bets, seq)));
  }
  return met;
}

async function lapsesOf(db: Pick<Db, 'query'>, bets: readonly Changed[]): Promise<Met[]> {
  const lapsed = bets.filter((bet) => bet.lapsed);
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

async function fillsOf(db: Pick<Db, 'query'>, bets: readonly Changed[], seq: number): Promise<Met[]> {
  const byId = new Map(bets.map((bet) => [bet.id, bet]));
  const fills = await db.query<{ at: number; taker: string; back_bet_id: number; lay_bet_id: number }>(
    `SELECT at, taker, back_bet_id, lay_bet_id FROM fills
      WHERE market_id = ANY($1::bigint[]) AND seq > $2
        AND (back_bet_id = ANY($3::bigint[]) OR lay_bet_id = ANY($3::bigint[]))`,
    [[...new Set(bets.map((bet) => bet.market_id))], seq, [...byId.keys()]],
  );
  return fills.flatMap(({ at, taker, back_bet_id, lay_bet_id }) =>
    [back_bet_id, lay_bet_id].flatMap((id, i) => {
      const bet = byId.get(id);
      const isTaker = (taker === 'BACK') === (i === 0);
      // Who takes what stands there as he places his bet knows of it; where it waited first he does not.
      if (!bet || (isTaker && bet.placed_at === at)) return [];
      return [{ accountId: bet.account_id, marketId: bet.market_id, at, lapsed: null }];
    }),
  );
}
