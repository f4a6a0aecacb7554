/**
 * The match socket: prices as frames for our own client, whole records of the specification for any other
 * (exchange reference 12.10), both from the same images.
 */
import { type ErrorCode, matchEmits, type Refusal } from '@fairgame/contract';
import type { Socket } from 'socket.io';
import { type Catalog, type DetailSources, matchRecord } from '../catalog/catalog.ts';
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

export function matchSockets({ entry, core, catalog, clock, late }: MatchOptions): MatchSockets {
  const { images } = catalog;
  const readers = new Map<Socket, Reader>();
  const dirtyRecords = new Set<number>();
  let resyncs = 0;
  const { nsp } = entry.endpoint('/match', (socket) => {
    const { roleName, matchIdArray } = askedFor(socket);
    if (roleName !== undefined && roleName !== 'user') return 'roleName';
    return readMatchIds(matchIdArray) === null ? 'matchIdArray' : null;
  });
  const prices = new Prices({
    images,
    event: (eventId) => catalog.event(eventId),
    headOf: catalog.headOf,
    clock,
    late,
    wake,
  });
  const sources: DetailSources = {
    images,
    core: core.read,
    place: catalog.place,
    headOf: catalog.headOf,
    inPlay: catalog.inPlay,
  };

  let turn: NodeJS.Timeout | null = null;
  let turnedAt = 0;
  /** A frame goes out soon after a change, and never sooner than 100 ms after the last. */
  function wake(): void {
    if (turn !== null) return;
    turn = setTimeout(takeTurn, Math.max(GATHER_MS, turnedAt + TURN_MS - performance.now()));
    turn.unref();
  }
  function takeTurn(): void {
    turn = null;
    turnedAt = performance.now();
    prices.tick();
  }

  const offImages = images.onChange((change) => void dirtyRecords.add(change.eventId));
  const offCatalog = catalog.onChange((change) => {
    if (change.type === 'added') return;
    dirtyRecords.add(change.eventId);
    if (change.type === 'score') prices.scoreChanged(change.eventId);
    else prices.eventClosed(change.eventId);
  });

  nsp.on('connection', (socket) => {
    const asked = askedFor(socket);
    const ids = readMatchIds(asked.matchIdArray) ?? [];
    const outlet: Outlet = {
      world: entry.session(socket).world,
      writable: () => writable(socket),
      send(event, text: Text) {
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
    readers.set(socket, reader);
    socket.on('disconnect', () => {
      readers.delete(socket);
      prices.leave(outlet);
    });
    entry.listen(socket, reader.records ? recordEvents(reader.records) : frameEvents(socket, outlet, ids));
  });

  function recordEvents(records: Set<number>): Handlers {
    return {
      leaveAll: () => {
        records.clear();
        return null;
      },
      disconnectCricketData: (value) => leaveOne(value, (matchId) => records.delete(matchId)),
    };
  }

  function frameEvents(socket: Socket, outlet: Outlet, ids: number[]): Handlers {
    prices.watch(outlet, { full: [], head: [] });
    const first = setTimeout(() => prices.watch(outlet, { full: ids, head: [] }), FIRST_WATCH_MS);
    first.unref();
    socket.once('disconnect', () => clearTimeout(first));
    return {
      watch: (value) => {
        const asked = matchEmits.watch.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        clearTimeout(first);
        prices.watch(outlet, asked.data);
        return null;
      },
      resync: (value) => {
        const asked = matchEmits.resync.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        const ids = 'matchIds' in asked.data ? asked.data.matchIds : [asked.data.matchId];
        resyncs++;
        return prices.resync(outlet, ids) ? null : 'MATCH_UNKNOWN';
      },
      depth: (value) => {
        const asked = matchEmits.depth.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        const { marketId, runnerId, on } = asked.data;
        return prices.depth(outlet, marketId, runnerId, on) ? null : 'RUNNER_UNKNOWN';
      },
      leaveAll: () => {
        clearTimeout(first);
        prices.watch(outlet, { full: [], head: [] });
        return null;
      },
      disconnectCricketData: (value) =>
        leaveOne(value, (matchId) => {
          const without = (list: number[]) => list.filter((id) => id !== matchId);
          const { full, head } = prices.watched(outlet);
          prices.watch(outlet, { full: without(full), head: without(head) });
        }),
    };
  }

  /** Whole records, at most twice a second each, the latest only; one text for all who get the same. */
  function sendRecords(): void {
    const texts = new Map<string, Text>();
    for (const { records, missed, outlet } of readers.values()) {
      if (!records) continue;
      for (const id of records) if (dirtyRecords.has(id)) missed.add(id);
      if (missed.size === 0 || !outlet.writable()) continue;
      for (const id of missed) {
        const text = records.has(id) ? recordText(texts, outlet.world, id) : null;
        if (text) outlet.send(`liveData${id}`, text);
      }
      missed.clear();
    }
    dirtyRecords.clear();
  }

  function recordText(texts: Map<string, Text>, world: World, eventId: number): Text | null {
    const key = `${world}${eventId}`;
    const made = texts.get(key);
    if (made) return made;
    const live = catalog.event(eventId);
    if (!live) return null;
    const text: Text = { json: JSON.stringify(matchRecord(live, world, sources)), shared: true };
    texts.set(key, text);
    return text;
  }

  return {
    isWatched(eventId) {
      if (prices.isWatched(eventId)) return true;
      for (const { records } of readers.values()) if (records?.has(eventId)) return true;
      return false;
    },
    slowTurn() {
      sendRecords();
      // Slow readers catch up and silence is filled also when nothing changes.
      wake();
    },
    size: () => nsp.sockets.size,
    all: () => readers.keys(),
    resyncs: () => resyncs,
    close() {
      if (turn) clearTimeout(turn);
      offImages();
      offCatalog();
      prices.stop();
    },
  };
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
