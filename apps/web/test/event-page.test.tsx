import type { MatchDetails } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { Screen } from '../src/features/event/event-page.tsx';
import { Screen as Race } from '../src/features/race/race-page.tsx';
import { settle } from './settle.ts';
import { clear, live, MATCH_ID, market, refused, runner, serve, width } from './trading.tsx';

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
    expect([...document.querySelectorAll('.mk .crest')].map((crest) => crest.textContent)).toEqual(['IND', 'NEP', '']);
  });
});
