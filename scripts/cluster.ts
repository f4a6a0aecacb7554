/**
 * npm run cluster                      a whole site of several processes on this machine, to look at and to break
 * npm run cluster -- --list            its processes
 * npm run cluster -- --kill NAME       ends one at once, as a crash would; it is started again after ten seconds
 * PostgreSQL with a synchronous standby, three NATS servers, two cores, two gateways, feed, tables, desk, and HAProxy in front at
 * PORT (3000). From Debian's packages postgresql, nats-server and haproxy; all of its data is gone with it.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { flatNetwork } from './cluster/network.ts';
import { find, missing, startCluster } from './cluster/site.ts';

const { values } = parseArgs({ options: { list: { type: 'boolean' }, kill: { type: 'string' } } });
/** Names and process ids, for `--list` and `--kill`. */
const LIST = join(tmpdir(), `fairgame-cluster-${process.getuid?.() ?? 0}.json`);
const AGAIN_MS = 10_000;
const LIST_MS = 500;
const PLAYERS_MS = 60_000;

if (values.list) {
  for (const [name, pid] of Object.entries(listed()))
    say(`${name.padEnd(17)} ${String(pid).padEnd(8)} ${isAlive(pid) ? 'runs' : 'ended'}`);
} else if (values.kill !== undefined) {
  const pid = listed()[values.kill];
  if (pid === undefined || !isAlive(pid))
    fail(`there is no ${values.kill} that runs; npm run cluster -- --list names all`);
  process.kill(pid, 'SIGKILL');
} else await run();

async function run(): Promise<void> {
  const lacks = [...missing(), ...(find('haproxy') ? [] : ['HAProxy (apt-get install haproxy)'])];
  if (lacks.length > 0) fail(`missing: ${lacks.join(', ')}`);
  const cluster = await startCluster({
    network: flatNetwork('the processes of this cluster share a machine'),
    say,
    againMs: AGAIN_MS,
    env: { FAIRGAME_TRUST_PROXY: '127.0.0.1', FAIRGAME_DEMO_PLAYERS: 'on' },
  });
  const port = process.env.PORT || '3000';
  const config = `${cluster.logs}/haproxy.cfg`;
  writeFileSync(config, balancer(port, cluster.addresses));
  const haproxy = spawn(find('haproxy')!, ['-db', '-f', config], { stdio: 'inherit' });
  const writeList = (): void =>
    writeFileSync(LIST, JSON.stringify({ ...cluster.pids(), haproxy: haproxy.pid }), { mode: 0o600 });
  writeList();
  const listing = setInterval(writeList, LIST_MS);
  let isEnding = false;
  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    clearInterval(listing);
    haproxy.kill('SIGTERM');
    await cluster.stop();
    rmSync(LIST, { force: true });
    process.exit(0);
  };
  // npm and a terminal tell it both: the second must not end this process before what it started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());
  // The desk makes them once the others are there.
  const players = join(cluster.env.FAIRGAME_DATA!, 'demo-players.json');
  for (const until = Date.now() + PLAYERS_MS; !existsSync(players) && Date.now() < until; ) await sleep(LIST_MS);
  say(`fairGame is ready at http://localhost:${port}; players as with npm start: alice, backs-the-outsider-9`);
  say('npm run cluster -- --list, npm run cluster -- --kill NAME; Ctrl-C ends all of it');
}

function balancer(port: string, addresses: Map<string, string>): string {
  const gateways = [...addresses].filter(([name]) => name.startsWith('gateway'));
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
${gateways.map(([name, url]) => `  server ${name} ${new URL(url).host} check inter 500ms fall 2 rise 1`).join('\n')}
`;
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
