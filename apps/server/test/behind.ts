/**
 * The server tests a second time, against a site of two parts as several processes have them: a gateway, whose doors the tests knock
 * at, and behind it core, feed, tables and desk, with a real PostgreSQL and a real NATS between them: `FAIRGAME_TEST_CLUSTER=on npx vitest run apps/server/test/bets.test.ts`.
 */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, vi } from 'vitest';
import { startPostgres } from '../../../scripts/postgres.ts';
import type { Site } from '../src/app.ts';
import type { Catalog } from '../src/catalog/catalog.ts';
import type { Env } from '../src/config.ts';
import { freshDatabase } from './fresh-database.ts';
import { findNats, startNats } from './nats-server.ts';

/** Whether a server of these settings is made of two parts: not one that says itself what it is, or goes on with data that is there. */
export function isInParts(env: Env): boolean {
  const own = ['DATABASE_URL', 'FAIRGAME_DATA', 'FAIRGAME_ROLES', 'NATS_URL'].some((name) => env[name] !== undefined);
  return process.env.FAIRGAME_TEST_CLUSTER === 'on' && !own;
}

let postgres: Awaited<ReturnType<typeof startPostgres>> = null;
// Here and not where it is started: what a hook registers while it runs is never called.
if (process.env.FAIRGAME_TEST_CLUSTER === 'on') afterAll(() => postgres?.stop());

/** `open` makes an app of settings. Answers both parts as one; what feed, tables and desk do is done behind. */
export async function openParts(open: (env: Env) => Promise<Site>, { FAIRGAME_FEED: feed }: Env): Promise<Site> {
  if (!postgres) {
    postgres = await startPostgres();
    if (!postgres || !findNats()) throw new Error('the tests over two parts need PostgreSQL and nats-server');
  }
  const [database, nats] = [await freshDatabase(postgres.url), await startNats(findNats()!)];
  const env = {
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    FAIRGAME_SECRET: randomBytes(32).toString('hex'),
    FAIRGAME_CLOCK: 'trust',
  };
  const behind = await open({ ...env, FAIRGAME_ROLES: 'core,feed,tables,desk' });
  const gateway = await open({ ...env, FAIRGAME_ROLES: 'gateway' });
  // A feed that the test speaks for begins at once, and the desk with it: what they do alone is done from then on.
  const isByHand = feed === 'none';
  if (isByHand) {
    // The start of a site makes the first person behind it; a site that a test did not start has nobody yet.
    behind.config.operator = undefined;
    await begun(behind);
  }
  return {
    ...gateway,
    ...asOne(behind, gateway),
    async start() {
      if (!isByHand) await behind.start();
      await gateway.start();
    },
    async close() {
      await gateway.close();
      await behind.close();
      await nats.end();
      await database.drop();
    },
  };
}

/** What a test asks the rooms to do by hand, done where it is done in such a site, and known at the gateway when it is done. */
function asOne(behind: Site, gateway: Site): Partial<Site> {
  const { catalog, casino, bridge, auth, operator, protection } = behind;
  const met = (): Promise<void> => meet(behind, gateway);
  const ticks = (here: { tick(): Promise<void> }, there: { tick(): Promise<void> } | undefined) => async () => {
    await met();
    await here.tick();
    await there?.tick();
    await met();
  };
  const idle = async (): Promise<void> => {
    await bridge?.idle();
    await met();
  };
  return {
    ...(catalog && { catalog }),
    ...(casino && { casino }),
    ...(bridge && { bridge: instead(bridge, { idle }) }),
    ...(gateway.auth && { auth: instead(gateway.auth, { tick: ticks(gateway.auth, auth) }) }),
    ...(gateway.protection && {
      protection: instead(gateway.protection, { tick: ticks(gateway.protection, protection) }),
    }),
    ...(gateway.operator &&
      operator && {
        operator: instead(gateway.operator, {
          overdue: instead(operator.overdue, {
            async look() {
              await met();
              await operator.overdue.look();
              await met();
            },
          }),
        }),
      }),
  };
}

/** `one` itself but for what `own` has: what it keeps of itself stays in one place. */
function instead<T extends object>(one: T, own: Partial<T>): T {
  return new Proxy(one, {
    get(of, name) {
      const value: unknown = Reflect.get(name in own ? own : of, name);
      return typeof value === 'function' ? value.bind(name in own ? own : of) : value;
    },
  });
}

/** Starts it, and waits until it has what one process of a site does alone. */
export async function begun(behind: Pick<Site, 'bus' | 'start'>): Promise<void> {
  const works = feedTold(behind);
  await behind.start();
  await works;
}

/** Resolves when whoever runs the feed next says so. */
export function feedTold({ bus }: Pick<Site, 'bus'>): Promise<void> {
  return new Promise((resolve) => {
    const off = bus.hear('feed.told', () => {
      off();
      resolve();
    });
  });
}

/** Resolves when each of the two knows what the other was told so far: of commands, of messages, of the catalogue. */
async function meet(behind: Site, gateway: Site): Promise<void> {
  await gateway.core.reached(behind.core.health().seq);
  await Promise.all([crossed(behind, gateway), crossed(gateway, behind)]);
  await vi.waitUntil(() => isAlike(behind.catalog!, gateway.catalog!), { timeout: 10_000, interval: 5 });
}

let marks = 0;
/** Messages of one connection come in order: when this one is there, those before it are. */
function crossed(from: Site, to: Site): Promise<void> {
  const subject = `test.mark.${++marks}`;
  return new Promise((resolve) => {
    const off = to.bus.hear(subject, () => {
      off();
      resolve();
    });
    // Whoever hears it is known to the server by then: it answers on the same connection.
    void roundTrip(to).then(() => from.bus.tell(subject, new Uint8Array()));
  });
}

async function roundTrip({ bus }: Site): Promise<void> {
  await bus.request(`test.nobody.${++marks}`, new Uint8Array(), 1000).catch(() => undefined);
}

function isAlike(one: Catalog, other: Catalog): boolean {
  const ids = new Set([...one.openEvents(), ...other.openEvents()].map(({ id }) => id));
  const stands = (of: Catalog) =>
    [...ids].map((id) => {
      const live = of.event(id);
      const places = of.images.marketsOf(id).map((marketId) => of.place(marketId));
      return live ? [live.event, live.startAt, live.stopAt, live.score, places] : id;
    });
  return isDeepStrictEqual(stands(one), stands(other));
}
