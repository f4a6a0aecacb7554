/** What a backup consists of, and whether it still does. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hashWorlds, loadState } from '../../apps/server/src/core/core.ts';
import { type Db, silent } from '../../apps/server/src/db/db.ts';

/** The state that a database holds: its last command, and a hash over every account, order and market of both worlds. */
export interface HeldState {
  seq: number;
  epoch: number;
  hash: string;
}

export interface Manifest {
  format: 1;
  kind: 'embedded' | 'postgres';
  /** ISO, UTC. */
  at: string;
  /** What the database says it is. */
  engine: string;
  /** Read from the copy itself, or in the same look at the database from which the copy was made. */
  state: HeldState;
  /** Paths with slashes; empty folders count, the embedded engine needs them. */
  folders: string[];
  files: Array<{ path: string; bytes: number; sha256: string }>;
}

export const MANIFEST = 'backup.json';
/** Of the embedded engine, below the backup's folder; of PostgreSQL; what an embedded site keeps beside its database. */
export const ENGINE_FILES = 'pg';
export const DUMP = 'database.dump';
export const SITE_FILES = 'site';

/** Rebuilds the state from the newest snapshot and the log. Throws when they do not fit together. */
export async function stateOf(db: Pick<Db, 'query'>): Promise<HeldState> {
  const { worlds } = await loadState(db, silent);
  const [leader] = await db.query<{ seq: number; epoch: number }>('SELECT last_seq AS seq, epoch FROM leader');
  return { seq: leader?.seq ?? 0, epoch: leader?.epoch ?? 0, hash: hashWorlds(worlds) };
}

/** Every folder and file below `root`, the files with their hashes and on the disk for good. */
export async function listed(root: string): Promise<Pick<Manifest, 'folders' | 'files'>> {
  const folders: string[] = [];
  const files: Manifest['files'] = [];
  async function walk(below: string): Promise<void> {
    for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        folders.push(path);
        await walk(path);
      } else if (path !== MANIFEST) {
        toDisk(join(root, path));
        files.push({ path, bytes: statSync(join(root, path)).size, sha256: await hashOf(join(root, path)) });
      }
    }
    toDisk(join(root, below));
  }
  await walk('');
  return { folders, files };
}

/** Opened for reading: what was written before is forced to the disk all the same. */
export function toDisk(path: string): void {
  // Windows opens no folders and flushes only what is open for writing.
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Reads a backup's manifest and checks its files against it. Throws a sentence that names what is wrong. */
export async function checkedManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8');
  } catch {
    throw new Error(`${folder} is no backup: it has no ${MANIFEST}`);
  }
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 1) throw new Error(`${folder} was made by a newer program: restore it with that one`);
  for (const { path, bytes, sha256 } of manifest.files) {
    const file = join(folder, path);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) throw new Error(`the backup ${folder} is not whole: ${path} is missing`);
    if (size !== bytes || (await hashOf(file)) !== sha256)
      throw new Error(`the backup ${folder} is damaged: ${path} is not what it was`);
  }
  return manifest;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
