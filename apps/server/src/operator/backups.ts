import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, operator as calls } from '@fairgame/contract';
import type { Db } from '../db/db.ts';
import type { Backups } from '../ops/ops.ts';
import type { Acts } from './acts.ts';

/** The copy lies here until it is fetched, or until the next one. */
const COPY = 'database-copy';

/** What `npm run backup` asks of a running server. */
export function backupActs(act: Acts, { db, dataDir, backups }: { db: Db; dataDir: string; backups: Backups }): void {
  let copying = false;
  act(
    calls.copyDatabase,
    () => 'database',
    async () => {
      if (!db.copyFiles)
        throw new CodedError('WRONG_KIND', {
          message: 'This database has no files of its own here: npm run backup reads a PostgreSQL itself.',
        });
      if (copying) throw new CodedError('BUSY', { retryAfterS: 10 });
      copying = true;
      try {
        await rm(join(dataDir, COPY), { recursive: true, force: true });
        await db.copyFiles(join(dataDir, COPY));
      } finally {
        copying = false;
      }
      return { data: { folder: COPY }, message: 'The database is copied.' };
    },
  );

  act(
    calls.backupMade,
    (body) => `backup:${body.at}`,
    async ({ body }) => {
      await backups.note({ at: Date.parse(body.at), seq: body.seq });
      return { data: null, message: 'The backup is noted.' };
    },
  );
}
