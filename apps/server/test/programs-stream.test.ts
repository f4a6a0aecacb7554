import { X509Certificate } from 'node:crypto';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { CALLS } from '@fairgame/contract';
import type { Command } from '@fairgame/exchange';
import { Given, lineOf, readMarketWish } from '@fairgame/exchange-api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProgramMarkets } from '../src/programs/markets.ts';
import { MarketFeed } from '../src/programs/stream/market-feed.ts';
import { Tapes } from '../src/programs/stream/tapes.ts';
import type { Json } from './program-door.ts';
import type { Line } from './program-line.ts';
import { IDS, market, prices, state } from './site.ts';
import {
  appKey,
  byPrice,
  calls,
  cert,
  expectEqual,
  idOf,
  login,
  newLine,
  open,
  pem,
  player,
  port,
  post,
  rpc,
  session,
  signedIn,
  site,
  standForStream,
  start,
  subscription,
  webSocket,
} from './stream-ground.ts';

const { football, tennis } = IDS;

standForStream();

describe('certificates', () => {
  it('sign in where the key names them, beside the password', async () => {
    const own = { cert, key: pem('key') };
    const certificate = new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase();
    const body = { name: 'certified', rights: 'read' as const, addresses: [], certificate };
    const named = (await site.call(CALLS.programs.create, { body }, { token: player.token })).data.key;
    const form = (password: string) => new URLSearchParams({ username: player.userName, password }).toString();
    const ask = (key: string, password: string, shown: object) =>
      post(
        '/api/certlogin',
        { 'X-Application': key, 'content-type': 'application/x-www-form-urlencoded' },
        form(password),
        shown,
      );
    expect(await ask(named, player.password, own)).toEqual({
      sessionToken: expect.any(String),
      loginStatus: 'SUCCESS',
    });
    expect(await ask(named, player.password, {})).toEqual({ loginStatus: 'CERT_AUTH_REQUIRED' });
    expect(await ask(appKey, player.password, own)).toEqual({ loginStatus: 'CERT_AUTH_REQUIRED' });
    expect(await ask(named, 'loud-river', own)).toEqual({ loginStatus: 'INVALID_USERNAME_OR_PASSWORD' });
  });
});

describe('connections', () => {
  it('greet, sign in, and answer what is sent at once in its order', async () => {
    const line = newLine();
    line.send({ op: 'authentication', id: 1, appKey, session });
    line.send({ op: 'heartbeat', id: -1 });
    line.send(subscription(7, [idOf(football.odds)]));
    await line.hears((one) => one.op === 'mcm');
    line.send({ op: 'heartbeat', id: null });
    await line.hears((one) => one.id === null && one.statusCode === 'SUCCESS');
    expect(line.told.slice(0, 4)).toMatchObject([
      { op: 'connection', connectionId: expect.any(String) },
      { op: 'status', id: 1, statusCode: 'SUCCESS', connectionClosed: false, connectionsAvailable: 9 },
      { op: 'status', id: -1, statusCode: 'SUCCESS', connectionClosed: false },
      { op: 'status', id: 7, statusCode: 'SUCCESS' },
    ]);
    expect(line.told[4]).toMatchObject({
      op: 'mcm',
      id: 7,
      ct: 'SUB_IMAGE',
      initialClk: expect.any(String),
      clk: expect.any(String),
    });
  });

  it('refuse with the code for it, and close where that is right', async () => {
    const refused = async (...messages: Array<object | string>) => {
      const line = newLine();
      for (const message of messages) line.send(message);
      const told = await line.hears((one) => one.statusCode === 'FAILURE');
      if (told.connectionClosed) await expect.poll(() => line.closed).toBe(true);
      return [told.errorCode, told.connectionClosed];
    };
    const sign = { op: 'authentication', id: 1, appKey, session };
    expect(await refused({ ...sign, session: 'gone' })).toEqual(['INVALID_SESSION_INFORMATION', true]);
    expect(await refused({ ...sign, appKey: 'AAAAAAAAAAAAAAAAAAAA' })).toEqual(['INVALID_APP_KEY', true]);
    expect(await refused({ op: 'authentication', id: 1, session })).toEqual(['NO_APP_KEY', true]);
    expect(await refused(subscription(1, []))).toEqual(['NOT_AUTHORIZED', true]);
    expect(await refused(sign, sign)).toEqual(['INVALID_REQUEST', true]);
    expect(await refused('{"op":')).toEqual(['INVALID_INPUT', true]);
    expect(await refused({ op: 'dance' })).toEqual(['INVALID_REQUEST', false]);
    expect(await refused(sign, { op: 'raceSubscription', id: 2 })).toEqual(['NOT_AUTHORIZED', false]);
    expect(await refused(sign, { op: 'marketSubscription', id: 2, marketDataFilter: { fields: ['NO'] } })).toEqual([
      'INVALID_INPUT',
      false,
    ]);
    expect(await refused(sign, { op: 'orderSubscription', id: 2, orderFilter: { accountIds: [1] } })).toEqual([
      'INVALID_INPUT',
      false,
    ]);
    expect(await refused('{"op":"heartbeat","id":1,"id":2}')).toEqual(['INVALID_INPUT', false]);
    const twice = newLine();
    twice.send(`{"op":"authentication","id":4,"appKey":"${appKey}","session":"other","session":"${session}"}`);
    expect(await twice.status(4)).toMatchObject({ errorCode: 'INVALID_INPUT', errorMessage: 'not valid: session' });
    twice.send(sign);
    expect(await twice.status(1)).toMatchObject({ statusCode: 'SUCCESS' });
    expect(await refused('x'.repeat(65 * 1024))).toEqual(['INVALID_INPUT', true]);
    expect(await refused(Array(51).fill('{"op":"heartbeat"}').join('\r\n'))).toEqual(['TOO_MANY_REQUESTS', true]);
  });

  it('are the same over a WebSocket of the listener of calls', async () => {
    const line = await signedIn('websocket');
    // Two lines in one message, and one without its end.
    line.send(
      `${JSON.stringify({ op: 'heartbeat', id: 7 })}\r\n${JSON.stringify(subscription(8, [idOf(football.odds)]))}`,
    );
    expect(await line.status(7)).toMatchObject({ statusCode: 'SUCCESS' });
    await line.hears((one) => one.op === 'mcm' && one.ct === 'SUB_IMAGE');
    await site.feed(prices(football.odds, [football.home, 210, 214]));
    await expect.poll(() => line.books.get(idOf(football.odds)).runners.get(football.home).atb.get(2.1)).toBe(500);
    expectEqual(line, football.odds);
    const text = await (await site.fetch('/metrics')).text();
    expect(text).toMatch(/xch_program_stream\{what="markets"\} 1/);
    expect(text).toMatch(/xch_program_stream_lag_seconds_count [1-9]/);
    line.send('x'.repeat(70_000));
    expect(await line.hears((one) => one.connectionClosed === true)).toMatchObject({ errorCode: 'INVALID_INPUT' });
    await expect.poll(() => line.closed).toBe(true);
    const elsewhere = webSocket('/other');
    await expect(new Promise((_resolve, reject) => elsewhere.on('error', reject))).rejects.toThrow('404');
  });

  it.each(['//', '///', 'http://', '//[', '/\\'])(
    'of a stranger to %s, which is no address, are told so and end nothing',
    async (target) => {
      const socket = connectTls({
        port: Number(new URL(calls).port),
        host: '127.0.0.1',
        ca: cert,
        servername: 'localhost',
      });
      let told = '';
      socket.on('data', (piece) => {
        told += String(piece);
      });
      const over = new Promise((resolve) => socket.on('close', resolve));
      const headers = 'host: here\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13';
      socket.write(`GET ${target} HTTP/1.1\r\n${headers}\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
      await over;
      expect(told).toContain('404');
    },
  );

  it('are counted by address before they have said a word', async () => {
    const mute: Socket[] = [];
    const enter = () => {
      const socket = connectPlain({ port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      mute.push(socket);
      return socket;
    };
    try {
      for (let n = 0; n < 50; n++) await new Promise((resolve) => enter().on('connect', resolve));
      await new Promise((resolve) => enter().on('close', resolve));
      expect(mute.filter(({ destroyed }) => destroyed)).toHaveLength(1);
    } finally {
      for (const socket of mute) socket.destroy();
    }
    // A place that is left is free again.
    await expect
      .poll(async () => {
        const line = newLine();
        await expect.poll(() => line.closed || line.told.length > 0).toBe(true);
        return line.closed;
      })
      .toBe(false);
  });

  it('are ten for an account and key, and end with its session', async () => {
    const lines = await Promise.all(Array.from({ length: 10 }, signedIn));
    const eleventh = newLine();
    eleventh.send({ op: 'authentication', id: 1, appKey, session });
    expect(await eleventh.status(1)).toMatchObject({
      errorCode: 'MAX_CONNECTION_LIMIT_EXCEEDED',
      connectionClosed: true,
    });
    lines[0]!.socket.destroy();
    const other = await login();
    await expect
      .poll(async () => {
        const again = newLine();
        again.send({ op: 'authentication', id: 1, appKey, session: other });
        const told = await again.status(1);
        if (told.statusCode !== 'SUCCESS') return told.errorCode;
        await post('/api/logout', { 'X-Application': appKey, 'X-Authentication': other }, '');
        return (await again.hears((one) => one.statusCode === 'FAILURE')).errorCode;
      })
      .toBe('INVALID_SESSION_INFORMATION');
  });
});

describe('markets', () => {
  it('are what the book is, whatever happens to it, at every pace', async () => {
    // The last is told what the first is, under a number of its own.
    const lines = [await signedIn(), await signedIn(), await signedIn(), await signedIn()];
    for (const [n, conflateMs] of [0, 150, 0, 0].entries())
      lines[n]!.send(
        subscription(n === 3 ? 6 : 5, [idOf(football.odds), idOf(tennis.odds)], {
          conflateMs,
          segmentationEnabled: n === 2,
        }),
      );
    for (const line of lines) await line.hears((one) => one.ct === 'SUB_IMAGE');
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let step = 0; step < 60; step++) {
      const back = 150 + random(40);
      const market = random(3) === 0 ? tennis : football;
      const runners = market === football ? [football.home, football.away, football.draw] : [tennis.one, tennis.two];
      const kind = random(10);
      if (kind === 0) await site.feed(state(market.odds, { status: 'SUSPENDED' }));
      else if (kind < 3) await site.feed(state(market.odds, { status: 'OPEN' }));
      else
        await site.feed(
          prices(market.odds, [runners[random(runners.length)]!, back, random(4) === 0 ? 0 : back + 1 + random(5)]),
        );
      if (kind > 7)
        await rpc('placeOrders', {
          marketId: idOf(market.odds),
          instructions: [
            {
              orderType: 'LIMIT',
              selectionId: runners[0],
              side: random(2) ? 'BACK' : 'LAY',
              limitOrder: { size: 2 + random(5), price: (150 + random(50)) / 100 },
            },
          ],
        });
    }
    await site.feed(state(football.odds, { status: 'OPEN' }), state(tennis.odds, { status: 'OPEN' }));
    await site.feed(prices(football.odds, [football.home, 160, 165]), prices(tennis.odds, [tennis.one, 150, 152]));
    const same = (line: Line) => {
      for (const { odds } of [football, tennis]) expectEqual(line, odds);
      return true;
    };
    for (const line of lines) await expect.poll(() => same(line), { timeout: 20_000 }).toBe(true);
    // Merged changes say so, and only where they were asked for.
    const merged = (line: Line) => line.changes(5).some((one) => one.mc?.some((mc: Json) => mc.con));
    expect(lines.map(merged)).toEqual([false, true, false, false]);
    await rpc('cancelOrders', {});
  });

  it('go on from the clocks of a connection that broke, and begin anew from any other', async () => {
    const first = await signedIn();
    first.send(
      subscription(2, [idOf(football.odds)], {
        marketDataFilter: { fields: ['EX_ALL_OFFERS', 'EX_BEST_OFFERS', 'EX_MARKET_DEF'] },
      }),
    );
    const { initialClk } = await first.hears((one) => one.ct === 'SUB_IMAGE');
    await site.feed(prices(football.odds, [football.home, 170, 172]));
    await expect.poll(() => first.books.get(idOf(football.odds)).runners.get(football.home).atl.has(1.72)).toBe(true);
    const { clk } = first.last();
    first.socket.destroy();
    // Nobody follows meanwhile.
    await site.feed(prices(football.odds, [football.home, 171, 174]));

    const second = await signedIn();
    for (const [id, book] of first.books) second.books.set(id, book);
    const again = { marketDataFilter: { fields: ['EX_MARKET_DEF', 'EX_BEST_OFFERS', 'EX_ALL_OFFERS'] } };
    second.send(subscription(9, [idOf(football.odds)], { ...again, initialClk, clk }));
    const told = await second.hears((one) => one.op === 'mcm');
    expect(told).toMatchObject({ id: 9, ct: 'RESUB_DELTA', initialClk });
    expect(told.mc[0]).not.toHaveProperty('img');
    const home = second.books.get(idOf(football.odds)).runners.get(football.home);
    expect([byPrice(home.atb, -1)[0], byPrice(home.atl, 1)[0]]).toEqual([
      [1.71, 500],
      [1.74, 500],
    ]);
    expect([home.batb.get(0), home.batl.get(0)]).toEqual([
      [1.71, 500],
      [1.74, 500],
    ]);

    for (const [id, clocks] of [
      { initialClk, clk: 'other.4' },
      { initialClk: 'other', clk },
      { initialClk, clk: 'x' },
    ].entries()) {
      second.send(subscription(20 + id, [idOf(football.odds)], { ...again, ...clocks }));
      expect(await second.hears((one) => one.op === 'mcm' && one.id === 20 + id)).toMatchObject({
        ct: 'SUB_IMAGE',
        mc: [{ img: true }],
      });
    }
    // Another filter is another subscription.
    second.send(subscription(30, [idOf(tennis.odds)], { ...again, initialClk, clk }));
    expect(await second.hears((one) => one.op === 'mcm' && one.id === 30)).toMatchObject({ ct: 'SUB_IMAGE' });
  });

  it('tell no more than was asked for, and only of the newest subscription', async () => {
    const line = await signedIn();
    line.send({
      op: 'marketSubscription',
      id: 3,
      marketFilter: { eventTypeIds: ['1'], marketTypes: ['MATCH_ODDS'] },
      marketDataFilter: { fields: ['EX_LTP', 'EX_ALL_OFFERS'] },
      heartbeatMs: 500,
    });
    const image = await line.hears((one) => one.ct === 'SUB_IMAGE');
    expect(image).toMatchObject({ conflateMs: 0, heartbeatMs: 500, mc: [{ id: idOf(football.odds), img: true }] });
    expect(image.mc).toHaveLength(1);
    expect(image.mc[0]).not.toHaveProperty('marketDefinition');
    const beat = await line.hears((one) => one.ct === 'HEARTBEAT');
    expect(beat).toEqual({ op: 'mcm', id: 3, clk: expect.any(String), pt: expect.any(Number), ct: 'HEARTBEAT' });
    line.send(subscription(4, ['1.200000001', idOf(IDS.cricket.bookmaker)]));
    expect(await line.status(4)).toMatchObject({ statusCode: 'SUCCESS' });
    const none = await line.hears((one) => one.op === 'mcm' && one.id === 4);
    expect(none).toMatchObject({ ct: 'SUB_IMAGE' });
    expect(none).not.toHaveProperty('mc');
    const before = line.told.filter((one) => one.id === 3).length;
    await site.feed(prices(football.odds, [football.home, 175, 176]));
    line.send(subscription(5, [idOf(football.odds)]));
    await line.hears((one) => one.op === 'mcm' && one.id === 5);
    expect(line.told.filter((one) => one.id === 3)).toHaveLength(before);
    // Names of the slate have letters that are none of ASCII.
    expect(line.lines.every((text) => /^[\x20-\x7e]*$/.test(text))).toBe(true);
    expect(line.lines.every((text) => (text.length + 2) % 1024 !== 1)).toBe(true);
  });
});

const more = Array.from({ length: 22 }, (_, n) => 9900 + n);

describe('a subscription', () => {
  const sets = (ids: number[]) =>
    site.feed(
      ...ids.map((id, n) =>
        market(tennis.event, id, 'book', `Set ${n}`, two, { sno: id - 9800, marketType: 'setWinner' }),
      ),
    );
  const two = [1, 2].map((runnerId) => ({ runnerId, name: `Side ${runnerId}` }));
  /** One beside the sockets, with its own tapes by a clock of its own. */
  function subscribed(marketIds: number[], segmentationEnabled = false) {
    const markets = new ProgramMarkets(site.app.catalog, site.app.core);
    let [ahead, ms] = [0, 0];
    const tapes = new Tapes(
      markets,
      () => undefined,
      () => performance.now() + ahead,
    );
    const told: Json[] = [];
    const outlet = {
      ready: () => true,
      send: (head: string, body?: { mc: string }) => void told.push(JSON.parse(lineOf(head, body?.mc))),
      // Never the same twice.
      clock: () => ++ms,
      late: () => false,
    };
    const asked = { marketFilter: { marketIds: marketIds.map(idOf) }, segmentationEnabled };
    const wish = readMarketWish(new Given(asked));
    const feed = MarketFeed.open({ id: 1, world: 'real', wish, tapes, markets, outlet })!;
    feed.begin();
    const stop = () => {
      feed.stop();
      tapes.stop();
    };
    return { told, tapes, stop, later: (by: number) => (ahead += by) };
  }

  it('is told a message in parts of one time and one clock where it allows that', async () => {
    await sets(more);
    const line = await signedIn();
    line.send(subscription(2, more.map(idOf), { segmentationEnabled: true }));
    const end = await line.hears((one) => one.segmentType === 'SEG_END');
    const parts = line.told.filter((one) => one.op === 'mcm');
    expect(parts.map(({ segmentType, ct, clk, mc }) => [segmentType, ct, clk, mc.length])).toEqual([
      ['SEG_START', 'SUB_IMAGE', end.clk, 20],
      ['SEG_END', 'SUB_IMAGE', end.clk, 2],
    ]);
    expect(parts.flatMap(({ mc }) => mc.map((one: Json) => one.id))).toEqual(more.map(idOf));
    const { told, stop } = subscribed(more, true);
    stop();
    expect(told.map(({ segmentType, pt }) => [segmentType, pt])).toEqual([
      ['SEG_START', 1],
      ['SEG_END', 1],
    ]);
  });

  it('has two hundred markets at most, and the one before it stays', async () => {
    const line = await signedIn();
    line.send(subscription(2, [idOf(football.odds)]));
    await line.hears((one) => one.op === 'mcm');
    await sets(Array.from({ length: 180 }, (_, n) => 99_000 + n));
    line.send({ op: 'marketSubscription', id: 3 });
    expect(await line.status(3)).toMatchObject({ errorCode: 'SUBSCRIPTION_LIMIT_EXCEEDED', connectionClosed: false });
    await site.feed(prices(football.odds, [football.home, 177, 178]));
    await expect.poll(() => line.last()).toMatchObject({ id: 2, mc: [{ id: idOf(football.odds) }] });
  });

  it('is told a market whole that was forgotten in a quiet hour, and then again what changes', async () => {
    const { told, tapes, stop, later } = subscribed([football.odds]);
    const imgs = () => told.filter(({ mc }) => mc).map(({ mc }) => mc[0].img === true);
    await site.feed(prices(football.odds, [football.home, 180, 184]));
    await expect.poll(imgs).toEqual([true, false]);
    // Nothing of its world for long, while others' markets go on.
    later(301_000);
    const accountId = 5_000_001;
    const play = (command: Command) => site.app.core.submit({ world: 'demo', actor: 'test', command });
    await play({ type: 'account.open', accountId, currency: 'EUR', kind: 'player' });
    await play({ type: 'account.transfer', accountId, amountMinor: 10_000, reason: 'deposit', text: '' });
    const { turn } = tapes;
    const bet = { side: 'BACK', price: 300, sizeMinor: 1000, persistence: 'LAPSE' } as const;
    await play({ type: 'order.place', betId: 0, accountId, marketId: football.odds, runnerId: football.home, ...bet });
    await expect.poll(() => tapes.turn).toBeGreaterThan(turn);
    expect(imgs()).toEqual([true, false]);
    await site.feed(prices(football.odds, [football.home, 181, 184]));
    await expect.poll(imgs).toEqual([true, false, true]);
    const home = told.at(-1).mc[0].rc.find((one: Json) => one.id === football.home);
    expect(home.atb[0]).toEqual([1.81, 500]);
    await site.feed(prices(football.odds, [football.home, 182, 184]));
    await expect.poll(imgs).toEqual([true, false, true, false]);
    stop();
  });
});

describe('who is held up', () => {
  let ahead = 0;
  /** The steady clock: never back while the site lives. */
  const later = (ms: number) => {
    if (ahead === 0) {
      const now = performance.now.bind(performance);
      vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    }
    ahead += ms;
  };
  const within = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });
  const streams = async (what: string) =>
    Number(new RegExp(`what="${what}"} (\\d+)`).exec(await (await site.fetch('/metrics')).text())![1]);
  const ids = [football.odds, tennis.odds, ...more].map(idOf);

  const held = new Set<Line & { socket: Socket }>();
  afterEach(() => {
    for (const line of held) line.socket.destroy();
    held.clear();
  });

  /** One that takes nothing, and was sent more than goes out. Its lines are too many to be looked at each. */
  async function unread(): Promise<Line & { socket: Socket }> {
    const line = (await signedIn()) as Line & { socket: Socket };
    open.delete(line);
    held.add(line);
    line.socket.pause();
    // What the machine itself still takes goes out between two looks.
    for (let looks = 0; looks < 5; looks = (await streams('behind')) === 0 ? 0 : looks + 1) if (looks === 0) ask(line);
    return line;
  }
  const ask = (line: Line, times = 20) => {
    for (let n = 0; n < times; n++) line.send(subscription(100 + n, ids));
  };
  const gone = async (line: Line) => {
    line.socket.destroy();
    await within(() => streams('connections')).toBe(0);
  };

  it('is told the newest once he reads again, and not what lay between', async () => {
    const line = await unread();
    line.send(subscription(7, [idOf(football.odds)]));
    const other = await signedIn();
    other.send(subscription(2, [idOf(football.odds)]));
    const best = (of: Line) => () =>
      byPrice(of.books.get(idOf(football.odds))?.runners.get(football.home).atb ?? [], -1)[0];
    await within(best(other)).toBeTruthy();
    for (const price of [185, 186, 187]) await site.feed(prices(football.odds, [football.home, price, 190]));
    // Told to those who read: what is committed is sent a moment later.
    await within(best(other)).toEqual([1.87, 500]);
    line.socket.resume();
    await within(best(line)).toEqual([1.87, 500]);
    expectEqual(line, football.odds);
    expect(line.changes(7).filter((one) => JSON.stringify(one).includes('[1.86,500]'))).toEqual([]);
    other.socket.destroy();
    await gone(line);
  });

  it('is cut off where he was refused and takes nothing of it', async () => {
    const line = await unread();
    line.send('x'.repeat(65 * 1024));
    // He hears of it when he says more.
    await within(() => {
      line.send('x'.repeat(1000));
      return line.closed;
    }).toBe(true);
    await within(() => streams('connections')).toBe(0);
  });

  it('is shut out where he subscribes to nothing for fifteen seconds, takes nothing for twenty, or asks on', async () => {
    const [other, idle] = [await signedIn(), newLine()];
    other.send(subscription(2, [idOf(football.odds)], { heartbeatMs: 500 }));
    idle.send({ op: 'heartbeat', id: 4 });
    await idle.status(4);
    later(15_000);
    const told = await idle.hears((one) => one.statusCode === 'FAILURE');
    expect(told).toMatchObject({ errorCode: 'TIMEOUT', connectionClosed: true, connectionId: expect.any(String) });
    expect(told).not.toHaveProperty('id');
    await within(() => idle.closed).toBe(true);
    const line = await unread();
    expect(await streams('connections')).toBe(2);
    // From the moment on at which it was seen: then the others have a sign of life.
    const beats = () => other.told.filter(({ ct }) => ct === 'HEARTBEAT').length;
    const before = beats();
    later(500);
    await within(beats).toBeGreaterThan(before);
    later(19_000);
    await within(beats).toBeGreaterThan(before + 1);
    expect(await streams('connections')).toBe(2);
    later(20_001);
    await within(() => streams('connections')).toBe(1);
    line.socket.destroy();
    const greedy = await unread();
    for (let looks = 0; looks < 200 && (await streams('connections')) === 2; looks++) ask(greedy, 5);
    expect(await streams('connections')).toBe(1);
    greedy.socket.destroy();
    expect(other.closed).toBe(false);
    await gone(other);
  });
});

describe('a restart of the server', () => {
  it('ends the connections; who comes back with the clocks of before has images of what is now, with the same session and orders', async () => {
    const market = idOf(tennis.odds);
    await rpc('cancelOrders', {});
    await site.feed(state(tennis.odds, { status: 'OPEN' }), prices(tennis.odds, [tennis.one, 150, 152]));
    const before = await signedIn();
    const wishes = { markets: subscription(2, [market]), orders: { op: 'orderSubscription', id: 3, heartbeatMs: 500 } };
    before.send(wishes.markets);
    before.send(wishes.orders);
    const clocksOf = ({ initialClk, clk }: Json) => ({ initialClk, clk });
    const ocm = clocksOf(await before.hears((one) => one.op === 'ocm'));
    const mcm = clocksOf(await before.hears((one) => one.op === 'mcm'));
    const order = { orderType: 'LIMIT', selectionId: tennis.one, side: 'BACK', limitOrder: { size: 7, price: 1.9 } };
    const instructions = [{ ...order, customerOrderRef: 'kept' }];
    const placed = await rpc('placeOrders', { marketId: market, customerStrategyRef: 'drift', instructions });
    const { betId } = placed.instructionReports[0];
    await before.hears((one) => JSON.stringify(one.oc ?? []).includes(betId));
    await expect.poll(() => before.books.get(market)?.runners.get(tennis.one).atl.get(1.9)).toBe(7);
    await site.close();
    await expect.poll(() => before.closed).toBe(true);
    await start();
    await site.feed(state(tennis.odds, { status: 'OPEN' }), prices(tennis.odds, [tennis.one, 155, 158]));

    const after = await signedIn();
    after.send({ ...wishes.markets, ...mcm });
    after.send({ ...wishes.orders, ...ocm });
    const image = await after.hears((one) => one.op === 'mcm');
    expect(image).toMatchObject({ ct: 'SUB_IMAGE', mc: [{ id: market, img: true }] });
    expect(image.initialClk).not.toBe(mcm.initialClk);
    const { ct, oc } = await after.hears((one) => one.op === 'ocm');
    expect(ct).toBe('SUB_IMAGE');
    const own = oc.find((one: Json) => one.id === market);
    expect(own).toMatchObject({ fullImage: true });
    expect(own.orc[0].uo).toMatchObject([{ id: betId, status: 'E', sr: 7, rfo: 'kept', rfs: 'drift' }]);
    await expect
      .poll(() => {
        expectEqual(after, tennis.odds);
        return byPrice(after.books.get(market).runners.get(tennis.one).atl, 1).map(([price]) => price);
      })
      .toEqual([1.58, 1.9]);
  });
});
