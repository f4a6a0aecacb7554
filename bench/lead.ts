/**
 * How long nobody can bet when the process that leads goes away, on one PostgreSQL.
 *
 * - `lead.kill`: from the kill of a leader to the first bet that the one standing by has committed.
 * - `lead.handover`: the longest wait for a bet that is placed through a following process while the leader gives its place to the
 *   one standing by; none is refused. Both of these are in this process, with a bus of its own.
 *
 * - `lead.lag`: from a batch told by the leader to the same batch told by a following process, at 2,000 commands a second over a
 *   NATS of this machine, where it has one.
 *
 * The goals of the design stand as baselines. `npm run bench -- lead [--times 20]`.
 */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { LocalHub, openBus } from '../apps/server/src/bus/bus.ts';
import { type Core, followCore, openCore, type Request, standBy } from '../apps/server/src/core/core.ts';
import { type Db, openDatabase, silent } from '../apps/server/src/db/db.ts';
import { type Fixture, makeCore } from '../apps/server/test/fixture.ts';
import { bundleHost, startHost } from '../apps/server/test/kill-harness.ts';
import { findNats, startNats } from '../apps/server/test/nats-server.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { reportWaits } from './report.ts';

const { values } = parseArgs({ options: { times: { type: 'string', default: '20' } } });
const TIMES = Number(values.times);
const KILL_GOAL_MS = 3000;
const HANDOVER_GOAL_MS = 300;
const LAG_GOAL_MS = 50;
const LAG_MS = 5000;

const own = process.env.DATABASE_URL ? null : await startPostgres();
const server = process.env.DATABASE_URL ?? own?.url;
if (!server) throw new Error('lead: this machine has no PostgreSQL; name one in DATABASE_URL');
const program = await bundleHost();
const f: Fixture = await makeCore({ clock: Date.now }, server);
await f.core.stop();
const url = f.test.url!;
let orders = 0;

reportWaits('lead.kill', await kills(), KILL_GOAL_MS);
reportWaits('lead.handover', await handovers(), HANDOVER_GOAL_MS);
const nats = findNats();
if (nats) reportWaits('lead.lag', await lags(nats), LAG_GOAL_MS);
await f.test.drop();
await own?.stop();
rmSync(dirname(program), { recursive: true, force: true });
process.exit(0);

async function kills(): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const leader = await startHost(program, { url }, { days: 0, standsBy: true });
    const { core, end } = await stands(new LocalHub());
    for (let i = 0; i < 20; i++) await leader.submit(order());
    const killed = performance.now();
    leader.kill();
    const leads = await core;
    await leads.submit(order());
    took.push(performance.now() - killed);
    await end();
  }
  return took;
}

async function handovers(): Promise<number[]> {
  const took: number[] = [];
  const hub = new LocalHub();
  let now = await stands(hub);
  const db = await connection();
  let leads = await now.core;
  const gateway = await followCore({ db, log: silent, bus: hub.bus() });
  for (let n = 0; n < TIMES; n++) {
    const next = await stands(hub);
    let isOver = false;
    let longest = 0;
    const player = async (): Promise<void> => {
      while (!isOver) {
        const asked = performance.now();
        await gateway.submit(order());
        longest = Math.max(longest, performance.now() - asked);
      }
    };
    const players = [player(), player()];
    await now.end();
    leads = await next.core;
    await leads.submit(order());
    isOver = true;
    await Promise.all(players);
    took.push(longest);
    now = next;
  }
  await gateway.stop();
  await db.close();
  await now.end();
  return took;
}

async function lags(natsServer: string): Promise<number[]> {
  const nats = await startNats(natsServer);
  const settings = {
    servers: [nats.url],
    creds: undefined,
    user: undefined,
    password: undefined,
    ca: undefined,
    replicas: 1,
  };
  const buses = [await openBus(settings, silent), await openBus(settings, silent)] as const;
  const dbs = [await connection(), await connection()] as const;
  await dbs[0].lead();
  const leads = await openCore({ db: dbs[0], log: silent, bus: buses[0] });
  const follows = await followCore({ db: dbs[1], log: silent, bus: buses[1] });
  const toldAt = new Map<number, number>();
  const took: number[] = [];
  leads.onCommitted(({ items }) => void toldAt.set(items.at(-1)!.seq, performance.now()));
  follows.onCommitted(({ items }) => {
    const at = toldAt.get(items.at(-1)!.seq);
    if (at !== undefined) took.push(performance.now() - at);
  });
  // Quotes, as most commands of a site are: twenty every ten milliseconds.
  const end = performance.now() + LAG_MS;
  for (let due = performance.now(); due < end; due += 10) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    void leads.submitAll(Array.from({ length: 20 }, (_, i) => quote(200 + 2 * ((orders + i) % 20))));
  }
  await leads.submit(order());
  await follows.stop();
  await leads.stop();
  for (const one of [...dbs, ...buses]) await one.close();
  await nats.end();
  return took;
}

function quote(price: number): Request {
  orders++;
  const row = { sizeMinor: 250_000, price };
  return {
    world: 'all',
    actor: 'feed',
    command: {
      type: 'house.quotes',
      marketId: f.bookmaker.marketId,
      rows: f.bookmaker.runnerIds.map((runnerId) => ({ runnerId, back: row, lay: null, status: 'ACTIVE' })),
    },
  };
}

/** Resolves once it has loaded and looks at the leader's place. */
async function stands(hub: LocalHub): Promise<{ core: Promise<Core>; end: () => Promise<void> }> {
  const db = await connection();
  let core: Promise<Core> | undefined;
  await new Promise<void>((resolve) => {
    const log = { ...silent, info: (_: object, text: string) => text === 'stands by' && resolve() };
    core = standBy({ db, log, bus: hub.bus() });
  });
  const end = async (): Promise<void> => {
    await (await core!).stop();
    await db.close();
  };
  return { core: core!, end };
}

function connection(): Promise<Db> {
  return openDatabase({ url, dataDir: '', log: silent });
}

/** Demo money, which never runs out, at a price that nobody takes. */
function order(): Request {
  orders++;
  return {
    world: 'demo',
    actor: `player:${f.dora}`,
    key: `lead-key-${orders}-aaaa`,
    payloadHash: 'one',
    command: {
      type: 'order.place',
      betId: 0,
      accountId: f.dora,
      marketId: f.book.marketId,
      runnerId: f.book.runnerIds[0],
      side: 'BACK',
      price: 305,
      sizeMinor: 100,
      persistence: 'PERSIST',
    },
  };
}
