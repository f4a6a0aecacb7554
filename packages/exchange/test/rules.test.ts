import { describe, expect, it } from 'vitest';
import {
  BASKETBALL_LEFT_MS,
  basketballStands,
  betOf,
  compareIncomplete,
  footballStands,
  type InningsPlayed,
  motorRaceStands,
  overSession,
  type ScoreAtOver,
  testFancy,
  tournamentTotals,
  wallet,
} from '../src/exchange.ts';
import { ANN, MARKET, Site } from './site.ts';

const HOUR = 3_600_000;
const at = (runs: number, wickets: number, boundaries: number, oversCompleted = 50): ScoreAtOver => ({
  runs,
  wickets,
  boundaries,
  oversCompleted,
  end: null,
});

describe('an incomplete limited-overs match', () => {
  it('[RTX-03] an ODI is decided by the 25-over score: runs, then wickets lost, then boundaries, else no result', () => {
    expect(compareIncomplete('ODI', at(140, 8, 3), at(139, 1, 20))).toBe('first');
    expect(compareIncomplete('ODI', at(139, 1, 20), at(140, 8, 3))).toBe('second');
    expect(compareIncomplete('ODI', at(140, 3, 3), at(140, 4, 20))).toBe('first');
    expect(compareIncomplete('ODI', at(140, 4, 9), at(140, 4, 10))).toBe('second');
    expect(compareIncomplete('ODI', at(140, 4, 10), at(140, 4, 10))).toBeNull();
    expect(compareIncomplete('ODI', at(140, 8, 3), at(90, 1, 2, 24))).toBeNull();
    expect(compareIncomplete('ODI', at(140, 8, 3), at(90, 1, 2, 25))).toBe('first');
  });

  it('[RTX-04] a T20 is decided by the 10-over score', () => {
    expect(compareIncomplete('T20', at(80, 2, 9, 20), at(81, 9, 1, 10))).toBe('second');
    expect(compareIncomplete('T20', at(80, 2, 9, 20), at(81, 9, 1, 9))).toBeNull();
    // All out before the tenth over: what they made is their 10-over score.
    expect(compareIncomplete('T20', at(80, 2, 9, 20), { ...at(45, 10, 4, 8), end: 'allOut' })).toBe('first');
  });

  it('a session at over n stands when the over was completed or the innings ended by itself', () => {
    const played = (oversCompleted: number, end: InningsPlayed['end'] = null): InningsPlayed => ({
      oversCompleted,
      end,
    });
    expect(overSession(played(6), 6)).toBeNull();
    expect(overSession(played(5), 6)).toBe('Over 6 was not completed');
    for (const end of ['allOut', 'declared', 'targetReached', 'oversUp'] as const) {
      expect(overSession(played(5, end), 6)).toBeNull();
    }
  });
});

describe('Test cricket', () => {
  it('[RTX-05] a session needs 25 overs in the session; the end of an innings does not make up for them', () => {
    expect(testFancy('session', 25)).toBeNull();
    expect(testFancy('session', 24)).toBe('24 of the 25 overs needed were bowled');
    expect(testFancy('session', 24, true)).not.toBeNull();
  });

  it('[RTX-06] the total of the first day needs 80 overs', () => {
    expect(testFancy('firstDayTotal', 80)).toBeNull();
    expect(testFancy('firstDayTotal', 79, true)).toBe('79 of the 80 overs needed were bowled');
  });

  it('[RTX-07] lambi needs 70 overs, or the end of the innings', () => {
    expect(testFancy('lambi', 70)).toBeNull();
    expect(testFancy('lambi', 69)).toBe('69 of the 70 overs needed were bowled');
    expect(testFancy('lambi', 42, true)).toBeNull();
  });

  it('[RTX-08] other fancies need 300 overs, or the end of the match', () => {
    expect(testFancy('otherFancy', 300)).toBeNull();
    expect(testFancy('otherFancy', 299)).toBe('299 of the 300 overs needed were bowled');
    expect(testFancy('otherFancy', 210, true)).toBeNull();
  });

  it('[RTX-05] [RTX-08] the reason makes the bets of the market void: stake back, nothing won', () => {
    const s = new Site(1, 10_000);
    s.market({
      kind: 'session',
      runners: [{ runnerId: 1, name: 'Lunch runs' }],
      commissionBps: 0,
    });
    const quote = { price: 100, line: 80, sizeMinor: 100_000 };
    s.go({
      type: 'house.quotes',
      marketId: MARKET,
      rows: [{ runnerId: 1, back: quote, lay: quote, status: 'ACTIVE' }],
    });
    const bet = { accountId: ANN, marketId: MARKET, runnerId: 1, side: 'BACK' as const };
    s.go({ type: 'quote.take', betId: 1, ...bet, price: 100, line: 80, stakeMinor: 500 });
    expect(wallet(s.state, ANN)).toMatchObject({ exposureMinor: 500 });
    const reason = testFancy('session', 12)!;
    s.go({ type: 'market.declare', marketId: MARKET, result: { kind: 'void', reason } });
    expect(wallet(s.state, ANN)).toMatchObject({ balanceMinor: 10_000, exposureMinor: 0 });
    expect(betOf(s.state, 1)).toMatchObject({ result: 'VOID', profitMinor: 0 });
  });
});

describe('tournaments and other sports', () => {
  it('[RTX-10] [RTX-09] an abandoned match counts with the averages: 45 fours, 11 sixes, 15 wickets', () => {
    const played = { fours: 30, sixes: 8, wickets: 12 };
    expect(tournamentTotals([played, null, played])).toEqual({ fours: 105, sixes: 27, wickets: 39 });
    expect(tournamentTotals([null])).toEqual({ fours: 45, sixes: 11, wickets: 15 });
    expect(tournamentTotals([])).toEqual({ fours: 0, sixes: 0, wickets: 0 });
    expect(tournamentTotals([played, null], { fours: 1, sixes: 1, wickets: 1 })).toEqual({
      fours: 31,
      sixes: 9,
      wickets: 13,
    });
  });

  it('[RTX-11] football is void after 48 hours without a match, except what was decided', () => {
    const startAt = 1_000 * HOUR;
    const none = { startAt, playedAt: null };
    expect(footballStands(none, startAt + 48 * HOUR)).toBeNull();
    expect(footballStands(none, startAt + 48 * HOUR + 1)).toBe('No match within 48 hours');
    expect(footballStands({ startAt, playedAt: startAt + 47 * HOUR }, startAt + 90 * HOUR)).toBeNull();
    expect(footballStands({ startAt, playedAt: startAt + 49 * HOUR }, startAt + 90 * HOUR)).not.toBeNull();
    expect(footballStands({ ...none, decided: true }, startAt + 90 * HOUR)).toBeNull();
  });

  it('[RTX-12] motor sports stand if the race concludes within 72 hours', () => {
    const startAt = 500 * HOUR;
    const race = (concludedAt: number | null) => ({ startAt, concludedAt });
    expect(motorRaceStands(race(startAt + 72 * HOUR), startAt + 100 * HOUR)).toBeNull();
    expect(motorRaceStands(race(startAt + 72 * HOUR + 1), startAt + 100 * HOUR)).not.toBeNull();
    expect(motorRaceStands(race(null), startAt + 72 * HOUR)).toBeNull();
    expect(motorRaceStands(race(null), startAt + 73 * HOUR)).toBe('The race did not conclude within 72 hours');
  });

  it('[RTX-13] basketball stands with 5 minutes or less left', () => {
    expect(basketballStands(0)).toBeNull();
    expect(basketballStands(BASKETBALL_LEFT_MS)).toBeNull();
    expect(BASKETBALL_LEFT_MS).toBe(300_000);
    expect(basketballStands(BASKETBALL_LEFT_MS + 1)).not.toBeNull();
  });
});
