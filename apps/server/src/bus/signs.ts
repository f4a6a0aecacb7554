/**
 * That a process lives, said by the database: it is the one thing that all of them reach by another way than the bus. Who can write
 * nothing there can change nothing that others would have to hear of.
 */
import type { Db } from '../db/db.ts';

/** Who gave none for so long has ended, or has no database. A sign is given each second. */
const OLD = "interval '5 seconds'";

export interface Signs {
  /** Says that this process, which is called so, lives. */
  give(name: string): Promise<unknown>;
  /** Those of them whose last sign is old. Of one that never gave any nothing is known: it may be of a version before this. */
  ended(names: readonly string[]): Promise<string[]>;
}

export function signsIn(db: Pick<Db, 'query'>): Signs {
  return {
    give: (name) =>
      db.query(
        `WITH old AS (DELETE FROM bus_signs WHERE at < clock_timestamp() - interval '1 hour' AND name <> $1)
         INSERT INTO bus_signs (name, at) VALUES ($1, clock_timestamp())
         ON CONFLICT (name) DO UPDATE SET at = EXCLUDED.at`,
        [name],
      ),
    async ended(names) {
      const rows = await db.query<{ name: string }>(
        `SELECT name FROM bus_signs WHERE name = ANY($1::text[]) AND at < clock_timestamp() - ${OLD}`,
        [names],
      );
      return rows.map(({ name }) => name);
    },
  };
}
