/** What only the database can tell of a live site's settings: it stands in one list with what is careless in the others. */
import { type Db, openDatabase, silent } from './db/db.ts';
import { auditRights } from './ops/ops.ts';
import { type Env, readSettings } from './settings.ts';

/** None on other sites, where it is accepted, and where the database does not answer: the start itself says that. */
export async function databaseProblems(env: Env): Promise<string[]> {
  const { value } = readSettings(env);
  const url = value('DATABASE_URL');
  if (value('FAIRGAME_PROFILE') !== 'production' || value('FAIRGAME_AUDIT_OWNER') === 'accept' || !url) return [];
  let db: Db;
  try {
    db = await openDatabase({ url, dataDir: '', log: silent });
  } catch {
    return [];
  }
  try {
    return auditProblem(await auditRights(db.query));
  } finally {
    await db.close();
  }
}

/** One sentence where the role could do more with the audit log than read and append. */
export function auditProblem(rights: readonly string[]): string[] {
  if (rights.length === 0) return [];
  return [
    `DATABASE_URL: its role could change the audit log (${rights.join(', ')}): run the statements of docs/operations.md once, ` +
      'or say FAIRGAME_AUDIT_OWNER=accept',
  ];
}
