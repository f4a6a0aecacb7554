import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { chaosFrom } from '../../src/host/chaos.ts';
import { createNonces, providerEnv } from '../../src/host/host.ts';
import { openJournal } from '../../src/host/journal.ts';
import { GAMES } from '../../src/studio.ts';
import { type Bench, bench, gamesOf } from './fakes.ts';
import { steps, wheel } from './test-games.ts';

const folder = mkdtempSync(join(tmpdir(), 'provider-'));
const open: Bench[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.host.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the page of a provider', () => {
  const start = () => {
    const page = join(folder, 'page');
    mkdirSync(join(page, 'assets'), { recursive: true });
    writeFileSync(join(page, 'index.html'), '<!doctype html><title>Game</title>');
    writeFileSync(join(page, 'assets/main.js'), 'export {};');
    writeFileSync(join(folder, 'secret.txt'), 'not for you');
    const made = bench({
      codes: ['steps', 'wheel'],
      games: gamesOf(steps, wheel),
      pageFolder: page,
      parentOrigins: ['http://localhost:3000', 'http://127.0.0.1:3000'],
    });
    open.push(made);
    return made.host.http;
  };

  it('[PRV-14] may be framed by the site alone, and loads from its own origin alone', async () => {
    const reply = await start().inject('/play?s=anything');
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toContain('text/html');
    const policy = String(reply.headers['content-security-policy']);
    expect(policy).toContain("default-src 'self';");
    expect(policy).toContain('frame-ancestors http://localhost:3000 http://127.0.0.1:3000');
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });

  it('serves the files of the page and nothing beside them', async () => {
    const http = start();
    const script = await http.inject('/assets/main.js');
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/assets/../../secret.txt', '/none'])
      expect([path, (await http.inject(path)).statusCode]).toEqual([path, 404]);
  });

  it('draws a tile of every game for the lobby of the site', async () => {
    const made = bench({ codes: [...GAMES.keys()] });
    open.push(made);
    const seen = new Set<string>();
    for (const { code, thumb } of made.host.operator.list()) {
      const reply = await made.host.http.inject(thumb);
      expect([code, reply.statusCode]).toEqual([code, 200]);
      expect(reply.headers).toMatchObject({
        'content-type': 'image/svg+xml; charset=utf-8',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(reply.body).toMatch(/^<svg [^>]+>[\s\S]+<\/svg>\s*$/);
      expect(reply.body).not.toMatch(/NaN|undefined|<script|href/);
      seen.add(reply.body);
    }
    expect(seen.size).toBe(GAMES.size);
    expect((await made.host.http.inject('/thumb/none.svg')).statusCode).toBe(404);
  });

  it('answers a call with a broken body as a refusal', async () => {
    const reply = await start().inject({
      method: 'POST',
      url: '/page/open',
      headers: { 'content-type': 'application/json' },
      payload: '{"s":',
    });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ error: { code: 'BAD_INPUT' } });
  });
});

describe('the journal', () => {
  const all = { keep: () => true };

  it('gives back the latest of each entry, passes over a torn line, and drops what is of no use', () => {
    const file = join(folder, 'journal.jsonl');
    const first = openJournal(file, all).journal;
    first.put('round', 'a', { n: 1 });
    first.put('round', 'a', { n: 2 });
    first.put('round', 'b', { n: 3 });
    appendFileSync(file, '{"k":"round","i":"c","v":{"n"');
    const told: string[] = [];
    const again = openJournal(file, {
      keep: (_kind, value) => (value as { n: number }).n !== 3,
      log: (text) => told.push(text),
    });
    expect([...again.remembered.get('round')!]).toEqual([['a', { n: 2 }]]);
    expect(readFileSync(file, 'utf8')).toBe('{"k":"round","i":"a","v":{"n":2}}\n');
    expect(told).toEqual([]);
    again.journal.put('round', 'd', { n: 4 });
    again.journal.close();
    first.close();
    expect(openJournal(file, all).remembered.get('round')!.size).toBe(2);
  });

  it('says which lines cannot be read, and keeps the file as it was', () => {
    const file = join(folder, 'broken.jsonl');
    const text = '{"k":"tx","i":"a","v":1}\n{"k":"tx","i\nnull\n{"k":"tx","i":"c","v":3}\n';
    writeFileSync(file, text);
    const told: object[] = [];
    const { remembered } = openJournal(file, { ...all, log: (_text, what) => told.push(what) });
    expect([...remembered.get('tx')!.keys()]).toEqual(['a', 'c']);
    expect(told).toEqual([{ lines: 2, first: 2, copy: expect.stringContaining('broken.jsonl.broken-') }]);
    expect(readFileSync((told[0] as { copy: string }).copy, 'utf8')).toBe(text);
  });

  it('reads lines that lie over the borders of what is read at once', () => {
    const file = join(folder, 'large.jsonl');
    const { journal } = openJournal(file, all);
    const value = { text: 'ä€'.repeat(40_000) };
    for (let i = 0; i < 40; i++) journal.put('round', String(i), { i, ...value });
    journal.close();
    const entries = [...openJournal(file, all).remembered.get('round')!];
    expect(entries.map(([id, one]) => [id, (one as { i: number }).i])).toEqual(
      Array.from({ length: 40 }, (_, i) => [String(i), i]),
    );
    expect(entries.every(([, one]) => (one as typeof value).text === value.text)).toBe(true);
  });

  it('stays as small as what is of use while the host runs, and forgets the rest', async () => {
    const file = join(folder, 'growing.jsonl');
    const gone: string[] = [];
    let oldest = 0;
    const { journal, remembered } = openJournal(file, {
      keep: (_kind, value) => (value as number) >= oldest,
      dropped: (_kind, id) => gone.push(id),
      growBytes: 1000,
    });
    for (let i = 0; i < 1000; i++) {
      oldest = i - 5;
      journal.put('round', String(i), i);
      if (i % 100 === 0) await journal.synced();
    }
    expect(readFileSync(file).length).toBeLessThan(5000);
    expect(remembered.get('round')!.size + gone.length).toBe(1000);
    expect(remembered.get('round')!.has('999')).toBe(true);
    journal.close();
    expect([...openJournal(file, all).remembered.get('round')!.keys()].at(-1)).toBe('999');
  });
});

describe('settings', () => {
  it('reads CHAOS, and refuses what it does not know', () => {
    const chaos = chaosFrom('delay=0.2:800, duplicate=0.5:3,lostReply');
    expect(chaos.delay).toEqual({ chance: 0.2, size: 800 });
    expect(chaos.duplicate).toEqual({ chance: 0.5, size: 3 });
    expect(chaos.lostReply.chance).toBe(1);
    expect(chaos.replay.chance).toBe(0);
    expect(chaosFrom('').delay.chance).toBe(0);
    for (const wrong of ['dely=1', 'delay=2', 'delay=-1', 'delay;1']) expect(() => chaosFrom(wrong)).toThrow(/CHAOS/);
  });

  it('reads the environment, keys from a file too', () => {
    const file = join(folder, 'keys');
    writeFileSync(file, 'k1:aa\nk2:bb=\n');
    const env = providerEnv(
      { PORT: '7109', PARENT_ORIGIN: 'http://a.test/x, http://b.test', KEYS_FILE: file, FAIRGAME_DATA: folder },
      'a',
      7101,
      '/nowhere/main.js',
    );
    expect(env).toMatchObject({
      port: 7109,
      publicOrigin: 'http://localhost:7109',
      parentOrigins: ['http://a.test', 'http://b.test'],
      dataFolder: join(folder, 'provider-a'),
    });
    expect(env.keys('KEYS')).toEqual([
      { id: 'k1', value: 'aa' },
      { id: 'k2', value: 'bb=' },
    ]);
    expect(() => env.keys('OTHER')).toThrow(/OTHER is needed/);
    expect(() => providerEnv({ PORT: 'x' }, 'a', 7101, '/x')).toThrow(/PORT/);
    expect(() => providerEnv({ PUBLIC_URL: 'x' }, 'a', 7101, '/x')).toThrow(/PUBLIC_URL/);
  });

  it('[PRV-01] takes a nonce once and only near its time', () => {
    const nonces = createNonces();
    const now = 1_790_000_000_000;
    expect(nonces.take(now, 'a'.repeat(16), now)).toBe(true);
    expect(nonces.take(now, 'a'.repeat(16), now + 299_000)).toBe(false);
    expect(nonces.take(now - 300_001, 'b'.repeat(16), now)).toBe(false);
    expect(nonces.take(now + 300_001, 'b'.repeat(16), now)).toBe(false);
    expect(nonces.take(now, 'short', now)).toBe(false);
    expect(nonces.take(Number.NaN, 'b'.repeat(16), now)).toBe(false);
  });
});

it('a provider starts, says where it is, and ends at SIGTERM', async () => {
  const main = fileURLToPath(new URL('../../../../apps/provider-a/src/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    env: { PATH: process.env.PATH, PORT: '0', FAIRGAME_DATA: folder, PROVIDER_KEYS: `k1:${'00'.repeat(32)}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (part: Buffer) => resolve(String(part))),
  );
  const url = /^ready (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(line)?.[1];
  expect(url).toBeDefined();
  expect(await (await fetch(`${url}/liveness`)).json()).toEqual({ code: 0 });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}, 30_000);
