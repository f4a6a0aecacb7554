/** What stands before every request: headers of its answer, the way to HTTPS, the end of the site, the caller's pace. */
import { CodedError } from '@fairgame/contract';
import type { FastifyInstance } from 'fastify';
import { restarting } from './ending.ts';
import { isFromHere } from './from-here.ts';
import { answerHeaders, isHealth } from './headers.ts';
import type { ListenerOptions } from './options.ts';

const ONCE = ['host', 'authorization'];

/** Whether one of these comes twice: Node reads the first, and what stands before this server may have read the other. */
function saysTwice(raw: readonly string[]): boolean {
  let seen = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    if (name.length !== 4 && name.length !== 13) continue;
    const at = ONCE.indexOf(name.toLowerCase());
    if (at < 0) continue;
    if (seen & (1 << at)) return true;
    seen |= 1 << at;
  }
  return false;
}

/** Before anything of a request is looked at. */
export function securityHooks(app: FastifyInstance, opts: ListenerOptions): void {
  const { config, pace, metrics, ending } = opts;
  const headersOf = answerHeaders(config);
  const sendOn = config.trustProxy.length > 0 && config.publicOrigin?.startsWith('https:') ? config.publicOrigin : null;
  app.addHook('onRequest', (req, reply, done) => {
    metrics?.started();
    ending.began();
    req.fairCounted = true;
    if (ending.leaving()) reply.header('connection', 'close');
    reply.headers(headersOf(req.url)).header('x-request-id', req.id);
    if (saysTwice(req.raw.rawHeaders)) {
      reply.header('connection', 'close');
      return done(new CodedError('BAD_INPUT'));
    }
    if (isHealth(req.url)) return done();
    // "Protected connection" is a promise of the footer: behind a balancer plain HTTP is sent on to HTTPS (CAR-44).
    // The operator's line beside a site asks over no network at all.
    if (sendOn !== null && req.protocol === 'http' && !(opts.isInside && isFromHere(req.raw))) {
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
    const waitS = pace.wait('refused', req.ip, undefined) || (kind ? pace.take(kind, req.ip, undefined) : 0);
    if (waitS === 0) return done();
    metrics?.limited(kind ?? 'refused');
    done(new CodedError('RATE_LIMITED', { retryAfterS: waitS }));
  });
}
