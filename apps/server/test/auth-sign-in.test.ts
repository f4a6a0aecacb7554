import { CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeServer, PASSWORD, type TestServer } from './server.ts';

const { auth } = CALLS;
let server: TestServer;
beforeAll(async () => {
  server = await makeServer();
});
afterAll(() => server.close());

describe('signing in', () => {
  it('[AUT-01] [API-12] [OPN-21] answers token, userId and authenticatorType', async () => {
    const { userId } = await server.player('anna');
    const told = await server.call(auth.login, { body: { userName: ' Anna ', password: PASSWORD } });
    expect(told.status).toBe(200);
    expect(told.data).toMatchObject({
      userId,
      authenticatorType: 0,
      forceChangePassword: false,
      isAuthenticator: true,
    });
    expect(told.data.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});
