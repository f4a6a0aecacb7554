import { createHash, timingSafeEqual } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Core } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { Metrics } from './metrics.ts';

const MOST_DELAY_MS = 2000;
const WINDOW_MS = 5000;
const BAD_WINDOWS = 3;
const LOCAL = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/**
 * `/livez`: the process turns its event loop; never asks the database, or an outage there would restart everything.
 * `/readyz`: this process can take bets now. `/metrics`: for this machine, not through a proxy, and for who carries the token (trust 6.1, SEC-C3).
 */
export function healthRoutes(opts: { http: Http; core: Core; db: Db; metrics: Metrics; config: Config }): void {
  const { http, core, db, metrics, config } = opts;
  const delay = monitorEventLoopDelay({ resolution: 50 });
  delay.enable();
  const windows = loopWindows();
  const nextWindow = setInterval(() => {
    windows.ended(delay.max / 1e6);
    delay.reset();
  }, WINDOW_MS);
  nextWindow.unref();
  // Counted from the moment the site is open: a slow start is no reason to be restarted.
  http.app.addHook('onListen', async () => {
    delay.reset();
    windows.ended(0);
  });
  http.app.addHook('onClose', async () => {
    clearInterval(nextWindow);
    delay.disable();
  });
  for (const listener of http.listeners) {
    listener.get('/livez', async (_req, reply) =>
      reply.code(windows.alive() ? 200 : 503).send({ alive: windows.alive(), loopDelayMs: windows.worstMs() }),
    );
    listener.get('/readyz', async (_req, reply) => {
      const health = core.health();
      const checks = {
        database: db.healthy(),
        core: health.available,
        commits: health.failingSince === null,
        accepting: !http.leaving(),
      };
      const ready = Object.values(checks).every(Boolean);
      return reply.code(ready ? 200 : 503).send({ ready, ...checks });
    });
  }
  http.inside.get('/metrics', async (req, reply) => {
    if (!isLocal(req) && !carries(req, config.metricsToken)) throw new CodedError('NOT_FOUND');
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

/**
 * Whether the event loop turns, judged by whole windows: one long settlement or one costly request is no reason to kill the
 * only writer; several bad windows in a row are.
 */
export function loopWindows(): { ended(worstMs: number): void; alive(): boolean; worstMs(): number } {
  let lastMs = 0;
  let bad = 0;
  return {
    ended(worstMs) {
      lastMs = Math.round(worstMs);
      bad = worstMs >= MOST_DELAY_MS ? bad + 1 : 0;
    },
    alive: () => bad < BAD_WINDOWS,
    worstMs: () => lastMs,
  };
}

function isLocal(req: FastifyRequest): boolean {
  return (
    LOCAL.has(req.socket.remoteAddress ?? '') &&
    req.headers['x-forwarded-for'] === undefined &&
    req.headers.forwarded === undefined
  );
}

function carries(req: FastifyRequest, token: string | undefined): boolean {
  const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();
  return token !== undefined && timingSafeEqual(hashed(req.headers.authorization ?? ''), hashed(`Bearer ${token}`));
}
