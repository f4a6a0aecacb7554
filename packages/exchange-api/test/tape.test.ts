import type { MarketView } from '@fairgame/exchange';
import { describe, expect, it } from 'vitest';
import { type Book, Given, lineOf, type MarketFacts, MarketTape, readMarketWish } from '../src/exchange-api.ts';

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
const book = (minor: number): Book => ({
  view,
  runners: [
    {
      runnerId: 7,
      status: 'ACTIVE',
      removedAt: null,
      lastPrice: 0,
      tradedMinor: 0,
      back: [[200, minor]],
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
    const since = (turn: number) => tape.since(facts.marketId, turn, all, new Map());
    tape.take(facts, book(50), 2);
    expect(since(1)).toBe('{"id":"1.200000001","rc":[{"id":7,"atb":[[2,0.5]]}]}');
    expect(since(2)).toBeNull();
    tape.take(facts, book(70), 3);
    expect(since(1)).toContain('[2,0.7]');
    expect(since(2)).toContain('[2,0.7]');
    // Another who asks for other fields is told of those.
    expect(tape.since(facts.marketId, 1, wish(['EX_LTP']), new Map())).toBeNull();
  });

  it('is whole in an image, letters by their numbers, and its line is never cut behind 1024 bytes but for its end', () => {
    const tape = new MarketTape(facts, book(100), 1);
    const text = tape.since(facts.marketId, null, wish(['EX_ALL_OFFERS', 'EX_MARKET_DEF']), new Map())!;
    expect(text).toContain('S\\u00e3o Paulo');
    expect(JSON.parse(text)).toMatchObject({ img: true, marketDefinition: { venue: 'São Paulo' }, rc: [{ id: 7 }] });
    for (let more = 0; more < 1100; more++) {
      const line = lineOf({ op: 'mcm', clk: 'x'.repeat(more) }, [text, text]);
      expect(line.length % 1024).not.toBe(1);
      if (more === 0) expect(JSON.parse(line).mc).toHaveLength(2);
    }
  });
});
