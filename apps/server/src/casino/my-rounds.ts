/** A player's own rounds of a table, from his bets. */
import type { TableCode } from '@fairgame/casino';
import type { CALLS, ReplyOf } from '@fairgame/contract';
import type { World } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import { resultRows } from './rounds.ts';

/** Bets looked at in one go: the work of a page does not grow with the player's history. */
const BETS = 400;
const ROUNDS = 30;

interface Own {
  marketId: number;
  /** Number of the newest bet in the round: where a page that leaves it out goes on. */
  newest: number;
  bets: number;
  stake: number;
  net: number;
}

export async function myRounds(
  db: Db,
  who: { code: TableCode; world: World; accountId: number; before: number | null },
): Promise<ReplyOf<typeof CALLS.casino.myRounds>> {
  const { rounds, next } = await newestMarkets(db, who);
  const over = await db.query<{ mid: string; market_id: number }>(
    `SELECT mid, market_id FROM card_rounds
      WHERE code = $1 AND market_id = ANY($2::bigint[]) AND over AND win IS NOT NULL`,
    [who.code, rounds.map(({ marketId }) => marketId)],
  );
  const midOf = new Map(over.map(({ mid, market_id }) => [Number(market_id), mid]));
  const mine = rounds.filter(({ marketId }) => midOf.has(marketId));
  const page = mine.slice(0, ROUNDS);
  const results = await resultRows(db, 'mid = ANY($1)', [page.map(({ marketId }) => midOf.get(marketId)!)]);
  const resultOf = new Map(results.map((one) => [one.mid, one]));
  return {
    rows: page.flatMap(({ marketId, bets, stake, net }) => {
      const result = resultOf.get(midOf.get(marketId)!);
      return result ? [{ ...result, bets, stake, net }] : [];
    }),
    next: mine.length > ROUNDS ? mine[ROUNDS]!.newest + 1 : next,
  };
}

/** The markets of the player's newest bets, newest first, of whatever kind: only a table's are rounds. */
async function newestMarkets(
  db: Db,
  who: { world: World; accountId: number; before: number | null },
): Promise<{ rounds: Own[]; next: number | null }> {
  const bets = await db.query<{ id: number; market_id: number; matched: number; profit: number }>(
    `SELECT id, market_id, matched, profit FROM bets
      WHERE account_id = $1 AND world = $2 AND id < $3 ORDER BY id DESC LIMIT ${BETS}`,
    [who.accountId, who.world, who.before ?? Number.MAX_SAFE_INTEGER],
  );
  const own = new Map<number, Own>();
  for (const { id, market_id, matched, profit } of bets) {
    if (Number(matched) === 0) continue;
    const marketId = Number(market_id);
    const round = own.get(marketId) ?? { marketId, newest: Number(id), bets: 0, stake: 0, net: 0 };
    round.bets += 1;
    round.stake += Number(matched);
    round.net += Number(profit);
    own.set(marketId, round);
  }
  const rounds = [...own.values()];
  if (bets.length < BETS) return { rounds, next: null };
  // The oldest round may have more bets behind the edge: it is left to the next page.
  if (rounds.length < 2) return { rounds, next: Number(bets.at(-1)!.id) };
  return { rounds, next: rounds.pop()!.newest + 1 };
}
