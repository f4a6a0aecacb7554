/** How a batch stands in the log, and how it is read back. */
import { createHash } from 'node:crypto';
import type { Command } from '@fairgame/exchange';
import type { World } from './types.ts';

/** One command as it was applied: bet ids given, archived markets put in. */
export interface Logged {
  seq: number;
  at: number;
  actor: string;
  /** The key that was settled by it. */
  key?: string | undefined;
  /** In which worlds, in this order; none where only a key was settled. */
  applied: Array<{ world: World; command: Command }>;
}

/** [seq, at, actor, worlds, command, key]; where the worlds got different commands, a list of them. */
type Packed = [number, number, string, string, Command | Command[] | null, string?];

export function packBatch(items: readonly Logged[]): { body: string; checksum: string } {
  const packed = items.map(({ seq, at, actor, key, applied }): Packed => {
    const commands = applied.map(({ command }) => command);
    const same = commands.every((command) => command === commands[0]);
    const one: Packed = [
      seq,
      at,
      actor,
      applied.map(({ world }) => world).join(),
      same ? (commands[0] ?? null) : commands,
    ];
    if (key !== undefined) one.push(key);
    return one;
  });
  const body = JSON.stringify(packed);
  return { body, checksum: checksum(body) };
}

/** Throws when the row was altered or damaged. */
export function unpackBatch(row: { first_seq: number; last_seq: number; body: string; checksum: string }): Logged[] {
  if (checksum(row.body) !== row.checksum) throw new Error(`log row ${row.first_seq}: the checksum does not fit`);
  const items = (JSON.parse(row.body) as Packed[]).map(([seq, at, actor, names, what, key]): Logged => {
    const worlds = names === '' ? [] : (names.split(',') as World[]);
    const applied = worlds.map((world, i) => ({ world, command: Array.isArray(what) ? what[i]! : what! }));
    return { seq, at, actor, key, applied };
  });
  if (items[0]?.seq !== row.first_seq || items.at(-1)?.seq !== row.last_seq) {
    throw new Error(`log row ${row.first_seq}: its commands are not those of its numbers`);
  }
  return items;
}

export function checksum(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
