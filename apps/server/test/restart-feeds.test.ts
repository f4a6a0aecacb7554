/** A restart on a live or recorded feed costs nobody his bet: the program itself, ended in order and killed. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyCall, CALLS, type InputOf, type ReplyOf } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyEmptyDatabase } from './empty-database.ts';
import { endPrograms, freePort, type Program, startProgram } from './program.ts';
import { madeDefinition, writeLines } from './replay-fixtures.ts';
import { type StreamClient, type StreamServer, startStreamServer } from './stream-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'fairgame-feeds-'));
afterAll(() => {
  endPrograms();
  rmSync(folder, { recursive: true, force: true });
});

const HOUR = 3_600_000;
const POLL = { timeout: 40_000, interval: 100 };
const definition = (fields: Record<string, unknown>, winner?: number): Record<string, unknown> =>
  madeDefinition(
    [1, 2].map((id) => ({
      id,
      status: fields.status === 'CLOSED' ? (id === winner ? 'WINNER' : 'LOSER') : 'ACTIVE',
    })),
    { marketTime: new Date(Date.now() + HOUR).toISOString(), ...fields },
  );
const image = (id: string, back: number, fields: Record<string, unknown> = {}) => ({
  id,
  img: true,
  marketDefinition: definition(fields),
  rc: [
    { id: 1, atb: [[back, 50]], atl: [[back + 0.1, 50]] },
    { id: 2, atb: [[back, 50]], atl: [[back + 0.1, 50]] },
  ],
});

/** A running site, and its player who bets. */
class Site {
  private token = '';
  private keys = 0;
  private readonly port: number;
  private readonly env: Record<string, string>;
  program!: Program;
  constructor(port: number, env: Record<string, string>) {
    this.port = port;
    this.env = env;
  }

  async start(more: Record<string, string> = {}): Promise<void> {
    if (this.token === '') {
      mkdirSync(this.env.FAIRGAME_DATA!, { mode: 0o700 });
      await copyEmptyDatabase(join(this.env.FAIRGAME_DATA!, 'db'));
    }
    this.program = await startProgram({ PORT: String(this.port), FAIRGAME_LIMIT_FACTOR: '0', ...this.env, ...more });
    if (this.token !== '') return;
    const password = /^ {2}alice +(\S+)/m.exec(this.program.output())![1]!;
    this.token = (await this.call(CALLS.auth.login, { body: { userName: 'alice', password } })).token;
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.program.child.kill(signal);
    expect(await this.program.ended).toBe(signal === 'SIGTERM' ? 0 : null);
  }

  async call<C extends AnyCall>(call: C, input: InputOf<C>): Promise<ReplyOf<C>> {
    const { params = {}, query, body } = input as { params?: object; query?: Record<string, string>; body?: unknown };
    const path = call.path.replace(/:(\w+)/g, (_, name: string) => String((params as Record<string, string>)[name]));
    const answer = await fetch(`http://127.0.0.1:${this.port}/api${path}?${new URLSearchParams(query).toString()}`, {
      method: call.method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const told = (await answer.json()) as { data: ReplyOf<C> };
    if (!answer.ok) throw new Error(`${call.name}: ${JSON.stringify(told)}`);
    return told.data;
  }

  /** The first market of each open match, by match. */
  async markets() {
    const { matches } = await this.call(CALLS.catalog.list, { query: {} });
    return matches.flatMap(({ id, head }) => (head ? [{ matchId: id, head }] : []));
  }

  /** Backs the first runner of a market with 10.00. */
  async bet({ matchId, head }: Awaited<ReturnType<Site['markets']>>[number], odd: number): Promise<number> {
    const key = `restart-feeds-${++this.keys}-aaaaaaaa`;
    const runnerId = head.runners[0]!.id;
    const body = { key, betId: head.id, matchId, runnerId, bettingType: 'BACK' as const, odd, stake: 1000 };
    const { bet } = await this.call(CALLS.bets.place, { body });
    expect(bet.matched).toBe(1000);
    return head.id;
  }

  /** Results of the player's bets in a market, oldest first. */
  async results(marketId: number): Promise<string[]> {
    const { rows } = await this.call(CALLS.bets.list, { query: { betId: `eq${marketId}`, sort: 'id:ASC' } });
    return rows.map((row) => row.result ?? 'PENDING');
  }
}

describe('a live stream', () => {
  let server: StreamServer;
  let site: Site;
  beforeAll(async () => {
    server = await startStreamServer();
    site = new Site(await freePort(), {
      FAIRGAME_DATA: join(folder, 'stream'),
      FAIRGAME_FEED: 'stream',
      FAIRGAME_FEED_HOST: '127.0.0.1',
      FAIRGAME_FEED_PORT: String(server.port),
      FAIRGAME_FEED_TLS: 'off',
      FAIRGAME_FEED_APP_KEY: 'key',
      FAIRGAME_FEED_SESSION: 'token',
    });
  });
  afterAll(() => server.close());

  const asked = (client: StreamClient) => client.said.at(-1)!;

  it('[INV-09] SIGTERM and SIGKILL void nothing: bets stand, markets keep their numbers, results come, also those told meanwhile', async () => {
    await site.start();
    const first = await server.client();
    expect(asked(first)).not.toHaveProperty('clk');
    const mc = [image('1.1', 2), image('1.2', 3, { eventId: '77' })];
    first.tell({ op: 'mcm', id: 2, ct: 'SUB_IMAGE', initialClk: 'i', clk: 'c1', pt: 1, mc });
    await expect
      .poll(async () => (await site.markets()).filter(({ head }) => head.runners[0]!.back.length > 0).length, POLL)
      .toBe(2);
    const markets = await site.markets();
    const one = await site.bet(markets.find(({ head }) => head.runners[0]!.back[0]![0] === 200)!, 200);
    const two = await site.bet(markets.find(({ head }) => head.runners[0]!.back[0]![0] === 300)!, 300);
    await site.end('SIGTERM');

    // While it is away, market one gets its result: asked for from the stored clock, it is told before the new image.
    await site.start();
    const second = await server.client();
    expect(asked(second)).toMatchObject({ initialClk: 'i', clk: 'c1' });
    const closed = { id: '1.1', marketDefinition: definition({ version: 2, status: 'CLOSED' }, 1) };
    second.tell({
      op: 'mcm',
      id: 2,
      ct: 'RESUB_DELTA',
      clk: 'c2',
      pt: 2,
      mc: [closed, { id: '1.2', rc: [{ id: 1, atb: [[3.05, 1]] }] }],
    });
    await server.client();
    expect(asked(second)).not.toHaveProperty('clk');
    await expect.poll(() => site.results(one), POLL).toEqual(['WIN']);
    expect(await site.results(two)).toEqual(['PENDING']);
    second.tell({
      op: 'mcm',
      id: 3,
      ct: 'SUB_IMAGE',
      initialClk: 'j',
      clk: 'd1',
      pt: 3,
      mc: [image('1.2', 3.5, { eventId: '77', version: 2 })],
    });
    const fresh = async () => (await site.markets()).find(({ head }) => head.id === two)?.head;
    await expect.poll(async () => (await fresh())?.runners[0]?.back[0]?.[0], POLL).toBe(350);
    expect((await fresh())!.status).toBe('OPEN');
    await site.bet((await site.markets()).find(({ head }) => head.id === two)!, 350);
    await site.end('SIGKILL');

    await site.start();
    let third = await server.client();
    if ('clk' in asked(third)) {
      third.tell({ op: 'mcm', id: 2, ct: 'RESUB_DELTA', clk: 'e1', pt: 4 });
      third = await server.client();
    }
    const id = asked(third).id;
    third.tell({
      op: 'mcm',
      id,
      ct: 'SUB_IMAGE',
      initialClk: 'k',
      clk: 'f1',
      pt: 5,
      mc: [image('1.2', 4, { eventId: '77', version: 3 })],
    });
    await expect.poll(async () => (await fresh())?.runners[0]?.back[0]?.[0], POLL).toBe(400);
    expect(await site.results(two)).toEqual(['PENDING', 'PENDING']);
    const result = { id: '1.2', marketDefinition: definition({ eventId: '77', version: 4, status: 'CLOSED' }, 2) };
    third.tell({ op: 'mcm', id, clk: 'f2', pt: 6, mc: [result] });
    await expect.poll(() => site.results(two), POLL).toEqual(['LOSS', 'LOSS']);
    await site.end('SIGTERM');
    expect(await site.program.ended).toBe(0);
  }, 240_000);
});

describe('a recording', () => {
  it('[INV-09] goes on behind the last thing it told: bets stand over a kill and are settled by the same market', async () => {
    const start = Date.UTC(2025, 0, 4, 14);
    const at = (seconds: number, mc: object) =>
      JSON.stringify({ op: 'mcm', clk: `${seconds}`, pt: start + seconds * 1000, mc: [mc] });
    const race = { marketTime: new Date(start + 60_000).toISOString() };
    const lines = [
      at(0, image('1.9', 2, race)),
      ...Array.from({ length: 118 }, (_, i) => at(i + 1, { id: '1.9', rc: [{ id: 2, atb: [[2, 50 + i]] }] })),
      at(120, { id: '1.9', marketDefinition: definition({ ...race, version: 1009, status: 'CLOSED' }, 1) }),
    ];
    const site = new Site(await freePort(), {
      FAIRGAME_DATA: join(folder, 'recorded'),
      FAIRGAME_FEED: 'recorded',
      FAIRGAME_FEED_FILES: writeLines(folder, 'race.jsonl', lines),
    });
    await site.start();
    await expect
      .poll(async () => (await site.markets())[0]?.head.runners[0]?.back.length ?? 0, POLL)
      .toBeGreaterThan(0);
    const [market] = await site.markets();
    const marketId = await site.bet(market!, 200);
    await site.end('SIGKILL');
    await site.start({ FAIRGAME_FEED_SPEED: '20' });
    expect(await site.results(marketId)).toEqual(['PENDING']);
    await expect.poll(() => site.results(marketId), POLL).toEqual(['WIN']);
    await site.end('SIGTERM');
  }, 240_000);
});
