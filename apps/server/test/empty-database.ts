import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase, silent } from '../src/db/db.ts';

/**
 * Puts the files of an empty, migrated embedded database into a folder. They are a copy: making them anew takes five seconds
 * of a core, every time.
 */
export async function copyEmptyDatabase(to: string): Promise<void> {
  cpSync(await template(), to, { recursive: true });
}

async function template(): Promise<string> {
  const folder = new URL('../src/db/migrations/', import.meta.url);
  const hash = createHash('sha256');
  // Another engine makes other files.
  hash.update(readFileSync(createRequire(import.meta.url).resolve('@electric-sql/pglite')));
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(new URL(file, folder)));
  const made = join(tmpdir(), `fairgame-template-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(made)) return made;
  const making = mkdtempSync(`${made}-`);
  const db = await openDatabase({ dataDir: making, log: silent });
  await migrate(db);
  await db.close();
  try {
    renameSync(making, made);
  } catch (error) {
    // Another test process was faster.
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(made)) throw error;
  }
  return made;
}
