/** The acts of an account go one after the other over all gateways: each begins on what the one before has written. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@fairgame/contract';
import type { Db } from '../db/db.ts';

/** Longer than the leader takes to decide; then whoever froze in an act has lost his turn, and what he decides is stale. */
const HELD_S = 20;
const AGAIN_MS = 15;
const PATIENCE_MS = 10_000;

/** Resolves with what gives the turn back. Throws BUSY. */
export async function takeTurn(db: Pick<Db, 'query'>, userId: number): Promise<() => Promise<void>> {
  const holder = randomUUID();
  const since = performance.now();
  for (;;) {
    const mine = await db.query(
      `INSERT INTO protection_turns AS t (user_id, holder, until) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 second')
       ON CONFLICT (user_id) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
         WHERE t.holder IS NULL OR t.until < clock_timestamp() RETURNING 1`,
      [userId, holder, HELD_S],
    );
    if (mine.length > 0) break;
    if (performance.now() - since > PATIENCE_MS) throw new CodedError('BUSY', { retryAfterS: 1 });
    await sleep(AGAIN_MS);
  }
  return async () => {
    // Not given back it runs out.
    await db
      .query('UPDATE protection_turns SET holder = NULL WHERE user_id = $1 AND holder = $2', [userId, holder])
      .catch(() => undefined);
  };
}
