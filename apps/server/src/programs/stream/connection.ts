/** One connection of the stream: lines in, each answered in its order; changes out, as fast as they are read. */
import {
  ApiError,
  Given,
  headOf,
  lineOf,
  ParamError,
  readMarketWish,
  readOrderWish,
  type StreamError,
} from '@fairgame/exchange-api';
import type { Log } from '../../db/db.ts';
import { fieldTwice } from '../../http/input.ts';
import type { Caller } from '../entry.ts';
import { type Body, bytesOf } from './alike.ts';
import { MarketFeed, type Outlet } from './market-feed.ts';
import { OrderFeed } from './order-feed.ts';
import type { StreamParts } from './stream.ts';
import type { Wire } from './wire.ts';

export const MOST_LINE = 64 * 1024;
/** Lines that may wait for their answer. */
const MOST_WAITING = 50;
export const SUBSCRIBE_MS = 15_000;
/** In calls of a program: all ten connections of a key may come back at once, with both subscriptions each. */
const SUBSCRIPTION_COST = 5;
/** Of a reader that is behind: then it gets the newest only, and what it has not taken for so long is its end. */
const BEHIND_BYTES = 256 * 1024;
const STUCK_MS = 20_000;
/** Who has left so much unread and asks for more: many times what he could ask for at once. */
const MOST_UNREAD_BYTES = 8 * 1024 * 1024;

export interface Doorkeeper {
  /** How many more connections the account may open under its key; null where it has as many already. */
  enter(connection: Connection, caller: Caller): number | null;
  leave(connection: Connection): void;
}

class Refusal extends Error {
  readonly code: StreamError;
  readonly closes: boolean;
  constructor(code: StreamError, text: string, closes: boolean) {
    super(text);
    this.code = code;
    this.closes = closes;
  }
}

export class Connection {
  readonly id: string;
  caller: Caller | null = null;
  private readonly wire: Wire;
  private readonly parts: StreamParts;
  private readonly door: Doorkeeper;
  private markets: MarketFeed | null = null;
  private orders: OrderFeed | null = null;
  private rest = '';
  private waiting = 0;
  private work: Promise<void> = Promise.resolve();
  private over = false;
  private behindSince: number | null = null;
  private readonly openedAt = performance.now();

  constructor(id: string, wire: Wire, parts: StreamParts, door: Doorkeeper) {
    this.id = id;
    this.wire = wire;
    this.parts = parts;
    this.door = door;
    wire.hear(
      (piece) => this.heard(piece),
      () => this.end(),
    );
    this.write({ op: 'connection', connectionId: id });
  }

  /** Some times a second. */
  tick(): void {
    if (this.over) return;
    if (this.isStuck()) {
      this.wire.destroy();
      return;
    }
    const isIdle = !this.markets && !this.orders;
    if (isIdle && performance.now() - this.openedAt >= SUBSCRIBE_MS) {
      const text = `Connection is not subscribed and is idle: ${SUBSCRIBE_MS} ms`;
      this.refuse(undefined, new Refusal('TIMEOUT', text, true));
    }
    this.markets?.tick();
    this.orders?.tick();
  }

  get follows(): { markets: boolean; orders: boolean; behind: boolean } {
    return {
      markets: this.markets !== null,
      orders: this.orders !== null,
      behind: this.wire.waiting() >= BEHIND_BYTES,
    };
  }

  /** The session or the key has ended. */
  shut(): void {
    this.refuse(undefined, new Refusal('INVALID_SESSION_INFORMATION', 'the session has ended', true));
  }

  end(): void {
    if (this.over) return;
    this.over = true;
    this.markets?.stop();
    this.orders?.stop();
    this.door.leave(this);
    this.wire.end();
  }

  private heard(piece: string): void {
    if (this.over) return;
    this.rest += piece;
    for (let at = this.rest.indexOf('\n'); at >= 0 && !this.over; at = this.rest.indexOf('\n')) {
      const line = this.rest.slice(0, at).trim();
      this.rest = this.rest.slice(at + 1);
      if (line.length > MOST_LINE) this.tooLong();
      else if (line !== '') this.take(line);
    }
    if (this.rest.length > MOST_LINE && !this.over) this.tooLong();
  }

  private take(line: string): void {
    if (this.wire.waiting() > MOST_UNREAD_BYTES) {
      this.wire.destroy();
      return;
    }
    this.waiting++;
    if (this.waiting > MOST_WAITING) this.refuse(undefined, new Refusal('TOO_MANY_REQUESTS', 'too many at once', true));
    this.work = this.work.then(() => this.answer(line)).finally(() => this.waiting--);
  }

  private tooLong(): void {
    this.refuse(undefined, new Refusal('INVALID_INPUT', `a line has at most ${MOST_LINE} bytes`, true));
  }

  private async answer(line: string): Promise<void> {
    if (this.over) return;
    let id: unknown;
    try {
      const { given, twice } = readLine(line);
      id = given.sent('id');
      if (twice !== null) throw new ParamError(twice);
      await this.act(given, id);
    } catch (error) {
      this.refuse(id, asRefusal(error, this.parts.log));
    }
  }

  private async act(given: Given, id: unknown): Promise<void> {
    const op = given.text('op');
    if (op === 'authentication') return this.authenticate(given, id);
    if (op === 'heartbeat') return this.succeed(id);
    if (op === 'raceSubscription' || op === 'cricketSubscription')
      throw new Refusal('NOT_AUTHORIZED', 'not part of this stream', false);
    if (op !== 'marketSubscription' && op !== 'orderSubscription')
      throw new Refusal('INVALID_REQUEST', 'unknown op', false);
    if (!this.caller) throw new Refusal('NOT_AUTHORIZED', 'authenticate first', true);
    this.mayLook();
    return op === 'marketSubscription' ? this.subscribeMarkets(given, id) : this.subscribeOrders(given, id);
  }

  private async authenticate(given: Given, id: unknown): Promise<void> {
    if (this.caller) throw new Refusal('INVALID_REQUEST', 'authenticated already', true);
    const comer = { ip: this.wire.address, requestId: this.id };
    const caller = await this.parts.entry.caller(given.text('appKey'), given.text('session'), comer);
    if (this.over) return;
    const left = this.door.enter(this, caller);
    if (left === null) throw new Refusal('MAX_CONNECTION_LIMIT_EXCEEDED', 'too many connections', true);
    this.caller = caller;
    this.succeed(id, { connectionsAvailable: left });
  }

  /** An image of two hundred markets is work of milliseconds for a line of a hundred bytes. */
  private mayLook(): void {
    if (this.parts.http.mayAsk('program', this.wire.address, this.caller!.session.userId, SUBSCRIPTION_COST)) return;
    throw new Refusal('TOO_MANY_REQUESTS', 'too many subscriptions', true);
  }

  private subscribeMarkets(given: Given, id: unknown): void {
    const wish = readMarketWish(given);
    const { tapes, markets } = this.parts;
    const { world } = this.caller!.session;
    const feed = MarketFeed.open({ id, world, wish, tapes, markets, outlet: this.outlet });
    if (!feed) throw new Refusal('SUBSCRIPTION_LIMIT_EXCEEDED', 'at most 200 markets', false);
    this.markets?.stop();
    this.markets = feed;
    this.succeed(id);
    feed.begin();
  }

  private async subscribeOrders(given: Given, id: unknown): Promise<void> {
    const wish = readOrderWish(given);
    const { core, markets, orders } = this.parts;
    this.orders?.stop();
    this.orders = new OrderFeed({
      id,
      session: this.caller!.session,
      wish,
      core,
      markets,
      orders,
      outlet: this.outlet,
    });
    this.succeed(id);
    await this.orders.begin();
  }

  private readonly outlet: Outlet = {
    ready: () => this.wire.waiting() < BEHIND_BYTES,
    send: (head, body) => this.writeLine(head, body),
    clock: () => this.parts.clock(),
    late: () => this.parts.late(),
  };

  private succeed(id: unknown, more: object = {}): void {
    this.write({ op: 'status', ...idIn(id), statusCode: 'SUCCESS', connectionClosed: false, ...more });
  }

  private refuse(id: unknown, { code, message, closes }: Refusal): void {
    this.write({
      op: 'status',
      ...idIn(id),
      statusCode: 'FAILURE',
      errorCode: code,
      errorMessage: message,
      connectionClosed: closes,
      connectionId: this.id,
    });
    if (closes) this.end();
  }

  private write(message: object): void {
    this.writeLine(headOf(message));
  }

  private writeLine(head: string, body?: Body): void {
    if (this.over) return;
    this.wire.write(body ? bytesOf(head, body) : lineOf(head));
  }

  private isStuck(): boolean {
    if (this.wire.waiting() < BEHIND_BYTES) this.behindSince = null;
    else this.behindSince ??= performance.now();
    return this.behindSince !== null && performance.now() - this.behindSince > STUCK_MS;
  }
}

const idIn = (id: unknown): object => (id === undefined ? {} : { id });

/** `twice`: the name of a field that stands twice. */
function readLine(line: string): { given: Given; twice: string | null } {
  try {
    const value: unknown = JSON.parse(line);
    return { given: new Given(value, 'message'), twice: fieldTwice(line, value) };
  } catch {
    throw new Refusal('INVALID_INPUT', 'not a message', true);
  }
}

const KEY_ERRORS: ReadonlySet<string> = new Set([
  'NO_APP_KEY',
  'INVALID_APP_KEY',
  'NO_SESSION',
  'INVALID_SESSION_INFORMATION',
]);

function asRefusal(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ParamError) return new Refusal('INVALID_INPUT', `not valid: ${error.message}`, false);
  if (error instanceof ApiError)
    return new Refusal(
      KEY_ERRORS.has(error.code) ? (error.code as StreamError) : 'NOT_AUTHORIZED',
      error.code === 'INVALID_SESSION_INFORMATION' ? 'session not valid' : 'refused',
      true,
    );
  log.error({ err: error }, 'a line of the stream failed');
  return new Refusal('UNEXPECTED_ERROR', 'something went wrong on our side', true);
}
