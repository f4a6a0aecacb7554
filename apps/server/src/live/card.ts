/** The card tables, `/card`: a socket follows a few of them at once. */
import { CARD_TABLES_AT_ONCE, cardEmits } from '@fairgame/contract';
import type { Socket } from 'socket.io';
import type { World } from '../core/types.ts';
import type { Entry } from './entry.ts';

export interface CardTables {
  /** Null where there is no table of that code. */
  follow(code: string, world: World, tell: (event: string, data: unknown) => void): (() => void) | null;
}

export function cardSockets(entry: Entry, tables: CardTables): void {
  entry.endpoint('/card').nsp.on('connection', (socket) => {
    const followed = new Followed(socket, tables, entry.session(socket).world);
    socket.on('disconnect', () => followed.leaveAll());
    entry.listen(socket, {
      joinTable: (value) => {
        const asked = cardEmits.joinTable.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        return followed.join(asked.data.code) ? null : 'MATCH_UNKNOWN';
      },
      leaveTable: (value) => {
        const asked = cardEmits.leaveTable.safeParse(value ?? {});
        if (!asked.success) return 'BAD_INPUT';
        if (asked.data.code === undefined) followed.leaveAll();
        else followed.leave(asked.data.code);
        return null;
      },
    });
  });
}

/** What one socket follows; of more than it may, the one joined first is left. */
class Followed {
  private readonly socket: Socket;
  private readonly tables: CardTables;
  private readonly world: World;
  /** By code, the one joined first in front. */
  private readonly leaves = new Map<string, () => void>();

  constructor(socket: Socket, tables: CardTables, world: World) {
    this.socket = socket;
    this.tables = tables;
    this.world = world;
  }

  /** False where there is no such table. */
  join(code: string): boolean {
    this.leave(code);
    const off = this.tables.follow(code, this.world, (event, data) => this.socket.emit(event, data));
    if (!off) return false;
    this.leaves.set(code, off);
    if (this.leaves.size > CARD_TABLES_AT_ONCE) this.leave(this.leaves.keys().next().value!);
    return true;
  }

  leave(code: string): void {
    this.leaves.get(code)?.();
    this.leaves.delete(code);
  }

  leaveAll(): void {
    for (const code of Array.from(this.leaves.keys())) this.leave(code);
  }
}
