/**
 * npm run cluster                      a whole site of several processes on this machine, to look at and to break
 * npm run cluster -- --list            its processes
 * npm run cluster -- --kill NAME       ends one at once, as a crash would; it is started again after ten seconds
 * PostgreSQL with a synchronous standby, three NATS servers, two cores, two gateways, feed, tables, desk, and HAProxy in front at
 * PORT (3000). From Debian's packages postgresql, nats-server and haproxy; all of its data is gone with it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase, silent } from '../apps/server/src/db/db.ts';
import { freePort, root } from '../apps/server/test/program.ts';
import { findPostgres, startPostgres } from './postgres.ts';

const { values } = parseArgs({ options: { list: { type: 'boolean' }, kill: { type: 'string' } } });
/** Names and process ids, for `--list` and `--kill`. */
const LIST = join(tmpdir(), `fairgame-cluster-${process.getuid?.() ?? 0}.json`);
const AGAIN_MS = 10_000;
const READY_MS = 60_000;
const MAIN = join(root, 'apps/server/dist/main.js');
const ROLES = {
  'core-1': 'core',
  'core-2': 'core',
  'gateway-1': 'gateway',
  'gateway-2': 'gateway',
  feed: 'feed',
  tables: 'tables',
  desk: 'desk',
};

let dir = '';
const children = new Map<string, ChildProcess>();
const others = new Map<string, () => number>();
let ending = false;

if (values.list) {
  for (const [name, pid] of Object.entries(listed()))
    say(`${name.padEnd(10)} ${String(pid).padEnd(8)} ${isAlive(pid) ? 'runs' : 'ended'}`);
} else if (values.kill !== undefined) {
  const pid = listed()[values.kill];
  if (pid === undefined || !isAlive(pid))
    fail(`there is no ${values.kill} that runs; npm run cluster -- --list names all`);
  process.kill(pid, 'SIGKILL');
} else await run();

async function run(): Promise<void> {
  const missing = [
    findPostgres() ? '' : 'PostgreSQL (apt-get install postgresql)',
    find('nats-server') ? '' : 'NATS (apt-get install nats-server)',
    find('haproxy') ? '' : 'HAProxy (apt-get install haproxy)',
    existsSync(MAIN) ? '' : 'the built site (npm run build)',
  ].filter(Boolean);
  if (missing.length > 0) fail(`missing: ${missing.join(', ')}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());

  dir = mkdtempSync(join(tmpdir(), 'fairgame-cluster-'));
  // A run that fails leaves nothing behind.
  process.once('exit', () => {
    for (const child of children.values()) child.kill('SIGKILL');
  });
  const primary = (await startPostgres())!;
  others.set('postgres', () => primary.pid());
  const standby = await primary.replica();
  others.set('standby', () => standby.pid());
  const db = await openDatabase({ url: primary.url, dataDir: '', log: silent });
  await db.exec("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await db.exec('SELECT pg_reload_conf()');
  await db.close();
  say(`PostgreSQL with a synchronous standby: ${primary.url}`);

  const servers = await startBus();
  say(`NATS: ${servers.join(', ')}`);
  const env = {
    DATABASE_URL: primary.url,
    NATS_URL: servers.join(),
    NATS_REPLICAS: '3',
    FAIRGAME_ROOT: root,
    FAIRGAME_DATA: join(dir, 'site'),
    FAIRGAME_SECRET: randomBytes(32).toString('hex'),
    FAIRGAME_TRUST_PROXY: '127.0.0.1',
    FAIRGAME_DEMO_PLAYERS: 'on',
  };
  const ports = new Map<string, number>();
  for (const [name, roles] of Object.entries(ROLES)) {
    const port = await freePort();
    ports.set(name, port);
    keep(name, process.execPath, [MAIN], { ...env, FAIRGAME_ROLES: roles, PORT: String(port) });
    // The first makes the tables and the people; one that stands by is ready when it leads.
    if (name !== 'core-2') await ready(name, port);
  }
  const port = process.env.PORT || '3000';
  const gateways = [...ports].filter(([name]) => name.startsWith('gateway'));
  writeFileSync(join(dir, 'haproxy.cfg'), balancer(port, gateways));
  keep('haproxy', find('haproxy')!, ['-db', '-f', join(dir, 'haproxy.cfg')], {});
  say(`fairGame is ready at http://localhost:${port}; players as with npm start: alice, backs-the-outsider-9`);
  say('npm run cluster -- --list, npm run cluster -- --kill NAME; Ctrl-C ends all of it');

  async function end(): Promise<void> {
    ending = true;
    const left = Array.from(children.values(), (child) => {
      child.kill('SIGTERM');
      return new Promise((resolve) => child.once('exit', resolve));
    });
    await Promise.race([Promise.all(left), sleep(15_000)]);
    for (const child of children.values()) child.kill('SIGKILL');
    await standby.stop();
    await primary.stop();
    for (const path of [dir, LIST]) rmSync(path, { recursive: true, force: true });
    process.exit(0);
  }
}

/** Three that know each other; answers their addresses. */
async function startBus(): Promise<string[]> {
  const nodes: Array<{ name: string; port: number; route: number }> = [];
  for (const name of ['nats-1', 'nats-2', 'nats-3'])
    nodes.push({ name, port: await freePort(), route: await freePort() });
  const routes = nodes.map(({ route }) => `nats://127.0.0.1:${route}`).join();
  for (const { name, port, route } of nodes) {
    const store = join(dir, name);
    mkdirSync(store);
    const own = ['-n', name, '-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store];
    const cluster = ['--cluster_name', 'fairgame', '--cluster', `nats://127.0.0.1:${route}`, '--routes', routes];
    keep(name, find('nats-server')!, [...own, ...cluster], {});
  }
  return nodes.map(({ port }) => `nats://127.0.0.1:${port}`);
}

/** Starts it, and again when it ends. */
function keep(name: string, program: string, args: string[], env: Record<string, string>): void {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.set(name, child);
  writeList();
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-500);
  });
  child.once('exit', (code, signal) => {
    if (ending) return;
    say(`${name} ended (${signal ?? code}), again in ten seconds${signal ? '' : `: ${said.trim()}`}`);
    setTimeout(() => {
      if (!ending) keep(name, program, args, env);
    }, AGAIN_MS);
  });
}

async function ready(name: string, port: number): Promise<void> {
  for (const until = Date.now() + READY_MS; Date.now() < until; ) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return say(`${name} is ready`);
    await sleep(100);
  }
  fail(`${name} is not ready`);
}

function balancer(port: string, gateways: Array<[string, number]>): string {
  return `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  option forwardfor
  option redispatch
frontend site
  bind 127.0.0.1:${port}
  default_backend gateways
backend gateways
  balance leastconn
  option httpchk GET /readyz
${gateways.map(([name, own]) => `  server ${name} 127.0.0.1:${own} check inter 500ms fall 2 rise 1`).join('\n')}
`;
}

function find(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function writeList(): void {
  const pids: Record<string, number> = {};
  for (const [name, pid] of others) pids[name] = pid();
  for (const [name, { pid }] of children) pids[name] = pid ?? 0;
  writeFileSync(LIST, JSON.stringify(pids), { mode: 0o600 });
}

function listed(): Record<string, number> {
  if (!existsSync(LIST)) fail('no cluster runs: npm run cluster');
  return JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, number>;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
