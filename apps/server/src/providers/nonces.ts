/** Nonces of signed calls, in the database: what was sent once counts no second time, not after a restart either. */
import type { Db, Log } from '../db/db.ts';

export interface Nonces {
  /** False when it was taken in the last ten minutes. */
  take(nonce: string): Promise<boolean>;
}

/** Twice what clocks may differ: a call signed five minutes ahead is out of time when its nonce is forgotten. */
const KEPT_MS = 10 * 60_000;
const SWEEP_MS = 60_000;

export function createNonces(opts: { db: Pick<Db, 'query'>; provider: string; clock: () => number; log: Log }): Nonces {
  const { db, provider, clock, log } = opts;
  let sweptAt = 0;

  function sweep(now: number): void {
    if (now - sweptAt < SWEEP_MS) return;
    sweptAt = now;
    db.query('DELETE FROM provider_nonces WHERE expires_at <= $1', [now]).catch((error: unknown) =>
      log.warn({ err: error }, 'old nonces could not be forgotten'),
    );
  }

  return {
    async take(nonce) {
      const now = clock();
      sweep(now);
      const rows = await db.query(
        `INSERT INTO provider_nonces AS kept (provider, nonce, expires_at) VALUES ($1, $2, $3)
         ON CONFLICT (provider, nonce) DO UPDATE SET expires_at = EXCLUDED.expires_at WHERE kept.expires_at <= $4
         RETURNING nonce`,
        [provider, nonce, now + KEPT_MS, now],
      );
      return rows.length > 0;
    },
  };
}
