/** What the house may lose at worst, in a market and over an event. */
import { describe, expect, it } from 'vitest';
import type { Command } from '../src/exchange.ts';
import { depth, hashState, restore, snapshot } from '../src/exchange.ts';
import { houseWorst } from '../src/house-limit.ts';
import { ANN, BOB, betIn, MARKET, runners, Site } from './site.ts';

const SESSION = 8;
const worst = (s: Site, id = MARKET) => houseWorst(s.state.markets.get(id)!);

function site(marketMinor: number, eventMinor: number): Site {
  const s = new Site(2);
  s.market({ kind: 'bookmaker', runners: runners(2) });
  s.market({ marketId: SESSION, kind: 'session', runners: runners(1) });
  const quote = { price: 100, sizeMinor: 1_000_000 };
  const row = { back: quote, lay: null, status: 'ACTIVE' as const };
  s.go({ type: 'house.quotes', marketId: MARKET, rows: [1, 2].map((runnerId) => ({ runnerId, ...row })) });
  const line = { ...quote, line: 40 };
  s.go({ type: 'house.quotes', marketId: SESSION, rows: [{ ...row, runnerId: 1, back: line }] });
  s.go({ type: 'house.limits', marketMinor, eventMinor });
  return s;
}

function take(s: Site, runnerId: number, stakeMinor: number, marketId = MARKET): Command {
  const line = marketId === SESSION ? { line: 40 } : {};
  const common = { accountId: ANN, marketId, runnerId, side: 'BACK' as const, price: 100, stakeMinor };
  return { type: 'quote.take', betId: ++s.lastBetId, ...common, ...line };
}

describe('what the house may lose', () => {
  it('is bounded in each market: a bet beyond is refused, one that lowers it is taken, in a group too', () => {
    const s = site(10_000, 0);
    s.go(take(s, 1, 10_000));
    expect(worst(s)).toBe(10_000);
    s.refused(take(s, 1, 1), 'HOUSE_LIMIT');
    const leg = { runnerId: 1, side: 'BACK' as const, price: 100, sizeMinor: 1, box: 0 };
    const hedge = { type: 'bets.hedge' as const, accountId: BOB, marketId: MARKET, cancel: true, legs: [leg] };
    s.refused({ ...hedge, betId: ++s.lastBetId }, 'HOUSE_LIMIT');
    s.go(take(s, 2, 10_000));
    expect(worst(s)).toBe(0);
    s.go(take(s, 1, 5_000));
    // A bound that was lowered takes nothing back.
    s.go({ type: 'house.limits', marketMinor: 1_000, eventMinor: 0 });
    s.refused(take(s, 1, 1), 'HOUSE_LIMIT');
    s.go(take(s, 2, 100));
  });

  it('is kept by groups that wait out a delay beside one another: each was judged without the other', () => {
    const s = site(10_000, 0);
    s.go({ type: 'market.state', marketId: MARKET, inPlay: true, betDelayMs: 1000 });
    const leg = { runnerId: 1, side: 'BACK' as const, price: 100, sizeMinor: 10_000, box: 0 };
    const hedge = (accountId: number) => {
      const command = { type: 'bets.hedge' as const, betId: ++s.lastBetId, accountId, marketId: MARKET };
      s.go({ ...command, cancel: true, legs: [leg] });
      return command.betId;
    };
    const [first, second] = [hedge(ANN), hedge(BOB)];
    const events = s.wait(1000);
    expect(betIn(events, first)).toMatchObject({ matchedMinor: 10_000 });
    expect(betIn(events, second)).toMatchObject({ matchedMinor: 0, endCode: 'LAPSED_PRICE' });
    expect(worst(s)).toBe(10_000);
  });

  it('is kept by a bet in its delay when the bound is lowered meanwhile; what lowers it is taken', () => {
    const s = site(10_000, 0);
    s.go(take(s, 1, 4_000));
    s.go({ type: 'market.state', marketId: MARKET, inPlay: true, betDelayMs: 1000 });
    s.go(take(s, 1, 2_000));
    const beyond = s.lastBetId;
    s.go({ type: 'house.limits', marketMinor: 5_000, eventMinor: 0 });
    s.now += 1;
    s.go(take(s, 2, 500));
    const events = s.wait(1000);
    expect(betIn(events, beyond)).toMatchObject({
      matchedMinor: 0,
      endCode: 'LAPSED_PRICE',
      reason: 'The house takes no more on it',
    });
    expect(betIn(events, s.lastBetId)).toMatchObject({ matchedMinor: 500 });
    expect(worst(s)).toBe(3_500);
  });

  it('is bounded over the markets of an event, until they have their results', () => {
    const s = site(0, 10_000);
    s.go(take(s, 1, 6_000));
    s.refused(take(s, 1, 4_001, SESSION), 'HOUSE_LIMIT');
    s.go(take(s, 1, 4_000, SESSION));
    s.refused(take(s, 1, 1), 'HOUSE_LIMIT');
    const again = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect([hashState(again), again.houseLimits]).toEqual([hashState(s.state), { marketMinor: 0, eventMinor: 10_000 }]);
    s.go({ type: 'market.declare', marketId: SESSION, result: { kind: 'score', score: 50 } });
    s.go(take(s, 1, 4_000));
  });

  it('in a book leaves out the ladder that could cost more; players still meet each other', () => {
    const s = new Site(2);
    s.market();
    s.go({ type: 'house.limits', marketMinor: 10_000, eventMinor: 0 });
    const ladder = (size: number) => ({
      type: 'house.book' as const,
      marketId: MARKET,
      runners: [{ runnerId: 1, backable: [[300, size]] as Array<[number, number]>, layable: [] }],
    });
    s.go(ladder(5_000));
    expect(depth(s.state, MARKET, 1, 1)!.back).toEqual([[300, 5_000]]);
    s.back(ANN, 1, 300, 3_000);
    expect(worst(s)).toBe(6_000);
    s.go(ladder(2_001));
    expect(depth(s.state, MARKET, 1, 1)!.back).toEqual([]);
    s.go(ladder(2_000));
    s.back(ANN, 1, 300, 2_000);
    expect(worst(s)).toBe(10_000);
    s.match(ANN, BOB, 1, 310, 100_000);
  });

  it('over an event the ladders of all its books keep the bound together, and a lower bound takes down what is beyond it', () => {
    const OTHER = MARKET + 1;
    const s = new Site(2);
    s.market();
    s.market({ marketId: OTHER });
    const offer = (marketId: number, size: number) =>
      s.go({
        type: 'house.book',
        marketId,
        runners: [{ runnerId: 1, backable: [[300, size]], layable: [] }],
      });
    const offered = (marketId: number) => depth(s.state, marketId, 1, 1)!.back.length;
    s.go({ type: 'house.limits', marketMinor: 0, eventMinor: 10_000 });
    offer(MARKET, 4_000);
    offer(OTHER, 1_001);
    expect([offered(MARKET), offered(OTHER)]).toEqual([1, 0]);
    offer(OTHER, 1_000);
    offer(MARKET, 4_000);
    s.back(ANN, 1, 300, 4_000);
    s.back(ANN, 1, 300, 1_000, { marketId: OTHER });
    expect([worst(s), worst(s, OTHER)]).toEqual([8_000, 2_000]);
    s.go({ type: 'house.limits', marketMinor: 0, eventMinor: 0 });
    offer(MARKET, 5_000);
    offer(OTHER, 5_000);
    s.go({ type: 'house.limits', marketMinor: 15_000, eventMinor: 0 });
    expect([offered(MARKET), offered(OTHER)]).toEqual([0, 1]);
    const again = restore(JSON.parse(JSON.stringify(snapshot(s.state))));
    expect(hashState(again)).toBe(hashState(s.state));
    s.go({ type: 'house.limits', marketMinor: 0, eventMinor: 11_000 });
    expect(offered(OTHER)).toBe(0);
  });
});
