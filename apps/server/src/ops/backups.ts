/** What the site knows of its backups. They are made beside it: scripts/backup.ts, or the tools of PostgreSQL. */
import type { Db, Log } from '../db/db.ts';

/** Notes a backup that is whole: `at` in milliseconds since 1970, `seq` the last command in it. */
export async function noteBackup(db: Pick<Db, 'query'>, { at, seq }: { at: number; seq: number }): Promise<void> {
  await db.query('INSERT INTO backups (at, seq) VALUES ($1, $2)', [at, seq]);
}

/** When the newest backup was made; null when there is none. */
async function lastBackupAt(db: Pick<Db, 'query'>): Promise<number | null> {
  const [row] = await db.query<{ at: number | null }>('SELECT max(at) AS at FROM backups');
  return row?.at ?? null;
}

const FRESH_MS = 30_000;

export interface Backups {
  note(backup: { at: number; seq: number }): Promise<void>;
  /** When the newest was made, as known a moment ago: who asks never waits for the database. Null before the first. */
  lastAt(): number | null;
}

export async function openBackups(db: Db, log: Log): Promise<Backups> {
  let at = await lastBackupAt(db);
  let looked = Date.now();
  const look = async (): Promise<void> => {
    looked = Date.now();
    at = await lastBackupAt(db);
  };
  return {
    async note(backup) {
      await noteBackup(db, backup);
      await look();
    },
    lastAt() {
      if (Date.now() - looked >= FRESH_MS)
        look().catch((error: unknown) => log.warn({ err: error }, 'the time of the last backup could not be read'));
      return at;
    },
  };
}
