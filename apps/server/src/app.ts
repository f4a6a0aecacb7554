import { pino } from 'pino';
import { type Account, createAccount } from './account/account.ts';
import { type Auth, createAuth, type Deliver } from './auth/auth.ts';
import { type Bets, createBets } from './bets/bets.ts';
import { type Casino, createCasino } from './casino/casino.ts';
import { type Catalog, createCatalog } from './catalog/catalog.ts';
import type { Config } from './config.ts';
import { auditProblem } from './config-database.ts';
import { boundHouse, type CoreOptions, openCore } from './core/core.ts';
import type { Core } from './core/types.ts';
import { type Db, DbLost, migrate, openDatabase } from './db/db.ts';
import { type Bridge, createBridge } from './feed/bridge.ts';
import { openSource, type Source } from './feed/sources.ts';
import { createHttp, type Http } from './http/http.ts';
import { createReportDesk } from './ledger/ledger.ts';
import { createLive, type Live } from './live/live.ts';
import { createHolds, createOperator, type Operator } from './operator/operator.ts';
import {
  type Audit,
  auditRights,
  createAnchors,
  createAudit,
  createMetrics,
  createRetention,
  healthRoutes,
  openBackups,
} from './ops/ops.ts';
import { Protection } from './protection/protection.ts';
import { createProviders, type Providers } from './providers/providers.ts';
import { createRacing } from './racing/racing.ts';

export interface App {
  config: Config;
  log: pino.Logger;
  db: Db;
  core: Core;
  http: Http;
  audit: Audit;
  auth: Auth;
  account: Account;
  protection: Protection;
  catalog: Catalog;
  bridge: Bridge;
  operator: Operator;
  bets: Bets;
  casino: Casino;
  live: Live;
  providers: Providers;
  /** Starts what moves by itself: the feed. */
  start(): Promise<void>;
  /** From the outside in: no more calls, then the rooms, the core, the database. */
  close(): Promise<void>;
}

/** trust PP-12; tables that run faster are for tests, and their players with them. */
const CARD_ROUND_MS = 5000;

export interface AppOptions {
  config: Config;
  clock?: () => number;
  log?: pino.Logger;
  /** Where messages to players go; tests read them here. */
  deliver?: Deliver;
  /** `memory://` keeps nothing; else the data folder's own. */
  databaseDir?: string;
}

/** Puts the rooms together, by hand and in order. Nothing listens yet. */
export async function createApp(opts: AppOptions): Promise<App> {
  const { config } = opts;
  const clock = opts.clock ?? Date.now;
  const log = opts.log ?? createLog(config);

  const db = await openDatabase({
    url: config.databaseUrl,
    dataDir: opts.databaseDir ?? `${config.dataDir}/db`,
    log,
    durability: config.durability,
  });
  const metrics = createMetrics();
  const options = {
    log,
    trustClock: config.trustClock,
    keepKeysMonths: config.keepKeysMonths,
    currencies: config.currencies,
    terms: config.terms,
    meter: metrics.core,
    ...(opts.clock ? { clock } : {}),
  };
  const { core, lastWroteAt } = await openLeading(db, options);
  await boundHouse(core, config.houseLoss);
  const audit = createAudit(db, clock, config.keyring);
  const retention = createRetention({ db, clock, log });
  const anchors = createAnchors({ audit, dataDir: config.dataDir, keyring: config.keyring, clock, log });
  const http = createHttp({
    config,
    log,
    // The line of a call holds nothing that could have to be cut out, and looking for it costs more than writing it.
    callLog: log.child({}, { redact: [] }),
    clock,
    metrics: metrics.http,
    isOutage: (error) => error instanceof DbLost || !db.healthy(),
    onRefused: (what) => {
      metrics.refused(what.code, what.route);
      if (SECURITY_CODES.has(what.code)) {
        log.info(
          {
            security: 'refused',
            code: what.code,
            call: what.route,
            field: what.field,
            ip: what.ip,
            user: what.session?.userId,
            requestId: what.requestId,
          },
          'security',
        );
      }
    },
  });
  const people = db.lane('people');
  const reports = createReportDesk(db);
  const auth = await createAuth({
    db: people,
    core,
    config,
    log,
    clock,
    audit,
    ...(opts.deliver ? { deliver: opts.deliver } : {}),
  });

  healthRoutes({ http, core, db, metrics, config });
  const catalog = await createCatalog({
    db,
    core,
    clock,
    log,
    frames: { streamHost: config.streamHost, scoreHost: config.scoreHost },
  });
  const holds = await createHolds(db);
  const bridge = createBridge({ core, catalog, holds, clock, log, lastWroteAt });
  const protection = new Protection({ db, core, auth, audit, clock, log });
  // Rooms that bet or pay get the core with player protection in front.
  const { guarded } = protection;
  const account = createAccount({ db: people, reports, core, auth, protection, supportText: config.supportText });
  const backups = await openBackups(db, log);
  let source: Source | null = null;
  const operator = await createOperator({
    db,
    core: guarded,
    auth,
    account,
    catalog,
    audit,
    holds,
    protection,
    clock,
    log,
    dataDir: config.dataDir,
    backups,
    feed: {
      stats: () => bridge.stats(),
      late: () => bridge.late(),
      source: () => ({ connected: source?.connected() ?? false, troubles: source?.troubles() ?? 0 }),
      attention: () => bridge.attention(),
      confirm: (marketId, actor) => bridge.confirm(marketId, actor),
    },
    held: {
      waiting: () => providers.held.holds.waiting(),
      mustWait: (provider, txId) => providers.held.holds.mustWait(provider, txId),
      decide: (decision) => providers.held.decideHeld(decision),
      voidable: (round) => providers.held.voidable(round),
      voidRound: (round) => providers.held.voidRound(round),
    },
    aloneMinor: config.creditAloneMinor,
  });

  auth.routes(http);
  account.routes(http);
  protection.routes(http);
  catalog.routes(http);
  operator.routes(http);

  const { cardSpeed: speed, streamHost, keyring } = config;
  const casino = await createCasino({ db, core, log, clock, speed, streamHost, keyring });
  casino.routes(http);
  const bets = createBets({
    db,
    reports,
    core: guarded,
    catalog,
    cards: casino,
    clock,
    cardRoundMs: CARD_ROUND_MS / config.cardSpeed,
  });
  bets.routes(http);
  createRacing({ catalog, core, db }).routes(http);
  const providers = createProviders({
    db,
    core: guarded,
    config,
    protection,
    audit,
    clock,
    log,
    metrics: metrics.providers,
  });
  providers.routes(http);
  // Who signs out, or is signed out, plays no further round of what he opened there.
  auth.onEnded((ids, userId) => {
    providers.endSessions(userId, ids).catch((error: unknown) => log.warn({ err: error }, 'games could not be ended'));
  });

  const live = createLive({
    httpServer: http.server,
    auth,
    core,
    catalog,
    placedBet: (bet) => bets.placedBet(bet),
    clock,
    log,
    publicOrigin: config.publicOrigin,
    extraOrigins: config.extraOrigins,
    trustProxy: config.trustProxy,
    limits: config.socketLimits,
    late: () => bridge.late(),
    ask: http.ask,
    cards: casino,
  });
  protection.useSockets(live);
  operator.onSignal((signal) => {
    if (signal.type === 'refreshAll') live.refreshAll();
    else live.reasonChanged(signal);
  });
  let storing: NodeJS.Timeout | undefined;
  /** What the feed needs to go on: only what the core has carried out. */
  const store = async (): Promise<void> => {
    const save = source?.mark();
    if (!save) return;
    await bridge.idle();
    await save();
  };

  metrics.watch({
    core,
    db,
    clock,
    sockets: () => live.counts(),
    lastBackupAt: () => backups.lastAt(),
    feed: {
      kind: config.feed,
      lastHeardAt: () => bridge.stats().lastHeardAt,
      connected: () => source?.connected() ?? false,
      troubles: () => source?.troubles() ?? 0,
      refused: () => Object.values(bridge.stats().refused).reduce((sum, times) => sum + times, 0),
      attention: () => [
        ...bridge.attention(),
        ...operator.overdue.waiting().flatMap(({ marketIds }) => marketIds.map(() => ({ why: 'overdue' }))),
      ],
    },
  });

  return {
    config,
    log,
    db,
    core,
    http,
    audit,
    auth,
    account,
    protection,
    catalog,
    bridge,
    operator,
    bets,
    casino,
    live,
    providers,
    async start() {
      const rights = config.profile === 'production' ? await auditRights(db.query) : [];
      // Before the log was there, which is made by the first start, nobody could ask.
      if (config.auditOwner === 'refuse' && rights.length > 0) throw new Error(auditProblem(rights).join());
      if (rights.length > 0)
        log.error({ security: 'audit-rights', rights }, 'the database role of the server could change the audit log');
      await anchors.start();
      retention.start();
      providers.start();
      source = await openSource({
        kind: config.feed,
        seed: config.feedSeed,
        speed: config.feedSpeed,
        files: config.feedFiles,
        db,
        log,
        clock,
        watched: (eventId) => live.isWatched(eventId),
        market: (marketId) => core.read.market(marketId),
        env: process.env,
      });
      await bridge.start(source?.feed ?? null);
      if (!source) return;
      storing = setInterval(() => {
        store().catch((error: unknown) => log.warn({ err: error }, 'the feed could not be stored'));
      }, source.storeMs);
      storing.unref();
    },
    async close() {
      clearInterval(storing);
      anchors.stop();
      providers.stop();
      operator.overdue.stop();
      await live.close();
      await casino.stop();
      await http.close();
      await bridge.stop();
      await source
        ?.mark()?.()
        .catch((error: unknown) => log.warn({ err: error }, 'the feed could not be stored'));
      await catalog.stop();
      await protection.stop();
      await auth.stop();
      await retention.stop();
      await core.stop();
      await db.close();
    },
  };
}

/** Leads first, migrates then: nothing is changed under a server that runs. */
async function openLeading(db: Db, options: Omit<CoreOptions, 'db'>): Promise<{ core: Core; lastWroteAt: number }> {
  try {
    await db.lead();
    await migrate(db);
    const [row] = await db.query<{ at: number }>('SELECT last_at AS at FROM leader');
    return { core: await openCore({ db, ...options }), lastWroteAt: row?.at ?? 0 };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** JSON lines in UTC; what might carry a token or password is cut out whatever room logs it (trust SEC-L2). */
export function createLog(config: Config, stream?: pino.DestinationStream): pino.Logger {
  const options: pino.LoggerOptions = {
    level: config.logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: [
      'req.headers.authorization',
      'headers.authorization',
      '*.token',
      '*.password',
      '*.oldPassword',
      '*.newPassword',
      '*.authToken',
    ],
  };
  return pino(options, stream ?? standardOutput());
}

/** Written together every quarter of a second or 4 kB, so that no call waits for the log; what is left at the end goes out then. */
function standardOutput(): pino.DestinationStream {
  const out = pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 250 });
  process.once('exit', () => {
    try {
      out.flushSync();
    } catch {
      // Not open yet, or nobody reads any more.
    }
  });
  return out;
}

const SECURITY_CODES = new Set([
  'BAD_INPUT',
  'UNKNOWN_FIELD',
  'BAD_JSON',
  'UNSUPPORTED_TYPE',
  'TOO_LARGE',
  'NOT_ALLOWED',
  'DEMO_NOT_ALLOWED',
  'RATE_LIMITED',
  'SESSION_ENDED',
  'CODE_REQUIRED',
  'PASSWORD_CHANGE_REQUIRED',
  'KEY_REUSED',
]);
