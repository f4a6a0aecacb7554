import type { Db } from '../db/db.ts';

const DAY_MS = 86_400_000;

/** By the hash of the whole request, key and all: a key alone says nothing of what was asked under it. */
interface Asked {
  actor: string;
  payloadHash: string;
}

/** Minor units. */
type AmountOf = () => number | Promise<number>;

export type Credits = ReturnType<typeof creditBook>;

/** What each person moved alone in the last day: many small movements are a large one. */
export function creditBook(parts: {
  db: Db;
  clock: () => number;
  /** What a person may move in a day without a second one, minor units. */
  aloneMinor: number;
}) {
  const { db, clock, aloneMinor } = parts;
  /** Asked again nothing may be left of what it moves: only who is not counted says how much that is. */
  const has = async ({ actor, payloadHash }: Asked): Promise<boolean> => {
    const rows = await db.query('SELECT 1 FROM operator_credits WHERE actor = $1 AND key = $2', [actor, payloadHash]);
    return rows.length > 0;
  };
  const add = async ({ actor, payloadHash }: Asked, amountMinor: number): Promise<void> => {
    await db.query(
      'INSERT INTO operator_credits (actor, key, amount, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [actor, payloadHash, Math.abs(amountMinor), clock()],
    );
    await db.query('DELETE FROM operator_credits WHERE actor = $1 AND at <= $2', [actor, clock() - 2 * DAY_MS]);
  };
  return {
    /** Counts what is carried out, once. @returns whether it was counted before. */
    async note(asked: Asked, amountOf: AmountOf): Promise<boolean> {
      if (await has(asked)) return true;
      await add(asked, await amountOf());
      return false;
    },
    /**
     * Whether this needs a second person. What does not is counted with the answer, before it is summed up: of many at the same
     * time each knows the others. What was counted before is repeated by the same one alone.
     */
    async isBeyond(asked: Asked, amountOf: AmountOf): Promise<boolean> {
      if (await has(asked)) return false;
      await add(asked, await amountOf());
      const { actor, payloadHash } = asked;
      const [row] = await db.query<{ sum: number }>(
        'SELECT COALESCE(sum(amount), 0)::bigint AS sum FROM operator_credits WHERE actor = $1 AND at > $2',
        [actor, clock() - DAY_MS],
      );
      if (row!.sum <= aloneMinor) return false;
      await db.query('DELETE FROM operator_credits WHERE actor = $1 AND key = $2', [actor, payloadHash]);
      return true;
    },
  };
}
