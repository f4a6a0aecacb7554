/** What is no call: the client's files, and reports of what a browser's content policy stopped. */
import { CodedError } from '@fairgame/contract';
import type { FastifyInstance } from 'fastify';
import type { Calls } from './calls.ts';
import { clientFiles } from './client.ts';
import type { ListenerOptions } from './options.ts';

/** Serves the built client for every path that is nothing else; `calls` tells 404 from 405. */
export function clientPages(app: FastifyInstance, calls: Calls, opts: ListenerOptions): void {
  const { config, pace, metrics, log } = opts;
  const files = clientFiles(config.webDist, {
    'fairgame-support': config.supportText,
    'fairgame-stream': config.streamHost ?? '',
    'fairgame-score': config.scoreHost ?? '',
  });
  app.setNotFoundHandler(async (req, reply) => {
    const path = req.url.split('?', 1)[0]!;
    refuseOthers(calls, path, req.method, reply);
    const file = await files.find(path, req.headers['accept-encoding']);
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
    if (pace.take('write', req.ip, undefined) === 0) {
      log.warn({ report: JSON.stringify(req.body ?? null).slice(0, 1000) }, 'content policy report');
      metrics?.reported();
    }
    return reply.code(204).send();
  });
}

/** A listener without the client: nothing but its calls. */
export function noPages(app: FastifyInstance, calls: Calls): void {
  app.setNotFoundHandler((req, reply) => {
    refuseOthers(calls, req.url.split('?', 1)[0]!, req.method, reply);
    throw new CodedError('NOT_FOUND');
  });
}

/** Throws METHOD_NOT_ALLOWED, or NOT_FOUND for what is no page. */
function refuseOthers(
  calls: Calls,
  path: string,
  method: string,
  reply: { header(name: string, value: string): unknown },
): void {
  const others = calls.methodsOf(path).filter((one) => one !== method);
  if (others.length > 0) {
    reply.header('allow', others.join(', '));
    throw new CodedError('METHOD_NOT_ALLOWED');
  }
  // What other programs and the frames of a page ask for is no screen of the client.
  if (path === '/metrics' || /^\/(?:api|socket\.io|frame)(?:\/|$)/.test(path)) throw new CodedError('NOT_FOUND');
  if (method !== 'GET' && method !== 'HEAD') {
    reply.header('allow', 'GET, HEAD');
    throw new CodedError('METHOD_NOT_ALLOWED');
  }
}
