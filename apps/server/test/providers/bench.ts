/** A whole site with both providers as stubs: what the suites of this folder stand on. */
import { CALLS } from '@fairgame/contract';
import { makeServer, type TestServer } from '../server.ts';
import {
  type Driver,
  driverA,
  driverB,
  type KeysA,
  type KeysB,
  newRound,
  type Op,
  type Said,
  type Spoil,
} from './drivers.ts';
import { type Stub, startStub } from './stub.ts';

export const NAMES = { a: 'Alder Games', b: 'Beacon Live' } as const;

export interface Player {
  userId: number;
  token: string;
}

/** A player in a game: what his provider knows of him. */
export interface Seat {
  userId: number;
  session: string;
  player: string;
  currency: string;
  game: string;
}

export interface Bench {
  site: TestServer;
  a: Driver & KeysA;
  b: Driver & KeysB;
  stubs: { a: Stub; b: Stub };
  player(creditMinor?: number): Promise<Player>;
  launch(driver: Driver, token: string, more?: object): ReturnType<TestServer['call']>;
  /** Launches and exchanges the token. */
  seat(driver: Driver, player: Player): Promise<Seat>;
  send(driver: Driver, op: Op, spoil?: Spoil): Promise<Said>;
  /** A debit of a fresh round, six seconds after the last. */
  debit(
    driver: Driver,
    seat: Seat,
    amount: number,
    ids?: { round: string; tx: string },
  ): Promise<Said & { round: string; tx: string }>;
  balance(userId: number): number;
  close(): Promise<void>;
}

export async function makeBench(env: Record<string, string> = {}): Promise<Bench> {
  const a = driverA();
  const b = driverB();
  const stubs = { a: await startStub(a), b: await startStub(b) };
  const site = await makeServer({ ...a.env(stubs.a.url), ...b.env(stubs.b.url), ...env });
  await site.app.start();
  const bench: Bench = {
    site,
    a,
    b,
    stubs,
    player: (creditMinor = 100_000) => site.player(undefined, creditMinor),
    launch: (driver, token, more = {}) =>
      site.call(
        CALLS.provider.launch,
        {
          body: {
            game_id: `${driver.id}-${driver.game}`,
            provider_name: NAMES[driver.id],
            game_code: driver.game,
            platform: 'desktop',
            ...more,
          },
        },
        { token },
      ),
    async seat(driver, player) {
      const launched = await bench.launch(driver, player.token);
      if (launched.status !== 200) throw new Error(`no launch: ${JSON.stringify(launched.error)}`);
      const { token } = stubs[driver.id].launches.at(-1) as { token: string };
      const said = await bench.send(driver, { op: 'authenticate', token, game: driver.game });
      if (said.code !== 'OK') throw new Error(`no session: ${said.code}`);
      return {
        userId: player.userId,
        session: said.session!,
        player: said.player!,
        currency: said.currency!,
        game: driver.game,
      };
    },
    send: (driver, op, spoil) => driver.send({ url: site.url, now: site.clock.now }, op, spoil),
    async debit(driver, seat, amount, ids = newRound()) {
      site.clock.advance(6000);
      return { ...(await bench.send(driver, { op: 'debit', ...seat, ...ids, amount })), ...ids };
    },
    balance: (userId) => site.app.core.read.wallet('real', userId).balanceMinor,
    async close() {
      await site.close();
      await stubs.a.close();
      await stubs.b.close();
    },
  };
  for (const name of Object.values(NAMES)) await listed(bench, name);
  return bench;
}

/** Waits until the list of a provider has been heard. */
async function listed(bench: Bench, name: string): Promise<void> {
  const { token } = await bench.player();
  for (let tries = 0; tries < 100; tries++) {
    const { data } = await bench.site.call(CALLS.provider.games, {}, { token });
    if (Object.keys(data[name] ?? {}).length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no list of ${name}`);
}
