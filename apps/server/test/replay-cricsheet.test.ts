import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { apply, betOf, createState, type Event, FIRST_PLAYER, type State } from '@fairgame/exchange';
import { describe, expect, it } from 'vitest';
import {
  type CricketMatch,
  foldCricsheet,
  matchResult,
  NotCricsheet,
  sessionScore,
} from '../src/feed/replay/cricsheet.ts';

const DATA = join(
  process.env.FAIRGAME_DATA_SAMPLES ?? resolve(import.meta.dirname, '../../../../shared/data'),
  'cricsheet',
);
const here = existsSync(DATA);
const title = (text: string): string =>
  here
    ? text
    : `${text} (skipped: no recordings at ../shared/data, and FAIRGAME_DATA_SAMPLES does not name another place)`;
const synthetic = foldCricsheet(
  JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/cricket-match.json'), 'utf8')),
);
const load = (name: string): CricketMatch =>
  foldCricsheet(JSON.parse(readFileSync(join(DATA, `${name}.json`), 'utf8')));

describe('a match, ball by ball', () => {
  it('folds to totals over by over; a retirement is no wicket, wides and no-balls are no legal balls', () => {
    expect(synthetic.innings.map(({ team, runs, wickets }) => [team, runs, wickets])).toEqual([
      ['Reds', 32, 1],
      ['Blues', 31, 0],
    ]);
    expect(synthetic.innings[0]!.overs).toEqual([
      { over: 0, runs: 16, penaltyRuns: 0, wickets: 1, legalBalls: 6, totalRuns: 21, totalWickets: 1 },
      { over: 1, runs: 8, penaltyRuns: 5, wickets: 0, legalBalls: 5, totalRuns: 29, totalWickets: 1 },
      { over: 2, runs: 3, penaltyRuns: 0, wickets: 0, legalBalls: 2, totalRuns: 32, totalWickets: 1 },
    ]);
    expect(synthetic.superOvers.map(({ team, runs }) => [team, runs])).toEqual([
      ['Blues', 6],
      ['Reds', 1],
    ]);
  });

  it('settles sessions: penalty runs and super overs do not count, an over that was not finished is void', () => {
    expect(sessionScore(synthetic, 0, 1)).toBe(16);
    // Five legal balls, but another over follows: the umpire's count ended it.
    expect(sessionScore(synthetic, 0, 2)).toBe(19);
    expect(sessionScore(synthetic, 0, 3)).toBeNull();
    expect(sessionScore(synthetic, 1, 1)).toBe(31);
    expect(sessionScore(synthetic, 1, 2)).toBeNull();
    expect(sessionScore(synthetic, 2, 1)).toBeNull();
    expect(sessionScore(synthetic, 0, 0)).toBeNull();
  });

  it('knows the result', () => {
    expect(matchResult(synthetic)).toEqual({ kind: 'tie', decider: 'Blues' });
  });

  it('refuses what is not a match, naming the place', () => {
    expect(() => foldCricsheet([])).toThrow(NotCricsheet);
    expect(() => foldCricsheet({ info: { teams: 'A' } })).toThrow('info.teams is not a list');
    expect(() =>
      foldCricsheet({
        info: { teams: [], match_type: 'T20', outcome: {} },
        innings: [{ team: 'A', overs: [{ over: 0 }] }],
      }),
    ).toThrow('deliveries is not a list');
  });
});

describe.skipIf(!here)(title('recorded matches'), () => {
  it('fold to the totals of their own scorecards', () => {
    const manifest: Array<{
      file: string;
      facts: { innings: Array<{ team: string; runs: number; wickets: number; super_over: boolean }> };
    }> = JSON.parse(readFileSync(join(DATA, '../manifest.json'), 'utf8'));
    const names = readdirSync(DATA);
    expect(names).toHaveLength(14);
    for (const name of names) {
      const match = load(name.replace('.json', ''));
      const { innings } = manifest.find(({ file }) => file === `cricsheet/${name}`)!.facts;
      const told = innings
        .filter((one) => !one.super_over)
        .map(({ team, runs, wickets }) => [name, team, runs, wickets]);
      expect(match.innings.map((one) => [name, one.team, one.runs, one.wickets])).toEqual(told);
      expect(match.superOvers).toHaveLength(innings.filter((one) => one.super_over).length);
    }
  });

  it('settles the worked example of the six-over session: 57', () => {
    const match = load('ipl-1304095');
    expect(match.innings[0]!.team).toBe('Royal Challengers Bangalore');
    expect(sessionScore(match, 0, 6)).toBe(57);
    expect(sessionScore(match, 0, 20)).toBe(173);
    expect(sessionScore(match, 1, 6)).toBe(51);
  });

  it('an innings that ends early settles on its total when it ended by itself, else is void', () => {
    // Won in the 16th over; 20-over session settles on the final total.
    expect(sessionScore(load('ipl-1304094'), 1, 20)).toBe(145);
    // All out in the 45th.
    expect(sessionScore(load('odis-1022349'), 0, 50)).toBe(291);
    // Rain: nothing ended by itself.
    expect(sessionScore(load('odis-1022349'), 1, 10)).toBeNull();
    expect(sessionScore(load('odis-1022349'), 1, 6)).toBe(35);
    expect(sessionScore(load('ipl-1178424'), 0, 6)).toBeNull();
    expect(sessionScore(load('ipl-1178424'), 0, 5)).toBe(62);
  });

  it('five penalty runs stand in the total and in no session', () => {
    const match = load('t20s-1268191');
    expect([match.innings[1]!.runs, sessionScore(match, 1, 20)]).toEqual([130, 125]);
  });

  it('knows every kind of result', () => {
    expect(matchResult(load('ipl-1304095'))).toEqual({ kind: 'winner', team: 'Royal Challengers Bangalore' });
    expect(matchResult(load('odis-433568'))).toEqual({ kind: 'tie', decider: null });
    expect(matchResult(load('ipl-1216517'))).toEqual({ kind: 'tie', decider: 'Kings XI Punjab' });
    expect(matchResult(load('t20s-287862'))).toEqual({ kind: 'tie', decider: 'India' });
    expect(matchResult(load('ipl-1178424'))).toEqual({ kind: 'noResult' });
    expect(load('t20s-1273144').outcome).toMatchObject({ winner: 'Ghana', method: 'Awarded' });
    expect(load('odis-1144504').outcome).toMatchObject({ by: { runs: 89 }, method: 'D/L' });
  });

  it('settles the worked ladder of three bets on that session: +200 at 57', () => {
    const state = createState();
    const score = sessionScore(load('ipl-1304095'), 0, 6)!;
    const player = FIRST_PLAYER;
    run(state, { type: 'account.open', accountId: player, currency: 'EUR', kind: 'player' });
    run(state, { type: 'account.transfer', accountId: player, amountMinor: 1_000_000, reason: 'deposit', text: '' });
    run(state, {
      type: 'market.create',
      market: {
        marketId: 1,
        eventId: 1,
        kind: 'session',
        name: '6 over runs',
        runners: [{ runnerId: 1, name: 'RCB' }],
        winners: 1,
        commissionBps: 0,
        minStakeMinor: 100,
        maxStakeMinor: 500_000,
        maxExposureMinor: 0,
        maxBets: 0,
        inPlay: false,
        status: 'OPEN',
        betDelayMs: 0,
        lapseOnSuspend: false,
      },
    });
    const bets: Array<['BACK' | 'LAY', number, number, number]> = [
      ['LAY', 45, 110, 100_000],
      ['BACK', 47, 90, 200_000],
      ['LAY', 52, 100, 50_000],
    ];
    bets.forEach(([side, line, price, stakeMinor], at) => {
      const quote = { line, price, sizeMinor: stakeMinor };
      run(state, {
        type: 'house.quotes',
        marketId: 1,
        rows: [{ runnerId: 1, back: quote, lay: quote, status: 'ACTIVE' }],
      });
      run(state, {
        type: 'quote.take',
        betId: at + 1,
        accountId: player,
        marketId: 1,
        runnerId: 1,
        side,
        line,
        price,
        stakeMinor,
      });
    });
    run(state, { type: 'market.declare', marketId: 1, result: { kind: 'score', score } });
    const profits = [1, 2, 3].map((betId) => betOf(state, betId)!.profitMinor);
    expect(profits).toEqual([-110_000, 180_000, -50_000]);
    expect(profits.reduce((sum, one) => sum + one, 0)).toBe(20_000);
  });
});

function run(state: State, command: Parameters<typeof apply>[1]): Event[] {
  const events = apply(state, command, 1_800_000_000_000);
  expect(events.filter((event) => event.type === 'refused')).toEqual([]);
  return events;
}
