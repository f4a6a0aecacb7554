/** How a batch stands in the log, and how it is read back. */
import { createHash } from 'node:crypto';
import type { Command } from '@fairgame/exchange';
import type { World } from './types.ts';

/** One command as it was applied: bet ids given, archived markets put in. */
export interface Logged {
  seq: number;
  at: number;
  actor: string;
  /** In which worlds, in this order; two entries when the command went to both. */
  applied: Array<{ world: World; command: Command }>;
}

/** [seq, at, actor, worlds, command] or, where the worlds got different commands, two of them. */
type Packed = [number, number, string, 'real' | 'demo' | 'both', Command, Command?];

export function packBatch(items: readonly Logged[]): { body: string; checksum: string } {
  const packed = items.map(({ seq, at, actor, applied }): Packed => {
    const [one, two] = applied;
    if (!two) return [seq, at, actor, one!.world, one!.command];
    return one!.command === two.command
      ? [seq, at, actor, 'both', one!.command]
      : [seq, at, actor, 'both', one!.command, two.command];
  });
  const body = JSON.stringify(packed);
  return { body, checksum: checksum(body) };
}

/** Throws when the row was altered or damaged. */
export function unpackBatch(row: { first_seq: number; last_seq: number; body: string; checksum: string }): Logged[] {
  if (checksum(row.body) !== row.checksum) throw new Error(`log row ${row.first_seq}: the checksum does not fit`);
  const items = (JSON.parse(row.body) as Packed[]).map(([seq, at, actor, worlds, command, other]): Logged => {
    const applied: Logged['applied'] =
      worlds === 'both'
        ? [
            { world: 'real', command },
            { world: 'demo', command: other ?? command },
          ]
        : [{ world: worlds, command }];
    return { seq, at, actor, applied };
  });
  if (items[0]?.seq !== row.first_seq || items.at(-1)?.seq !== row.last_seq) {
    throw new Error(`log row ${row.first_seq}: its commands are not those of its numbers`);
  }
  return items;
}

export function checksum(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
