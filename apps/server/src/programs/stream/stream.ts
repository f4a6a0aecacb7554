/** The stream of programs: markets and orders as they change, as lines over TLS and over WebSockets. */
import { randomBytes } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { WebSocketServer } from 'ws';
import type { ProgramsSettings } from '../../config.ts';
import type { Core } from '../../core/types.ts';
import type { Log } from '../../db/db.ts';
import { networkOf } from '../../http/address.ts';
import type { Http } from '../../http/http.ts';
import type { Caller, Entry } from '../entry.ts';
import type { ProgramMarkets } from '../markets.ts';
import type { ProgramMeter, StreamFigures } from '../meter.ts';
import type { ProgramOrders } from '../orders.ts';
import { Connection, type Doorkeeper, MOST_LINE, SUBSCRIBE_MS } from './connection.ts';
import type { Tapes } from './tapes.ts';
import { socketWire, type Wire, webSocketWire } from './wire.ts';

/** Of the programs' listener. */
const STREAM_PATH = '/stream';
const MOST_CONNECTIONS = 2000;
const MOST_OF_ADDRESS = 50;
/** Of one account under one key. */
const MOST_OF_KEY = 10;
const TICK_MS = 100;
const LOOK_MS = 1000;

export interface StreamParts {
  settings: ProgramsSettings;
  entry: Entry;
  http: Pick<Http, 'mayAsk'>;
  core: Core;
  markets: ProgramMarkets;
  orders: ProgramOrders;
  clock: () => number;
  /** Prices are known to be old. */
  late: () => boolean;
  log: Log;
  meter: ProgramMeter;
  tapes: Tapes;
}

export class Stream implements Doorkeeper {
  private readonly parts: StreamParts;
  private readonly server: Server;
  private readonly sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // A line that is too long is told so; what is longer still ends the connection.
    maxPayload: 4 * MOST_LINE,
  });
  private readonly connections = new Set<Connection>();
  private readonly addresses = new Map<string, number>();
  private readonly timers: NodeJS.Timeout[];
  private readonly name = randomBytes(3).toString('hex');
  private n = 0;

  constructor(parts: StreamParts) {
    this.parts = parts;
    parts.meter.watchStream(() => this.figures());
    const { tls } = parts.settings;
    this.server = tls ? createTlsServer({ ...tls, handshakeTimeout: SUBSCRIBE_MS }) : createServer();
    // Counted from its first byte on: who never ends to say who he is has a connection, too.
    this.server.on('connection', (socket: Socket) => {
      if (!this.mayCome(socket.remoteAddress ?? '', socket)) socket.destroy();
    });
    this.server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
      if (!socket.destroyed) this.met(socketWire(socket));
    });
    this.server.maxConnections = MOST_CONNECTIONS;
    this.server.on('tlsClientError', () => undefined);
    const tick = setInterval(() => {
      for (const connection of this.connections) connection.tick();
    }, TICK_MS);
    const look = setInterval(() => void this.look(), LOOK_MS);
    this.timers = [tick, look];
    for (const timer of this.timers) timer.unref();
  }

  /** Its own port, where it has one; gives its address. */
  async listen(): Promise<string | null> {
    const { host, streamPort } = this.parts.settings;
    if (streamPort === undefined) return null;
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(streamPort, host, () => {
        const { address, port } = this.server.address() as AddressInfo;
        resolve(`${address}:${port}`);
      });
    });
  }

  /** Takes WebSockets at `STREAM_PATH` of a listener. */
  attach(listener: HttpServer, addressOf: (req: IncomingMessage) => string): void {
    listener.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => undefined);
      // As it came: what a stranger calls an address is not always one.
      if (req.url?.split('?', 1)[0] !== STREAM_PATH) {
        socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
        return;
      }
      this.sockets.handleUpgrade(req, socket, head, (open) => {
        const address = addressOf(req);
        if (this.mayCome(address, socket)) this.met(webSocketWire(open, address));
        else open.terminate();
      });
    });
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    for (const connection of this.connections) connection.end();
    if (this.server.listening) await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  enter(_connection: Connection, { session, key }: Caller): number | null {
    const alike = [...this.connections].filter(
      ({ caller }) => caller?.session.userId === session.userId && caller.key.id === key.id,
    ).length;
    return alike >= MOST_OF_KEY ? null : MOST_OF_KEY - alike - 1;
  }

  leave(connection: Connection): void {
    this.connections.delete(connection);
  }

  private mayCome(address: string, socket: Socket): boolean {
    const { near } = networkOf(address);
    const count = (this.addresses.get(near) ?? 0) + 1;
    if (count > MOST_OF_ADDRESS || this.connections.size >= MOST_CONNECTIONS) return false;
    this.addresses.set(near, count);
    socket.once('close', () => {
      const left = this.addresses.get(near)! - 1;
      if (left === 0) this.addresses.delete(near);
      else this.addresses.set(near, left);
    });
    return true;
  }

  private met(wire: Wire): void {
    this.connections.add(new Connection(`${this.name}-${++this.n}`, wire, this.parts, this));
  }

  private figures(): StreamFigures {
    const figures = { connections: 0, markets: 0, orders: 0, behind: 0 };
    for (const { follows } of this.connections) {
      figures.connections++;
      for (const name of ['markets', 'orders', 'behind'] as const) if (follows[name]) figures[name]++;
    }
    return figures;
  }

  /** Whose session or key has ended is told and shut out. */
  private async look(): Promise<void> {
    for (const connection of this.connections) {
      const { caller } = connection;
      if (!caller) continue;
      try {
        if (!(await this.parts.entry.isStill(caller))) connection.shut();
      } catch (error) {
        this.parts.log.warn({ err: error }, 'a session of the stream could not be looked at');
      }
    }
  }
}
