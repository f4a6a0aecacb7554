import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Db, Query } from './types.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

interface Step {
  n: number;
  name: string;
  sql: string;
  checksum: string;
}

/** No migration waits longer for a lock: what waits behind it would wait as long. */
const PATIENCE = { lockMs: 2000, tries: 5 };

/**
 * Brings the database to this program's version: the numbered files of `migrations` that it has not seen, in order, each in
 * a transaction of its own. Only who leads may call it, so that nothing is changed under a program that runs. Throws when
 * the database knows a migration this program does not (it is newer), knows another text under the same number (a
 * migration once shipped never changes), or when somebody else keeps a table locked.
 */
export async function migrate(db: Db, folder: URL = FOLDER, patience = PATIENCE): Promise<void> {
  const steps = readSteps(folder);
  await db.exec(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       n int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
  );
  const done = await checkVersion(db, steps);
  for (const step of steps) if (!done.has(step.n)) await take(db, step, patience);
}

/** The database is older than the program: who leads brings it on. */
export class NotMigrated extends Error {
  override readonly name = 'NotMigrated';
}

/**
 * Throws a plain sentence unless the database is exactly of this program's version, for who only reads: NotMigrated where it is
 * older.
 */
export async function assertMigrated(db: Pick<Db, 'query'>, folder: URL = FOLDER): Promise<void> {
  const steps = readSteps(folder);
  const [table] = await db.query<{ is: string | null }>("SELECT to_regclass('schema_migrations')::text AS is");
  const done = table?.is ? await checkVersion(db, steps) : new Set();
  const missing = steps.find((step) => !done.has(step.n));
  if (missing) {
    throw new NotMigrated(
      `this database is older than the program (it lacks migration ${missing.name}): start the server on it once`,
    );
  }
}

async function checkVersion(db: Pick<Db, 'query'>, steps: Step[]): Promise<Set<number>> {
  const known = new Map(steps.map((step) => [step.n, step]));
  const seen = await db.query<{ n: number; name: string; checksum: string }>(
    'SELECT n, name, checksum FROM schema_migrations',
  );
  for (const row of seen) {
    const step = known.get(row.n);
    if (!step) {
      throw new Error(
        `this program is older than its database: it has migration ${row.name}, which this program does not know. ` +
          'Start the newer program, or restore the backup from before the update',
      );
    }
    if (step.checksum !== row.checksum)
      throw new Error(`migration ${row.name} is not the one this database was made with`);
  }
  return new Set(seen.map((row) => row.n));
}

async function take(db: Db, step: Step, { lockMs, tries: most }: typeof PATIENCE): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.tx((q) => run(q, step, lockMs));
    } catch (error) {
      const cause = (error as { cause?: unknown }).cause ?? error;
      if ((cause as { code?: unknown }).code !== '55P03') throw error;
      if (tries === most) {
        throw new Error(`migration ${step.name} cannot begin: another program keeps a table locked. End it first`, {
          cause: error,
        });
      }
    }
  }
}

async function run(q: Query, step: Step, lockMs: number): Promise<void> {
  await q('SET LOCAL statement_timeout = 0');
  await q(`SET LOCAL lock_timeout = ${lockMs}`);
  for (const statement of statements(step.sql)) await q(statement);
  await q('INSERT INTO schema_migrations (n, name, checksum) VALUES ($1, $2, $3)', [step.n, step.name, step.checksum]);
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
