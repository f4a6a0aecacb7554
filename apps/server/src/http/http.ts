import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AnyCall, isOperators } from '@fairgame/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Asked, Handler } from './asked.ts';
import { createCalls } from './calls.ts';
import { docsRoutes } from './docs-routes.ts';
import { createEnding } from './ending.ts';
import type { SentFile } from './file.ts';
import type { Ask } from './line.ts';
import { createListener } from './listener.ts';
import type { ListenerOptions } from './options.ts';
import { Pace, type PaceClass, type PaceTogether } from './pace.ts';
import { clientPages, noPages } from './pages.ts';
import { createPauses } from './pauses.ts';
import type { OperatorGate, Session, Sessions } from './session.ts';

export { type Asked, deviceOf } from './asked.ts';
export type { SentFile } from './file.ts';
export { isFromHere } from './from-here.ts';
export type { Ask, LineAnswer } from './line.ts';
export type { HttpMetrics } from './options.ts';
export type { PaceTogether, Taken } from './pace.ts';
export { requestId } from './request-id.ts';
export type { Session, Sessions } from './session.ts';

export interface Http {
  /** The players' listener: for routes outside the contract and for the socket server. */
  app: FastifyInstance;
  server: Server;
  /** Every listener, the players' first: for what all of them answer (health). */
  listeners: FastifyInstance[];
  /** Where operators, documents and metrics are: a listener of its own where one is configured, else the players'. */
  inside: FastifyInstance;
  /** Serves a call that needs a session; `who` of the contract is enforced before the handler runs. */
  route<C extends AnyCall>(call: C, handler: Handler<C>): void;
  /** As `route`, for an answer that is the same for everybody of a world: made once, sent to all who ask within a moment. */
  shared<C extends AnyCall>(call: C, handler: Handler<C, Pick<Session, 'world'>>): void;
  /** As `route`, for a call that says `file`. */
  file<C extends AnyCall>(call: C, handler: (asked: Asked<C>) => Promise<SentFile> | SentFile): void;
  /** Serves a call of `who: public`. */
  open<C extends AnyCall>(call: C, handler: Handler<C, null>): void;
  useSessions(sessions: Sessions): void;
  /** Who decides what a person behind the site may call; without one nobody may. */
  useOperators(gate: OperatorGate): void;
  /** Makes a call of the contract that came over an open socket. */
  ask: Ask;
  /** Counts a request that a route outside the contract has refused: too many of an address and it has to wait. */
  refused(req: FastifyRequest): void;
  /** Counts what a listener of its own is asked; false where it comes too soon. */
  mayAsk(kind: PaceClass, ip: string, userId: number | undefined, cost?: number): boolean;
  /** What the gateways of one site tell one another of who asks how often. */
  pace: PaceTogether;
  /** Readiness says no, and connections are not kept for another call; every call is still served. */
  leave(): void;
  /** From now on every call answers 503, with a code. Resolves when those under way have their answers, or after `ms`. */
  drain(ms: number): Promise<void>;
  leaving(): boolean;
  /** Starts listening; gives the players' address, `http://127.0.0.1:3000`. */
  listen(): Promise<string>;
  /** The address of `inside` once it listens. */
  insideAddress(): string;
  close(): Promise<void>;
}

export type HttpOptions = Omit<ListenerOptions, 'pace' | 'ending' | 'pauses'> & {
  /** Milliseconds that only go on. */
  steady: () => number;
};

/**
 * So many connections of one moment may wait to be accepted, as far as the system allows: what does not fit (Node's own bound is
 * 511) is tried again by its system a second later at the earliest, long after an answer, be it BUSY, could have been there.
 */
const BACKLOG = 4096;

/**
 * The web server: contract calls below /api, the built client everywhere else. One envelope, one error shape, no answer
 * of ours is cached, nothing runs before its input is checked. Calls of operators are on a listener of their own where the
 * configuration names one, so that nothing of theirs can be reached, or locked, from where players are.
 */
export function createHttp(given: HttpOptions): Http {
  const { config } = given;
  const pace = new Pace(config.limitFactor, given.steady);
  const ending = createEnding();
  const pauses = createPauses();
  const opts: ListenerOptions = { ...given, pace, ending, pauses };
  const calls = createCalls(opts);
  const app = createListener(opts);
  const inside = config.operatorListener ? createListener({ ...opts, isInside: true }) : app;
  const listeners = [...new Set([app, inside])];
  clientPages(app, calls, opts);
  if (inside !== app) noPages(inside, calls);
  docsRoutes(inside);
  const sweeper = setInterval(() => pace.sweep(), 60_000);
  sweeper.unref();

  const mount = (call: AnyCall, handler: unknown, shared: boolean): void => {
    if (call.who === 'public') throw new Error(`${call.name} is public: use open()`);
    calls.mount(isOperators(call) ? inside : app, call, handler as Handler<AnyCall, Session | null>, shared);
  };

  return {
    app,
    server: app.server,
    listeners,
    inside,
    route: (call, handler) => mount(call, handler, false),
    shared: (call, handler) => mount(call, handler, true),
    file: (call, handler) => mount(call, handler, false),
    open: (call, handler) => {
      if (call.who !== 'public') throw new Error(`${call.name} needs a session: use route()`);
      calls.mount(
        isOperators(call) ? inside : app,
        call,
        handler as unknown as Handler<AnyCall, Session | null>,
        false,
      );
    },
    useSessions: (sessions) => calls.useSessions(sessions),
    useOperators: (gate) => calls.useOperators(gate),
    ask: calls.ask,
    refused: (req) => pace.count('refused', req.ip, undefined),
    mayAsk: (kind, ip, userId, cost) => pace.take(kind, ip, userId, cost) === 0,
    pace,
    leave: () => ending.leave(),
    drain: (ms) => ending.drain(ms),
    leaving: () => ending.leaving(),
    async listen() {
      if (config.operatorListener) await inside.listen(config.operatorListener);
      return app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
    },
    insideAddress() {
      const { address, port, family } = inside.server.address() as AddressInfo;
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    },
    async close() {
      clearInterval(sweeper);
      pauses.stop();
      await Promise.all(listeners.map((one) => one.close()));
    },
  };
}
