import { describe, expect, it } from 'vitest';
import { veilOf } from '../src/betting/kinds.ts';
import { stateText } from '../src/betting/market-words.ts';

describe('a market that is settling', () => {
  it('says so over its prices and beside them while its result is booked', () => {
    const market = { status: 'SETTLING', reason: '', resultText: '' };
    expect(veilOf(market)).toBe('settling');
    expect(veilOf(market, { status: 'WINNER' })).toBe('settling');
    expect(stateText(market)).toBe('The result is being booked');
  });

  it('reads as suspended, with the reason, while bets in it lapse', () => {
    const market = { status: 'SETTLING', reason: 'Unmatched bets lapse', resultText: '' };
    expect(veilOf(market)).toBe('suspended');
    expect(stateText(market)).toBe('Unmatched bets lapse');
  });
});
