/**
 * The third-party feed: first prices and scores of a sport for programs that show no markets of their own. The whole on
 * joining, then the rows that changed, at most twice a second, with a running number (OPN-43).
 */
import { type FeedData, type FeedRow, type FeedSport, feedDataEvent, feedEmits } from '@fairgame/contract';
import type { Socket } from 'socket.io';
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
  const readers = new Map<Socket, Reader>();
  const changed = new Set<number>();
  const { nsp } = entry.endpoint(NAME);
  const note = ({ eventId }: { eventId: number }) => {
    if (readers.size > 0) changed.add(eventId);
  };
  const offs = [catalog.images.onChange(note), catalog.onChange(note)];

  nsp.on('connection', (socket) => {
    const { world } = entry.session(socket);
    socket.on('disconnect', () => readers.delete(socket));
    entry.listen(socket, {
      joinFeed: (value) => {
        const asked = feedEmits.joinFeed.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        const { type } = asked.data;
        const open = catalog.openEvents().filter((live) => live.matchType === type);
        readers.set(socket, { type, world, n: 1, missed: new Set() });
        send(socket, type, { n: 1, rows: open.map((live) => rowOf(live, world)) });
        return null;
      },
      leaveFeed: () => {
        readers.delete(socket);
        return null;
      },
    });
  });

  function rowOf(live: LiveEvent, world: World): FeedRow {
    const head = catalog.headOf(live.id);
    return {
      id: live.id,
      title: live.event.title,
      startAt: new Date(live.startAt).toISOString(),
      inPlay: catalog.inPlay(live.id),
      stopAt: live.stopAt === null ? null : new Date(live.stopAt).toISOString(),
      score: live.score,
      head: (head === undefined ? undefined : catalog.images.image(world, head)) ?? null,
    };
  }

  function packet(type: FeedSport, data: FeedData): Packet {
    return encode(NAME, feedDataEvent(type), JSON.stringify(data), false);
  }
  const send = (socket: Socket, type: FeedSport, data: FeedData): void => write(socket, packet(type, data));

  return {
    turn() {
      if (changed.size === 0 && [...readers.values()].every(({ missed }) => missed.size === 0)) return;
      const made = new Map<string, FeedRow | null>();
      const row = (eventId: number, { type, world }: Reader): FeedRow | null => {
        const key = `${world}${eventId}`;
        const live = made.has(key) ? undefined : catalog.event(eventId);
        if (live) made.set(key, rowOf(live, world));
        const known = made.get(key) ?? null;
        return known && catalog.event(eventId)?.matchType === type ? known : null;
      };
      for (const [socket, reader] of readers) {
        for (const id of changed) reader.missed.add(id);
        if (reader.missed.size === 0 || !writable(socket)) continue;
        const rows = [...reader.missed].flatMap((id) => row(id, reader) ?? []);
        reader.missed.clear();
        if (rows.length === 0) continue;
        reader.n += 1;
        send(socket, reader.type, { n: reader.n, rows });
      }
      changed.clear();
    },
    close() {
      for (const off of offs) off();
    },
  };
}
