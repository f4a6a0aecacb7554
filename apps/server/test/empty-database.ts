import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase, silent } from '../src/db/db.ts';

/** What a folder holds, by paths below it; null is a folder. */
type Files = ReadonlyArray<readonly [path: string, content: Buffer | null]>;
let empty: Promise<Files> | undefined;

/**
 * Puts the files of an empty, migrated embedded database into a folder. They are a copy, read once: making them anew takes five
 * seconds of a core, every time.
 */
export async function copyEmptyDatabase(to: string): Promise<void> {
  empty ??= template().then(readAll);
  const files = await empty;
  mkdirSync(to, { recursive: true });
  for (const [path, content] of files) {
    if (content) writeFileSync(join(to, path), content);
    else mkdirSync(join(to, path));
  }
}

/** Folders stand before what is in them. */
function readAll(folder: string): Files {
  const inside = (path: string): Files =>
    readdirSync(join(folder, path), { withFileTypes: true }).flatMap((one) => {
      const at = join(path, one.name);
      return one.isDirectory() ? [[at, null] as const, ...inside(at)] : [[at, readFileSync(join(folder, at))] as const];
    });
  return inside('');
}

async function template(): Promise<string> {
  const folder = new URL('../src/db/migrations/', import.meta.url);
  const hash = createHash('sha256');
  hash.update(readFileSync(new URL(import.meta.url)));
  // Another engine makes other files.
  hash.update(readFileSync(createRequire(import.meta.url).resolve('@electric-sql/pglite')));
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(new URL(file, folder)));
  const made = join(tmpdir(), `fairgame-template-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(made)) return made;
  const making = mkdtempSync(`${made}-`);
  const db = await openDatabase({ dataDir: making, log: silent });
  await migrate(db);
  // Half of the files are those of databases that others could be made of.
  await db.exec("UPDATE pg_database SET datistemplate = false WHERE datname LIKE 'template_'");
  for (const name of ['template0', 'template1']) await db.exec(`DROP DATABASE ${name}`);
  await db.close();
  // Laying out room for 128 MB takes half of the time of a start; these databases have 20.
  appendFileSync(join(making, 'pg', 'postgresql.conf'), "shared_buffers = '16MB'\n");
  try {
    renameSync(making, made);
  } catch (error) {
    // Another test process was faster.
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(made)) throw error;
  }
  return made;
}
