import { CALLS } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryClient, readCall, useCall } from '../src/api/queries.ts';
import { forgetPlayer } from '../src/platform/per-player.ts';
import { signedIn } from './player.ts';

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const held = () =>
  queryClient
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey[0]);

beforeEach(() => {
  vi.useFakeTimers();
  signedIn();
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"statusCode":200,"data":{}}')));
});
afterEach(() => {
  forgetPlayer();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function Event() {
  useCall(CALLS.catalog.list, { query: {} });
  useCall(CALLS.catalog.match, { params: { id: '1' } });
  useCall(CALLS.catalog.history, { params: { id: '2' } });
  return null;
}

it('what was read of one event is forgotten a minute after it was left, a list is there for the way back', async () => {
  const { unmount } = render(
    <QueryClientProvider client={queryClient}>
      <Event />
    </QueryClientProvider>,
  );
  await readCall(CALLS.catalog.competitions, { params: { id: 'cricket' } });
  // As long as it is shown it stays.
  await pass(70_000);
  const shown = [CALLS.catalog.list.name, CALLS.catalog.match.name, CALLS.catalog.history.name];
  expect(held()).toEqual(shown);
  unmount();
  await pass(50_000);
  expect(held()).toEqual(shown);
  await pass(20_000);
  expect(held()).toEqual([CALLS.catalog.list.name]);
  await pass(4 * 60_000);
  expect(held()).toEqual([]);
});
