/** The whole server in a process of its own, for the benches that bet against it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createApp } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import type { Feed } from '../apps/server/src/feed/feed.ts';
import { FLAGS, ROOT, shipped } from './shipped.ts';
import { openMatch } from './slate.ts';

/** As many as the sockets of `bets.cpu`: one open site each. */
const PLAYERS = 64;
const TICK_MS = 250;
const STILL_MS = 4000;
const PASSWORD = 'a-bench-of-many-bets-7';

export interface Ready {
  what: 'ready';
  url: string;
  tokens: string[];
  markets: Array<{ marketId: number; eventId: number; runnerId: number }>;
}

/** Starts it; it answers `measure`, keeps its prices nearly still after `still`, and ends after `stop`. */
export async function startServer(env: Record<string, string>, under: readonly string[] = []): Promise<ChildProcess> {
  const [program, ...args] = [...under, process.execPath, ...FLAGS, await shipped(fileURLToPath(import.meta.url))];
  return spawn(program!, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env, BENCH_ROLE: 'host', FAIRGAME_ROOT: ROOT },
  });
}

async function server(): Promise<void> {
  const config = loadConfig({
    ...process.env,
    FAIRGAME_FEED: 'none',
    FAIRGAME_LOG: 'error',
    FAIRGAME_DEMO_PLAYERS: 'off',
    FAIRGAME_LIMIT_FACTOR: '0',
    FAIRGAME_SOCKETS_PER_ACCOUNT: '10000',
    FAIRGAME_SOCKETS_PER_ADDRESS: '100000',
    FAIRGAME_SOCKET_EVENTS: '10000',
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
  let timer = setInterval(tick, TICK_MS);
  process.once('disconnect', () => process.exit(1));
  process.on('message', (message: { what: string }) => {
    if (message.what === 'measure') {
      const { user, system } = process.cpuUsage();
      const rssMb = Math.round(process.memoryUsage.rss() / 1e6);
      process.send!({ what: 'measured', rssMb, cpuMs: (user + system) / 1000 });
      return;
    }
    clearInterval(timer);
    if (message.what === 'still') {
      // Just often enough for a feed that is alive.
      timer = setInterval(tick, STILL_MS);
      return;
    }
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
        const runners = [
          { runnerId, name: 'Home' },
          { runnerId: otherId, name: 'Away' },
        ];
        given(openMatch(eventId, marketId, runners), Date.now());
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

if (process.env.BENCH_ROLE === 'host') await server();
