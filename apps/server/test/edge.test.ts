import { connect, type Socket } from 'node:net';
import { allCalls, CALLS, OPERATOR_CALLS } from '@fairgame/contract';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { type Config, loadConfig } from '../src/config.ts';
import { type Db, silent } from '../src/db/db.ts';
import { addressSet, networkOf } from '../src/http/address.ts';
import { createEnding } from '../src/http/ending.ts';
import { createListener } from '../src/http/listener.ts';
import type { ListenerOptions } from '../src/http/options.ts';
import { Pace, paceOf } from '../src/http/pace.ts';
import { createPauses } from '../src/http/pauses.ts';
import { acceptsGzip, SharedAnswers } from '../src/http/shared.ts';
import { loopWindows, openHealthDoor } from '../src/ops/health.ts';
import { createMetrics } from '../src/ops/ops.ts';
import { makeServer, type TestServer } from './server.ts';
import { makeSite } from './site.ts';

const { auth, account, catalog } = CALLS;
const operator = OPERATOR_CALLS;
const open: Array<{ close(): Promise<unknown> }> = [];
const kept = <T extends { close(): Promise<unknown> }>(one: T): T => {
  open.push(one);
  return one;
};
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

describe('addresses', () => {
  it('[SEC-Z10] an IPv6 address counts as its /64 and its /48, however it is written', () => {
    const near = '2001:db8:0:1::/64';
    for (const address of [
      '2001:db8:0:1::1',
      '2001:0DB8:0000:0001:ffff:0:0:9',
      '2001:db8:0:1:2:3:4:5',
      '2001:db8::1:0:0:192.0.2.7',
    ]) {
      expect(networkOf(address)).toEqual({ near, wide: '2001:db8:0::/48' });
    }
    expect(networkOf('2001:db8:0:2::1')).toEqual({ near: '2001:db8:0:2::/64', wide: '2001:db8:0::/48' });
    expect(networkOf('fe80::1%eth0')).toEqual(networkOf('fe80::2'));
    expect(networkOf('::1').near).toBe('0:0:0:0::/64');
    expect(networkOf('::ffff:10.0.0.9')).toEqual({ near: '10.0.0.9', wide: null });
    expect(networkOf('unknown')).toEqual({ near: 'unknown', wide: null });
  });

  it('[SEC-Z9] trusted ones are those of the list', () => {
    const trusts = addressSet(['10.1.0.0/16', '192.0.2.7', 'fd00::/8']);
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', 'fd12::1']) expect(trusts(address)).toBe(true);
    for (const address of ['10.2.0.1', '192.0.2.8', '2001:db8::1', '', 'x']) expect(trusts(address)).toBe(false);
  });
});

describe('pace', () => {
  it('[SEC-Z10] a file costs what forty readings cost, whichever call sends it', () => {
    const files = allCalls().filter((call) => call.file);
    expect(files.length).toBeGreaterThan(5);
    for (const call of files) expect([call.name, paceOf(call)]).toEqual([call.name, { kind: 'read', cost: 40 }]);
  });

  it('[SEC-Z10] fills by the second and takes what a call costs', () => {
    let now = 1_000_000;
    const pace = new Pace(1, () => now);
    const reads = (times: number, cost?: number) =>
      Array.from({ length: times }, () => pace.take('read', '10.0.0.1', 7, cost)).filter((wait) => wait === 0).length;
    expect(reads(200)).toBe(120);
    now += 1000;
    expect(reads(200)).toBe(60);
    now += 2000;
    expect(reads(200, 10)).toBe(12);
    // A wait that was told is long enough.
    const wait = pace.take('read', '10.0.0.1', 7, 10);
    expect(wait).toBe(1);
    now += wait * 1000;
    expect(pace.take('read', '10.0.0.1', 7, 10)).toBe(0);
  });

  it('[SEC-Z10] addresses of one /64 share its bucket, those of one /48 a wider one', () => {
    const pace = new Pace(1, () => 0);
    const taken = (address: (i: number) => string) =>
      Array.from({ length: 3000 }, (_, i) => pace.take('search', address(i), undefined)).filter((w) => w === 0).length;
    expect(taken((i) => `2001:db8:1:1::${i.toString(16)}`)).toBe(50);
    expect(taken((i) => `2001:db8:2:${i.toString(16)}::1`)).toBe(200);
  });

  it('demo visits are bounded by address and in all', () => {
    let now = 0;
    const pace = new Pace(1, () => now);
    const taken = (address: (i: number) => string) =>
      Array.from({ length: 2000 }, (_, i) => pace.take('demo', address(i), undefined)).filter((w) => w === 0).length;
    expect(taken(() => '10.0.0.1')).toBe(10);
    expect(taken((i) => `10.1.${i >> 8}.${i & 255}`)).toBe(290);
    now = 600_000;
    expect(taken((i) => `10.2.${i >> 8}.${i & 255}`)).toBe(60);
  });

  it('a flood of new names pushes out the one longest silent, and accounts and addresses are apart', () => {
    let now = 0;
    const pace = new Pace(1, () => now);
    const waits = (userId: number, ip = '10.9.9.9') => pace.take('bet', ip, userId);
    for (let i = 0; i < 20; i++) expect(waits(1)).toBe(0);
    expect(waits(1)).toBeGreaterThan(0);
    // More addresses than are kept, in between the spent account asks again.
    for (let i = 0; i < 120_000; i++) pace.take('read', `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, undefined);
    expect(pace.sizes().addresses).toBe(100_000);
    expect(pace.sizes().accounts).toBe(1);
    expect(waits(1, '10.8.8.8')).toBeGreaterThan(0);
    // Within addresses the oldest went: the newest still knows what it took.
    const last = `10.${119_999 >> 16}.${(119_999 >> 8) & 255}.${119_999 & 255}`;
    for (let i = 0; i < 599; i++) expect(pace.take('read', last, undefined)).toBe(0);
    expect(pace.take('read', last, undefined)).toBeGreaterThan(0);
    now = 120_000;
    pace.sweep();
    expect(pace.sizes()).toEqual({ accounts: 0, addresses: 0 });
  });
});

describe('connections', () => {
  const listening = async (change: Partial<ListenerOptions>, env: Record<string, string> = {}) => {
    const app: FastifyInstance = createListener({
      config: loadConfig({
        FAIRGAME_DATA: '/nonexistent-fairgame',
        FAIRGAME_SECRET: SECRET,
        FAIRGAME_OPERATOR_PASSWORD: 'a long enough one',
        ...env,
      }),
      log: silent,
      clock: Date.now,
      pace: new Pace(0, Date.now),
      ending: createEnding(),
      pauses: createPauses(),
      ...change,
    });
    app.get('/slow', (_req, reply) => reply.send('x'.repeat(8_000_000)));
    await app.listen({ host: '127.0.0.1', port: 0 });
    return kept(app);
  };
  const dial = (app: FastifyInstance, text = ''): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(
        { port: (app.server.address() as { port: number }).port, host: '127.0.0.1', allowHalfOpen: true },
        () => {
          if (text) socket.write(text);
          resolve(socket);
        },
      );
      socket.on('error', () => undefined);
    });
  /** Resolves when the other side is done with the connection, however: what was heard until then. */
  const ended = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      let heard = '';
      socket.on('data', (chunk: Buffer) => {
        heard += chunk.toString();
      });
      socket.on('end', () => resolve(heard));
      socket.on('close', () => resolve(heard));
    });
  const held = (app: FastifyInstance): Promise<number> =>
    new Promise((resolve, reject) =>
      app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );

  it('half-open, silent and slow requests end, and so do their sockets', async () => {
    const app = await listening({ patience: { headersMs: 200, requestMs: 400, checkMs: 50, silentMs: 600 } });
    const callers = await Promise.all([
      dial(app),
      dial(app, 'GET / HTTP/1.1\r\nHost: x\r\n'),
      dial(app, 'nonsense\r\n\r\n'),
      dial(
        app,
        'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      ),
    ]);
    // Callers never close their own half: the server must not wait for it.
    const heard = await Promise.all(callers.map(ended));
    // Whoever never said a word hears none: a browser that opened a socket in advance took them for its answer.
    expect(heard.map((text) => text.slice(0, 12))).toEqual(['', 'HTTP/1.1 408', 'HTTP/1.1 400', 'HTTP/1.1 408']);
    await expect.poll(() => held(app), { timeout: 5000 }).toBe(0);
    // Nor for a reader that asks for much and reads nothing.
    const lazy = await dial(app, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    lazy.pause();
    await expect.poll(() => held(app), { timeout: 5000 }).toBe(1);
    await expect.poll(() => held(app), { timeout: 5000 }).toBe(0);
    for (const caller of [...callers, lazy]) caller.destroy();
  });

  it('a request that says twice where it goes or who sends it is none: whoever stands before might read the other', async () => {
    const app = await listening({});
    const asked = async (more: string) => {
      const socket = await dial(app, `GET /none HTTP/1.1\r\nConnection: close\r\nHost: a\r\n${more}\r\n`);
      const heard = await ended(socket);
      socket.destroy();
      return heard.slice(0, 12);
    };
    expect(await asked('')).toBe('HTTP/1.1 404');
    expect(await asked('Authorization: Bearer one\r\n')).toBe('HTTP/1.1 404');
    expect(await asked('hOST: b\r\n')).toBe('HTTP/1.1 400');
    expect(await asked('Authorization: Bearer one\r\nauthorization: Bearer two\r\n')).toBe('HTTP/1.1 400');
  });

  it('of one address are bounded, and so are all; a trusted proxy speaks for many', async () => {
    const most = { FAIRGAME_CONNECTIONS: '12', FAIRGAME_CONNECTIONS_PER_ADDRESS: '5' };
    const app = await listening({}, most);
    const callers = await Promise.all(Array.from({ length: 9 }, () => dial(app)));
    await Promise.race([Promise.all(callers.slice(5).map(ended)), Promise.all(callers.map(ended))]);
    await expect.poll(() => held(app)).toBe(5);
    callers[0]!.destroy();
    await expect.poll(() => held(app)).toBe(4);
    const next = await dial(app, 'GET / HTTP/1.0\r\n\r\n');
    expect(await ended(next)).toMatch(/^HTTP\/1\.1 /);
    for (const caller of callers) caller.destroy();

    const behind = await listening({}, { ...most, FAIRGAME_TRUST_PROXY: '127.0.0.1' });
    const many = await Promise.all(Array.from({ length: 20 }, () => dial(behind)));
    await expect.poll(() => held(behind)).toBe(12);
    for (const caller of many) caller.destroy();
  });
});
const SECRET = '8f1d2c3b4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff0';

/** Whether so many requests are too many. */
async function until429(server: TestServer, path: string, init: RequestInit, most: number): Promise<boolean> {
  for (let sent = 0; sent < most; sent += 50) {
    const all = await Promise.all(Array.from({ length: 50 }, async () => (await server.fetch(path, init)).status));
    if (all.includes(429)) return true;
  }
  return false;
}

describe('answers for many', () => {
  it('are made once, compressed once, and 304 when nothing changed', async () => {
    const site = kept(await makeSite({ FAIRGAME_LIMIT_FACTOR: '1' }));
    const [anna, ben] = [await site.player('anna'), await site.player('ben')];
    const list = (token: string, headers: Record<string, string> = {}) =>
      site.fetch('/api/match/list', { headers: { authorization: `Bearer ${token}`, ...headers } });
    const [one, two] = await Promise.all([list(anna.token), list(ben.token)]);
    expect(one.headers.get('content-encoding')).toBe('gzip');
    expect(one.headers.get('cache-control')).toBe('no-store');
    expect(two.headers.get('etag')).toBe(one.headers.get('etag'));
    expect(await two.text()).toBe(await one.text());
    const again = await list(anna.token, { 'if-none-match': one.headers.get('etag')! });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const plain = await list(anna.token, { 'accept-encoding': 'identity' });
    expect([plain.headers.get('content-encoding'), plain.headers.get('etag')]).toEqual([
      null,
      one.headers.get('etag')!.replace('-gz', ''),
    ]);
    // Another question has another answer, a stranger has none.
    const cricket = await site.fetch('/api/match/list?match.matchType=cricket', {
      headers: { authorization: `Bearer ${anna.token}` },
    });
    expect(cricket.headers.get('etag')).not.toBe(one.headers.get('etag'));
    expect((await list('x'.repeat(43), { 'if-none-match': one.headers.get('etag')! })).status).toBe(401);
    const demo = (await site.call(auth.demo)).data;
    const theirs = await site.call(catalog.list, {}, { token: demo.token });
    expect(theirs.data.matches.length).toBeGreaterThan(3);
  });

  it('wait for one work, are kept for a moment, and a failure is nobody else’s answer', async () => {
    const answers = new SharedAnswers(60_000);
    let made = 0;
    const make = () => {
      made += 1;
      return Promise.resolve(`{"n":${made}}`);
    };
    const all = await Promise.all(Array.from({ length: 5 }, () => answers.get('list', make)));
    expect(new Set(all.map(({ text }) => text))).toEqual(new Set(['{"n":1}']));
    await expect(answers.get('other', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect((await answers.get('other', make)).text).toBe('{"n":2}');
    // Names made up by callers cannot fill the memory.
    for (let i = 0; i < 400; i++) await answers.get(`made up ${i}`, make);
    expect((await answers.get('list', make)).text).not.toBe('{"n":1}');
    expect(await new SharedAnswers(0).get('list', make)).not.toBe(await new SharedAnswers(0).get('list', make));
  });

  it('go out compressed to those who can read it', () => {
    for (const header of ['gzip', 'br, gzip', 'gzip;q=0.5', '*', 'deflate,gzip , br'])
      expect(acceptsGzip(header)).toBe(true);
    for (const header of [undefined, '', 'br', 'gzip;q=0', 'gzip; q=0.0', 'xgzip'])
      expect(acceptsGzip(header)).toBe(false);
  });

  it('documents cost nothing the second time, and are held to a pace', async () => {
    const server = kept(await makeServer({ FAIRGAME_LIMIT_FACTOR: '1' }));
    const first = await server.fetch('/api/docs/openapi.json');
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const etag = first.headers.get('etag')!;
    expect((await server.fetch('/api/docs/openapi.json', { headers: { 'if-none-match': etag } })).status).toBe(304);
    for (const path of ['/api/docs', '/frame/frame.js', '/frame/data/1']) {
      expect([path, await until429(server, path, {}, 250)]).toEqual([path, true]);
      server.clock.advance(60_000);
    }
  });

  it('a sandboxed picture can read every answer to it, refusals before its route too', async () => {
    const server = kept(await makeServer({ FAIRGAME_LIMIT_FACTOR: '1' }));
    const readable = async (path: string) => (await server.fetch(path)).headers.get('access-control-allow-origin');
    expect(await readable('/frame/nothing')).toBe('*');
    expect(await until429(server, '/frame/data/1', {}, 250)).toBe(true);
    expect(await readable('/frame/data/1')).toBe('*');
    expect(await readable('/api/user/profile')).toBeNull();
    expect(await readable('/')).toBeNull();
  });
});

describe('refused calls', () => {
  it('[SEC-Z10] are paced by address and by account, whatever was wrong with them', async () => {
    const server = kept(await makeServer({ FAIRGAME_LIMIT_FACTOR: '1' }));
    const { token } = await server.player('anna');
    const strange = { headers: { authorization: `Bearer ${'x'.repeat(43)}` } };
    for (const [path, init] of [
      ['/api/user/profile', strange],
      ['/api/nothing', {}],
      ['/api/auth/login', { method: 'PUT' }],
      ['/wp-login.php', {}],
    ] as const) {
      expect([path, await until429(server, path, init, 700)]).toEqual([path, true]);
      server.clock.advance(120_000);
    }
    // One account with bad input stops itself and nobody else.
    const signedIn = { authorization: `Bearer ${token}` };
    expect(await until429(server, '/api/button?type=Nothing', { headers: signedIn }, 250)).toBe(true);
    expect((await server.fetch('/api/nothing')).status).toBe(404);
  });
});

describe('the operators’ own listener', () => {
  it('[SEC-C3] has their calls, documents and metrics, and the players’ port has none of them', async () => {
    const server: TestServer = kept(await makeServer({ OPERATOR_PORT: '0', FAIRGAME_METRICS_TOKEN: 'm'.repeat(40) }));
    const inside = server.app.http.insideAddress();
    expect(new URL(inside).hostname).toBe('127.0.0.1');
    expect(inside).not.toBe(server.url);
    const token = await server.operator();
    const authorization = `Bearer ${token}`;
    for (const path of ['/api/operator/audit', '/api/docs', '/api/docs/openapi.json', '/metrics']) {
      expect([path, (await server.fetch(path, { headers: { authorization } })).status]).toEqual([path, 404]);
      expect([path, (await fetch(inside + path, { headers: { authorization } })).status]).toEqual([path, 200]);
    }
    const body = JSON.stringify({ userName: 'chief', password: 'x' });
    const headers = { 'content-type': 'application/json' };
    expect((await server.fetch('/api/operator/login', { method: 'POST', headers, body })).status).toBe(404);
    expect((await server.call(operator.login, { body: { userName: 'chief', password: 'x' } })).status).toBe(400);
    // Players are not served where operators are, and both say how they are.
    const { token: player } = await server.player('anna');
    const profile = `/api${account.profile.path}`;
    expect((await fetch(inside + profile, { headers: { authorization: `Bearer ${player}` } })).status).toBe(404);
    expect((await fetch(`${inside}/`)).status).toBe(404);
    for (const base of [server.url, inside]) expect((await fetch(`${base}/readyz`)).status).toBe(200);
  });

  it('is asked from its own machine without TLS, by the operator’s line; by nobody else', async () => {
    const live = { FAIRGAME_ORIGIN: 'https://play.example', FAIRGAME_TRUST_PROXY: '127.0.0.1' };
    const server = kept(await makeServer({ ...live, OPERATOR_PORT: '0' }));
    const to = '/api/operator/audit';
    const ask = async (base: string, headers = {}) => (await fetch(base + to, { redirect: 'manual', headers })).status;
    const inside = server.app.http.insideAddress();
    expect(await ask(inside)).toBe(401);
    expect(await ask(inside, { 'x-forwarded-for': '203.0.113.9' })).toBe(308);
    expect(await ask(inside, { 'x-forwarded-proto': 'http' })).toBe(308);
    expect(await ask(server.url)).toBe(308);
  });

  it('[SEC-C3] metrics from elsewhere need the token', async () => {
    const server = kept(
      await makeServer({ FAIRGAME_METRICS_TOKEN: 'm'.repeat(40), FAIRGAME_TRUST_PROXY: '127.0.0.1' }),
    );
    const from = (headers: Record<string, string>) =>
      server.fetch('/metrics', { headers: { 'x-forwarded-for': '203.0.113.9', ...headers } });
    expect((await from({})).status).toBe(404);
    expect((await from({ authorization: `Bearer ${'n'.repeat(40)}` })).status).toBe(404);
    expect((await from({ authorization: `Bearer ${'m'.repeat(40)}` })).status).toBe(200);
  });
});

describe('liveness', () => {
  it('ends with three bad windows in a row, not with one', () => {
    const windows = loopWindows();
    const after = (...worst: number[]) => {
      for (const ms of worst) windows.ended(ms);
      return windows.alive();
    };
    expect(after(30, 9000, 2500)).toBe(true);
    expect(after(10, 3000, 3000)).toBe(true);
    expect(after(3000)).toBe(false);
    expect(windows.worstMs()).toBe(3000);
    expect(after(50)).toBe(true);
  });

  it('a process that stands by says so on its own port; balancers send players there only where it serves none', async () => {
    let healthy = true;
    const answers = async (roles: Config['roles'], path: string) => {
      const config = { ...loadConfig({ FAIRGAME_LOG: 'silent', PORT: '0' }), roles };
      const door = kept(openHealthDoor({ db: { healthy: () => healthy } as Db, metrics: createMetrics(), config }));
      const told = await fetch(`${await door.listen()}${path}`);
      return [told.status, await told.text()] as const;
    };
    expect(await answers(['core'], '/livez')).toEqual([200, '{"alive":true}']);
    expect(await answers(['core'], '/readyz')).toMatchObject([200, expect.stringContaining('"standingBy":true')]);
    expect((await answers(['core', 'gateway'], '/readyz'))[0]).toBe(503);
    expect(await answers(['core'], '/metrics')).toMatchObject([200, expect.stringContaining('process_cpu')]);
    expect((await answers(['core'], '/api/user/profile'))[0]).toBe(404);
    healthy = false;
    expect((await answers(['core'], '/readyz'))[0]).toBe(503);
  });
});
