import { generateKeyPairSync, randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig, maskConfig } from '../../src/config.ts';
import type { Http } from '../../src/http/http.ts';
import { readProviders } from '../../src/provider-settings.ts';
import { dialectA } from '../../src/providers/adapters/a.ts';
import { decimalIn, decimalText, malformed } from '../../src/providers/adapters/dialect.ts';
import { createBreaker } from '../../src/providers/breaker.ts';
import { callbackRoutes } from '../../src/providers/callbacks.ts';
import type { ProviderWallet, WalletAnswer, WalletDesk, WalletRow } from '../../src/providers/movement.ts';
import { DAY_MS, reconcile } from '../../src/providers/reconcile.ts';
import { driverA } from './drivers.ts';

describe('the breaker', () => {
  const make = () => {
    let now = 1_000_000;
    const breaker = createBreaker(() => now);
    const call = (well: boolean): boolean => {
      const may = breaker.may();
      if (may) breaker.ended(well);
      return may;
    };
    const pass = (ms: number): void => {
      now += ms;
    };
    return { breaker, call, pass };
  };

  it('[PRV-10] opens at half of the calls of ten seconds, and not before four', () => {
    const { breaker, call } = make();
    call(false);
    call(false);
    call(false);
    expect(breaker.state()).toBe('closed');
    call(true);
    expect(breaker.state()).toBe('open');
    expect(call(true)).toBe(false);
  });

  it('[PRV-10] stays closed under half, and forgets what is older than ten seconds', () => {
    const { breaker, call, pass } = make();
    for (let n = 0; n < 6; n++) call(true);
    for (let n = 0; n < 5; n++) call(false);
    expect(breaker.state()).toBe('closed');
    pass(10_000);
    for (let n = 0; n < 3; n++) call(false);
    expect(breaker.state()).toBe('closed');
  });

  it('[PRV-10] after five seconds one call is tried: well closes it, ill opens it for five more', () => {
    const { breaker, call, pass } = make();
    for (let n = 0; n < 4; n++) call(false);
    pass(4999);
    expect(breaker.may()).toBe(false);
    pass(1);
    expect(breaker.state()).toBe('half-open');
    expect(breaker.may()).toBe(true);
    expect(breaker.may()).toBe(false);
    breaker.ended(false);
    expect(breaker.state()).toBe('open');
    pass(5000);
    expect(call(true)).toBe(true);
    expect(breaker.state()).toBe('closed');
    call(false);
    expect(breaker.state()).toBe('closed');
  });
});

describe('money of the decimal dialect', () => {
  it('two places exactly, whatever the amount', () => {
    for (const minor of [0, 1, 9, 10, 99, 100, 101, 1050, 99_999_999_999]) {
      expect(decimalIn({ of: decimalText(minor) }, 'of', 0, malformed)).toBe(minor);
    }
    expect(decimalText(-5)).toBe('-0.05');
    for (const of of [
      '1',
      '1.0',
      '1.000',
      '01.00',
      '.10',
      '-1.00',
      '+1.00',
      '1,00',
      ' 1.00',
      '1.00 ',
      '١.00',
      1.5,
      '1e2',
    ])
      expect(() => decimalIn({ of }, 'of', 0, malformed)).toThrow();
  });
});

describe('the settings', () => {
  const spki = () =>
    generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const pkcs8 = () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const secret = randomBytes(32).toString('hex');
  const good: Record<string, string> = {
    FAIRGAME_PROVIDER_A_URL: 'http://127.0.0.1:7101/',
    FAIRGAME_PROVIDER_A_ORIGIN: 'http://localhost:7101',
    FAIRGAME_PROVIDER_A_KEYS: `one:${secret},two:${randomBytes(32).toString('hex')}`,
    FAIRGAME_PROVIDER_B_URL: 'http://127.0.0.1:7102',
    FAIRGAME_PROVIDER_B_PRIVATE_KEYS: `ours:${pkcs8()}`,
    FAIRGAME_PROVIDER_B_PUBLIC_KEYS: `theirs:${spki()}`,
  };
  const read = (env: Record<string, string | undefined>, production = false) => {
    const problems: string[] = [];
    return { problems, providers: readProviders((name) => env[name], production, problems) };
  };

  it('[PRD-03] [OPN-41] two, by their names; none where nothing is set', () => {
    const { problems, providers } = read(good);
    expect(problems).toEqual([]);
    expect(providers.map(({ name, baseUrl, publicOrigin, open }) => [name, baseUrl, publicOrigin, open])).toEqual([
      ['Alder Games', 'http://127.0.0.1:7101', 'http://localhost:7101', true],
      ['Beacon Live', 'http://127.0.0.1:7102', 'http://127.0.0.1:7102', true],
    ]);
    expect(read({}).providers).toEqual([]);
  });

  it.each([
    ['only one of the two', { FAIRGAME_PROVIDER_B_URL: undefined }],
    ['a secret that is an example', { FAIRGAME_PROVIDER_A_KEYS: `one:${'00'.repeat(32)}` }],
    ['a short secret', { FAIRGAME_PROVIDER_A_KEYS: 'one:abcd' }],
    ['no secret', { FAIRGAME_PROVIDER_A_KEYS: undefined }],
    ['three keys', { FAIRGAME_PROVIDER_A_KEYS: [1, 2, 3].map((n) => `k${n}:${secret}`).join(',') }],
    ['the same id twice', { FAIRGAME_PROVIDER_A_KEYS: `one:${secret},one:${secret}` }],
    ['a public key where a private one belongs', { FAIRGAME_PROVIDER_B_PRIVATE_KEYS: `ours:${spki()}` }],
    ['an address that is none', { FAIRGAME_PROVIDER_A_URL: 'alder' }],
    ['one name for both', { FAIRGAME_PROVIDER_B_NAME: 'Alder Games' }],
  ])('refused, and no key is named: %s', (_what, change) => {
    const { problems } = read({ ...good, ...change });
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join()).not.toContain(secret);
  });

  it('in production the pages are https', () => {
    expect(read(good, true).problems.join()).toContain('FAIRGAME_PROVIDER_A_ORIGIN');
  });

  it('the configuration that is logged has their names and no key', () => {
    const shown = JSON.stringify(
      maskConfig(
        loadConfig({
          ...good,
          FAIRGAME_SECRET: randomBytes(32).toString('hex'),
          FAIRGAME_OPERATOR_PASSWORD: 'a long enough password',
        }),
      ),
    );
    expect(shown).toContain('Alder Games');
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(good.FAIRGAME_PROVIDER_B_PRIVATE_KEYS!.slice(10));
  });
});

describe('a day compared', () => {
  const from = Date.UTC(2026, 6, 1);
  const HOUR = 3_600_000;
  type Theirs = WalletRow & { state: 'DONE' | 'PENDING' };
  const row = (txId: string, at: number, more: Partial<Theirs> = {}): Theirs => ({
    txId,
    kind: 'credit',
    playerRef: 'p',
    roundId: 'r',
    game: 'mines',
    currency: 'EUR',
    amountMinor: 100,
    at,
    state: 'DONE',
    ...more,
  });
  const within = (rows: readonly WalletRow[], a: number, b: number) => rows.filter(({ at }) => at >= a && at < b);

  function compare(theirs: Theirs[], ours: WalletRow[], now = from + 30 * HOUR) {
    const asked: Array<string | null> = [];
    const client = {
      // Two rows a page, so that pages are followed.
      transactions: (a: number, b: number, after: string | null) => {
        asked.push(after);
        const rows = within(theirs, a, b) as Theirs[];
        const start = after === null ? 0 : Number(after);
        return Promise.resolve({
          rows: rows.slice(start, start + 2),
          next: start + 2 < rows.length ? String(start + 2) : null,
        });
      },
    };
    const desk: WalletDesk = {
      playerRef: () => Promise.resolve('p'),
      movements: (_provider, a, b) => Promise.resolve(within(ours, a, b)),
      waits: (_provider, txId) => Promise.resolve(txId.startsWith('held')),
      movementsById: (_provider, ids) => Promise.resolve(ours.filter(({ txId }) => ids.includes(txId))),
    };
    return reconcile('a', client, desk, from, from + DAY_MS, now).then(({ differences, pending }) => ({
      pending,
      found: differences.map(({ kind, txId }) => `${kind} ${txId}`),
    }));
  }

  it('[PRV-11] a movement is the same on either side of midnight, and however late it was taken', async () => {
    const sent = [
      row('early', from - 20 * HOUR),
      row('edge', from - 50),
      row('late', from + 23 * HOUR),
      row('far', from),
    ];
    const taken = [
      row('early', from + HOUR),
      row('edge', from + 50),
      row('late', from + 40 * HOUR),
      row('far', from + 200 * HOUR),
    ];
    expect(await compare(sent, taken)).toEqual({ pending: 0, found: [] });
  });

  it('[PRV-11] every page is read, and the days beside are not this one', async () => {
    const sent = Array.from({ length: 9 }, (_, n) => row(`t${n}`, from + n * HOUR));
    const beside = [row('before', from - 2 * HOUR), row('after', from + 24 * HOUR)];
    expect(await compare([...sent, ...beside], sent.slice(0, 8))).toEqual({ pending: 0, found: ['missing t8'] });
  });

  it('[PRV-11] on its way for an hour, then missing; taken although the provider does not know is no difference', async () => {
    const sent = [
      row('young', from + 23 * HOUR, { state: 'PENDING' }),
      row('stuck', from + HOUR, { state: 'PENDING' }),
    ];
    expect(await compare(sent, [], from + 23.5 * HOUR)).toEqual({ pending: 1, found: ['missing stuck'] });
    expect(await compare(sent, [row('stuck', from + HOUR), row('young', from + 23 * HOUR)])).toEqual({
      pending: 0,
      found: [],
    });
  });

  it('[PRV-11] a win that waits for a person is not missing', async () => {
    const sent = [row('held-1', from + HOUR), row('gone', from + HOUR)];
    expect(await compare(sent, [])).toEqual({ pending: 1, found: ['missing gone'] });
  });

  it('[PRV-11] a stake taken back counts for nobody; a rollback that did not come counts', async () => {
    const debit = row('d', from + HOUR, { kind: 'debit' });
    const back = row('b', from + HOUR, { kind: 'rollback', refTx: 'd' });
    expect((await compare([back], [debit, back])).found).toEqual([]);
    expect((await compare([debit, back], [])).found).toEqual([]);
    expect((await compare([debit, back], [debit])).found).toEqual(['missing b']);
    expect((await compare([debit], [debit, back])).found).toEqual(['extra b']);
  });
});

describe('calls of a provider', () => {
  const apps: Array<ReturnType<typeof Fastify>> = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });

  async function make(
    debit: () => Promise<WalletAnswer>,
    more: { answerMs?: number; open?: boolean; query?: () => Promise<unknown[]> } = {},
  ) {
    const driver = driverA();
    const keys = driver.secrets.slice(0, 2).map((secret, at) => ({ id: `key-${at + 1}`, secret }));
    const app = Fastify();
    apps.push(app);
    const errors: unknown[] = [];
    const log = { info: () => {}, warn: () => {}, error: (what: unknown) => void errors.push(what), debug: () => {} };
    const wallet = {
      debit,
      credit: debit,
      balance: () => Promise.resolve({ code: 'OK' }),
    } as unknown as ProviderWallet;
    callbackRoutes({ app } as unknown as Http, {
      db: { query: (more.query ?? (() => Promise.resolve([{}]))) as never },
      provider: 'a',
      dialect: dialectA('a', keys),
      wallet,
      clock: Date.now,
      log: log as never,
      metrics: undefined,
      open: () => more.open ?? true,
      ...(more.answerMs === undefined ? {} : { answerMs: more.answerMs }),
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const move = { session: 's', player: 'p', round: 'r', game: 'mines', currency: 'EUR', amount: 100, closed: true };
    const send = (op: 'debit' | 'credit', tx = 't') => driver.send({ url, now: Date.now() }, { op, tx, ...move });
    return { send, errors, balance: () => driver.send({ url, now: Date.now() }, { op: 'balance', session: 's' }) };
  }

  it('[PRV-10] fifty at a time; the next is told to come again, and each that ends makes room', async () => {
    const waiting: Array<(answer: WalletAnswer) => void> = [];
    const { send } = await make(() => new Promise((resolve) => waiting.push(resolve)), { answerMs: 20_000 });
    const fifty = Array.from({ length: 50 }, (_, n) => send('debit', `t${n}`));
    await expect.poll(() => waiting.length).toBe(50);
    expect(await send('debit', 'one-too-many')).toMatchObject({ status: 503, code: 'RETRY', signed: true });
    waiting.shift()!({ code: 'OK' });
    await Promise.race(fifty);
    const next = send('debit', 'again');
    await expect.poll(() => waiting.length).toBe(50);
    for (const done of waiting.splice(0)) done({ code: 'OK' });
    expect((await next).code).toBe('OK');
    for (const said of await Promise.all(fifty)) expect(said.code).toBe('OK');
  });

  it('[PRV-10] in a storm the database hears of fifty calls, the rest is told at once to come again', async () => {
    const noted: Array<(rows: unknown[]) => void> = [];
    const { send } = await make(() => Promise.resolve({ code: 'OK' }), {
      // The first is the sweep of old nonces.
      query: () => new Promise((resolve) => noted.push(resolve)),
    });
    const fifty = Array.from({ length: 50 }, (_, n) => send('debit', `t${n}`));
    await expect.poll(() => noted.length).toBe(51);
    const over = await Promise.all(Array.from({ length: 20 }, (_, n) => send('debit', `over${n}`)));
    for (const said of over) expect(said).toMatchObject({ status: 503, code: 'RETRY', signed: true });
    expect(noted).toHaveLength(51);
    for (const done of noted.splice(0)) done([{}]);
    for (const said of await Promise.all(fifty)) expect(said.code).toBe('OK');
    const again = send('debit', 'over0');
    await expect.poll(() => noted.length).toBe(1);
    noted.shift()!([{}]);
    expect((await again).code).toBe('OK');
  });

  it('what is not decided in time is answered RETRY, signed', async () => {
    const { send } = await make(() => new Promise(() => {}), { answerMs: 50 });
    expect(await send('debit')).toMatchObject({ status: 503, code: 'RETRY', signed: true });
  });

  it('a movement sent again while the first is at work breeds no second work, and takes no place of another', async () => {
    const waiting: Array<(answer: WalletAnswer) => void> = [];
    let quick = false;
    const { send } = await make(
      () => (quick ? Promise.resolve({ code: 'OK' }) : new Promise((resolve) => waiting.push(resolve))),
      { answerMs: 300 },
    );
    // A provider whose patience ends asks again and again, for each of 49 movements.
    const stalled = Array.from({ length: 49 }, (_, n) => `t${n}`);
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(stalled.map((tx) => send('debit', tx)));
      expect(new Set(answers.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['503 RETRY']));
    }
    expect(waiting).toHaveLength(49);
    const other = send('debit', 'other');
    await expect.poll(() => waiting.length).toBe(50);
    // Another movement under the same id is not the same: it finds no place, and nothing is done for it.
    expect(await send('credit', 't0')).toMatchObject({ status: 503, code: 'RETRY' });
    expect(waiting).toHaveLength(50);
    await other;
    quick = true;
    for (const done of waiting) done({ code: 'OK' });
    expect((await send('debit', 't0')).code).toBe('OK');
  });

  it('an error of ours is RETRY and in the log, never a loss of words', async () => {
    const { send, errors } = await make(() => Promise.reject(new Error('broken')));
    expect(await send('credit')).toMatchObject({ status: 503, code: 'RETRY', signed: true });
    expect(errors).toHaveLength(1);
  });

  it('a provider that is switched off takes no stake, and still pays', async () => {
    const { send } = await make(() => Promise.resolve({ code: 'OK' }), { open: false });
    expect((await send('debit')).code).toBe('INVALID_GAME');
    expect((await send('credit')).code).toBe('OK');
  });
});
