/** The HTTP part of the bench `bets`: the whole server in one process, watching sockets in another, the bettors here. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { type Ready, startServer } from './bets-host.ts';
import { heard, measured } from './processes.ts';
import { percentile, report, round } from './report.ts';

const CONNECTIONS = 128;
const PACED_PER_SECOND = 500;
const SOCKETS = 500;
const GOAL_P99_MS = 50;
/** Of a server that has one core for everything. */
const GOAL_P99_ONE_CORE_MS = 100;
const GOAL_RSS_MB = 1000;

/** The rate with everybody at once, and on the embedded database the latency at a fixed pace while sockets watch. */
export async function httpFigures(options: {
  database: string;
  url: string | undefined;
  dataDir: string;
  seconds: number;
  baseline: number;
  /** The one processor core the server is held to; any where it is not given. */
  core: string | undefined;
}): Promise<void> {
  const { database, seconds, baseline } = options;
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-bench-http-'));
  const env = { FAIRGAME_DATA: options.dataDir || folder, DATABASE_URL: options.url ?? '' };
  const child = await startServer(env, options.core === undefined ? [] : ['taskset', '-c', options.core]);
  const ready = await heard<Ready>(child, 'ready');
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const place = placer(ready, agent);

  await asFastAsTheyGo(place, 1);
  const before = await measured<{ cpuMs: number }>(child);
  const { rate, latencies } = await asFastAsTheyGo(place, seconds);
  const after = await measured<{ cpuMs: number }>(child);
  report({
    name: `bets.http.${database}`,
    unit: 'bets/s',
    value: Math.round(rate),
    baseline: Math.round(baseline),
    ratio: round(rate / baseline),
    p50ms: round(percentile(latencies, 50)),
    p99ms: round(percentile(latencies, 99)),
    connections: CONNECTIONS,
    cpuUsPerBet: Math.round(((after.cpuMs - before.cpuMs) * 1000) / latencies.length),
  });

  if (database === 'embedded') {
    const sockets = watchers();
    sockets.send({
      what: 'connect',
      url: ready.url,
      token: ready.tokens[0],
      eventIds: ready.markets.map((m) => m.eventId),
    });
    await heard(sockets, 'connected');
    const [started, began] = [performance.now(), await measured<{ cpuMs: number }>(child)];
    const paced = await atPace(place, PACED_PER_SECOND, Math.max(10, seconds));
    const { rssMb, cpuMs } = await measured<{ rssMb: number; cpuMs: number }>(child);
    const coreShare = round((cpuMs - began.cpuMs) / (performance.now() - started));
    const { frames } = await measured<{ frames: number }>(sockets);
    const p99 = round(percentile(paced, 99), 1);
    const goalMs = options.core === undefined ? GOAL_P99_MS : GOAL_P99_ONE_CORE_MS;
    report({
      name: 'bets.http.embedded.p99',
      unit: 'ms',
      value: p99,
      baseline: goalMs,
      ratio: round(goalMs / p99),
      p50ms: round(percentile(paced, 50), 1),
      betsPerSecond: PACED_PER_SECOND,
      sockets: SOCKETS,
      frames,
      coreShare,
      ...(options.core === undefined ? {} : { heldToCore: Number(options.core) }),
    });
    report({
      name: 'bets.http.embedded.memory',
      unit: 'MB',
      value: rssMb,
      baseline: GOAL_RSS_MB,
      ratio: round(GOAL_RSS_MB / rssMb),
    });
    sockets.kill('SIGKILL');
  }
  agent.destroy();
  child.send({ what: 'stop' });
  await new Promise((resolve) => child.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
}

/** Places the next bet; answers its latency in ms from the given moment. Throws on anything but a placed bet. */
function placer(ready: Ready, agent: Agent): (from: number) => Promise<number> {
  const { hostname, port } = new URL(ready.url);
  let n = 0;
  return (from) => {
    n += 1;
    const market = ready.markets[n % ready.markets.length]!;
    const body = JSON.stringify({
      key: `bench-http-${Date.now().toString(36)}-${n.toString(36)}`,
      betId: market.marketId,
      matchId: market.eventId,
      runnerId: market.runnerId,
      bettingType: n % 2 === 0 ? 'BACK' : 'LAY',
      odd: n % 2 === 0 ? 220 : 110,
      stake: 100,
    });
    return new Promise((resolve, reject) => {
      const call = request(
        {
          hostname,
          port,
          path: '/api/placeBet',
          method: 'POST',
          agent,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            authorization: `Bearer ${ready.tokens[n % ready.tokens.length]}`,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', () => {
            if (response.statusCode === 200) resolve(performance.now() - from);
            else reject(new Error(`placing answered ${response.statusCode}: ${text.slice(0, 300)}`));
          });
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  };
}

async function asFastAsTheyGo(
  place: (from: number) => Promise<number>,
  seconds: number,
): Promise<{ rate: number; latencies: number[] }> {
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) latencies.push(await place(performance.now()));
    }),
  );
  return { rate: latencies.length / ((performance.now() - started) / 1000), latencies };
}

/** On a fixed schedule, latency counted from the moment each bet was due: waiting in line is not left out. */
async function atPace(place: (from: number) => Promise<number>, perSecond: number, seconds: number): Promise<number[]> {
  const started = performance.now();
  const waiting: Array<Promise<number>> = [];
  for (let n = 0; n < perSecond * seconds; ) {
    const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - started) / 1000) * perSecond));
    for (; n < due; n++) waiting.push(place(started + (n * 1000) / perSecond));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return Promise.all(waiting);
}

function watchers(): ChildProcess {
  return fork(fileURLToPath(import.meta.url), [], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, BENCH_ROLE: 'sockets' },
  });
}

/** Raw sockets that watch five events each and count their frames. */
function sockets(): void {
  let frames = 0;
  const open: WebSocket[] = [];
  const connect = async (url: string, token: string, eventIds: number[]) => {
    for (let i = 0; i < SOCKETS; i++) {
      const watched = Array.from({ length: 5 }, (_, k) => eventIds[(i * 7 + k * 3) % eventIds.length]!);
      const query = `EIO=4&transport=websocket&matchIdArray=${watched.join(',')}&roleName=user&frames=1`;
      const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?${query}`, { perMessageDeflate: false });
      open.push(socket);
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject);
        socket.on('message', (raw: Buffer) => {
          const text = raw.toString();
          if (text === '2') socket.send('3');
          else if (text.startsWith('0')) socket.send(`40/match,${JSON.stringify({ token })}`);
          else if (text.startsWith('40')) {
            socket.send(`42/match,${JSON.stringify(['watch', { full: [], head: watched }])}`);
            resolve();
          } else if (text.startsWith('42/match,["frame"')) frames += 1;
          else if (text.startsWith('44')) reject(new Error(text));
        });
      });
    }
  };
  process.on('message', (message: { what: string; url: string; token: string; eventIds: number[] }) => {
    if (message.what === 'measure') process.send!({ what: 'measured', frames });
    else void connect(message.url, message.token, message.eventIds).then(() => process.send!({ what: 'connected' }));
  });
}

if (process.env.BENCH_ROLE === 'sockets') sockets();
