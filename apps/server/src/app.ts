/** The program: its roles, each put together in a file of app/, placed here: in one process, or a part of them in each of several. */
import { type CoreSeat, openCoreSeat } from './app/core.ts';
import { createDesk } from './app/desk.ts';
import { openDoor } from './app/door.ts';
import { createFeed, type Feed, type FeedDesk } from './app/feed.ts';
import { type Behind, createGateway, type Gateway } from './app/gateway.ts';
import { type AppOptions, type Ground, openGround } from './app/ground.ts';
import { type Office, type OfficeParts, openOffice } from './app/office.ts';
import { SharedFeed } from './app/shared-feed.ts';
import { createTables } from './app/tables.ts';
import type { Casino } from './casino/casino.ts';
import { type Catalog, createCatalog } from './catalog/catalog.ts';
import type { Config } from './config.ts';
import type { Core } from './core/types.ts';
import { seedDemoPlayers } from './demo-players.ts';
import type { Bridge } from './feed/bridge.ts';
import type { Http } from './http/http.ts';
import type { Live } from './live/live.ts';
import { createHolds } from './operator/operator.ts';
import { type Backups, openBackups, openHealthDoor } from './ops/ops.ts';
import { ROLES, type SiteRole } from './roles.ts';

export { createLog } from './app/log.ts';

/** The rooms that a process may have; all of them where it has all roles. */
interface Rooms
  extends Pick<Office, 'auth' | 'account' | 'protection' | 'operator' | 'providers' | 'alerts'>,
    Pick<Gateway, 'bets' | 'live' | 'programs'> {
  http: Http;
  catalog: Catalog;
  bridge: Bridge;
  casino: Casino;
}

interface Process extends Pick<Ground, 'config' | 'log' | 'db' | 'bus' | 'audit'> {
  core: Core;
  /** Starts what moves by itself: the feed. */
  start(): Promise<void>;
  /** Answers from then on, whom its roles serve and who asks how it is; gives the address. */
  listen(): Promise<string>;
  /** Readiness says no; every call is still served. */
  leave(): void;
  /** Calls are refused. Resolves when those under way have their answers, or after `ms`. */
  drain(ms: number): Promise<void>;
  /** From the outside in: no more calls, then the rooms, the core, the database. */
  close(): Promise<void>;
}

/** One process of the site: it has the rooms of its roles and no others. */
export type Site = Process & Partial<Rooms>;
/** One that has them all. */
export type App = Process & Rooms;

/** A site of one process. */
export async function createApp(opts: AppOptions): Promise<App> {
  const site = await openSite(opts);
  if (!hasAll(site)) throw new Error('the settings name a part of the roles');
  return site;
}

const hasAll = (site: Site): site is App => site.config.roles.length === ROLES.length;

/** Puts the rooms of the roles together, by hand and in order. Nothing listens yet, but for a core that stood by. */
export async function openSite(opts: AppOptions): Promise<Site> {
  const ground = await openGround(opts);
  const { config, db, bus, log, audit } = ground;
  const health = openHealthDoor(ground);
  const seat = await openCoreSeat(ground, health).catch(async (error: unknown) => {
    await health.close();
    await db.close();
    await bus.close();
    throw error;
  });
  const { core } = seat;
  const { desk, floor, casino, office, front } = await db.patiently(() => buildRooms(ground, seat));
  if (!front) health.opened(core);
  return {
    ...(office && roomsOf(office)),
    ...(floor && { catalog: floor.catalog, bridge: floor.feed.bridge() }),
    ...(casino && { casino }),
    ...front,
    config,
    log,
    db,
    bus,
    audit,
    core,
    async start() {
      await db.patiently(() => desk.start(office && (() => makeFirst(config, office))));
      if (front) office?.start();
      // Who looks for alerts of all players is one of those that have the desk.
      if (config.roles.includes('desk')) await db.patiently(async () => office?.alerts.start());
      await floor?.feed.start((eventId) => front?.live.isWatched(eventId) ?? false);
    },
    listen: () => (front ? front.http.listen() : health.listen()),
    leave: () => (front ? front.http.leave() : health.leave()),
    drain: (ms) => front?.http.drain(ms) ?? Promise.resolve(),
    async close() {
      await front?.close();
      await office?.stop();
      await casino?.stop();
      await floor?.feed.stop();
      await floor?.catalog.stop();
      await desk.stop();
      await core.stop();
      await health.close();
      await db.close();
      await bus.close();
    },
  };
}

async function buildRooms(ground: Ground, seat: CoreSeat) {
  const { config, db, log } = ground;
  const { core } = seat;
  const has = (...roles: SiteRole[]): boolean => roles.some((role) => config.roles.includes(role));
  const backups = await openBackups(db, log);
  const desk = createDesk(ground);
  const floor = has('gateway', 'feed', 'desk') ? await openFloor(ground, seat) : undefined;
  const casino = has('gateway', 'tables') ? await createTables(ground, core) : undefined;
  const parts = floor && { ...floor, feed: floor.feed.desk, core, backups, isAlone: desk.isAlone };
  const office = parts && has('gateway', 'desk') ? await openOffice(ground, parts) : undefined;
  const front =
    parts && office && casino && has('gateway') ? await openFront(ground, { ...parts, office, casino }) : undefined;
  watch(ground, { core, backups, feed: floor?.feed.desk, office, live: front?.live });
  return { desk, floor, casino, office, front };
}

interface Floor extends Pick<OfficeParts, 'catalog' | 'holds'> {
  feed: Feed;
}

/** What is offered to be bet on, and where its prices come from. */
async function openFloor(ground: Ground, { core, lastWroteAt }: CoreSeat): Promise<Floor> {
  const { config, db, bus, clock, log, owner } = ground;
  const frames = { streamHost: config.streamHost, scoreHost: config.scoreHost };
  const others = bus.alone ? undefined : { bus, owner, decides: config.roles.includes('feed') };
  const catalog = await createCatalog({ db, core, clock, log, frames, ...(others ? { others } : {}) });
  const holds = await createHolds(db, bus, log);
  const parts = { core, catalog, holds, lastWroteAt };
  return { catalog, holds, feed: bus.alone ? createFeed(ground, parts) : new SharedFeed(ground, parts) };
}

/** The listeners and all that is reached through them. */
async function openFront(ground: Ground, behind: Omit<Behind, 'http'>): Promise<Gateway & { http: Http }> {
  const http = openDoor(ground, behind.core);
  return { ...(await createGateway(ground, { ...behind, http })), http };
}

const roomsOf = ({ auth, account, protection, operator, providers, alerts }: Office) => ({
  auth,
  account,
  protection,
  operator,
  providers,
  alerts,
});

/** People behind the site, and on a local site players to look around with. */
async function makeFirst(config: Config, office: Office): Promise<void> {
  await office.operator.people.begin(config);
  await seedDemoPlayers({ config, ...office });
}

function watch(
  { config, db, clock, metrics }: Ground,
  of: { core: Core; backups: Backups; feed: FeedDesk | undefined; office: Office | undefined; live: Live | undefined },
): void {
  const { core, backups, feed, office, live } = of;
  const overdue = () => office?.operator.overdue.waiting() ?? [];
  metrics.watch({
    core,
    db,
    clock,
    lastBackupAt: () => backups.lastAt(),
    ...(live && { sockets: () => live.counts() }),
    ...(feed && {
      feed: {
        kind: config.feed,
        lastHeardAt: () => feed.stats().lastHeardAt,
        connected: () => feed.source().connected,
        troubles: () => feed.source().troubles,
        refused: () => Object.values(feed.stats().refused).reduce((sum, times) => sum + times, 0),
        attention: () => [
          ...feed.attention(),
          ...overdue().flatMap(({ marketIds }) => marketIds.map(() => ({ why: 'overdue' }))),
        ],
      },
    }),
  });
}
