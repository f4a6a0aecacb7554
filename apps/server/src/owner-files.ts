/** The data folder and its files hold secrets, sessions and journals: they are for their owner alone. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder with one of these is one of ours. */
const OURS = ['secret', 'operator.json', 'provider-keys.json', 'db', 'audit-head.json', 'audit-anchors.jsonl'];

/**
 * Shuts a data folder that was made beforehand and is open to others; one that holds other things than ours is left alone
 * and told of. Gives what is wrong, as sentences.
 */
export function ownerFolder(dataDir: string): string[] {
  // Access rights of this kind are not those of Windows.
  if (process.platform === 'win32' || !existsSync(dataDir)) return [];
  const { mode, uid } = statSync(dataDir);
  if ((mode & 0o077) === 0) return [];
  const names = readdirSync(dataDir);
  if (uid === process.getuid?.() && (names.length === 0 || OURS.some((name) => names.includes(name)))) {
    chmodSync(dataDir, 0o700);
    return [];
  }
  return [
    `FAIRGAME_DATA: ${dataDir} is open to other users of this machine: give it a folder of its own, or chmod 700 it`,
  ];
}

/** Reads a file of the data folder that only its owner may read, or makes it with what `create` gives. */
export function ownerFile(dataDir: string, name: string, create: () => string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, name);
  if (!existsSync(path)) writeFileSync(path, create(), { mode: 0o600, flag: 'wx' });
  chmodSync(path, 0o600);
  return readFileSync(path, 'utf8');
}
