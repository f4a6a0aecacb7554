/** The orderly end of a server: nobody is cut off at once, everybody is told, and clients come back to the next one. */
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLS, DEADLINE_HEADER, RECONNECT } from '@fairgame/contract';
import { io, type Socket } from 'socket.io-client';
import { afterAll, describe, expect, it } from 'vitest';
import { type App, createApp, createLog } from '../src/app.ts';
import { type Config, loadConfig } from '../src/config.ts';
import { endInOrder } from '../src/ops/ops.ts';
import { makeEmbedded } from './fixture.ts';
import { freePort } from './program.ts';
import { newKey, PASSWORD } from './server.ts';
import { IDS, makeSite, prices, type Site } from './site.ts';

const folder = mkdtempSync(join(tmpdir(), 'fairgame-drain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Running {
  app: App;
  config: Config;
  url: string;
}

async function start(port: number, databaseDir: string): Promise<Running> {
  const config = loadConfig({
    FAIRGAME_DATA: folder,
    FAIRGAME_FEED: 'none',
    FAIRGAME_LIMIT_FACTOR: '0',
    FAIRGAME_SOCKETS_PER_ADDRESS: '200',
    FAIRGAME_SOCKETS_PER_ACCOUNT: '200',
    FAIRGAME_DRAIN_WAIT_MS: '600',
    PORT: String(port),
  });
  const app = await createApp({ config, log: createLog(config, { write: () => {} }), databaseDir });
  return { app, config, url: await app.http.listen() };
}

const end = ({ app, config }: Running, beforeClose: () => Promise<void> = () => Promise.resolve()): Promise<void> =>
  endInOrder({
    config,
    http: app.http,
    sendAway: (afterMs) => app.live.sendAway(afterMs),
    async close() {
      await beforeClose();
      await app.close();
    },
  });

/** A socket of a browser that does nothing by itself but what the library does. */
function connect(url: string, token: string): { socket: Socket; told: string[] } {
  const socket = io(`${url}/`, {
    ...RECONNECT,
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
    auth: { token },
    forceNew: true,
    transports: ['websocket'],
  });
  const told: string[] = [];
  socket.on('connect', () => told.push('connect'));
  socket.on('disconnect', (reason) => told.push(reason));
  socket.on('reconnectSoon', ({ afterMs }: { afterMs: number }) =>
    told.push(`soon ${afterMs >= 600 && afterMs <= 600 + 10_000}`),
  );
  return { socket, told };
}

describe('the end of a server', () => {
  it('[FLT-19] tells the sockets to move, serves while the balancer looks away, answers what is under way, and its clients are back on the next server', async () => {
    const { dir, remove } = await makeEmbedded();
    const port = await freePort();
    const first = await start(port, dir);
    await first.app.auth.createPlayer({
      userName: 'anna',
      password: PASSWORD,
      creditMinor: 1000,
      forceChangePassword: false,
      actor: 'test',
    });
    const login = await fetch(`${first.url}/api${CALLS.auth.login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userName: 'anna', password: PASSWORD }),
    });
    const { token } = ((await login.json()) as { data: { token: string } }).data;
    const profile = () =>
      fetch(`${first.url}/api${CALLS.account.profile.path}`, { headers: { authorization: `Bearer ${token}` } });
    const clients = Array.from({ length: 20 }, () => connect(first.url, token));
    await expect.poll(() => clients.every(({ told }) => told.includes('connect')), { timeout: 10_000 }).toBe(true);

    let closing = false;
    const refusals: unknown[] = [];
    const ended = end(first, async () => {
      closing = true;
      const answer = await profile();
      refusals.push(answer.status, ((await answer.json()) as { code: string }).code, answer.headers.get('retry-after'));
    });
    expect((await fetch(`${first.url}/readyz`)).status).toBe(503);
    await expect.poll(() => clients.every(({ told }) => told[1] === 'soon true')).toBe(true);
    // Nothing is cut: calls are served, sockets are up, and only new ones are sent elsewhere.
    const served = await profile();
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
    expect(closing).toBe(false);
    expect(clients.every(({ socket }) => socket.connected)).toBe(true);
    const late = connect(first.url, token);
    await new Promise<void>((resolve) => late.socket.once('connect_error', () => resolve()));
    await ended;
    expect(refusals).toEqual([503, 'UNAVAILABLE', '5']);

    const second = await start(port, dir);
    await expect.poll(() => [...clients, late].every(({ socket }) => socket.connected), { timeout: 20_000 }).toBe(true);
    for (const { told } of clients) {
      expect(told).not.toContain('io server disconnect');
      expect(told.slice(0, 4)).toEqual(['connect', 'soon true', 'transport close', 'connect']);
    }
    for (const { socket } of [...clients, late]) socket.disconnect();
    await end(second);
    await remove();
  }, 120_000);
});

describe('an act that waited too long', () => {
  let site: Site;
  afterAll(() => site.close());

  it('is refused and nothing is taken: its asker set an end, or the process stood still', async () => {
    site = await makeSite();
    const { token } = await site.player();
    await site.feed(prices(IDS.football.odds, [IDS.football.home, 200, 204]));
    const body = () => ({
      key: newKey(),
      betId: IDS.football.odds,
      matchId: IDS.football.event,
      runnerId: IDS.football.home,
      bettingType: 'BACK' as const,
      odd: 200,
      stake: 1000,
    });
    const place = (deadline?: string, bet = body()) =>
      site.call(
        CALLS.bets.place,
        { body: bet },
        { token, ...(deadline ? { headers: { [DEADLINE_HEADER]: deadline } } : {}) },
      );
    expect((await place(String(site.clock() + 1000))).status).toBe(200);
    const past = body();
    const refused = await place(String(site.clock()), past);
    expect([refused.status, refused.error?.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'UNAVAILABLE',
      '1',
    ]);
    expect(refused.error?.message).toMatch(/waited too long.*Nothing was taken/);
    const fate = await site.call(CALLS.bets.settleKey, { body: { key: past.key } }, { token });
    expect(fate.error?.code).toBe('KEY_UNKNOWN');
    expect((await place('soon')).error).toMatchObject({ code: 'BAD_INPUT', field: DEADLINE_HEADER });
    // A reading is never too old to be asked.
    expect((await site.call(CALLS.account.profile, {}, { token, headers: { [DEADLINE_HEADER]: '1' } })).status).toBe(
      200,
    );

    // Sent, and then nothing turns for over five seconds: how old it is when it is read, nobody can say.
    const text = JSON.stringify(body());
    const { hostname, port } = new URL(site.url);
    const raw = net.connect(Number(port), hostname);
    await new Promise((resolve) => raw.once('connect', resolve));
    let answer = '';
    raw.on('data', (chunk) => {
      answer += String(chunk);
    });
    await new Promise((resolve) =>
      raw.write(
        `POST /api${CALLS.bets.place.path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
        resolve,
      ),
    );
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5300);
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*waited too long/);
    raw.destroy();
    await expect.poll(async () => (await place()).status, { timeout: 5000 }).toBe(200);
    const { data } = await site.call(CALLS.bets.list, { query: {} }, { token });
    expect(data.total).toBe(2);
  }, 60_000);
});
