import { type Account, createAccount } from '../account/account.ts';
import { type Auth, createAuth } from '../auth/auth.ts';
import { type Bets, createBets } from '../bets/bets.ts';
import { pack, unpack } from '../bus/bus.ts';
import type { Casino } from '../casino/casino.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core } from '../core/types.ts';
import type { Http } from '../http/http.ts';
import { createReportDesk } from '../ledger/ledger.ts';
import { createLive, type Live } from '../live/live.ts';
import { createOperator, type Operator, type OperatorOptions } from '../operator/operator.ts';
import { type Backups, openBackups } from '../ops/ops.ts';
import { Protection } from '../protection/protection.ts';
import { createProviders, type Providers } from '../providers/providers.ts';
import { createRacing } from '../racing/racing.ts';
import { openDoor } from './door.ts';
import type { Ground } from './ground.ts';
import { sharePace } from './shared-pace.ts';

/** What a gateway serves and does not run itself. */
export interface Behind {
  core: Core;
  catalog: Catalog;
  holds: OperatorOptions['holds'];
  feed: OperatorOptions['feed'];
  casino: Casino;
  /** Whether this process does what only one of the site does. */
  isAlone: () => boolean;
}

interface People {
  http: Http;
  auth: Auth;
  account: Account;
  protection: Protection;
  reports: ReturnType<typeof createReportDesk>;
}

export interface Gateway extends Omit<People, 'reports'> {
  operator: Operator;
  bets: Bets;
  providers: Providers;
  live: Live;
  start(): void;
  close(): Promise<void>;
}

/** trust PP-12; tables that run faster are for tests, and their players with them. */
const CARD_ROUND_MS = 5000;
const PROFILE = 'ctl.profile';

/** Everything that players, operators and providers reach: calls and sockets. Nothing listens yet. */
export async function createGateway(ground: Ground, behind: Behind): Promise<Gateway> {
  const people = await openPeople(ground, behind);
  const { http, auth, account, protection } = people;
  const backups = await openBackups(ground.db, ground.log);
  const providers = openProviders(ground, people, behind);
  const operator = await openOperator(ground, behind, { people, providers, backups });
  auth.routes(http);
  account.routes(http);
  protection.routes(http);
  behind.catalog.routes(http);
  operator.routes(http);
  behind.casino.routes(http);
  const bets = openBets(ground, behind, people);
  bets.routes(http);
  createRacing({ catalog: behind.catalog, core: behind.core, db: ground.db }).routes(http);
  providers.routes(http);
  const live = openLive(ground, behind, { people, operator, bets });
  watch(ground, behind, { operator, live, backups });
  const leavePace = await sharePace(ground.bus, http.pace, ground.clock, ground.log);
  return {
    http,
    auth,
    account,
    protection,
    operator,
    bets,
    providers,
    live,
    start: () => providers.start(),
    async close() {
      leavePace();
      providers.stop();
      operator.overdue.stop();
      await live.close();
      await http.close();
      await protection.stop();
      await auth.stop();
    },
  };
}

async function openPeople(ground: Ground, { core, isAlone }: Behind): Promise<People> {
  const { config, db: site, bus, clock, log, audit, deliver } = ground;
  const db = site.lane('people');
  const http = openDoor(ground, core);
  const reports = createReportDesk(site, () => core.health().seq);
  const auth = await createAuth({ db, bus, core, config, log, clock, audit, isAlone, ...(deliver ? { deliver } : {}) });
  const protection = new Protection({ db: site, bus, core, auth, audit, clock, log, isAlone });
  const account = createAccount({ db, reports, core, auth, protection, supportText: config.supportText });
  return { http, auth, account, protection, reports };
}

function openProviders(ground: Ground, { auth, protection }: People, { isAlone }: Behind): Providers {
  const { config, clock, log, audit, metrics } = ground;
  const db = ground.db.lane('money');
  const core = protection.guarded;
  const parts = { db, core, config, protection, audit, clock, log, isAlone };
  const providers = createProviders({ ...parts, metrics: metrics.providers });
  // Who signs out, or is signed out, plays no further round of what he opened there.
  auth.onEnded((ids, userId, _reason, elsewhere) => {
    if (elsewhere) return;
    providers.endSessions(userId, ids).catch((error: unknown) => log.warn({ err: error }, 'games could not be ended'));
  });
  return providers;
}

function openOperator(
  { config, db, bus, clock, log, audit }: Ground,
  { catalog, holds, feed, isAlone }: Behind,
  { people, providers, backups }: { people: People; providers: Providers; backups: Backups },
): Promise<Operator> {
  const { auth, account, protection } = people;
  return createOperator({
    db,
    bus,
    isAlone,
    core: protection.guarded,
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
    feed,
    held: {
      waiting: () => providers.held.holds.waiting(),
      mustWait: (provider, txId) => providers.held.holds.mustWait(provider, txId),
      decide: (decision) => providers.held.decideHeld(decision),
      voidable: (round) => providers.held.voidable(round),
      voidRound: (round) => providers.held.voidRound(round),
    },
    aloneMinor: config.creditAloneMinor,
  });
}

function openBets({ config, db, clock }: Ground, { catalog, casino }: Behind, { reports, protection }: People): Bets {
  return createBets({
    db,
    reports,
    core: protection.guarded,
    catalog,
    cards: casino,
    clock,
    cardRoundMs: CARD_ROUND_MS / config.cardSpeed,
  });
}

function openLive(
  { config, bus, clock, log }: Ground,
  { core, catalog, feed, casino }: Behind,
  { people, operator, bets }: { people: People; operator: Operator; bets: Bets },
): Live {
  const { http, auth, protection } = people;
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
    late: () => feed.late(),
    ask: http.ask,
    cards: casino,
    // A request of a connection without a socket may reach another gateway.
    polling: bus.alone,
  });
  // His sockets may be on another gateway than the one that changed him.
  bus.hear(PROFILE, (body) => live.profileChanged(unpack<number>(body)));
  protection.useSockets({
    profileChanged: (accountId) => bus.tell(PROFILE, pack(accountId)),
    isHere: (accountId) => live.isHere(accountId),
  });
  operator.onSignal((signal) => {
    if (signal.type === 'refreshAll') live.refreshAll();
    else live.reasonChanged(signal);
  });
  return live;
}

function watch(
  { config, db, clock, metrics }: Ground,
  { core, feed }: Behind,
  { operator, live, backups }: { operator: Operator; live: Live; backups: Backups },
): void {
  metrics.watch({
    core,
    db,
    clock,
    sockets: () => live.counts(),
    lastBackupAt: () => backups.lastAt(),
    feed: {
      kind: config.feed,
      lastHeardAt: () => feed.stats().lastHeardAt,
      connected: () => feed.source().connected,
      troubles: () => feed.source().troubles,
      refused: () => Object.values(feed.stats().refused).reduce((sum, times) => sum + times, 0),
      attention: () => [
        ...feed.attention(),
        ...operator.overdue.waiting().flatMap(({ marketIds }) => marketIds.map(() => ({ why: 'overdue' }))),
      ],
    },
  });
}
