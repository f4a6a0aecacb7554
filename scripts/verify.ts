/**
 * npm run verify [-- --json] [--data DIR] [--url postgres://...] [--anchors FILE]
 * Checks every invariant over the whole database and exits with 1 on any break. The embedded database can be read by one
 * process only: stop the server first; a PostgreSQL may be checked while the server runs. The audit log is checked with the
 * site's secret (FAIRGAME_SECRET, or the file of the data folder) and its anchors: those of the data folder, or an exported file.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keyringBeside } from '../apps/server/src/config.ts';
import { assertMigrated, openDatabase, type Query, silent } from '../apps/server/src/db/db.ts';
import type { Keyring } from '../apps/server/src/keyring.ts';
import { verify } from '../apps/server/src/ledger/ledger.ts';
import { verifyAudit } from '../apps/server/src/ops/audit.ts';
import { type Anchor, keptAnchors } from '../apps/server/src/ops/audit-anchors.ts';
import { readSettings } from '../apps/server/src/settings.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean' },
    data: { type: 'string' },
    url: { type: 'string' },
    anchors: { type: 'string' },
  },
});
const url = values.url ?? readSettings(process.env).value('DATABASE_URL');
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

/** Read before the database is: a record may be newer than its anchor, never the other way round. */
const beside = ((): { keyring: Keyring; anchors: Anchor[] } | { fault: string } => {
  try {
    const keyring = keyringBeside(process.env, dataDir);
    if (!keyring) return { fault: 'it cannot be checked without the secret: set FAIRGAME_SECRET' };
    return {
      keyring,
      anchors: keptAnchors(values.anchors === undefined ? { dataDir } : { file: values.anchors }, keyring),
    };
  } catch (error) {
    return { fault: (error as Error).message };
  }
})();

async function auditFaults(query: Query): Promise<string[]> {
  if ('fault' in beside) return [beside.fault];
  const { records, brokenAt } = await verifyAudit({ query }, beside.keyring, beside.anchors);
  if (brokenAt !== null)
    return [`record ${brokenAt} is missing, changed, out of place or of a secret that is not given`];
  if (records > 0 && beside.anchors.length === 0)
    return ['there is no anchor: whether its end was cut off cannot be told; name the anchors with --anchors'];
  return [];
}

const report = await verify(db, {
  more: [
    {
      id: 'INV-21',
      what: 'the audit log is unbroken',
      run: (q) => auditFaults(q),
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
