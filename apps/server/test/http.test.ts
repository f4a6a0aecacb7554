import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allCalls, CALLS, ERRORS, jsonSchema, SEEN_HEADER, SOCKETS } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DbLost } from '../src/db/db.ts';
import { checkReply } from '../src/http/check-reply.ts';
import { apiMarkdown, socketsMarkdown } from '../src/http/docs.ts';
import { makeServer, type TestServer } from './server.ts';

const { auth, account, bets } = CALLS;
/** Names of fields that hold money, odds or a count of runs. */
const FIGURE =
  /minor|balance|exposure|amount|stake|profit|odd|price|^back$|^lay$|line$|factor|bps|^win$|^lose$|paid|loss|credit|debit|gross|commission/i;
const root = mkdtempSync(join(tmpdir(), 'fairgame-root-'));
const web = join(root, 'apps', 'web', 'dist');
mkdirSync(join(web, 'assets'), { recursive: true });
writeFileSync(join(web, 'index.html'), '<!doctype html><title>fairGame</title>');
writeFileSync(join(web, 'assets', 'main-abc123.js'), `export const text = '${'x'.repeat(5000)}';`);
writeFileSync(join(web, 'assets', 'main-abc123.js.map'), '{}');
mkdirSync(join(web, '.vite'));
writeFileSync(join(web, '.vite', 'manifest.json'), '{}');
writeFileSync(join(web, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await makeServer({ FAIRGAME_ROOT: root, FAIRGAME_STREAM_HOST: 'https://video.example' });
  token = (await server.player('anna')).token;
});
afterAll(async () => {
  await server?.close();
  rmSync(root, { recursive: true });
});

const pathOf = (path: string) => `/api${path.replace(/:[A-Za-z]+/g, '7')}`;
const json = { 'content-type': 'application/json' };
const post = (path: string, body: string, headers: Record<string, string> = json) =>
  server.fetch(path, { method: 'POST', body, headers: { authorization: `Bearer ${token}`, ...headers } });
const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code;

// What the system allows is known on Linux alone.
it.skipIf(process.platform !== 'linux')(
  'many connections of one moment wait inside while the server is at work',
  () => {
    const { port, hostname } = new URL(server.url);
    const most = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
    const count = Math.min(1000, most);
    // This process does nothing meanwhile. Those that do not fit would be tried again after a second.
    const program = `
    let open = 0;
    const end = () => { console.log(open); process.exit(); };
    setTimeout(end, 5000).unref();
    for (let i = 0; i < ${count}; i++)
      require('node:net').connect(${port}, '${hostname}', () => { if (++open === ${count}) end(); });`;
    expect(spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' }).stdout.trim()).toBe(String(count));
  },
);

describe('calls', () => {
  it('[API-49] every call of the contract is served', async () => {
    for (const call of allCalls()) {
      for (const path of [call.path, ...(call.aliases ?? [])]) {
        const response = await server.fetch(pathOf(path), { method: call.method, headers: json });
        expect([call.name, (await response.json()) as object]).not.toEqual([
          call.name,
          expect.objectContaining({ code: 'NOT_FOUND' }),
        ]);
      }
    }
  });

  it('[API-10] [ERR-09] another method answers 404 or 405', async () => {
    const paths = new Map<string, Set<string>>();
    for (const call of allCalls()) {
      const methods = (paths.get(call.path) ?? new Set<string>()).add(call.method);
      paths.set(call.path, call.alsoPost ? methods.add('POST') : methods);
    }
    for (const [path, methods] of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        if (methods.has(method)) continue;
        const response = await server.fetch(pathOf(path), { method, headers: { authorization: `Bearer ${token}` } });
        const told = (await response.json()) as { statusCode: number; code: string; message: string };
        // It may be the address of another call of that method, by a parameter: then its own checks refuse.
        const other = allCalls().some(
          (call) =>
            (call.method === method || (call.alsoPost && method === 'POST')) &&
            new RegExp(`^/api${call.path.replace(/:\w+/g, '[^/]+')}$`).test(pathOf(path)),
        );
        expect([path, method, response.status]).toEqual([
          path,
          method,
          expect.toSatisfy((status: number) => (other ? status >= 400 && status < 500 : [404, 405].includes(status))),
        ]);
        expect(told.message).toBeTruthy();
      }
    }
    const wrong = await server.fetch('/api/auth/login', { method: 'PUT', headers: json, body: '{}' });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('POST');
    expect(await codeOf(wrong)).toBe('METHOD_NOT_ALLOWED');
  });

  it('[API-11] a signed-in call without a token, or with a wrong one, answers 401', async () => {
    for (const call of allCalls().filter((one) => one.who !== 'public')) {
      const without = await server.fetch(pathOf(call.path), { method: call.method, headers: json });
      expect([call.name, without.status, await codeOf(without)]).toEqual([call.name, 401, 'NOT_SIGNED_IN']);
      const wrong = await server.fetch(pathOf(call.path), {
        method: call.method,
        headers: { ...json, authorization: `Bearer ${'x'.repeat(43)}` },
      });
      expect([call.name, wrong.status, await codeOf(wrong)]).toEqual([call.name, 401, 'SESSION_ENDED']);
    }
  });

  it('[OPN-01] [OPN-02] [API-36] [CAR-22] a player token gets 403 from every operator call', async () => {
    const calls = allCalls().filter((call) => call.who === 'operator');
    expect(calls.length).toBeGreaterThan(15);
    for (const call of calls) {
      const response = await server.fetch(pathOf(call.path), {
        method: call.method,
        headers: { ...json, authorization: `Bearer ${token}` },
      });
      expect([call.name, response.status, await codeOf(response)]).toEqual([call.name, 403, 'NOT_ALLOWED']);
    }
  });

  it('[SEC-Z8] reading changes nothing', async () => {
    const before = server.app.core.health().seq;
    for (const call of allCalls().filter((one) => one.method === 'GET')) {
      await server.fetch(pathOf(call.path), { headers: { ...json, authorization: `Bearer ${token}` } });
    }
    expect(server.app.core.health().seq).toBe(before);
  });

  it('[OPN-29] [ERR-11] one envelope, one error shape, with a request id that support can find', async () => {
    const good = await server.fetch('/api/user/favourites', { headers: { authorization: `Bearer ${token}` } });
    expect(await good.json()).toEqual({ statusCode: 200, data: { matchIds: [], tables: [] } });
    const bad = await server.fetch('/api/nothing', { headers: { 'x-request-id': 'support-4711-abc' } });
    expect(await bad.json()).toEqual({
      statusCode: 404,
      message: 'Not Found',
      code: 'NOT_FOUND',
      requestId: 'support-4711-abc',
    });
    expect(bad.headers.get('x-request-id')).toBe('support-4711-abc');
    const forged = await server.fetch('/api/nothing', { headers: { 'x-request-id': 'a"}\tb' } });
    expect(forged.headers.get('x-request-id')).not.toContain('"');
  });

  it('an answer says how far the site is known; who knows more waits for it, and is told where it does not come', async () => {
    const { core } = server.app;
    const call = account.favourites;
    const told = await server.call(call, {}, { token });
    expect(Number(told.headers.get(SEEN_HEADER))).toBe(core.health().seq);
    const ask = (seen: string) => server.call(call, {}, { token, headers: { [SEEN_HEADER]: seen } });
    expect((await ask(String(core.health().seq))).status).toBe(200);
    expect((await ask('soon')).error).toMatchObject({ code: 'BAD_INPUT', field: SEEN_HEADER });
    const reached = core.reached.bind(core);
    const asked: number[] = [];
    core.reached = (seq) => Promise.resolve(asked.push(seq) === 1);
    const more = core.health().seq + 5;
    expect((await ask(String(more))).status).toBe(200);
    expect((await ask(String(more))).error).toMatchObject({ statusCode: 503, code: 'UNAVAILABLE' });
    expect(asked).toEqual([more, more]);
    core.reached = reached;
  });

  it('[OPN-29] every good answer of a test server is held to the schema of its call', async () => {
    const call = account.favourites;
    const good = (await server.call(call, {}, { token })).data;
    expect(() => checkReply(call, good)).not.toThrow();
    expect(() => checkReply(call, { ...good, more: 1 })).toThrow('tells more than the contract');
    expect(() => checkReply(call, { ...good, tables: undefined })).toThrow('does not fit the contract');
    expect(() => checkReply(call, { ...good, matchIds: [Number.NaN] })).toThrow('does not fit the contract');
    const { reply } = call;
    try {
      Object.assign(call, { reply: auth.login.reply });
      const { status, error } = await server.call(call, {}, { token });
      expect([status, error?.code]).toEqual([500, 'INTERNAL']);
    } finally {
      Object.assign(call, { reply });
    }
    expect((await server.call(call, {}, { token })).status).toBe(200);
  });

  it('[MAT-10] [OPN-26] [API-40] sport-score is served by GET and by POST', async () => {
    const headers = { ...json, authorization: `Bearer ${token}` };
    for (const init of [
      { headers },
      { method: 'POST', headers, body: '{"eventId":"7"}' },
      { method: 'POST', headers },
    ]) {
      const response = await server.fetch('/api/tunnel/casino/sport-score', init);
      expect([response.status, await response.json()]).toEqual([200, { statusCode: 200, data: null }]);
    }
    expect(await codeOf(await post('/api/tunnel/casino/sport-score', '{"x":1}'))).toBe('UNKNOWN_FIELD');
    expect(await codeOf(await post('/api/tunnel/casino/sport-score', '[1]'))).toBe('BAD_INPUT');
  });

  it('[API-02] [OPN-26] calls without a payload take an empty body with or without a type', async () => {
    for (const headers of [{}, json] as Array<Record<string, string>>) {
      const response = await server.fetch('/api/user/loginWithDemo', { method: 'POST', headers });
      expect(response.status).toBe(200);
    }
    expect((await server.fetch('/api/user/loginWithDemo', { method: 'POST', headers: json, body: '{}' })).status).toBe(
      200,
    );
    const extra = await server.fetch('/api/user/loginWithDemo', {
      method: 'POST',
      headers: json,
      body: '{"credit":1}',
    });
    expect(await extra.json()).toMatchObject({ statusCode: 400, code: 'UNKNOWN_FIELD', field: 'credit' });
  });
});

describe('input', () => {
  it('[SEC-Z3] [SEC-Z7] unknown fields and wrong values are 400 with the field, and nothing is done', async () => {
    const save = async (body: unknown) => (await post('/api/button/insert', JSON.stringify(body))).json();
    expect(await save({ type: 'Match', value: '{"a":1}', owner: 5 })).toMatchObject({
      statusCode: 400,
      code: 'UNKNOWN_FIELD',
      field: 'owner',
    });
    expect(await save({ type: 'Sports', value: '{"a":1}' })).toMatchObject({ code: 'BAD_INPUT', field: 'type' });
    expect(await save({ type: 'Match', value: 5 })).toMatchObject({ code: 'BAD_INPUT', field: 'value' });
    expect(await save(null)).toMatchObject({ code: 'BAD_INPUT' });
    expect(await save([])).toMatchObject({ code: 'BAD_INPUT' });
    const query = await server.fetch('/api/button?type=Match&x=1', { headers: { authorization: `Bearer ${token}` } });
    expect(await query.json()).toMatchObject({ code: 'UNKNOWN_FIELD', field: 'x' });
    const twice = await server.fetch('/api/button?type=Match&type=Casino', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await twice.json()).toMatchObject({ code: 'BAD_INPUT', field: 'type' });
    const bet = { betId: 1, matchId: 1, runnerId: 1, bettingType: 'BACK', odd: 200, stake: 100 };
    const place = async (body: unknown) => (await post('/api/placeBet', JSON.stringify(body))).json();
    expect(await place(bet)).toMatchObject({ statusCode: 400, code: 'KEY_REQUIRED', field: 'key' });
    expect(await place({ ...bet, key: 'k'.repeat(20), winAmount: 1_000_000 })).toMatchObject({
      code: 'UNKNOWN_FIELD',
      field: 'winAmount',
    });
    expect(await place({ ...bet, key: 'k'.repeat(20), stake: 1e300 })).toMatchObject({
      code: 'BAD_INPUT',
      field: 'stake',
    });
    expect(await place({ ...bet, key: 'k'.repeat(20), stake: 10.5 })).toMatchObject({
      code: 'BAD_INPUT',
      field: 'stake',
    });
  });

  it('[SEC-Z4] only application/json is read, and no spelling of the type slips past the checks', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json;',
      'application/json ; charset=utf-8',
      'application/json\t',
      'application/json;charset=latin1',
      'application/json; charset=utf-16',
      'application/json,text/plain',
      'application/jsonp',
      'application/json-patch+json',
      'application/ld+json',
      'text/json',
      'json',
      '*/*',
      'application/*',
      'application/json; charset=utf-8; x=y',
      'application/json; foo',
      'application /json',
      'application/json\\',
      'application/x-json',
      'application/json;charset="utf-8"',
      'x/application/json',
      'application/json5',
    ];
    for (const type of types) {
      const response = await post('/api/button/insert', '{"type":"Match","value":"{\\"a\\":1}","evil":1}', {
        'content-type': type,
      });
      // fetch trims outer white space of a header: what is left is then the plain type, and its body is checked.
      expect([type, await codeOf(response)]).toEqual([
        type,
        type.trim() === 'application/json' ? 'UNKNOWN_FIELD' : 'UNSUPPORTED_TYPE',
      ]);
    }
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'Application/JSON',
      'APPLICATION/JSON; CHARSET=UTF-8',
    ]) {
      const response = await post('/api/button/insert', '{"type":"Match","value":"{\\"a\\":1}","evil":1}', {
        'content-type': type,
      });
      expect([type, await codeOf(response)]).toEqual([type, 'UNKNOWN_FIELD']);
    }
  });

  it('[SEC-Z5] prototype keys are refused at any depth, in bodies and queries', async () => {
    for (const body of [
      '{"__proto__":{"a":1}}',
      '{"constructor":1}',
      '{"value":{"prototype":1}}',
      '{"matchIds":[{"__proto__":1}],"tables":[]}',
    ]) {
      expect(await codeOf(await post('/api/user/favourites', body))).toBe('UNKNOWN_FIELD');
    }
    const query = await server.fetch('/api/button?type=Match&__proto__=1', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await codeOf(query)).toBe('UNKNOWN_FIELD');
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('text that no database can hold is refused: NUL, and half of a character', async () => {
    for (const name of ['a\0b', 'half of \ud83d', '\udc00']) {
      const told = await post('/api/user/favourites', JSON.stringify({ tables: ['teen20', name], matchIds: [] }));
      expect(await told.json()).toMatchObject({ code: 'BAD_INPUT', field: 'tables.1' });
    }
    const whole = await post('/api/user/favourites', JSON.stringify({ tables: ['\ud83d\ude00'], matchIds: [] }));
    expect(await codeOf(whole)).not.toBe('BAD_INPUT');
  });

  it('a field that stands twice is refused by its name, wherever it stands; the same word elsewhere is none', async () => {
    const key = 'twice-key-0000000001';
    const bet = `"key":"${key}","matchId":1,"betId":2,"runnerId":3,"bettingType":"BACK","odd":200`;
    const twice: Array<[path: string, text: string, field: string]> = [
      ['/api/placeBet', `{${bet},"stake":100,"stake":100000}`, 'stake'],
      ['/api/placeBet', `{${bet},"stake":100,"st\\u0061ke":100000}`, 'stake'],
      ['/api/bet/placeMany', `{"bets":[{${bet},"stake":100},{${bet},"odd":300,"stake":100}]}`, 'odd'],
      ['/api/user/favourites', '{"tables":["a:b","\\"x\\":1"],"matchIds":[],"tables" : []}', 'tables'],
    ];
    for (const [path, text, field] of twice)
      expect([text, await (await post(path, text)).json()]).toMatchObject([text, { code: 'BAD_INPUT', field }]);
    for (const text of ['{"matchIds":[],"tables":["teen20:a","\\"tables\\":"]}', `{${bet},"stake":1}`])
      expect(await (await post('/api/user/favourites', text)).json()).not.toMatchObject({
        message: 'A field of the request stands twice.',
      });
  });

  it('broken, deep and large bodies are refused', async () => {
    expect(await codeOf(await post('/api/user/favourites', '{"a":'))).toBe('BAD_JSON');
    expect(await codeOf(await post('/api/user/favourites', `${'['.repeat(30_000)}${']'.repeat(30_000)}`))).toBe(
      'BAD_INPUT',
    );
    const large = await post('/api/user/favourites', JSON.stringify({ tables: ['x'.repeat(70_000)], matchIds: [] }));
    expect([large.status, await codeOf(large)]).toEqual([413, 'TOO_LARGE']);
    const bytes = await server.fetch('/api/user/favourites', {
      method: 'POST',
      body: new Uint8Array([0xff, 0xfe, 0x00]),
      headers: { ...json, authorization: `Bearer ${token}` },
    });
    expect(await codeOf(bytes)).toBe('BAD_JSON');
    expect((await server.fetch('/api/match/%zz', { headers: { authorization: `Bearer ${token}` } })).status).toBe(400);
  });
});

describe('headers and health', () => {
  it('[SEC-F1] [SEC-F2] [SEC-S7] security headers stand on every page', async () => {
    for (const path of ['/', '/api/docs', '/assets/gone.js', '/frame/tv/1', '/favicon.svg']) {
      const { headers } = await server.fetch(path);
      const policy = headers.get('content-security-policy')!;
      // The picture of a match has a stricter policy of its own, and is framed by our pages.
      const frame = path.startsWith('/frame/');
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "base-uri 'none'",
        `frame-ancestors ${frame ? "'self'" : "'none'"}`,
        "require-trusted-types-for 'script'",
        ...(frame ? [] : ["object-src 'none'", "frame-src 'self' https://video.example"]),
      ]) {
        expect([path, policy]).toEqual([path, expect.stringContaining(part)]);
      }
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toContain('*');
      expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
      expect(headers.get('cross-origin-resource-policy')).toBe(frame ? 'cross-origin' : 'same-origin');
      expect(headers.get('permissions-policy')).toContain('geolocation=()');
      for (const name of ['x-powered-by', 'server']) expect(headers.get(name)).toBeNull();
    }
    const frame = await server.fetch('/videoPage/7');
    expect(frame.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
  });

  it('[SEC-S7] an answer of a call carries what its reader needs and no more, also when it is a refusal', async () => {
    const json = ['cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive'];
    const expected = [...json, 'x-content-type-options', 'x-request-id'].sort();
    const authorization = `Bearer ${token}`;
    for (const [path, status] of [
      ['/api/user/favourites', 200],
      ['/api/user/profile', 200],
      ['/api/nothing', 404],
      ['/livez', 200],
    ] as const) {
      const response = await server.fetch(path, { headers: { authorization } });
      expect([path, response.status]).toEqual([path, status]);
      const known = path.startsWith('/api') && status === 200 ? [SEEN_HEADER] : [];
      expect([path, [...response.headers.keys()].sort()]).toEqual([path, [...expected, ...known]]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('[SEC-C3] health is open, metrics are for this machine and not through a proxy', async () => {
    expect((await server.fetch('/livez')).status).toBe(200);
    expect(await (await server.fetch('/readyz')).json()).toEqual({
      ready: true,
      database: true,
      core: true,
      commits: true,
      accepting: true,
    });
    const text = await (await server.fetch('/metrics')).text();
    expect(text).toContain('xch_http_requests_total{route="user.favourites",method="GET",code="200"}');
    expect(text).toContain('xch_core_queue_depth 0');
    expect(text).not.toMatch(/user="|market="/);
    expect((await server.fetch('/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(404);
  });

  it('a content policy report is taken and answered with nothing', async () => {
    const response = await server.fetch('/csp-report', {
      method: 'POST',
      headers: { 'content-type': 'application/csp-report' },
      body: '{"csp-report":{"blocked-uri":"https://evil.example"}}',
    });
    expect(response.status).toBe(204);
  });

  it('[SEC-C5] an unexpected error tells the client nothing but an id, and the log all', async () => {
    const { db } = server.app;
    const query = db.query.bind(db);
    db.query = () => Promise.reject(new Error('secret table users_x at /srv/app/db.ts'));
    const told = await server.call(account.profile, {}, { token });
    db.query = query;
    expect(told.error).toEqual({
      statusCode: 500,
      message: ERRORS.INTERNAL[1],
      code: 'INTERNAL',
      requestId: expect.any(String),
    });
    expect(server.logText()).toContain('users_x');
    expect(server.logText()).toContain(told.error!.requestId);
  });

  it('a database that is away answers 503, and the site recovers by itself', async () => {
    const { db } = server.app;
    const query = db.query.bind(db);
    db.query = () => Promise.reject(new DbLost(false, new Error('connection refused')));
    const told = await server.call(account.profile, {}, { token });
    db.query = query;
    expect(told.error).toMatchObject({ statusCode: 503, code: 'UNAVAILABLE' });
    expect(told.headers.get('retry-after')).toBe('2');
    expect((await server.call(account.profile, {}, { token })).status).toBe(200);
  });

  it('[SEC-L1] [SEC-L2] refusals are in the security log with time, caller and call; control characters stay escaped', async () => {
    await server.call(auth.login, { body: { userName: 'eve\r\n{"level":30}\u001b[31m', password: 'x' } });
    const lines = server
      .logText()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(
      expect.objectContaining({ security: 'login.failed', ip: '127.0.0.1', name: expect.stringContaining('eve\r\n') }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        security: 'refused',
        code: 'UNKNOWN_FIELD',
        call: 'button.insert',
        field: 'owner',
        time: expect.any(String),
      }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ security: 'refused', code: 'NOT_ALLOWED' }));
  });
});

describe('the client', () => {
  it('screens get index.html, hashed assets are kept for ever, what is missing is 404', async () => {
    for (const path of ['/', '/login', '/game-detail/cricket/5', '/home?x=1', '/32cards-A']) {
      const response = await server.fetch(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
    }
    const asset = await server.fetch('/assets/main-abc123.js', { headers: { 'accept-encoding': 'br' } });
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-encoding')).toBe('br');
    expect(await asset.text()).toContain('export const text');
    const gzip = await server.fetch('/assets/main-abc123.js', { headers: { 'accept-encoding': 'gzip' } });
    expect(gzip.headers.get('content-encoding')).toBe('gzip');
    expect((await gzip.text()).length).toBeGreaterThan(5000);
    const again = await server.fetch('/assets/main-abc123.js', {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': gzip.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
    for (const path of [
      '/assets/gone-123.js',
      '/assets/main-abc123.js.map',
      '/favicon.ico',
      '/../package.json',
      '/%2e%2e/%2e%2e/package.json',
      '/assets/..%2f..%2fsecret.json',
      '/.env',
      '/.git/config',
      '/.vite/manifest.json',
      '/assets/.hidden',
      // Shown in a frame, the client would stand inside itself.
      '/frame/tv',
      '/frame/tv/5/6',
    ]) {
      expect([path, (await server.fetch(path)).status]).toEqual([path, 404]);
    }
    expect((await server.fetch('/login', { method: 'POST' })).status).toBe(405);
    expect((await server.fetch('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml');
  });

  it('[CAR-44] behind a balancer plain HTTP is sent on to HTTPS; health is not', async () => {
    const secure = await makeServer({ FAIRGAME_ORIGIN: 'https://play.example', FAIRGAME_TRUST_PROXY: '127.0.0.1' });
    try {
      const plain = await secure.fetch('/home?x=1', { headers: { 'x-forwarded-proto': 'http' } });
      expect([plain.status, plain.headers.get('location')]).toEqual([308, 'https://play.example/home?x=1']);
      expect((await secure.fetch('/livez', { headers: { 'x-forwarded-proto': 'http' } })).status).toBe(200);
      const safe = await secure.fetch('/home', { headers: { 'x-forwarded-proto': 'https' } });
      expect(safe.headers.get('content-security-policy')).toContain("connect-src 'self' wss://play.example;");
    } finally {
      await secure.close();
    }
  });

  it('[CAR-46] the policy of no page allows a foreign frame that is not configured', async () => {
    const policy = (await server.fetch('/')).headers.get('content-security-policy')!;
    expect(/frame-src ([^;]*)/.exec(policy)![1]).toBe("'self' https://video.example");
  });
});

describe('documents', () => {
  it('docs/api.md and docs/sockets.md are what the contract says (npx tsx scripts/api-docs.ts writes them)', () => {
    const written = (name: string) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
    expect(written('api')).toBe(apiMarkdown());
    expect(written('sockets')).toBe(socketsMarkdown());
  });

  it('every figure of money, odds or runs names its unit', () => {
    const bare: string[] = [];
    const walk = (schema: unknown, path: string, name: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { type, unit, properties, anyOf, items, prefixItems } = schema as Record<string, never>;
      if (type === 'integer' && unit === undefined && FIGURE.test(name)) bare.push(`${path}.${name}`);
      for (const [key, value] of Object.entries(properties ?? {})) walk(value, `${path}.${name}`, key);
      for (const each of [anyOf ?? [], prefixItems ?? [], items ?? []].flat()) walk(each, path, name);
    };
    for (const call of allCalls())
      for (const part of ['params', 'query', 'body', 'reply'] as const)
        if (call[part]) walk(jsonSchema(call[part]), `${call.name} ${part}`, '');
    for (const { namespace, hears } of SOCKETS)
      for (const { event, shape } of hears) if (shape) walk(jsonSchema(shape), `${namespace} ${event}`, '');
    expect(bare).toEqual([]);
  });

  it('the OpenAPI document names every call, and the page needs no script', async () => {
    const document = (await (await server.fetch('/api/docs/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    );
    expect(ids).toEqual(expect.arrayContaining(allCalls().map((call) => call.name)));
    expect(new Set(ids).size).toBe(ids.length);
    const page = await (await server.fetch('/api/docs')).text();
    expect(page).toContain('/api/placeBet');
    expect(page).not.toMatch(/<script|style=|https?:\/\//);
    expect((await server.fetch('/api/docs/docs.css')).headers.get('content-type')).toContain('text/css');
  });
});

describe('pace', () => {
  it('[SEC-Z10] [SEC-Z9] search, bets and sign-in answer 429 with Retry-After past their pace; forged addresses change nothing', async () => {
    const strict = await makeServer({ FAIRGAME_LIMIT_FACTOR: '1' });
    try {
      const player = await strict.player('anna');
      const flood = async (path: string, init: RequestInit, times: number) => {
        const statuses: number[] = [];
        for (let i = 0; i < times; i++) {
          const response = await strict.fetch(path, {
            ...init,
            headers: { ...json, authorization: `Bearer ${player.token}`, 'x-forwarded-for': `10.0.0.${i}` },
          });
          statuses.push(response.status);
          if (response.status === 429) {
            expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
            expect(await codeOf(response)).toBe('RATE_LIMITED');
          }
        }
        return statuses;
      };
      const searches = await flood('/api/match/search/test', {}, 12);
      expect(searches.slice(0, 10)).not.toContain(429);
      expect(searches.slice(10)).toEqual([429, 429]);
      const placing = await flood('/api/placeBet', { method: 'POST', body: '{}' }, 22);
      expect(placing.slice(0, 20)).not.toContain(429);
      expect(placing.slice(20)).toEqual([429, 429]);
      strict.clock.advance(1000);
      expect(await flood('/api/placeBet', { method: 'POST', body: '{}' }, 11)).toEqual([
        ...Array<number>(10).fill(400),
        429,
      ]);
      const logins = await flood('/api/auth/login', { method: 'POST', body: '{}' }, 110);
      expect(logins.slice(0, 90)).not.toContain(429);
      expect(logins.at(-1)).toBe(429);
    } finally {
      await strict.close();
    }
  });

  it('goes on where the clock of the machine is set back: nobody waits for the hour to come again', async () => {
    const strict = await makeServer({ FAIRGAME_LIMIT_FACTOR: '1' });
    try {
      const { token: his } = await strict.player('beth');
      const placed = async (times: number) => {
        const codes: number[] = [];
        for (let i = 0; i < times; i++) codes.push((await strict.call(bets.place, {} as never, { token: his })).status);
        return codes;
      };
      expect(await placed(21)).toEqual([...Array<number>(20).fill(400), 429]);
      strict.clock.advance(-3_600_000);
      expect(await placed(1)).toEqual([429]);
      strict.clock.advance(1000);
      expect(await placed(11)).toEqual([...Array<number>(10).fill(400), 429]);
    } finally {
      await strict.close();
    }
  });
});

describe('shutting down', () => {
  it('answers 503 with Retry-After to every call and says not ready, while it lives on', async () => {
    await server.app.http.drain(0);
    const told = await server.call(bets.myMarket, {}, { token });
    expect(told.error).toMatchObject({ statusCode: 503, code: 'UNAVAILABLE' });
    expect(told.headers.get('retry-after')).toBe('5');
    const ready = await server.fetch('/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ ready: false, accepting: false }),
    ]);
    expect((await server.fetch('/livez')).status).toBe(200);
  });
});
