/** What of a feed's commands passes to the core, and what stops betting: silence, a restart, a jump, a feed that is gone. */
import { CALLS } from '@fairgame/contract';
import type { Command, MarketId, MarketKind, MarketView } from '@fairgame/exchange';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBridge } from '../src/feed/bridge.ts';
import { createGate, type Gate } from '../src/feed/gate.ts';
import { IDS, makeSite, prices, type Site } from './site.ts';

/** A gate over markets that do at once what it lets pass. */
function gated(markets: Record<MarketId, Partial<MarketView>>, more: { held?: MarketId[]; manual?: MarketId[] } = {}) {
  const views = new Map(
    Object.entries(markets).map(([id, view]) => [
      Number(id),
      {
        marketId: Number(id),
        eventId: 1,
        kind: 'book',
        status: 'OPEN',
        inPlay: false,
        reason: '',
        ...view,
      } as MarketView,
    ]),
  );
  const time = { now: 1_000_000 };
  let batch = 0;
  const gate: Gate = createGate({
    market: (id) => views.get(id),
    markets: () => [...views.values()],
    manual: (id) => more.manual?.includes(id) ?? false,
    startAt: (market) => (market.eventId === 1 ? 2_000_000 : 500_000),
    isHeld: (id) => more.held?.includes(id) ?? false,
    clock: () => time.now,
  });
  const carryOut = (commands: Command[]): string[] =>
    commands.map((command) => {
      if (command.type !== 'market.state') return command.type;
      const view = views.get(command.marketId)!;
      if (command.status) Object.assign(view, { status: command.status, reason: command.reason ?? '' });
      return `${command.status ?? 'state'} ${command.reason ?? ''}`.trim();
    });
  return {
    gate,
    views,
    time,
    carryOut,
    /** One batch of the feed. */
    tell: (...commands: Command[]) => {
      batch++;
      return commands.flatMap((command) => carryOut(gate.pass(command, batch)));
    },
    open: (marketId: MarketId): Command => ({ type: 'market.state', marketId, status: 'OPEN' }),
    book: (marketId: MarketId, ...runners: Array<[number, number]>): Command => ({
      type: 'house.book',
      marketId,
      runners: runners.map(([runnerId, price]) => ({
        runnerId,
        backable: price === 0 ? [] : [[price, 5000]],
        layable: [],
      })),
    }),
    rows: (
      marketId: MarketId,
      price: number,
      line?: number,
      status: 'ACTIVE' | 'BALL_RUNNING' = 'ACTIVE',
    ): Command => ({
      type: 'house.quotes',
      marketId,
      rows: [
        { runnerId: 1, back: { price, sizeMinor: 100, ...(line === undefined ? {} : { line }) }, lay: null, status },
      ],
    }),
  };
}

const STOP = 'SUSPENDED Price check';

describe('[FLT-17] a price that jumps by more than half', () => {
  it('stops its market until it was told twice, by two batches', () => {
    const { tell, open, book, views, gate } = gated({ 7: {} });
    tell(open(7), book(7, [1, 200], [2, 210]));
    expect(tell(book(7, [1, 310]))).toEqual([STOP, 'house.book']);
    expect(views.get(7)).toMatchObject({ status: 'SUSPENDED', reason: 'Price check' });
    expect(gate.doubted()).toEqual([7]);
    expect(gate.attention()).toMatchObject([{ marketId: 7, why: 'jump' }]);
    // A word of the other runner settles nothing, nor does the feed's own word that the market is open.
    expect(tell(book(7, [2, 150]))).toEqual(['house.book']);
    expect(tell(open(7))).toEqual([]);
    expect(tell(book(7, [1, 320]))).toEqual(['house.book', 'OPEN']);
    expect(gate.attention()).toEqual([]);
    expect(tell(book(7, [1, 300]))).toEqual(['house.book']);
  });

  it('opens it again when the price comes back, and stays shut while it jumps on', () => {
    const { tell, open, book } = gated({ 7: {} });
    tell(open(7), book(7, [1, 200]));
    expect(tell(book(7, [1, 1000]))).toEqual([STOP, 'house.book']);
    expect(tell(book(7, [1, 105]))).toEqual(['house.book']);
    expect(tell(book(7, [1, 204]))).toEqual(['house.book', 'OPEN']);
  });

  it('is not confirmed by the batch it came with', () => {
    const { tell, open, book } = gated({ 7: {} });
    tell(open(7), book(7, [1, 200]));
    expect(tell(book(7, [1, 400]), book(7, [1, 410]))).toEqual([STOP, 'house.book', 'house.book']);
    expect(tell(book(7, [1, 410]))).toEqual(['house.book', 'OPEN']);
  });

  it.each([
    ['an outsider who goes from 300 to 600', 30_000, 60_000],
    ['a favourite from 1.01 to 1.40', 101, 140],
    ['half as much again, but no more', 200, 300],
  ])('is none: %s', (_, before, after) => {
    const { tell, open, book } = gated({ 7: {} });
    tell(open(7), book(7, [1, before]));
    expect(tell(book(7, [1, after]))).toEqual(['house.book']);
  });

  it('nor after the feed itself has shut the market, or after the runner had no price', () => {
    const { tell, open, book, gate } = gated({ 7: {}, 8: {} });
    tell(open(7), book(7, [1, 200]), open(8), book(8, [1, 200]));
    tell({ type: 'market.state', marketId: 7, status: 'SUSPENDED', reason: 'Goal' });
    expect(tell(open(7), book(7, [1, 900]))).toEqual(['OPEN', 'house.book']);
    tell(book(8, [1, 0]));
    expect(tell(book(8, [1, 900]))).toEqual([STOP, 'house.book']);
    expect(tell(book(8, [1, 0]))).toEqual(['house.book', 'OPEN']);
    expect(gate.doubted()).toEqual([]);
  });

  it('is seen in rates and in lines, and not between two balls', () => {
    const { tell, open, rows } = gated({
      7: { kind: 'bookmaker' as MarketKind },
      8: { kind: 'session' as MarketKind },
    });
    tell(open(7), rows(7, 40), open(8), rows(8, 100, 47));
    expect(tell(rows(7, 60))).toEqual(['house.quotes']);
    expect(tell(rows(7, 150))).toEqual([STOP, 'house.quotes']);
    expect(tell(rows(8, 100, 52))).toEqual(['house.quotes']);
    expect(tell(rows(8, 100, 95))).toEqual([STOP, 'house.quotes']);
    expect(tell(rows(8, 100, 96))).toEqual(['house.quotes', 'OPEN']);
    expect(tell(rows(8, 100, 96, 'BALL_RUNNING'), rows(8, 100, 30))).toEqual(['house.quotes', 'house.quotes']);
  });

  it('is vouched for by an operator; a hold of his keeps the market shut all the same', () => {
    const { tell, open, book, gate, carryOut } = gated({ 7: {}, 8: {} }, { held: [8] });
    tell(open(7), book(7, [1, 200]), open(8));
    tell(book(7, [1, 900]));
    expect(carryOut(gate.confirm(7)!)).toEqual(['OPEN']);
    expect(gate.confirm(7)).toBeNull();
    expect(tell(book(7, [1, 880]))).toEqual(['house.book']);
    expect(tell(book(8, [1, 200]), book(8, [1, 900]))).not.toContain('OPEN');
  });
});

describe('[FLT-17] a feed that is silent or gone', () => {
  it('markets of events that have begun are not open at old prices, in play or not', () => {
    const { gate, views, carryOut, tell, book } = gated({ 7: {}, 8: { eventId: 2 }, 9: { inPlay: true } });
    expect(gate.silence(9_000)).toEqual([]);
    expect(carryOut(gate.silence(11_000))).toEqual(['SUSPENDED Feed lost', 'SUSPENDED Feed lost']);
    expect(views.get(7)!.status).toBe('OPEN');
    expect(carryOut(gate.silence(121_000))).toEqual(['SUSPENDED Feed lost']);
    expect(tell(book(8, [1, 200]))).toEqual(['house.book', 'OPEN']);
    expect(views.get(9)!.status).toBe('SUSPENDED');
  });

  it('markets made by hand, card rounds and what an operator has taken over are left alone', () => {
    const { gate, carryOut, views } = gated({ 7: {}, 8: { kind: 'card' }, 9: {} }, { manual: [7] });
    expect(carryOut(gate.named([]))).toEqual(['SUSPENDED Source lost']);
    // The feed will never open it: the operator's word does, and the watchdog lets it be.
    expect(gate.release(9)).toBe(false);
    Object.assign(views.get(9)!, { status: 'OPEN', reason: '' });
    expect(gate.silence(1_000_000)).toEqual([]);
  });
});

describe('a site without a feed', () => {
  let site: Site;
  beforeAll(async () => {
    site = await makeSite();
  });
  afterAll(() => site.close());

  it('without a feed every market of an earlier one is shut at once, and no bet is taken at its old price', async () => {
    const { token } = await site.player();
    await site.feed(prices(IDS.race.win, [IDS.race.horses[0], 250, 260]));
    const bridge = createBridge({
      ...site.app,
      clock: site.clock,
      holds: { isHeld: () => false, onRelease: () => () => {} },
    });
    await bridge.start(null);
    const open = site.app.core.read.markets().filter((market) => market.status === 'OPEN' && market.kind !== 'card');
    expect(open).toEqual([]);
    const body = {
      key: 'no-feed-key-000000001',
      betId: IDS.race.win,
      matchId: IDS.race.event,
      runnerId: IDS.race.horses[0],
      bettingType: 'BACK' as const,
      odd: 250,
      stake: 1000,
    };
    expect((await site.call(CALLS.bets.place, { body }, { token })).error?.code).toBe('MARKET_SUSPENDED');
    expect(bridge.late()).toBe(false);
    site.clock.advance(61_000);
    expect(bridge.attention().filter(({ why }) => why === 'forsaken').length).toBeGreaterThan(8);
    await bridge.stop();
  });
});
