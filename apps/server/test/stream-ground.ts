/** A site with the programs' stream by TLS and a player with a key of his own: the ground of the tests of the stream. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLS } from '@fairgame/contract';
import { wrongInLine } from '@fairgame/exchange-api';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { WebSocket } from 'ws';
import { copyEmptyDatabase } from './empty-database.ts';
import type { Json } from './program-door.ts';
import { Line } from './program-line.ts';
import { makeSite, type Site } from './site.ts';

export const pem = (name: string) => readFileSync(new URL(`./fixtures/programs/${name}.pem`, import.meta.url), 'utf8');
export const cert = pem('cert');
export const idOf = (marketId: number) => `1.${200_000_000 + marketId}`;
const FIELDS = ['EX_ALL_OFFERS', 'EX_BEST_OFFERS', 'EX_TRADED', 'EX_TRADED_VOL', 'EX_LTP', 'EX_MARKET_DEF'];

export let site: Site;
export let port: number;
export let calls: string;
export let player: Awaited<ReturnType<Site['player']>>;
export let appKey: string;
export let session: string;
export const open = new Set<Line>();

/** Of the embedded database: a site that starts again finds it. */
let folder: string;

export async function start(): Promise<void> {
  site = await makeSite({
    FAIRGAME_DATA: folder,
    PROGRAMS_PORT: '0',
    PROGRAMS_STREAM_PORT: '0',
    FAIRGAME_PROGRAMS_CERT: cert,
    FAIRGAME_PROGRAMS_KEY: pem('key'),
  });
  const at = (await site.app.programs.listen())!;
  port = Number(at.stream!.split(':')[1]);
  calls = at.calls;
}

/** For the file that calls it. */
export function standForStream(): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fairgame-'));
    await copyEmptyDatabase(join(folder, 'db'));
    await start();
    player = await site.player('anna');
    const body = { name: 'stream', rights: 'bet' as const, addresses: [] };
    appKey = (await site.call(CALLS.programs.create, { body }, { token: player.token })).data.key;
    session = await login();
  });
  afterAll(async () => {
    await site.close();
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    expect([...open].flatMap(({ told }) => told.flatMap((one) => wrongInLine(one) ?? []))).toEqual([]);
    for (const line of open) line.socket.destroy();
    open.clear();
  });
}

/** By TLS, with the site's certificate as the only authority. */
export async function post(
  path: string,
  headers: Record<string, string>,
  body: string,
  shown: object = {},
): Promise<Json> {
  const { request } = await import('node:https');
  return new Promise((resolve, reject) => {
    const asked = request(`${calls}${path}`, { method: 'POST', ca: cert, headers, ...shown }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve(JSON.parse(text)));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
export async function login(): Promise<string> {
  const form = new URLSearchParams({ username: player.userName, password: player.password }).toString();
  return (
    await post('/api/login', { 'X-Application': appKey, 'content-type': 'application/x-www-form-urlencoded' }, form)
  ).token;
}
export async function rpc(name: string, params: object): Promise<Json> {
  const headers = { 'X-Application': appKey, 'X-Authentication': session, 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', method: `SportsAPING/v1.0/${name}`, params, id: 1 });
  return (await post('/exchange/betting/json-rpc/v1', headers, body)).result;
}

export const webSocket = (path: string) => new WebSocket(`wss://localhost:${new URL(calls).port}${path}`, { ca: cert });

export function newLine(by: 'tls' | 'websocket' = 'tls'): Line {
  const line = new Line(by === 'tls' ? { port, ca: cert } : webSocket('/stream'));
  open.add(line);
  return line;
}
export async function signedIn(by: 'tls' | 'websocket' = 'tls'): Promise<Line> {
  const line = newLine(by);
  line.send({ op: 'authentication', id: 1, appKey, session });
  expect(await line.status(1)).toMatchObject({ statusCode: 'SUCCESS', connectionClosed: false });
  return line;
}
export const subscription = (id: number, marketIds: string[], more: object = {}) => ({
  op: 'marketSubscription',
  id,
  marketFilter: { marketIds },
  marketDataFilter: { fields: FIELDS, ladderLevels: 3 },
  ...more,
});

export const byPrice = (levels: Iterable<[number, number]>, best: 1 | -1) =>
  [...levels].sort((a, b) => best * (a[0] - b[0]));

/** What a subscriber has of a runner must be what the book has. */
export function expectEqual(line: Line, marketId: number): void {
  const book = line.books.get(idOf(marketId));
  const view = site.app.core.read.market(marketId)!;
  expect(book.definition).toMatchObject({ status: view.status, version: view.version, inPlay: view.inPlay });
  for (const { runnerId } of view.runners) {
    const depth = site.app.catalog.images.depth('real', marketId, runnerId)!;
    const shown = (levels: ReadonlyArray<readonly [number, number]>) =>
      view.status === 'OPEN' ? levels.map(([price, minor]) => [price / 100, minor / 100]) : [];
    const runner = book.runners.get(runnerId) ?? {
      atb: new Map(),
      atl: new Map(),
      trd: new Map(),
      batb: new Map(),
      batl: new Map(),
    };
    const [back, lay] = [shown(depth.back), shown(depth.lay)];
    expect(byPrice(runner.atb, -1)).toEqual(back);
    expect(byPrice(runner.atl, 1)).toEqual(lay);
    expect(byPrice(runner.trd, 1)).toEqual(depth.traded.map(([price, minor]) => [price / 100, minor / 100]));
    expect([...runner.batb.keys()].sort((a, b) => a - b).map((level: number) => runner.batb.get(level))).toEqual(
      back.slice(0, 3),
    );
    expect([...runner.batl.keys()].sort((a, b) => a - b).map((level: number) => runner.batl.get(level))).toEqual(
      lay.slice(0, 3),
    );
    if (depth.last > 0) expect(runner.ltp).toBe(depth.last / 100);
  }
}
