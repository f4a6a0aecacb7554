/** One listening server with what stands before every call: limits of time, connections and pace, headers, one error shape. */
import type { Socket } from 'node:net';
import { CodedError, TIME } from '@fairgame/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { addressSet, networkOf } from './address.ts';
import { restarting } from './ending.ts';
import { DATA_HEADERS, pageHeaders } from './headers.ts';
import { isJsonType, parseBody } from './input.ts';
import type { ListenerOptions, Patience } from './options.ts';
import type { PaceClass } from './pace.ts';
import { aboutOf, createRefusals } from './refusals.ts';
import { requestId } from './request-id.ts';
import type { Session } from './session.ts';

const BODY_LIMIT = 64 * 1024;

const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 20_000,
  keepAliveMs: TIME.keepAliveMs,
  silentMs: 75_000,
  checkMs: 2000,
};

export function createListener(opts: ListenerOptions): FastifyInstance {
  const { config, log, callLog = log } = opts;
  const patience = { ...PATIENCE, ...opts.patience };
  const app = Fastify({
    // Calls are logged once, with what matters and without addresses that might carry words of a player; a logger for each
    // request would cost more than that line.
    logger: false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 400, ignoreTrailingSlash: false },
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: (req) => requestId(req.headers['x-request-id']),
    http: {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      connectionsCheckingInterval: patience.checkMs,
    },
    requestTimeout: patience.requestMs,
    keepAliveTimeout: patience.keepAliveMs,
    connectionTimeout: patience.silentMs,
    // Ours has a code, and comes before.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, req, reply) => {
      fail(error, req, reply);
    },
    clientErrorHandler(_error, socket) {
      // Not HTTP at all, too slow, or over the limits of the parser: nothing of it is worth an answer with detail. A caller
      // that leaves its own half open does not keep the socket.
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      (socket as Socket).destroySoon();
    },
  });
  const fail = failures(opts);
  limitConnections(app, opts);
  readBodies(app);
  before(app, opts);
  app.decorateRequest('fairSession', null);
  app.decorateRequest('fairCounted', false);
  app.addHook('onResponse', (req, reply, done) => {
    if (req.fairCounted) opts.ending.answered();
    // Made anew at each look.
    const { config, url } = req.routeOptions ?? {};
    const route = config?.callName ?? url ?? 'none';
    const { method, id: requestId, fairSession: session } = req;
    const { statusCode: status, elapsedTime } = reply;
    opts.metrics?.answered(route, method, status, elapsedTime / 1000);
    callLog.info(
      { call: route, method, status, ms: Math.round(elapsedTime), user: session?.userId, requestId },
      'call',
    );
    done();
  });
  app.setErrorHandler((error, req, reply) => {
    fail(error, req, reply);
    return reply;
  });
  return app;
}

/** Connections of one network and in all; the word of a trusted proxy is that it speaks for many. */
function limitConnections(app: FastifyInstance, { config, log }: ListenerOptions): void {
  const { all } = config.connectionLimits;
  const perAddress = config.limitFactor === 0 ? Number.POSITIVE_INFINITY : config.connectionLimits.perAddress;
  const isProxy = addressSet(config.trustProxy);
  const open = new Map<string, number>();
  let refused = 0;
  app.server.maxConnections = all;
  app.server.on('drop', () => {
    refused += 1;
  });
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const { near } = networkOf(address);
    const count = (open.get(near) ?? 0) + 1;
    if (count > perAddress) {
      refused += 1;
      socket.destroy();
      return;
    }
    open.set(near, count);
    socket.once('close', () => {
      const left = open.get(near)! - 1;
      if (left === 0) open.delete(near);
      else open.set(near, left);
    });
  });
  // A flood is told by its size now and then, not by a line for each.
  const teller = setInterval(() => {
    if (refused > 0) log.warn({ security: 'connections.refused', count: refused, open: open.size }, 'security');
    refused = 0;
  }, 10_000);
  teller.unref();
  app.addHook('onClose', async () => clearInterval(teller));
}

function readBodies(app: FastifyInstance): void {
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
}

/** Before anything of a request is looked at: headers of its answer, the way to HTTPS, the end of the site, the caller's pace. */
function before(app: FastifyInstance, opts: ListenerOptions): void {
  const { config, clock, pace, metrics, ending } = opts;
  const headersOf = answerHeaders(config);
  const sendOn = config.trustProxy.length > 0 && config.publicOrigin?.startsWith('https:') ? config.publicOrigin : null;
  app.addHook('onRequest', (req, reply, done) => {
    metrics?.started();
    ending.began();
    req.fairCounted = true;
    if (ending.leaving()) reply.header('connection', 'close');
    reply.headers(headersOf(req.url)).header('x-request-id', req.id);
    if (isHealth(req.url)) return done();
    // "Protected connection" is a promise of the footer: behind a balancer plain HTTP is sent on to HTTPS (CAR-44).
    if (sendOn !== null && req.protocol === 'http') {
      void reply
        .code(308)
        .header('location', sendOn + req.url)
        .send();
      return;
    }
    if (ending.draining()) {
      return done(restarting());
    }
    const kind = req.routeOptions.config.pace;
    const waitS =
      pace.wait('refused', clock(), req.ip, undefined) || (kind ? pace.take(kind, clock(), req.ip, undefined) : 0);
    if (waitS === 0) return done();
    metrics?.limited(kind ?? 'refused');
    done(new CodedError('RATE_LIMITED', { retryAfterS: waitS }));
  });
}

function answerHeaders(config: Config): (url: string) => Readonly<Record<string, string>> {
  const page = pageHeaders(config);
  return (url) => {
    const isData = (url.startsWith('/api/') && !url.startsWith('/api/docs')) || isHealth(url);
    return isData ? DATA_HEADERS : page(url);
  };
}

/** Answers whatever was thrown. */
function failures(opts: ListenerOptions): (error: unknown, req: FastifyRequest, reply: FastifyReply) => void {
  const refusalOf = createRefusals(opts);
  const headersOf = answerHeaders(opts.config);
  return (error, req, reply) => {
    const { body, retryAfterS } = refusalOf(error, aboutOf(req));
    if (retryAfterS !== undefined) reply.header('retry-after', String(retryAfterS));
    // An answer of the framework's own has passed no hook.
    if (!reply.hasHeader('x-request-id')) reply.headers(headersOf(req.url)).header('x-request-id', req.id);
    void reply.code(body.statusCode).send(body);
  };
}

export function isHealth(url: string): boolean {
  return url === '/livez' || url === '/readyz' || url === '/metrics';
}

declare module 'fastify' {
  interface FastifyRequest {
    fairSession: Session | null;
    /** It has passed the first hook, and is under way until its answer is out. */
    fairCounted: boolean;
  }
  interface FastifyContextConfig {
    callName?: string;
    /** Counted by address before anything else; calls of the contract are counted when it is known who asks. */
    pace?: PaceClass;
  }
}
