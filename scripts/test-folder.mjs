// Where the suites keep what they write: databases, backups, profiles of browsers. Some hundred databases are made, synced and
// thrown away in one run, and a disk takes minutes for that; memory takes none. A server that is killed loses nothing of either.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { constrainedMemory } from 'node:process';

const MEMORY = '/dev/shm';
const NAME = 'fairgame-test-';
/** A run fills 2 GB at most; what the programs need stands beside it. */
const ROOM = 4 * 2 ** 30;
const FREE = 10 * 2 ** 30;

function inMemory() {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  // Without a limit of its own a process is told none, or one that no machine has.
  const limit = constrainedMemory() || Infinity;
  return bavail * bsize >= ROOM && Math.min(freemem(), limit) >= FREE;
}

/** What a run left that was killed: nobody else would ever give this memory back. */
function sweep() {
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(new RegExp(`^${NAME}(\\d+)-`).exec(name)?.[1]);
    if (!pid) continue;
    try {
      process.kill(pid, 0);
    } catch (error) {
      if (error.code === 'ESRCH') rmSync(join(MEMORY, name), { recursive: true, force: true });
    }
  }
}

/** Makes a folder for one run; it is gone when the process ends. */
export function testFolder() {
  const memory = inMemory();
  if (memory) sweep();
  const folder = mkdtempSync(join(memory ? MEMORY : tmpdir(), `${NAME}${process.pid}-`));
  // A PostgreSQL that a test starts as another user has its folder below.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  return folder;
}
