import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CALLS, type CardTable } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPictures } from '../src/casino/pictures.ts';
import { makeServer } from './server.ts';

let studio: Server;
let host: string;
const asked: string[] = [];
const PAGES: Readonly<Record<string, [number, Record<string, string>]>> = {
  '/teen20': [200, { 'content-type': 'text/html' }],
  '/dt20': [200, { 'x-frame-options': 'DENY' }],
  '/dt6': [200, { 'content-security-policy': "default-src *; frame-ancestors 'none'" }],
  '/aaa': [200, { 'content-security-policy': 'frame-ancestors https://play.example' }],
};

beforeAll(async () => {
  studio = createServer((req, res) => {
    asked.push(req.url!);
    if (req.url === '/ab20') return;
    const [status, headers] = PAGES[req.url!] ?? [404, {}];
    res.writeHead(status, headers).end('<!doctype html><title>Table</title>');
  });
  await new Promise<void>((done) => studio.listen(0, '127.0.0.1', done));
  host = `http://127.0.0.1:${(studio.address() as AddressInfo).port}`;
});
afterAll(() => {
  studio.closeAllConnections();
  studio.close();
});

describe('pictures of the tables', () => {
  it('one that comes is shown; one that is not there, may not be framed or says nothing is down', async () => {
    const pictures = createPictures(host, () => 0);
    const down = async (code: string) => {
      await pictures.look(code);
      return pictures.down(code);
    };
    expect(pictures.url('teen20')).toBe(`${host}/teen20`);
    expect(await down('teen20')).toBe(false);
    expect(await down('aaa')).toBe(false);
    for (const code of ['poker', 'dt20', 'dt6', 'ab20']) expect([code, await down(code)]).toEqual([code, true]);
  });

  it('is asked once for many readers, and again when what is known is old', async () => {
    let now = 0;
    const pictures = createPictures(host, () => now);
    asked.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => pictures.look('teen20')));
    await pictures.look('teen20');
    expect(asked).toEqual(['/teen20']);
    now = 31_000;
    await pictures.look('teen20');
    for (const end = Date.now() + 2000; asked.length < 2 && Date.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked).toEqual(['/teen20', '/teen20']);
  });

  it('without a host there is none, and nothing is asked', async () => {
    const pictures = createPictures(undefined, () => 0);
    asked.length = 0;
    await pictures.look('teen20');
    expect([pictures.url('teen20'), pictures.down('teen20'), asked]).toEqual([null, false, []]);
  });

  it('[CAS-11] a table tells its picture and that it is down; the policy allows frames of that host and no other', async () => {
    const site = await makeServer({ FAIRGAME_STREAM_HOST: 'https://127.0.0.1:1' });
    try {
      const { token } = await site.player();
      const table = (await site.call(CALLS.casino.table, { query: { type: 'teen20' } }, { token })).data as CardTable;
      expect(table.videoInfo).toMatchObject({ url: 'https://127.0.0.1:1/teen20', down: true });
      const policy = (await fetch(site.url)).headers.get('content-security-policy');
      expect(policy).toContain("; frame-src 'self' https://127.0.0.1:1;");
    } finally {
      await site.close();
    }
  });
});
