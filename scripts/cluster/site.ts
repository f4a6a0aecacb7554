/**
 * A whole site of several processes: PostgreSQL with a synchronous standby, three NATS servers, two cores, two gateways, feed,
 * tables and desk, each on a machine of its own where this one can play several (network.ts). What ends is started again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDatabase, silent } from '../../apps/server/src/db/db.ts';
import { freePort, root } from '../../apps/server/test/program.ts';
import { findPostgres, type PrivatePostgres, startPostgres } from '../postgres.ts';
import type { Network } from './network.ts';

export const MAIN = join(root, 'apps/server/dist/main.js');
const READY_MS = 120_000;
/** Of what a process says, so much of the end is kept at hand. */
const KEPT = 20_000;
const ROLES: Record<string, string> = {
  'core-1': 'core',
  'core-2': 'core',
  'gateway-1': 'gateway',
  'gateway-2': 'gateway',
  feed: 'feed',
  tables: 'tables',
  desk: 'desk',
};
const NODES = ['nats-1', 'nats-2', 'nats-3'];

export interface ClusterOptions {
  network: Network;
  say: (text: string) => void;
  /** What ended is started again after so long. */
  againMs: number;
  env?: Record<string, string>;
  /** Only these of its processes; `nats` says how many servers carry the bus. Else all of them. */
  only?: { names: readonly string[]; nats: number; standby: boolean };
  /** With the empty database, before any process of the site is started. */
  prepare?: (env: Record<string, string>) => Promise<void>;
}

/** A process that ended although nobody killed it. */
export interface Ended {
  name: string;
  code: number | null;
  /** The last it said. */
  said: string;
}

export interface Cluster {
  /** The database that takes writes. */
  databaseUrl: string;
  /** Settings that all its processes share. */
  env: Record<string, string>;
  /** Name and address of each process with a listener. */
  addresses: Map<string, string>;
  pids(): Record<string, number>;
  kill(name: string): void;
  /** The process with all of its children stands still, or goes on. */
  freeze(name: string, isFrozen: boolean): void;
  /** Not started again until it is told. */
  hold(name: string): () => void;
  restartDatabase(): Promise<void>;
  /** Loses the machine of the primary and leads the site on its standby, which gets a new standby. */
  failOver(): Promise<void>;
  /** Those that ended by themselves since the last time it was asked. */
  ended(): Ended[];
  /** Whether this start of the process has said that it stands by. */
  stoodBy(name: string): boolean;
  /** The machine that each database is on; all else is on that of its own name. */
  machines(): Record<string, string>;
  /** Where each process writes what it says. */
  logs: string;
  stop(): Promise<void>;
}

/** In words what this machine lacks; empty when it has all. */
export function missing(): string[] {
  return [
    findPostgres() ? '' : 'PostgreSQL (apt-get install postgresql)',
    find('nats-server') ? '' : 'NATS (apt-get install nats-server)',
    existsSync(MAIN) ? '' : 'the built site (npm run build)',
  ].filter(Boolean);
}

export function find(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { network, say } = options;
  const dir = mkdtempSync(join(tmpdir(), 'fairgame-cluster-'));
  const logs = join(dir, 'logs');
  mkdirSync(logs);
  const keeper = createKeeper(options, logs);
  const only = options.only ?? { names: Object.keys(ROLES), nats: NODES.length, standby: true };
  const database = await startDatabase(network, only.standby);
  say(`PostgreSQL${only.standby ? ' with a synchronous standby' : ''}: ${database.url}`);
  const servers = await startBus(network, keeper, dir, NODES.slice(0, only.nats));
  say(`NATS: ${servers.join(', ')}`);
  const env = {
    DATABASE_URL: database.url,
    NATS_URL: servers.join(),
    NATS_REPLICAS: String(servers.length),
    FAIRGAME_ROOT: root,
    FAIRGAME_DATA: join(dir, 'site'),
    FAIRGAME_SECRET: randomBytes(32).toString('hex'),
    FAIRGAME_METRICS_TOKEN: randomBytes(32).toString('hex'),
    ...options.env,
  };
  await options.prepare?.(env);
  const addresses = new Map<string, string>();
  for (const [name, roles] of Object.entries(ROLES)) {
    if (!only.names.includes(name)) continue;
    const { host, inside } = network.machine(name);
    const own = { ...env, FAIRGAME_ROLES: roles, HOST: host, PORT: String(await freePort()) };
    const address = `http://${host}:${own.PORT}`;
    addresses.set(name, address);
    keeper.keep(name, [...inside, process.execPath, MAIN], own);
    // The first makes the tables; one that stands by is ready when it leads.
    if (name !== 'core-2') await ready(name, address, say);
  }
  return {
    databaseUrl: database.url,
    env,
    addresses,
    logs,
    pids: () => ({ ...database.pids(), ...keeper.pids() }),
    kill(name) {
      process.kill(keeper.pids()[name]!, 'SIGKILL');
    },
    freeze(name, isFrozen) {
      const pid = { ...database.pids(), ...keeper.pids() }[name]!;
      for (const one of familyOf(pid)) signal(one, isFrozen ? 'SIGSTOP' : 'SIGCONT');
    },
    hold: (name) => keeper.hold(name),
    restartDatabase: database.restart,
    failOver: () => database.failOver(),
    ended: keeper.ended,
    stoodBy: keeper.stoodBy,
    machines: database.machines,
    async stop() {
      await keeper.stop();
      await database.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Which process holds the lock of the one writer. Throws where none does. */
export async function leaderOf(query: Db['query'], cluster: Cluster): Promise<string> {
  const rows = await query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'advisory' AND l.granted AND a.application_name LIKE 'fairgame-writer %'`,
  );
  const pids = cluster.pids();
  const leader = rows
    .map(({ name }) => Number(name.split(' ')[2]))
    .flatMap((pid) => ['core-1', 'core-2'].filter((core) => pids[core] === pid))[0];
  if (!leader) throw new Error('nobody leads');
  return leader;
}

/** Throws until one core leads and the other says that it stands by. */
export async function standsBy(query: Db['query'], cluster: Cluster): Promise<void> {
  const other = (await leaderOf(query, cluster)) === 'core-1' ? 'core-2' : 'core-1';
  if (!cluster.stoodBy(other)) throw new Error(`${other} does not stand by`);
}

/** Starts programs, and again what ended. */
function createKeeper({ say, againMs }: ClusterOptions, logs: string) {
  const children = new Map<string, ChildProcess>();
  const held = new Set<string>();
  const words = new Map<string, string>();
  const standing = new Set<string>();
  const left: Ended[] = [];
  let ending = false;
  // A run that fails leaves nothing behind.
  process.once('exit', () => {
    for (const child of children.values()) child.kill('SIGKILL');
  });

  function keep(name: string, [program, ...args]: string[], env: Record<string, string>): void {
    const child = spawn(program!, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    children.set(name, child);
    const log = createWriteStream(join(logs, `${name}.log`), { flags: 'a' });
    words.set(name, '');
    standing.delete(name);
    for (const stream of [child.stdout, child.stderr])
      stream!.on('data', (chunk: Buffer) => {
        log.write(chunk);
        const said = (words.get(name) ?? '') + chunk.toString();
        if (said.includes('"stands by"')) standing.add(name);
        words.set(name, said.slice(-KEPT));
      });
    // What it said last comes behind its end.
    child.once('close', () => log.end());
    child.once('exit', (code, why) => {
      if (ending) return;
      const said = words.get(name)!.trim().slice(-600);
      words.set(name, '');
      if (why === null) left.push({ name, code, said });
      say(`${name} ended (${why ?? code}), again in ${againMs / 1000} s${why ? '' : `: ${said}`}`);
      const again = (): void => {
        if (ending) return;
        if (held.has(name)) setTimeout(again, 100);
        else keep(name, [program!, ...args], env);
      };
      setTimeout(again, againMs);
    });
  }

  return {
    keep,
    pids: () => Object.fromEntries([...children].map(([name, { pid }]) => [name, pid ?? 0])),
    hold(name: string) {
      held.add(name);
      return () => void held.delete(name);
    },
    ended: () => left.splice(0),
    stoodBy: (name: string) => standing.has(name),
    async stop() {
      ending = true;
      const running = [...children.values()].filter((child) => child.exitCode === null && child.signalCode === null);
      const ends = running.map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of running) child.kill('SIGTERM');
      await Promise.race([Promise.all(ends), sleep(15_000)]);
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

/**
 * A way that was cut is given up after five seconds and sought each second: left to itself the system asks an old connection ever
 * more seldom, and what waits for the standby waits as long again as the cut was (docs/operations.md, Replica and failover).
 */
const QUICK_TO_NOTICE = {
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '1s',
};

/** Primary and synchronous standby, each on a machine of its own, and the address that the primary has. */
async function startDatabase(network: Network, standsBy: boolean) {
  const placed = (name: string) => ({
    ...network.machine(name),
    subnet: network.subnet,
    ...(network.whyWhole === null ? { port: 5432 } : {}),
  });
  let names = ['db-1', 'db-2'] as [string, string];
  let primary: PrivatePostgres = (await startPostgres(QUICK_TO_NOTICE, placed(names[0])))!;
  let standby = standsBy ? await primary.replica(placed(names[1]), QUICK_TO_NOTICE) : undefined;
  const url = new URL(primary.url);
  url.hostname = network.giveAddress(names[0]);
  if (standby) await beSynchronous(primary.url, '*');
  return {
    url: url.href,
    machines: () => ({ database: names[0], 'database-standby': names[1] }),
    pids: () => ({ database: primary.pid(), ...(standby && { 'database-standby': standby.pid() }) }),
    restart: () => primary.crashAndRestart(),
    async failOver() {
      if (!standby) throw new Error('there is no standby');
      // Lost first, so that what it still says reaches nobody.
      network.plug(names[0], false);
      await primary.crash();
      await primary.stop();
      await run(standby.url, 'SELECT pg_promote()');
      [primary, names] = [standby, [names[1], names[0]]];
      network.giveAddress(names[0]);
      await beSynchronous(primary.url, '');
      network.plug(names[1], true);
      standby = await primary.replica(placed(names[1]), QUICK_TO_NOTICE);
      await beSynchronous(primary.url, '*');
    },
    async stop() {
      await standby?.stop();
      await primary.stop();
    },
  };
}

async function beSynchronous(url: string, names: string): Promise<void> {
  await run(url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`, 'SELECT pg_reload_conf()');
}

async function run(url: string, ...statements: string[]): Promise<void> {
  const db = await openDatabase({ url, dataDir: '', log: silent });
  for (const sql of statements) await db.exec(sql);
  await db.close();
}

/** Servers that know each other; answers their addresses. */
async function startBus(
  network: Network,
  keeper: ReturnType<typeof createKeeper>,
  dir: string,
  names: readonly string[],
): Promise<string[]> {
  const nodes = [];
  for (const name of names)
    nodes.push({ name, ...network.machine(name), port: await freePort(), route: await freePort() });
  const routes = nodes.map(({ host, route }) => `nats://${host}:${route}`).join();
  for (const { name, host, inside, port, route } of nodes) {
    const store = join(dir, name);
    mkdirSync(store);
    const settings = join(dir, `${name}.conf`);
    writeFileSync(settings, `ping_interval: "1s"\nping_max: 2\n`);
    const own = ['-c', settings, '-n', name, '-a', host, '-p', String(port), '-js', '-sd', store];
    const others = ['--cluster_name', 'fairgame', '--cluster', `nats://${host}:${route}`, '--routes', routes];
    keeper.keep(name, [...inside, find('nats-server')!, ...own, ...(nodes.length > 1 ? others : [])], {});
  }
  return nodes.map(({ host, port }) => `nats://${host}:${port}`);
}

async function ready(name: string, address: string, say: (text: string) => void): Promise<void> {
  for (const until = Date.now() + READY_MS; Date.now() < until; ) {
    const answer = await fetch(`${address}/readyz`).catch(() => null);
    if (answer?.ok) return say(`${name} is ready`);
    await sleep(100);
  }
  throw new Error(`${name} is not ready`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Ended meanwhile.
  }
}

/** A process and all below it: PostgreSQL has one for each connection. */
export function familyOf(pid: number): number[] {
  if (!existsSync('/proc')) return [pid];
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const below = (one: number): number[] => [
    one,
    ...parents.filter(([, parent]) => parent === one).flatMap(([child]) => below(child)),
  ];
  return below(pid);
}

function parentOf(pid: string): number {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}
