/**
 * npm run verify [-- --json] [--data DIR] [--url postgres://...]
 * Checks every invariant over the whole database and exits with 1 on any break. The embedded database can be read by one
 * process only: stop the server first; a PostgreSQL may be checked while the server runs.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertMigrated, openDatabase, silent } from '../apps/server/src/db/db.ts';
import { verify } from '../apps/server/src/ledger/ledger.ts';
import { verifyAudit } from '../apps/server/src/ops/audit.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, data: { type: 'string' }, url: { type: 'string' } },
});
const url = values.url ?? process.env.DATABASE_URL;
const dataDir = values.data ?? process.env.FAIRGAME_DATA ?? 'data';
if (!url && !existsSync(join(dataDir, 'db', 'pg'))) {
  process.stderr.write(`no database in ${dataDir}; name another folder with --data, or a PostgreSQL with --url\n`);
  process.exit(2);
}

const db = await openDatabase({ url, dataDir: join(dataDir, 'db'), log: silent }).catch((error: Error) => {
  process.stderr.write(`${error.message}${url ? '' : '; stop the server first'}\n`);
  process.exit(2);
});
await assertMigrated(db).catch(async (error: Error) => {
  process.stderr.write(`${error.message}\n`);
  await db.close();
  process.exit(2);
});
const report = await verify(db, {
  more: [
    {
      id: 'INV-21',
      what: 'the audit log is unbroken',
      run: async (q) => {
        const { brokenAt } = await verifyAudit({ query: q });
        return brokenAt === null ? [] : [`record ${brokenAt} is missing, changed or out of place`];
      },
    },
  ],
});
await db.close();

if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
else {
  for (const check of report.checks) {
    const state = check.breaks === 0 ? 'ok' : `${check.breaks} BROKEN`;
    process.stdout.write(`${check.id}  ${state.padEnd(10)} ${check.what}\n`);
    for (const example of check.examples) process.stdout.write(`        ${example}\n`);
  }
  const { epoch, seq, bets, entries, ms } = report;
  process.stdout.write(
    `${report.ok ? 'clean' : 'NOT CLEAN'}: command ${seq}, epoch ${epoch}, ${bets} bets, ${entries} entries, ${ms} ms\n`,
  );
}
process.exit(report.ok ? 0 : 1);
