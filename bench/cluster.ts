/**
 * A cluster of several processes on this machine (scripts/cluster): what a bet costs each role, and how long nobody can bet when
 * the leader goes.
 *
 * - `cluster.cpu.ROLE`: processor time of a bet by POST over two gateways, of all threads of the role's processes, less what they take
 *   when nobody bets; beside that of an empty POST to a bare Fastify in the same run. `follower` is a process that only follows;
 * - `cluster.bets.N`: bets a second over N gateways, clients and all processes on this machine;
 * - `cluster.kill`: from the SIGKILL of the leader to the first bet taken at a gateway, `cluster.handover` from its SIGTERM the
 *   longest time without one;
 * - `cluster.lag`: of 2,000 commands a second, from the moment the leader applied one to a following process that tells it, the commit
 *   between the two; `cluster.lag.cold` are the five seconds before, in which every process does this for the first time;
 * - `cluster.sockets.latency`: prices of 40 markets that change twice a second, to SOCKETS sockets over two gateways that watch five each:
 *   from the feed's word to the client's socket, after five such seconds; the greater one of the two gateways.
 *
 * `lag` and `sockets` say beside it what each process took of a processor, and how long it waited for one (`cores`, `waits`; seconds
 * a second). With `--alone` only the processes run that the figure speaks of: a core, two gateways, one NATS server and PostgreSQL, for
 * `lag` with its synchronous standby.
 *
 * `npm run bench -- cluster [--bets 4000] [--times 20] [--sockets 10000] [--only bets,cpu,lag,sockets,kill,handover] [--alone]`.
 */
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type App, createApp } from '../apps/server/src/app.ts';
import { openBus } from '../apps/server/src/bus/bus.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import { type Core, followCore, type Request } from '../apps/server/src/core/core.ts';
import { openDatabase, silent } from '../apps/server/src/db/db.ts';
import type { FeedOutput } from '../apps/server/src/feed/feed.ts';
import { flatNetwork } from '../scripts/cluster/network.ts';
import { type Cluster, familyOf, leaderOf, missing, standsBy, startCluster } from '../scripts/cluster/site.ts';
import { lines, post, share } from './bets-cpu.ts';
import { startHost } from './hosts.ts';
import { change, EVENTS, opening } from './price-site.ts';
import { heard } from './processes.ts';
import { report, reportWaits, round } from './report.ts';
import { openMatch } from './slate.ts';

const { values } = parseArgs({
  options: {
    bets: { type: 'string', default: '4000' },
    connections: { type: 'string', default: '64' },
    times: { type: 'string', default: '20' },
    sockets: { type: 'string', default: '10000' },
    only: { type: 'string' },
    alone: { type: 'boolean' },
  },
});
const BETS = Number(values.bets);
const TIMES = Number(values.times);
const PLAYERS = 32;
const CONNECTIONS = Number(values.connections);
const PASSWORD = 'a-bench-of-many-bets-7';
const KILL_GOAL_MS = 3000;
const HANDOVER_GOAL_MS = 300;
/** Jiffies of Linux are a hundredth of a second. */
const TICK_US = 10_000;
const AGAIN_MS = 120_000;
/** Programs that do something for the first time are slow for a second. */
const COLD_MS = 5000;
const LAG_MS = 10_000;
const LAG_GOAL_MS = 50;
const TURN_MS = 500;
const WATCH_MS = 20_000;
const SOCKETS_GOAL_MS = 250;

const lacks = missing();
if (lacks.length > 0) throw new Error(`cluster: missing ${lacks.join(', ')}`);
if (values.alone && values.only !== 'lag' && values.only !== 'sockets')
  throw new Error('cluster: --alone is for --only lag or --only sockets');
const markets: Array<{ eventId: number; marketId: number; runnerId: number }> = [];
const cluster = await startCluster({
  network: flatNetwork('a bench cuts nothing'),
  say: () => {},
  againMs: 500,
  ...(values.alone && { only: { names: ['core-1', 'gateway-1', 'gateway-2'], nats: 1, standby: isAsked('lag') } }),
  env: {
    FAIRGAME_FEED: 'none',
    FAIRGAME_DEMO_PLAYERS: 'off',
    FAIRGAME_LIMIT_FACTOR: '0',
    FAIRGAME_LOG: 'info',
    FAIRGAME_CONNECTIONS_PER_ADDRESS: '100000',
    FAIRGAME_SOCKETS_PER_ACCOUNT: '10000',
    FAIRGAME_SOCKETS_PER_ADDRESS: '100000',
  },
  prepare,
});
const db = await openDatabase({ url: cluster.databaseUrl, dataDir: '', log: silent });
const gateways = ['gateway-1', 'gateway-2'].map((name) => new URL(cluster.addresses.get(name)!));
const tokens: string[] = [];
for (let i = 0; i < PLAYERS; i++) tokens.push(await signIn(gateways[i % 2]!, `bettor${i}`));
let keys = 0;
let priceChanges = 0;
await openMarkets();

if (isAsked('bets')) await rates();
if (isAsked('cpu')) await costs(await emptyPost());
if (isAsked('lag')) {
  const { core, end } = await followed();
  const cold = await lags(core, COLD_MS);
  const { result, beside } = await watching(() => lags(core, LAG_MS));
  await end();
  reportWaits('cluster.lag.cold', cold, LAG_GOAL_MS);
  reportWaits('cluster.lag', result, LAG_GOAL_MS, beside);
}
if (isAsked('sockets')) await watched();
if (isAsked('kill')) reportWaits('cluster.kill', await changes('SIGKILL'), KILL_GOAL_MS);
if (isAsked('handover')) reportWaits('cluster.handover', await changes('SIGTERM'), HANDOVER_GOAL_MS);
await db.close();
await cluster.stop();
process.exit(0);

function isAsked(part: string): boolean {
  return values.only?.split(',').includes(part) ?? true;
}

/** Before any process begins: players with money, and twenty matches. */
async function prepare(env: Record<string, string>): Promise<void> {
  const alone = { ...process.env, ...env, NATS_URL: '', FAIRGAME_ROLES: '', PORT: '0' };
  const app = await createApp({ config: loadConfig(alone) });
  for (let i = 0; i < PLAYERS; i++)
    await app.auth.createPlayer({
      userName: `bettor${i}`,
      password: PASSWORD,
      creditMinor: 10_000_000_000,
      forceChangePassword: false,
      actor: 'bench',
    });
  for (let n = 0; n < 20; n++) {
    const [eventId, marketId, runnerId, otherId] = [1, 2, 3, 4].map(() => app.core.nextId()) as [
      number,
      number,
      number,
      number,
    ];
    markets.push({ eventId, marketId, runnerId });
    const runners = [
      { runnerId, name: 'Home' },
      { runnerId: otherId, name: 'Away' },
    ];
    await make(app, openMatch(eventId, marketId, runners));
  }
  for (const eventId of EVENTS) await make(app, opening(eventId));
  await app.close();
}

async function make(app: App, outputs: FeedOutput[]): Promise<void> {
  for (const told of outputs) {
    if (told.type === 'event') app.catalog.addEvent(told.event);
    if (told.type !== 'command' || told.command.type !== 'market.create') continue;
    app.catalog.addMarket(told.command.market, told.info);
    await app.catalog.flush();
    await app.core.submit({ world: 'all', actor: 'feed', command: told.command });
  }
}

/** A feed that begins suspends what it did not tell itself. */
async function openMarkets(): Promise<void> {
  const { core, end } = await followed();
  for (const marketId of [...markets.map((one) => one.marketId), ...EVENTS.map((id) => id + 1000)])
    await core.submit({ world: 'all', actor: 'feed', command: { type: 'market.state', marketId, status: 'OPEN' } });
  await end();
}

/** The core as a process has it that follows. */
async function followed(): Promise<{ core: Core; end: () => Promise<void> }> {
  const servers = cluster.env.NATS_URL!.split(',');
  const nobody = { creds: undefined, user: undefined, password: undefined, ca: undefined };
  const bus = await openBus({ servers, replicas: servers.length, ...nobody }, silent);
  const core = await followCore({ db, log: silent, bus });
  const end = async (): Promise<void> => {
    await core.stop();
    await bus.close();
  };
  return { core, end };
}

function priceOf(eventId: number, tick: number): Request {
  const told = change(eventId, tick);
  if (told.type !== 'command') throw new Error('a price is a command');
  return { world: 'all', actor: 'feed', command: told.command };
}

/** Twenty commands every ten milliseconds, asked by the process that follows. */
async function lags(core: Core, ms: number): Promise<number[]> {
  const took: number[] = [];
  const off = core.onCommitted(({ items }) => {
    const now = Date.now();
    for (const { world, actor, at } of items) if (world === 'real' && actor === 'feed') took.push(now - at);
  });
  const until = performance.now() + ms;
  // What was answered is not kept: it would be this process's garbage.
  let flying = 0;
  for (let due = performance.now(); due < until; due += 10) {
    await sleep(Math.max(0, due - performance.now()));
    priceChanges++;
    const some = EVENTS.filter((_, i) => i % 2 === priceChanges % 2);
    flying++;
    void core.submitAll(some.map((eventId) => priceOf(eventId, priceChanges))).finally(() => flying--);
  }
  while (flying > 0) await sleep(1);
  off();
  return took;
}

/** Two processes of clients, one at each gateway. */
async function watched(): Promise<void> {
  const each = String(Number(values.sockets) / 2);
  const file = fileURLToPath(new URL('./fanout.ts', import.meta.url));
  const clients = gateways.map(() => fork(file, ['--role', 'client', '--sockets', each]));
  clients.forEach((client, i) => {
    client.send({ what: 'connect', url: gateways[i]!.origin, token: tokens[i], eventIds: EVENTS });
  });
  await Promise.all(clients.map((client) => heard(client, 'connected')));
  const { core, end } = await followed();
  await ticking(core, COLD_MS);
  const { result: ticks, beside } = await watching(() => ticking(core, WATCH_MS), {
    'clients-1': clients[0]!.pid!,
    'clients-2': clients[1]!.pid!,
  });
  await sleep(2000);
  const told = await Promise.all(
    clients.map((client) => {
      const answer = heard<{ p50: number; p99: number; delivered: number; frames: number; gaps: number }>(
        client,
        'told',
      );
      client.send({ what: 'tell', ticks });
      return answer;
    }),
  );
  for (const client of clients) client.send({ what: 'stop' });
  await end();
  const worst = (of: 'p50' | 'p99' | 'gaps'): number => Math.max(...told.map((one) => one[of]));
  const p99 = round(worst('p99'), 0);
  report({
    name: 'cluster.sockets.latency.p99',
    unit: 'ms',
    value: p99,
    baseline: SOCKETS_GOAL_MS,
    ratio: round(SOCKETS_GOAL_MS / p99),
    p50: round(worst('p50'), 0),
    sockets: Number(values.sockets),
    framesPerSecond: Math.round(told.reduce((sum, { frames }) => sum + frames, 0) / ((COLD_MS + WATCH_MS) / 1000)),
    delivered: round(Math.min(...told.map((one) => one.delivered)), 4),
    gaps: worst('gaps'),
    ...beside,
  });
}

/** Changes all prices, and answers which change was told when. */
async function ticking(core: Core, ms: number): Promise<number[]> {
  const ticks: number[] = [];
  const until = performance.now() + ms;
  for (let due = performance.now(); due < until; due += TURN_MS) {
    await sleep(Math.max(0, due - performance.now()));
    priceChanges++;
    ticks.push(priceChanges, performance.timeOrigin + performance.now());
    void core.submitAll(EVENTS.map((eventId) => priceOf(eventId, priceChanges)));
  }
  return ticks;
}

/** Backs low and lays high, so that one matches the other's. */
function bet(): { token: string; body: object } {
  keys += 1;
  const market = markets[keys % markets.length]!;
  const isBack = keys % 2 === 0;
  return {
    token: tokens[keys % tokens.length]!,
    body: {
      key: `bench-cluster-${Date.now().toString(36)}-${keys.toString(36).padStart(8, '0')}`,
      betId: market.marketId,
      matchId: market.eventId,
      runnerId: market.runnerId,
      bettingType: isBack ? 'BACK' : 'LAY',
      odd: isBack ? 220 : 110,
      stake: 100,
    },
  };
}

async function bets(at: URL[], count: number): Promise<number> {
  const all = await Promise.all(at.map(({ hostname, port }) => lines(CONNECTIONS / at.length, hostname, Number(port))));
  const started = performance.now();
  await share(all.flat(), count, (line: Socket) => {
    const { token, body } = bet();
    return post(line, '/api/placeBet', token, body);
  });
  const seconds = (performance.now() - started) / 1000;
  for (const line of all.flat()) line.destroy();
  return count / seconds;
}

async function rates(): Promise<void> {
  const own: number[] = [];
  for (const many of [1, 2]) {
    await bets(gateways.slice(0, many), BETS / 4);
    own.push(await bets(gateways.slice(0, many), BETS));
    report({
      name: `cluster.bets.${many}`,
      unit: 'bets/s',
      value: round(own.at(-1)!, 0),
      baseline: round(own[0]!, 0),
      ratio: round(own.at(-1)! / own[0]!),
    });
  }
}

async function costs(bare: number): Promise<void> {
  const leader = await leaderOf(db.query, cluster);
  const roles: Record<string, string[]> = {
    gateway: ['gateway-1', 'gateway-2'],
    core: [leader],
    standby: [leader === 'core-1' ? 'core-2' : 'core-1'],
    follower: ['desk'],
    database: ['database'],
    'database-standby': ['database-standby'],
    nats: ['nats-1', 'nats-2', 'nats-3'],
  };
  const taken = (): number[] => Object.values(roles).map((names) => cpuUs(cluster, names));
  // As many before it: what is counted is not the compiler's first look at the way of a bet.
  await bets(gateways, BETS);
  const quietFrom = performance.now();
  const before = taken();
  await sleep(10_000);
  const idle = taken().map((us, i) => (us - before[i]!) / (performance.now() - quietFrom));
  const busyFrom = performance.now();
  const from = taken();
  await bets(gateways, BETS);
  const ms = performance.now() - busyFrom;
  const to = taken();
  Object.keys(roles).forEach((role, i) => {
    const us = (to[i]! - from[i]! - idle[i]! * ms) / BETS;
    report({
      name: `cluster.cpu.${role}`,
      unit: 'us CPU',
      value: round(us, 0),
      baseline: round(bare, 1),
      ratio: round(us / bare),
      idleShare: round(idle[i]! / 1000, 3),
    });
  });
}

/** How long nobody was taken a bet from, by the longest gap, once for each change. */
async function changes(signal: 'SIGKILL' | 'SIGTERM'): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    await untilCalm();
    const pid = cluster.pids()[await leaderOf(db.query, cluster)]!;
    let isOver = false;
    let last = performance.now();
    let longest = 0;
    const player = async ({ hostname, port }: URL): Promise<void> => {
      while (!isOver) {
        const line = connect(Number(port), hostname);
        const { token, body } = bet();
        const isTaken = await post(line, '/api/placeBet', token, body).then(
          () => true,
          () => false,
        );
        line.destroy();
        if (!isTaken) continue;
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
    };
    const players = [...gateways, ...gateways].map(player);
    await sleep(500);
    longest = 0;
    process.kill(pid, signal);
    const changed = leaderOf(db.query, cluster).catch(() => '');
    for (const until = Date.now() + AGAIN_MS; (await isOf(pid)) && Date.now() < until; ) await sleep(20);
    await changed;
    await sleep(500);
    isOver = true;
    await Promise.all(players);
    took.push(longest);
  }
  return took;
}

/** Whether the process still leads, or nobody does. */
async function isOf(pid: number): Promise<boolean> {
  const leader = await leaderOf(db.query, cluster).catch(() => null);
  return leader === null || cluster.pids()[leader] === pid;
}

async function untilCalm(): Promise<void> {
  for (const until = Date.now() + AGAIN_MS; ; await sleep(100)) {
    try {
      return await standsBy(db.query, cluster);
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

async function signIn(gateway: URL, userName: string): Promise<string> {
  const answer = await fetch(new URL('/api/auth/login', gateway), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName, password: PASSWORD }),
  });
  return ((await answer.json()) as { data: { token: string } }).data.token;
}

/** Microseconds of a processor that a POST without anything behind it takes. */
async function emptyPost(): Promise<number> {
  const host = await startHost('bare');
  const all = await lines(CONNECTIONS, '127.0.0.1', host.port);
  const turn = (): Promise<void> => share(all, BETS, (line) => post(line, host.path, 'x', bet().body));
  await turn();
  const before = await host.cpuUs();
  await turn();
  const us = ((await host.cpuUs()) - before) / BETS;
  for (const line of all) line.destroy();
  host.end();
  return us;
}

/** Of all threads of these processes and of all below them, since they began. */
function cpuUs(of: Cluster, names: readonly string[]): number {
  const pids = of.pids();
  let ticks = 0;
  for (const pid of names.flatMap((name) => familyOf(pids[name]!))) {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_US;
}

/** What each process took of a processor meanwhile, with all threads and children, and how long those waited for one that do the work. */
async function watching<T>(
  work: () => Promise<T>,
  clients: Record<string, number> = {},
): Promise<{ result: T; beside: Record<string, unknown> }> {
  const pids = Object.entries({ ...cluster.pids(), bench: process.pid, ...clients });
  // Of Node one thread does the work, and each connection of PostgreSQL is a process; NATS spreads over its threads.
  const now = () =>
    pids.map(([name, pid]) => scheduled(name === 'bench' ? [pid] : familyOf(pid), name.startsWith('nats')));
  const from = performance.now();
  const before = now();
  const result = await work();
  const seconds = (performance.now() - from) / 1000;
  const after = now();
  const shares = (of: 0 | 1) =>
    Object.fromEntries(pids.map(([name], i) => [name, round((after[i]![of] - before[i]![of]) / 1e9 / seconds)]));
  return { result, beside: { cores: shares(0), waits: shares(1) } };
}

/** Nanoseconds that their threads ran, and that the first ones (or all) waited to run. */
function scheduled(pids: readonly number[], all: boolean): [number, number] {
  let [ran, waited] = [0, 0];
  for (const pid of pids)
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const fields = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      ran += Number(fields[0]);
      if (all || Number(thread) === pid) waited += Number(fields[1]);
    }
  return [ran, waited];
}
