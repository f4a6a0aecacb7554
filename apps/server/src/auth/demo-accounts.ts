/**
 * Play-money accounts whose visit is over leave the core: its states, the books, every start. Those that bet stay until the results
 * of their markets are a week old, while they may be taken back. Their rows stay with their history, so that its sums stay whole.
 */
import { CodedError } from '@fairgame/contract';
import { PLAY_RESULTS_MS } from '../core/core.ts';
import type { Core } from '../core/types.ts';
import type { Db } from '../db/db.ts';

/** So many at a time: nothing waits for it. */
const AT_ONCE = 100;

export function createDemoAccounts({ db, core, clock }: { db: Db; core: Core; clock: () => number }): {
  /** Closes some of those that nobody owns any more. */
  closeEnded(): Promise<void>;
} {
  let from = 0;
  /** Accounts up to here were there before: a newer one may be of a visit that is just being written. */
  let known = 0;

  async function close(accountId: number): Promise<void> {
    const own = { world: 'demo', actor: 'core' } as const;
    const { balanceMinor } = core.read.wallet('demo', accountId);
    if (balanceMinor !== 0)
      await core.submit({
        ...own,
        command: {
          type: 'account.transfer',
          accountId,
          amountMinor: -balanceMinor,
          reason: 'correction',
          text: 'Demo account closed',
        },
      });
    await core.submit({ ...own, command: { type: 'account.close', accountId } });
  }

  return {
    async closeEnded() {
      const now = clock();
      const ended = await db.query<{ id: number }>(
        `SELECT a.id FROM accounts a
           WHERE a.world = 'demo' AND NOT a.closed AND a.kind = 'player' AND a.id > $1 AND a.id <= $2
             AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = a.id)
             AND NOT EXISTS (SELECT 1 FROM crowd c WHERE c.account_id = a.id)
             AND NOT EXISTS (
               SELECT 1 FROM bets b LEFT JOIN markets m ON m.world = b.world AND m.id = b.market_id
                 WHERE b.account_id = a.id
                   AND GREATEST(COALESCE(b.settled_at, $3), CASE WHEN m.id IS NULL THEN 0 ELSE COALESCE(m.settled_at, $3) END) > $4)
           ORDER BY a.id LIMIT ${AT_ONCE}`,
        [from, known, now, now - PLAY_RESULTS_MS],
      );
      for (const { id } of ended)
        await close(id).catch((error: unknown) => {
          // Its market is still in memory: the next round comes by again.
          if (!(error instanceof CodedError) || error.code !== 'ACCOUNT_IN_USE') throw error;
        });
      from = ended.length < AT_ONCE ? 0 : ended.at(-1)!.id;
      const [newest] = await db.query<{ id: number | null }>(
        "SELECT max(id) AS id FROM accounts WHERE world = 'demo' AND NOT closed",
      );
      known = newest?.id ?? 0;
    },
  };
}
