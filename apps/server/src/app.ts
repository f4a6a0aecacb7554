/** The program: its roles, each put together in a file of app/, placed here: in one process, or a part of them in each of several. */
import { openCoreSeat } from './app/core.ts';
import { createDesk } from './app/desk.ts';
import { createFeed } from './app/feed.ts';
import { createGateway, type Gateway } from './app/gateway.ts';
import { type AppOptions, type Ground, openGround } from './app/ground.ts';
import { SharedFeed } from './app/shared-feed.ts';
import { createTables } from './app/tables.ts';
import type { Casino } from './casino/casino.ts';
import { type Catalog, createCatalog } from './catalog/catalog.ts';
import type { Core } from './core/types.ts';
import type { Bridge } from './feed/bridge.ts';
import { createHolds } from './operator/operator.ts';

export { createLog } from './app/log.ts';

export interface App extends Omit<Gateway, 'start' | 'close'>, Pick<Ground, 'config' | 'log' | 'db' | 'bus' | 'audit'> {
  core: Core;
  catalog: Catalog;
  bridge: Bridge;
  casino: Casino;
  /** Starts what moves by itself: the feed. */
  start(): Promise<void>;
  /** From the outside in: no more calls, then the rooms, the core, the database. */
  close(): Promise<void>;
}

/** Puts the roles together, by hand and in order. Nothing listens yet. */
export async function createApp(opts: AppOptions): Promise<App> {
  const ground = await openGround(opts);
  const { config, db, bus, clock, log, audit, owner } = ground;
  const { core, lastWroteAt } = await openCoreSeat(ground).catch(async (error: unknown) => {
    await db.close();
    await bus.close();
    throw error;
  });
  const frames = { streamHost: config.streamHost, scoreHost: config.scoreHost };
  const others = bus.alone ? undefined : { bus, owner, decides: config.roles.includes('feed') };
  const catalog = await createCatalog({ db, core, clock, log, frames, ...(others ? { others } : {}) });
  const holds = await createHolds(db, bus, log);
  const parts = { core, catalog, holds, lastWroteAt };
  const feed = bus.alone ? createFeed(ground, parts) : new SharedFeed(ground, parts);
  const casino = await createTables(ground, core);
  const desk = createDesk(ground);
  const gateway = await createGateway(ground, { core, catalog, holds, feed: feed.desk, casino, isAlone: desk.isAlone });
  return {
    ...gateway,
    config,
    log,
    db,
    bus,
    audit,
    core,
    catalog,
    bridge: feed.bridge(),
    casino,
    async start() {
      await desk.start();
      gateway.start();
      await feed.start(gateway.live.isWatched);
    },
    async close() {
      await gateway.close();
      await casino.stop();
      await feed.stop();
      await catalog.stop();
      await desk.stop();
      await core.stop();
      await db.close();
      await bus.close();
    },
  };
}
