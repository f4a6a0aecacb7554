import type { MarketImage, PlacedBet, RunnerImage } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import * as store from '../src/live/store.ts';
import { forgetPlayer } from '../src/platform/per-player.ts';
import { startSession } from '../src/session/session.ts';
import type { Selection } from '../src/slip/slip.ts';
import { imagesOf } from './live-images.ts';

/** What tests of prices, slip and bets stand on: a market in the store, answers of the server, a width of the window. */
export const MATCH_ID = 2;
export const MARKET_ID = 11;

export const runner = (id: number, name: string, more: Partial<RunnerImage> = {}): RunnerImage => ({
  id,
  name,
  status: 'ACTIVE',
  factor: 0,
  last: 0,
  tradedMinor: 0,
  back: [],
  lay: [],
  ...more,
});

/** India 2.18 / 2.20 against Australia 1.84 / 1.85, 1,000.00 on each side. */
export const market = (more: Partial<MarketImage> = {}): MarketImage => ({
  id: MARKET_ID,
  matchId: MATCH_ID,
  kind: 'book',
  name: 'Match Odds',
  status: 'OPEN',
  reason: '',
  inPlay: false,
  betDelayMs: 0,
  version: 4,
  winners: 1,
  commissionBps: 200,
  minStakeMinor: 100,
  maxStakeMinor: 500_000,
  tradedMinor: 0,
  sno: 1,
  resultText: '',
  runners: [
    runner(1, 'India', { back: [[218, 100_000]], lay: [[220, 100_000]] }),
    runner(2, 'Australia', { back: [[184, 100_000]], lay: [[185, 100_000]] }),
  ],
  ...more,
});

export const selection = (more: Partial<Selection> = {}): Selection => ({
  matchId: MATCH_ID,
  marketId: MARKET_ID,
  runnerId: 1,
  kind: 'book',
  side: 'BACK',
  price: 218,
  runnerName: 'India',
  marketName: 'Match Odds',
  eventName: 'India v Australia',
  marketVersion: 4,
  betDelayMs: 0,
  minStakeMinor: 100,
  maxStakeMinor: 500_000,
  ...more,
});

export const bet = (more: Partial<PlacedBet> = {}): PlacedBet => ({
  id: 900,
  betId: MARKET_ID,
  matchId: MATCH_ID,
  kind: 'book',
  marketType: 'MATCH_ODDS',
  marketBetType: 'MATCHBETTING',
  betType: 'BACK',
  eventName: 'India v Australia',
  eventType: 'cricket',
  bettingName: 'Match Odds',
  teamName: 'India',
  runnerId: 1,
  odds: 220,
  line: null,
  box: null,
  oddsMatched: 0,
  amount: 2500,
  matched: 0,
  remaining: 2500,
  cancelled: 0,
  lapsed: 0,
  voided: 0,
  winAmount: 3000,
  lossAmount: 2500,
  status: 'EXECUTABLE',
  endCode: null,
  persistence: 'LAPSE',
  result: 'PENDING',
  profitLoss: 0,
  deleteReason: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  dueAt: null,
  settledAt: null,
  version: 1,
  beventId: '1.5',
  ...more,
});

export const betPage = (rows: readonly PlacedBet[]) => ({
  rows,
  total: rows.length,
  page: 1,
  limit: 100,
  totals: {
    stake: rows.reduce((sum, { amount }) => sum + amount, 0),
    matched: rows.reduce((sum, { matched }) => sum + matched, 0),
    profitLoss: rows.reduce((sum, { profitLoss }) => sum + profitLoss, 0),
  },
});

export interface Sent {
  method: string;
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
}
/** What a call answers, or a function of the call that says so. */
type Answer = unknown;
/** In place of an answer: a refusal of the server. */
export const refused = (status: number, code: string, message: string, more: object = {}) => ({
  refused: { statusCode: status, code, message, ...more },
});

const PROFILE = {
  userBal: { currentBalance: 1_000_000, exposure: 0, profitLoss: 0, version: 1 },
  standing: null,
  openBets: 0,
  buttonValues: { value: '{"10":10,"25":25,"100":100,"500":500}' },
  buttonValues2: { value: '{"10":10}' },
};

/** Signs in and answers calls by their path below /api; what is not named answers an empty list. The calls made. */
export function serve(answers: Record<string, Answer> = {}): Sent[] {
  const sent: Sent[] = [];
  const all: Record<string, Answer> = {
    '/user/profile': PROFILE,
    '/bet': betPage([]),
    '/bet/positions': [],
    '/user/favourites': { matchIds: [], tables: [] },
    ...answers,
  };
  startSession({
    token: 't',
    userId: 101,
    forceChangePassword: false,
    isAuthenticator: true,
    authType: 0,
    isDemo: false,
  });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(url, 'http://site');
    const one: Sent = {
      method: init.method ?? 'GET',
      path: pathname.slice(4),
      query: Object.fromEntries(searchParams),
      body: init.body ? (JSON.parse(init.body as string) as Record<string, unknown>) : {},
    };
    sent.push(one);
    const answer = all[one.path];
    const data = (typeof answer === 'function' ? await (answer as (sent: Sent) => unknown)(one) : answer) ?? [];
    const no = (data as Partial<ReturnType<typeof refused>>).refused;
    return new Response(JSON.stringify(no ?? { statusCode: 200, data }), { status: no?.statusCode ?? 200 });
  });
  return sent;
}

/** The width of the window as media queries see it. */
export function width(px: number): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches:
      px <= Number(/max-width: (\d+)px/.exec(query)?.[1] ?? Number.POSITIVE_INFINITY) &&
      px >= Number(/min-width: (\d+)px/.exec(query)?.[1] ?? 0) &&
      /width/.test(query),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

/** Prices of these markets, live. */
export function live(...images: MarketImage[]): void {
  for (const image of images) {
    store.follow(image.matchId);
    store.takeImages(imagesOf([image], ++seq));
  }
}
let seq = 0;

export const show = (element: ReactNode, path = '/') =>
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element }], { initialEntries: [path] })} />
    </QueryClientProvider>,
  );

/** After each test: nothing of it is left for the next. */
export function clear(): void {
  forgetPlayer();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
}
