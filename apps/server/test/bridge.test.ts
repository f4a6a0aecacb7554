import { CALLS, CodedError, OPERATOR_CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBridge } from '../src/feed/bridge.ts';
import type { FeedOutput } from '../src/feed/feed.ts';
import { mergePrices } from '../src/feed/merge.ts';
import { openSource } from '../src/feed/sources.ts';
import { IDS, makeSite, prices, type Site, state } from './site.ts';

const { football, cricket, race } = IDS;
let site: Site;
const status = (marketId: number) => site.app.core.read.market(marketId)?.status;
const view = (marketId: number) => site.app.core.read.market(marketId);

beforeAll(async () => {
  site = await makeSite();
});
afterAll(() => site.close());

/** The watchdog suspends in the background: what is asked behind it is answered when that is done. */
async function watched(): Promise<void> {
  site.app.bridge.watch();
  await site.app.core.submit({ world: 'real', actor: 'core', command: { type: 'clock' } });
}

describe('a silent feed', () => {
  it('[FLT-17] stops betting in play after 10 s, before the start after 120 s, and says why', async () => {
    await site.feed(state(cricket.odds, { inPlay: true }), prices(cricket.odds, [cricket.teamA, 180, 184]));
    site.clock.advance(9_000);
    await watched();
    expect(status(cricket.odds)).toBe('OPEN');
    site.clock.advance(2_000);
    await watched();
    expect(view(cricket.odds)).toMatchObject({ status: 'SUSPENDED', reason: 'Feed lost' });
    expect(status(football.odds)).toBe('OPEN');
    expect(site.app.bridge.late()).toBe(true);
    site.clock.advance(110_000);
    await watched();
    expect(view(football.odds)).toMatchObject({ status: 'SUSPENDED', reason: 'Feed lost' });
  });

  it('[FLT-17] goes on with a fresh price only, market by market', async () => {
    await site.feed(state(football.odds, { status: 'OPEN' }));
    expect(status(football.odds)).toBe('SUSPENDED');
    await site.feed(prices(football.odds, [football.home, 198, 202]));
    expect(view(football.odds)).toMatchObject({ status: 'OPEN', reason: '' });
    expect(status(cricket.odds)).toBe('SUSPENDED');
    await site.feed(prices(cricket.odds, [cricket.teamA, 170, 174]));
    expect(status(cricket.odds)).toBe('OPEN');
    expect(site.app.bridge.late()).toBe(false);
  });

  it('leaves shut what the feed itself has closed meanwhile', async () => {
    site.clock.advance(130_000);
    await watched();
    await site.feed(state(football.odds, { status: 'SUSPENDED', reason: 'Goal' }));
    await site.feed(prices(football.odds, [football.home, 150, 154]));
    expect(status(football.odds)).toBe('SUSPENDED');
    await site.feed(state(football.odds, { status: 'OPEN', reason: '' }));
    expect(status(football.odds)).toBe('OPEN');
  });
});

describe('an operator', () => {
  it('holds a market that the feed does not reopen, and gives it back', async () => {
    const token = await site.operator();
    const body = { betId: race.win, reason: 'Checking the card' };
    await site.feed(prices(race.win, [race.horses[0], 250, 260]));
    await site.call(OPERATOR_CALLS.suspend, { body }, { token });
    await site.feed(state(race.win, { status: 'OPEN' }), prices(race.win, [race.horses[0], 260, 270]));
    expect(status(race.win)).toBe('SUSPENDED');
    await site.feed(state(race.win, { status: 'SUSPENDED', reason: 'Parade' }), state(race.win, { status: 'OPEN' }));
    expect(status(race.win)).toBe('SUSPENDED');
    await site.call(OPERATOR_CALLS.resume, { body }, { token });
    await site.feed(prices(race.win, [race.horses[0], 266, 276]));
    expect(status(race.win)).toBe('OPEN');
  });
});

describe('quotes that bets drew on', () => {
  it('are to be told again by the feed each half minute, and no others', async () => {
    const asked: Array<readonly number[]> = [];
    const bridge = createBridge({
      ...site.app,
      clock: site.clock,
      holds: { isHeld: () => false, onRelease: () => () => {} },
    });
    await bridge.start({
      start: (sink) => sink([], site.clock()),
      stop: () => Promise.resolve(),
      again: (marketIds) => asked.push(marketIds),
    });
    const row = { runnerId: cricket.sessionRow, status: 'ACTIVE' as const, lay: null };
    const back = { price: 100, line: 48, sizeMinor: 25_000 };
    await site.feed(state(cricket.session, { status: 'OPEN' }), {
      type: 'command',
      command: { type: 'house.quotes', marketId: cricket.session, rows: [{ ...row, back }] },
    });
    const { token } = await site.player();
    const bet = { matchId: cricket.event, betId: cricket.session, runnerId: cricket.sessionRow, odd: 100, line: 48 };
    const placed = await site.call(
      CALLS.bets.session,
      { body: { ...bet, key: 'draws-on-a-session', bettingType: 'YES', stake: 20_000 } as never },
      { token },
    );
    expect(placed.error).toBeUndefined();
    expect(site.app.core.read.quotes('real', cricket.session)).toMatchObject([{ back: { sizeMinor: 5000 } }]);
    bridge.watch();
    expect(asked).toEqual([]);
    site.clock.advance(30_000);
    bridge.watch();
    site.clock.advance(30_000);
    bridge.watch();
    expect(asked).toEqual([[cricket.session]]);
    await bridge.stop();
  });
});

describe('what the core refuses', () => {
  it('is counted and does not stop the feed', async () => {
    await site.feed(
      { type: 'command', command: { type: 'market.state', marketId: 4, status: 'OPEN' } },
      prices(football.overUnder, [football.over, 180, 190]),
    );
    expect(site.app.bridge.stats().refused).toMatchObject({ 'market.state MARKET_UNKNOWN': 1 });
    const back = site.app.core.read.depth('real', football.overUnder, football.over, 1).back;
    expect(back).toEqual([[180, 50_000]]);
  });

  it('while the core is busy nothing of the feed is lost', async () => {
    let busy = 3;
    const bridge = createBridge({
      ...site.app,
      clock: site.clock,
      holds: { isHeld: () => false, onRelease: () => () => {} },
      core: {
        ...site.app.core,
        submitAll: (requests) => {
          busy -= 1;
          return busy >= 0
            ? Promise.resolve(requests.map(() => Object.assign(new Error('busy'), { code: 'BUSY' })))
            : site.app.core.submitAll(requests);
        },
      },
    });
    await bridge.start({
      start: (sink) => sink([prices(football.overUnder, [football.over, 170, 190])], site.clock()),
      stop: () => Promise.resolve(),
    });
    const back = site.app.core.read.depth('real', football.overUnder, football.over, 1).back;
    expect(back).toEqual([[170, 50_000]]);
    await bridge.stop();
  });

  it('what nobody knows the fate of is said again, done once, and undoes nothing that came between', async () => {
    const { core } = site.app;
    const seen: string[] = [];
    const off = core.onCommitted(({ items }) => {
      for (const { world, actor, command } of items)
        if (world === 'real' && command.type === 'market.state') seen.push(`${actor} ${command.status ?? 'inPlay'}`);
    });
    // As when a leader is killed: the first message never reached it, the answer of the second did not come back.
    const fates = ['request', 'answer'];
    const bridge = createBridge({
      ...site.app,
      clock: site.clock,
      holds: { isHeld: () => false, onRelease: () => () => {} },
      decidedElsewhere: true,
      core: {
        ...core,
        async submitAll(requests) {
          const fate = fates.shift();
          const answers = fate === 'request' ? [] : await core.submitAll(requests);
          if (fate === undefined) return answers;
          if (fate === 'answer') await core.submit({ ...suspended, actor: 'operator:anna' });
          return requests.map(() => new CodedError('INTERNAL'));
        },
      },
    });
    const marketId = football.overUnder;
    const suspended = {
      world: 'all' as const,
      command: { type: 'market.state' as const, marketId, status: 'SUSPENDED' as const },
    };
    await bridge.start({
      start: (sink) => sink([state(marketId, { status: 'OPEN', reason: '' })], site.clock()),
      stop: () => Promise.resolve(),
    });
    expect(seen).toEqual(['feed OPEN', 'operator:anna SUSPENDED']);
    expect(status(marketId)).toBe('SUSPENDED');
    expect(bridge.stats()).toMatchObject({ commands: 1, refused: {} });
    off();
    await bridge.stop();
    await site.feed(state(marketId, { status: 'OPEN', reason: '' }));
  });

  it('prices told one after the other are one command a market; what is said between them keeps its place', () => {
    const suspend = state(1, { status: 'SUSPENDED' });
    const told: FeedOutput[] = [
      prices(1, [5, 200, 210], [6, 300, 310]),
      prices(2, [5, 150, 160]),
      prices(1, [5, 202, 212]),
      suspend,
      prices(1, [5, 204, 214]),
      prices(2, [5, 152, 162]),
      prices(1, [5, 206, 216], [7, 400, 410]),
    ];
    const before = structuredClone(told);
    const merged = mergePrices(told.map((output) => ({ output }))).map(({ output }) => output);
    expect(merged).toEqual([
      prices(1, [5, 202, 212], [6, 300, 310]),
      prices(2, [5, 152, 162]),
      suspend,
      prices(1, [5, 206, 216], [7, 400, 410]),
    ]);
    expect(told).toEqual(before);
  });
});

describe('after a restart', () => {
  it('shuts what the feed no longer names, voids nothing, and shows it to the operator after a minute', async () => {
    const { token } = await site.player();
    const place = (market: number, matchId: number, runnerId: number, odd: number, key: string) =>
      site.call(
        CALLS.bets.place,
        { body: { key, betId: market, matchId, runnerId, bettingType: 'BACK', odd, stake: 1000 } },
        { token },
      );
    // The tests before may have been silent for too long.
    await site.feed(prices(race.win, [race.horses[0], 266, 276]));
    const placed = await place(race.win, race.event, race.horses[0], 266, 'bridge-key-0000000001');
    expect(placed.data.bet.matched).toBe(1000);
    const bridge = createBridge({
      ...site.app,
      clock: site.clock,
      holds: { isHeld: () => false, onRelease: () => () => {} },
    });
    let tell: (outputs: FeedOutput[]) => void = () => {};
    const feed = {
      start(sink: (outputs: FeedOutput[], now: number) => void) {
        tell = (outputs) => sink(outputs, site.clock());
        tell([{ type: 'named', marketIds: [football.odds, cricket.odds] }]);
      },
      stop: () => Promise.resolve(),
    };
    await bridge.start(feed);
    expect(view(race.win)).toMatchObject({ status: 'SUSPENDED', reason: 'Source lost' });
    expect(status(football.odds)).toBe('OPEN');
    expect(site.app.catalog.event(race.event)?.stopAt).toBeNull();
    expect(bridge.attention()).toEqual([]);
    site.clock.advance(61_000);
    expect(bridge.attention()).toContainEqual({ marketId: race.win, why: 'forsaken', since: site.clock() - 61_000 });
    // Named again, by a price: it opens, and nothing waits for the operator.
    tell([prices(race.win, [race.horses[0], 266, 276])]);
    await bridge.idle();
    expect(status(race.win)).toBe('OPEN');
    expect(bridge.attention().map(({ marketId }) => marketId)).not.toContain(race.win);
    // Forsaken for good: the operator's result ends it, and its event with the last market.
    tell([{ type: 'named', marketIds: [football.odds, cricket.odds] }]);
    await bridge.idle();
    const operator = await site.operator();
    const declare = (betId: number, result: object) =>
      site.call(
        OPERATOR_CALLS.declare,
        { body: { key: `declare-${betId}-stewards`, betId, result, reason: 'By the stewards' } as never },
        { token: operator },
      );
    expect((await declare(race.win, { kind: 'winners', runnerIds: [race.horses[0]] })).status).toBe(200);
    expect(site.app.catalog.event(race.event)?.stopAt).toBeNull();
    expect((await declare(race.place, { kind: 'winners', runnerIds: race.horses.slice(0, 2) })).status).toBe(200);
    expect(site.app.catalog.event(race.event)?.stopAt).not.toBeNull();
    const list = await site.call(CALLS.bets.list, { query: { betId: `eq${race.win}` } }, { token });
    expect(list.data.rows).toMatchObject([{ result: 'WIN', profitLoss: 1660 }]);
    await bridge.stop();
  });

  it('the simulated slate goes on with the same events and markets', async () => {
    const base = {
      ...site.app,
      kind: 'simulated' as const,
      seed: '7',
      speed: 1,
      files: [],
      watched: () => false,
      market: () => undefined,
      env: {},
    };
    const play = async (clock: () => number) => {
      const source = (await openSource({ ...base, clock }))!;
      const ids = new Set<number>();
      const named = new Set<number>();
      source.feed.start((batch) => {
        for (const output of batch) {
          if (output.type === 'named') for (const id of output.marketIds) named.add(id);
          if (output.type === 'command' && output.command.type === 'market.create')
            ids.add(output.command.market.marketId);
        }
      });
      await source.feed.stop();
      return { source, ids, named };
    };
    const now = Date.UTC(2026, 6, 1, 12);
    const first = await play(() => now);
    await first.source.mark()!();
    const carried = first.named;
    expect(carried.size).toBeGreaterThan(100);
    // The same ten minutes twice, as after a crash: the same markets come under the same ids.
    const [again, once] = [await play(() => now + 600_000), await play(() => now + 600_000)];
    expect(again.ids).toEqual(once.ids);
    for (const id of again.ids) expect(carried.has(id)).toBe(false);
    expect([...again.named].filter((id) => carried.has(id)).length).toBeGreaterThan(100);
  }, 60_000);
});
