/**
 * Where recordings lie: `open/1.200000123` as they are written, `2026-11-23/1.200000123.bz2` by the day of their result. Files of one
 * process that writes and any number that read; no more bytes in all than there may be, nor older days.
 */
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm, rmdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { RecordingsSettings } from '../../config.ts';
import { bzip2 } from './bzip2.ts';
import { type TarEntry, tar } from './tar.ts';

const OPEN = 'open';
const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;
/** Between two blocks that are packed: prices have the process for most of the time. */
const PACE_MS = 50;

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

interface Lying {
  path: string;
  name: string;
  size: number;
  changedAt: number;
}

export class Shelf {
  private readonly folder: string;
  private readonly settings: RecordingsSettings;
  /** Of all files; known after `begin`. */
  private bytes = 0;
  private isClosed = false;

  constructor(settings: RecordingsSettings) {
    this.settings = settings;
    this.folder = settings.folder;
  }

  /** For who writes: the recordings that are open, each whole up to its last line. */
  async begin(): Promise<string[]> {
    await mkdir(join(this.folder, OPEN), { recursive: true });
    this.bytes = 0;
    for (const day of await this.days()) for (const { size } of await this.filesOf(day)) this.bytes += size;
    const begun = await this.filesOf(OPEN);
    for (const { path } of begun) this.bytes += await wholeLines(path);
    return begun.map(({ name }) => name);
  }

  async append(name: string, text: string): Promise<void> {
    await appendFile(join(this.folder, OPEN, name), text);
    this.bytes += Buffer.byteLength(text);
  }

  /** A recording has its end. One that has been packed before stays as it was. */
  async finish(name: string, day: string): Promise<void> {
    const from = join(this.folder, OPEN, name);
    const text = await readFile(from);
    if (!(await this.has(name))) {
      await mkdir(join(this.folder, day), { recursive: true });
      const path = join(this.folder, day, `${name}.bz2`);
      await rm(`${path}.part`, { force: true });
      for (const part of bzip2(text)) {
        if (this.isClosed) return;
        await appendFile(`${path}.part`, part);
        this.bytes += part.length;
        await setTimeout(PACE_MS);
      }
      await rename(`${path}.part`, path);
    }
    await rm(from);
    this.bytes -= text.length;
  }

  /** Takes away what is too old and what is too much: the oldest first, then open ones, the largest first, whose names it gives. */
  async tidy(now: number): Promise<string[]> {
    const keptMs = this.settings.days * DAY_MS;
    for (const day of (await this.days()).reverse()) {
      for (const file of await this.filesOf(day))
        if (day < dayOf(now - keptMs) || this.isTooFull) await this.remove(file);
      // Where there is still something in it, it stays.
      await rmdir(join(this.folder, day)).catch(() => undefined);
    }
    const dropped: string[] = [];
    for (const file of (await this.filesOf(OPEN)).sort((a, b) => b.size - a.size)) {
      // By the clock that files are dated by: its market has gone without a result.
      const isStale = file.changedAt < Date.now() - keptMs;
      if (!isStale && !this.isTooFull) continue;
      await this.remove(file);
      dropped.push(file.name);
    }
    return dropped;
  }

  /** What is being packed is left as it is. */
  close(): void {
    this.isClosed = true;
  }

  get isTooFull(): boolean {
    return this.bytes > this.settings.mostBytes;
  }

  /** A market's recording; null where there is none. */
  async find(name: string): Promise<AsyncIterable<Uint8Array> | null> {
    const path = await this.packed(name);
    return path === null ? null : createReadStream(path);
  }

  async has(name: string): Promise<boolean> {
    return (await this.packed(name)) !== null;
  }

  /** All of a day as one archive; null where there is none. */
  async ofDay(day: string): Promise<AsyncIterable<Uint8Array> | null> {
    const files = DAY.test(day) ? (await this.filesOf(day)).filter(({ name }) => name.endsWith('.bz2')) : [];
    if (files.length === 0) return null;
    const folder = day.replaceAll('-', '/');
    async function* entries(): AsyncGenerator<TarEntry> {
      for (const { path, name, size, changedAt } of files)
        yield { name: `${folder}/${name}`, size, changedAt, bytes: createReadStream(path) };
    }
    return tar(entries());
  }

  private async packed(name: string): Promise<string | null> {
    for (const day of await this.days()) {
      const path = join(this.folder, day, `${name}.bz2`);
      if (await stat(path).catch(() => null)) return path;
    }
    return null;
  }

  /** Newest first. */
  private async days(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.filter((name) => DAY.test(name)).sort((a, b) => (a < b ? 1 : -1));
  }

  private async filesOf(part: string): Promise<Lying[]> {
    const names = await readdir(join(this.folder, part)).catch(() => []);
    const files = names
      .sort((a, b) => (a < b ? -1 : 1))
      .map(async (name): Promise<Lying[]> => {
        const path = join(this.folder, part, name);
        const found = await stat(path).catch(() => null);
        return found?.isFile() ? [{ path, name, size: found.size, changedAt: found.mtimeMs }] : [];
      });
    return (await Promise.all(files)).flat();
  }

  private async remove({ path, size }: Lying): Promise<void> {
    await rm(path, { force: true });
    this.bytes -= size;
  }
}

/** Cuts off what a process that was killed left of its last line; gives the size. */
async function wholeLines(path: string): Promise<number> {
  const size = (await readFile(path)).lastIndexOf('\n') + 1;
  await truncate(path, size);
  return size;
}
