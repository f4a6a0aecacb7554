import { randomBytes } from 'node:crypto';
import { CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { appCode } from '../src/auth/auth.ts';
import { Users } from '../src/auth/users.ts';
import { createKeyring } from '../src/keyring.ts';
import { makeServer, PASSWORD, type TestServer } from './server.ts';

const { auth, account, bets } = CALLS;
let server: TestServer;
beforeAll(async () => {
  server = await makeServer();
});
afterAll(() => server?.close());
// A code of the app counts once a step: every test starts in a fresh one.
beforeEach(() => server.clock.advance(60_000));

const login = async (userName: string) =>
  (await server.call(auth.login, { body: { userName, password: PASSWORD } })).data;
const codeNow = (secret: string, steps = 0) => appCode(secret, Math.floor(server.clock.now / 30_000) + steps);
const verify = (token: string, authToken: string) => server.call(auth.verify, { body: { authToken } }, { token });
const sentCode = () => /\b(\d{6})\b/.exec(server.messages.at(-1)!.text)![1]!;
const other = (code: string) => (code === '000000' ? '111111' : '000000');

async function withApp(userName: string) {
  const player = await server.player(userName);
  const { data } = await server.call(auth.generate, { body: { type: 2, password: PASSWORD } }, { token: player.token });
  const told = await verify(player.token, codeNow(data.secret!));
  server.clock.advance(60_000);
  return { ...player, secret: data.secret!, token: told.data };
}

describe('an authenticator app', () => {
  it('[VER-14] [API-17] [API-18] [API-19] [SEC-A7] [SEC-A12] is switched on with a code; the answer is a new token and the recovery codes show once', async () => {
    const { token, userId } = await server.player('anna');
    const elsewhere = (await login('anna')).token;
    const begun = await server.call(auth.generate, { body: { type: 2, password: PASSWORD } }, { token });
    expect(begun.data.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(begun.data.uri).toContain(`secret=${begun.data.secret}`);
    expect(begun.data.qr).toMatch(/^data:image\/png;base64,/);
    const told = await verify(token, codeNow(begun.data.secret!));
    expect(told.status).toBe(200);
    expect(typeof told.data).toBe('string');
    for (const old of [token, elsewhere])
      expect((await server.call(account.profile, {}, { token: old })).status).toBe(401);

    const state = await server.call(auth.authenticator, {}, { token: told.data });
    expect(state.data).toMatchObject({ type: 2, recoveryCodesLeft: 10 });
    expect(state.data.recoveryCodes).toHaveLength(10);
    expect((await server.call(auth.authenticator, {}, { token: told.data })).data.recoveryCodes).toBeUndefined();
    const rows = await server.app.db.query(
      'SELECT u.totp_secret, r.code_hash FROM users u JOIN recovery_codes r ON r.user_id = u.id WHERE u.id = $1',
      [userId],
    );
    const dump = JSON.stringify(rows);
    expect(dump).not.toContain(begun.data.secret);
    expect(dump).not.toContain(state.data.recoveryCodes![0]);
    expect(dump).toContain('$argon2id$');
  });

  it('[CAR-14] [SEC-A11] a session that still owes its code may only verify, resend and sign out', async () => {
    const { secret } = await withApp('bert');
    const pending = await login('bert');
    expect(pending).toMatchObject({ authenticatorType: 2, isAuthenticator: false });
    for (const call of [account.profile, account.rules, bets.myMarket, auth.sessions, auth.authenticator]) {
      expect((await server.call(call, {}, { token: pending.token })).error?.code).toBe('CODE_REQUIRED');
    }
    const change = { body: { oldPassword: PASSWORD, newPassword: 'slow-river-otters-12' } };
    expect((await server.call(auth.changePassword, change, { token: pending.token })).error?.code).toBe(
      'CODE_REQUIRED',
    );
    expect(
      (await server.call(auth.checkOldPassword, { body: { oldPassword: PASSWORD } }, { token: pending.token })).error
        ?.code,
    ).toBe('CODE_REQUIRED');

    const told = await verify(pending.token, codeNow(secret));
    expect(told.status).toBe(200);
    expect(told.data).not.toBe(pending.token);
    expect((await server.call(account.profile, {}, { token: told.data })).status).toBe(200);
    expect((await verify(pending.token, codeNow(secret))).status).toBe(401);
  });

  it('[SEC-A7] a code counts once, also when used twice at the same time', async () => {
    const { secret } = await withApp('carl');
    const [one, two] = [await login('carl'), await login('carl')];
    const code = codeNow(secret);
    const told = await Promise.all([verify(one.token, code), verify(two.token, code)]);
    expect(told.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 400]);
    const third = await login('carl');
    expect((await verify(third.token, code)).error?.code).toBe('CODE_WRONG');
    expect((await verify(third.token, codeNow(secret, 2))).error?.code).toBe('CODE_WRONG');
    expect((await verify(third.token, codeNow(secret, 1))).status).toBe(200);
  });

  it('[CAR-14] half-finished sign-ins end nobody’s session, are not listed, and end by themselves', async () => {
    const { token, secret } = await withApp('paul');
    const first = await login('paul');
    for (let i = 0; i < 4; i++) {
      server.clock.advance(1000);
      await login('paul');
    }
    const list = await server.call(auth.sessions, {}, { token });
    expect(list.data).toHaveLength(1);
    // Of those that owe their code only three are kept.
    expect((await verify(first.token, codeNow(secret))).status).toBe(401);
    const last = await login('paul');
    server.clock.advance(15 * 60_000);
    expect((await verify(last.token, codeNow(secret))).status).toBe(401);
    // Whole ones count beside whole ones.
    for (let i = 0; i < 2; i++) {
      server.clock.advance(60_000);
      expect((await verify((await login('paul')).token, codeNow(secret))).status).toBe(200);
    }
    expect((await server.call(auth.sessions, {}, { token })).data).toHaveLength(3);
    server.clock.advance(60_000);
    await verify((await login('paul')).token, codeNow(secret));
    expect((await server.call(auth.sessions, {}, { token })).status).toBe(401);
  });

  it('a code opens nothing where the sign-in it belongs to was ended meanwhile', async () => {
    const { secret, userId } = await withApp('gina');
    const { token } = await login('gina');
    vi.spyOn(Users.prototype, 'takeStep').mockImplementationOnce(async function (this: Users, ...given) {
      const isFirst = await this.takeStep(...given);
      await server.app.auth.forceLogout(userId);
      return isFirst;
    });
    expect(await verify(token, codeNow(secret))).toMatchObject({ status: 401, error: { code: 'SESSION_ENDED' } });
    const live = 'SELECT 1 FROM sessions WHERE user_id = $1 AND ended_at IS NULL';
    expect(await server.app.db.query(live, [userId])).toEqual([]);
  });

  it('[SEC-A7] codes tried at the same time are no more than five', async () => {
    const { token } = await withApp('quentin');
    const codes = (await server.call(auth.authenticator, {}, { token })).data.recoveryCodes!;
    const pending = await login('quentin');
    const guesses = Array.from({ length: 19 }, (_, i) => `ABCDE-FGHJ${'ABCDEFGHJKLMNPQRSTU'[i]}`);
    const told = await Promise.all([...guesses, codes[0]!].map((code) => verify(pending.token, code)));
    const reasons = told.map(({ status, error }) => error?.code ?? status);
    expect(reasons.filter((code) => code === 'CODE_WRONG')).toHaveLength(4);
    expect(reasons.filter((code) => code === 'CODE_TRIES')).toHaveLength(1);
    expect(reasons).not.toContain(200);
  });

  it('[SEC-A1] eight characters are enough beside it; without it such a password must be changed at the next sign-in', async () => {
    const { token, secret } = await withApp('rosa');
    const change = (authToken: string) =>
      server.call(
        auth.changePassword,
        { body: { oldPassword: PASSWORD, newPassword: 'tRf9#kLp', authToken } },
        { token },
      );
    expect((await change(codeNow(secret))).status).toBe(200);
    server.clock.advance(60_000);
    const short = { userName: 'rosa', password: 'tRf9#kLp' };
    const signedIn = (await server.call(auth.login, { body: short })).data;
    expect(signedIn.forceChangePassword).toBe(false);
    const { data: whole } = await verify(signedIn.token, codeNow(secret));
    server.clock.advance(60_000);
    await server.call(
      auth.remove,
      { body: { authToken: codeNow(secret), password: short.password } },
      { token: whole },
    );
    const again = (await server.call(auth.login, { body: short })).data;
    expect(again).toMatchObject({ forceChangePassword: true, isAuthenticator: true });
    expect((await server.call(account.profile, {}, { token: again.token })).error?.code).toBe(
      'PASSWORD_CHANGE_REQUIRED',
    );
    const refused = await server.call(
      auth.changePassword,
      { body: { oldPassword: short.password, newPassword: 'xQ7&vZ2!' } },
      { token: again.token },
    );
    expect(refused.error).toMatchObject({ code: 'PASSWORD_SHORT', message: expect.stringContaining('15') });
  });

  it('[VER-12] [CAR-09] [CAR-15] [SEC-A7] five wrong codes end the sign-in with 429, never 401', async () => {
    const { secret } = await withApp('dora');
    const { token } = await login('dora');
    const wrong = other(codeNow(secret));
    for (let i = 0; i < 4; i++)
      expect((await verify(token, wrong)).error).toMatchObject({ statusCode: 400, code: 'CODE_WRONG' });
    expect((await verify(token, wrong)).error).toMatchObject({ statusCode: 429, code: 'CODE_TRIES' });
    expect((await verify(token, codeNow(secret))).status).toBe(401);
  });

  it('[SEC-A12] a recovery code stands in for the app, once', async () => {
    const { token } = await withApp('emil');
    const [code] = (await server.call(auth.authenticator, {}, { token })).data.recoveryCodes!;
    const pending = await login('emil');
    expect((await verify(pending.token, code!)).status).toBe(200);
    const again = await login('emil');
    expect((await verify(again.token, code!)).error?.code).toBe('CODE_WRONG');
  });

  it('[VER-15] [API-21] [SEC-A9] is switched off with a code and the password; other sessions end', async () => {
    const { token, secret } = await withApp('fritz');
    const second = await verify((await login('fritz')).token, codeNow(secret));
    server.clock.advance(60_000);
    const wrong = await server.call(
      auth.remove,
      { body: { authToken: other(codeNow(secret)), password: PASSWORD } },
      { token },
    );
    expect(wrong.error?.code).toBe('CODE_WRONG');
    const without = await server.call(auth.remove, { body: { authToken: codeNow(secret) } as never }, { token });
    expect(without.error).toMatchObject({ statusCode: 400, field: 'password' });
    const badPassword = await server.call(
      auth.remove,
      { body: { authToken: codeNow(secret), password: 'no' } },
      { token },
    );
    expect(badPassword.error?.code).toBe('PASSWORD_WRONG');
    const told = await server.call(
      auth.remove,
      { body: { authToken: codeNow(secret), password: PASSWORD } },
      { token },
    );
    expect(told.status).toBe(200);
    expect((await server.call(account.profile, {}, { token: second.data })).status).toBe(401);
    expect((await login('fritz')).authenticatorType).toBe(0);
    const [row] = await server.app.db.query<{ totp_secret: string | null }>(
      "SELECT totp_secret FROM users WHERE name_key = 'fritz'",
    );
    expect(row?.totp_secret).toBeNull();
  });

  it('[SEC-A9] changing the password needs a code, or one given in this session within ten minutes', async () => {
    const { token, secret } = await withApp('greta');
    const change = (authToken?: string) =>
      server.call(
        auth.changePassword,
        { body: { oldPassword: PASSWORD, newPassword: 'slow-river-otters-12', ...(authToken ? { authToken } : {}) } },
        { token },
      );
    server.clock.advance(11 * 60_000);
    expect((await change()).error).toMatchObject({ statusCode: 403, code: 'CODE_REQUIRED' });
    expect((await change(other(codeNow(secret)))).error?.code).toBe('CODE_WRONG');
    expect((await change(codeNow(secret))).status).toBe(200);
  });

  it('beginning needs the password, and only one factor is on at a time', async () => {
    const { token } = await server.player('hugo');
    const wrong = await server.call(auth.generate, { body: { type: 2, password: 'no' } }, { token });
    expect(wrong.error).toMatchObject({ statusCode: 400, code: 'PASSWORD_WRONG' });
    expect((await verify(token, '123456')).error?.code).toBe('CODE_EXPIRED');
    const on = await withApp('ida');
    expect(
      (await server.call(auth.generate, { body: { type: 2, password: PASSWORD } }, { token: on.token })).error?.code,
    ).toBe('AUTHENTICATOR_SET');
    const off = await server.call(auth.remove, { body: { authToken: '123456', password: PASSWORD } }, { token });
    expect(off.error?.code).toBe('AUTHENTICATOR_NOT_SET');
  });
});

describe('codes by message', () => {
  async function withMessage(userName: string) {
    const player = await server.player(userName);
    await server.call(auth.generate, { body: { type: 1, password: PASSWORD } }, { token: player.token });
    const told = await verify(player.token, sentCode());
    server.clock.advance(61_000);
    return { ...player, token: told.data };
  }

  it('[OPN-23] [SEC-A8] signing in sends a six-digit code that is used up by the first right try', async () => {
    await withMessage('jan');
    const before = server.messages.length;
    const pending = await login('jan');
    expect(pending).toMatchObject({ authenticatorType: 1, isAuthenticator: false });
    expect(server.messages.length).toBe(before + 1);
    const code = sentCode();
    expect((await verify(pending.token, other(code))).error?.code).toBe('CODE_WRONG');
    expect((await verify(pending.token, code)).status).toBe(200);
    expect(server.logText()).not.toContain(code);
  });

  it('[SEC-A8] a code belongs to one sign-in', async () => {
    await withMessage('karl');
    const one = await login('karl');
    const codeOfOne = sentCode();
    const two = await login('karl');
    expect((await verify(two.token, codeOfOne)).error?.code).toBe('CODE_WRONG');
    expect((await verify(one.token, codeOfOne)).status).toBe(200);
  });

  it('[SEC-A8] a code dies after ten minutes', async () => {
    await withMessage('lena');
    const { token } = await login('lena');
    const code = sentCode();
    server.clock.advance(10 * 60_000);
    expect((await verify(token, code)).error?.code).toBe('CODE_EXPIRED');
  });

  it('[API-20] [SEC-A8] resending waits a minute and stops at five an hour', async () => {
    server.clock.advance(3_600_000);
    const { token } = await withMessage('mia');
    const resend = () => server.call(auth.resend, { body: {} }, { token });
    expect((await resend()).status).toBe(200);
    const soon = await resend();
    expect(soon.error).toMatchObject({ statusCode: 429, code: 'RESEND_WAIT' });
    expect(Number(soon.headers.get('retry-after'))).toBe(60);
    // Enrolment and the first resend count: three more make five.
    for (let i = 0; i < 3; i++) {
      server.clock.advance(61_000);
      expect((await resend()).status).toBe(200);
    }
    server.clock.advance(61_000);
    expect((await resend()).error?.code).toBe('RESEND_WAIT');
  });

  it('[VER-15] [API-20] the sent code switches the factor off', async () => {
    server.clock.advance(3_600_000);
    const { token } = await withMessage('nora');
    await server.call(auth.resend, { body: {} }, { token });
    expect(
      (await server.call(auth.remove, { body: { authToken: sentCode(), password: PASSWORD } }, { token })).status,
    ).toBe(200);
    expect((await server.call(auth.resend, { body: {} }, { token })).error?.code).toBe('AUTHENTICATOR_NOT_SET');
  });
});

describe('a changed secret of the site', () => {
  it('leaves authenticators alone; they are sealed anew, and the old secret is needed no more', async () => {
    const [old, now] = [randomBytes(32), randomBytes(32)];
    const site = await makeServer({ FAIRGAME_SECRET: `${now.toString('hex')},${old.toString('hex')}` });
    try {
      const { userId } = await site.player('rosa');
      const secret = await site.app.auth.enrolApp(userId);
      const sealedBefore = createKeyring([old]).seal(`user:${userId}`, secret);
      await site.app.db.query('UPDATE users SET totp_secret = $2 WHERE id = $1', [userId, sealedBefore]);
      const signIn = async () => {
        site.clock.advance(60_000);
        const body = { userName: 'rosa', password: PASSWORD };
        const { data } = await site.call(auth.login, { body });
        const authToken = appCode(secret, Math.floor(site.clock.now / 30_000));
        return (await site.call(auth.verify, { body: { authToken } }, { token: data.token })).status;
      };
      expect(await signIn()).toBe(200);
      await site.app.auth.tick();
      const [row] = await site.app.db.query<{ totp_secret: string }>('SELECT totp_secret FROM users WHERE id = $1', [
        userId,
      ]);
      expect(createKeyring([now]).open(`user:${userId}`, row!.totp_secret)).toBe(secret);
      expect(await signIn()).toBe(200);
    } finally {
      await site.close();
    }
  });
});
