/**
 * The sockets: the player's private events on `/`, prices on `/match`, and the card, expert and third-party endpoints. Authentication
 * in the handshake; an ended session closes its sockets at once; one slow reader never holds up another.
 */
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import {
  CARD_TABLES_AT_ONCE,
  type ConditionalOrder,
  cardEmits,
  type LineEvent,
  type MainEvent,
  mainEmits,
  type OrderEvent,
  type PlacedBet,
  SOCKET_LIMITS,
} from '@fairgame/contract';
import type { Bet, ConditionalView, MarketView } from '@fairgame/exchange';
import { Server, type Socket } from 'socket.io';
import { type Catalog, isNumber, resultText } from '../catalog/catalog.ts';
import type { Core, World } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import { type Ask, deviceOf, type Sessions } from '../http/http.ts';
import { createEntry, type EntryLimits, FAREWELL_MS } from './entry.ts';
import { createGate, type Gate } from './gate.ts';
import { matchSockets } from './match.ts';
import { createOutbox } from './outbox.ts';
import { buffered, encode, sent, write } from './packet.ts';
import { privateEvents, type Told } from './private.ts';
import { createCutter } from './slow.ts';
import { thirdPartySockets } from './third-party.ts';

export interface Live {
  /** One of the player's own events, with his next running number; nothing when he has no socket. */
  tell(accountId: number, event: MainEvent | OrderEvent, payload: Record<string, unknown>): void;
  /** Every client reloads, spread by itself over half a minute. */
  refreshAll(): void;
  /** The text of a taken-out bet changed. */
  reasonChanged(change: { accountId: number; betId: number; marketId: number; reason: string }): void;
  /** The player's account changed in another way than by money: his screens read the profile again. */
  profileChanged(accountId: number): void;
  /** Whether the account has an open socket. */
  isHere: (accountId: number) => boolean;
  /** Whether anybody looks at the event. */
  isWatched: (eventId: number) => boolean;
  sockets(): { main: number; match: number };
  /** For metrics. */
  counts(): {
    open: Record<string, number>;
    ended: Record<string, number>;
    carried: Record<string, number>;
    resyncs: number;
    messages: Record<'in' | 'out', Record<string, number>>;
    buffered: number[];
  };
  /**
   * This server is about to end: no new socket is let in, and each player's is told when to come back, the first after
   * `afterMs`, the last a little later, so that the next server is not met by all at once. Nothing is cut yet.
   */
  sendAway(afterMs: number): void;
  /** Closes the transports, so that clients come back by themselves; many of them in slices. */
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
  conditionalOrder: (view: ConditionalView) => ConditionalOrder;
  clock: () => number;
  log: Log;
  publicOrigin: string | undefined;
  extraOrigins: readonly string[];
  trustProxy: readonly string[];
  limits?: Partial<SocketLimits>;
  /** Prices are known to be old. */
  late: () => boolean;
  /** Whether clients may come without a WebSocket, by one request after another. */
  polling: boolean;
  /** Makes a call that came over a socket. */
  ask: Ask;
  /** The card tables, followed on `/card`; null where there is none of that code. */
  cards: {
    follow(code: string, world: World, tell: (event: string, data: unknown) => void): (() => void) | null;
    tableOf(eventId: number): { name: string } | undefined;
  };
}

export interface SocketLimits extends EntryLimits {
  /** Connections of one address. */
  perAddress: number;
}
const MOST_ROOMS = 60;
/** Clients come back at this pace after the end of a server, within ten seconds at the latest. */
const RETURN_MS_EACH = 5;
const RETURN_MS_MOST = 10_000;
const SLICE_MS = 50;
const SLOW_TURN_MS = 500;

const roomName = (matchId: number): string => `match:${matchId}`;

const resultOf = (view: MarketView | undefined): string => (view ? resultText(view) : '');

export function createLive(options: LiveOptions): Live {
  const { core, catalog, clock, log, auth, cards } = options;
  const { images } = catalog;
  const limits = { ...SOCKET_LIMITS, ...options.limits };
  let leaving = false;
  const gate = createGate({ ...options, perAddress: limits.perAddress });
  const ended: Record<string, number> = {};
  const io = openServer(options, gate, {
    leaving: () => leaving,
    ended(reason) {
      ended[reason] = (ended[reason] ?? 0) + 1;
    },
  });
  const entry = createEntry(io, auth, limits, log);
  const cutSlow = createCutter(log, (socket) => entry.session(socket).userId);
  const main = entry.endpoint('/');
  const outbox = createOutbox();
  const match = matchSockets({ entry, core, catalog, clock, late: options.late });
  /** The player's running numbers, while he has a socket. */
  const numbers = new Map<number, number>();
  /** New events are told together: a feed often brings several at once. */
  const added = new Set<number>();

  main.nsp.on('connection', (socket) => {
    const from = {
      token: entry.token(socket),
      ip: gate.addressOf(socket.request),
      device: deviceOf(socket.request.headers['user-agent']),
    };
    outbox.answers(socket);
    entry.listen(socket, {
      call: (message) => options.ask(from, message),
      matchRoom: (value) => {
        const asked = mainEmits.matchRoom.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        void socket.join(roomName(asked.data.id));
        // The first is the socket's own; after it the one joined longest ago is on no screen any more.
        const [, oldest] = socket.rooms;
        if (oldest !== undefined && socket.rooms.size > MOST_ROOMS + 1) void socket.leave(oldest);
        return null;
      },
    });
    const { accountId } = entry.session(socket);
    socket.on('disconnect', () => {
      if (!main.accounts.has(accountId)) numbers.delete(accountId);
    });
  });

  // --------------------------------------------------------------------------------------------- private events

  function tell(accountId: number, event: Told['event'], payload: Told['payload'], placed?: Told['placed']): void {
    const sockets = main.accounts.get(accountId);
    if (!sockets) return;
    const n = (numbers.get(accountId) ?? 0) + 1;
    numbers.set(accountId, n);
    const packet = encode('/', event, textOf({ n, ...payload }, placed), sockets.size > 1);
    for (const socket of sockets) outbox.push(socket, packet);
  }

  /** To all who are signed in; n 0 says that it is not one of the player's own numbered events. */
  function tellAll(event: Told['event'], payload: Record<string, unknown>): void {
    outbox.flush();
    main.nsp.emit(event, { n: 0, ...payload });
  }

  const sources = {
    listens: (accountId: number) => main.accounts.has(accountId),
    market(marketId: number) {
      const view = images.view(marketId);
      const place = catalog.place(marketId);
      const eventId = view?.eventId ?? place?.eventId ?? 0;
      return {
        kind: view?.kind ?? place?.kind ?? ('book' as const),
        name: view?.name ?? place?.name ?? '',
        eventId,
        eventName: catalog.event(eventId)?.event.title ?? cards.tableOf(eventId)?.name ?? '',
        marketType: place?.marketType ?? view?.kind ?? '',
      };
    },
    placedBet: options.placedBet,
    conditionalOrder: options.conditionalOrder,
    isNumber,
    resultText(marketId: number) {
      return resultOf(images.view(marketId));
    },
    isDeclared: (eventId: number) =>
      images.marketsOf(eventId).every((marketId) => images.view(marketId)?.status === 'CLOSED'),
  };
  const offCommitted = core.onCommitted((batch) => {
    // The last of a commit says it all.
    const balances = new Map<number, Told['payload']>();
    for (const item of batch.items) {
      for (const { accountId, roomOf, event, payload, placed } of privateEvents(item, sources)) {
        if (accountId !== null && event === 'updateUserBalance') balances.set(accountId, payload);
        else if (accountId !== null) tell(accountId, event, payload, placed);
        else if (roomOf === undefined) tellAll(event, payload);
        else {
          outbox.flush();
          main.nsp.to(roomName(roomOf)).emit(event, { n: 0, ...payload });
        }
      }
    }
    for (const [accountId, payload] of balances) tell(accountId, 'updateUserBalance', payload);
  });

  const offEnded = auth.onEnded((sessionIds, userId, reason) => {
    const ended = new Set(sessionIds);
    for (const endpoint of entry.endpoints()) {
      for (const socket of endpoint.accounts.get(userId) ?? []) {
        if (!ended.has(entry.session(socket).sessionId)) continue;
        if (endpoint === main) {
          const message = reason === 'forced' ? 'You were signed out by the site.' : 'Your session has ended.';
          write(socket, encode('/', 'logoutUserForce', JSON.stringify({ n: 0, message, reason }), false));
        }
        setTimeout(() => socket.disconnect(true), endpoint === main ? FAREWELL_MS : 0).unref();
      }
    }
  });

  // -------------------------------------------------------------------------------------------- other endpoints

  // A card socket follows a few tables; the expert's panel is not the player's (OPN-43).
  const card = entry.endpoint('/card');
  card.nsp.on('connection', (socket) => {
    /** By code, the one joined first in front. */
    const leaves = new Map<string, () => void>();
    const leave = (code: string) => {
      leaves.get(code)?.();
      leaves.delete(code);
    };
    const leaveAll = () => [...leaves.keys()].forEach(leave);
    socket.on('disconnect', leaveAll);
    entry.listen(socket, {
      joinTable: (value) => {
        const asked = cardEmits.joinTable.safeParse(value);
        if (!asked.success) return 'BAD_INPUT';
        const { code } = asked.data;
        leave(code);
        const off = cards.follow(code, entry.session(socket).world, (event, data) => socket.emit(event, data));
        if (!off) return 'MATCH_UNKNOWN';
        leaves.set(code, off);
        if (leaves.size > CARD_TABLES_AT_ONCE) leave(leaves.keys().next().value!);
        return null;
      },
      leaveTable: (value) => {
        const asked = cardEmits.leaveTable.safeParse(value ?? {});
        if (!asked.success) return 'BAD_INPUT';
        if (asked.data.code === undefined) leaveAll();
        else leave(asked.data.code);
        return null;
      },
    });
  });
  const expert = entry.endpoint('/expert');
  let expertNumber = 0;
  expert.nsp.on('connection', (socket) => {
    entry.listen(socket, {});
    const matches = catalog.openEvents().map((live) => ({ id: live.id, matchType: live.matchType }));
    socket.emit('snapshot', { n: expertNumber, matches });
  });
  const thirdParty = thirdPartySockets(entry, catalog);
  const offCatalog = catalog.onChange((change) => {
    if (change.type === 'score') return;
    if (change.type === 'added') added.add(change.eventId);
    expertNumber += 1;
    expert.nsp.emit('change', { n: expertNumber, type: change.type, matchId: change.eventId });
  });

  const slowTurn = setInterval(() => {
    match.slowTurn();
    thirdParty.turn();
    if (added.size > 0) {
      tellAll('addMatch', { matchIds: [...added].slice(0, 100) });
      added.clear();
    }
    for (const { nsp } of entry.endpoints()) {
      cutSlow(nsp.sockets.values());
      // A session that ran out by itself, before anybody was told.
      for (const socket of nsp.sockets.values()) if (entry.session(socket).ended) socket.disconnect(true);
    }
  }, SLOW_TURN_MS);
  slowTurn.unref();

  return {
    tell,
    refreshAll: () => tellAll('hardRefreshAll', {}),
    reasonChanged({ accountId, betId, marketId, reason }) {
      const matchId = sources.market(marketId).eventId;
      tell(accountId, 'updateDeleteReason', { matchId, betId: marketId, betIds: [betId], deleteReason: reason });
    },
    profileChanged: (accountId) => tell(accountId, 'updateUserBalance', {}),
    isHere: (accountId) => main.accounts.has(accountId),
    isWatched: (eventId) => match.isWatched(eventId),
    sockets: () => ({ main: main.nsp.sockets.size, match: match.size() }),
    counts: () => ({
      // Each is counted when it is read: a scrape reads them one by one.
      get open() {
        return Object.fromEntries(Array.from(entry.endpoints(), ({ nsp }) => [nsp.name, nsp.sockets.size]));
      },
      ended,
      get carried() {
        const lines = new Set<Socket['conn']>();
        for (const { nsp } of entry.endpoints()) for (const { conn } of nsp.sockets.values()) lines.add(conn);
        const carried: Record<string, number> = { websocket: 0, polling: 0 };
        for (const { transport } of lines) carried[transport.name] = (carried[transport.name] ?? 0) + 1;
        return carried;
      },
      resyncs: match.resyncs(),
      messages: { in: entry.came(), out: sent },
      get buffered() {
        return Array.from(match.all(), buffered);
      },
    }),
    sendAway(afterMs) {
      leaving = true;
      const spread = Math.min(RETURN_MS_MOST, main.nsp.sockets.size * RETURN_MS_EACH);
      for (const socket of main.nsp.sockets.values())
        socket.emit('reconnectSoon' satisfies LineEvent, { afterMs: Math.round(afterMs + Math.random() * spread) });
    },
    async close() {
      leaving = true;
      await closeTransports(io);
      clearInterval(slowTurn);
      for (const off of [offCommitted, offEnded, offCatalog]) off();
      match.close();
      thirdParty.close();
      // Those that are left; the HTTP server is closed by its owner.
      io.engine.close();
    },
  };
}

/** Of bets that are told twice in an event the text is made once. */
function textOf(payload: Told['payload'], placed: Told['placed']): string {
  const text = JSON.stringify(payload);
  if (!placed) return text;
  const bets = placed.map((bet) => JSON.stringify(bet));
  return `${text.slice(0, -1)},"bet":${bets.at(-1)},"bets":[${bets.join(',')}]}`;
}

/**
 * Not by the word of goodbye of the protocol: after that a client of Socket.IO does not come back by itself, after a transport
 * that is gone it does.
 */
async function closeTransports(io: Server): Promise<void> {
  const { clients } = io.engine as unknown as { clients: Record<string, { close(discard: boolean): void }> };
  const left = Object.values(clients);
  const slices = Math.max(1, Math.min(RETURN_MS_MOST, left.length * RETURN_MS_EACH) / SLICE_MS / 2);
  const each = Math.ceil(left.length / slices);
  while (left.length > 0) {
    for (const client of left.splice(0, each)) client.close(true);
    if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, SLICE_MS));
  }
}

/** The socket server on the site's own port, with the limits of trust SEC-W1 to SEC-W4. */
function openServer(
  options: LiveOptions,
  gate: Gate,
  life: { leaving: () => boolean; ended: (reason: string) => void },
): Server {
  const { log, extraOrigins, polling } = options;
  const io = new Server(options.httpServer, {
    serveClient: false,
    transports: polling ? ['polling', 'websocket'] : ['websocket'],
    maxHttpBufferSize: SOCKET_LIMITS.messageBytes,
    connectTimeout: 10_000,
    pingInterval: 15_000,
    pingTimeout: 15_000,
    allowEIO3: false,
    perMessageDeflate: false,
    httpCompression: false,
    cors: { origin: extraOrigins.length > 0 ? [...extraOrigins] : false },
    allowRequest: (req, answer) => {
      const reason = life.leaving() ? 'restarting' : gate.refuse(req);
      if (reason !== null) log.info({ security: 'socket.refused', reason, ip: gate.addressOf(req) }, 'security');
      answer(reason, reason === null);
    },
  });
  io.engine.on('connection', (conn: { request: IncomingMessage; on: EventOn }) => {
    const address = gate.addressOf(conn.request);
    gate.opened(address);
    conn.on('close', (reason) => {
      gate.closed(address);
      life.ended(String(reason));
    });
    conn.on('error', (error) => log.info({ err: error }, 'socket transport'));
  });
  io.engine.on('connection_error', () => {
    // Refused handshakes and broken frames: told where they were refused, never fatal.
  });
  return io;
}

type EventOn = (event: string, listener: (value?: unknown) => void) => void;
