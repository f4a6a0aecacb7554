/**
 * How a batch stands in the log, and how it is read back. What moved money or bets is kept; the rest only serves the next
 * start and goes once two snapshots lie behind it. So a batch has a row in either of two tables, or in both.
 */
import { createHash } from 'node:crypto';
import type { Command } from '@fairgame/exchange';
import type { Query } from '../db/db.ts';
import type { World } from './types.ts';

/** One command as it was applied: bet ids given, archived markets put in. */
export interface Logged {
  seq: number;
  at: number;
  actor: string;
  /** The key that was settled by it. */
  key?: string | undefined;
  /** The gateway's request it came from. */
  requestId?: string | undefined;
  /** In which worlds, in this order; none where only a key was settled. */
  applied: Array<{ world: World; command: Command }>;
  /** The bets that the core placed by itself in it, when conditional orders fired: the first, and how many followed one another. */
  fired?: { first: number; count: number } | undefined;
}

/** One command of a body: [seq, at, actor, worlds, command, key, request, fired]; where the worlds got different commands, a list of them. */
export type Packed = [
  number,
  number,
  string,
  string,
  Command | Command[] | null,
  (string | null)?,
  (string | null)?,
  [first: number, count: number]?,
];

export interface LogRow {
  first_seq: number;
  last_seq: number;
  logic: number;
  body: string;
  checksum: string;
}

/** Batches of the log with the commands of both tables, in order. */
export interface LoggedBatch {
  first: number;
  last: number;
  logic: number;
  items: Logged[];
}

/** Null for no items. */
export function packItems(items: readonly Logged[]): { body: string; checksum: string } | null {
  if (items.length === 0) return null;
  const packed = items.map(({ seq, at, actor, key, requestId, applied, fired }): Packed => {
    const commands = applied.map(({ command }) => command);
    const same = commands.every((command) => command === commands[0]);
    const what = same ? (commands[0] ?? null) : commands;
    const one: Packed = [seq, at, actor, applied.map(({ world }) => world).join(), what];
    if (key !== undefined || requestId !== undefined || fired) one.push(key ?? null);
    if (requestId !== undefined || fired) one.push(requestId ?? null);
    if (fired) one.push([fired.first, fired.count]);
    return one;
  });
  const body = JSON.stringify(packed);
  return { body, checksum: checksum(body) };
}

/** Throws when the row was altered or damaged. */
export function unpackRow(row: LogRow): Logged[] {
  if (checksum(row.body) !== row.checksum) throw new Error(`log row ${row.first_seq}: the checksum does not fit`);
  let before = row.first_seq - 1;
  const items = unpackItems(JSON.parse(row.body) as Packed[]);
  for (const { seq } of items) {
    if (seq <= before || seq > row.last_seq)
      throw new Error(`log row ${row.first_seq}: its commands are not those of its numbers`);
    before = seq;
  }
  return items;
}

export function unpackItems(packed: readonly Packed[]): Logged[] {
  return packed.map(([seq, at, actor, names, what, key, requestId, fired]): Logged => {
    const worlds = names === '' ? [] : (names.split(',') as World[]);
    const applied = worlds.map((world, i) => ({ world, command: Array.isArray(what) ? what[i]! : what! }));
    const item: Logged = { seq, at, actor, key: key ?? undefined, requestId: requestId ?? undefined, applied };
    if (fired) item.fired = { first: fired[0], count: fired[1] };
    return item;
  });
}

/** Commands are read in spans of so many numbers. */
const SPAN = 5000;

/**
 * Every batch behind command `after` up to command `to`. Throws with a plain sentence where a row is damaged or one is
 * missing.
 */
export async function* readLog(q: Query, after: number, to: number): AsyncGenerator<LoggedBatch> {
  let coming = after < to ? readSpan(q, after, to) : Promise.resolve([]);
  while (after < to) {
    const rows = await coming;
    if (rows.length === 0) throw new Error(`the log lacks the commands behind ${after}`);
    // The database reads the next ones while these are applied.
    const reach = rows.at(-1)!.last_seq;
    if (reach < to) coming = readSpan(q, reach, to);
    for (let i = 0; i < rows.length; ) {
      const { first_seq: first, last_seq: last, logic } = rows[i]!;
      if (first !== after + 1) throw new Error(`the log lacks the commands behind ${after}`);
      const items: Logged[] = [];
      for (; rows[i]?.first_seq === first; i++) items.push(...unpackRow(rows[i]!));
      items.sort((a, b) => a.seq - b.seq);
      if (items.length !== last - first + 1) throw new Error(`log row ${first}: some of its commands are missing`);
      yield { first, last, logic, items };
      after = last;
    }
  }
}

function readSpan(q: Query, after: number, to: number): Promise<LogRow[]> {
  const rows = q<LogRow>(
    `SELECT first_seq, last_seq, logic, body, checksum FROM core_log WHERE first_seq > $1 AND first_seq <= $2
     UNION ALL SELECT first_seq, last_seq, logic, body, checksum FROM core_log_short
       WHERE first_seq > $1 AND first_seq <= $2 ORDER BY first_seq`,
    [after, Math.min(to, after + SPAN)],
  );
  // Who stops reading before it is there wants to hear nothing of it.
  rows.catch(() => undefined);
  return rows;
}

export function checksum(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The chain over the kept rows: a row taken out or changed breaks it at the next one. */
export function chained(before: string, rowChecksum: string): string {
  return checksum(before + rowChecksum);
}

/** The chain behind a row that follows `before`; rows of before there was a chain have none. */
export function chainAfter(before: string, row: { chain: string; checksum: string }): string {
  return row.chain === '' && before === '' ? '' : chained(before, row.checksum);
}
