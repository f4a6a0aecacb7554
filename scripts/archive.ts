/**
 * npm run archive -- --out DIR [--keep-months N] [--check] [--data DIR] [--url postgres://...]
 * Moves months of the log that ended N whole months ago (14 unless said otherwise) out of the database into files of DIR, each
 * read back before its month goes; --check reads the files that were written so far and holds them to the database. A
 * PostgreSQL while its server runs; the embedded database while none does.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertMigrated, openDatabase, silent } from '../apps/server/src/db/db.ts';
import { check, moveOut } from './archive/archive.ts';
import { databaseOf } from './database-of.ts';

const USE = 'npm run archive -- --out DIR [--keep-months N] [--check] [--data DIR] [--url postgres://...]';
/** Questions about a bet come for some months. */
const LEAST_MONTHS = 3;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    'keep-months': { type: 'string', default: '14' },
    check: { type: 'boolean' },
    data: { type: 'string' },
    url: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const keep = Number(values['keep-months']);
if (values.help || values.out === undefined || !Number.isSafeInteger(keep) || keep < LEAST_MONTHS) {
  process.stderr.write(`${USE}\nat least ${LEAST_MONTHS} months stay\n`);
  process.exit(values.help ? 0 : 2);
}
const { url, dataDir } = databaseOf(values);
try {
  if (!url && !existsSync(join(dataDir, 'db', 'pg')))
    throw new Error(`no database in ${dataDir}; name another folder with --data, or a PostgreSQL with --url`);
  const db = await openDatabase({ url, dataDir: join(dataDir, 'db'), log: silent });
  try {
    await assertMigrated(db);
    const files = values.check
      ? await check(db, values.out)
      : await moveOut(db, { out: values.out, keep, now: Date.now() });
    for (const { file, rows, lastSeq, sha256 } of files)
      process.stdout.write(`${file}: ${rows} rows up to command ${lastSeq}, SHA-256 ${sha256}\n`);
    if (files.length === 0) process.stdout.write(`no month of the log ended ${keep} whole months ago\n`);
  } finally {
    await db.close();
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
