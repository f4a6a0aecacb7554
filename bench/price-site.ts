/** A whole server with 40 events, each with one order book, and a feed that changes all of them when it is told to. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CALLS } from '@fairgame/contract';
import { type App, createApp } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import type { FeedOutput } from '../apps/server/src/feed/feed.ts';
import { openMatch } from './slate.ts';

export const EVENTS: readonly number[] = Array.from({ length: 40 }, (_, i) => 10_000 + i);
/** The size of the best price carries the number of the change: a client reads it and needs nothing else. */
export const FIRST_SIZE = 1_000_000;

interface PriceSite {
  /** Does not listen yet. */
  app: App;
  /** Of a player who may have any number of sockets. */
  token: string;
  /** The feed changes every market. */
  tell(tick: number): void;
  close(): Promise<void>;
}

export async function openPriceSite(port = 0, more: Record<string, string> = {}): Promise<PriceSite> {
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-prices-'));
  const app = await createApp({
    config: loadConfig({
      FAIRGAME_ROOT: dirname(dirname(fileURLToPath(import.meta.url))),
      FAIRGAME_DATA: folder,
      FAIRGAME_FEED: 'none',
      FAIRGAME_LOG: 'error',
      FAIRGAME_DEMO_PLAYERS: 'off',
      FAIRGAME_LIMIT_FACTOR: '0',
      FAIRGAME_CONNECTIONS_PER_ADDRESS: '100000',
      FAIRGAME_SOCKETS_PER_ACCOUNT: '10000',
      FAIRGAME_SOCKETS_PER_ADDRESS: '100000',
      PORT: String(port),
      ...more,
    }),
    databaseDir: 'memory://',
  });
  const password = 'fan-out-of-prices-9';
  await app.auth.createPlayer({ userName: 'fan', password, forceChangePassword: false, actor: 'bench' });
  const login = await app.http.app.inject({
    method: 'POST',
    url: `/api${CALLS.auth.login.path}`,
    payload: { userName: 'fan', password },
  });
  let sink: (batch: FeedOutput[], at: number) => void = () => {};
  await app.bridge.start({
    start(given) {
      sink = given;
      given(EVENTS.flatMap(opening), Date.now());
    },
    stop: () => Promise.resolve(),
  });
  return {
    app,
    token: login.json<{ data: { token: string } }>().data.token,
    tell: (tick) =>
      sink(
        EVENTS.map((eventId) => change(eventId, tick)),
        Date.now(),
      ),
    async close() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An event with a market before its first price. */
export function opening(eventId: number): FeedOutput[] {
  const names = ['Home', 'Away', 'The Draw'];
  return openMatch(
    eventId,
    eventId + 1000,
    names.map((name, i) => ({ runnerId: eventId * 10 + i, name })),
  );
}

export function change(eventId: number, tick: number): FeedOutput {
  return {
    type: 'command',
    command: {
      type: 'house.book',
      marketId: eventId + 1000,
      runners: [0, 1].map((i) => ({
        runnerId: eventId * 10 + i,
        backable: [
          [200 + ((tick + i) % 3) * 2, FIRST_SIZE + tick],
          [198, 40_000],
        ] as Array<[number, number]>,
        layable: [
          [212, 30_000],
          [214, 50_000 + (tick % 7)],
        ] as Array<[number, number]>,
      })),
    },
  };
}
