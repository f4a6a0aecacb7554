/**
 * The sockets: the player's private events on `/`, prices on `/match`, and the card, expert and third-party endpoints. Authentication
 * in the handshake; an ended session closes its sockets at once; one slow reader never holds up another.
 */
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import {
  type ConditionalOrder,
  type LineEvent,
  type MainEvent,
  type OrderEvent,
  type PlacedBet,
  SOCKET_LIMITS,
} from '@fairgame/contract';
import type { Bet, ConditionalView } from '@fairgame/exchange';
import { Server, type Socket } from 'socket.io';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import type { Ask, Sessions } from '../http/http.ts';
import { type CardTables, cardSockets } from './card.ts';
import { socketParser } from './decoder.ts';
import { createEntry, type Entry, type EntryLimits, FAREWELL_MS } from './entry.ts';
import { expertSockets } from './expert.ts';
import { createGate, type Gate } from './gate.ts';
import { MainSockets } from './main.ts';
import { matchSockets } from './match.ts';
import { buffered, encode, sent, write } from './packet.ts';
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
  cards: CardTables & { tableOf(eventId: number): { name: string } | undefined };
}

export interface SocketLimits extends EntryLimits {
  /** Connections of one address. */
  perAddress: number;
}
/** Clients come back at this pace after the end of a server, within ten seconds at the latest. */
const RETURN_MS_EACH = 5;
const RETURN_MS_MOST = 10_000;
const SLICE_MS = 50;
const SLOW_TURN_MS = 500;

export function createLive(options: LiveOptions): Live {
  return new Sockets(options);
}

class Sockets implements Live {
  private readonly gate: Gate;
  private readonly io: Server;
  private readonly entry: Entry;
  private readonly main: MainSockets;
  private readonly match;
  private readonly thirdParty;
  private readonly cutSlow;
  private readonly ended: Record<string, number> = {};
  private readonly offs: Array<() => void>;
  private leaving = false;

  constructor(options: LiveOptions) {
    const { core, catalog, clock, log, auth, late } = options;
    const limits = { ...SOCKET_LIMITS, ...options.limits };
    this.gate = createGate({ ...options, perAddress: limits.perAddress });
    this.io = openServer(options, this.gate, {
      leaving: () => this.leaving,
      ended: (reason) => {
        this.ended[reason] = (this.ended[reason] ?? 0) + 1;
      },
    });
    const entry = createEntry(this.io, auth, limits, log);
    this.entry = entry;
    this.cutSlow = createCutter(log, (socket) => entry.session(socket).userId);
    this.match = matchSockets({ entry, core, catalog, clock, late });
    this.main = new MainSockets(options, entry, this.gate);
    const offEnded = auth.onEnded((sessionIds, userId, reason) => this.endSessions(sessionIds, userId, reason));
    cardSockets(entry, options.cards);
    const offExpert = expertSockets(entry, catalog);
    this.thirdParty = thirdPartySockets(entry, catalog);
    const slowTurn = setInterval(() => this.slowTurn(), SLOW_TURN_MS);
    slowTurn.unref();
    this.offs = [() => clearInterval(slowTurn), offEnded, offExpert];
  }

  tell(accountId: number, event: MainEvent | OrderEvent, payload: Record<string, unknown>): void {
    this.main.tell(accountId, event, payload);
  }

  refreshAll(): void {
    this.main.tellAll('hardRefreshAll', {});
  }

  reasonChanged(change: { accountId: number; betId: number; marketId: number; reason: string }): void {
    this.main.reasonChanged(change);
  }

  profileChanged(accountId: number): void {
    this.main.tell(accountId, 'updateUserBalance', {});
  }

  isHere(accountId: number): boolean {
    return this.main.endpoint.accounts.has(accountId);
  }

  isWatched(eventId: number): boolean {
    return this.match.isWatched(eventId);
  }

  sockets(): { main: number; match: number } {
    return { main: this.main.endpoint.nsp.sockets.size, match: this.match.size() };
  }

  counts(): ReturnType<Live['counts']> {
    const { entry, match, ended } = this;
    return {
      // Each is counted when it is read: a scrape reads them one by one.
      get open() {
        return Object.fromEntries(Array.from(entry.endpoints(), ({ nsp }) => [nsp.name, nsp.sockets.size]));
      },
      ended,
      get carried() {
        return carriedBy(entry);
      },
      resyncs: match.resyncs(),
      messages: { in: entry.came(), out: sent },
      get buffered() {
        return Array.from(match.all(), buffered);
      },
    };
  }

  sendAway(afterMs: number): void {
    this.leaving = true;
    const { sockets } = this.main.endpoint.nsp;
    const spread = Math.min(RETURN_MS_MOST, sockets.size * RETURN_MS_EACH);
    for (const socket of sockets.values())
      socket.emit('reconnectSoon' satisfies LineEvent, { afterMs: Math.round(afterMs + Math.random() * spread) });
  }

  async close(): Promise<void> {
    this.leaving = true;
    await closeTransports(this.io);
    for (const off of this.offs) off();
    this.main.close();
    this.match.close();
    this.thirdParty.close();
    // Those that are left; the HTTP server is closed by its owner.
    this.io.engine.close();
  }

  private endSessions(sessionIds: readonly string[], userId: number, reason: string): void {
    const ended = new Set(sessionIds);
    for (const endpoint of this.entry.endpoints()) {
      const isMain = endpoint === this.main.endpoint;
      for (const socket of endpoint.accounts.get(userId) ?? []) {
        if (!ended.has(this.entry.session(socket).sessionId)) continue;
        if (isMain) sayFarewell(socket, reason);
        setTimeout(() => socket.disconnect(true), isMain ? FAREWELL_MS : 0).unref();
      }
    }
  }

  private slowTurn(): void {
    this.match.slowTurn();
    this.thirdParty.turn();
    this.main.tellAdded();
    for (const { nsp } of this.entry.endpoints()) {
      this.cutSlow(nsp.sockets.values());
      // A session that ran out by itself, before anybody was told.
      for (const socket of nsp.sockets.values()) if (this.entry.session(socket).ended) socket.disconnect(true);
    }
  }
}

function sayFarewell(socket: Socket, reason: string): void {
  const message = reason === 'forced' ? 'You were signed out by the site.' : 'Your session has ended.';
  write(socket, encode('/', 'logoutUserForce', JSON.stringify({ n: 0, message, reason }), false));
}

function carriedBy(entry: Entry): Record<string, number> {
  const lines = new Set<Socket['conn']>();
  for (const { nsp } of entry.endpoints()) for (const { conn } of nsp.sockets.values()) lines.add(conn);
  const carried: Record<string, number> = { websocket: 0, polling: 0 };
  for (const { transport } of lines) carried[transport.name] = (carried[transport.name] ?? 0) + 1;
  return carried;
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
    parser: socketParser,
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
