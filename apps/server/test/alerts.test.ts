/** Alerts through the doors: set by a call, met by what the feed and others do, heard on the socket and by web push. */
import {
  type AlertBody,
  type AlertNews,
  type AlertsOver,
  CALLS,
  MOST_ALERTS,
  OPERATOR_CALLS,
  type QuietByWay,
} from '@fairgame/contract';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Keeper } from '../src/alerts/keeper.ts';
import { Marks } from '../src/alerts/marks.ts';
import { isQuiet } from '../src/alerts/quiet.ts';
import { AlertRows } from '../src/alerts/rows.ts';
import { isEndpoint, isPublic, publicLookup } from '../src/push/address.ts';
import { holdToDocuments } from './documented.ts';
import { makeBrowser, makePushService, readVapid } from './push-service.ts';
import { newKey } from './server.ts';
import { goals, IDS, makeSite, prices, type Site, state } from './site.ts';

const { cricket, football, politics, race, tennis } = IDS;
const { alerts: calls } = CALLS;
let site: Site;
let service: Awaited<ReturnType<typeof makePushService>>;
const sockets: Socket[] = [];
const misfits: string[] = [];

beforeAll(async () => {
  service = await makePushService();
  site = await makeSite({ FAIRGAME_PUSH_LOOPBACK: 'on', FAIRGAME_PUSH_CONTACT: 'mailto:desk@example.org' });
  await site.app.alerts.start();
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await site.close();
  await service.close();
  expect(misfits).toEqual([]);
});

const soon = <T>(look: () => T) => vi.waitFor(look, { timeout: 10_000, interval: 5 });

/** A player with an open page. */
async function watcher() {
  const player = await site.player();
  const heard: AlertNews[] = [];
  const over: AlertsOver[] = [];
  const socket = io(site.url, { auth: { token: player.token }, forceNew: true, transports: ['websocket'] });
  sockets.push(socket);
  holdToDocuments(socket, misfits);
  socket.on('userAlert', (news: AlertNews) => heard.push(news));
  socket.on('userAlertsOver', (news: AlertsOver) => over.push(news));
  await soon(() => expect(socket.connected).toBe(true));
  const { token } = player;
  return {
    ...player,
    heard,
    over,
    set: (body: AlertBody) => site.call(calls.create, { body }, { token }),
    list: async () => (await site.call(calls.list, {}, { token })).data.alerts,
    fired: (times: number) => soon(() => expect(heard).toHaveLength(times)),
  };
}

const price = (more: Partial<AlertBody> = {}): AlertBody => ({
  kind: 'PRICE',
  betId: football.odds,
  runnerId: football.home,
  figure: 'BACK',
  when: 'UP',
  price: 220,
  every: false,
  ...more,
});
const home = (back: number, lay: number) => site.feed(prices(football.odds, [football.home, back, lay]));
const score = (homeGoals: number) => site.feed(goals(football.event, 10, homeGoals));

describe('alerts', () => {
  it('tells once what was set once, as the figure was then, and only its owner', async () => {
    const [one, other] = [await watcher(), await watcher()];
    const { data: made } = await one.set(price());
    expect(made).toMatchObject({ eventName: 'Rovers v United', teamName: 'Rovers', state: 'WAITING', times: 0 });
    await home(218, 222);
    await home(224, 228);
    await one.fired(1);
    expect(one.heard[0]).toMatchObject({ alert: { id: made.id, state: 'FIRED', times: 1 }, seen: 224, silent: [] });
    await home(200, 204);
    await home(224, 228);
    await other.set(price({ figure: 'LAY', when: 'DOWN', price: 210 }));
    await home(200, 204);
    // The other's came after: the first was not told again, and nobody hears another's.
    await other.fired(1);
    expect(other.heard[0]).toMatchObject({ seen: 204 });
    expect(one.heard).toHaveLength(1);
    expect(await one.list()).toMatchObject([{ id: made.id, state: 'FIRED' }]);
  });

  it('for every time waits until the price has been away, and half a minute', async () => {
    const one = await watcher();
    await one.set(price({ every: true, when: 'DOWN', price: 150 }));
    await home(148, 150);
    await one.fired(1);
    await home(160, 162);
    await home(148, 150);
    site.clock.advance(31_000);
    await home(146, 148);
    await home(160, 162);
    await home(140, 142);
    await one.fired(2);
    expect(one.heard.map(({ seen }) => seen)).toEqual([148, 140]);
    expect(one.heard[1]!.alert).toMatchObject({ state: 'WAITING', times: 2 });
    await home(200, 204);
  });

  it('refuses what cannot be, naming the field, and keeps nothing', async () => {
    const one = await watcher();
    const refused = async (body: AlertBody) => {
      const { error } = await one.set(body);
      return `${error?.code} ${error?.field}`;
    };
    expect(await refused(price({ betId: 424_242 }))).toBe('MARKET_UNKNOWN betId');
    expect(await refused(price({ runnerId: cricket.teamA }))).toBe('RUNNER_UNKNOWN runnerId');
    expect(await refused(price({ price: 221 }))).toBe('PRICE_INVALID price');
    expect(await refused(price({ price: 190 }))).toBe('CONDITION_MET price');
    expect(await refused({ kind: 'PRICE', betId: football.odds, every: false })).toBe('BAD_INPUT runnerId');
    expect(await refused(price({ seconds: 5 }))).toBe('BAD_INPUT seconds');
    expect(await refused(price({ betId: cricket.bookmaker, runnerId: cricket.teamA }))).toBe('WRONG_KIND betId');
    expect(await refused({ kind: 'SCORE', betId: tennis.odds, every: false })).toBe('WRONG_KIND kind');
    expect(await refused({ kind: 'OFF', betId: football.odds, every: false })).toBe('WRONG_KIND kind');
    const size = { kind: 'SIZE', betId: football.odds, runnerId: football.home, figure: 'BACK', every: false } as const;
    expect(await refused({ ...size, amountMinor: 50_000 })).toBe('CONDITION_MET amountMinor');
    expect(await one.list()).toEqual([]);
  });

  it('keeps a hundred: the next is refused while all wait, else the oldest that is over gives way', async () => {
    const one = await watcher();
    const first = (await one.set(price({ when: 'DOWN', price: 190 }))).data;
    for (let n = 1; n < MOST_ALERTS; n++) await one.set(price({ price: 500 }));
    expect((await one.set(price())).error).toMatchObject({ code: 'ALERT_LIMIT', field: 'kind' });
    await home(188, 190);
    await one.fired(1);
    expect((await one.set(price({ price: 300 }))).status).toBe(200);
    const list = await one.list();
    expect(list).toHaveLength(MOST_ALERTS);
    expect(list.some(({ id }) => id === first.id)).toBe(false);
    await home(200, 204);
  });

  it('changed it waits for the new mark, taken away for none, and nobody touches what is not his', async () => {
    const [one, other] = [await watcher(), await watcher()];
    const moved = (await one.set(price({ price: 210 }))).data;
    const gone = (await one.set(price({ price: 212 }))).data;
    const theirs = { body: { id: moved.id } };
    expect((await site.call(calls.remove, theirs, { token: other.token })).error?.code).toBe('NOT_FOUND');
    const another = { body: { id: moved.id, ...price() } };
    expect((await site.call(calls.change, another, { token: other.token })).error?.code).toBe('NOT_FOUND');
    const body = { id: moved.id, ...price({ price: 230 }) };
    await site.call(calls.change, { body }, { token: one.token });
    await site.call(calls.remove, { body: { id: gone.id } }, { token: one.token });
    await home(214, 218);
    await home(234, 238);
    await one.fired(1);
    expect(one.heard[0]).toMatchObject({ alert: { id: moved.id, price: 230 }, seen: 234 });
    await home(200, 204);
  });

  it('a goal, a suspension that lasts, play, the off, a result', async () => {
    const one = await watcher();
    const set = async (body: Partial<AlertBody>) =>
      expect((await one.set({ every: false, ...body } as AlertBody)).status).toBe(200);
    await score(0);
    await set({ kind: 'SCORE', betId: football.odds, every: true });
    await set({ kind: 'SUSPENDED', betId: tennis.odds, seconds: 20 });
    await set({ kind: 'IN_PLAY', betId: tennis.odds });
    await set({ kind: 'OFF', betId: race.win });
    await set({ kind: 'RESULT', betId: race.place });
    await score(1);
    await one.fired(1);
    // A goal taken back is none, and the next counts from there.
    site.clock.advance(31_000);
    await score(0);
    await score(1);
    await one.fired(2);
    await site.feed(state(tennis.odds, { status: 'SUSPENDED' }));
    site.clock.advance(19_000);
    await site.feed(state(tennis.odds, { reason: 'Rain' }));
    expect(one.heard).toHaveLength(2);
    site.clock.advance(2000);
    await one.fired(3);
    await site.feed(state(tennis.odds, { status: 'OPEN', inPlay: true }));
    await one.fired(4);
    await site.feed(state(race.win, { inPlay: true }));
    await one.fired(5);
    const result = { kind: 'winners', runnerIds: [race.horses[0], race.horses[1]] } as const;
    await site.feed({
      type: 'command',
      command: { type: 'market.declare', marketId: race.place, result: result as never },
    });
    await one.fired(6);
    expect(one.heard.map(({ alert }) => alert.kind)).toEqual([
      'SCORE',
      'SCORE',
      'SUSPENDED',
      'IN_PLAY',
      'OFF',
      'RESULT',
    ]);
    expect(one.heard[2]!.seen).toBe(21);
  });

  it('own bets: met by another, and lapsed; not what the player did himself. Matched volume and size beside them', async () => {
    const [one, other] = [await watcher(), await watcher()];
    const place = (token: string, bettingType: 'BACK' | 'LAY', stake: number) => {
      const body = { betId: football.overUnder, matchId: football.event, runnerId: football.over, odd: 200 };
      return site.call(CALLS.bets.place, { body: { key: newKey(), ...body, bettingType, stake } }, { token });
    };
    await one.set({ kind: 'BET', betId: football.overUnder, every: true });
    await other.set({ kind: 'BET', every: true });
    await other.set({ kind: 'MATCHED', betId: football.overUnder, amountMinor: 1000, every: false });
    const size = { kind: 'SIZE', betId: football.overUnder, runnerId: football.over, every: false } as const;
    await other.set({ ...size, figure: 'LAY', amountMinor: 3000 });
    await place(one.token, 'BACK', 3000);
    await other.fired(1);
    await place(other.token, 'LAY', 1000);
    await one.fired(1);
    await other.fired(2);
    expect(other.heard.map(({ alert, seen }) => [alert.kind, seen])).toEqual([
      ['SIZE', 3000],
      ['MATCHED', 1000],
    ]);
    site.clock.advance(31_000);
    await site.feed(state(football.overUnder, { status: 'SUSPENDED', inPlay: true }));
    await site.feed({
      type: 'command',
      command: {
        type: 'market.declare',
        marketId: football.overUnder,
        result: { kind: 'winners', runnerIds: [football.over] },
      },
    });
    await one.fired(2);
    expect(one.heard.every(({ alert }) => alert.kind === 'BET')).toBe(true);
    expect(other.heard).toHaveLength(2);
  });

  it('are over once their market has closed: told so with the reason after what came true with it, and count no more', async () => {
    const one = await watcher();
    const betId = politics.odds;
    const of = (more: Partial<AlertBody>) => one.set({ kind: 'IN_PLAY', betId, every: false, ...more } as AlertBody);
    const result = (await of({ kind: 'RESULT' })).data;
    const each = (await of({ kind: 'RESULT', every: true })).data;
    const own = (await of({ kind: 'BET', every: true })).data;
    const first = (await of({})).data;
    while ((await one.list()).length < MOST_ALERTS) await of({});
    expect((await of({})).error?.code).toBe('ALERT_LIMIT');
    const command = {
      type: 'market.declare',
      marketId: betId,
      result: { kind: 'winners', runnerIds: [politics.left] },
    };
    await site.feed({ type: 'command', command: command as never });
    await soon(() => expect(one.over.flatMap(({ alerts }) => alerts)).toHaveLength(MOST_ALERTS - 1));
    // What came true with it was told before.
    expect(one.heard.map(({ alert: { id, state } }) => [id, state])).toEqual([
      [result.id, 'FIRED'],
      [each.id, 'WAITING'],
    ]);
    const list = await one.list();
    expect(list.find(({ id }) => id === result.id)).toMatchObject({ state: 'FIRED', ended: null });
    expect(list.find(({ id }) => id === each.id)).toMatchObject({ state: 'OVER', ended: 'CLOSED', times: 1 });
    for (const { id: set } of [own, first])
      expect(list.find(({ id }) => id === set)).toMatchObject({ state: 'OVER', ended: 'CLOSED', firedAt: null });
    expect(list.filter(({ state }) => state === 'WAITING')).toEqual([]);
    expect((await one.set(price())).status).toBe(200);
  });

  it('whose market is not there any more, or closed while nobody looked, are over when a process begins to look', async () => {
    const one = await watcher();
    const [gone, closed, waits] = [
      (await one.set(price())).data,
      (await one.set(price())).data,
      (await one.set(price())).data,
    ];
    const { app, clock } = site;
    const of = { [gone.id]: 999_999, [closed.id]: politics.odds };
    for (const [id, marketId] of Object.entries(of))
      await app.db.query('UPDATE alerts SET market_id = $2 WHERE id = $1', [Number(id), marketId]);
    const told: string[] = [];
    const keeper = new Keeper({
      rows: new AlertRows(app.db, clock),
      core: app.core,
      catalog: app.catalog,
      clock: clock,
      log: app.log,
      tell: () => undefined,
      tellOver: (ended) => told.push(...ended.map(({ alert: { id, ended: why } }) => `${id} ${why}`)),
    });
    await keeper.load();
    await soon(() => expect(told.sort()).toEqual([`${gone.id} GONE`, `${closed.id} CLOSED`].sort()));
    await keeper.stop();
    expect((await one.list()).filter(({ state }) => state === 'WAITING').map(({ id }) => id)).toEqual([waits.id]);
    await site.call(calls.remove, { body: { id: waits.id } }, { token: one.token });
  });

  it('one hundred thousand marks: a price that moves costs what it passes', () => {
    const marks = new Marks<{ at: number; id: number; looked?: number }>();
    let read = 0;
    for (let id = 1; id <= 100_000; id++) {
      const at = 1000 + (id % 5000);
      marks.add({
        id,
        get at() {
          read++;
          return at;
        },
      });
    }
    marks.move(0, () => true);
    read = 0;
    expect(marks.move(1000, () => false)).toHaveLength(20);
    expect(marks.move(900, () => true)).toHaveLength(0);
    expect(marks.move(1001, () => true)).toHaveLength(20);
    expect(marks.move(999, () => true)).toHaveLength(0);
    expect(marks.move(1001, () => true)).toHaveLength(20);
    expect(read).toBeLessThan(500);
    expect(marks.size).toBe(99_980);
  });
});

describe('web push', () => {
  const subscribe = async (token: string, name: string, keep = false) => {
    const browser = makeBrowser(`${service.origin}/${name}`);
    const body = { ...browser.subscription, keep, language: 'hi' as const };
    expect((await site.call(calls.subscribe, { body }, { token })).status).toBe(200);
    return browser;
  };
  const pushedTo = (name: string) => service.came.filter(({ path }) => path === `/${name}`);
  const places = async (token: string) => (await site.call(calls.pushKey, {}, { token })).data.places;

  it('reaches a browser without a page: sealed for it, signed by the site, and nothing of the player in it', async () => {
    const one = await watcher();
    const { key } = (await site.call(calls.pushKey, {}, { token: one.token })).data;
    const browser = await subscribe(one.token, 'anna');
    await one.set(price({ price: 240 }));
    await one.set({ kind: 'BET', every: true });
    await home(244, 248);
    await soon(() => expect(pushedTo('anna')).toHaveLength(1));
    const { headers, body } = pushedTo('anna')[0]!;
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '600', urgency: 'high' });
    const claims = readVapid(headers.authorization!, key);
    expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:desk@example.org' });
    expect(browser.read(body)).toEqual({
      kind: 'PRICE',
      event: 'Rovers v United',
      match: { id: football.event, matchType: 'football' },
      text: 'आपका भाव आ गया है',
    });
    // The account's language counts before that of the page which named the browser.
    await site.call(CALLS.account.saveLanguage, { body: { language: 'es' } }, { token: one.token });
    const bet = { betId: football.odds, matchId: football.event, runnerId: football.home, odd: 246, stake: 1000 };
    await site.call(CALLS.bets.place, { body: { key: newKey(), ...bet, bettingType: 'BACK' } }, { token: one.token });
    await home(250, 254);
    await soon(() => expect(pushedTo('anna')).toHaveLength(2));
    expect(browser.read(pushedTo('anna')[1]!.body)).toEqual({
      kind: 'BET',
      event: '',
      match: null,
      text: 'Ha cambiado algo en una apuesta tuya',
    });
    await home(200, 204);
  });

  it('goes nowhere in quiet hours, after the session, in a break, and forgets a browser that is gone', async () => {
    const [one, kept, away] = [await watcher(), await watcher(), await watcher()];
    await subscribe(one.token, 'one');
    await subscribe(kept.token, 'kept', true);
    await subscribe(away.token, 'away', true);
    const noon = { from: 11 * 60, to: 13 * 60, zone: 'utc' };
    const quietOf = (quiet: QuietByWay, { token }: { token: string }) =>
      site.call(calls.setQuiet, { body: { quiet } }, { token });
    await quietOf({ SOUND: noon, NOTICE: null, PUSH: noon }, one);
    // Of one way alone: the others go on.
    await quietOf({ SOUND: noon, NOTICE: noon, PUSH: { ...noon, from: 14 * 60, to: 15 * 60 } }, kept);
    const wrong = await quietOf({ SOUND: null, NOTICE: { ...noon, zone: 'Mars' }, PUSH: null }, away);
    expect([wrong.status, wrong.error?.field]).toEqual([400, 'quiet.NOTICE.zone']);
    for (const { set } of [one, kept, away]) await set(price({ every: true, price: 250 }));
    await site.call(CALLS.protection.coolOff, { body: { length: '24h' } }, { token: away.token });
    service.answer('/kept', 410);
    await home(254, 258);
    await soon(() => expect(pushedTo('kept')).toHaveLength(1));
    await one.fired(1);
    expect([one, kept].map(({ heard }) => heard[0]!.silent)).toEqual([
      ['SOUND', 'PUSH'],
      ['SOUND', 'NOTICE'],
    ]);
    expect((await site.call(calls.list, {}, { token: one.token })).data.quiet).toEqual({
      SOUND: { ...noon, zone: 'UTC' },
      NOTICE: null,
      PUSH: { ...noon, zone: 'UTC' },
    });
    expect([pushedTo('one'), pushedTo('away')]).toEqual([[], []]);
    await soon(async () => expect(await places(kept.token)).toBe(0));
    // With the session that named it; a kept one with a new password.
    await subscribe(kept.token, 'again', true);
    const out = await site.call(CALLS.auth.logout, {}, { token: one.token });
    const keptOut = await site.call(CALLS.auth.logout, {}, { token: kept.token });
    // The browser of a kept one is not told to forget the site, and its subscription with it.
    expect([out, keptOut].map(({ headers }) => headers.get('clear-site-data'))).toEqual(['"storage"', null]);
    const again = async ({ userName, password }: { userName: string; password: string }) =>
      (await site.call(CALLS.auth.login, { body: { userName, password } })).data.token;
    expect(await places(await again(one))).toBe(0);
    expect(await places(await again(kept))).toBe(1);
    const operator = await site.operator();
    await site.call(
      OPERATOR_CALLS.resetPassword,
      { body: { userName: kept.userName, reason: 'He asked for it' } },
      { token: operator },
    );
    const rows = await site.app.db.query('SELECT 1 FROM push_places WHERE user_id = $1', [kept.userId]);
    expect(rows).toEqual([]);
    await home(200, 204);
  });

  it('is sent to public addresses of https alone; this machine only where a test says so', async () => {
    const one = await watcher();
    const refused = async (endpoint: string) => {
      const body = { ...makeBrowser(endpoint).subscription, keep: false };
      const { error } = await site.call(calls.subscribe, { body }, { token: one.token });
      return `${error?.code} ${error?.field}`;
    };
    for (const endpoint of [
      'http://push.example.org/a',
      'https://10.0.0.5/a',
      'https://[fd00::1]/a',
      'https://metadata.internal/',
    ])
      expect(await refused(endpoint), endpoint).toBe('BAD_INPUT endpoint');
    const closed = [
      'https://127.0.0.1/a',
      'https://2130706433/a',
      'https://0x7f.1/a',
      'https://[::ffff:10.0.0.1]/a',
      'https://[64:ff9b::a00:1]/a',
      'https://169.254.169.254/a',
      'https://localhost/a',
      'https://push.example.org:8443/a',
      'https://user@push.example.org/a',
      'http://127.0.0.1/a',
    ];
    expect(closed.filter((endpoint) => isEndpoint(endpoint, false))).toEqual([]);
    expect(isEndpoint('https://fcm.googleapis.com/fcm/send/abc', false)).toBe(true);
    expect(['1.1.1.1', '2606:4700::1111', '10.1.1.1', '::1', 'fe80::1', '2002:a00:1::'].map(isPublic)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    // A name that leads here is found out when it is looked up.
    const found = await new Promise((resolve) =>
      publicLookup('localhost', { all: true }, (error) => resolve(error?.code)),
    );
    expect(found).toBe('EACCES');
  });

  it('quiet hours go over midnight, by the clock of their place', () => {
    const night = { from: 22 * 60, to: 7 * 60, zone: 'Europe/Paris' };
    const at = (text: string) => isQuiet(night, Date.parse(text));
    expect(['2026-07-01T19:59Z', '2026-07-01T20:00Z', '2026-07-02T04:59Z', '2026-07-02T05:00Z'].map(at)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
