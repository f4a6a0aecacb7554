import { CALLS } from '@fairgame/contract';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sharePace } from '../src/app/shared-pace.ts';
import { SessionRows } from '../src/auth/session-rows.ts';
import { SessionBook } from '../src/auth/sessions.ts';
import { Users } from '../src/auth/users.ts';
import { LocalHub, signsIn } from '../src/bus/bus.ts';
import { silent } from '../src/db/db.ts';
import { Pace } from '../src/http/pace.ts';
import { type Gateways, makeGateways } from './gateways.ts';
import { PASSWORD } from './server.ts';

const { auth, account, protection } = CALLS;
const HOUR_MS = 3_600_000;
let site: Gateways;
beforeAll(async () => {
  site = await makeGateways();
});
afterAll(() => site?.close());

/** Waits for what a message brings about. */
const soon = (holds: () => void | Promise<void>): Promise<void> => vi.waitFor(holds, { timeout: 10_000, interval: 10 });

describe('a session, opened at one gateway', () => {
  it('holds at the other, and ends at both, with its sockets, wherever it is ended', async () => {
    const { one, two } = site;
    const { token } = await site.player('anna');
    expect((await two.call(account.profile, {}, token)).status).toBe(200);
    const socket = io(`${two.url}/`, { auth: { token }, transports: ['websocket'], reconnection: false });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    const gone = new Promise((resolve) => socket.once('disconnect', resolve));
    expect((await one.call(auth.logout, {}, token)).status).toBe(200);
    await gone;
    for (const place of [one, two])
      expect((await place.call(account.profile, {}, token)).error?.code).toBe('SESSION_ENDED');
  });

  it("is let into a socket of a gateway that never saw it, and one that is nobody's is not", async () => {
    const { token } = await site.player('berta');
    const enter = (shown: string) =>
      new Promise<string>((resolve) => {
        const socket = io(`${site.two.url}/`, {
          auth: { token: shown },
          transports: ['websocket'],
          reconnection: false,
        });
        socket.once('connect', () => resolve('connected'));
        socket.once('connect_error', (error: Error & { data?: { code: string } }) => resolve(error.data!.code));
        setTimeout(() => socket.close(), 5000).unref();
      });
    expect(await enter(token)).toBe('connected');
    expect(await enter('nobody')).toBe('SESSION_ENDED');
  });

  it('counts among three at both: the oldest ends, also at the gateway that did not open the newest', async () => {
    const { one, two } = site;
    const first = await site.player('carl');
    const login = async (place: typeof one) =>
      (await place.call(auth.login, { body: { userName: 'carl', password: PASSWORD } })).data.token;
    site.clock.now += 1000;
    const others = [await login(two), await login(one)];
    expect((await one.call(auth.sessions, {}, first.token)).data).toHaveLength(3);
    site.clock.now += 1000;
    others.push(await login(two));
    await soon(async () => expect((await one.call(account.profile, {}, first.token)).status).toBe(401));
    for (const token of others) expect((await one.call(account.profile, {}, token)).status).toBe(200);
  });

  it('is as busy, and as proven, as at the busier of the two', async () => {
    const { one, two } = site;
    const { token } = await site.player('dora');
    expect((await two.call(account.profile, {}, token)).status).toBe(200);
    // At work at one for two hours; the other saw nothing of it, and the session would be old there.
    for (let minutes = 0; minutes < 120; minutes += 40) {
      site.clock.now += HOUR_MS * (2 / 3);
      expect((await one.call(account.profile, {}, token)).status).toBe(200);
      await one.rooms.auth.tick();
    }
    await two.rooms.auth.tick();
    await two.call(account.profile, {}, token);
    expect(two.rooms.auth.sessionOf(token)?.stepUpDue).toBe(false);
    // Away for as long: the password is needed again, once.
    site.clock.now += 2 * HOUR_MS;
    await one.call(account.profile, {}, token);
    await two.call(account.profile, {}, token);
    expect([one, two].map((place) => place.rooms.auth.sessionOf(token)?.stepUpDue)).toEqual([true, true]);
    expect((await two.call(auth.stepUp, { body: { password: PASSWORD } }, token)).status).toBe(200);
    await soon(() => expect(one.rooms.auth.sessionOf(token)?.stepUpDue).toBe(false));
  });

  it('ended while the bus is away is read from its row within five seconds, and at once when the bus is back', async () => {
    const hub = new LocalHub();
    const users = new Users(site.db, site.core, () => site.clock.now);
    const rows = new SessionRows(site.db, users);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const bus = hub.bus();
    const book = new SessionBook({ rows, log: silent, clock: () => site.clock.now, bus });
    try {
      const [later, sooner] = [await site.player('emil'), await site.player('emma')];
      for (const { token } of [later, sooner]) {
        await book.look(token);
        expect(book.sessionOf(token)).not.toBeNull();
      }
      bus.join(false);
      await site.one.call(auth.logout, {}, later.token);
      expect(book.sessionOf(later.token)).not.toBeNull();
      vi.advanceTimersByTime(5000);
      await soon(() => expect(book.sessionOf(later.token)).toBeNull());
      await site.one.call(auth.logout, {}, sooner.token);
      bus.join(true);
      await soon(() => expect(book.sessionOf(sooner.token)).toBeNull());
    } finally {
      book.stop();
      vi.useRealTimers();
    }
  });
});

describe('the pace of sign-in', () => {
  it('[SEC-Z10] is one over all gateways, also one that started late; that of readings is divided by them', async () => {
    const paced = await makeGateways({ FAIRGAME_LIMIT_FACTOR: '1' });
    try {
      const demo = async (place: typeof paced.one) => (await place.call(auth.demo)).status;
      const told: number[] = [];
      for (let at = 0; at < 10; at++) told.push(await demo(at % 2 ? paced.one : paced.two));
      expect(told).toEqual(Array(10).fill(200));
      const missing = (place: typeof paced.one) => Object.fromEntries(place.rooms.http.pace.missing());
      // Ten at ten seconds each, all told: while each knows its own five alone, the two are alike and let one more through.
      const all = { 'ademo 127.0.0.1': 100_000, ademo: 100_000 };
      for (const place of [paced.one, paced.two]) await soon(() => expect(missing(place)).toEqual(all));
      for (const place of [paced.one, paced.two]) expect(await demo(place)).toBe(429);
      // Who starts late has asked before it listens.
      const late = await paced.late();
      expect(missing(late)).toEqual(all);
      expect(await demo(late)).toBe(429);
      // What is missing is filled again at the one rate, whoever is asked.
      paced.clock.now += 10_500;
      expect(await demo(late)).toBe(200);
      await soon(() => expect(missing(paced.one)).toEqual(missing(late)));
      expect(await demo(paced.one)).toBe(429);
      const token = (await paced.player('dina')).token;
      const served = async (place: typeof paced.one) => {
        let count = 0;
        while ((await place.call(account.profile, {}, token)).status === 200) count++;
        return count;
      };
      // At once as many as ever, three of cost each; from then on 60 a second over three gateways.
      expect(await served(late)).toBe(40);
      paced.clock.now += 1000;
      expect(await served(late)).toBe(6);
      expect(await served(paced.two)).toBe(40);
    } finally {
      await paced.close();
    }
  });
});

describe('what is missing of a pace', () => {
  const ofDemo = (...gateways: { pace: Pace }[]) =>
    gateways.map(({ pace }) => Object.fromEntries(pace.missing())['ademo 127.0.0.1']);
  const stops: (() => void)[] = [];
  const gateway = async (hub: LocalHub) => {
    const [bus, pace] = [hub.bus(), new Pace(1, () => 0)];
    stops.push(await sharePace(bus, pace, silent));
    return { bus, pace };
  };

  it('is told once where the bus comes back, or another gateway starts, before what was just taken is told; and asked for where nothing was heard', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const hub = new LocalHub();
    try {
      const [one, two] = [await gateway(hub), await gateway(hub)];
      expect(one.pace.take('demo', '127.0.0.1', undefined)).toBe(0);
      one.bus.join(false);
      one.bus.join(true);
      const late = await gateway(hub);
      await vi.advanceTimersByTimeAsync(1000);
      expect(ofDemo(one, two, late)).toEqual([10_000, 10_000, 10_000]);
      // Only here nothing was heard: nobody else has a reason to tell it again.
      two.bus.join(false);
      expect(one.pace.take('demo', '127.0.0.1', undefined)).toBe(0);
      await vi.advanceTimersByTimeAsync(1000);
      two.bus.join(true);
      await vi.advanceTimersByTimeAsync(1000);
      expect(ofDemo(one, two, late)).toEqual([20_000, 20_000, 20_000]);
    } finally {
      for (const stop of stops) stop();
      vi.useRealTimers();
    }
  });
});

describe('signing in, over two gateways', () => {
  const wrong = (place: Gateways['one'], userName: string) =>
    place.call(auth.login, { body: { userName, password: 'wrong wrong wrong' } });

  it('[SEC-A5] climbs one ladder of wrong passwords, and comes down from it at both', async () => {
    const { one, two } = site;
    await site.player('frida');
    for (let at = 0; at < 4; at++) expect((await wrong(at % 2 ? one : two, 'frida')).error?.code).toBe('LOGIN_FAILED');
    await wrong(one, 'frida');
    expect((await wrong(two, 'frida')).error?.code).toBe('LOGIN_WAIT');
    await two.rooms.auth.unlock('frida');
    await soon(async () =>
      expect((await one.call(auth.login, { body: { userName: 'frida', password: PASSWORD } })).status).toBe(200),
    );
  });

  it('goes on at the other with a code sent by the one, which counts once', async () => {
    const { one, two } = site;
    const { token } = await site.player('gustav');
    const sentCode = () => /\b(\d{6})\b/.exec(site.messages.at(-1)!.text)![1]!;
    // Switched on: begun at one, confirmed at two, its recovery codes shown by one.
    expect((await one.call(auth.generate, { body: { type: 1, password: PASSWORD } }, token)).status).toBe(200);
    const on = await two.call(auth.verify, { body: { authToken: sentCode() } }, token);
    expect(on.status).toBe(200);
    const shown = await one.call(auth.authenticator, {}, on.data as string);
    expect(shown.data.recoveryCodes).toHaveLength(10);
    await soon(async () =>
      expect((await two.call(auth.authenticator, {}, on.data as string)).data.recoveryCodes).toBeUndefined(),
    );

    site.clock.now += 120_000;
    const begun = await one.call(auth.login, { body: { userName: 'gustav', password: PASSWORD } });
    const code = sentCode();
    const verify = (place: typeof one) => place.call(auth.verify, { body: { authToken: code } }, begun.data.token);
    expect((await verify(two)).status).toBe(200);
    expect((await verify(one)).error?.code).toBe('SESSION_ENDED');
  });

  it('[SEC-A7] wrong codes count at both', async () => {
    const { one, two } = site;
    site.clock.now += 120_000;
    const begun = await one.call(auth.login, { body: { userName: 'gustav', password: PASSWORD } });
    const code = /\b(\d{6})\b/.exec(site.messages.at(-1)!.text)![1]!;
    const verify = (place: typeof one, authToken: string) =>
      place.call(auth.verify, { body: { authToken } }, begun.data.token);
    const bad = code === '000000' ? '111111' : '000000';
    for (let at = 0; at < 4; at++) expect((await verify(at % 2 ? one : two, bad)).error?.code).toBe('CODE_WRONG');
    expect((await verify(one, bad)).error?.code).toBe('CODE_TRIES');
    await soon(async () => expect((await verify(two, code)).error?.code).toBe('SESSION_ENDED'));
  });

  it('[SEC-A5] [SEC-A7] a gateway that starts late knows who is locked, which codes are used and which are not', async () => {
    const { one, two } = site;
    await site.player('ivar');
    for (let at = 0; at < 5; at++) expect((await wrong(one, 'ivar')).error?.code).toBe('LOGIN_FAILED');
    site.clock.now += 120_000;
    const sentCode = () => /\b(\d{6})\b/.exec(site.messages.at(-1)!.text)![1]!;
    const begin = () => one.call(auth.login, { body: { userName: 'gustav', password: PASSWORD } });
    const burnt = (await begin()).data.token;
    const burntCode = sentCode();
    // The same code at both in one moment opens one session.
    const both = await Promise.all(
      [one, two].map((place) => place.call(auth.verify, { body: { authToken: burntCode } }, burnt)),
    );
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    site.clock.now += 120_000;
    for (let at = 0; at < 5; at++) expect((await wrong(one, 'ivar')).status).not.toBe(200);
    const open = (await begin()).data.token;
    const tries = [1, 2, 3, 4].map((at) => String((Number(sentCode()) + at) % 1_000_000).padStart(6, '0'));
    for (const authToken of tries)
      expect((await one.call(auth.verify, { body: { authToken } }, open)).error?.code).toBe('CODE_WRONG');
    // Told to nobody, and nobody's memory but the rows'.
    await one.rooms.auth.tick();
    const late = await site.late();
    expect((await late.call(auth.login, { body: { userName: 'ivar', password: PASSWORD } })).error?.code).toBe(
      'LOGIN_WAIT',
    );
    expect((await late.call(auth.verify, { body: { authToken: tries[0]! } }, open)).error?.code).toBe('CODE_TRIES');
    // What it does is done at the others.
    await late.rooms.auth.unlock('ivar');
    await soon(async () =>
      expect((await one.call(auth.login, { body: { userName: 'ivar', password: PASSWORD } })).status).toBe(200),
    );
  });

  it('a forgotten password is set anew at the other gateway, once', async () => {
    const { one, two } = site;
    await site.player('hanna');
    const before = site.messages.length;
    await one.call(auth.forgot, { body: { userName: 'hanna' } });
    await soon(() => expect(site.messages.length).toBeGreaterThan(before));
    const code = /\b([A-Z2-9]{5}-[A-Z2-9]{5})\b/.exec(site.messages.at(-1)!.text)![1]!;
    const reset = (place: typeof one, newPassword: string) =>
      place.call(auth.reset, { body: { userName: 'hanna', code, newPassword } });
    expect((await reset(two, 'marble-otter-lantern-7')).status).toBe(200);
    expect((await reset(one, 'velvet-gravel-sonata-5')).error?.code).toBe('CODE_WRONG');
  });
});

describe('a gateway that is silent', () => {
  it('has ended where its last sign in the database is old, and may live where there is a new one or never was any', async () => {
    const signs = signsIn(site.db);
    for (const name of ['ended', 'lives']) await signs.give(name);
    await site.db.query("UPDATE bus_signs SET at = at - interval '6 seconds' WHERE name IN ('ended', 'lives')");
    await signs.give('lives');
    expect(await signs.ended(['ended', 'lives', 'never'])).toEqual(['ended']);
    // Those that run give theirs; of what is an hour old nothing is kept.
    const own = (await site.db.query<{ n: number }>('SELECT count(*)::int AS n FROM bus_signs'))[0]!.n;
    expect(own).toBeGreaterThanOrEqual(4);
    await site.db.query("UPDATE bus_signs SET at = at - interval '2 hours' WHERE name = 'ended'");
    await signs.give('lives');
    expect(await signs.ended(['ended'])).toEqual([]);
  });
});

describe('player protection, over two gateways', () => {
  it('a break taken at one holds at the other, also where the bus was away meanwhile', async () => {
    const { one, two } = site;
    for (const away of [false, true]) {
      const { userId, token } = await site.player(away ? 'ida' : 'ina');
      // Known to both before.
      for (const place of [one, two]) await place.rooms.protection.mayPlay(userId);
      if (away) two.join(false);
      expect((await one.call(protection.selfExclude, { body: { months: 6 } }, token)).status).toBe(200);
      await expect(two.rooms.protection.mayPlay(userId)).rejects.toMatchObject({ code: 'ACCOUNT_BLOCKED' });
      two.join(true);
      await expect(two.rooms.protection.mayPlay(userId)).rejects.toMatchObject({ code: 'ACCOUNT_BLOCKED' });
    }
  });

  it('a break holds at the other within seconds, and the session is over, where what is told does not come though both are on the bus', async () => {
    const { one, two } = site;
    const { userId, token } = await site.player('ivo');
    for (const place of [one, two]) {
      await place.rooms.protection.mayPlay(userId);
      expect((await place.call(account.profile, {}, token)).status).toBe(200);
    }
    const shutOut = expect.objectContaining({ code: 'ACCOUNT_BLOCKED' });
    const seenAt = (place: typeof one) => place.rooms.protection.mayPlay(userId).catch((error: unknown) => error);
    two.deafen(true);
    try {
      expect((await one.call(protection.selfExclude, { body: { months: 6 } }, token)).status).toBe(200);
      await soon(async () => expect(await seenAt(two)).toEqual(shutOut));
      expect((await one.call(auth.logout, {}, token)).status).toBe(200);
      await soon(async () => expect((await two.call(account.profile, {}, token)).status).toBe(401));
    } finally {
      two.deafen(false);
    }
    await soon(() => expect(two.hears()).toBe(true));
  });

  it('changes at both in one moment are all kept, the stricter limit stands, and a late gateway has them', async () => {
    const { one, two } = site;
    const { userId, token } = await site.player('jan');
    const limit = (place: typeof one, kind: 'deposit' | 'loss' | 'wager', amountMinor: number) =>
      place.call(protection.setLimit, { body: { kind, span: 'day', amountMinor } }, token);
    for (const place of [one, two]) await place.rooms.protection.mayPlay(userId);
    const told = await Promise.all([
      limit(one, 'deposit', 190_000),
      limit(two, 'deposit', 150_000),
      limit(two, 'loss', 70_000),
      limit(one, 'wager', 60_000),
      one.call(protection.setReality, { body: { minutes: 15 } }, token),
      two.rooms.protection.verifyAge(userId, 'operator:anna').then(() => ({ status: 200 })),
    ]);
    expect(told.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const late = await site.late();
    for (const place of [one, two, late]) {
      const { limits, reality } = (await place.call(protection.status, {}, token)).data;
      expect(limits.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
        ['deposit', 150_000],
        ['loss', 70_000],
        ['wager', 60_000],
      ]);
      expect(reality.minutes).toBe(15);
      expect((await place.rooms.protection.standing(userId)).ageVerified).toBe(true);
    }
    // Decided on what is committed, wherever it is asked: beside the first money one of two deposits at once is too much.
    const deposit = (place: typeof one, key: string) =>
      place.rooms.protection.guarded
        .submit({
          world: 'real',
          actor: 'operator:anna',
          key,
          command: { type: 'account.transfer', accountId: userId, amountMinor: 30_000, reason: 'deposit', text: '' },
        })
        .then(
          () => 'taken',
          (error: Error & { code?: string }) => error.code,
        );
    const ends = await Promise.all([deposit(one, 'deposit-1'), deposit(two, 'deposit-2')]);
    expect(ends).toHaveLength(2);
    expect(new Set(ends)).toEqual(new Set(['DEPOSIT_LIMIT', 'taken']));
  });

  it('a self-exclusion holds on a gateway that starts after it', async () => {
    const { userId, token } = await site.player('karin');
    expect((await site.one.call(protection.selfExclude, { body: { months: 6 } }, token)).status).toBe(200);
    const late = await site.late();
    await expect(late.rooms.protection.mayPlay(userId)).rejects.toMatchObject({ code: 'ACCOUNT_BLOCKED' });
  });

  it('[PP-05] a player at two gateways has one visit, and his time counts once', async () => {
    const { one, two } = site;
    const { token } = await site.player('lena');
    const begun = site.clock.now;
    for (let minutes = 0; minutes < 50; minutes += 10) {
      for (const place of [one, two]) {
        const { visitStartedAt } = (await place.call(account.profile, {}, token)).data;
        expect(visitStartedAt).toBe(new Date(begun).toISOString());
      }
      for (const place of [one, two]) await place.rooms.protection.tick();
      site.clock.now += 600_000;
    }
    const late = await site.late();
    for (const place of [one, two, late]) {
      const { session, today } = (await place.call(protection.status, {}, token)).data;
      expect(session.elapsedMs).toBe(50 * 60_000);
      await place.rooms.protection.tick();
      expect(today.playedMs).toBeLessThanOrEqual(50 * 60_000);
    }
    expect((await one.call(protection.status, {}, token)).data.today.playedMs).toBe(50 * 60_000);
    // Away for longer than half an hour: a new visit, at all of them.
    site.clock.now += 31 * 60_000;
    for (const place of [two, one]) {
      const { visitStartedAt } = (await place.call(account.profile, {}, token)).data;
      expect(visitStartedAt).toBe(new Date(site.clock.now).toISOString());
    }
  });
});

describe('a program, over two gateways', () => {
  it('signed out at one is signed out at the other, which knew it', async () => {
    const own = await makeGateways({ PROGRAMS_PORT: '0' });
    const doors = await Promise.all(
      [own.one, own.two].map(async ({ rooms }) => (await rooms.programs.listen())!.calls),
    );
    const { token } = await own.player('anna');
    const body = { name: 'bot', rights: 'bet' as const, addresses: [] };
    const { key } = (await own.one.call(CALLS.programs.create, { body }, token)).data;
    const ask = async (door: string, path: string, more: Record<string, string>, form?: Record<string, string>) => {
      const headers = { accept: 'application/json', 'X-Application': key, ...more };
      const asked = { method: 'POST', headers, ...(form && { body: new URLSearchParams(form) }) };
      return (await (await fetch(`${door}/api/${path}`, asked)).json()) as Record<string, string>;
    };
    const signedIn = await ask(doors[0]!, 'login', {}, { username: 'anna', password: PASSWORD });
    const shown = { 'X-Authentication': signedIn.token! };
    expect(await ask(doors[1]!, 'keepAlive', shown)).toMatchObject({ status: 'SUCCESS' });
    expect(await ask(doors[0]!, 'logout', shown)).toMatchObject({ status: 'SUCCESS' });
    await vi.waitFor(
      async () => expect(await ask(doors[1]!, 'keepAlive', shown)).toMatchObject({ error: 'NO_SESSION' }),
      { timeout: 1000, interval: 10 },
    );
    await own.close();
  });
});
