/**
 * What the host must not forget, as lines of JSON in one file: the latest line of a kind and id counts. A line is handed to
 * the system before `put` returns, so it outlives the end of the process at any moment; `synced` waits until it outlives a
 * power cut too. At the start, and whenever the file has doubled, it is written afresh with what is still of use.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface Journal {
  put(kind: string, id: string, value: unknown): void;
  /** All that was put so far is on the disk. */
  synced(): Promise<void>;
  close(): void;
}

export interface JournalOptions {
  /** Which entries are still of use. */
  readonly keep: (kind: string, value: unknown) => boolean;
  /** An entry of no use any more has left the journal while the host runs. */
  readonly dropped?: (kind: string, id: string, value: unknown) => void;
  /** Told of what cannot be read. */
  readonly log?: (text: string, what: object) => void;
  /** The file may grow by so much before it is written afresh for the first time. */
  readonly growBytes?: number;
}

/** By kind and id; the journal's own, kept up by `put`. */
export type Remembered = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

const CHUNK = 1 << 20;
const GROW_BYTES = 16 << 20;
const NEWLINE = 10;

/** Without a file nothing outlives the process. */
export function openJournal(
  file: string | null,
  options: JournalOptions,
): { journal: Journal; remembered: Remembered } {
  if (file === null)
    return { journal: { put() {}, synced: () => Promise.resolve(), close() {} }, remembered: new Map() };
  mkdirSync(dirname(file), { recursive: true });
  const { keep, log = () => {}, growBytes = GROW_BYTES } = options;
  const kinds = read(file, log);
  for (const [kind, entries] of kinds) for (const [id, value] of entries) if (!keep(kind, value)) entries.delete(id);
  let size = writeAfresh(file, kinds);
  let grown = 0;
  let at: number | null = openSync(file, 'a');
  let syncing: Promise<void> | null = null;
  let syncAgain: Promise<void> | null = null;

  function compact(): void {
    for (const [kind, entries] of kinds) {
      for (const [id, value] of entries) {
        if (keep(kind, value)) continue;
        entries.delete(id);
        options.dropped?.(kind, id, value);
      }
    }
    closeSync(at!);
    size = writeAfresh(file!, kinds);
    grown = 0;
    at = openSync(file!, 'a');
  }

  function sync(): Promise<void> {
    syncing = new Promise<void>((resolve, reject) => {
      if (at === null) return resolve();
      fdatasync(at, (error) => (error ? reject(error) : resolve()));
    }).finally(() => {
      syncing = null;
    });
    return syncing;
  }

  return {
    remembered: kinds,
    journal: {
      put(k, i, v) {
        entriesOf(kinds, k).set(i, v);
        if (at === null) return;
        grown += writeSync(at, lineOf(k, i, v));
        // Not while the system still has the file in its hands.
        if (grown > Math.max(growBytes, size) && syncing === null) compact();
      },
      // Whoever comes while one is under way waits for the next, together with all others.
      synced() {
        if (syncing === null) return sync();
        syncAgain ??= syncing
          .catch(() => {})
          .then(() => {
            syncAgain = null;
            return sync();
          });
        return syncAgain;
      },
      close() {
        const open = at;
        at = null;
        if (open !== null) (syncing ?? Promise.resolve()).catch(() => {}).finally(() => closeSync(open));
      },
    },
  };
}

const lineOf = (k: string, i: string, v: unknown) => `${JSON.stringify({ k, i, v })}\n`;

function entriesOf(kinds: Map<string, Map<string, unknown>>, kind: string): Map<string, unknown> {
  let entries = kinds.get(kind);
  if (entries === undefined) {
    entries = new Map();
    kinds.set(kind, entries);
  }
  return entries;
}

/** Killed at any moment there is a whole file, the old one or the new one. Answers its size. */
function writeAfresh(file: string, kinds: Remembered): number {
  const at = openSync(`${file}.new`, 'w');
  let size = 0;
  let text = '';
  const out = () => {
    size += writeSync(at, text);
    text = '';
  };
  for (const [k, entries] of kinds) {
    for (const [i, v] of entries) {
      text += lineOf(k, i, v);
      if (text.length > CHUNK) out();
    }
  }
  out();
  fdatasyncSync(at);
  closeSync(at);
  renameSync(`${file}.new`, file);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return size;
}

function read(file: string, log: (text: string, what: object) => void): Map<string, Map<string, unknown>> {
  const kinds = new Map<string, Map<string, unknown>>();
  if (!existsSync(file)) return kinds;
  let n = 0;
  const broken: number[] = [];
  for (const { text, isWhole } of linesOf(file)) {
    n++;
    const line = parse(text);
    if (line !== null) entriesOf(kinds, line.k).set(line.i, line.v);
    // The last one may be torn: the process ended while it was written.
    else if (isWhole) broken.push(n);
  }
  if (broken.length > 0) {
    const copy = `${file}.broken-${Date.now()}`;
    copyFileSync(file, copy);
    log('lines of the journal cannot be read and are left out; the file as it was is kept', {
      lines: broken.length,
      first: broken[0],
      copy,
    });
  }
  return kinds;
}

/** Empty lines are left out; only the last one can be without its end. */
function* linesOf(file: string): Generator<{ text: string; isWhole: boolean }> {
  const at = openSync(file, 'r');
  const chunk = Buffer.alloc(CHUNK);
  let parts: Buffer[] = [];
  try {
    for (let length = readSync(at, chunk); length > 0; length = readSync(at, chunk)) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < length; end = chunk.indexOf(NEWLINE, from)) {
        parts.push(chunk.subarray(from, end));
        const text = Buffer.concat(parts).toString('utf8');
        parts = [];
        from = end + 1;
        if (text !== '') yield { text, isWhole: true };
      }
      if (from < length) parts.push(Buffer.from(chunk.subarray(from, length)));
    }
    if (parts.length > 0) yield { text: Buffer.concat(parts).toString('utf8'), isWhole: false };
  } finally {
    closeSync(at);
  }
}

function parse(text: string): { k: string; i: string; v: unknown } | null {
  try {
    const line = JSON.parse(text) as { k?: unknown; i?: unknown; v?: unknown } | null;
    if (typeof line?.k !== 'string' || typeof line.i !== 'string') return null;
    return { k: line.k, i: line.i, v: line.v };
  } catch {
    return null;
  }
}
