import type { MatchDetails } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/api.ts';
import { SlipForm } from '../src/betting/slip-form.tsx';
import { Screen } from '../src/features/event/event-page.tsx';
import * as store from '../src/live/store.ts';
import { select } from '../src/slip/slip.ts';
import { imagesOf } from './live-images.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { settle } from './settle.ts';
import { clear, MARKET_ID, MATCH_ID, market, selection, serve, width } from './trading.tsx';

/** Which parts throw while they are drawn. */
const broken = vi.hoisted(() => new Set<string>());
const breakable = vi.hoisted(() => (part: string) => {
  if (broken.has(part)) throw new Error(`no ${part}`);
});

vi.mock('../src/ui/step-chart.tsx', () => ({
  StepChart: () => {
    breakable('chart');
    return <p>the chart</p>;
  },
}));
vi.mock('../src/ui/scoreboard.tsx', async (actual) => ({
  ...(await actual<object>()),
  Scoreboard: () => {
    breakable('score');
    return <p>the score</p>;
  },
}));
vi.mock('../src/betting/slip-price.tsx', async (actual) => ({
  ...(await actual<object>()),
  OnOffer: () => {
    breakable('slip');
    return <p>the slip</p>;
  },
}));
vi.mock('../src/betting/live-price.tsx', () => ({
  LivePrice: ({ marketId, depth, side, runnerId }: Record<string, unknown>) => {
    breakable(`market ${String(marketId)}`);
    return depth === 0 && side === 'BACK' && runnerId === 1 ? <p>prices of {String(marketId)}</p> : null;
  },
}));

const OTHER_ID = MARKET_ID + 1;
const markets = [market(), market({ id: OTHER_ID, name: 'To win the toss', sno: 2 })];
const match: Partial<MatchDetails> = {
  id: MATCH_ID,
  title: 'India v Australia',
  matchType: 'football',
  competitionName: 'Series',
  teamA: 'India',
  teamB: 'Australia',
  startAt: '2026-11-20T10:00:00.000Z',
  stopAt: null,
  isTv: true,
  inPlay: true,
  scoreBoard: {
    sport: 'football',
    home: 'India',
    away: 'Australia',
    homeGoals: 3,
    awayGoals: 1,
    minute: 60,
    phase: '2H',
    clock: '60',
    events: [],
  },
  markets,
};
/** What stands on the page while all is well, by the part that draws it. */
const PARTS: Readonly<Record<string, string>> = {
  chart: 'the chart',
  score: 'the score',
  slip: 'the slip',
  [`market ${MARKET_ID}`]: `prices of ${MARKET_ID}`,
  [`market ${OTHER_ID}`]: `prices of ${OTHER_ID}`,
};

async function open(answers: Record<string, unknown> = {}) {
  serve({
    [`/match/other/${MATCH_ID}`]: match,
    [`/match/${MATCH_ID}`]: match,
    [`/market/history/${MARKET_ID}`]: {
      runners: [{ id: 1, name: 'India', stepMs: 20_000, candles: [[Date.now() - 1000, 220, 220, 220, 220, 0]] }],
      marks: [],
    },
    [`/market/trades/${MARKET_ID}`]: { trades: [] },
    [`/getIframeUrl/${MATCH_ID}`]: { tvData: { iframeUrl: null }, scoreData: { iframeUrl: null } },
    ...answers,
  });
  store.follow(MATCH_ID);
  store.takeImages(imagesOf(markets, 1));
  const event = (
    <>
      <Screen />
      <SlipForm />
    </>
  );
  const router = createMemoryRouter([{ path: '/game-detail/:type/:id', element: event }], {
    initialEntries: [`/game-detail/football/${MATCH_ID}`],
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  act(() => void select(selection(), '25'));
  await settle();
}
const shown = () => Object.keys(PARTS).filter((part) => screen.queryByText(PARTS[part]!) !== null);

beforeEach(() => width(1440));
afterEach(() => {
  clear();
  queryClient.clear();
  broken.clear();
});

describe('a part that throws', () => {
  it.each([
    ['chart', 'The price chart cannot be shown.'],
    ['score', 'The score cannot be shown.'],
    ['slip', 'The bet slip cannot be shown.'],
    [`market ${MARKET_ID}`, 'This market cannot be shown.'],
    [`market ${OTHER_ID}`, 'This market cannot be shown.'],
  ])('%s: the others go on, it is reported once, and another try brings it back', async (part, words) => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    broken.add(part);
    await open();
    expect(shown()).toEqual(Object.keys(PARTS).filter((one) => one !== part));
    const note = screen.getByRole('alert');
    expect(note.textContent).toContain(words);
    const again = () => fireEvent.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Try again' }));
    again();
    await settle();
    expect(report.mock.calls.filter(([text]) => /^(The|This) .* failed$/.test(String(text)))).toHaveLength(1);
    broken.clear();
    again();
    await settle();
    expect(shown()).toEqual(Object.keys(PARTS));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('the picture, of what the operator told wrongly: all others go on', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await open({ [`/getIframeUrl/${MATCH_ID}`]: { told: 'nothing of use' } });
    expect(screen.getByRole('alert').textContent).toContain('The picture cannot be shown.');
    expect(shown()).toEqual(Object.keys(PARTS));
  });

  it('the slip comes back by itself for another price', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    broken.add('slip');
    await open();
    expect(screen.getByRole('alert').textContent).toContain('The bet slip');
    broken.clear();
    act(() => void select(selection({ runnerId: 2, runnerName: 'Australia' })));
    await settle();
    expect(shown()).toEqual(Object.keys(PARTS));
  });
});
