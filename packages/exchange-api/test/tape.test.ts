import type { MarketView } from '@fairgame/exchange';
import { describe, expect, it } from 'vitest';
import { type Book, Given, headOf, lineOf, type MarketFacts, MarketTape, readMarketWish } from '../src/exchange-api.ts';

const facts: MarketFacts = {
  marketId: '1.200000001',
  marketName: 'Match Odds',
  marketType: 'MATCH_ODDS',
  bettingType: 'ODDS',
  eventId: '30000001',
  eventName: 'São Paulo v Lake End',
  eventType: { id: '1', name: 'Soccer' },
  venue: 'São Paulo',
  startAt: 0,
  inPlay: false,
  turnInPlay: true,
};
const view = {
  marketId: 1,
  status: 'OPEN',
  version: 1,
  winners: 1,
  commissionBps: 200,
  inPlay: false,
  betDelayMs: 0,
} as MarketView;
const book = (minor: number, ...more: Array<[number, number]>): Book => ({
  view,
  runners: [
    {
      runnerId: 7,
      status: 'ACTIVE',
      removedAt: null,
      lastPrice: 0,
      tradedMinor: 0,
      back: [[200, minor], ...more],
      lay: [],
      traded: [],
    },
  ],
});
const wish = (fields: string[]) => readMarketWish(new Given({ marketDataFilter: { fields } }));

describe('a tape', () => {
  it('tells one who is behind the newest, whatever it told others of the same turn', () => {
    const tape = new MarketTape(facts, book(100), 1);
    const all = wish(['EX_ALL_OFFERS']);
    const since = (turn: number) => tape.since(facts.marketId, turn, all);
    tape.take(facts, book(50), 2);
    expect(since(1)).toBe('{"id":"1.200000001","rc":[{"id":7,"atb":[[2,0.5]]}]}');
    expect(since(2)).toBeNull();
    tape.take(facts, book(70), 3);
    expect(since(1)).toContain('[2,0.7]');
    expect(since(2)).toContain('[2,0.7]');
    // Another who asks for other fields is told of those.
    expect(tape.since(facts.marketId, 1, wish(['EX_LTP']))).toBeNull();
  });

  it('tells best offers by their places: those that shifted, and zeros for what is there no more', () => {
    const tape = new MarketTape(facts, book(100, [199, 300], [198, 400]), 1);
    const best = readMarketWish(new Given({ marketDataFilter: { fields: ['EX_BEST_OFFERS'], ladderLevels: 2 } }));
    const since = (turn: number | null) => JSON.parse(tape.since(facts.marketId, turn, best)!).rc[0].batb;
    expect(since(null)).toEqual([
      [0, 2, 1],
      [1, 1.99, 3],
    ]);
    tape.take(facts, book(100, [198, 400]), 2);
    expect(since(1)).toEqual([[1, 1.98, 4]]);
    tape.take(facts, book(100), 3);
    expect(since(2)).toEqual([[1, 0, 0]]);
    expect(since(1)).toEqual([[1, 0, 0]]);
    expect(since(null)).toEqual([[0, 2, 1]]);
    // What is no place of theirs is not told.
    tape.take(facts, book(100, [199, 300], [198, 500]), 4);
    tape.take(facts, book(100, [199, 300], [198, 600]), 5);
    expect(tape.since(facts.marketId, 4, best)).toBeNull();
  });

  it('says when a market had its result, and of no other', () => {
    const tape = new MarketTape(facts, book(100), 1);
    const defined = wish(['EX_MARKET_DEF']);
    const now = () => JSON.parse(tape.since(facts.marketId, null, defined)!).marketDefinition;
    expect(now()).not.toHaveProperty('settledTime');
    const settledAt = Date.UTC(2026, 3, 18);
    tape.take(facts, { ...book(100), view: { ...view, status: 'CLOSED' }, settledAt }, 2);
    expect(now()).toMatchObject({ status: 'CLOSED', settledTime: '2026-04-18T00:00:00.000Z' });
    tape.take(facts, { ...book(100), settledAt }, 3);
    expect(now()).not.toHaveProperty('settledTime');
  });

  it('is whole in an image, letters by their numbers, and its line is never cut behind 1024 bytes but for its end', () => {
    const tape = new MarketTape(facts, book(100), 1);
    const text = tape.since(facts.marketId, null, wish(['EX_ALL_OFFERS', 'EX_MARKET_DEF']))!;
    expect(text).toContain('S\\u00e3o Paulo');
    expect(JSON.parse(text)).toMatchObject({ img: true, marketDefinition: { venue: 'São Paulo' }, rc: [{ id: 7 }] });
    for (let more = 0; more < 1100; more++) {
      const line = lineOf(headOf({ op: 'mcm', clk: 'x'.repeat(more) }), `${text},${text}`);
      expect(line.length % 1024).not.toBe(1);
      if (more === 0) expect(JSON.parse(line).mc).toHaveLength(2);
    }
  });
});
