/** Makes a backup: a folder with a copy of the database, and what it must be when it is read again. */
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { OPERATOR_CALLS } from '@fairgame/contract';
import { assertMigrated, FolderInUse, openDatabase, silent } from '../../apps/server/src/db/db.ts';
import { PEOPLE_FILE } from '../../apps/server/src/operator/first-people.ts';
import { noteBackup } from '../../apps/server/src/ops/backups.ts';
import { createClient, type Env } from '../operator/client.ts';
import { dump } from './dump.ts';
import {
  DUMP,
  ENGINE_FILES,
  type HeldState,
  listed,
  MANIFEST,
  type Manifest,
  SITE_FILES,
  stateOf,
  toDisk,
} from './manifest.ts';

export interface BackupOptions {
  /** Backups stand in it side by side. */
  out: string;
  /** Without it the embedded database of `dataDir`. */
  url?: string | undefined;
  dataDir: string;
  /** How many to keep, this one counted; older ones go once this one is whole. */
  keep?: number | undefined;
  /** Names the running server of an embedded database (FAIRGAME_URL, OPERATOR_PORT, PORT ...). */
  env: Env;
}

export interface Backup {
  folder: string;
  manifest: Manifest;
  removed: string[];
}

type Made = Pick<Manifest, 'kind' | 'engine' | 'state'> & { note: (at: number) => Promise<void> };

const NAME = /^fairgame-\d{8}T\d{9}Z$/;
/** Keys and sign-ins that a local site makes itself; a live one has them from its operator. */
const OF_THE_SITE = ['secret', 'provider-keys.json', PEOPLE_FILE, 'demo-players.json'];

/** Whole backups in a folder, the oldest first. */
export function backupsIn(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => NAME.test(name))
        .sort()
    : [];
}

/** Resolves when the backup is on the disk and was read back; throws a sentence, and leaves nothing behind, when it is not. */
export async function backUp(options: BackupOptions): Promise<Backup> {
  const { out, url, dataDir, keep } = options;
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const at = new Date();
  const folder = join(out, `fairgame-${at.toISOString().replace(/[-:.]/g, '')}`);
  const partial = `${folder}.partial`;
  mkdirSync(partial, { mode: 0o700 });
  try {
    const { note, ...made } = url
      ? await fromPostgres(url, partial)
      : await fromEmbedded(dataDir, partial, options.env);
    const manifest: Manifest = { format: 1, ...made, at: at.toISOString(), ...(await listed(partial)) };
    writeFileSync(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
    toDisk(join(partial, MANIFEST));
    renameSync(partial, folder);
    toDisk(out);
    await note(at.getTime());
    const removed = keep === undefined ? [] : backupsIn(out).slice(0, -keep);
    for (const name of removed) rmSync(join(out, name), { recursive: true });
    return { folder, manifest, removed };
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** One look at the database for the copy and for its state; a server that leads it goes on meanwhile. */
async function fromPostgres(url: string, folder: string): Promise<Made> {
  const db = await openDatabase({ url, dataDir: '', log: silent });
  try {
    await assertMigrated(db);
    const { state, engine } = await db.tx(async (q) => {
      await q('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await q('SET LOCAL statement_timeout = 0');
      // A truncated table is empty for older looks too: the snapshots in it must stay until they are read.
      await q('LOCK TABLE core_snapshot_parts IN ACCESS SHARE MODE');
      const [look] = await q<{ snapshot: string; engine: string }>(
        'SELECT pg_export_snapshot() AS snapshot, version() AS engine',
      );
      await dump(url, look!.snapshot, join(folder, DUMP));
      return { state: await stateOf({ query: q }), engine: look!.engine };
    });
    const note = (at: number): Promise<void> => noted(() => openDatabase({ url, dataDir: '', log: silent }), at, state);
    return { kind: 'postgres', engine, state, note };
  } finally {
    await db.close();
  }
}

/** Of the folder itself, or by the server that has it. */
async function fromEmbedded(dataDir: string, folder: string, env: Env): Promise<Made> {
  const home = join(dataDir, 'db');
  if (!existsSync(join(home, 'pg')))
    throw new Error(`no database in ${dataDir}; name another folder with --data, or a PostgreSQL with --url`);
  const copy = join(folder, ENGINE_FILES);
  assertRoom(join(home, 'pg'), folder);
  const server = await copyFiles(dataDir, copy, env);
  const site = join(folder, SITE_FILES);
  for (const name of OF_THE_SITE.filter((one) => existsSync(join(dataDir, one)))) {
    mkdirSync(site, { recursive: true, mode: 0o700 });
    cpSync(join(dataDir, name), join(site, name));
    chmodSync(join(site, name), 0o600);
  }
  const { state, engine } = await readBack(copy, `${folder}.check`);
  const note = (at: number): Promise<void> =>
    server
      ? server
          .send(OPERATOR_CALLS.backupMade, {
            params: {},
            query: {},
            body: { at: new Date(at).toISOString(), seq: state.seq },
          })
          .then(() => {})
      : noted(() => openDatabase({ dataDir: home, log: silent }), at, state);
  return { kind: 'embedded', engine, state, note };
}

/** Answers the server that made the copy; null where none runs. */
async function copyFiles(dataDir: string, copy: string, env: Env): Promise<ReturnType<typeof createClient> | null> {
  const db = await openDatabase({ dataDir: join(dataDir, 'db'), log: silent }).catch((error: unknown) => {
    if (error instanceof FolderInUse) return null;
    throw error;
  });
  if (db) {
    try {
      await assertMigrated(db);
      await db.copyFiles!(copy);
    } finally {
      await db.close();
    }
    return null;
  }
  const server = createClient({ ...env, FAIRGAME_DATA: dataDir });
  const { data } = await server.send(OPERATOR_CALLS.copyDatabase, { params: {}, query: {}, body: {} });
  const made = join(dataDir, (data as { folder: string }).folder);
  // To another disk it cannot be renamed.
  cpSync(made, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  rmSync(made, { recursive: true });
  return server;
}

/** Opens a second copy, as a restore would: a backup that nobody has opened is none. */
async function readBack(copy: string, scratch: string): Promise<{ state: HeldState; engine: string }> {
  try {
    cpSync(copy, join(scratch, 'pg'), { recursive: true, mode: constants.COPYFILE_FICLONE });
    const db = await openDatabase({ dataDir: scratch, log: silent });
    try {
      const [row] = await db.query<{ engine: string }>('SELECT version() AS engine');
      return { state: await stateOf(db), engine: row!.engine };
    } finally {
      await db.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function noted(open: () => ReturnType<typeof openDatabase>, at: number, { seq }: HeldState): Promise<void> {
  const db = await open();
  try {
    await noteBackup(db, { at, seq });
  } finally {
    await db.close();
  }
}

/** The copy and its second one for the check. */
function assertRoom(from: string, to: string): void {
  const { bavail, bsize } = statfsSync(to);
  const needed = 2 * sizeOf(from);
  if (bavail * bsize < needed)
    throw new Error(`${to} has room for ${mb(bavail * bsize)} MB, the backup and its check need ${mb(needed)} MB`);
}

const mb = (bytes: number): number => Math.ceil(bytes / 1e6);

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}
