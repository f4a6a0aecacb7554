/** One listening server with what stands before every call: limits of time, connections and pace, headers, one error shape. */
import type { Socket } from 'node:net';
import { CodedError, TIME } from '@fairgame/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { limitConnections } from './connections.ts';
import { failures } from './errors.ts';
import { isJsonType, parseBody } from './input.ts';
import type { ListenerOptions, Patience } from './options.ts';
import type { PaceClass } from './pace.ts';
import { requestId } from './request-id.ts';
import { securityHooks } from './security.ts';
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
    clientErrorHandler(error, socket) {
      // Not HTTP at all, too slow, or over the limits of the parser: nothing of it is worth an answer with detail. One that
      // never said a word is closed without one: a browser that opened it in advance would read those words as the answer
      // to the request it just sends; a bare end it takes for what it is, and asks again. A caller that leaves its own half
      // open does not keep the socket.
      const { bytesRead } = socket as Socket;
      const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
      if (socket.writable && bytesRead > 0)
        socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      (socket as Socket).destroySoon();
    },
  });
  const fail = failures(opts);
  limitConnections(app, opts);
  readBodies(app);
  securityHooks(app, opts);
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
