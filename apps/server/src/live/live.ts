/**
 * The sockets: the player's private events on `/`, prices on `/match`, and the card and expert endpoints. Authentication
 * in the handshake; an ended session closes its sockets at once; one slow reader never holds up another.
 */
import type { Server as HttpServer } from 'node:http';
import { type ErrorCode, type MainEvent, mainEmits, matchEmits, type PlacedBet } from '@fairgame/contract';
import type { Bet } from '@fairgame/exchange';
import { type Namespace, Server, type Socket } from 'socket.io';
import { type Catalog, type DetailSources, isNumber, matchRecord, resultText } from '../catalog/catalog.ts';
import type { Core, World } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import type { Session, Sessions } from '../http/http.ts';
import { createGate, createMeter, readMatchIds } from './gate.ts';
import { buffered, encode, type Packet, writable, write } from './packet.ts';
import { createPrices, type Outlet, type Text } from './prices.ts';
import { privateEvents } from './private.ts';

export interface Live {
  /** Every client reloads, spread by itself over half a minute. */
  refreshAll(): void;
  /** The text of a taken-out bet changed. */
  reasonChanged(change: { accountId: number; betId: number; marketId: number; reason: string }): void;
  /** Whether anybody looks at the event. */
  isWatched(eventId: number): boolean;
  sockets(): { main: number; match: number };
  close(): Promise<void>;
}

export interface LiveOptions {
  httpServer: HttpServer;
  auth: Sessions & {
    onEnded(listener: (sessionIds: string[], userId: number, reason: string) => void): () => void;
  };
  core: Core;
  catalog: Catalog;
  placedBet: (bet: Bet) => PlacedBet;
  clock: () => number;
  log: Log;
  publicOrigin: string | undefined;
  extraOrigins: readonly string[];
  trustProxy: readonly string[];
  limits?: Partial<SocketLimits>;
  /** Prices are known to be old. */
  late: () => boolean;
}

export interface SocketLimits {
  /** Of one account, in one namespace. */
  perAccount: number;
  perAddress: number;
  eventsPerSecond: number;
}
const LIMITS: SocketLimits = { perAccount: 5, perAddress: 20, eventsPerSecond: 20 };
const MOST_ROOMS = 60;
const TURN_MS = 100;
/** The changes of one moment come in several commits. */
const GATHER_MS = 10;
const RECORD_MS = 500;
/** A client with frames says at once what it watches; until then nothing is sent, and then everything it named. */
const FIRST_WATCH_MS = 200;
const SLOW_BYTES = 1_000_000;
const SLOW_MS = 30_000;
/** After the word that the session is over, so that it arrives before the end. */
const FAREWELL_MS = 200;

interface Known {
  session: Session;
  meter: () => boolean;
}

export function createLive(options: LiveOptions): Live {
  const { core, catalog, clock, log, auth } = options;
  const { images } = catalog;
  const limits = { ...LIMITS, ...options.limits };
  const gate = createGate({ ...options, perAddress: limits.perAddress });
  const io = new Server(options.httpServer, {
    serveClient: false,
    transports: ['polling', 'websocket'],
    maxHttpBufferSize: 32 * 1024,
    connectTimeout: 10_000,
    pingInterval: 15_000,
    pingTimeout: 15_000,
    allowEIO3: false,
    perMessageDeflate: false,
    httpCompression: false,
    cors: { origin: options.extraOrigins.length > 0 ? [...options.extraOrigins] : false },
    allowRequest: (req, answer) => {
      const reason = gate.refuse(req);
      if (reason !== null) log.info({ security: 'socket.refused', reason, ip: gate.addressOf(req) }, 'security');
      answer(reason, reason === null);
    },
  });
  io.engine.on('connection', (conn: { request: Parameters<typeof gate.addressOf>[0]; on: EventOn }) => {
    const address = gate.addressOf(conn.request);
    gate.opened(address);
    conn.on('close', () => gate.closed(address));
    conn.on('error', (error) => log.info({ err: error }, 'socket transport'));
  });
  io.engine.on('connection_error', () => {
    // Refused handshakes and broken frames: counted by who refused them, never fatal.
  });
  /** Sockets by account, per namespace; they are few. */
  const byAccount = new Map<string, Map<number, Set<Socket>>>();
  const known = new WeakMap<Socket, Known>();
  const numbers = new Map<number, number>();

  const main = namespace('/');
  const match = namespace('/match');
  const card = namespace('/card');
  const expert = namespace('/expert');

  function namespace(name: string): Namespace {
    const nsp = io.of(name);
    const accounts = new Map<number, Set<Socket>>();
    byAccount.set(name, accounts);
    nsp.use((socket, next) => {
      const refusal = (name === '/match' ? misread(socket) : null) ?? admit(socket, accounts);
      if (refusal === null) return next();
      next(Object.assign(new Error(refusal), { data: { code: refusal } }));
    });
    nsp.on('connection', (socket) => {
      const { session } = known.get(socket)!;
      const set = accounts.get(session.accountId) ?? new Set();
      accounts.set(session.accountId, set.add(socket));
      socket.on('error', (error) => log.info({ err: error }, 'socket'));
      socket.on('disconnect', () => {
        set.delete(socket);
        if (set.size === 0 && accounts.get(session.accountId) === set) accounts.delete(session.accountId);
        if (name === '/' && set.size === 0) numbers.delete(session.accountId);
      });
    });
    return nsp;
  }

  /** The query of a match socket: ids of matches, and the one role a player has. */
  function misread({ handshake: { query } }: Socket): ErrorCode | null {
    const role = query.roleName === undefined || query.roleName === 'user';
    return role && readMatchIds(query.matchIdArray) !== null ? null : 'BAD_INPUT';
  }

  function admit(socket: Socket, accounts: Map<number, Set<Socket>>): ErrorCode | null {
    const token: unknown = (socket.handshake.auth as Record<string, unknown>).token;
    if (typeof token !== 'string' || token.length > 200) return 'NOT_SIGNED_IN';
    const session = auth.sessionOf(token);
    if (!session) return 'SESSION_ENDED';
    if (session.pending) return 'CODE_REQUIRED';
    if (session.forceChangePassword) return 'PASSWORD_CHANGE_REQUIRED';
    if (session.role !== 'user') return 'NOT_ALLOWED';
    if ((accounts.get(session.accountId)?.size ?? 0) >= limits.perAccount) return 'RATE_LIMITED';
    known.set(socket, { session, meter: createMeter(limits.eventsPerSecond, () => performance.now()) });
    return null;
  }

  /** Listens to the named events only, each with a closed shape; anything else is answered with an error and logged. */
  function listen(socket: Socket, handlers: Record<string, (value: unknown) => ErrorCode | null>): void {
    const { session, meter } = known.get(socket)!;
    socket.onAny((name: string, ...args: unknown[]) => {
      const last = args.at(-1);
      const answer = typeof last === 'function' ? (last as (reply: object) => void) : () => {};
      if (!meter()) {
        log.info({ security: 'socket.flood', user: session.userId }, 'security');
        answer({ error: 'RATE_LIMITED' });
        socket.disconnect(true);
        return;
      }
      const values = typeof last === 'function' ? args.slice(0, -1) : args;
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      const error = handler && values.length <= 1 ? handler(values[0]) : 'BAD_INPUT';
      if (error !== null)
        log.info({ security: 'socket.refused', event: name.slice(0, 40), error, user: session.userId }, 'security');
      answer(error === null ? { ok: true } : { error });
    });
  }

  // --------------------------------------------------------------------------------------------- private events

  main.on('connection', (socket) => {
    listen(socket, {
      matchRoom: (value) => {
        const asked = mainEmits.matchRoom.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        if (socket.rooms.size > MOST_ROOMS) return 'RATE_LIMITED';
        void socket.join(`match:${asked.data.id}`);
        return null;
      },
    });
  });

  function tell(accountId: number, event: MainEvent, payload: Record<string, unknown>): void {
    const sockets = byAccount.get('/')!.get(accountId);
    if (!sockets) return;
    const n = (numbers.get(accountId) ?? 0) + 1;
    numbers.set(accountId, n);
    const packet = encode('/', event, JSON.stringify({ n, ...payload }), sockets.size > 1);
    for (const socket of sockets) write(socket, packet);
  }

  /** To all who are signed in; n 0 says that it is not one of the player's own numbered events. */
  function tellAll(event: MainEvent, payload: Record<string, unknown>): void {
    main.emit(event, { n: 0, ...payload });
  }

  const sources = {
    listens: (accountId: number) => byAccount.get('/')!.has(accountId),
    market(marketId: number) {
      const view = images.view(marketId);
      const place = catalog.place(marketId);
      const eventId = view?.eventId ?? place?.eventId ?? 0;
      return {
        kind: view?.kind ?? place?.kind ?? ('book' as const),
        name: view?.name ?? place?.name ?? '',
        eventId,
        eventName: catalog.event(eventId)?.event.title ?? '',
        marketType: place?.marketType ?? '',
      };
    },
    placedBet: options.placedBet,
    isNumber,
    resultText(marketId: number) {
      const view = images.view(marketId);
      return view ? resultText(view) : '';
    },
  };
  const offCommitted = core.onCommitted((batch) => {
    for (const item of batch.items) {
      for (const { accountId, event, payload } of privateEvents(item, sources)) {
        if (accountId === null) tellAll(event, payload);
        else tell(accountId, event, payload);
      }
    }
  });
  const offCatalog = catalog.onChange((change) => {
    if (change.type === 'score') prices.scoreChanged(change.eventId);
    else if (change.type === 'added') added.add(change.eventId);
    else prices.eventClosed(change.eventId);
    if (change.type !== 'added') dirtyRecords.add(change.eventId);
  });
  /** New events are told together: a feed often brings several at once. */
  const added = new Set<number>();

  const offEnded = auth.onEnded((sessionIds, userId, reason) => {
    const ended = new Set(sessionIds);
    for (const [name, accounts] of byAccount) {
      for (const socket of accounts.get(userId) ?? []) {
        if (!ended.has(known.get(socket)!.session.sessionId)) continue;
        if (name === '/') {
          const message = reason === 'forced' ? 'You were signed out by the site.' : 'Your session has ended.';
          write(socket, encode('/', 'logoutUserForce', JSON.stringify({ n: 0, message, reason }), false));
        }
        // A little later, so that the word arrives first.
        setTimeout(() => socket.disconnect(true), name === '/' ? FAREWELL_MS : 0).unref();
      }
    }
  });

  // ---------------------------------------------------------------------------------------------------- prices

  const prices = createPrices({
    images,
    event: (eventId) => catalog.event(eventId),
    headOf: catalog.headOf,
    clock,
    late: options.late,
    wake,
  });

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
  interface Reader {
    socket: Socket;
    outlet: Outlet;
    slowSince: number;
    /** Without frames: the matches it gets whole records of. */
    records: Set<number> | null;
    missedRecords: Set<number>;
  }
  const readers = new Map<Socket, Reader>();
  const dirtyRecords = new Set<number>();
  const offImages = images.onChange((change) => void dirtyRecords.add(change.eventId));
  const detailSources: DetailSources = {
    images,
    core: core.read,
    place: catalog.place,
    headOf: catalog.headOf,
    inPlay: catalog.inPlay,
  };

  match.on('connection', (socket) => {
    const { session } = known.get(socket)!;
    const query = socket.handshake.query;
    const ids = readMatchIds(query.matchIdArray) ?? [];
    const outlet: Outlet = {
      world: session.world,
      writable: () => writable(socket),
      send(event, text: Text) {
        text.cache ??= encode('/match', event, text.json, text.shared);
        write(socket, text.cache as Packet);
      },
    };
    const reader: Reader = { socket, outlet, slowSince: 0, records: null, missedRecords: new Set() };
    readers.set(socket, reader);
    socket.on('disconnect', () => {
      readers.delete(socket);
      prices.leave(outlet);
    });
    if (query.frames === '1') {
      prices.watch(outlet, { full: [], head: [] });
      const first = setTimeout(() => prices.watch(outlet, { full: ids, head: [] }), FIRST_WATCH_MS);
      first.unref();
      socket.once('disconnect', () => clearTimeout(first));
      listen(socket, frameEvents(outlet, first));
      return;
    }
    const records = new Set(ids);
    reader.records = records;
    for (const id of ids) reader.missedRecords.add(id);
    listen(socket, {
      leaveAll: () => {
        records.clear();
        return null;
      },
      disconnectCricketData: (value) => {
        const asked = matchEmits.disconnectCricketData.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        records.delete(asked.data.matchId);
        return null;
      },
    });
  });

  function frameEvents(outlet: Outlet, first: NodeJS.Timeout): Record<string, (value: unknown) => ErrorCode | null> {
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
        return prices.resync(outlet, asked.data.matchId) ? null : 'MATCH_UNKNOWN';
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
      disconnectCricketData: (value) => {
        const asked = matchEmits.disconnectCricketData.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        const without = (list: number[]) => list.filter((id) => id !== asked.data.matchId);
        const { full, head } = prices.watched(outlet);
        prices.watch(outlet, { full: without(full), head: without(head) });
        return null;
      },
    };
  }

  /** Whole records for clients that know no frames, at most twice a second each, the latest only. */
  function sendRecords(): void {
    const texts = new Map<string, Text>();
    const text = (world: World, eventId: number): Text | null => {
      const key = `${world}${eventId}`;
      const made = texts.get(key);
      if (made) return made;
      const live = catalog.event(eventId);
      if (!live) return null;
      const fresh: Text = { json: JSON.stringify(matchRecord(live, world, detailSources)), shared: true };
      texts.set(key, fresh);
      return fresh;
    };
    for (const { records, missedRecords, outlet } of readers.values()) {
      if (!records) continue;
      for (const id of records) if (dirtyRecords.has(id)) missedRecords.add(id);
      if (missedRecords.size === 0 || !outlet.writable()) continue;
      for (const id of missedRecords) {
        const record = records.has(id) ? text(outlet.world, id) : null;
        if (record) outlet.send(`liveData${id}`, record);
      }
      missedRecords.clear();
    }
    dirtyRecords.clear();
  }

  /** A reader that takes nothing for half a minute, or has a megabyte waiting, is cut off: it will ask for images. */
  function cutSlow(): void {
    const now = performance.now();
    for (const reader of readers.values()) {
      if (reader.outlet.writable()) reader.slowSince = 0;
      else if (reader.slowSince === 0) reader.slowSince = now;
      if (buffered(reader.socket) > SLOW_BYTES || (reader.slowSince > 0 && now - reader.slowSince > SLOW_MS)) {
        log.info({ user: known.get(reader.socket)?.session.userId }, 'a slow reader is cut off');
        reader.socket.disconnect(true);
      }
    }
  }

  // -------------------------------------------------------------------------------------------- other endpoints

  // No card table is open and the expert's panel is not the player's: each says so on joining (OPN-43).
  card.on('connection', (socket) => {
    listen(socket, {});
    socket.emit('snapshot', { n: 0, tables: [] });
  });
  let expertNumber = 0;
  const offExpert = catalog.onChange((change) => {
    if (change.type === 'score') return;
    expertNumber += 1;
    expert.emit('change', { n: expertNumber, type: change.type, matchId: change.eventId });
  });
  expert.on('connection', (socket) => {
    listen(socket, {});
    const matches = catalog.openEvents().map((live) => ({ id: live.id, matchType: live.matchType }));
    socket.emit('snapshot', { n: expertNumber, matches });
  });

  const slowTurn = setInterval(() => {
    sendRecords();
    cutSlow();
    // Slow readers catch up and silence is filled also when nothing changes.
    wake();
    if (added.size > 0) {
      tellAll('addMatch', { matchIds: [...added].slice(0, 100) });
      added.clear();
    }
    // A session that ran out by itself, before anybody noticed.
    for (const accounts of byAccount.values())
      for (const set of accounts.values())
        for (const socket of set) if (known.get(socket)!.session.ended) socket.disconnect(true);
  }, RECORD_MS);
  slowTurn.unref();

  return {
    refreshAll: () => tellAll('hardRefreshAll', {}),
    reasonChanged({ accountId, betId, marketId, reason }) {
      tell(accountId, 'updateDeleteReason', {
        matchId: sources.market(marketId).eventId,
        betId: marketId,
        betIds: [betId],
        deleteReason: reason,
      });
    },
    isWatched: (eventId) => prices.isWatched(eventId),
    sockets: () => ({ main: main.sockets.size, match: match.sockets.size }),
    async close() {
      if (turn) clearTimeout(turn);
      clearInterval(slowTurn);
      for (const off of [offCommitted, offCatalog, offEnded, offImages, offExpert]) off();
      prices.stop();
      io.disconnectSockets(true);
      // Closes the transports only; the HTTP server is closed by its owner.
      io.engine.close();
      await Promise.resolve();
    },
  };
}

type EventOn = (event: string, listener: (value?: unknown) => void) => void;
