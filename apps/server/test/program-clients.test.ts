/** Programs of our own that know the format from its description alone trade a whole session, and agree with the ledger. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CALLS } from '@fairgame/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Session } from '../../../e2e/clients/session.ts';
import { Bot } from '../../../examples/bot/bot.ts';
import { Exchange } from '../../../examples/bot/exchange.ts';
import { Recorder } from '../../../scripts/record/recorder.ts';
import { silent } from '../src/db/types.ts';
import { openSources } from '../src/feed/replay/decode.ts';
import { replaySummary } from '../src/feed/replay/summary.ts';
import { ProgramMarkets } from '../src/programs/markets.ts';
import { Recordings } from '../src/programs/recordings/recordings.ts';
import { Tapes } from '../src/programs/stream/tapes.ts';
import { event, makeSite, market, prices, type Site, state } from './site.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const CERT = pathOf('fixtures/programs/cert.pem');
const START_MINOR = 1_000_000;
/** Numbers as long as those of a feed that runs. */
const FIRST_ID = 1_795_488_405_000_000;
const RUNNERS = ['Rovers', 'United', 'The Draw'];

let site: Site;
let at: { calls: string; stream: string };
const running = new Set<ChildProcess>();

beforeAll(async () => {
  site = await makeSite({
    PROGRAMS_PORT: '0',
    PROGRAMS_STREAM_PORT: '0',
    FAIRGAME_RECORDINGS_MB: '1',
    FAIRGAME_PROGRAMS_CERT: readFileSync(CERT, 'utf8'),
    FAIRGAME_PROGRAMS_KEY: readFileSync(pathOf('fixtures/programs/key.pem'), 'utf8'),
  });
  const told = (await site.app.programs.listen())!;
  at = { calls: told.calls, stream: told.stream!.replace('127.0.0.1', 'localhost') };
});
afterAll(() => site.close());
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

/** A match with one market of three runners at 2 % commission, and a player with a key. */
async function stage(name: string, n: number) {
  const [eventId, marketId] = [FIRST_ID + 500 + n, FIRST_ID + 600 + n];
  const [home, away, draw] = [0, 1, 2].map((at) => FIRST_ID + 700 + n * 10 + at) as [number, number, number];
  const named = [home, away, draw].map((runnerId, at) => ({ runnerId, name: RUNNERS[at]! }));
  const startAt = site.clock() + 3_600_000;
  await site.feed(
    event(eventId, 'football', { title: `${name} cup final`, startAt }),
    market(eventId, marketId, 'book', 'Match Odds', named, { sno: 1, marketType: 'matchOdd' }, { commissionBps: 200 }),
    prices(marketId, [home, 200, 204], [away, 380, 390], [draw, 340, 350]),
  );
  const player = await site.player(name, START_MINOR);
  const body = { name: 'session', rights: 'bet' as const, addresses: [] };
  const { key } = (await site.call(CALLS.programs.create, { body }, { token: player.token })).data;
  const settle = () =>
    site.feed({
      type: 'command',
      command: { type: 'market.declare', marketId, result: { kind: 'winners', runnerIds: [home] } },
    });
  return { player, key, marketId, settle, runners: [home, away, draw] as const, eventName: `${name} cup final` };
}

/** What the double-entry rows say an account has, and what came to it since it was paid in. */
async function ledgerOf(accountId: number) {
  const rows = await site.app.db.query<{ amount: string }>('SELECT amount FROM ledger_entries WHERE account_id = $1', [
    accountId,
  ]);
  return rows.reduce((sum, { amount }) => sum + Number(amount), 0);
}

/** The next line of a program as JSON; throws with what it complained of when it ends before. */
function program(command: string, args: readonly string[]) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  let complaint = '';
  child.stderr.on('data', (piece) => {
    complaint += String(piece);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    says: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(complaint);
      return JSON.parse(value) as Record<string, never>;
    },
    goOn: () => child.stdin.end('\n'),
  };
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('a session of 200 orders', () => {
  it.skipIf(!hasPython)('agrees to the cent for a program in Python, by its standard library alone', async () => {
    const { player, key, settle, eventName } = await stage('vera', 1);
    const { userName, password } = player;
    const session = program('python3', [
      '-B',
      pathOf('../../../e2e/clients/session.py'),
      at.calls,
      at.stream,
      CERT,
      userName,
      password,
      key,
      eventName,
    ]);
    expect(await session.says()).toMatchObject({ orders: 200, traded: 230 });
    await settle();
    session.goOn();
    const { settled } = await session.says();
    expect(settled).toMatchObject({ bets: 95 });
    await agrees(player.userId, settled as never);
  });

  it('agrees to the cent for a program in TypeScript', async () => {
    const { player, key, settle, eventName } = await stage('timo', 2);
    const ca = readFileSync(CERT, 'utf8');
    const session = new Session(new Exchange({ base: at.calls, stream: at.stream, appKey: key, ca }));
    await session.begin(player.userName, player.password, eventName);
    await session.trade();
    expect(await session.compare()).toEqual({ orders: 200, traded: 220 });
    await settle();
    const settled = await session.settled();
    await session.leave();
    expect(settled).toMatchObject({ bets: 130 });
    await agrees(player.userId, settled);
  });
});

describe('the example bot', () => {
  it('stands on both sides within its limit, moves with the prices, and leaves nothing behind', async () => {
    const { player, key, marketId, settle, runners, eventName } = await stage('bo', 3);
    const [home] = runners;
    await site.feed(prices(marketId, [home, 200, 230]));
    const said: string[] = [];
    const place = { base: at.calls, stream: at.stream, appKey: key, ca: readFileSync(CERT, 'utf8') };
    const limits = { stakeMinor: 200, mostMinor: 300 };
    const made = (leastTicks: number) =>
      new Bot(new Exchange(place), { ...limits, leastTicks, event: eventName, say: (text) => void said.push(text) });
    expect(() => made(2)).toThrow(RangeError);
    const bot = made(3);
    const living = bot.live(player.userName, player.password);
    const stands = () =>
      site.app.core.read
        .openBets('real', player.userId)
        .filter(({ remainingMinor }) => remainingMinor > 0)
        .map(({ side, price }) => `${side} ${price}`)
        .sort();
    await expect.poll(stands, { timeout: 20_000 }).toEqual(['BACK 228', 'LAY 202']);
    await site.feed(prices(marketId, [home, 210, 240]));
    await expect.poll(stands, { timeout: 20_000 }).toEqual(['BACK 238', 'LAY 212']);
    // Somebody takes what it lays: a second time would be more than it may.
    await site.feed(prices(marketId, [home, 190, 212]));
    await expect.poll(stands, { timeout: 20_000 }).toEqual(['BACK 210']);
    // Where it is narrow it stands nowhere.
    await site.feed(prices(marketId, [home, 206, 210]));
    await expect.poll(stands, { timeout: 20_000 }).toEqual([]);
    await site.feed(prices(marketId, [home, 200, 230]));
    await expect.poll(stands, { timeout: 20_000 }).toEqual(['BACK 228']);
    bot.stop();
    await living;
    expect(stands()).toEqual([]);
    expect(said.at(-1)).toBe('backed 0, laid 2');
    await settle();
    expect(await ledgerOf(player.userId)).toBe(START_MINOR - 224);
  });
});

describe('a recording', () => {
  it('is read back to the hash it was written with, names, prices and results as they were', async () => {
    const { player, key, marketId, settle, runners, eventName } = await stage('rita', 4);
    const [home, away] = runners;
    const ca = readFileSync(CERT, 'utf8');
    const exchange = new Exchange({ base: at.calls, stream: at.stream, appKey: key, ca });
    await exchange.login(player.userName, player.password);
    const id = `1.${200_000_000 + marketId}`;
    const folder = mkdtempSync(join(tmpdir(), 'fairgame-'));
    const [plain, packed] = [join(folder, 'market'), join(folder, 'market.gz')];
    const recorders = [plain, packed].map((file) => new Recorder(exchange, [id]).record(file));
    await expect.poll(() => existsSync(plain) && readFileSync(plain, 'utf8').includes('"img":true')).toBe(true);
    const instructions = [
      { orderType: 'LIMIT', selectionId: home, side: 'BACK', limitOrder: { size: 12.5, price: 2 } },
      { orderType: 'LIMIT', selectionId: away, side: 'LAY', limitOrder: { size: 3, price: 3.5 } },
    ];
    await exchange.rest('betting', 'placeOrders', { marketId: id, instructions });
    await site.feed(prices(marketId, [home, 190, 194]));
    await site.feed(state(marketId, { status: 'SUSPENDED' }));
    await site.feed(state(marketId, { status: 'OPEN', inPlay: true }));
    await settle();
    const told = await Promise.all(recorders);
    await exchange.logout();
    exchange.close();
    const { hash, markets, malformedLines, crossed } = await replaySummary([plain], { speed: 'max' });
    expect([hash, malformedLines, crossed]).toEqual([told[0]!.hash, 0, 0]);
    expect((await replaySummary([packed], { speed: 'max' })).hash).toBe(told[1]!.hash);
    expect(told[0]!.lines).toBeGreaterThan(1);
    expect(markets[id]).toMatchObject({
      status: 'CLOSED',
      winners: [home],
      totalMatched: 12.5,
      name: 'Match Odds',
      eventName,
      runners: 3,
    });
    // Another is not written over it.
    await expect(new Recorder(exchange, [id]).record(plain)).rejects.toThrow();
    rmSync(folder, { recursive: true });
  });

  it('is kept by the site for its players: to the letter what a subscriber was told, one market or a day of them', async () => {
    const { player, key, marketId, settle, runners, eventName } = await stage('olga', 5);
    const [home] = runners;
    const ca = readFileSync(CERT, 'utf8');
    const exchange = new Exchange({ base: at.calls, stream: at.stream, appKey: key, ca });
    await exchange.login(player.userName, player.password);
    const id = `1.${200_000_000 + marketId}`;
    const folder = mkdtempSync(join(tmpdir(), 'fairgame-'));
    const told = join(folder, 'told');
    const recorder = new Recorder(exchange, [id]).record(told);
    await expect.poll(() => existsSync(told) && readFileSync(told, 'utf8').includes('"img":true')).toBe(true);
    const instruction = { orderType: 'LIMIT', selectionId: home, side: 'BACK', limitOrder: { size: 7, price: 2 } };
    await exchange.rest('betting', 'placeOrders', { marketId: id, instructions: [instruction] });
    await site.feed(prices(marketId, [home, 190, 194]));
    const download = async (path: string, token = player.token) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await site.fetch(`/api/programs/recordings/${path}`, { headers });
      return answer.ok ? Buffer.from(await answer.arrayBuffer()) : answer.status;
    };
    expect(await download(`market/${marketId}`)).toBe(404);
    await settle();
    const { hash } = await recorder;
    await exchange.logout();
    exchange.close();
    await expect.poll(() => download(`market/${marketId}`), { timeout: 20_000 }).toBeInstanceOf(Buffer);
    const query = { marketIds: `1,${marketId}` };
    const listed = await site.call(CALLS.programs.recorded, { query }, { token: player.token });
    expect(listed.data.marketIds).toEqual([marketId]);
    const kept = join(folder, `${id}.bz2`);
    writeFileSync(kept, (await download(`market/${marketId}`)) as Buffer);
    const [, ...later] = await linesIn(told);
    expect(later.length).toBeGreaterThan(0);
    expect((await linesIn(kept)).slice(-later.length)).toEqual(later);
    expect(later.at(-1)).toContain(`"settledTime":"${new Date(site.clock()).toISOString()}"`);
    const { markets, malformedLines, hash: replayed } = await replaySummary([kept], { speed: 'max' });
    expect([replayed, malformedLines]).toEqual([hash, 0]);
    expect(markets[id]).toMatchObject({ status: 'CLOSED', winners: [home], totalMatched: 7, eventName });

    const day = new Date(site.clock()).toISOString().slice(0, 10);
    const archive = join(folder, 'day.tar');
    writeFileSync(archive, (await download(`day/${day}`)) as Buffer);
    const all = await replaySummary([archive], { speed: 'max' });
    expect([all.markets[id], all.unreadable]).toEqual([markets[id], []]);
    expect(await download('day/2001-01-01')).toBe(404);
    expect(await download(`market/${marketId}`, 'nobody')).toBe(401);
    rmSync(folder, { recursive: true });
  });

  it('goes on after a process that was killed, has a result that came meanwhile, and is written by one alone', async () => {
    const { marketId, settle, runners } = await stage('pia', 6);
    const id = `1.${200_000_000 + marketId}`;
    const folder = mkdtempSync(join(tmpdir(), 'fairgame-'));
    const open = join(folder, 'open', id);
    const markets = new ProgramMarkets(site.app.catalog, site.app.core);
    const begun = (alone: boolean) => {
      const tapes = new Tapes(markets, () => undefined);
      const settings = { folder, mostBytes: 1_000_000, days: 30 };
      const made = new Recordings({ settings, tapes, markets, clock: site.clock, log: silent, isAlone: () => alone });
      made.start();
      const stop = async () => {
        await made.stop();
        tapes.stop();
      };
      return { made, stop };
    };
    const [first, other] = [begun(true), begun(false)];
    await expect.poll(() => existsSync(open)).toBe(true);
    await first.stop();
    await other.stop();
    const before = readFileSync(open, 'utf8');
    expect(before.split('\n')).toHaveLength(2);
    appendFileSync(open, '{"op":"mcm","clk":"half of a li');
    await settle();
    const second = begun(true);
    await expect.poll(() => second.made.ofMarket(marketId), { timeout: 20_000 }).not.toBeNull();
    await second.stop();
    expect(existsSync(open)).toBe(false);
    const packed = join(folder, new Date(site.clock()).toISOString().slice(0, 10), `${id}.bz2`);
    expect((await linesIn(packed))[0]).toBe(before.trim());
    const replayed = await replaySummary([packed], { speed: 'max' });
    expect(replayed).toMatchObject({ malformedLines: 0, lines: 2, markets: { [id]: { winners: [runners[0]] } } });
    rmSync(folder, { recursive: true });
  });
});

async function linesIn(file: string): Promise<string[]> {
  const lines: string[] = [];
  for (const source of await openSources(file))
    for await (const batch of source.batches()) lines.push(...batch.map(({ text }) => text));
  return lines.filter(Boolean);
}

async function agrees(userId: number, told: Record<string, number>): Promise<void> {
  expect(told.availableMinor).toBe(await ledgerOf(userId));
  expect(told.availableMinor).toBe(START_MINOR + told.profitMinor! - told.commissionMinor!);
}
