import type { MarketImage } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import * as store from '../src/live/store.ts';
import { forgetPlayer } from '../src/platform/per-player.ts';
import { imagesOf } from './live-images.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { signedIn } from './player.ts';
import { betPage, PROFILE } from './samples.ts';

/** What tests of prices, slip and bets stand on: samples, answers of the server, a width of the window. */
export * from './samples.ts';

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
  signedIn({ userId: 101 });
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
