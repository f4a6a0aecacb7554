import type { MatchItem } from '@fairgame/contract';
import type { Db } from '../../apps/server/src/db/db.ts';

/** A bet that was asked for, and what its player was told of it. */
export interface Placed {
  key: string;
  player: number;
  /** `open`: nobody knows. `refused`: it was told that nothing was taken. */
  state: 'open' | 'taken' | 'refused' | 'not taken';
  /** Acknowledged; null while nobody knows, and for good where nothing was taken. */
  betId: number | null;
}

/** Compares the record of all bets, whose keys begin so, with the rows. Answers faults. */
export async function compareRows(db: Pick<Db, 'query'>, placed: readonly Placed[], prefix: string): Promise<string[]> {
  const faults: string[] = [];
  const kept = new Map(
    (
      await db.query<{ key: string; bet_id: number | null }>(
        "SELECT key, bet_id FROM idempotency WHERE key LIKE $1 AND answer LIKE '[%'",
        [`${prefix}%`],
      )
    ).map((row) => [row.key, row.bet_id]),
  );
  const bets = new Set((await db.query<{ id: number }>('SELECT id FROM bets')).map((row) => row.id));
  for (const { key, state, betId } of placed) {
    const has = kept.get(key) ?? null;
    if (state === 'open') faults.push(`${key} never got a definite outcome`);
    else if (has !== betId) faults.push(`${key} is ${state} as bet ${betId}, and in the database bet ${has}`);
    else if (betId !== null && !bets.delete(betId)) faults.push(`bet ${betId} of ${key} is lost or doubled`);
  }
  for (const id of bets) faults.push(`bet ${id} belongs to nobody's request`);
  return faults;
}

type Head = NonNullable<MatchItem['head']>;

/** At the best price of the side, for a small stake. */
export function bodyOf(head: Head, runner: Head['runners'][number], isBack: boolean, key: string) {
  return {
    key,
    matchId: head.matchId,
    betId: head.id,
    runnerId: runner.id,
    bettingType: isBack ? 'BACK' : 'LAY',
    odd: (isBack ? runner.back : runner.lay)?.[0]?.[0] ?? 300,
    stake: Math.max(head.minStakeMinor, 100) + Math.floor(Math.random() * 900),
    persistence: 'PERSIST',
  };
}
