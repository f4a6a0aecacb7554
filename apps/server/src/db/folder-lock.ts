/**
 * One process a data folder. The lock file names the process that uses the folder and is touched while it lives; a clean
 * end writes that the folder is free, a killed process leaves its name behind. A process of the same machine is asked for
 * by its number; one that cannot be asked (another container on the same volume) counts as alive while its file is fresh.
 * Should somebody delete the file, the process that has the folder writes it again, a newcomer who finds none waits for
 * that, and who finds another's name there gives the folder up.
 */
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TOUCH_MS = 1000;
/** A lock of another machine or container that was not touched for so long is left behind. */
const STALE_MS = 10_000;
/** How long a newcomer watches a folder that has a database but no lock file, for a process whose file was deleted. */
const WATCH_MS = 2 * TOUCH_MS + 500;
const FREE = 'free';

/** Another process has the folder; the text says which. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

export interface FolderLock {
  release(): void;
}

interface Holder {
  pid: number;
  /** In the kernel's ticks; empty where there is no /proc. Tells a process from a later one with its number. */
  started: string;
  host: string;
  since: string;
}

/**
 * Takes the folder, or throws saying who has it. `inUse`: the folder has a database in it, so a missing lock is worth a
 * second look. `onLost` is called once when another process took the folder; then nothing may be written any more.
 */
export async function lockFolder(folder: string, inUse: boolean, onLost: (why: string) => void): Promise<FolderLock> {
  const file = join(folder, 'lock');
  const me: Holder = {
    pid: process.pid,
    started: startOf(process.pid),
    host: hostname(),
    since: new Date().toISOString(),
  };
  const mine = JSON.stringify(me);
  if (inUse && read(file) === null) await refuseAnother(file, folder);
  await take(file, folder, mine);
  const keep = setInterval(() => {
    const found = read(file);
    if (found === mine) return utimesSync(file, new Date(), new Date());
    if (found === null) return writeWhole(file, mine);
    clearInterval(keep);
    onLost(`${folder} was taken by ${textOf(parse(found))}`);
  }, TOUCH_MS);
  keep.unref();
  return {
    release() {
      clearInterval(keep);
      if (read(file) === mine) writeWhole(file, FREE);
    },
  };
}

/** A process that had its lock deleted writes it again within a moment: then it is alive. */
async function refuseAnother(file: string, folder: string): Promise<void> {
  const until = Date.now() + WATCH_MS;
  while (Date.now() < until) {
    await sleep(100);
    const found = read(file);
    if (found !== null && found !== FREE) throw new FolderInUse(`${folder} is in use by ${textOf(parse(found))}`);
  }
}

async function take(file: string, folder: string, mine: string): Promise<void> {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, mine);
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        // Whole at once, and only where there is none.
        linkSync(own, file);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 3) throw error;
        const text = read(file);
        if (text === null) continue;
        if (text !== FREE && (await isAlive(parse(text), file)))
          throw new FolderInUse(`${folder} is in use by ${textOf(parse(text))}`, { cause: error });
        putAway(file, text);
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Takes a lock that was left behind out of the way; another newcomer's, made at this moment, is put back. */
function putAway(file: string, expected: string): void {
  const old = `${file}.${process.pid}.old`;
  try {
    renameSync(file, old);
    if (read(old) !== expected) linkSync(old, file);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  } finally {
    rmSync(old, { force: true });
  }
}

async function isAlive(holder: Holder, file: string): Promise<boolean> {
  if (holder.host !== '' && holder.host !== hostname()) {
    const untouched = ageOf(file);
    if (untouched > STALE_MS) return false;
    // Touched lately: alive if it is touched once more.
    await sleep(WATCH_MS);
    return ageOf(file) < untouched + WATCH_MS / 2;
  }
  return holder.pid > 0 && isRunning(holder.pid) && (holder.started === '' || holder.started === startOf(holder.pid));
}

function ageOf(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Never half there for a reader. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

function parse(text: string): Holder {
  try {
    const { pid, started, host, since } = JSON.parse(text) as Partial<Holder>;
    return { pid: Number(pid), started: String(started ?? ''), host: String(host ?? ''), since: String(since ?? '') };
  } catch {
    // The form of earlier versions: number and start.
    const [pid = '0', started = ''] = text.split(' ');
    return { pid: Number(pid), started, host: '', since: '' };
  }
}

function textOf({ pid, host, since }: Holder): string {
  return `process ${pid}${host === '' ? '' : ` of host ${host}`}${since === '' ? '' : ` since ${since}`}`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process started; empty where there is no /proc. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
