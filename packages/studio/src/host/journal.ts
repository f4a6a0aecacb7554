/**
 * What the host must not forget, as lines of JSON in one file that only grows: the latest line of a kind and id counts.
 * A line is handed to the system before `put` returns, so it outlives the end of the process at any moment; at start the
 * file is read and written afresh with what is still of use. A torn last line is passed over.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface Journal {
  put(kind: string, id: string, value: unknown): void;
  close(): void;
}

interface Line {
  readonly k: string;
  readonly i: string;
  readonly v: unknown;
}

export type Remembered = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** `keep` says which entries are still of use; without a file nothing outlives the process. */
export function openJournal(
  file: string | null,
  keep: (kind: string, value: unknown) => boolean,
): { journal: Journal; remembered: Remembered } {
  if (file === null) return { journal: { put() {}, close() {} }, remembered: new Map() };
  mkdirSync(dirname(file), { recursive: true });
  const remembered = read(file, keep);
  const fresh: string[] = [];
  for (const [k, entries] of remembered) for (const [i, v] of entries) fresh.push(lineOf({ k, i, v }));
  writeFileSync(`${file}.new`, fresh.join(''));
  renameSync(`${file}.new`, file);
  let at: number | null = openSync(file, 'a');
  return {
    remembered,
    journal: {
      put(k, i, v) {
        if (at !== null) writeSync(at, lineOf({ k, i, v }));
      },
      close() {
        if (at !== null) closeSync(at);
        at = null;
      },
    },
  };
}

const lineOf = (line: Line) => `${JSON.stringify(line)}\n`;

function read(file: string, keep: (kind: string, value: unknown) => boolean) {
  const kinds = new Map<string, Map<string, unknown>>();
  if (!existsSync(file)) return kinds;
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = parse(text);
    if (line === null) continue;
    let entries = kinds.get(line.k);
    if (entries === undefined) {
      entries = new Map();
      kinds.set(line.k, entries);
    }
    entries.set(line.i, line.v);
  }
  for (const [kind, entries] of kinds) {
    for (const [id, value] of entries) if (!keep(kind, value)) entries.delete(id);
  }
  return kinds;
}

function parse(text: string): Line | null {
  if (text === '') return null;
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}
