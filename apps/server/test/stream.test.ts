import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '@fairgame/exchange';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Db, silent } from '../src/db/db.ts';
import type { Feed, FeedOutput } from '../src/feed/feed.ts';
import { nothingKnown } from '../src/feed/known.ts';
import { openSource } from '../src/feed/sources.ts';
import { type StreamOptions, streamFeed, streamSettings } from '../src/feed/stream.ts';
import { madeDefinition } from './replay-fixtures.ts';
import { startStreamServer } from './stream-server.ts';

const OPENSSL = 'openssl';
/** The machine's own, also where the feed's pauses are in the hand of a test. */
const pause = setTimeout;
const closing: Array<() => Promise<void> | void> = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function exchange(options: Parameters<typeof startStreamServer>[0] = {}) {
  const server = await startStreamServer(options);
  closing.push(() => server.close());
  return server;
}

const RUNNERS = [1, 2].map((id) => ({ id, status: 'ACTIVE' }));
const definition = (version: number, fields: Record<string, unknown> = {}): Record<string, unknown> =>
  madeDefinition(RUNNERS, { version, ...fields });
const image = (id: string, back: number, version = 1): Record<string, unknown> => ({
  id,
  img: true,
  marketDefinition: definition(version),
  rc: [{ id: 1, atb: [[back, 50]] }],
});

describe('the live stream', () => {
  it('signs in, subscribes and puts the markets on the site', async () => {
    const server = await exchange();
    const { outputs, until } = watch(server.port);
    const client = await server.client();
    expect(client.said[0]).toMatchObject({ op: 'authentication', appKey: 'key', session: 'token' });
    expect(client.said[1]).toMatchObject({
      op: 'marketSubscription',
      marketFilter: { eventTypeIds: ['7'] },
      heartbeatMs: 100,
    });
    expect(client.said[1]).not.toHaveProperty('clk');
    client.tell({ op: 'mcm', ct: 'SUB_IMAGE', initialClk: 'i', clk: 'c1', pt: 1, mc: [image('1.1', 2)] });
    await until(() => booksOf(outputs).length === 1);
    expect(booksOf(outputs)[0]).toMatchObject({ runners: [{ runnerId: 1, backable: [[200, 5000]], layable: [] }] });
  });

  it('suspends at once when the connection breaks, resubscribes from its clock and opens on fresh prices', async () => {
    const server = await exchange();
    const { outputs, until } = watch(server.port);
    const first = await server.client();
    first.tell({ op: 'mcm', ct: 'SUB_IMAGE', initialClk: 'i', clk: 'c1', pt: 1, mc: [image('1.1', 2)] });
    first.tell({ op: 'mcm', clk: 'c2', pt: 2, mc: [{ id: '1.1', rc: [{ id: 1, atb: [[2.02, 10]] }] }] });
    await until(() => booksOf(outputs).length > 0);
    first.close();
    await until(() => statesOf(outputs).length === 1);
    expect(statesOf(outputs)[0]).toMatchObject({ status: 'SUSPENDED', reason: 'Feed lost' });
    expect(booksOf(outputs).at(-1)).toMatchObject({ runners: [{ runnerId: 1, backable: [], layable: [] }] });
    const second = await server.client();
    expect(second.said[1]).toMatchObject({ initialClk: 'i', clk: 'c2' });
    // A heartbeat is no price: nothing opens on it.
    second.tell({ op: 'mcm', ct: 'HEARTBEAT', clk: 'c2', pt: 3 });
    await new Promise((done) => setTimeout(done, 30));
    expect(statesOf(outputs)).toHaveLength(1);
    second.tell({
      op: 'mcm',
      ct: 'RESUB_DELTA',
      clk: 'c3',
      pt: 3,
      mc: [
        {
          id: '1.1',
          rc: [
            {
              id: 1,
              atb: [
                [2.02, 0],
                [1.9, 7],
              ],
            },
          ],
        },
      ],
    });
    await until(() => statesOf(outputs).length === 2 && booksOf(outputs).at(-1)!.runners[0]!.backable.length > 0);
    expect(statesOf(outputs)[1]).toMatchObject({ status: 'OPEN' });
    expect(booksOf(outputs).at(-1)!.runners).toEqual([
      {
        runnerId: 1,
        backable: [
          [200, 5000],
          [190, 700],
        ],
        layable: [],
      },
    ]);
  });

  it('tells an event again whose start is moved', async () => {
    const server = await exchange();
    const { outputs, until } = watch(server.port);
    const client = await server.client();
    const starts = () => outputs.flatMap((output) => (output.type === 'event' ? [output.event.startAt] : []));
    client.tell({ op: 'mcm', ct: 'SUB_IMAGE', initialClk: 'i', clk: 'c1', pt: 1, mc: [image('1.1', 2)] });
    await until(() => starts().length === 1);
    const marketTime = '2031-05-06T15:00:00.000Z';
    const moved = { id: '1.1', marketDefinition: definition(2, { marketTime }) };
    client.tell({ op: 'mcm', clk: 'c2', pt: 2, mc: [moved] });
    await until(() => starts().length === 2);
    expect(starts()[1]).toBe(Date.parse(marketTime));
  });

  it('takes silence for a break', async () => {
    const server = await exchange();
    const { outputs, until, logged } = watch(server.port);
    const client = await server.client();
    client.tell({ op: 'mcm', ct: 'SUB_IMAGE', initialClk: 'i', clk: 'c1', pt: 1, mc: [image('1.1', 2)] });
    await until(() => statesOf(outputs).some((state) => state.reason === 'Feed lost'));
    expect(logged).toContain('stream: silent, connecting again');
    expect((await server.client()).said).toHaveLength(2);
  });

  it('after a new image, markets it does not name stay suspended until they are heard of', async () => {
    const server = await exchange();
    const { outputs, until } = watch(server.port);
    const first = await server.client();
    first.tell({
      op: 'mcm',
      ct: 'SUB_IMAGE',
      initialClk: 'i',
      clk: 'c1',
      pt: 1,
      segmentType: 'SEG_START',
      mc: [image('1.1', 2)],
    });
    first.tell({ op: 'mcm', ct: 'SUB_IMAGE', clk: 'c2', pt: 1, segmentType: 'SEG_END', mc: [image('1.2', 3)] });
    await until(() => booksOf(outputs).length >= 2);
    first.tell({ op: 'status', id: 2, statusCode: 'FAILURE', errorCode: 'INVALID_CLOCK' });
    const second = await server.client();
    expect(second.said[1]).not.toHaveProperty('clk');
    second.tell({ op: 'mcm', ct: 'SUB_IMAGE', initialClk: 'j', clk: 'd1', pt: 5, mc: [image('1.2', 4)] });
    const opened = (): number[] =>
      statesOf(outputs).flatMap((state) => (state.status === 'OPEN' ? [state.marketId] : []));
    await until(() => opened().length === 1);
    const [onTwo] = opened();
    second.tell({ op: 'mcm', clk: 'd2', pt: 6, mc: [{ id: '1.1', rc: [{ id: 1, atb: [[1.5, 5]] }] }] });
    await until(() => opened().length === 2);
    expect(opened()[1]).not.toBe(onTwo);
  });

  it('suspends while the server says that its data is late', async () => {
    const server = await exchange();
    const { outputs, until } = watch(server.port);
    const client = await server.client();
    client.tell({ op: 'mcm', ct: 'SUB_IMAGE', initialClk: 'i', clk: 'c1', pt: 1, mc: [image('1.1', 2)] });
    client.tell({ op: 'mcm', ct: 'HEARTBEAT', clk: 'c1', pt: 2, status: 503 });
    await until(() => statesOf(outputs).length === 1);
    expect(statesOf(outputs)[0]).toMatchObject({ status: 'SUSPENDED', reason: 'Prices are late' });
    client.tell({ op: 'mcm', ct: 'HEARTBEAT', clk: 'c1', pt: 3 });
    await until(() => statesOf(outputs).length === 2);
    expect(statesOf(outputs)[1]).toMatchObject({ status: 'OPEN' });
  });

  it('tells why it was refused, and tries again more slowly', async () => {
    const server = await exchange({ refuse: 'INVALID_SESSION_INFORMATION' });
    // Its pauses are the test's, known by their length: other files of this worker have timers of their own.
    const pauses = [3001, 6002, 12_004, 24_008];
    const held: Array<{ ms: number; end: () => void }> = [];
    const over = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((end: () => void, ms: number, ...rest: []) => {
      if (!pauses.includes(ms)) return pause(end, ms, ...rest);
      held.push({ ms, end });
      return undefined;
    }) as typeof setTimeout);
    closing.push(() => over.mockRestore());
    const { logged, until } = watch(server.port, { retryMs: pauses[0]! });
    for (const [at, ms] of pauses.entries()) {
      await until(() => held.length === 1);
      expect(logged).toEqual(Array(at + 1).fill('stream: refused INVALID_SESSION_INFORMATION'));
      expect(held[0]!.ms).toBe(ms);
      held.pop()!.end();
    }
  });

  it('that cannot connect is an error in the log, once, and seen by metrics', async () => {
    const server = await exchange({ refuse: 'INVALID_SESSION_INFORMATION' });
    const errors: string[] = [];
    const source = (await openSource({
      kind: 'stream',
      seed: undefined,
      speed: 1,
      files: [],
      db: { query: () => Promise.resolve([]) } as unknown as Db,
      log: { ...silent, error: (_, text) => errors.push(text) },
      clock: Date.now,
      watched: () => false,
      market: () => undefined,
      env: {
        FAIRGAME_FEED_HOST: '127.0.0.1',
        FAIRGAME_FEED_PORT: String(server.port),
        FAIRGAME_FEED_TLS: 'off',
        FAIRGAME_FEED_APP_KEY: 'key',
        FAIRGAME_FEED_SESSION: 'token',
      },
    }))!;
    closing.unshift(() => source.feed.stop());
    source.feed.start(() => {});
    await expect.poll(() => source.troubles(), { timeout: 10_000 }).toBeGreaterThan(1);
    expect(errors).toEqual(['stream: refused INVALID_SESSION_INFORMATION']);
    expect(source.connected()).toBe(false);
  });

  it('[FLT-17] takes data that lags, or is told again and again, for late', async () => {
    const server = await exchange();
    let steady = 1_000_000;
    const { outputs, until, logged } = watch(server.port, { steadyNow: () => steady, heartbeatMs: 60_000 });
    const client = await server.client();
    client.tell({ op: 'mcm', ct: 'SUB_IMAGE', initialClk: 'i', clk: 'c1', pt: 5000, mc: [image('1.1', 2)] });
    await until(() => booksOf(outputs).length === 1);
    // Nine seconds on, a line of five seconds on: on its way for four.
    steady += 9000;
    client.tell({ op: 'mcm', clk: 'c2', pt: 10_000, mc: [{ id: '1.1', rc: [{ id: 1, atb: [[2.02, 10]] }] }] });
    await until(() => booksOf(outputs).length === 2);
    expect(statesOf(outputs)).toEqual([]);
    steady += 8000;
    client.tell({ op: 'mcm', clk: 'c2', pt: 10_000, mc: [{ id: '1.1', rc: [{ id: 1, atb: [[2.02, 10]] }] }] });
    await until(() => statesOf(outputs).length === 1);
    expect(statesOf(outputs)[0]).toMatchObject({ status: 'SUSPENDED', reason: 'Prices are late' });
    expect(logged).toContain('stream: its data is late');
    client.tell({ op: 'mcm', clk: 'c3', pt: 22_000, mc: [{ id: '1.1', rc: [{ id: 1, atb: [[2.04, 10]] }] }] });
    await until(() => statesOf(outputs).length === 2);
    expect(statesOf(outputs)[1]).toMatchObject({ status: 'OPEN' });
  });

  it('tells prices in doubt again, from a whole image', async () => {
    const server = await exchange();
    const { feed, outputs, until } = watch(server.port);
    const client = await server.client();
    client.tell({ op: 'mcm', id: 2, ct: 'SUB_IMAGE', initialClk: 'i', clk: 'c1', pt: 1, mc: [image('1.1', 2)] });
    await until(() => booksOf(outputs).length === 1);
    const { marketId } = booksOf(outputs)[0]!;
    feed.again!([marketId]);
    feed.again!([marketId]);
    await server.client();
    expect(client.said.at(-1)).toMatchObject({ op: 'marketSubscription', id: 3 });
    expect(client.said).toHaveLength(3);
    // What is left of the subscription before says nothing.
    client.tell({ op: 'mcm', id: 2, clk: 'c2', pt: 2, mc: [{ id: '1.1', rc: [{ id: 1, atb: [[9, 1]] }] }] });
    client.tell({ op: 'mcm', id: 3, ct: 'SUB_IMAGE', initialClk: 'j', clk: 'd1', pt: 3, mc: [image('1.1', 2)] });
    await until(() => booksOf(outputs).length === 2);
    expect(booksOf(outputs)[1]!.runners).toEqual(booksOf(outputs)[0]!.runners);
  });

  it('skips a malformed line and goes on', async () => {
    const server = await exchange();
    const { outputs, until, logged } = watch(server.port);
    const client = await server.client();
    client.raw('{"op":"mcm","pt":\r\n\r\n');
    client.tell({ op: 'mcm', ct: 'SUB_IMAGE', initialClk: 'i', clk: 'c1', pt: 1, mc: [image('1.1', 2)] });
    await until(() => booksOf(outputs).length === 1);
    expect(logged).toContain('stream: malformed line skipped: not JSON');
  });

  it('refuses to send credentials without TLS to another machine', () => {
    expect(() => streamFeed(settings(1, { host: '192.0.2.1' }))).toThrow('for this machine only');
  });

  it('reads its settings from the environment and names what is missing', () => {
    const env = {
      FAIRGAME_FEED_HOST: 'h',
      FAIRGAME_FEED_APP_KEY: 'k',
      FAIRGAME_FEED_SESSION: 's',
      FAIRGAME_FEED_FILTER: '{"eventTypeIds":["1"]}',
    };
    expect(streamSettings(env)).toEqual({
      host: 'h',
      port: 443,
      secure: true,
      appKey: 'k',
      session: 's',
      marketFilter: { eventTypeIds: ['1'] },
    });
    expect(() => streamSettings({ ...env, FAIRGAME_FEED_SESSION: '' })).toThrow('FAIRGAME_FEED_SESSION');
    expect(() => streamSettings({ ...env, FAIRGAME_FEED_FILTER: '[]' })).toThrow(
      'FAIRGAME_FEED_FILTER is not a JSON object',
    );
    expect(() => streamSettings({ ...env, FAIRGAME_FEED_PORT: '99999' })).toThrow('FAIRGAME_FEED_PORT is not a port');
  });

  const openssl = hasOpenssl();
  it.skipIf(!openssl)(
    `speaks TLS and trusts only the certificate it is given${openssl ? '' : ' (skipped: no openssl on this machine to make one)'}`,
    async () => {
      const identity = certificate();
      const server = await exchange({ identity });
      const trusting = watch(server.port, { secure: true, ca: identity.cert, host: 'localhost' });
      const client = await server.client();
      client.tell({ op: 'mcm', ct: 'SUB_IMAGE', initialClk: 'i', clk: 'c1', pt: 1, mc: [image('1.1', 2)] });
      await trusting.until(() => booksOf(trusting.outputs).length === 1);
      const doubting = watch(server.port, { secure: true, host: 'localhost' });
      await doubting.until(() => doubting.logged.some((text) => /self-signed/.test(text)));
      expect(doubting.outputs).toEqual([]);
    },
  );
});

function watch(
  port: number,
  options: Partial<StreamOptions> = {},
): { feed: Feed; outputs: FeedOutput[]; logged: string[]; until: (what: () => boolean) => Promise<void> } {
  const outputs: FeedOutput[] = [];
  const logged: string[] = [];
  const feed = streamFeed(settings(port, { log: (text) => logged.push(text), ...options }));
  feed.start((batch) => outputs.push(...batch));
  // Before the servers: they wait for their connections to end.
  closing.unshift(() => feed.stop());
  const until = async (what: () => boolean): Promise<void> => {
    // So many turns, not so long: a machine that stood still has not looked yet.
    for (let turns = 0; !what(); turns++) {
      if (turns > 1000) throw new Error(`waited in vain; heard ${JSON.stringify(outputs)} and ${logged.join('; ')}`);
      await new Promise((done) => pause(done, 5));
    }
  };
  return { feed, outputs, logged, until };
}

function settings(port: number, options: Partial<StreamOptions> = {}): StreamOptions {
  let last = 0;
  return {
    host: '127.0.0.1',
    port,
    secure: false,
    appKey: 'key',
    session: 'token',
    marketFilter: { eventTypeIds: ['7'] },
    known: nothingKnown({ next: () => ++last }),
    heartbeatMs: 100,
    conflateMs: 5,
    retryMs: 20,
    ...options,
  };
}

function booksOf(outputs: FeedOutput[]): Array<Extract<Command, { type: 'house.book' }>> {
  return outputs.flatMap((output) =>
    output.type === 'command' && output.command.type === 'house.book' ? [output.command] : [],
  );
}

function statesOf(outputs: FeedOutput[]): Array<Extract<Command, { type: 'market.state' }>> {
  return outputs.flatMap((output) =>
    output.type === 'command' && output.command.type === 'market.state' ? [output.command] : [],
  );
}

function hasOpenssl(): boolean {
  try {
    execFileSync(OPENSSL, ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function certificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-tls-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const args = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost',
  ];
  execFileSync(OPENSSL, [...args, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}
