import { CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBridge, dropOldPrices } from '../src/feed/bridge.ts';
import type { FeedOutput } from '../src/feed/feed.ts';
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

/** The watchdog suspends in the background. */
async function watched(): Promise<void> {
  site.app.bridge.watch();
  await new Promise((resolve) => setTimeout(resolve, 200));
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
    await site.call(CALLS.operator.suspend, { body }, { token });
    await site.feed(state(race.win, { status: 'OPEN' }), prices(race.win, [race.horses[0], 260, 270]));
    expect(status(race.win)).toBe('SUSPENDED');
    await site.feed(state(race.win, { status: 'SUSPENDED', reason: 'Parade' }), state(race.win, { status: 'OPEN' }));
    expect(status(race.win)).toBe('SUSPENDED');
    await site.call(CALLS.operator.resume, { body }, { token });
    await site.feed(prices(race.win, [race.horses[0], 266, 276]));
    expect(status(race.win)).toBe('OPEN');
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
      feed: {
        start: (sink) => sink([prices(football.overUnder, [football.over, 170, 190])], site.clock()),
        stop: () => Promise.resolve(),
      },
      carries: () => site.app.core.read.markets().map((market) => market.marketId),
    });
    const back = site.app.core.read.depth('real', football.overUnder, football.over, 1).back;
    expect(back).toEqual([[170, 50_000]]);
    await bridge.stop();
  });

  it('keeps only the newest price of each runner when far behind, and every other command', () => {
    const suspend = state(1, { status: 'SUSPENDED' });
    const queue: FeedOutput[] = [
      prices(1, [5, 200, 210], [6, 300, 310]),
      suspend,
      prices(1, [5, 202, 212]),
      prices(2, [5, 150, 160]),
      prices(1, [5, 204, 214]),
    ];
    dropOldPrices(queue);
    expect(queue).toEqual([prices(1, [6, 300, 310]), suspend, prices(2, [5, 150, 160]), prices(1, [5, 204, 214])]);
  });
});

describe('after a restart', () => {
  it('voids what no feed carries any more, stakes back, with the reason told', async () => {
    const { token } = await site.player();
    const placed = await site.call(
      CALLS.bets.place,
      {
        body: {
          key: 'bridge-key-0000000001',
          betId: race.win,
          matchId: race.event,
          runnerId: race.horses[0],
          bettingType: 'BACK',
          odd: 266,
          stake: 1000,
        },
      },
      { token },
    );
    expect(placed.data.bet.matched).toBe(1000);
    const bridge = createBridge({
      ...site.app,
      clock: site.clock,
      holds: { isHeld: () => false, onRelease: () => () => {} },
    });
    await bridge.start({
      feed: { start: () => {}, stop: () => Promise.resolve() },
      carries: () => [football.odds, cricket.odds],
    });
    expect(view(race.win)).toMatchObject({ status: 'CLOSED', result: { kind: 'void' } });
    expect(status(football.odds)).not.toBe('CLOSED');
    expect(site.app.catalog.event(race.event)?.stopAt).not.toBeNull();
    const list = await site.call(CALLS.bets.list, { query: { betId: `eq${race.win}` } }, { token });
    expect(list.data.rows).toMatchObject([{ result: 'VOID', profitLoss: 0 }]);
    const statement = site.app.core.read.wallet('real', site.app.auth.sessionOf(token)!.accountId);
    expect(statement).toMatchObject({ balanceMinor: 1_000_000, exposureMinor: 0 });
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
      env: {},
    };
    const play = async (clock: () => number) => {
      const source = (await openSource({ ...base, clock }))!;
      const ids = new Set<number>();
      source.feed.start((batch) => {
        for (const output of batch)
          if (output.type === 'command' && output.command.type === 'market.create')
            ids.add(output.command.market.marketId);
      });
      await source.feed.stop();
      return { source, ids };
    };
    const now = Date.UTC(2026, 6, 1, 12);
    const first = await play(() => now);
    await first.source.store();
    const carried = new Set(first.source.carries());
    expect(carried.size).toBeGreaterThan(100);
    // The same ten minutes twice, as after a crash: the same markets come under the same ids.
    const [again, once] = [await play(() => now + 600_000), await play(() => now + 600_000)];
    expect(again.ids).toEqual(once.ids);
    for (const id of again.ids) expect(carried.has(id)).toBe(false);
    expect([...again.source.carries()].filter((id) => carried.has(id)).length).toBeGreaterThan(100);
  }, 60_000);
});
