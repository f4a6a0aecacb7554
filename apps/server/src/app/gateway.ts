import { type Bets, createBets } from '../bets/bets.ts';
import { doAlone } from '../bus/bus.ts';
import type { Casino } from '../casino/casino.ts';
import type { Http } from '../http/http.ts';
import { createLive, type Live } from '../live/live.ts';
import { createPrograms, type Programs } from '../programs/programs.ts';
import { createRacing } from '../racing/racing.ts';
import type { Ground } from './ground.ts';
import type { Office, OfficeParts } from './office.ts';
import { sharePace } from './shared-pace.ts';

/** What a gateway serves and does not run itself. */
export interface Behind extends Pick<OfficeParts, 'core' | 'catalog' | 'feed'> {
  http: Http;
  office: Office;
  casino: Casino;
}

export interface Gateway {
  bets: Bets;
  live: Live;
  programs: Programs;
  /** No more sockets and calls. */
  close(): Promise<void>;
}

/** trust PP-12; tables that run faster are for tests, and their players with them. */
const CARD_ROUND_MS = 5000;

/** Everything that players, operators and providers reach: calls and sockets. Nothing listens yet. */
export async function createGateway(ground: Ground, behind: Behind): Promise<Gateway> {
  const { http, office, catalog, casino, core } = behind;
  office.auth.routes(http);
  office.account.routes(http);
  office.protection.routes(http);
  catalog.routes(http);
  office.operator.routes(http);
  casino.routes(http);
  const bets = openBets(ground, behind);
  bets.routes(http);
  createRacing({ catalog, core, db: ground.db }).routes(http);
  office.providers.routes(http);
  office.push.routes(http);
  office.alerts.routes(http);
  const { bus, owner, log } = ground;
  // Only gateways have programs: what is done for those that fell silent one of them does, not the desk.
  const nothing = { stop: () => Promise.resolve() };
  const alone = doAlone({ bus, owner, log, name: 'programs', begin: () => Promise.resolve(nothing) });
  const programs = openPrograms(ground, behind, () => alone.now() !== null);
  programs.routes(http);
  await alone.start();
  const live = openLive(ground, behind, bets);
  const leavePace = await sharePace(ground.bus, http.pace, ground.log);
  return {
    bets,
    live,
    programs,
    async close() {
      leavePace();
      await programs.close();
      await alone.stop();
      await live.close();
      await http.close();
    },
  };
}

function openBets({ config, db, steady }: Ground, { catalog, casino, office }: Behind): Bets {
  return createBets({
    db,
    reports: office.reports,
    zoneFor: (userId, asked) => office.account.zoneFor(userId, asked),
    readerOf: (userId, asked) => office.account.readerOf(userId, asked),
    core: office.protection.guarded,
    catalog,
    cards: casino,
    steady,
    cardRoundMs: CARD_ROUND_MS / config.cardSpeed,
  });
}

function openPrograms(ground: Ground, { http, office, catalog, feed }: Behind, isAlone: () => boolean): Programs {
  const { config, bus, audit, clock, log } = ground;
  const { auth, protection, reports } = office;
  const db = ground.db.lane('people');
  const core = protection.guarded;
  return createPrograms({
    config,
    db,
    bus,
    core,
    catalog,
    auth,
    protection,
    reports,
    http,
    audit,
    clock,
    log,
    isAlone,
    late: () => feed.late(),
    meter: ground.metrics.programs,
  });
}

function openLive(
  { config, bus, clock, log }: Ground,
  { http, office, core, catalog, feed, casino }: Behind,
  bets: Bets,
): Live {
  const { auth, protection, operator, alerts } = office;
  const live = createLive({
    httpServer: http.server,
    auth,
    core,
    catalog,
    placedBet: (bet) => bets.placedBet(bet),
    conditionalOrder: (view) => bets.conditionalOrder(view),
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
  protection.useSockets(live);
  alerts.useSockets(live);
  operator.onSignal((signal) => {
    if (signal.type === 'refreshAll') live.refreshAll();
    else live.reasonChanged(signal);
  });
  return live;
}
