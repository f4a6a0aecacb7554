/**
 * The files of the embedded engine: made once, and never made over what may hold bets. What is not whole is named in the
 * operator's words and left as it is.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Written when the database was made: its folder may be missing before, never after. */
const MADE = 'made';
/** Without these no engine of this kind starts. */
const PARTS = ['PG_VERSION', 'global/pg_control', 'global', 'base', 'pg_wal', 'pg_xact'];
const HELP =
  'Nothing was changed. Restore a backup (npm run restore -- --help), or move the folder away to begin anew.';

/**
 * Makes the database in `dataDir/pg` with `create` when there has never been one. Throws when there was one and it is
 * gone or not whole. A first start that was killed on the way leaves nothing behind that counts.
 */
export async function makeCluster(dataDir: string, create: (folder: string) => Promise<void>): Promise<void> {
  const folder = join(dataDir, 'pg');
  const made = join(dataDir, MADE);
  const present = existsSync(folder) ? readdirSync(folder) : [];
  if (present.length > 0) {
    const missing = PARTS.filter((part) => !existsSync(join(folder, part)));
    if (missing.length > 0)
      throw new Error(`the embedded database in ${folder} is damaged: ${missing.join(', ')} missing. ${HELP}`);
  } else {
    if (existsSync(made))
      throw new Error(`the embedded database in ${folder} is gone: its folder is missing or empty. ${HELP}`);
    const fresh = join(dataDir, 'pg.new');
    rmSync(fresh, { recursive: true, force: true });
    await create(fresh);
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  }
  if (!existsSync(made)) writeFileSync(made, `${new Date().toISOString()}\n`);
}

/** What the operator is told when the engine does not open a folder that looks whole. */
export function damageOf(folder: string, error: unknown): Error {
  const words = error instanceof Error ? error.message : String(error);
  // The engine's own last words are about its build, not about the files.
  const engine = /Aborted\(|RuntimeError|unreachable|ASSERTIONS/.test(words) ? 'it does not start on them' : words;
  return new Error(
    `the embedded database in ${folder} cannot be opened: its files are damaged, or the disk is full (${engine}). ${HELP}`,
    { cause: error },
  );
}
