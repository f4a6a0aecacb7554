/** The HTTP part of the bench `bets`: the whole server in one process, watching sockets in another, the bettors here. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { createApp } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import type { Feed } from '../apps/server/src/feed/feed.ts';
import { percentile, report, round } from './report.ts';

const PLAYERS = 32;
const CONNECTIONS = 128;
const PACED_PER_SECOND = 500;
const SOCKETS = 500;
const GOAL_P99_MS = 50;
const GOAL_RSS_MB = 1000;
const PASSWORD = 'a-bench-of-many-bets-7';

interface Ready {
  what: 'ready';
  url: string;
  tokens: string[];
  markets: Array<{ marketId: number; eventId: number; runnerId: number }>;
}

/** The rate with everybody at once, and on the embedded database the latency at a fixed pace while sockets watch. */
export async function httpFigures(options: {
  database: string;
  url: string | undefined;
  dataDir: string;
  seconds: number;
  baseline: number;
}): Promise<void> {
  const { database, seconds, baseline } = options;
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-bench-http-'));
  const child = role('server', {
    FAIRGAME_DATA: options.dataDir || folder,
    ...(options.url ? { DATABASE_URL: options.url } : { DATABASE_URL: '' }),
  });
  const ready = await heard<Ready>(child, 'ready');
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const place = placer(ready, agent);

  await asFastAsTheyGo(place, 1);
  const before = await ask<{ cpuMs: number }>(child, 'measure');
  const { rate, latencies } = await asFastAsTheyGo(place, seconds);
  const after = await ask<{ cpuMs: number }>(child, 'measure');
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
    const sockets = role('sockets', {});
    sockets.send({
      what: 'connect',
      url: ready.url,
      token: ready.tokens[0],
      eventIds: ready.markets.map((m) => m.eventId),
    });
    await heard(sockets, 'connected');
    const paced = await atPace(place, PACED_PER_SECOND, Math.max(10, seconds));
    const { rssMb } = await ask<{ rssMb: number }>(child, 'measure');
    const { frames } = await ask<{ frames: number }>(sockets, 'measure');
    const p99 = round(percentile(paced, 99), 1);
    report({
      name: 'bets.http.embedded.p99',
      unit: 'ms',
      value: p99,
      baseline: GOAL_P99_MS,
      ratio: round(GOAL_P99_MS / p99),
      p50ms: round(percentile(paced, 50), 1),
      betsPerSecond: PACED_PER_SECOND,
      sockets: SOCKETS,
      frames,
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

async function server(): Promise<void> {
  const config = loadConfig({
    ...process.env,
    FAIRGAME_ROOT: dirname(dirname(fileURLToPath(import.meta.url))),
    FAIRGAME_FEED: 'none',
    FAIRGAME_LOG: 'error',
    FAIRGAME_DEMO_PLAYERS: 'off',
    FAIRGAME_LIMIT_FACTOR: '0',
    FAIRGAME_SOCKETS_PER_ACCOUNT: '10000',
    FAIRGAME_SOCKETS_PER_ADDRESS: '100000',
    PORT: '0',
  });
  const app = await createApp({ config });
  const url = await app.http.listen();
  const tokens: string[] = [];
  for (let i = 0; i < PLAYERS; i++) {
    const userName = `bettor${i}`;
    const { userId } = await app.auth.createPlayer({
      userName,
      password: PASSWORD,
      forceChangePassword: false,
      actor: 'bench',
    });
    await app.core.submit({
      world: 'real',
      actor: 'bench',
      command: {
        type: 'account.transfer',
        accountId: userId,
        amountMinor: 1_000_000_000_000,
        reason: 'deposit',
        text: 'Bench',
      },
    });
    const login = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userName, password: PASSWORD }),
    });
    tokens.push(((await login.json()) as { data: { token: string } }).data.token);
  }
  const { markets, tick } = await slate(app);
  const timer = setInterval(tick, 250);
  process.on('message', (message: { what: string }) => {
    if (message.what === 'measure') {
      const { user, system } = process.cpuUsage();
      const rssMb = Math.round(process.memoryUsage.rss() / 1e6);
      process.send!({ what: 'measured', rssMb, cpuMs: (user + system) / 1000 });
      return;
    }
    clearInterval(timer);
    void app.close().then(() => process.exit(0));
  });
  process.send!({ what: 'ready', url, tokens, markets } satisfies Ready);
}

/** 20 events with an order book each, whose house prices change four times a second. */
async function slate(app: Awaited<ReturnType<typeof createApp>>) {
  type Sink = Parameters<Feed['start']>[0];
  let sink: Sink = () => {};
  const markets = Array.from({ length: 20 }, () => ({
    eventId: app.core.nextId(),
    marketId: app.core.nextId(),
    runnerId: app.core.nextId(),
    otherId: app.core.nextId(),
  }));
  const feed: Feed = {
    stop: () => Promise.resolve(),
    start(given) {
      sink = given;
      for (const { eventId, marketId, runnerId, otherId } of markets) {
        const outputs: Parameters<Sink>[0] = [
          {
            type: 'event',
            event: {
              eventId,
              matchType: 'football',
              title: `Home ${eventId} v Away ${eventId}`,
              competitionId: 1,
              competitionName: 'League',
              startAt: Date.now(),
              teamA: 'Home',
              teamB: 'Away',
              isTv: false,
              beventId: `b${eventId}`,
              gmid: `g${eventId}`,
            },
          },
          {
            type: 'command',
            info: { sno: 1, marketType: 'matchOdd' },
            command: {
              type: 'market.create',
              market: {
                marketId,
                eventId,
                kind: 'book',
                name: 'Match Odds',
                runners: [
                  { runnerId, name: 'Home' },
                  { runnerId: otherId, name: 'Away' },
                ],
                winners: 1,
                commissionBps: 200,
                minStakeMinor: 100,
                maxStakeMinor: 500_000,
                maxExposureMinor: 0,
                maxBets: 0,
                inPlay: false,
                status: 'OPEN',
                betDelayMs: 0,
                lapseOnSuspend: false,
              },
            },
          },
        ];
        given(outputs, Date.now());
      }
    },
  };
  await app.bridge.start(feed);
  let n = 0;
  const tick = () => {
    n += 1;
    const outputs: Parameters<Sink>[0] = markets.map(({ marketId, runnerId }) => ({
      type: 'command',
      command: {
        type: 'house.book',
        marketId,
        runners: [{ runnerId, backable: [[190 + (n % 3) * 2, 30_000]], layable: [[202, 30_000 + (n % 7) * 100]] }],
      },
    }));
    sink(outputs, Date.now());
  };
  return { markets, tick };
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

function role(name: 'server' | 'sockets', env: Record<string, string>): ChildProcess {
  return fork(fileURLToPath(import.meta.url), [], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, ...env, BENCH_ROLE: name },
  });
}

function heard<T>(child: ChildProcess, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const listen = (message: { what: string }) => {
      if (message.what !== what) return;
      child.off('message', listen);
      resolve(message as T);
    };
    child.on('message', listen);
    child.once('exit', () => reject(new Error(`a process of the bench ended before it said ${what}`)));
  });
}

function ask<T>(child: ChildProcess, what: string): Promise<T> {
  const answer = heard<T>(child, 'measured');
  child.send({ what });
  return answer;
}

if (process.env.BENCH_ROLE === 'server') await server();
else if (process.env.BENCH_ROLE === 'sockets') sockets();
