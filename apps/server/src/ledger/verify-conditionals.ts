/** Every conditional order that ever was is held or in the history, once; and one that fired is the bet it says. */
import { conditionalNumbers } from '@fairgame/exchange';
import { openWorlds, type Worlds } from '../core/core.ts';
import type { Query } from '../db/db.ts';
import { type Findings, MOST_FOUND } from './findings.ts';

/** The row of a bet that an order became was written with its own, so both name one moment. */
export async function firedBreaks(q: Query): Promise<string[]> {
  const rows = await q<{ wrong: string }>(
    `SELECT 'conditional order ' || c.id || ' (' || c.world || ') is not the bet ' || COALESCE(c.bet_id::text, 'it became') AS wrong
       FROM conditional_ends c LEFT JOIN bets b ON b.id = c.bet_id AND b.placed_at = c.ended_at AND b.world = c.world
         AND b.account_id = c.account_id AND b.market_id = c.market_id AND b.runner_id = c.runner_id AND b.side = c.side
      WHERE CASE WHEN c.status = 'FIRED' AND c.kind <> 'EXPIRE' THEN b.id IS NULL ELSE c.bet_id IS NOT NULL END
      LIMIT ${MOST_FOUND}`,
  );
  return rows.map(({ wrong }) => wrong);
}

/** Numbers are given out in order: one that is missing, or there twice, shows between its neighbours. */
export async function compareConditionals(q: Query, worlds: Worlds, found: Findings): Promise<void> {
  const [kept] = await q<{ before_at: number }>("SELECT before_at FROM retired WHERE table_name = 'conditional_ends'");
  for (const world of openWorlds(worlds)) {
    const { last, held } = conditionalNumbers(worlds[world]);
    const from = kept ? await firstKept(q, world, kept.before_at, held) : 1;
    const rows = await q<{ id: number; next: number }>(
      `SELECT id, next FROM (SELECT id, lead(id, 1, $2::bigint + 1) OVER (ORDER BY id) AS next FROM (
           SELECT id FROM conditional_ends WHERE world = $1
           UNION ALL SELECT unnest($3::bigint[])
           UNION ALL SELECT 0 WHERE $4::bigint = 1) known) n
        WHERE next <= id OR (next > id + 1 AND id >= $4::bigint - 1) LIMIT ${MOST_FOUND}`,
      [world, last, held.map((one) => one.conditionalId), from],
    );
    for (const { id, next } of rows)
      found.push(
        next > id
          ? `conditional orders between ${id} and ${next} (${world}) are neither held nor in the history`
          : `conditional order ${id} (${world}) ${id > last ? 'was never made' : 'is there more than once'}`,
      );
  }
}

/** The oldest that was made since the history is kept: of all behind it something is known. */
async function firstKept(
  q: Query,
  world: string,
  since: number,
  held: ReadonlyArray<{ conditionalId: number; madeAt: number }>,
): Promise<number> {
  const [row] = await q<{ id: number | null }>(
    'SELECT min(id) AS id FROM conditional_ends WHERE world = $1 AND made_at >= $2',
    [world, since],
  );
  const waiting = held.filter(({ madeAt }) => madeAt >= since).map(({ conditionalId }) => conditionalId);
  return Math.min(row?.id ?? Number.MAX_SAFE_INTEGER, ...waiting);
}
