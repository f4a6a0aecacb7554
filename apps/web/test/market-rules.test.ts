import type { MarketImage } from '@fairgame/contract';
import { describe, expect, it } from 'vitest';
import { groupRules, marketRules } from '../src/betting/rule-words.ts';

const runner = (id: number, name: string, over: Partial<MarketImage['runners'][number]> = {}) => ({
  id,
  name,
  status: 'ACTIVE',
  factor: 0,
  last: 0,
  tradedMinor: 0,
  back: [],
  lay: [],
  ...over,
});
const image = (over: Partial<MarketImage> = {}): MarketImage => ({
  id: 1,
  matchId: 7,
  kind: 'book',
  name: 'Match Odds',
  status: 'OPEN',
  reason: '',
  inPlay: false,
  betDelayMs: 0,
  version: 1,
  winners: 1,
  commissionBps: 200,
  minStakeMinor: 100,
  maxStakeMinor: 500_000,
  tradedMinor: 0,
  sno: 1,
  resultText: '',
  runners: [runner(1, 'Ann'), runner(2, 'Bea')],
  ...over,
});
const text = (market: MarketImage, head: string) => marketRules(market).find((rule) => rule.head === head)?.text;

describe('rules of a market, in words', () => {
  it('[CAR-47] [OPN-39] says winners, commission, delay, stake and what becomes of unmatched bets from the figures of the market', () => {
    const market = image({ betDelayMs: 5000, inPlay: true });
    expect(text(market, 'Winners')).toBe('One runner wins; the others lose.');
    expect(text(market, 'Commission')).toBe('2 % of your net win in this market; a loss costs none.');
    expect(text(market, 'Bet delay')).toMatch(/^A bet waits 5 s/);
    expect(text(market, 'Stake')).toBe('Min 1, max 5,000 for one bet.');
    expect(text(market, 'In-play')).toMatch(/about 5 s behind/);
    expect(text(market, 'Unmatched bets')).toMatch(/when it turns in-play unless/);
    expect(text(image({ lapseOnSuspend: true }), 'Unmatched bets')).toMatch(/each time the market is suspended/);
    expect(text(image({ commissionBps: 0 }), 'Commission')).toBe('None.');
  });

  it('tells a tie by the rule of the market: void, dead heat, or a draw that can be backed', () => {
    expect(text(image(), 'Tie')).toMatch(/void and stakes come back/);
    expect(text(image({ tieRule: 'DEAD_HEAT' }), 'Tie')).toMatch(/dead heat/);
    expect(text(image({ runners: [runner(1, 'A'), runner(2, 'B'), runner(3, 'The Draw')] }), 'Tie')).toMatch(
      /draw is a runner/,
    );
    expect(text(image({ kind: 'session' }), 'Tie')).toBeUndefined();
  });

  it('tells places and reductions of a race, with the runners that are out', () => {
    const field = [runner(1, 'Ash', { factor: 2500, status: 'REMOVED' }), runner(2, 'Beech', { factor: 1250 })];
    expect(text(image({ runners: field }), 'Non-runners')).toMatch(/prices matched before are reduced/);
    expect(text(image({ runners: field }), 'Reduced by')).toBe('Ash 25 %');
    expect(text(image({ runners: field, winners: 3 }), 'Non-runners')).toMatch(/winnings of bets matched before/);
    expect(text(image({ winners: 3 }), 'Winners')).toMatch(/^The first 3 win/);
    expect(text(image(), 'Non-runners')).toBeUndefined();
  });

  it('says how each kind of fancy is decided, each kind once', () => {
    const group = groupRules(['session', 'overByover', 'khado', 'oddEven'].map((kind, id) => image({ id, kind })));
    expect(group.map((one) => one.title)).toEqual(['Runs at a mark', 'Khado', 'Odd or even', 'All of them']);
    expect(group[0]!.rules.map((rule) => rule.head)).toEqual(['Result', 'Price', 'Void']);
    for (const kind of ['bookmaker', 'session', 'fancy1', 'oddEven', 'khado', 'meter', 'cricketCasino', 'tied']) {
      expect(marketRules(image({ kind })).map((rule) => rule.head)).toContain('Taking a bet');
    }
  });
});
