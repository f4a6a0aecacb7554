import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Db } from './types.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

interface Step {
  n: number;
  name: string;
  sql: string;
  checksum: string;
}

/**
 * Brings the database to this program's version: the numbered files of `migrations` that it has not seen, in order, each in
 * a transaction of its own. Throws when the database knows a migration this program does not (it is newer), or knows
 * another text under the same number (a migration once shipped never changes).
 */
export async function migrate(db: Db, folder: URL = FOLDER): Promise<void> {
  const steps = readSteps(folder);
  await db.exec(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       n int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
  );
  const known = new Map(steps.map((step) => [step.n, step]));
  const seen = await db.query<{ n: number; name: string; checksum: string }>(
    'SELECT n, name, checksum FROM schema_migrations',
  );
  for (const row of seen) {
    const step = known.get(row.n);
    if (!step) throw new Error(`the database has migration ${row.name}, which this program does not know`);
    if (step.checksum !== row.checksum)
      throw new Error(`migration ${row.name} is not the one this database was made with`);
  }
  const done = new Set(seen.map((row) => row.n));
  for (const step of steps) {
    if (done.has(step.n)) continue;
    await db.tx(async (q) => {
      await q('SET LOCAL statement_timeout = 0');
      await q('LOCK TABLE schema_migrations IN ACCESS EXCLUSIVE MODE');
      const [row] = await q<{ n: number }>('SELECT n FROM schema_migrations WHERE n = $1', [step.n]);
      if (row) return;
      for (const statement of statements(step.sql)) await q(statement);
      await q('INSERT INTO schema_migrations (n, name, checksum) VALUES ($1, $2, $3)', [
        step.n,
        step.name,
        step.checksum,
      ]);
    });
  }
}

function readSteps(folder: URL): Step[] {
  const steps = readdirSync(folder)
    .filter((name) => /^\d{3}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8');
      return { n: Number(name.slice(0, 3)), name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
  steps.forEach((step, i) => {
    if (i > 0 && steps[i - 1]!.n === step.n) throw new Error(`two migrations have the number ${step.n}`);
  });
  return steps;
}

/** A file cut at the semicolons that end a line, outside of $$ bodies. */
function statements(sql: string): string[] {
  const parts: string[] = [];
  let current = '';
  let inBody = false;
  for (const line of sql.split('\n')) {
    if (/^\s*--/.test(line) && !inBody) continue;
    current += `${line}\n`;
    if ((line.split('$$').length - 1) % 2 === 1) inBody = !inBody;
    if (!inBody && line.trimEnd().endsWith(';')) {
      parts.push(current.trim());
      current = '';
    }
  }
  if (current.trim() !== '') parts.push(current.trim());
  return parts;
}
