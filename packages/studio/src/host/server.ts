/** A provider's server put together: page, sessions, rounds, money, reports, and the dialect that it speaks. */
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { AnyGame } from '../game.ts';
import { GAMES } from '../studio.ts';
import { createSend, type Send } from './caller.ts';
import { type Chaos, chaosFrom, chaoticWallet, happens, sleep } from './chaos.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Core, Provider } from './core.ts';
import { demoWallet } from './demo.ts';
import { createMoney } from './money.ts';
import { pageRoutes } from './page.ts';
import { createReports, type Reports } from './reports.ts';
import { createSessions, type Launch, type Launched } from './sessions.ts';
import { createTable, type Table } from './shared.ts';
import { createSolo } from './solo.ts';
import { openStore } from './store.ts';
import type { OperatorWallet } from './wallet.ts';

/** What the operator's calls to a provider are answered from. */
export interface OperatorCalls extends Reports {
  /** Throws a Refusal: PAUSED where there is no such game, BAD_INPUT where the launch cannot be. */
  launch(launch: Launch): Launched;
}

export interface Dialect {
  wallet(send: Send): OperatorWallet;
  /** Adds the routes of the operator's calls; `rawBody` is what was signed. */
  routes(http: FastifyInstance, operator: OperatorCalls, rawBody: (request: FastifyRequest) => string): void;
}

export interface HostOptions {
  readonly provider: Provider;
  readonly dialect: Dialect;
  /** Origin of this program as browsers see it. */
  readonly publicOrigin: string;
  /** Origins of the site that may frame the page; the first is meant where a launch names none of them. */
  readonly parentOrigins: readonly string[];
  /** Folder of the journal; null keeps nothing. */
  readonly dataFolder: string | null;
  /** Folder of the built page; null serves none. */
  readonly pageFolder: string | null;
  readonly chaos?: string | undefined;
  readonly clock?: Clock;
  readonly games?: ReadonlyMap<string, AnyGame>;
  readonly walletTimeoutMs?: number;
  /** A round left open is ended for its player after this long. */
  readonly leaveAfterMs?: number;
  /** How long the page waits for the operator's answer to a pay-out. */
  readonly patienceMs?: number;
  readonly log?: (text: string, what: object) => void;
}

export interface Host {
  readonly http: FastifyInstance;
  readonly operator: OperatorCalls;
  close(): Promise<void>;
}

const WALLET_TIMEOUT_MS = 5000;
const PATIENCE_MS = 2000;
const LEAVE_AFTER_MS = 600_000;
/** Games of many wagers have large ones, a table of roulette full of chips; nothing is larger. */
const BODY_BYTES = 32_768;

export function createHost(options: HostOptions): Host {
  const { provider, dialect, clock = systemClock, log = () => {} } = options;
  const chaos = chaosFrom(options.chaos);
  const store = openStore(options.dataFolder, () => clock.now(), log);
  const wallet = chaoticWallet(dialect.wallet(createSend(options.walletTimeoutMs ?? WALLET_TIMEOUT_MS, chaos)), chaos);
  const demo = demoWallet(store);
  const money = createMoney({
    store,
    clock,
    walletOf: (mode) => (mode === 'demo' ? demo : wallet),
    balanceSeen: (walletSession, balanceMinor) => sessions.balanceSeen(walletSession, balanceMinor),
    log,
    patienceMs: options.patienceMs ?? PATIENCE_MS,
  });
  const all = options.games ?? GAMES;
  const games = new Map(provider.games.flatMap((code) => (all.has(code) ? [[code, all.get(code)!] as const] : [])));
  const core: Core = { provider, store, clock, money, games, wallet, log };
  const sessions = createSessions(core, options);
  const solo = createSolo(core, sessions, options.leaveAfterMs ?? LEAVE_AFTER_MS);

  // Movements first: what is found half done below then waits for them.
  money.resume();
  const tables = new Map<string, Table>();
  for (const game of games.values())
    if (game.kind === 'shared') tables.set(game.code, createTable(core, sessions, game));
  solo.start();

  const operator: OperatorCalls = { launch: (launch) => sessions.launch(launch), ...createReports(core, tables) };
  const http = createHttp(log);
  const { rawBody } = http;
  http.app.register((scope, _options, done) => {
    if (chaos.delay.chance > 0 || chaos.http500.chance > 0) addFaults(scope, chaos);
    dialect.routes(scope, operator, rawBody);
    done();
  });
  http.app.register((scope, _options, done) => {
    pageRoutes(scope, {
      core,
      sessions,
      solo,
      tables,
      pageFolder: options.pageFolder,
      parentOrigins: options.parentOrigins,
    });
    done();
  });

  return {
    http: http.app,
    operator,
    async close() {
      solo.stop();
      for (const table of tables.values()) table.stop();
      money.stop();
      await http.app.close();
      store.close();
    },
  };
}

function createHttp(log: (text: string, what: object) => void) {
  const app = Fastify({ bodyLimit: BODY_BYTES, forceCloseConnections: true });
  const bodies = new WeakMap<FastifyRequest, string>();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    bodies.set(request, text);
    try {
      done(null, JSON.parse(text));
    } catch {
      done(Object.assign(new Error('The body is no JSON.'), { statusCode: 400 }));
    }
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    if (!reply.hasHeader('cross-origin-resource-policy')) reply.header('cross-origin-resource-policy', 'same-origin');
    done();
  });
  app.addHook('onError', (request, _reply, error, done) => {
    if ((error as { statusCode?: number }).statusCode === undefined && !('page' in error) && !('field' in error))
      log('a call failed', { url: request.url.split('?')[0], error: error.stack });
    done();
  });
  return { app, rawBody: (request: FastifyRequest) => bodies.get(request) ?? '' };
}

function addFaults(scope: FastifyInstance, chaos: Chaos): void {
  scope.addHook('onRequest', async (_request, reply) => {
    if (happens(chaos.delay)) await sleep(chaos.delay.size);
    if (happens(chaos.http500)) await reply.code(500).send();
  });
}
