import { CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeServer, PASSWORD, type TestServer } from './server.ts';

const { auth, account } = CALLS;
const MINUTE = 60_000;
const NEW = 'slow-river-otters-12';
let server: TestServer;
beforeAll(async () => {
  server = await makeServer();
});
afterAll(() => server?.close());

const login = (userName: string, password = PASSWORD) => server.call(auth.login, { body: { userName, password } });
const ask = (userName: string) => server.call(auth.forgot, { body: { userName } });
const reset = (userName: string, code: string, newPassword = NEW) =>
  server.call(auth.reset, { body: { userName, code, newPassword } });

async function codeSentTo(userName: string): Promise<string> {
  const before = server.messages.length;
  expect((await ask(userName)).status).toBe(200);
  await expect.poll(() => server.messages.length).toBe(before + 1);
  return /\b([A-Z2-9]{5}-[A-Z2-9]{5})\b/.exec(server.messages.at(-1)!.text)![1]!;
}

describe('a forgotten password', () => {
  it('is set anew with the code of the mailbox: sessions and locks end, the owner is told', async () => {
    const { token, userId } = await server.player('anna');
    await server.app.db.query(
      "UPDATE users SET failed_count = 100, failed_at = $2, email = 'anna@example.org' WHERE id = $1",
      [userId, server.clock()],
    );
    await server.app.db.query('DELETE FROM known_networks');
    expect((await login('anna')).error?.code).toBe('ACCOUNT_LOCKED');
    const code = await codeSentTo(' Anna ');
    expect((await reset('anna', code, 'short')).error).toMatchObject({ code: 'PASSWORD_SHORT', field: 'newPassword' });
    expect((await reset('anna', code, 'password123password')).error?.code).toBe('PASSWORD_COMMON');
    expect((await reset('anna', code)).status).toBe(200);
    expect(server.messages.at(-1)!.subject).toBe('New password');
    expect((await server.call(account.profile, {}, { token })).status).toBe(401);
    expect((await login('anna')).error?.code).toBe('LOGIN_FAILED');
    expect((await login('anna', NEW)).status).toBe(200);
    expect((await reset('anna', code, 'another-river-otter-3')).error?.code).toBe('CODE_WRONG');
    expect(server.logText()).not.toContain(code);
  });

  it('ends what a player has elsewhere, also where he is signed in nowhere: programs, and browsers that were to outlast a session', async () => {
    const { token, userId } = await server.player('ella');
    await server.call(auth.logout, {}, { token });
    await server.app.db.query(
      `INSERT INTO push_places (endpoint, user_id, session_id, keep, p256dh, auth, created_at)
       VALUES ('https://push.example/ella', $1, 'gone', true, 'p', 'a', $2)`,
      [userId, server.clock()],
    );
    const out: Array<number | undefined> = [];
    server.app.auth.onThrownOut(async (id) => void out.push(id));
    expect((await reset('ella', await codeSentTo('ella'))).status).toBe(200);
    expect(out).toEqual([userId]);
    expect(await server.app.db.query('SELECT 1 FROM push_places WHERE user_id = $1', [userId])).toEqual([]);
  });

  it('[SEC-A6] nothing tells which names exist', async () => {
    await server.player('bert');
    const before = server.messages.length;
    const [known, unknown, operator] = [await ask('bert'), await ask('nobody-here'), await ask('chief')];
    for (const told of [unknown, operator]) expect([told.status, told.message]).toEqual([known.status, known.message]);
    await expect.poll(() => server.messages.length).toBe(before + 1);
    const [wrong, none] = [await reset('bert', 'ABCDE-FGHJK'), await reset('nobody-here', 'ABCDE-FGHJK')];
    expect({ ...none.error, requestId: '' }).toEqual({ ...wrong.error, requestId: '' });
  });

  it('a code dies after a quarter of an hour, goes out once a minute, and wrong ones climb the ladder', async () => {
    await server.player('carl');
    const first = await codeSentTo('carl');
    await server.player('dora');
    const sent = server.messages.length;
    await ask('carl');
    // A message goes out after the answer: that of somebody who asked later has come, and none of his.
    await codeSentTo('dora');
    server.clock.advance(15 * MINUTE);
    expect((await reset('carl', first)).error?.code).toBe('CODE_WRONG');
    expect(server.messages.length).toBe(sent + 1);
    const second = await codeSentTo('carl');
    for (let i = 0; i < 4; i++) expect((await reset('carl', first)).error?.code).toBe('CODE_WRONG');
    expect((await reset('carl', second)).error).toMatchObject({ statusCode: 429, code: 'LOGIN_WAIT' });
    // It is a ladder of its own: the password still works.
    expect((await login('carl')).status).toBe(200);
  });
});
