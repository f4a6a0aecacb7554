/** One site of several processes, over a real NATS and a real PostgreSQL: the core in a process of its own, to be killed. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BodyOf, CALLS, type Frame, type LiveImages, RECONNECT } from '@fairgame/contract';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPostgres, type PrivatePostgres, startPostgres } from '../../../scripts/postgres.ts';
import { readLog } from '../src/core/core.ts';
import type { FeedOutput } from '../src/feed/feed.ts';
import { verify } from '../src/ledger/ledger.ts';
import { findNats, type NatsServer, startNats } from './nats-server.ts';
import { endPrograms, startProgram } from './program.ts';
import { makeServer, newKey, PASSWORD, type TestServer } from './server.ts';
import { event, market, prices } from './site.ts';

const nats = findNats();
const missing = [nats ? '' : 'nats-server', findPostgres() ? '' : 'PostgreSQL'].filter(Boolean).join(', ');

const MATCH = 9002;
const ODDS = 9111;
const [HOME, AWAY] = [9221, 9222];

let postgres: PrivatePostgres;
let bus: NatsServer;
let env: Record<string, string>;
const servers: TestServer[] = [];
const stops: Array<() => unknown> = [];

beforeAll(async () => {
  if (missing) return;
  [postgres, bus] = await Promise.all([startPostgres().then((own) => own!), startNats(nats!)]);
  env = {
    DATABASE_URL: postgres.url,
    NATS_URL: bus.url,
    FAIRGAME_SECRET: randomBytes(32).toString('hex'),
    FAIRGAME_FEED: 'none',
    FAIRGAME_DEMO_PLAYERS: 'off',
    PORT: '0',
  };
});
afterAll(async () => {
  endPrograms();
  for (const stop of stops) stop();
  for (const server of servers.reverse()) await server.close();
  await bus?.end();
  await postgres?.stop();
});

async function start(roles: string): Promise<TestServer> {
  const server = await makeServer({ ...env, FAIRGAME_ROLES: roles, FAIRGAME_CARD_SPEED: '5', FAIRGAME_CLOCK: 'trust' });
  servers.push(server);
  server.clock.now = Date.now();
  await server.app.start();
  return server;
}

/** Asks until there is an answer; says what never came. */
async function until<T>(
  what: string | (() => string),
  read: () => T | false | undefined | Promise<T | false | undefined>,
): Promise<T> {
  const end = Date.now() + 120_000;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`${typeof what === 'string' ? what : what()}: not within two minutes`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A match with a book market and house prices, as its feed tells them. */
async function offer(app: TestServer['app']): Promise<void> {
  const told = [
    event(MATCH, 'football', { title: 'Rovers v United', teamA: 'Rovers', teamB: 'United', startAt: Date.now() }),
    market(
      MATCH,
      ODDS,
      'book',
      'Match Odds',
      [
        { runnerId: HOME, name: 'Rovers' },
        { runnerId: AWAY, name: 'United' },
      ],
      { sno: 1, marketType: 'matchOdd' },
    ),
    prices(ODDS, [HOME, 200, 204], [AWAY, 210, 214]),
  ];
  for (const one of told) await tell(app, one);
}

async function tell({ catalog, core }: TestServer['app'], one: FeedOutput): Promise<void> {
  if (one.type === 'event') catalog.addEvent(one.event);
  if (one.type !== 'command') return;
  if (one.command.type === 'market.create') catalog.addMarket(one.command.market, one.info);
  await catalog.flush();
  await core.submit({ world: 'all', actor: 'feed', command: one.command });
}

/**
 * One player's bets and cancels over both gateways, several at once, happened in one order: what each was answered follows from those
 * before it, and one that was answered before another was sent stands before it.
 */
async function oneOrder(one: TestServer, two: TestServer, bet: Omit<BodyOf<typeof CALLS.bets.place>, 'key' | 'stake'>) {
  const { token, userName } = await one.player('lina');
  const there = (await two.call(CALLS.auth.login, { body: { userName, password: PASSWORD } })).data.token;
  const at = (n: number) => (n % 2 === 0 ? ([one, token] as const) : ([two, there] as const));
  const deeds: Array<{ sent: number; told: number; version: number; exposure: number; change: number }> = [];
  let tick = 0;
  const hand = async (own: number): Promise<void> => {
    for (let n = own; n < own + 10; n++) {
      const [server, shown] = at(n);
      const stake = 1000 + own * 10 + n;
      // Asked for more than anybody gives, so that it rests: each holds its stake.
      const body = { ...bet, odd: 500, key: newKey(), stake };
      let sent = ++tick;
      const placed = (await server.call(CALLS.bets.place, { body }, { token: shown })).data;
      deeds.push({ sent, told: ++tick, ...placed.wallet, change: stake });
      if (n % 3 !== 0) continue;
      sent = ++tick;
      const [other, otherToken] = at(n + 1);
      const cancel = { body: { key: newKey(), id: placed.bet.id } };
      const { wallet } = (await other.call(CALLS.bets.cancel, cancel, { token: otherToken })).data;
      deeds.push({ sent, told: ++tick, ...wallet, change: -stake });
    }
  };
  await Promise.all([0, 1, 2, 3].map(hand));
  deeds.sort((a, b) => a.version - b.version);
  let exposure = 0;
  deeds.forEach((deed, i) => {
    exposure += deed.change;
    expect(deed.exposure).toBe(exposure);
    for (const later of deeds.slice(i + 1))
      expect(later.told, 'an earlier version was told of later').toBeGreaterThan(deed.sent);
  });
}

it.skipIf(missing)(
  'bets, prices and tables over two gateways, a core and the rest; one key is one bet; a killed core, a bus and a database that end and come back lose none',
  { timeout: 360_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairgame-core-'));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    const core = await startProgram({ ...env, FAIRGAME_ROLES: 'core', FAIRGAME_DATA: folder });
    const [one, two, rest] = await Promise.all(['gateway', 'gateway', 'feed,tables,desk'].map(start));
    // Who is no gateway has nothing of one, and says how it is.
    const door = /ready at (\S+)/.exec(core.output())![1]!;
    expect((await fetch(`${door}/readyz`)).status).toBe(200);
    expect((await fetch(`${door}/api${CALLS.auth.login.path}`, { method: 'POST' })).status).toBe(404);
    expect(Object.keys(rest!.app)).toEqual(expect.arrayContaining(['catalog', 'casino', 'operator']));
    expect(Object.keys(rest!.app)).not.toEqual(expect.arrayContaining(['live']));
    const { token, userName } = await one!.player('anna');
    const login = { body: { userName, password: PASSWORD } };
    const there = (await two!.call(CALLS.auth.login, login)).data.token;
    /** At the first gateway where `n` is even, else at the second. */
    const place = (n: number, body: BodyOf<typeof CALLS.bets.place>) =>
      n % 2 === 0
        ? one!.call(CALLS.bets.place, { body }, { token })
        : two!.call(CALLS.bets.place, { body }, { token: there });
    const socket = io(`${two!.url}/match`, {
      ...RECONNECT,
      auth: { token: there, matchIdArray: String(MATCH), frames: '1' },
      transports: ['websocket'],
      forceNew: true,
    });
    const heard: Array<LiveImages | Frame> = [];
    socket.onAny((_name, message: LiveImages | Frame) => heard.push(message));
    stops.push(() => socket.disconnect());

    // What the feed's process tells can be read, watched and bet on at each gateway.
    await offer(rest!.app);
    const listed = await until('the match in the list of the other gateway', async () => {
      const { matches } = (await two!.call(CALLS.catalog.list, {}, { token: there })).data;
      return matches.find(({ id, head }) => id === MATCH && head?.runners[0]?.back[0]?.[0] === 200);
    });
    expect(listed).toMatchObject({ title: 'Rovers v United', marketCount: 1 });
    socket.emit('watch', { full: [MATCH], head: [] });
    await until('the image of the market', () =>
      heard.some((message) => 'images' in message && message.s[ODDS] !== undefined),
    );
    await tell(rest!.app, prices(ODDS, [HOME, 220, 224]));
    await until('the frame with the new price', () =>
      heard.some((message) => 'm' in message && message.m.some(({ d }) => d !== undefined)),
    );

    const bet = { betId: ODDS, matchId: MATCH, runnerId: HOME, bettingType: 'BACK' as const, odd: 220 };
    const placed = await place(0, { ...bet, key: newKey(), stake: 2500 });
    expect(placed.data.wallet).toMatchObject({ exposure: 2500 });
    const quote = await two!.call(CALLS.bets.cashOutQuote, { query: { betId: String(ODDS) } }, { token: there });
    const { legs, marketVersion } = quote.data;
    const out = { key: newKey(), betId: ODDS, legs, cancel: true, marketVersion };
    expect((await two!.call(CALLS.bets.cashOut, { body: out }, { token: there })).data.wallet.exposure).toBeLessThan(
      2500,
    );

    // One number from the gateway's line to the log of commands, and to who listens to it elsewhere.
    const numbers: Array<string | undefined> = [];
    const unhear = rest!.app.core.onCommitted(({ items }) => numbers.push(...items.map(({ requestId }) => requestId)));
    const from = rest!.app.core.health().seq;
    const asked = { body: { ...bet, key: newKey(), stake: 170 } };
    await one!.call(CALLS.bets.place, asked, { token, headers: { 'x-request-id': 'support-4711-abc' } });
    await until('the bet is told elsewhere', () => numbers.includes('support-4711-abc'));
    unhear();
    const { query } = rest!.app.db;
    const logged: unknown[] = [];
    for await (const { items } of readLog(query, from, rest!.app.core.health().seq))
      for (const { requestId, actor } of items) if (requestId === 'support-4711-abc') logged.push(actor);
    expect(logged).toEqual([expect.stringMatching(/^player:/)]);
    expect(one!.logText()).toMatch(/"call":"bet.place".*"requestId":"support-4711-abc"/);

    // A card table is played by the rest, and bet on at a gateway.
    const table = await until('an open round at the card table', async () => {
      const { data } = await one!.call(CALLS.casino.table, { query: { type: 'teen' } }, { token });
      return data.round.phase === 'OPEN' ? data : undefined;
    });
    const odds = table.round.odds.find(({ open, back }) => open && back !== null)!;
    const card = {
      betId: table.round.betId,
      matchId: table.matchId,
      runnerId: odds.runnerId,
      bettingType: 'BACK' as const,
      odd: odds.back!,
      window: table.round.window,
    };
    const dealt = await two!.call(CALLS.bets.card, { body: { ...card, key: newKey(), stake: 1000 } }, { token: there });
    expect(dealt.data.bet).toMatchObject({ matched: 1000, result: 'PENDING' });

    // One player, one key, a hundred times at once over both gateways.
    const same = { ...bet, key: newKey(), stake: 300 };
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => place(n, same)));
    expect(new Set(answers.map(({ data }) => data.bet.id)).size).toBe(1);

    await oneOrder(one!, two!, bet);

    const standby = start('core');
    // The core is killed with bets under way: what was acknowledged stands, and each key goes on being one bet.
    const last = Array.from({ length: 10 }, () => ({ ...bet, key: newKey(), stake: 100 }));
    const flying = last.map((body, n) => place(n, body));
    await flying[0];
    core.child.kill('SIGKILL');
    await core.ended;
    const [before] = await Promise.all([Promise.all(flying), standby]);
    const after = await Promise.all(
      last.map((body, n) =>
        until(`bet ${n} after the core was killed`, async () => {
          // The other gateway than before.
          const told = await place(n + 1, body);
          return told.status === 200 ? told.data.bet.id : undefined;
        }),
      ),
    );
    before.forEach((told, n) => {
      if (told.status === 200) expect(after[n]).toBe(told.data.bet.id);
    });
    expect(new Set(after).size).toBe(10);
    const rows = await rest!.app.db.query('SELECT 1 FROM bets WHERE market_id = $1 AND size = 100', [ODDS]);
    expect(rows).toHaveLength(10);

    // The bus goes, then the database, each with bets under way: what was acknowledged stands, the rest has a definite outcome.
    for (const [stake, strike] of [
      [120, () => bus.stop().then(() => bus.start())],
      [140, () => postgres.crashAndRestart()],
    ] as const) {
      const more = Array.from({ length: 10 }, () => ({ ...bet, key: newKey(), stake }));
      const struck = Promise.all([strike(), Promise.all(more.map((body, n) => place(n, body)))]);
      const [, told] = await struck;
      let last = '';
      const still = () => `a bet of ${stake} after the fault, the last answer ${last}`;
      const again = await Promise.all(
        more.map((body, n) =>
          until(still, async () => {
            const answer = await place(n + 1, body);
            last = `${answer.status} ${answer.error?.code}`;
            return answer.status === 200 ? answer.data.bet.id : undefined;
          }),
        ),
      );
      told.forEach((answer, n) => {
        if (answer.status === 200) expect(again[n]).toBe(answer.data.bet.id);
      });
      expect(new Set(again).size).toBe(10);
      const kept = await rest!.app.db.query('SELECT 1 FROM bets WHERE market_id = $1 AND size = $2', [ODDS, stake]);
      expect(kept).toHaveLength(10);
    }
    const { ok, checks } = await verify(rest!.app.db);
    expect(ok, JSON.stringify(checks.filter(({ breaks }) => breaks > 0))).toBe(true);
  },
);
