import type { MatchItem } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { LineBanner } from '../src/app/line-banner.tsx';
import { LivePrice } from '../src/betting/live-price.tsx';
import { EventRows } from '../src/features/lists/event-rows.tsx';
import { watchMatches } from '../src/live/match-socket.ts';
import * as store from '../src/live/store.ts';
import { forgetPlayer } from '../src/platform/per-player.ts';
import { clearSlip, slip } from '../src/slip/slip.ts';
import { LiveRegion } from '../src/ui/live-region.tsx';
import { line } from './fake-line.ts';
import { see } from './fake-sight.ts';
import { frameOf, imageOf, imagesOf, priceOf } from './live-images.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { signedIn } from './player.ts';
import { matchItem } from './samples.ts';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

const later = (ms = 0) => act(() => new Promise((resolve) => setTimeout(resolve, ms)));
/** The clock goes on: what asks the server counts by it since the test before. */
const useOwnTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame'] });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const match = (id: number): MatchItem => matchItem(id, { head: imageOf(id * 10, { matchId: id }) });

beforeEach(() => {
  line.reset();
  signedIn();
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response(JSON.stringify({ statusCode: 200, data: { matchIds: [], tables: [] } }))),
  );
});
afterEach(async () => {
  vi.useRealTimers();
  await later(10);
  forgetPlayer();
});

const show = (element: React.JSX.Element) =>
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element }])} />
    </QueryClientProvider>,
  );

describe('a list of many events', () => {
  it('follows the rows in sight and no others; a price of another row cannot be pressed', async () => {
    useOwnTimers();
    line.onEmit = (_path, event, value) => {
      if (event !== 'watch') return;
      for (const id of (value as { head: number[] }).head)
        line.send('/match', `liveData${id}`, imagesOf([imageOf(id * 10, { matchId: id })], 1, { full: false }));
    };
    const matches = Array.from({ length: 100 }, (_, n) => match(n + 1));
    show(<EventRows label="Football" groups={[{ sport: 'football', matches }]} />);
    await pass(50);
    const rows = [...document.querySelectorAll('.event-list__event')];
    expect(rows).toHaveLength(100);
    const price = (row: Element) => row.querySelector('button.price__cell');
    const shut = (row: Element) => price(row)?.getAttribute('aria-disabled');
    expect(price(rows[0]!)!.textContent).toContain('2.00');
    await act(async () => {
      see(rows[0]!, true);
      see(rows[60]!, true);
    });
    expect(price(rows[60]!)!.textContent).toContain('2.00');
    expect(shut(rows[60]!)).toBe('true');
    await pass(300);
    expect(line.emitted('watch').at(-1)).toEqual({ full: [], head: [1, 61] });
    expect(shut(rows[60]!)).toBeNull();
    expect(shut(rows[1]!)).toBe('true');
    fireEvent.click(price(rows[60]!)!);
    expect(slip()).toMatchObject({ matchId: 61, price: 200 });
    // Out of sight it is let go after a while, and held back.
    await act(async () => see(rows[60]!, false));
    await pass(2500);
    expect(line.emitted('watch').at(-1)).toEqual({ full: [], head: [1] });
    expect(shut(rows[60]!)).toBe('true');
  });

  it('draws no price far from the screen: names and links stay, and so does a price in the slip or under the keyboard', async () => {
    useOwnTimers();
    line.onEmit = (_path, event, value) => {
      if (event !== 'watch') return;
      for (const id of (value as { head: number[] }).head)
        line.send('/match', `liveData${id}`, imagesOf([imageOf(id * 10, { matchId: id })], 1, { full: false }));
    };
    const matches = Array.from({ length: 80 }, (_, n) => match(n + 1));
    show(<EventRows label="Football" groups={[{ sport: 'football', matches }]} />);
    await pass(50);
    const rows = [...document.querySelectorAll('.event-list__event')];
    const drawn = () => rows.flatMap((row, at) => (row.querySelector('.price__cell') ? [at] : []));
    const first = (at: number) => rows[at]!.querySelector<HTMLButtonElement>('button.price__cell')!;
    const look = (from: number, to: number) =>
      act(async () => {
        for (const [at, row] of rows.entries()) see(row, at >= from && at < to);
      });
    // Until the browser has said what is in sight, a screen of rows.
    expect(drawn()).toHaveLength(24);
    await look(0, 5);
    await pass(500);
    expect(drawn()).toEqual([0, 1, 2, 3, 4]);
    // All that find in page, Tab and a screen reader go through.
    expect(rows).toHaveLength(80);
    expect(rows[79]!.textContent).toContain('Home 80');
    expect(rows[79]!.querySelector('a')!.getAttribute('href')).toContain('80');
    expect(rows[79]!.querySelectorAll('.price__cells')).toHaveLength(rows[0]!.querySelectorAll('.price__cells').length);

    fireEvent.click(first(2));
    expect(slip()).toMatchObject({ matchId: 3 });
    await act(async () => first(3).focus());
    await look(40, 44);
    await pass(2500);
    expect(drawn()).toEqual([2, 3, 40, 41, 42, 43]);
    await act(async () => first(41).focus());
    act(clearSlip);
    await pass(2500);
    expect(drawn()).toEqual([40, 41, 42, 43]);
  });
});

describe('what a row says', () => {
  const rows = (one: MatchItem) => {
    show(<EventRows label="Politics" groups={[{ sport: 'politics', matches: [one] }]} />);
    return document.querySelector('.event-list__event')!;
  };
  const names = (row: Element) => [...row.querySelectorAll('.event-list__selections')].map((name) => name.textContent);

  it('of an election names whose prices it sells, and no 1 and 2 above them', () => {
    const head = imageOf(10, { matchId: 1 });
    const [first, second] = head.runners;
    const runners = ['Blue Party', 'Green Party'].map((name, at) => ({ ...(at ? second : first)!, name }));
    const row = rows({
      ...match(1),
      matchType: 'politics',
      title: 'Deccan State: election',
      head: { ...head, runners },
    });
    expect(names(row)).toEqual(['Blue Party', 'Green Party']);
    expect(document.querySelector('.event-heads__odds')!.textContent).toBe('BackLayBackLayBackLay');
  });

  it('of two teams has them in its title, under 1 and 2', () => {
    const head = imageOf(10, { matchId: 1 });
    const row = rows({ ...match(1), title: head.runners.map(({ name }) => name).join(' v '), head });
    expect(names(row)).toEqual([]);
    expect(document.querySelector('.event-heads__odds')!.textContent).toMatch(/Back1Lay.*Back2Lay/);
  });

  it('in play begins with the score: what is cut on a phone is the competition', () => {
    const row = rows({ ...match(1), inPlay: true, scoreText: 'IND 120/3 (14.2), India won the toss', head: null });
    expect(row.querySelector('.event-list__meta')!.textContent).toBe('IND 120/3 (14.2) \u00b7 Cup');
  });
});

describe('a press on a price', () => {
  const cell = () => screen.getByRole('button', { name: /^Back A/ });
  async function shown() {
    const leave = watchMatches([7], 'full');
    await later(5);
    line.send('/match', 'liveData7', imagesOf([imageOf(1)], 1));
    show(<LivePrice matchId={7} eventName="A v B" marketId={1} runnerId={1} kind="book" name="A" side="BACK" />);
    await later(50);
    return leave;
  }

  it('takes the price that was painted, though another has come since', async () => {
    const leave = await shown();
    expect(cell().textContent).toContain('2.00');
    // Told, and not drawn yet.
    line.send('/match', 'frame', frameOf([priceOf(1, 1, 150)]));
    expect(store.runner(1, 1)?.back[0]?.[0]).toBe(150);
    expect(cell().textContent).toContain('2.00');
    fireEvent.click(cell());
    expect(slip()).toMatchObject({ price: 200, marketVersion: 1 });
    leave();
  });

  it('does nothing where betting has closed, the line is gone or the market has a gap, though the screen has not drawn it', async () => {
    const leave = await shown();
    const pressed = () => {
      fireEvent.click(cell());
      return slip();
    };
    line.send('/match', 'frame', frameOf([{ id: 1, s: 2, b: 1, d: { status: 'SUSPENDED' } }]));
    expect(pressed()).toBeNull();
    line.send('/match', 'frame', frameOf([{ id: 1, s: 3, b: 2, d: { status: 'OPEN' } }]));
    line.send('/match', 'frame', frameOf([priceOf(1, 8, 150)]));
    expect(pressed()).toBeNull();
    line.send('/match', 'liveData7', imagesOf([imageOf(1)], 9));
    line.drop();
    expect(pressed()).toBeNull();
    leave();
  });
});

describe('words about the line', () => {
  it('too many tabs: says so, and offers to take over', async () => {
    line.refuse = (_path, { takeOver }) => (takeOver ? null : { code: 'TOO_MANY_TABS', message: '' });
    const leave = watchMatches([7], 'full');
    show(
      <>
        <LineBanner />
        <LiveRegion />
      </>,
    );
    await later(20);
    expect(screen.getAllByText(/open in as many tabs as it may be/).length).toBeGreaterThan(0);
    expect(document.querySelector('[aria-live=assertive]')?.textContent).toMatch(/as many tabs/);
    fireEvent.click(screen.getByRole('button', { name: 'Use this tab' }));
    await later(20);
    expect(screen.queryByRole('button', { name: 'Use this tab' })).toBeNull();
    line.send('/match', 'replaced', undefined);
    leave();
  });

  it('a line that stays away is said after a while, one that is back soon is not', async () => {
    vi.useFakeTimers();
    const leave = watchMatches([7], 'full');
    show(<LineBanner />);
    await act(() => vi.advanceTimersByTimeAsync(10));
    line.drop();
    line.reachable = false;
    await act(() => vi.advanceTimersByTimeAsync(7000));
    expect(screen.queryByText(/connection to the site is lost/)).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(screen.getByText(/connection to the site is lost/)).toBeTruthy();
    line.reachable = true;
    await act(() => vi.advanceTimersByTimeAsync(6000));
    expect(screen.queryByText(/connection to the site is lost/)).toBeNull();
    leave();
  });
});
