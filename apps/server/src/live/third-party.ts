/**
 * The third-party feed: first prices and scores of a sport for programs that show no markets of their own. The whole on
 * joining, then the rows that changed, at most twice a second, with a running number (OPN-43).
 */
import { type FeedData, type FeedRow, type FeedSport, feedDataEvent, feedEmits } from '@fairgame/contract';
import type { Namespace, Socket } from 'socket.io';
import type { Catalog, LiveEvent } from '../catalog/catalog.ts';
import type { World } from '../core/types.ts';
import type { Entry } from './entry.ts';
import { encode, type Packet, writable, write } from './packet.ts';

const NAME = '/third-party';

interface Reader {
  type: FeedSport;
  world: World;
  n: number;
  /** Changed while it could not be written to. */
  missed: Set<number>;
}

export interface ThirdParty {
  /** Twice a second. */
  turn(): void;
  close(): void;
}

export function thirdPartySockets(entry: Entry, catalog: Catalog): ThirdParty {
  return new FeedSockets(entry, catalog);
}

class FeedSockets implements ThirdParty {
  private readonly entry: Entry;
  private readonly catalog: Catalog;
  private readonly readers = new Map<Socket, Reader>();
  private readonly changed = new Set<number>();
  private readonly nsp: Namespace;
  private readonly offs: (() => void)[];

  constructor(entry: Entry, catalog: Catalog) {
    this.entry = entry;
    this.catalog = catalog;
    const { nsp } = entry.endpoint(NAME);
    this.nsp = nsp;
    this.offs = [
      catalog.images.onChange((change) => this.note(change)),
      catalog.onChange((change) => this.note(change)),
    ];

    this.nsp.on('connection', (socket) => {
      const { world } = this.entry.session(socket);
      socket.on('disconnect', () => this.readers.delete(socket));
      this.entry.listen(socket, {
        joinFeed: (value) => {
          const asked = feedEmits.joinFeed.safeParse(value);
          if (!asked.success) return 'BAD_INPUT';
          const { type } = asked.data;
          const open = this.catalog.openEvents().filter((live) => live.matchType === type);
          this.readers.set(socket, { type, world, n: 1, missed: new Set() });
          this.send(socket, type, { n: 1, rows: open.map((live) => this.rowOf(live, world)) });
          return null;
        },
        leaveFeed: () => {
          this.readers.delete(socket);
          return null;
        },
      });
    });
  }

  turn(): void {
    if (this.changed.size === 0 && [...this.readers.values()].every(({ missed }) => missed.size === 0)) return;
    const made = new Map<string, FeedRow | null>();
    const row = (eventId: number, { type, world }: Reader): FeedRow | null => {
      const key = `${world}${eventId}`;
      const live = made.has(key) ? undefined : this.catalog.event(eventId);
      if (live) made.set(key, this.rowOf(live, world));
      const known = made.get(key) ?? null;
      return known && this.catalog.event(eventId)?.matchType === type ? known : null;
    };
    for (const [socket, reader] of this.readers) {
      for (const id of this.changed) reader.missed.add(id);
      if (reader.missed.size === 0 || !writable(socket)) continue;
      const rows = [...reader.missed].flatMap((id) => row(id, reader) ?? []);
      reader.missed.clear();
      if (rows.length === 0) continue;
      reader.n += 1;
      this.send(socket, reader.type, { n: reader.n, rows });
    }
    this.changed.clear();
  }

  close(): void {
    for (const off of this.offs) off();
  }

  private note({ eventId }: { eventId: number }): void {
    if (this.readers.size > 0) this.changed.add(eventId);
  }

  private rowOf(live: LiveEvent, world: World): FeedRow {
    const head = this.catalog.headOf(live.id);
    return {
      id: live.id,
      title: live.event.title,
      startAt: new Date(live.startAt).toISOString(),
      inPlay: this.catalog.inPlay(live.id),
      stopAt: live.stopAt === null ? null : new Date(live.stopAt).toISOString(),
      score: live.score,
      head: (head === undefined ? undefined : this.catalog.images.image(world, head)) ?? null,
    };
  }

  private packet(type: FeedSport, data: FeedData): Packet {
    return encode(NAME, feedDataEvent(type), JSON.stringify(data), false);
  }

  private send(socket: Socket, type: FeedSport, data: FeedData): void {
    write(socket, this.packet(type, data));
  }
}
