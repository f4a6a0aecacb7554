import type { CricketScore, FootballScore, MatchDetails } from '@fairgame/contract';
import { betAmounts, type RunMarket, runLadder } from '@fairgame/exchange';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { FancyMarket } from '../src/betting/fancy-market.tsx';
import { Screen } from '../src/features/event/event-page.tsx';
import { Screen as Race } from '../src/features/race/race-page.tsx';
import * as store from '../src/live/store.ts';
import { frameOf, imagesOf } from './live-images.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { settle } from './settle.ts';
import {
  clear,
  live,
  MARKET_ID,
  MATCH_ID,
  market,
  refused,
  runner,
  type Sent,
  serve,
  show,
  width,
} from './trading.tsx';

beforeEach(() => width(1440));
afterEach(() => {
  clear();
  queryClient.clear();
});

async function open(path: string, route: string, Component = Screen) {
  const router = createMemoryRouter([{ path: route, Component }], { initialEntries: [path] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await settle();
}
const EVENT = '/game-detail/:type/:id';
const ways = () => screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);

const gone = refused(404, 'MATCH_UNKNOWN', 'This event does not exist.');

describe('an event that is not there', () => {
  it.each([
    ['whose number nobody knows', '/game-detail/tennis/77'],
    ['whose address has no number', '/game-detail/tennis/final'],
  ])('%s leads home and to its sport', async (_, path) => {
    serve({ '/match/77': gone, '/match/other/77': gone });
    await open(path, EVENT);
    expect(screen.getByText('There is no such event')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(ways()).toEqual([
      ['More Tennis', '/game-list/tennis'],
      ['Home', '/home'],
    ]);
  });

  it('says so of a race', async () => {
    serve({ '/match/racing/77': gone });
    await open('/race/77', '/race/:id', Race);
    expect(screen.getByText('There is no such race')).toBeTruthy();
    expect(ways()).toContainEqual(['Home', '/home']);
  });

  it('that did not load for another reason is asked for again', async () => {
    const broken = refused(400, 'VALIDATION', 'No.');
    serve({ '/match/77': broken, '/match/other/77': broken });
    await open('/game-detail/tennis/77', EVENT);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});

describe('the markets of an event', () => {
  const winner = market({
    name: 'Winner of the series',
    runners: ['India', 'Nepal', 'The Draw'].map((name, at) => runner(at + 1, name)),
  });
  const match: Partial<MatchDetails> = {
    id: MATCH_ID,
    title: 'India v Nepal',
    matchType: 'cricket',
    competitionName: 'Series',
    teamA: 'India',
    teamB: 'Nepal',
    startAt: '2026-11-20T10:00:00.000Z',
    stopAt: null,
    isTv: false,
    scoreBoard: null,
    inPlay: false,
    markets: [winner],
  };

  it('are chosen by the name of the first, whatever it is, and the draw bears no shield', async () => {
    serve({ [`/match/${MATCH_ID}`]: match });
    live(winner);
    await open(`/game-detail/cricket/${MATCH_ID}`, EVENT);
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(
      expect.arrayContaining(['All markets', 'Winner of the series']),
    );
    expect(
      [...document.querySelectorAll('.market-table__market .market__crest')].map((crest) => crest.textContent),
    ).toEqual(['IND', 'NEP', '']);
  });

  it('that are over and gone have left their charts', async () => {
    serve({
      [`/match/${MATCH_ID}`]: { ...match, markets: [], stopAt: '2026-11-20T16:00:00.000Z' },
      [`/market/past/${MATCH_ID}`]: [
        { id: 31, name: 'Match Odds' },
        { id: 32, name: 'Tied Match' },
      ],
      '/market/history/31': {
        runners: [
          { id: 1, name: 'India', stepMs: 60_000, candles: [[Date.now() - 9 * 60_000, 200, 200, 180, 190, 500]] },
          { id: 2, name: 'Nepal', stepMs: 60_000, candles: [] },
        ],
        marks: [],
      },
      '/market/trades/31': { trades: [[7, Date.now(), 1, 190, 500, 'LAY']] },
    });
    await open(`/game-detail/cricket/${MATCH_ID}`, EVENT);
    expect(await screen.findByRole('img', { name: 'Prices of Match Odds: India 1.90' })).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Last trades' }).textContent).toContain('India');
    expect(screen.getByRole('tab', { name: 'Tied Match' })).toBeTruthy();
    expect(screen.queryByText('Waiting for prices')).toBeNull();
  });

  describe('have a score', () => {
    const cricket = (runs: number): CricketScore => ({
      sport: 'cricket',
      format: 'T20',
      maxOvers: 20,
      innings: [{ team: 'India', short: 'IND', runs, wickets: 2, balls: 60, declared: false }],
      battingIndex: 0,
      target: null,
      line: '',
      note: '',
      currentRunRate: '8.70',
      requiredRunRate: '',
      batters: [],
      bowlers: [],
      partnership: { runs: 0, balls: 0 },
      overs: [],
      ballRunning: false,
    });
    const football: FootballScore = {
      sport: 'football',
      home: 'India',
      away: 'Nepal',
      homeGoals: 3,
      awayGoals: 1,
      minute: 60,
      phase: '2H',
      clock: '60',
      events: [],
    };
    const asked = (sent: Sent[], path: string) => sent.filter((one) => one.path === path).map(({ query }) => query);
    const board = (name: string) => screen.getByRole('region', { name }).textContent;

    it('[MAT-09] of cricket: that of cricketScore under data.data, until the socket tells a newer one', async () => {
      const sent = serve({ [`/match/${MATCH_ID}`]: match, '/cricketScore': { data: cricket(87) } });
      live(winner);
      await open(`/game-detail/cricket/${MATCH_ID}`, EVENT);
      expect(asked(sent, '/cricketScore')).toEqual([{ eventId: String(MATCH_ID) }]);
      expect(board('Cricket score')).toContain('87/2');
      store.follow(MATCH_ID);
      store.takeImages(imagesOf([winner], 1000, { score: cricket(91), scoreSeq: 1 }));
      await settle();
      expect(board('Cricket score')).toContain('91/2');
      // Another server counts anew: the last score stands until its first.
      store.takeFrame(frameOf([], 2));
      await settle();
      expect(board('Cricket score')).toContain('91/2');
      store.takeImages(imagesOf([winner], 1, { e: 2, score: cricket(95), scoreSeq: 0 }));
      await settle();
      expect(board('Cricket score')).toContain('95/2');
      expect(asked(sent, '/tunnel/casino/sport-score')).toEqual([]);
    });

    it('[MAT-10] of every other sport: that of sport-score', async () => {
      const sent = serve({
        [`/match/${MATCH_ID}`]: { ...match, matchType: 'football' },
        '/tunnel/casino/sport-score': football,
      });
      live(winner);
      await open(`/game-detail/football/${MATCH_ID}`, EVENT);
      expect(asked(sent, '/tunnel/casino/sport-score')).toEqual([{ eventId: String(MATCH_ID) }]);
      expect(board('Football score')).toContain('3');
      expect(asked(sent, '/cricketScore')).toEqual([]);
    });
  });

  it.each([
    ['khado', '5 or less', '18 or more', ['9', '10', '12', '13']],
    ['meter', '0', '36', ['1', '4', '9', '10']],
  ] as const)('[FAN-05] of a %s show a ladder that is trimmed as every other', async (kind, first, last, between) => {
    const bought = { runnerId: 1, side: 'BACK', line: 10, width: 3, price: 100, stakeMinor: 100 } as const;
    const numbers: RunMarket = { kind, runners: [{ runnerId: 1, width: 3 }], cap: 40 };
    const rows = runLadder(numbers, [{ ...bought, ...betAmounts(kind, bought) }]);
    const betPlaced = rows.map(({ run, profitMinor }) => ({ odds: run, profitLoss: profitMinor }));
    serve({ [`/bet/session/profitLoss/${MARKET_ID}`]: { profitLoss: { totalBet: 1, betPlaced } } });
    const position = { betId: MARKET_ID, exposure: 100, betCount: 1, runners: [], runs: [], paid: null };
    live(market({ kind, name: 'Runs', runners: [runner(1, '10-3', { yesLine: 10, width: 3 })] }));
    show(<FancyMarket marketId={MARKET_ID} eventName="India v Nepal" position={position} marks={new Set()} />);
    fireEvent.click(screen.getByRole('button', { name: /^Run ladder for/ }));
    await settle();
    const shown = [...document.querySelectorAll('.fancy-market__runs tbody td:first-child')].map(
      (cell) => cell.textContent,
    );
    expect([shown[0], shown.at(-1)]).toEqual([first, last]);
    expect(shown).toEqual(expect.arrayContaining([...between]));
    expect(shown.length).toBeLessThan(rows.length);
  });
});
