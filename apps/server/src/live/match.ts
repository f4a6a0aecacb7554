/**
 * The match socket: prices as frames for our own client, whole records of the specification for any other
 * (exchange reference 12.10), both from the same images.
 */
import { type ErrorCode, matchEmits, type Refusal } from '@fairgame/contract';
import type { Namespace, Socket } from 'socket.io';
import { type Catalog, type DetailSources, type Images, matchRecord } from '../catalog/catalog.ts';
import type { Core, World } from '../core/types.ts';
import type { Entry, Handlers } from './entry.ts';
import { readMatchIds } from './gate.ts';
import { encode, type Packet, writable, write } from './packet.ts';
import { type Outlet, Prices, type Text } from './prices.ts';

const TURN_MS = 100;
/** The changes of one moment come in several commits. */
const GATHER_MS = 10;
/** A client with frames says at once what it watches; until then nothing is sent, and then everything it named. */
const FIRST_WATCH_MS = 200;

export interface MatchSockets {
  /** Whether anybody looks at the event. */
  isWatched(eventId: number): boolean;
  /** Twice a second: records, catching up. */
  slowTurn(): void;
  size(): number;
  all(): Iterable<Socket>;
  /** Images asked for again since the start. */
  resyncs(): number;
  close(): void;
}

export interface MatchOptions {
  entry: Entry;
  core: Core;
  catalog: Catalog;
  clock: () => number;
  late: () => boolean;
}

interface Reader {
  socket: Socket;
  outlet: Outlet;
  /** Without frames: the matches it gets whole records of, and those that changed since the last. */
  records: Set<number> | null;
  missed: Set<number>;
}

export function matchSockets(options: MatchOptions): MatchSockets {
  return new EventSockets(options);
}

class EventSockets implements MatchSockets {
  private readonly entry: Entry;
  private readonly catalog: Catalog;
  private readonly images: Images;
  private readonly readers = new Map<Socket, Reader>();
  private readonly dirtyRecords = new Set<number>();
  private resynced = 0;
  private readonly nsp: Namespace;
  private readonly prices: Prices;
  private readonly sources: DetailSources;

  private turn: NodeJS.Timeout | null = null;
  private turnedAt = 0;

  private readonly offImages: () => void;
  private readonly offCatalog: () => void;

  constructor({ entry, core, catalog, clock, late }: MatchOptions) {
    this.entry = entry;
    this.catalog = catalog;
    this.images = catalog.images;
    const { nsp } = entry.endpoint('/match', (socket) => {
      const { roleName, matchIdArray } = askedFor(socket);
      if (roleName !== undefined && roleName !== 'user') return 'roleName';
      return readMatchIds(matchIdArray) === null ? 'matchIdArray' : null;
    });
    this.nsp = nsp;
    this.prices = new Prices({
      images: this.images,
      event: (eventId) => this.catalog.event(eventId),
      headOf: (eventId) => catalog.headOf(eventId),
      clock,
      late,
      wake: () => this.wake(),
    });
    this.sources = {
      images: this.images,
      core: core.read,
      place: (marketId) => catalog.place(marketId),
      headOf: (eventId) => catalog.headOf(eventId),
      inPlay: (eventId) => catalog.inPlay(eventId),
    };
    this.offImages = this.images.onChange((change) => void this.dirtyRecords.add(change.eventId));
    this.offCatalog = catalog.onChange((change) => {
      if (change.type === 'added') return;
      this.dirtyRecords.add(change.eventId);
      if (change.type === 'score') this.prices.scoreChanged(change.eventId);
      else this.prices.eventClosed(change.eventId);
    });

    this.nsp.on('connection', (socket) => {
      const asked = askedFor(socket);
      const ids = readMatchIds(asked.matchIdArray) ?? [];
      const outlet: Outlet = {
        world: this.entry.session(socket).world,
        writable: () => writable(socket),
        send: (event, text: Text) => {
          text.cache ??= encode('/match', event, text.json, text.shared);
          write(socket, text.cache as Packet);
        },
      };
      const frames = asked.frames === '1';
      if (asked.matchIdArray === undefined && !frames) socket.emit('refused', NO_MATCHES);
      const reader: Reader = {
        socket,
        outlet,
        records: frames ? null : new Set(ids),
        missed: new Set(ids),
      };
      this.readers.set(socket, reader);
      socket.on('disconnect', () => {
        this.readers.delete(socket);
        this.prices.leave(outlet);
      });
      this.entry.listen(
        socket,
        reader.records ? this.recordEvents(reader.records) : this.frameEvents(socket, outlet, ids),
      );
    });
  }

  isWatched(eventId: number): boolean {
    if (this.prices.isWatched(eventId)) return true;
    for (const { records } of this.readers.values()) if (records?.has(eventId)) return true;
    return false;
  }

  slowTurn(): void {
    this.sendRecords();
    // Slow readers catch up and silence is filled also when nothing changes.
    this.wake();
  }

  size(): number {
    return this.nsp.sockets.size;
  }

  all(): Iterable<Socket> {
    return this.readers.keys();
  }

  resyncs(): number {
    return this.resynced;
  }

  close(): void {
    if (this.turn) clearTimeout(this.turn);
    this.offImages();
    this.offCatalog();
    this.prices.stop();
  }

  /** A frame goes out soon after a change, and never sooner than 100 ms after the last. */
  private wake(): void {
    if (this.turn !== null) return;
    this.turn = setTimeout(() => this.takeTurn(), Math.max(GATHER_MS, this.turnedAt + TURN_MS - performance.now()));
    this.turn.unref();
  }

  private takeTurn(): void {
    this.turn = null;
    this.turnedAt = performance.now();
    this.prices.tick();
  }

  private recordEvents(records: Set<number>): Handlers {
    return {
      leaveAll: () => {
        records.clear();
        return null;
      },
      disconnectCricketData: (value) => leaveOne(value, (matchId) => records.delete(matchId)),
    };
  }

  private frameEvents(socket: Socket, outlet: Outlet, ids: number[]): Handlers {
    this.prices.watch(outlet, { full: [], head: [] });
    const first = setTimeout(() => this.prices.watch(outlet, { full: ids, head: [] }), FIRST_WATCH_MS);
    first.unref();
    socket.once('disconnect', () => clearTimeout(first));
    return {
      watch: (value) => {
        const asked = matchEmits.watch.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        clearTimeout(first);
        this.prices.watch(outlet, asked.data);
        return null;
      },
      resync: (value) => {
        const asked = matchEmits.resync.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        const ids = 'matchIds' in asked.data ? asked.data.matchIds : [asked.data.matchId];
        this.resynced++;
        return this.prices.resync(outlet, ids) ? null : 'MATCH_UNKNOWN';
      },
      depth: (value) => {
        const asked = matchEmits.depth.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        const { marketId, runnerId, on } = asked.data;
        return this.prices.depth(outlet, marketId, runnerId, on) ? null : 'RUNNER_UNKNOWN';
      },
      leaveAll: () => {
        clearTimeout(first);
        this.prices.watch(outlet, { full: [], head: [] });
        return null;
      },
      disconnectCricketData: (value) =>
        leaveOne(value, (matchId) => {
          const without = (list: number[]) => list.filter((id) => id !== matchId);
          const { full, head } = this.prices.watched(outlet);
          this.prices.watch(outlet, { full: without(full), head: without(head) });
        }),
    };
  }

  /** Whole records, at most twice a second each, the latest only; one text for all who get the same. */
  private sendRecords(): void {
    const texts = new Map<string, Text>();
    for (const { records, missed, outlet } of this.readers.values()) {
      if (!records) continue;
      for (const id of records) if (this.dirtyRecords.has(id)) missed.add(id);
      if (missed.size === 0 || !outlet.writable()) continue;
      for (const id of missed) {
        const text = records.has(id) ? this.recordText(texts, outlet.world, id) : null;
        if (text) outlet.send(`liveData${id}`, text);
      }
      missed.clear();
    }
    this.dirtyRecords.clear();
  }

  private recordText(texts: Map<string, Text>, world: World, eventId: number): Text | null {
    const key = `${world}${eventId}`;
    const made = texts.get(key);
    if (made) return made;
    const live = this.catalog.event(eventId);
    if (!live) return null;
    const text: Text = { json: JSON.stringify(matchRecord(live, world, this.sources)), shared: true };
    texts.set(key, text);
    return text;
  }
}

/**
 * What the handshake asks for. A connection shared with another namespace has one query, that of the first: the second says
 * it in its auth, which every namespace has of its own.
 */
function askedFor({ handshake: { auth, query } }: Socket): {
  matchIdArray: unknown;
  roleName: unknown;
  frames: unknown;
} {
  const given = auth as Record<string, unknown>;
  return {
    matchIdArray: given.matchIdArray ?? query.matchIdArray,
    roleName: given.roleName ?? query.roleName,
    frames: given.frames ?? query.frames,
  };
}

const NO_MATCHES: Refusal = {
  code: 'BAD_INPUT',
  field: 'matchIdArray',
  message:
    'No matchIdArray came with this connection, so it gets no prices. Send it in the query, or in auth where namespaces share one connection.',
};

function leaveOne(value: unknown, leave: (matchId: number) => unknown): ErrorCode | null {
  const asked = matchEmits.disconnectCricketData.safeParse(value);
  if (!asked.success) return 'BAD_INPUT';
  leave(asked.data.matchId);
  return null;
}
