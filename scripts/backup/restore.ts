/** Puts a backup back where no database is, and checks that what comes back is what was saved. */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keyringBeside } from '../../apps/server/src/config.ts';
import { type Db, lockFolder, migrate, openDatabase, silent } from '../../apps/server/src/db/db.ts';
import type { Keyring } from '../../apps/server/src/keyring.ts';
import { verify } from '../../apps/server/src/ledger/ledger.ts';
import { ANCHOR_FILES, createAudit } from '../../apps/server/src/ops/ops.ts';
import type { Env } from '../operator/client.ts';
import { backupsIn } from './backup.ts';
import { restoreDump } from './dump.ts';
import { checkedManifest, DUMP, ENGINE_FILES, type HeldState, type Manifest, SITE_FILES, stateOf } from './manifest.ts';

export interface RestoreOptions {
  /** A backup, or a folder of backups: then its newest. */
  from: string;
  /** A PostgreSQL with nothing in it; without it the embedded database of `dataDir`. */
  url?: string | undefined;
  dataDir: string;
  /** Puts an embedded database that is there aside, under another name. */
  replace?: boolean | undefined;
  /** FAIRGAME_SECRET, where the site's secret is not in the data folder. */
  env: Env;
}

export interface Restored {
  folder: string;
  manifest: Manifest;
  /** Where the database that was there before lies now. */
  aside: string | null;
  /** Files of the site that are there already and were left as they are. */
  kept: string[];
  /** Whether it stands in the audit log, which takes the site's secret. */
  recorded: boolean;
}

type Outcome = Pick<Restored, 'aside' | 'kept' | 'recorded'>;

/** Throws a sentence when the backup or what came of it is not right; an embedded database of before is untouched then. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const newest = backupsIn(options.from).at(-1);
  const folder = newest === undefined ? options.from : join(options.from, newest);
  const manifest = await checkedManifest(folder);
  const { url } = options;
  if (manifest.kind === 'postgres' && !url)
    throw new Error('this backup is of a PostgreSQL: name an empty one with --url');
  if (manifest.kind === 'embedded' && url)
    throw new Error('this backup is of an embedded database: name its data folder with --data, not a PostgreSQL');
  const more = url ? await toPostgres(url, options, folder, manifest) : await toEmbedded(options, folder, manifest);
  return { folder, manifest, ...more };
}

/**
 * A PostgreSQL that its own tools brought back to a moment (base backup and archived log): checks it and makes it ready for a
 * server as a restored backup is. `moment` names it in the audit log. Throws a sentence where it is not right.
 */
export async function finishRecovery(options: {
  url: string;
  moment: string;
  dataDir: string;
  env: Env;
}): Promise<{ state: HeldState; recorded: boolean }> {
  const { url, moment, dataDir, env } = options;
  const db = await openDatabase({ url, dataDir: '', log: silent });
  try {
    return await takeOver(db, { name: `moment:${moment}` }, keyringBeside(env, dataDir));
  } finally {
    await db.close();
  }
}

async function toPostgres(
  url: string,
  { dataDir, env }: RestoreOptions,
  folder: string,
  manifest: Manifest,
): Promise<Outcome> {
  const db = await openDatabase({ url, dataDir: '', log: silent });
  try {
    const tables = await db.query<{ name: string }>(
      "SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' LIMIT 1",
    );
    if (tables.length > 0)
      throw new Error(
        `this database is not empty (it has ${tables[0]!.name}): make an empty one with createdb and name that`,
      );
    await restoreDump(url, join(folder, DUMP));
    const { recorded } = await takeOver(db, savedAs(manifest), keyringBeside(env, dataDir));
    return { aside: null, kept: [], recorded };
  } finally {
    await db.close();
  }
}

async function toEmbedded(
  { dataDir, replace, env }: RestoreOptions,
  folder: string,
  manifest: Manifest,
): Promise<Outcome> {
  const home = join(dataDir, 'db');
  const taken = existsSync(home);
  if (taken && !replace) throw new Error(`there is a database in ${home}: --replace puts it aside, under another name`);
  // Whoever still runs on the old one is found by its lock.
  const lock = taken ? await lockFolder(home, true, () => {}) : null;
  const fresh = `${home}.restoring`;
  try {
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true, mode: 0o700 });
    const within = (path: string): string => join(fresh, path);
    for (const path of manifest.folders)
      if (path.startsWith(ENGINE_FILES)) mkdirSync(within(path), { recursive: true });
    for (const { path } of manifest.files) if (path.startsWith(ENGINE_FILES)) cpSync(join(folder, path), within(path));
    const db = await openDatabase({ dataDir: fresh, log: silent });
    let recorded: boolean;
    try {
      // The secret that is there, else the one that comes back with it.
      const keyring = keyringBeside(env, dataDir) ?? keyringBeside(env, join(folder, SITE_FILES));
      ({ recorded } = await takeOver(db, savedAs(manifest), keyring));
    } finally {
      await db.close();
    }
    const aside = taken ? `${home}.before-${new Date().toISOString().replace(/[-:.]/g, '')}` : null;
    if (aside) {
      renameSync(home, aside);
      // They tell of records that are in the old database only.
      for (const name of ANCHOR_FILES)
        if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(aside, name));
    }
    renameSync(fresh, home);
    return { aside, kept: siteFiles(dataDir, folder, manifest), recorded };
  } finally {
    lock?.release();
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Brings back what is not there; a key that is there may belong to more than this database. */
function siteFiles(dataDir: string, folder: string, manifest: Manifest): string[] {
  const kept: string[] = [];
  for (const { path } of manifest.files) {
    if (!path.startsWith(`${SITE_FILES}/`)) continue;
    const target = join(dataDir, path.slice(SITE_FILES.length + 1));
    if (existsSync(target)) kept.push(target);
    else cpSync(join(folder, path), target);
  }
  return kept;
}

/** Where it came from, as the audit log names it, and what it must be where that was kept beside it. */
interface Source {
  name: string;
  saved?: HeldState;
}

const savedAs = (manifest: Manifest): Source => ({ name: `backup:${manifest.at}`, saved: manifest.state });

/**
 * Compares what came back with what was saved, checks every invariant, and takes out what may not live twice: sessions that
 * were ended since, and seeds of card tables that players have seen since. False: it could not be recorded without a key.
 */
async function takeOver(
  db: Db,
  { name, saved }: Source,
  keyring: Keyring | null,
): Promise<{ state: HeldState; recorded: boolean }> {
  await db.lead();
  const steps = 'SELECT count(*) AS n FROM schema_migrations';
  const [before] = await db.query<{ n: number }>(steps);
  await migrate(db);
  const [after] = await db.query<{ n: number }>(steps);
  // A newer program may keep the same state in another form: then its hash says nothing, and the invariants say all.
  const state = await stateOf(db);
  if (saved) assertSame(state, saved, before!.n === after!.n);
  const { ok, checks } = await verify(db);
  const broken = checks.filter(({ breaks }) => breaks > 0).map(({ id, examples }) => `${id} ${examples[0] ?? ''}`);
  if (!ok) throw new Error(`what came back breaks its invariants: ${broken.join('; ')}`);
  await db.query('DELETE FROM sessions');
  await db.query('UPDATE card_chains SET used = length');
  if (!keyring) return { state, recorded: false };
  await createAudit(db, Date.now, keyring).record({
    actor: 'operator:restore',
    action: 'site.restore',
    object: name,
    detail: state,
  });
  return { state, recorded: true };
}

function assertSame(found: HeldState, saved: HeldState, sameForm: boolean): void {
  if ((sameForm && found.hash !== saved.hash) || found.seq !== saved.seq || found.epoch !== saved.epoch)
    throw new Error(
      `what came back is not what was saved: command ${found.seq} with state ${found.hash.slice(0, 16)}, ` +
        `saved were ${saved.seq} and ${saved.hash.slice(0, 16)}. Do not start a server on it`,
    );
}
