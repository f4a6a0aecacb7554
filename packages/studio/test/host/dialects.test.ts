import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, generateKeyPairSync, sign, verify } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { dialectA } from '../../../../apps/provider-a/src/dialect.ts';
import { dialectB } from '../../../../apps/provider-b/src/dialect.ts';
import { createHost, type Dialect, type Host } from '../../src/host/host.ts';
import type { RoundReply, SessionView } from '../../src/wire.ts';
import { fakeWallet, gamesOf } from './fakes.ts';
import { steps } from './test-games.ts';

/** Signatures here are written from docs/providers.md, not with the code under test. */
const SECRET = Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('hex');
const hmac = (ts: string, nonce: string, text: string) =>
  createHmac('sha256', Buffer.from(SECRET, 'hex')).update(`${ts}.${nonce}.${text}`).digest('hex');

type Json = Record<string, unknown>;
interface Seen {
  readonly url: string;
  readonly body: Json;
  readonly signed: boolean;
}
type Answer = (seen: Seen, request: IncomingMessage, text: string) => { status: number; headers: Json; body: string };

const servers: Server[] = [];
const hosts: Host[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function operator(check: (request: IncomingMessage, text: string) => boolean, answer: Answer) {
  const seen: Seen[] = [];
  const server = createServer((request: IncomingMessage, reply: ServerResponse) => {
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part.toString();
    });
    request.on('end', () => {
      const one = { url: request.url ?? '', body: JSON.parse(text) as Json, signed: check(request, text) };
      seen.push(one);
      const { status, headers, body } = answer(one, request, text);
      reply.writeHead(status, headers as Record<string, string>).end(body);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function provider(dialect: Dialect, chaos = '') {
  const host = createHost({
    provider: { code: 'a', name: 'Test Games', look: 'a', subProvider: 'Test', games: ['steps'] },
    dialect,
    publicOrigin: 'http://localhost:7101',
    parentOrigins: ['http://localhost:3000', 'http://127.0.0.1:3000'],
    dataFolder: null,
    pageFolder: null,
    games: gamesOf(steps),
    chaos,
    patienceMs: 200,
  });
  hosts.push(host);
  await host.http.ready();
  const page = async <T>(path: string, body?: object): Promise<T> => {
    const reply = await (body === undefined
      ? host.http.inject({ method: 'GET', url: path })
      : host.http.inject({ method: 'POST', url: path, payload: body }));
    if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${reply.body}`);
    return reply.json() as T;
  };
  return { host, page };
}

const sessionIn = (url: string) => new URL(url).searchParams.get('s') ?? '';

// ------------------------------------------------------------------------------------------------------------ dialect A

const signedA = (request: IncomingMessage, text: string) =>
  request.headers['x-sig'] === hmac(String(request.headers['x-ts']), String(request.headers['x-nonce']), text);

function answersA(body: (seen: Seen) => Json, spoil = false): Answer {
  return (seen, request) => {
    const text = JSON.stringify(body(seen));
    const [ts, nonce] = [String(Date.now()), String(request.headers['x-nonce'])];
    const headers = {
      'X-Key': 'k1',
      'X-Ts': ts,
      'X-Nonce': nonce,
      'X-Sig': hmac(ts, nonce, spoil ? `${text} ` : text),
    };
    return { status: seen.signed ? 200 : 401, headers, body: text };
  };
}

const headA = (text: string, nonce = 'abcdefgh01234567') => {
  const ts = String(Date.now());
  return {
    'x-key': 'k1',
    'x-ts': ts,
    'x-nonce': nonce,
    'x-sig': hmac(ts, nonce, text),
    'content-type': 'application/json',
  };
};

describe('dialect A', () => {
  it('signs as the example of the documentation', () => {
    expect(hmac('1790000000000', '0123456789abcdef', '{"call":"balance","session":"s-1"}')).toBe(
      '68c3d48051cd1ce70d2160d5825cac2d3c15a6ca6bb4550eae623448edac8e95',
    );
  });

  it('launches, plays and reports in its own words, every call signed', async () => {
    const wallet = fakeWallet({ inOneCall: false });
    const { seen, url } = await operator(
      signedA,
      answersA(({ body }) => {
        if (body.call === 'authenticate')
          return { code: 0, balance: 5000, currency: 'EUR', session: 's-1', player: 'p-1', nickname: 'x', more: 1 };
        return { code: 0, balance: 4000, currency: 'EUR', walletTx: '1', repeated: false };
      }),
    );
    const { host, page } = await provider(dialectA(url, [{ id: 'k1', value: SECRET }]));
    const launch = JSON.stringify({
      call: 'launch',
      operatorId: 'fairgame',
      mode: 'real',
      game: 'steps',
      player: 'p-1',
      token: 't-1',
      currency: 'EUR',
      theme: 'light',
      lobbyUrl: 'http://127.0.0.1:3000/live-casino',
      limits: { maxStake: 700 },
    });
    const launched = await host.http.inject({
      method: 'POST',
      url: '/v1/launch',
      headers: headA(launch),
      payload: launch,
    });
    expect(launched.json()).toMatchObject({ code: 0 });
    expect(launched.headers['x-sig']).toBe(hmac(String(launched.headers['x-ts']), 'abcdefgh01234567', launched.body));
    const s = sessionIn((launched.json() as { url: string }).url);
    expect(await page<SessionView>(`/page/session?s=${s}`)).toMatchObject({
      maxStakeMinor: 700,
      theme: 'light',
      parentOrigin: 'http://127.0.0.1:3000',
      balanceMinor: 4000,
    });
    const { round } = await page<RoundReply>('/page/open', { s, key: 'k', wager: { stakeMinor: 500 } });
    await page('/page/move', { s, key: 'm', roundId: round.roundId, move: { act: 'take' } });
    expect(seen.every((one) => one.signed)).toBe(true);
    expect(seen.map((one) => [one.url, one.body.call])).toEqual([
      ['/provider/a/authenticate', 'authenticate'],
      ['/provider/a/balance', 'balance'],
      ['/provider/a/debit', 'debit'],
      ['/provider/a/credit', 'credit'],
    ]);
    const { roundId } = round;
    expect(seen[2]!.body).toEqual({
      call: 'debit',
      session: 's-1',
      player: 'p-1',
      tx: `${roundId}.d0`,
      round: roundId,
      game: 'steps',
      currency: 'EUR',
      amount: 500,
    });
    expect(seen[3]!.body).toMatchObject({ amount: 500, roundClosed: true, refTx: `${roundId}.d0`, tx: `${roundId}.c` });
    const path = `/v1/rounds/${roundId}?player=p-1`;
    const details = await host.http.inject({ method: 'GET', url: path, headers: headA(path, 'r'.repeat(16)) });
    expect(details.json()).toMatchObject({
      code: 0,
      round: {
        id: roundId,
        status: 'CLOSED',
        stake: 500,
        paid: 500,
        transactions: [{ kind: 'debit' }, { kind: 'credit' }],
      },
    });
    const period = `/v1/transactions?from=0&to=${Date.now() + 1000}`;
    const rows = await host.http.inject({ method: 'GET', url: period, headers: headA(period, 't'.repeat(16)) });
    expect(rows.json()).toMatchObject({
      code: 0,
      next: null,
      transactions: [{ amount: 500, state: 'DONE' }, { kind: 'credit' }],
    });
    expect(wallet.calls).toEqual([]);
  });

  it('[PRV-01] answers 401 to a bad, old or repeated signature; liveness needs none', async () => {
    const { host } = await provider(dialectA('http://127.0.0.1:1', [{ id: 'k1', value: SECRET }]));
    const get = (headers: Record<string, string>) => host.http.inject({ method: 'GET', url: '/v1/games', headers });
    const good = headA('/v1/games');
    expect((await get(good)).statusCode).toBe(200);
    expect((await get(good)).statusCode).toBe(401);
    expect((await get({ ...headA('/v1/games', 'b'.repeat(16)), 'x-sig': '00' })).statusCode).toBe(401);
    const old = String(Date.now() - 301_000);
    const late = {
      'x-key': 'k1',
      'x-ts': old,
      'x-nonce': 'c'.repeat(16),
      'x-sig': hmac(old, 'c'.repeat(16), '/v1/games'),
    };
    expect((await get(late)).statusCode).toBe(401);
    expect((await get({})).statusCode).toBe(401);
    expect((await host.http.inject('/liveness')).json()).toEqual({ code: 0 });
  });

  it('rolls a stake back where the answer is signed wrongly', async () => {
    const kinds: unknown[] = [];
    const { url } = await operator(signedA, (seen, request, text) => {
      kinds.push(seen.body.call);
      const body = { code: 0, balance: 5000, currency: 'EUR', session: 's-1', player: 'p-1' };
      return answersA(() => body, seen.body.call === 'debit')(seen, request, text);
    });
    const { host, page } = await provider(dialectA(url, [{ id: 'k1', value: SECRET }]));
    const { sessionId } = host.operator.launch({
      mode: 'real',
      game: 'steps',
      player: 'p-1',
      token: 't',
      currency: 'EUR',
    });
    await page(`/page/session?s=${sessionId}`);
    await expect(page('/page/open', { s: sessionId, key: 'k', wager: { stakeMinor: 500 } })).rejects.toThrow(
      /WALLET_DOWN/,
    );
    await expect.poll(() => kinds).toEqual(['authenticate', 'balance', 'debit', 'rollback']);
  });
});

// ------------------------------------------------------------------------------------------------------------ dialect B

describe('dialect B', () => {
  const ours = generateKeyPairSync('ed25519');
  const theirs = generateKeyPairSync('ed25519');
  const keys = {
    own: [{ id: 'p1', value: ours.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64') }],
    operator: [{ id: 'o1', value: theirs.publicKey.export({ format: 'der', type: 'spki' }).toString('base64') }],
  };
  const signedB = (request: IncomingMessage, text: string) =>
    verify(
      null,
      Buffer.from(text),
      ours.publicKey,
      Buffer.from(String(request.headers['x-beacon-signature']), 'base64'),
    );
  const answersB =
    (body: (seen: Seen) => Json): Answer =>
    (seen) => {
      const text = JSON.stringify({ action: seen.body.action, nonce: seen.body.nonce, ts: Date.now(), ...body(seen) });
      const signature = sign(null, Buffer.from(text), theirs.privateKey).toString('base64');
      return { status: 200, headers: { 'X-Beacon-Key': 'o1', 'X-Beacon-Signature': signature }, body: text };
    };
  const ask = (host: Host, body: Json, nonce: string) => {
    const text = JSON.stringify({ ts: Date.now(), nonce, ...body });
    const signature = sign(null, Buffer.from(text), theirs.privateKey).toString('base64');
    const headers = { 'x-beacon-key': 'o1', 'x-beacon-signature': signature, 'content-type': 'application/json' };
    return host.http.inject({ method: 'POST', url: '/api', headers, payload: text });
  };

  it('launches, plays and reports in its own words, every call signed', async () => {
    const { seen, url } = await operator(
      signedB,
      answersB(({ body }) => ({
        status: 'ok',
        balance: '40.00',
        currency: 'EUR',
        ...(body.action === 'authenticate' ? { session_id: 's-1', player_id: 'p-1' } : {}),
      })),
    );
    const { host, page } = await provider(dialectB(url, keys));
    const launched = await ask(
      host,
      {
        action: 'launch',
        mode: 'real',
        game_code: 'steps',
        player_id: 'p-1',
        token: 't-1',
        currency: 'EUR',
        limits: { max_stake: '7.00' },
      },
      'a'.repeat(16),
    );
    const reply = launched.json() as { status: string; url: string; nonce: string };
    expect(reply).toMatchObject({ status: 'ok', action: 'launch', nonce: 'a'.repeat(16) });
    const signature = Buffer.from(String(launched.headers['x-beacon-signature']), 'base64');
    expect(verify(null, Buffer.from(launched.body), ours.publicKey, signature)).toBe(true);
    const s = sessionIn(reply.url);
    expect(await page<SessionView>(`/page/session?s=${s}`)).toMatchObject({ maxStakeMinor: 700, balanceMinor: 4000 });
    const { round } = await page<RoundReply>('/page/open', { s, key: 'k', wager: { stakeMinor: 505 - 5 } });
    await page('/page/move', { s, key: 'm', roundId: round.roundId, move: { act: 'take' } });
    expect(seen.every((one) => one.signed && one.url === '/provider/b')).toBe(true);
    expect(seen.map((one) => one.body.action)).toEqual(['authenticate', 'balance', 'debit', 'credit']);
    expect(seen[2]!.body).toMatchObject({ session_id: 's-1', amount: '5.00', round_id: round.roundId });
    expect(seen[3]!.body).toMatchObject({ amount: '5.00', round_closed: true, reference_id: `${round.roundId}.d0` });
    const rows = await ask(
      host,
      { action: 'transactions', from: 0, to: Date.now() + 1000, after: null },
      'b'.repeat(16),
    );
    expect(rows.json()).toMatchObject({ status: 'ok', transactions: [{ amount: '5.00' }, { kind: 'credit' }] });
    const details = await ask(host, { action: 'round', round_id: round.roundId, player_id: 'p-1' }, 'c'.repeat(16));
    expect(details.json()).toMatchObject({ round: { status: 'CLOSED', stake: '5.00', proof: { game: 'steps' } } });
    const none = await ask(host, { action: 'round', round_id: round.roundId, player_id: 'p-2' }, 'd'.repeat(16));
    expect(none.json()).toMatchObject({ status: 'round_not_found' });
    const list = await ask(host, { action: 'list' }, 'e'.repeat(16));
    expect(list.json()).toMatchObject({
      games: [{ game_code: 'steps', min_stake: '1.00', thumb: '/thumb/steps.svg' }],
    });
  });

  it('[PRV-01] answers 401 to a bad or repeated signature; liveness needs none', async () => {
    const { host } = await provider(dialectB('http://127.0.0.1:1', keys));
    expect((await ask(host, { action: 'list' }, 'a'.repeat(16))).statusCode).toBe(200);
    expect((await ask(host, { action: 'list' }, 'a'.repeat(16))).statusCode).toBe(401);
    expect((await ask(host, { action: 'list', ts: Date.now() - 301_000 }, 'b'.repeat(16))).statusCode).toBe(401);
    const unsigned = await host.http.inject({ method: 'POST', url: '/api', payload: { action: 'list' } });
    expect(unsigned.statusCode).toBe(401);
    expect((await host.http.inject('/liveness')).json()).toEqual({ status: 'ok' });
  });
});

// --------------------------------------------------------------------------------------------------------------- chaos

it('chaos: duplicates, replays, broken signatures and lost answers reach the operator and move money once', async () => {
  const ledger = new Map<string, number>();
  const nonces = new Set<string>();
  let balance = 100_000;
  let strange = 0;
  const { url } = await operator(signedA, (seen, request, text) => {
    const { call, tx, amount, refTx } = seen.body as { call: string; tx: string; amount: number; refTx: string };
    const nonce = String(request.headers['x-nonce']);
    if (!seen.signed || nonces.has(nonce)) {
      strange += 1;
      return { status: 401, headers: {}, body: '{"code":10}' };
    }
    nonces.add(nonce);
    let code = 0;
    const before = ledger.get(tx);
    if (call === 'debit' || call === 'credit') {
      const by = call === 'debit' ? -amount : amount;
      if (before === undefined) {
        ledger.set(tx, by);
        balance += by;
      } else if (before !== by) code = 50;
    }
    if (call === 'rollback') {
      const debit = ledger.get(refTx) ?? 0;
      if (debit !== 0) balance -= debit;
      ledger.set(refTx, 0);
    }
    const body = { code, balance, currency: 'EUR', session: 's-1', player: 'p-1' };
    return answersA(() => body)(seen, request, text);
  });
  const { host, page } = await provider(
    dialectA(url, [{ id: 'k1', value: SECRET }]),
    'duplicate=1:4,replay=0.5,badSignature=0.5,wrongAmount=0.5,lostReply=0.2,reorder=0.3:20,delay=0.2:5',
  );
  for (let played = 0; played < 12; played++) {
    const { sessionId: s } = host.operator.launch({
      mode: 'real',
      game: 'steps',
      player: 'p-1',
      token: 't',
      currency: 'EUR',
    });
    try {
      await page(`/page/session?s=${s}`);
      const { round } = await page<RoundReply>('/page/open', { s, key: `o${played}`, wager: { stakeMinor: 500 } });
      await page('/page/move', { s, key: `m${played}`, roundId: round.roundId, move: { act: 'take' } });
    } catch {
      // Refused with a reason; the money is looked at below.
    }
  }
  // Every round pays its stake back or is rolled back: nothing is lost in the end.
  await expect.poll(() => balance, { timeout: 15_000, interval: 200 }).toBe(100_000);
  expect(strange).toBeGreaterThan(0);
}, 30_000);

// ---------------------------------------------------------------------------------------------------------------- kill

it('killed between a stake and its answer, a provider rolls it back when it is up again', async () => {
  const data = mkdtempSync(join(tmpdir(), 'provider-'));
  const children: ChildProcess[] = [];
  const start = async (operatorUrl: string) => {
    const main = fileURLToPath(new URL('../../../../apps/provider-a/src/main.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', main], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        OPERATOR_URL: operatorUrl,
        FAIRGAME_DATA: data,
        PROVIDER_KEYS: `k1:${SECRET}`,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (part: Buffer) => resolve(String(part))),
    );
    return line.replace('ready', '').trim();
  };
  const post = (url: string, body: object) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  try {
    let killAtDebit = true;
    const { seen, url } = await operator(signedA, (one, request, text) => {
      if (one.body.call === 'debit' && killAtDebit) {
        killAtDebit = false;
        children[0]?.kill('SIGKILL');
      }
      const body = { code: 0, balance: 5000, currency: 'EUR', session: 's-1', player: 'p-1' };
      return answersA(() => body)(one, request, text);
    });
    const first = await start(url);
    const launch = { call: 'launch', mode: 'real', game: 'roulette', player: 'p-1', token: 't-1', currency: 'EUR' };
    const text = JSON.stringify(launch);
    const launched = await fetch(`${first}/v1/launch`, { method: 'POST', headers: headA(text), body: text });
    const s = sessionIn(((await launched.json()) as { url: string }).url);
    await fetch(`${first}/page/session?s=${s}`);
    const wager = { chips: [{ spot: 'red', stakeMinor: 500 }] };
    await expect(post(`${first}/page/open`, { s, key: 'k', wager })).rejects.toThrow();
    expect(seen.map((one) => one.body.call)).toEqual(['authenticate', 'balance', 'debit']);

    const second = await start(url);
    await expect.poll(() => seen.at(-1)?.body.call, { timeout: 5000 }).toBe('rollback');
    expect(seen.at(-1)!.body.refTx).toBe(seen[2]!.body.tx);
    expect(await (await fetch(`${second}/page/history?s=${s}`)).json()).toEqual([]);
    // The same press again is a round of its own, and the session is still there.
    const again = await post(`${second}/page/open`, { s, key: 'k', wager });
    expect(again.status).toBe(200);
    expect(((await again.json()) as RoundReply).round.roundId).not.toBe(seen[2]!.body.round);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  }
}, 60_000);
