import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AnyCall,
  type BodyOf,
  CodedError,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  tooLate,
} from '@fairgame/contract';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '../config.ts';
import { expiryOf } from './age.ts';
import { clientFiles } from './client.ts';
import { docsRoutes } from './docs-routes.ts';
import { failureOf } from './failure.ts';
import { contentPolicy, helmetOptions, PERMISSIONS } from './headers.ts';
import { checkPart, isJsonType, parseBody } from './input.ts';
import { Pace, paceOf } from './pace.ts';
import { createPauses } from './pauses.ts';
import type { Session, Sessions } from './session.ts';

export type { Session, Sessions } from './session.ts';

const BODY_LIMIT = 64 * 1024;
const OUTAGE = 'This is not available at the moment. Nothing was taken. Please try again.';

/** What a handler gets. All of it is checked against the contract before. */
interface Asked<C extends AnyCall, S = Session> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  session: S;
  ip: string;
  device: string;
  requestId: string;
  /** Moment of the process' steady clock from which the asker wants the act no more; undefined when he set no end. */
  expiresAt: number | undefined;
  req: FastifyRequest;
  /** Adds a header to the answer. */
  header: (name: string, value: string) => void;
}

/** A handler answers the call's data, or data with a message for the player: exactly the keys `data` and `message`. */
type Told<C extends AnyCall> = ReplyOf<C> | { data: ReplyOf<C>; message: string };
type Handler<C extends AnyCall, S = Session> = (asked: Asked<C, S>) => Promise<Told<C>> | Told<C>;

export interface HttpMetrics {
  started(): void;
  answered(route: string, method: string, status: number, seconds: number): void;
  limited(rule: string): void;
}

export interface Http {
  /** For routes outside the contract (health, metrics) and for the socket server. */
  app: FastifyInstance;
  server: Server;
  /** Serves a call that needs a session; `who` of the contract is enforced before the handler runs. */
  route<C extends AnyCall>(call: C, handler: Handler<C>): void;
  /** Serves a call of `who: public`. */
  open<C extends AnyCall>(call: C, handler: Handler<C, null>): void;
  useSessions(sessions: Sessions): void;
  /** Readiness says no, and connections are not kept for another call; every call is still served. */
  leave(): void;
  /** From now on every call answers 503, with a code. Resolves when those under way have their answers, or after `ms`. */
  drain(ms: number): Promise<void>;
  leaving(): boolean;
  /** Starts listening; gives the address. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

export interface HttpOptions {
  config: Config;
  log: FastifyBaseLogger;
  clock: () => number;
  metrics?: HttpMetrics;
  /** Whether an error only says that the database is away: 503 and nothing was taken, not our fault 500. */
  isOutage?: (error: unknown) => boolean;
  /** Sees refusals that security must know of: schema violations, refused access, too many calls (trust SEC-L1). */
  onRefused?: (what: {
    code: string;
    route: string;
    field?: string;
    ip: string;
    session?: Session | undefined;
    requestId: string;
  }) => void;
}

/**
 * The web server: contract calls below /api, the built client everywhere else. One envelope, one error shape, no answer
 * of ours is cached, nothing runs before its input is checked.
 */
export async function createHttp(opts: HttpOptions): Promise<Http> {
  const { config, log, clock } = opts;
  const pace = new Pace(config.limitFactor);
  let sessions: Sessions | undefined;
  let leaving = false;
  let draining = false;
  let underWay = 0;
  let quiet: () => void = () => {};
  const pauses = createPauses();
  /** Every served path by method, to tell 404 from 405. */
  const served: Array<{ method: string; path: RegExp }> = [];

  const app = Fastify({
    loggerInstance: log,
    // Calls are logged once, with what matters and without addresses that might carry words of a player.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 400, ignoreTrailingSlash: false },
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: (req) => {
      const given = req.headers['x-request-id'];
      return typeof given === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(given)
        ? given
        : randomBytes(9).toString('base64url');
    },
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionTimeout: 0,
    // Ours has a code, and comes before.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, req, reply) => {
      fail(error, req, reply);
    },
    clientErrorHandler(_error, socket) {
      // Not HTTP at all, or over the limits of the parser: nothing of it is worth an answer with detail.
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      else socket.destroy();
    },
  });
  app.server.headersTimeout = 15_000;

  await app.register(helmet, helmetOptions());
  await app.register(compress, {
    threshold: 2048,
    encodings: ['gzip'],
    customTypes: /^application\/json/,
    zlibOptions: { level: 4 },
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (req, body, done) => {
    const text = typeof body === 'string' ? body : body.toString('utf8');
    if (text !== '' && req.url !== '/csp-report' && !isJsonType(req.headers['content-type'])) {
      done(new CodedError('UNSUPPORTED_TYPE'));
      return;
    }
    try {
      done(null, parseBody(text));
    } catch (error) {
      done(error as Error);
    }
  });

  function fail(error: unknown, req: FastifyRequest, reply: FastifyReply): void {
    let failure = failureOf(error, req.id);
    if (failure.unexpected && opts.isOutage?.(error)) {
      req.log.warn({ err: error }, 'the database is away');
      failure = failureOf(new CodedError('UNAVAILABLE', { message: OUTAGE }), req.id);
    }
    const call = req.routeOptions?.config?.callName;
    if (failure.unexpected) req.log.error({ err: error, call }, 'unexpected error');
    opts.onRefused?.({
      code: failure.body.code,
      route: call ?? '-',
      ip: req.ip,
      session: req.fairSession ?? undefined,
      requestId: req.id,
      ...(failure.body.field === undefined ? {} : { field: failure.body.field }),
    });
    if (failure.retryAfterS !== undefined) reply.header('retry-after', String(failure.retryAfterS));
    secure(req, reply);
    void reply.code(failure.body.statusCode).send(failure.body);
  }

  /** Headers of an answer that did not come by the usual hooks, and of those that did. */
  function secure(req: FastifyRequest, reply: FastifyReply): void {
    reply.header('x-request-id', req.id);
    reply.header('permissions-policy', PERMISSIONS);
    reply.header('content-security-policy', contentPolicy(config, req.url));
    reply.header('reporting-endpoints', 'csp="/csp-report"');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  }

  app.decorateRequest('fairSession', null);
  app.addHook('onRequest', async (req, reply) => {
    opts.metrics?.started();
    underWay++;
    secure(req, reply);
    if (leaving) reply.header('connection', 'close');
    // "Protected connection" is a promise of the footer: behind a balancer plain HTTP is sent on to HTTPS (CAR-44).
    if (
      config.publicOrigin?.startsWith('https:') &&
      config.trustProxy.length > 0 &&
      req.protocol === 'http' &&
      !isHealth(req.url)
    ) {
      return reply
        .code(308)
        .header('location', config.publicOrigin + req.url)
        .send();
    }
    if (draining && !isHealth(req.url)) {
      throw new CodedError('UNAVAILABLE', {
        message: 'The site is restarting. Please try again in a moment.',
        retryAfterS: 5,
      });
    }
  });
  app.addHook('onResponse', async (req, reply) => {
    if (--underWay === 0) quiet();
    const route = req.routeOptions?.config?.callName ?? req.routeOptions?.url ?? 'none';
    opts.metrics?.answered(route, req.method, reply.statusCode, reply.elapsedTime / 1000);
    req.log.info(
      {
        call: route,
        method: req.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        user: req.fairSession?.userId,
      },
      'call',
    );
  });
  app.setErrorHandler((error, req, reply) => {
    fail(error, req, reply);
    return reply;
  });

  const files = clientFiles(config.webDist, {
    'fairgame-support': config.supportText,
    'fairgame-stream': config.streamHost ?? '',
    'fairgame-score': config.scoreHost ?? '',
  });
  app.setNotFoundHandler(async (req, reply) => {
    const path = req.url.split('?', 1)[0]!;
    const others = served.filter((route) => route.path.test(path) && route.method !== req.method);
    if (others.length > 0) {
      reply.header('allow', [...new Set(others.map((route) => route.method))].join(', '));
      throw new CodedError('METHOD_NOT_ALLOWED');
    }
    if (path === '/api' || path.startsWith('/api/') || path.startsWith('/socket.io')) throw new CodedError('NOT_FOUND');
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      reply.header('allow', 'GET, HEAD');
      throw new CodedError('METHOD_NOT_ALLOWED');
    }
    const file = files.find(path, req.headers['accept-encoding']);
    if (!file) throw new CodedError('NOT_FOUND');
    reply.header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    reply.header('etag', file.etag);
    reply.header('vary', 'accept-encoding');
    if (req.headers['if-none-match'] === file.etag) return reply.code(304).send();
    if (file.encoding) reply.header('content-encoding', file.encoding);
    return reply.type(file.type).send(file.body);
  });

  /** A browser tells of something the CSP blocked. Counted and logged, nothing else. */
  app.post('/csp-report', { bodyLimit: 16 * 1024 }, async (req, reply) => {
    if (pace.take('write', clock(), req.ip, undefined) === 0) {
      req.log.warn({ report: JSON.stringify(req.body ?? null).slice(0, 1000) }, 'content policy report');
      opts.metrics?.limited('csp-report');
    }
    return reply.code(204).send();
  });

  function mount(call: AnyCall, handler: Handler<AnyCall, Session | null>): void {
    const limitKind = paceOf(call);
    for (const path of [call.path, ...(call.aliases ?? [])]) {
      const url = `/api${path}`;
      const methods = call.alsoPost ? [call.method, 'POST'] : [call.method];
      for (const method of methods) {
        served.push({ method, path: new RegExp(`^${url.replace(/:[A-Za-z]+/g, '[^/]+')}$`) });
      }
      app.route({
        method: methods,
        url,
        config: { callName: call.name },
        preParsing: async (req) => {
          // Nobody knows how long it waited while the process stood: what would act is refused, nothing was taken.
          if (call.method !== 'GET' && pauses.isRecent()) throw tooLate();
          // Who may call, and how often, is decided before a byte of the body is read.
          const session = whoAsks(call, req);
          req.fairSession = session;
          const waitS = pace.take(limitKind, clock(), req.ip, session?.userId);
          if (waitS > 0) {
            opts.metrics?.limited(limitKind);
            throw new CodedError('RATE_LIMITED', { retryAfterS: waitS });
          }
        },
        handler: async (req, reply) => {
          if (call.body !== undefined && !isJsonType(req.headers['content-type']))
            throw new CodedError('UNSUPPORTED_TYPE');
          const session = req.fairSession;
          const asked = {
            params: checkPart(call, 'params', call.params === undefined ? undefined : req.params),
            query: checkPart(call, 'query', queryOf(call, req)),
            body: call.method === 'POST' ? checkPart(call, 'body', req.body) : undefined,
            session,
            ip: req.ip,
            device: String(req.headers['user-agent'] ?? '').slice(0, 200),
            requestId: req.id,
            expiresAt: call.method === 'GET' ? undefined : expiryOf(req, clock()),
            req,
            header: (name: string, value: string) => void reply.header(name, value),
          } as Asked<AnyCall, Session | null>;
          if (session && call.errors.includes('STEP_UP_REQUIRED') && session.stepUpDue)
            throw new CodedError('STEP_UP_REQUIRED');
          const told = await handler(asked);
          const [data, message] = unfold(told);
          if (config.checkReplies) checkReply(call, data);
          return reply.send(message === undefined ? { statusCode: 200, data } : { statusCode: 200, message, data });
        },
      });
    }
  }

  function whoAsks(call: AnyCall, req: FastifyRequest): Session | null {
    if (call.who === 'public') return null;
    const token = tokenOf(req.headers.authorization);
    if (token === undefined) throw new CodedError('NOT_SIGNED_IN');
    const session = sessions?.sessionOf(token) ?? null;
    if (!session) throw new CodedError('SESSION_ENDED');
    sessions?.touch(session);
    req.fairSession = session;
    if (call.who === 'operator') {
      if (session.role !== 'operator' || session.pending) throw new CodedError('NOT_ALLOWED');
      return session;
    }
    if (call.who === 'pending') return session;
    if (session.pending) throw new CodedError('CODE_REQUIRED');
    if (session.forceChangePassword) throw new CodedError('PASSWORD_CHANGE_REQUIRED');
    if (session.role !== 'user') throw new CodedError('NOT_ALLOWED');
    if (call.who === 'real' && session.isDemo) throw new CodedError('DEMO_NOT_ALLOWED');
    return session;
  }

  docsRoutes(app);
  const sweeper = setInterval(() => pace.sweep(clock()), 60_000);
  sweeper.unref();

  return {
    app,
    server: app.server,
    route: (call, handler) => {
      if (call.who === 'public') throw new Error(`${call.name} is public: use open()`);
      mount(call, handler as unknown as Handler<AnyCall, Session | null>);
    },
    open: (call, handler) => {
      if (call.who !== 'public') throw new Error(`${call.name} needs a session: use route()`);
      mount(call, handler as unknown as Handler<AnyCall, Session | null>);
    },
    useSessions: (given) => {
      sessions = given;
    },
    leave: () => {
      leaving = true;
    },
    drain: (ms) => {
      leaving = true;
      draining = true;
      return underWay === 0
        ? Promise.resolve()
        : Promise.race([new Promise<void>((done) => (quiet = done)), sleep(ms)]);
    },
    leaving: () => leaving,
    listen: () => app.listen({ host: config.host, port: config.port }),
    close: async () => {
      clearInterval(sweeper);
      pauses.stop();
      await app.close();
    },
  };
}

/** A GET asked by POST may carry its query as the body. */
function queryOf(call: AnyCall, req: FastifyRequest): unknown {
  if (!call.alsoPost || req.method !== 'POST' || req.body === undefined) return req.query;
  if (typeof req.body !== 'object' || req.body === null || Array.isArray(req.body)) throw new CodedError('BAD_INPUT');
  return { ...req.body, ...(req.query as object) };
}

function tokenOf(header: string | undefined): string | undefined {
  const match = /^Bearer ([A-Za-z0-9_-]{20,128})$/.exec(header ?? '');
  return match?.[1];
}

function isHealth(url: string): boolean {
  return url === '/livez' || url === '/readyz' || url === '/metrics';
}

function unfold(told: unknown): [unknown, string | undefined] {
  if (
    typeof told === 'object' &&
    told !== null &&
    'data' in told &&
    'message' in told &&
    typeof told.message === 'string'
  ) {
    if (Object.keys(told).length === 2) return [told.data, told.message];
  }
  return [told ?? null, undefined];
}

function checkReply(call: AnyCall, data: unknown): void {
  const result = call.reply.safeParse(data);
  if (result.success) return;
  const issue = result.error.issues[0]!;
  throw new Error(`reply of ${call.name} does not fit the contract at ${issue.path.join('.')}: ${issue.code}`);
}

declare module 'fastify' {
  interface FastifyRequest {
    fairSession: Session | null;
  }
  interface FastifyContextConfig {
    callName?: string;
  }
}
