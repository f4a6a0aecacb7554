import type { Db } from '../db/db.ts';

const DAY_MS = 86_400_000;

export type Credits = ReturnType<typeof creditBook>;

/** What each person moved alone in the last day: many small movements are a large one. */
export function creditBook(parts: {
  db: Db;
  clock: () => number;
  /** What a person may move in a day without a second one, minor units. */
  aloneMinor: number;
}) {
  const { db, clock, aloneMinor } = parts;
  return {
    async has(actor: string, key: string): Promise<boolean> {
      const rows = await db.query('SELECT 1 FROM operator_credits WHERE actor = $1 AND key = $2', [actor, key]);
      return rows.length > 0;
    },
    async isOver(actor: string, amountMinor: number): Promise<boolean> {
      const [row] = await db.query<{ sum: number }>(
        'SELECT COALESCE(sum(amount), 0)::bigint AS sum FROM operator_credits WHERE actor = $1 AND at > $2',
        [actor, clock() - DAY_MS],
      );
      return row!.sum + Math.abs(amountMinor) > aloneMinor;
    },
    /** Whether this needs a second person. What was carried out before under its key is repeated by the same one alone. */
    async isBeyond(actor: string, key: string, amountMinor: number): Promise<boolean> {
      return !(await this.has(actor, key)) && (await this.isOver(actor, amountMinor));
    },
    async note(actor: string, key: string, amountMinor: number): Promise<void> {
      await db.query(
        'INSERT INTO operator_credits (actor, key, amount, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [actor, key, Math.abs(amountMinor), clock()],
      );
      await db.query('DELETE FROM operator_credits WHERE actor = $1 AND at <= $2', [actor, clock() - 2 * DAY_MS]);
    },
  };
}
