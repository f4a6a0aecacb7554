import { allCalls, CALLS, OPERATOR_CALLS, UNATTENDED } from '@fairgame/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Passwords } from '../src/auth/passwords.ts';
import { SessionRows } from '../src/auth/session-rows.ts';
import { SessionBook } from '../src/auth/sessions.ts';
import { Users } from '../src/auth/users.ts';
import { silent } from '../src/db/db.ts';
import { makeServer, PASSWORD, type TestServer } from './server.ts';

const { auth, account, bets, catalog } = CALLS;
const operator = OPERATOR_CALLS;
const HOUR = 3_600_000;
let server: TestServer;
beforeAll(async () => {
  server = await makeServer();
});
afterAll(() => server?.close());

const login = (userName: string, password = PASSWORD) => server.call(auth.login, { body: { userName, password } });
const profile = (token: string) => server.call(account.profile, {}, { token });

describe('signing in', () => {
  it('[AUT-01] [API-12] [OPN-21] [OPN-04] answers token, userId and authenticatorType; the name is trimmed, the password is not', async () => {
    const { userId } = await server.player('anna');
    const told = await login(' Anna ');
    expect(told.status).toBe(200);
    expect(told.data).toMatchObject({
      userId,
      authenticatorType: 0,
      forceChangePassword: false,
      isAuthenticator: true,
    });
    expect(told.data.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await login('anna', ` ${PASSWORD}`)).status).toBe(400);
  });

  it('[CAR-09] [SEC-A6] a wrong password and an unknown name answer alike, and never 401', async () => {
    await server.player('bert');
    const [wrong, unknown] = [await login('bert', 'not the password'), await login('nobody-here', 'not the password')];
    expect(wrong.status).toBe(400);
    expect(wrong.error?.code).toBe('LOGIN_FAILED');
    expect({ ...unknown.error, requestId: '' }).toEqual({ ...wrong.error, requestId: '' });
  });

  it('[SEC-A6] an unknown name costs the same hashing as a known one', async () => {
    await server.player('timed');
    const median = async (name: string) => {
      const times: number[] = [];
      for (let i = 0; i < 4; i++) {
        const started = performance.now();
        await login(`${name}`, 'not the password');
        times.push(performance.now() - started);
      }
      return times.sort((a, b) => a - b)[1]!;
    };
    const [known, unknown] = [await median('timed'), await median('untimed')];
    expect(unknown).toBeGreaterThan(known / 4);
    expect(unknown).toBeLessThan(known * 4);
  });

  it('[SEC-S1] [SEC-S6] the database and the log hold no usable token', async () => {
    const { token } = await server.player('carl');
    await profile(token);
    const rows = await server.app.db.query('SELECT * FROM sessions');
    expect(JSON.stringify(rows)).not.toContain(token.slice(0, 12));
    expect(server.logText()).not.toContain(token.slice(0, 12));
    expect(server.logText()).not.toContain(PASSWORD);
  });

  it('[API-14] [AUT-07] [OPN-65] [SEC-S3] signing out ends the token at once and clears what the browser stored', async () => {
    const { token } = await server.player('dora');
    const told = await server.call(auth.logout, {}, { token });
    expect(told.headers.get('clear-site-data')).toBe('"storage"');
    const after = await profile(token);
    expect(after.status).toBe(401);
    expect(after.error?.code).toBe('SESSION_ENDED');
  });

  it('[SEC-S4] a fourth session ends the oldest; sessions can be listed and ended', async () => {
    const first = await server.player('emil');
    const tokens = [first.token];
    for (let i = 0; i < 3; i++) {
      server.clock.advance(1000);
      tokens.push((await login('emil')).data.token);
    }
    expect((await profile(tokens[0]!)).status).toBe(401);
    const list = await server.call(auth.sessions, {}, { token: tokens[3]! });
    expect(list.data).toHaveLength(3);
    const other = list.data.find((session) => !session.current)!;
    await server.call(auth.endSession, { body: { id: other.id } }, { token: tokens[3]! });
    expect((await server.call(auth.sessions, {}, { token: tokens[3]! })).data).toHaveLength(2);
    const unknown = await server.call(auth.endSession, { body: { id: 'nothing' } }, { token: tokens[3]! });
    expect(unknown.error?.code).toBe('NOT_FOUND');
    await server.call(auth.endSession, { body: {} }, { token: tokens[3]! });
    expect((await server.call(auth.sessions, {}, { token: tokens[3]! })).data).toHaveLength(1);
  });

  it('[OPN-65] [SEC-S5] a session ends after 6 idle hours, and after 24 hours in any case', async () => {
    const { token } = await server.player('fritz');
    server.clock.advance(6 * HOUR - 1000);
    expect((await profile(token)).status).toBe(200);
    server.clock.advance(6 * HOUR);
    expect((await profile(token)).status).toBe(401);

    const again = (await login('fritz')).data.token;
    for (let i = 0; i < 5; i++) {
      server.clock.advance(5 * HOUR - 1000);
      expect((await profile(again)).status).toBe(i < 4 ? 200 : 401);
    }
  });

  it('[SEC-S5] what a client asks for by itself does not prolong the idle hours, and its player does', async () => {
    const { token } = await server.player('hermine');
    const polling = () => server.call(account.profile, {}, { token, headers: { [UNATTENDED]: '1' } });
    for (let hour = 0; hour < 5; hour++) {
      server.clock.advance(HOUR);
      expect((await polling()).status).toBe(200);
    }
    expect((await profile(token)).status).toBe(200);
    for (let hour = 0; hour < 6; hour++) {
      expect((await polling()).status).toBe(200);
      server.clock.advance(HOUR);
    }
    expect((await polling()).status).toBe(401);
  });

  it('[SEC-S5] after an idle hour a bet needs the password again; reading goes on', async () => {
    const { token } = await server.player('greta');
    const bet = {
      key: 'a'.repeat(20),
      betId: 1,
      matchId: 1,
      runnerId: 1,
      bettingType: 'BACK',
      odd: 200,
      stake: 100,
    } as const;
    expect((await server.call(bets.place, { body: bet }, { token })).error?.code).not.toBe('STEP_UP_REQUIRED');
    server.clock.advance(HOUR + 1000);
    expect((await profile(token)).status).toBe(200);
    expect((await server.call(bets.place, { body: bet }, { token })).error?.code).toBe('STEP_UP_REQUIRED');
    const wrong = await server.call(auth.stepUp, { body: { password: 'no' } }, { token });
    expect(wrong.error).toMatchObject({ statusCode: 400, code: 'PASSWORD_WRONG', field: 'password' });
    await server.call(auth.stepUp, { body: { password: PASSWORD } }, { token });
    expect((await server.call(bets.place, { body: bet }, { token })).error?.code).not.toBe('STEP_UP_REQUIRED');
  });

  it('[SEC-S5] a page that reads by itself is no player at it, and who is busy all day is asked once in twelve hours', async () => {
    const { token } = await server.player('gustav');
    const bet = (key: string) =>
      server.call(
        bets.place,
        { body: { key, betId: 1, matchId: 1, runnerId: 1, bettingType: 'BACK', odd: 200, stake: 100 } },
        { token },
      );
    const reading = async (minutes: number) => {
      for (let i = 0; i < minutes / 10; i++) {
        server.clock.advance(10 * 60_000);
        const told = await server.call(account.profile, {}, { token, headers: { [UNATTENDED]: '1' } });
        expect(told.status).toBe(200);
      }
    };
    await reading(50);
    expect((await bet('a'.repeat(20))).error?.code).not.toBe('STEP_UP_REQUIRED');
    await reading(70);
    expect((await bet('b'.repeat(20))).error?.code).toBe('STEP_UP_REQUIRED');
    await server.call(auth.stepUp, { body: { password: PASSWORD } }, { token });
    const asked: boolean[] = [];
    for (let i = 0; i < 13; i++) {
      await reading(60);
      asked.push((await bet(`c${i}`.padEnd(20, 'c'))).error?.code === 'STEP_UP_REQUIRED');
    }
    expect(asked.indexOf(true)).toBe(12);
  });

  it('sessions end for listeners at once, with the reason', async () => {
    const { token, userId } = await server.player('hugo');
    const heard: unknown[] = [];
    const off = server.app.auth.onEnded((ids, user, reason) => heard.push([ids.length, user, reason]));
    await server.app.auth.forceLogout(userId);
    off();
    expect(heard).toEqual([[1, userId, 'forced']]);
    expect((await profile(token)).status).toBe(401);
  });

  it('an expired session is told to listeners without a call', async () => {
    const { userId } = await server.player('ida');
    const heard: unknown[] = [];
    const off = server.app.auth.onEnded((_ids, user, reason) => heard.push([user, reason]));
    server.clock.advance(7 * HOUR);
    await server.app.auth.tick();
    off();
    expect(heard).toContainEqual([userId, 'expired']);
  });
});

describe('a sign-in that is under way', () => {
  afterEach(() => void vi.restoreAllMocks());

  /** Signs in; `meanwhile` happens when the password was found right and before a session is there. */
  async function overtaken(userName: string, meanwhile: () => Promise<unknown>, password = PASSWORD) {
    vi.spyOn(Passwords.prototype, 'verify').mockImplementationOnce(async function (this: Passwords, ...given) {
      const isRight = await this.verify(...given);
      await meanwhile();
      return isRight;
    });
    return login(userName, password);
  }

  it('opens nothing where the password is another one meanwhile', async () => {
    const { token, userId } = await server.player('oleg');
    const newPassword = 'slow-river-otters-77';
    const body = { oldPassword: PASSWORD, newPassword };
    const told = await overtaken('oleg', async () => {
      expect((await server.call(auth.changePassword, { body }, { token })).status).toBe(200);
    });
    expect(told.error?.code).toBe('LOGIN_FAILED');
    const live = 'SELECT 1 FROM sessions WHERE user_id = $1 AND ended_at IS NULL';
    expect(await server.app.db.query(live, [userId])).toEqual([]);
    expect((await login('oleg', newPassword)).status).toBe(200);
    expect(await server.app.db.query(live, [userId])).toHaveLength(1);
  });

  it('hashes no password anew that is another one meanwhile', async () => {
    const { token, userId } = await server.player('pia');
    const newPassword = 'slow-river-otters-78';
    const body = { oldPassword: PASSWORD, newPassword };
    vi.spyOn(Passwords.prototype, 'isOld').mockReturnValueOnce(true);
    const told = await overtaken('pia', () => server.call(auth.changePassword, { body }, { token }));
    expect(told.error?.code).toBe('LOGIN_FAILED');
    expect((await login('pia')).error?.code).toBe('LOGIN_FAILED');
    expect((await login('pia', newPassword)).data.userId).toBe(userId);
  });

  it('opens nothing where the account is shut, or has a second factor, meanwhile', async () => {
    const { userId } = await server.player('quin');
    expect((await overtaken('quin', () => server.app.auth.enrolApp(userId))).error?.code).toBe('LOGIN_FAILED');
    expect((await login('quin')).data).toMatchObject({ authenticatorType: 2, isAuthenticator: false });
    expect((await overtaken('quin', () => server.app.auth.setState(userId, 'blocked'))).error?.code).toBe(
      'LOGIN_FAILED',
    );
    expect((await login('quin')).error?.code).toBe('ACCOUNT_LOCKED');
  });
});

describe('at a start', () => {
  it('sessions of the last run are there after two readings, however many they are', async () => {
    const tokens: string[] = [];
    for (const name of ['kept1', 'kept2', 'kept3']) {
      tokens.push((await server.player(name)).token);
      tokens.push((await login(name)).data.token);
    }
    const { db, core, auth } = server.app;
    await auth.tick();
    let readings = 0;
    const counted: typeof db = {
      ...db,
      query: (sql, params) => {
        readings++;
        return db.query(sql, params);
      },
    };
    const rows = new SessionRows(counted, new Users(counted, core, server.clock));
    const again = new SessionBook({ rows, log: silent, clock: server.clock, bus: server.app.bus });
    await again.load();
    expect(readings).toBe(2);
    expect(tokens.map((token) => again.sessionOf(token)?.userName)).toEqual([
      'kept1',
      'kept1',
      'kept2',
      'kept2',
      'kept3',
      'kept3',
    ]);
  });
});

describe('the ladder of wrong passwords over HTTP', () => {
  it('[SEC-A5] [ERR-11] waits after five wrong tries with Retry-After, and the right password is not even looked at', async () => {
    await server.player('jan');
    for (let i = 0; i < 5; i++) expect((await login('jan', 'wrong')).error?.code).toBe('LOGIN_FAILED');
    const waiting = await login('jan');
    expect(waiting.error).toMatchObject({ statusCode: 429, code: 'LOGIN_WAIT' });
    expect(Number(waiting.headers.get('retry-after'))).toBe(30);
    server.clock.advance(31_000);
    expect((await login('jan')).status).toBe(200);
  });

  it('[CAR-24] [PWD-03] [API-16] checking the old password answers, and counts as a try', async () => {
    const { token } = await server.player('karl');
    const check = (oldPassword: string) => server.call(auth.checkOldPassword, { body: { oldPassword } }, { token });
    expect((await check(PASSWORD)).data).toEqual({ isPasswordMatch: true });
    for (let i = 0; i < 5; i++) expect((await check('wrong')).data).toEqual({ isPasswordMatch: false });
    const told = await check(PASSWORD);
    expect(told.error).toMatchObject({ statusCode: 429, code: 'LOGIN_WAIT' });
    expect((await login('karl')).error?.code).toBe('LOGIN_WAIT');
  });

  /** As a hundred strangers before a restart would have left it. */
  const locked = async (name: string) => {
    await server.player(name);
    await server.app.db.query('UPDATE users SET failed_count = 100, failed_at = $2 WHERE name_key = $1', [
      name,
      server.clock(),
    ]);
    await server.app.db.query('DELETE FROM known_networks');
  };

  it('[SEC-A5] a lock after a hundred failures of strangers outlives a restart and ends after an hour', async () => {
    await locked('lena');
    const told = await login('lena');
    expect(told.error).toMatchObject({ statusCode: 403, code: 'ACCOUNT_LOCKED' });
    expect(told.headers.get('retry-after')).toBe('3600');
    server.clock.advance(HOUR);
    expect((await login('lena')).status).toBe(200);
    expect((await server.app.auth.userNamed('lena')).failedCount).toBe(0);
  });

  it('[SEC-A5] a lock of strangers does not hold where the right password came from before', async () => {
    const { userId } = await server.player('moritz');
    const [known] = await server.app.db.query<{ network: string }>(
      'SELECT network FROM known_networks WHERE user_id = $1',
      [userId],
    );
    expect(known?.network).toMatch(/^127\.0\.0\.1$|::\/64$/);
    await server.app.db.query('UPDATE users SET failed_count = 100, failed_at = $2 WHERE id = $1', [
      userId,
      server.clock(),
    ]);
    expect((await login('moritz')).status).toBe(200);
  });

  it('locks end by a new password, and by the operator’s word alone', async () => {
    await locked('nils');
    const { password } = await server.app.auth.resetPassword('nils');
    expect((await login('nils', password)).data.forceChangePassword).toBe(true);
    await locked('olga');
    expect((await login('olga')).error?.code).toBe('ACCOUNT_LOCKED');
    const body = { userName: 'olga', reason: 'called, identity checked' };
    expect((await server.call(operator.unlock, { body }, { token: await server.operator() })).status).toBe(200);
    expect((await login('olga')).status).toBe(200);
  });

  it('[SEC-C3] what is tried at the players’ door locks no operator, and a start of the server ends his locks', async () => {
    await server.operator();
    for (let i = 0; i < 6; i++) await login('chief', 'wrong');
    // The right password alone is asked for its code.
    const enter = (password = PASSWORD) => server.call(operator.login, { body: { userName: 'chief', password } });
    expect((await enter()).error?.code).toBe('CODE_REQUIRED');
    for (let i = 0; i < 6; i++) await enter('wrong');
    expect((await enter()).error?.code).toBe('LOGIN_WAIT');
    await server.app.auth.operators.setPassword('chief', PASSWORD, false);
    expect((await enter()).error?.code).toBe('CODE_REQUIRED');
  });

  it('[SEC-A5] tries at the same time are no more tries than one after the other', async () => {
    await server.player('piet');
    const told = await Promise.all(Array.from({ length: 12 }, (_, i) => login('piet', `wrong ${i}`)));
    const codes = told.map(({ error }) => error?.code);
    expect(codes.filter((code) => code === 'LOGIN_FAILED')).toHaveLength(5);
    expect(codes.filter((code) => code === 'LOGIN_WAIT')).toHaveLength(7);
  });

  it('[SEC-A1] a password from before the rule is changed at the next sign-in', async () => {
    const { userId } = await server.player('rike');
    const hash = await new Passwords().hash('tRf9#kLp');
    await server.app.db.query('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, hash]);
    const told = await login('rike', 'tRf9#kLp');
    expect(told.data.forceChangePassword).toBe(true);
    expect((await profile(told.data.token)).error?.code).toBe('PASSWORD_CHANGE_REQUIRED');
  });
});

describe('changing the password', () => {
  it('of several changes at the same time one is done', async () => {
    const { token } = await server.player('sven');
    const told = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        server.call(
          auth.changePassword,
          { body: { oldPassword: PASSWORD, newPassword: `slow-river-otters-1${i}` } },
          { token },
        ),
      ),
    );
    expect(told.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const [one] = await server.app.db.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM audit WHERE action = 'password.change' AND object = $1",
      [`player:${(await server.app.auth.userNamed('sven')).id}`],
    );
    expect(one?.n).toBe(1);
  });

  it('[PWD-01] [API-15] [OPN-65] [SEC-A9] [SEC-S2] takes the new one, refuses the old one and ends every session', async () => {
    const { token } = await server.player('mia');
    const second = (await login('mia')).data.token;
    const body = { oldPassword: PASSWORD, newPassword: 'slow-river-otters-12' };
    const told = await server.call(auth.changePassword, { body }, { token });
    expect(told.status).toBe(200);
    expect(told.message).toBeTruthy();
    expect((await profile(token)).status).toBe(401);
    expect((await profile(second)).status).toBe(401);
    expect((await login('mia')).error?.code).toBe('LOGIN_FAILED');
    expect((await login('mia', body.newPassword)).status).toBe(200);
  });

  it('[OPN-05] [CAR-09] refuses a wrong old one and each bad new one with its own code, never 401', async () => {
    const { token } = await server.player('nora');
    const change = async (newPassword: string, oldPassword = PASSWORD) =>
      (await server.call(auth.changePassword, { body: { oldPassword, newPassword } }, { token })).error;
    expect(await change('slow-river-otters-12', 'wrong')).toMatchObject({
      statusCode: 400,
      code: 'PASSWORD_WRONG',
      field: 'oldPassword',
    });
    expect(await change('seven77')).toMatchObject({ code: 'PASSWORD_SHORT', field: 'newPassword' });
    expect(await change('x'.repeat(64) + 'y'.repeat(65))).toMatchObject({ code: 'PASSWORD_LONG' });
    expect(await change('Password123Password')).toMatchObject({ code: 'PASSWORD_COMMON' });
    expect(await change(PASSWORD)).toMatchObject({ code: 'PASSWORD_SAME' });
  });

  it('[OPN-21] [PWD-06] [SEC-A10] [CAR-13] [CAR-16] a forced change is enforced by the server: every other call answers 403', async () => {
    await server.app.auth.createPlayer({ userName: 'otto', password: PASSWORD, actor: 'test' });
    const { data } = await login('otto');
    expect(data.forceChangePassword).toBe(true);
    const { token } = data;
    for (const call of [
      account.profile,
      account.rules,
      catalog.list,
      bets.myMarket,
      auth.sessions,
      auth.authenticator,
    ]) {
      const told = await server.call(call, {}, { token });
      expect([call.name, told.error?.code]).toEqual([call.name, 'PASSWORD_CHANGE_REQUIRED']);
    }
    expect((await server.call(auth.verify, { body: { authToken: '123456' } }, { token })).status).toBe(403);
    await server.call(
      auth.changePassword,
      { body: { oldPassword: PASSWORD, newPassword: 'slow-river-otters-12' } },
      { token },
    );
    expect((await login('otto', 'slow-river-otters-12')).data.forceChangePassword).toBe(false);
  });
});

describe('demo players', () => {
  it('[AUT-04] [API-13] [OPN-61] each demo login is a fresh account with play money', async () => {
    const [one, two] = [await server.call(auth.demo), await server.call(auth.demo)];
    expect(one.data.userId).not.toBe(two.data.userId);
    const { data } = await profile(one.data.token);
    expect(data).toMatchObject({ isDemo: true, userBal: { currentBalance: 1_000_000, exposure: 0 } });
    const [row] = await server.app.db.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM ledger_entries WHERE world = 'real' AND account_id = $1",
      [one.data.userId],
    );
    expect(row?.n).toBe(0);
  });

  it('[CAR-25] [SEC-Z2] what a demo may not do is refused by the server', async () => {
    const { token } = (await server.call(auth.demo)).data;
    const real = allCalls().filter((call) => call.who === 'real');
    expect(real.length).toBeGreaterThan(4);
    for (const call of real) {
      const told = await server.call(call, (call.method === 'POST' ? { body: {} } : {}) as never, { token });
      expect([call.name, told.error?.code]).toEqual([call.name, 'DEMO_NOT_ALLOWED']);
    }
    const change = await server.call(
      auth.changePassword,
      { body: { oldPassword: 'a', newPassword: 'slow-river-otters-12' } },
      { token },
    );
    expect(change.error?.code).toBe('DEMO_NOT_ALLOWED');
    expect((await server.call(auth.checkOldPassword, { body: { oldPassword: 'a' } }, { token })).error?.code).toBe(
      'DEMO_NOT_ALLOWED',
    );
  });

  it('a demo visit that ends leaves nothing behind', async () => {
    const { token, userId } = (await server.call(auth.demo)).data;
    await server.call(auth.logout, {}, { token });
    await expect.poll(() => server.app.auth.user(userId)).toBeUndefined();
    const player = await server.player('tilda');
    await server.call(auth.logout, {}, { token: player.token });
    expect(await server.app.auth.user(player.userId)).toBeDefined();
  });

  it('[OPN-61] a demo account is gone after a day', async () => {
    const { token, userId } = (await server.call(auth.demo)).data;
    server.clock.advance(25 * HOUR);
    await server.app.auth.tick();
    expect(await server.app.auth.user(userId)).toBeUndefined();
    expect((await profile(token)).status).toBe(401);
  });
});
