import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import type { Config } from '../config.ts';
import type { Core } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import { type Http, isFromHere } from '../http/http.ts';
import type { Metrics } from './metrics.ts';

const MOST_DELAY_MS = 2000;
const WINDOW_MS = 5000;
const BAD_WINDOWS = 3;

/**
 * `/livez`: the process turns its event loop; never asks the database, or an outage there would restart everything.
 * `/readyz`: this process serves who comes now, as well as any of the site: one that leads takes bets, one that follows shows what there is. `/metrics`: for this machine, not through a proxy, and for who carries the token (trust 6.1, SEC-C3).
 */
export function healthRoutes(opts: { http: Http; core: Core; db: Db; metrics: Metrics; config: Config }): void {
  const { http, core, db, metrics, config } = opts;
  const windows = watchTurns();
  // Counted from the moment the site is open: a slow start is no reason to be restarted.
  http.app.addHook('onListen', async () => windows.begin());
  http.app.addHook('onClose', async () => windows.stop());
  for (const listener of http.listeners) {
    listener.get('/livez', async (_req, reply) =>
      reply.code(windows.alive() ? 200 : 503).send({ alive: windows.alive(), loopDelayMs: windows.worstMs() }),
    );
    listener.get('/readyz', async (_req, reply) => {
      const checks = checksOf(core, db, http.leaving());
      const ready = Object.values(checks).every(Boolean);
      return reply.code(ready ? 200 : 503).send({ ready, ...checks });
    });
  }
  http.inside.get('/metrics', async (req, reply) => {
    if (!mayScrape(req.raw, config)) throw new CodedError('NOT_FOUND');
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

/** Looks at the event loop of this process. */
function watchTurns(): Pick<ReturnType<typeof loopWindows>, 'alive' | 'worstMs'> & { begin(): void; stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: 50 });
  delay.enable();
  const windows = loopWindows();
  const next = setInterval(() => {
    windows.ended(delay.max / 1e6);
    delay.reset();
  }, WINDOW_MS);
  next.unref();
  return {
    ...windows,
    begin() {
      delay.reset();
      windows.ended(0);
    },
    stop() {
      clearInterval(next);
      delay.disable();
    },
  };
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

/** The health of a process on its own ports, where nobody else is served. */
export interface HealthDoor {
  /** Answers from then on; gives the players' address. Throws where a port is in use, and may be asked again. */
  listen(): Promise<string>;
  /** The rooms stand: whether the process is ready is from now on asked of the core. */
  opened(core: Core): void;
  leave(): void;
  close(): Promise<void>;
}

/**
 * What a process answers that is no gateway, or stands by and is none yet: it is alive, and ready where no balancer would send it
 * players for that. To be closed before a gateway listens there.
 */
export function openHealthDoor(parts: { db: Db; metrics: Metrics; config: Config }): HealthDoor {
  const { db, metrics, config } = parts;
  let [leads, leaving]: [Core | null, boolean] = [null, false];
  let turns: ReturnType<typeof watchTurns> | undefined;

  function readiness(): Record<string, boolean> {
    if (leads) return checksOf(leads, db, leaving);
    return { database: db.healthy(), accepting: !leaving && !config.roles.includes('gateway') };
  }
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const tell = (status: number, body: object): void => {
      res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
    };
    if (req.url === '/livez') {
      const alive = turns?.alive() ?? true;
      return tell(alive ? 200 : 503, { alive });
    }
    if (req.url === '/readyz') {
      const checks = readiness();
      const ready = Object.values(checks).every(Boolean);
      return tell(ready ? 200 : 503, { ready, ...(leads ? {} : { standingBy: true }), ...checks });
    }
    if (req.url !== '/metrics' || !mayScrape(req, config)) return tell(404, { statusCode: 404, code: 'NOT_FOUND' });
    res.setHeader('content-type', metrics.registry.contentType);
    res.end(await metrics.registry.metrics());
  };
  const places = [{ host: config.host, port: config.port }, config.operatorListener].filter((one) => one !== undefined);
  const servers = places.map(() =>
    createServer((req, res) => {
      answer(req, res).catch(() => res.destroy());
    }),
  );

  return {
    async listen() {
      await Promise.all(servers.flatMap((server, i) => (server.listening ? [] : [listening(server, places[i]!)])));
      turns ??= watchTurns();
      turns.begin();
      const { address, port } = servers[0]!.address() as AddressInfo;
      return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
    },
    opened(core) {
      leads = core;
    },
    leave() {
      leaving = true;
    },
    async close() {
      turns?.stop();
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function listening(server: Server, place: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const checksOf = (core: Core, db: Db, leaving: boolean): Record<string, boolean> => {
  const health = core.health();
  return {
    database: db.healthy(),
    core: health.serves,
    commits: health.failingSince === null,
    accepting: !leaving,
  };
};

type Scrape = Pick<IncomingMessage, 'headers' | 'socket'>;

const mayScrape = (req: Scrape, config: Config): boolean => isFromHere(req) || carries(req, config.metricsToken);

function carries(req: Scrape, token: string | undefined): boolean {
  const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();
  return token !== undefined && timingSafeEqual(hashed(req.headers.authorization ?? ''), hashed(`Bearer ${token}`));
}
