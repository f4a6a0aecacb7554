/**
 * The door of every socket endpoint: who is let in, what is listened to, and how much one may say (trust SEC-W1 to SEC-W5,
 * SEC-Z3). A socket holds the session itself, which changes in place, so it always sees its present state.
 */
import { ERRORS, type ErrorCode, type LineEvent, type Refusal } from '@fairgame/contract';
import type { Namespace, Server, Socket } from 'socket.io';
import type { Log } from '../db/db.ts';
import type { Session, Sessions } from '../http/http.ts';
import { createMeter } from './gate.ts';

/** Takes the value of an event; null when all is well, or what it is acknowledged with later. */
export type Handlers = Record<string, (value: unknown) => ErrorCode | null | Promise<object>>;

export interface Endpoint {
  nsp: Namespace;
  /** Its sockets by account. */
  accounts: ReadonlyMap<number, ReadonlySet<Socket>>;
}

export interface Entry {
  /** Opens an endpoint. `misread` names the part of a handshake that is wrong. */
  endpoint(name: string, misread?: (socket: Socket) => string | null): Endpoint;
  session(socket: Socket): Session;
  /** With which it was let in. */
  token(socket: Socket): string;
  /** Listens to the named events only, each with a closed shape; anything else is answered with an error and logged. */
  listen(socket: Socket, handlers: Handlers): void;
  endpoints(): Iterable<Endpoint>;
  /** Events that came, by name; those that nobody listens to are `other`. */
  came(): Record<string, number>;
}

export interface EntryLimits {
  /** Sockets of one account in one namespace. */
  perAccount: number;
  eventsPerSecond: number;
}

const LINES_PER_SECOND = 1;
/** After a last word, so that it arrives before the end. */
export const FAREWELL_MS = 200;

interface Known {
  session: Session;
  token: string;
  meter: () => boolean;
  /** So many refusals of one socket are worth a line. */
  lines: () => boolean;
  flooded: boolean;
}

export function createEntry(io: Server, auth: Sessions, limits: EntryLimits, log: Log): Entry {
  return new SocketEntry(io, auth, limits, log);
}

class SocketEntry implements Entry {
  private readonly io: Server;
  private readonly auth: Sessions;
  private readonly limits: EntryLimits;
  private readonly log: Log;
  private readonly known = new WeakMap<Socket, Known>();
  private readonly counts: Record<string, number> = { other: 0 };
  private readonly all: Array<{ nsp: Namespace; accounts: Map<number, Set<Socket>> }> = [];

  constructor(io: Server, auth: Sessions, limits: EntryLimits, log: Log) {
    this.io = io;
    this.auth = auth;
    this.limits = limits;
    this.log = log;
  }

  endpoint(name: string, misread: (socket: Socket) => string | null = () => null): Endpoint {
    const nsp = this.io.of(name);
    const accounts = new Map<number, Set<Socket>>();
    nsp.use((socket, next) => {
      const field = misread(socket);
      const looking = this.auth.look(tokenOf(socket) ?? '');
      const enter = (): void => {
        const code = field === null ? this.admit(socket, accounts) : 'BAD_INPUT';
        next(code === null ? undefined : refusalOf(code, field));
      };
      void (looking ? looking.then(enter, next) : enter());
    });
    nsp.on('connection', (socket) => {
      const { accountId } = this.known.get(socket)!.session;
      const set = accounts.get(accountId) ?? new Set();
      accounts.set(accountId, set.add(socket));
      socket.on('error', (error) => this.log.info({ err: error }, 'socket'));
      socket.on('disconnect', () => drop(accounts, accountId, socket));
    });
    const endpoint = { nsp, accounts };
    this.all.push(endpoint);
    return endpoint;
  }

  session(socket: Socket): Session {
    return this.known.get(socket)!.session;
  }

  token(socket: Socket): string {
    return this.known.get(socket)!.token;
  }

  listen(socket: Socket, handlers: Handlers): void {
    const about = this.known.get(socket)!;
    const { session, meter, lines } = about;
    socket.onAny((called: unknown, ...args: unknown[]) => {
      // What came in the same breath as the end is not even looked at.
      if (about.flooded) return;
      // The parser lets numbers through, and what a binary packet leaves of a name.
      const name = typeof called === 'string' ? called : '';
      const last = args.at(-1);
      const answer = typeof last === 'function' ? (last as (reply: object) => void) : () => {};
      if (!meter()) {
        about.flooded = true;
        this.log.info({ security: 'socket.flood', user: session.userId }, 'security');
        answer({ error: 'RATE_LIMITED' });
        socket.disconnect(true);
        return;
      }
      const values = typeof last === 'function' ? args.slice(0, -1) : args;
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      const counted = handler ? name : 'other';
      this.counts[counted] = (this.counts[counted] ?? 0) + 1;
      const error = handler && values.length <= 1 ? handler(values[0]) : 'BAD_INPUT';
      if (typeof error === 'object' && error !== null) {
        void error.then(answer);
        return;
      }
      if (error !== null && lines())
        this.log.info(
          { security: 'socket.refused', event: name.slice(0, 40), error, user: session.userId },
          'security',
        );
      answer(error === null ? { ok: true } : { error });
    });
  }

  endpoints(): Iterable<Endpoint> {
    return this.all;
  }

  came(): Record<string, number> {
    return this.counts;
  }

  private admit(socket: Socket, accounts: Endpoint['accounts']): ErrorCode | null {
    const { auth: given } = socket.handshake;
    const token = tokenOf(socket);
    if (token === undefined) return 'NOT_SIGNED_IN';
    const session = this.auth.sessionOf(token);
    if (!session) return 'SESSION_ENDED';
    if (session.pending) return 'CODE_REQUIRED';
    if (session.forceChangePassword) return 'PASSWORD_CHANGE_REQUIRED';
    if (session.role !== 'user') return 'NOT_ALLOWED';
    const here = accounts.get(session.accountId);
    if (here && here.size >= this.limits.perAccount) {
      const [oldest] = here;
      if ((given as Record<string, unknown>).takeOver !== true || !oldest) return 'TOO_MANY_TABS';
      this.replace(oldest, session.accountId);
    }
    const clock = () => performance.now();
    const meter = createMeter(this.limits.eventsPerSecond, clock);
    this.known.set(socket, { session, token, meter, lines: createMeter(LINES_PER_SECOND, clock), flooded: false });
    return null;
  }

  /** Ends a whole connection for another of the same player. Its places in all namespaces are free at once. */
  private replace(socket: Socket, accountId: number): void {
    for (const { nsp, accounts } of this.all)
      for (const one of accounts.get(accountId) ?? [])
        if (one.conn === socket.conn) {
          if (nsp.name === '/') one.emit('replaced' satisfies LineEvent);
          drop(accounts, accountId, one);
        }
    setTimeout(() => socket.disconnect(true), FAREWELL_MS).unref();
  }
}

function tokenOf({ handshake: { auth, headers } }: Socket): string | undefined {
  // Programs without a handshake of their own making send it as every call does.
  const token: unknown =
    (auth as Record<string, unknown>).token ?? /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  return typeof token === 'string' && token.length <= 200 ? token : undefined;
}

function refusalOf(code: ErrorCode, field: string | null): Error {
  const data: Refusal = { code, message: ERRORS[code][1], ...(field === null ? {} : { field }) };
  return Object.assign(new Error(code), { data });
}

function drop(accounts: Map<number, Set<Socket>>, accountId: number, socket: Socket): void {
  const set = accounts.get(accountId);
  set?.delete(socket);
  if (set?.size === 0) accounts.delete(accountId);
}
