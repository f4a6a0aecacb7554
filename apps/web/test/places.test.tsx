import { CALLS } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { RealityGuard } from '../src/app/player-care.tsx';
import { SessionClock } from '../src/app/session-clock.tsx';
import { MyBets } from '../src/betting/my-bets.tsx';
import { chooseChip, chosenChip } from '../src/features/casino/chosen-chip.ts';
import { rememberCommit } from '../src/features/casino/verify.ts';
import { Screen as Landing } from '../src/features/lists/landing.tsx';
import { Screen as Race } from '../src/features/race/race-page.tsx';
import { learnTime } from '../src/platform/clock.ts';
import { useScrollPlace } from '../src/platform/scroll-place.ts';
import { toast, toastLog } from '../src/platform/toasts.ts';
import { endSession } from '../src/session/session.ts';
import { select, slip } from '../src/slip/slip.ts';
import { announce, LiveRegion } from '../src/ui/live-region.tsx';
import { Modal } from '../src/ui/modal.tsx';
import { createMemoryRouter, Outlet, RouterProvider } from './memory-router.ts';
import { settle } from './settle.ts';
import { bet, betPage, clear, live, market, runner, selection, serve, show, width } from './trading.tsx';

vi.mock('../src/features/protection/reality-check.tsx', () => ({ Screen: () => null }));

beforeEach(() => width(1440));
afterEach(clear);

function Frame() {
  useScrollPlace();
  return <Outlet />;
}

describe('back to the place that was left', () => {
  it('[PUB-09] a new screen begins at the top, Back comes to the place of before, also when its rows come late', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let grown: () => void = () => undefined;
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(listener: () => void) {
          grown = listener;
        }
        observe() {}
        disconnect() {
          grown = () => undefined;
        }
      },
    );
    let height = 2000;
    vi.spyOn(window, 'scrollTo').mockImplementation(((_: number, y: number) => {
      window.scrollY = Math.min(y, height);
      window.dispatchEvent(new Event('scroll'));
    }) as typeof window.scrollTo);
    const router = createMemoryRouter([{ element: <Frame />, children: [{ path: '*', element: <p>page</p> }] }]);
    render(<RouterProvider router={router} />);
    window.scrollTo(0, 900);
    await act(() => router.navigate('/event'));
    expect(window.scrollY).toBe(0);
    window.scrollTo(0, 300);
    height = 400;
    await act(() => router.navigate(-1));
    expect(window.scrollY).toBe(400);
    height = 2000;
    grown();
    expect(window.scrollY).toBe(900);
    await act(() => router.navigate(1));
    expect(window.scrollY).toBe(300);
    // The player's own hand ends it.
    height = 400;
    await act(() => router.navigate(-1));
    window.dispatchEvent(new Event('wheel'));
    height = 2000;
    grown();
    expect(window.scrollY).toBe(400);
  });

  it('the tab of the first screen is kept with its entry of the history', async () => {
    serve({
      '/match/list': { matches: [], markets: [] },
      '/expert/notification': { value: '' },
      '/expert/blinkingTabs': [
        { matchType: 'cricket', name: 'Cricket', count: 3, inPlay: 1 },
        { matchType: 'tennis', name: 'Tennis', count: 2, inPlay: 0 },
      ],
    });
    const router = createMemoryRouter([
      { path: '/', element: <Landing /> },
      { path: '/event', element: <p>event</p> },
    ]);
    render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    await settle();
    const chosen = () => screen.getAllByRole('tab').find((tab) => tab.getAttribute('aria-selected') === 'true')!;
    fireEvent.click(screen.getByRole('tab', { name: /Tennis/ }));
    await settle();
    expect(chosen().textContent).toContain('Tennis');
    await act(() => router.navigate('/event'));
    await act(() => router.navigate(-1));
    await settle();
    expect(chosen().textContent).toContain('Tennis');
  });
});

describe('what is said', () => {
  it('words for screen readers stand in the dialog on top, for all else is inert', () => {
    const page = (open: boolean) => (
      <>
        <LiveRegion />
        {open && (
          <Modal open title="Sheet" onClose={() => undefined}>
            inside
          </Modal>
        )}
      </>
    );
    const { rerender } = render(page(false));
    act(() => announce('India 2.20'));
    expect(screen.getByText('India 2.20').closest('dialog')).toBeNull();
    rerender(page(true));
    act(() => announce('India 2.22'));
    expect(screen.getByText('India 2.22').closest('dialog')).not.toBeNull();
    rerender(page(false));
    act(() => announce('India 2.24'));
    expect(screen.getByText('India 2.24').closest('dialog')).toBeNull();
  });

  it('a hundred of more open bets say how many there are, and where they all stand', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => bet({ id: at + 1 }));
    serve({ '/bet': { ...betPage(rows), total: 137 } });
    show(<MyBets matchId={2} title="My bets" />);
    await settle();
    expect(screen.getByText(/100 of 137 are shown, unmatched ones first/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'All open bets' }).getAttribute('href')).toBe('/unsettled-bet');
    expect(within(screen.getByRole('region', { name: /My bets/ })).getByText('137')).toBeTruthy();
  });
});

describe('a sign-out', () => {
  it('leaves nothing of the player to the next one: slip, chip, messages, what was seen of rounds', () => {
    const seen = () => JSON.parse(sessionStorage.getItem('fg.player.rounds') ?? '[]') as object[];
    serve();
    select(selection());
    chooseChip(2500);
    rememberCommit({ mid: 'first', commit: 'c1', phase: 'OPEN' });
    toast.error('Only for the first player.');
    expect([slip()?.runnerId, seen().length, toastLog().length]).toEqual([1, 1, 1]);
    endSession('signedOut');
    expect([seen().length, toastLog().length, slip()]).toEqual([0, 0, null]);
    expect(chosenChip()).toBeNull();
    serve();
    rememberCommit({ mid: 'second', commit: 'c2', phase: 'OPEN' });
    expect(seen()).toEqual([{ mid: 'second', commit: 'c2' }]);
  });
});

describe('one clock', () => {
  it('a visit is as long as the server says, whatever this device believes', async () => {
    const server = Date.now() + 3_600_000;
    learnTime(server);
    serve({
      '/user/profile': {
        userBal: { currentBalance: 0, exposure: 0, profitLoss: 0, version: 1 },
        visitStartedAt: new Date(server - 125_000).toISOString(),
      },
    });
    show(
      <p data-testid="clock">
        <SessionClock />
      </p>,
    );
    await settle();
    expect(screen.getByTestId('clock').textContent).toBe('0:02');
    learnTime(Date.now());
  });

  it('while a reality check stands it is not asked for again and again', async () => {
    const status = {
      reality: { due: true, dueAt: new Date(Date.now() - 60_000).toISOString(), minutes: 60 },
      session: { startedAt: new Date(Date.now() - 3_660_000).toISOString(), elapsedMs: 3_660_000 },
    };
    vi.useFakeTimers();
    const sent = serve({ [CALLS.protection.status.path]: status });
    show(<RealityGuard />);
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(sent.filter(({ path }) => path === CALLS.protection.status.path)).toHaveLength(1);
  });
});

describe('runners of a race by price', () => {
  const race = {
    id: 2,
    matchType: 'horseRacing',
    title: 'Race',
    venue: 'Kempton',
    startAt: new Date(Date.now() + 60_000).toISOString(),
    stopAt: null,
    runners: [1, 2, 3].map((n) => ({
      selectionId: n,
      clothNumber: n,
      name: `Horse ${n}`,
      draw: null,
      silks: null,
      jockey: '',
      trainer: '',
      form: '',
      age: 3,
      weight: '',
      officialRating: null,
      status: 'ACTIVE',
      adjustmentFactor: 0,
    })),
    scoreBoard: null,
    inPlay: false,
  };
  const at = (...prices: number[]) =>
    market({
      name: 'Win',
      runners: prices.map((price, n) => runner(n + 1, `Horse ${n + 1}`, { back: [[price, 1000]] })),
    });
  // The chart below names them, too, once it is there.
  const order = () =>
    screen.getAllByText(/^Horse \d$/, { selector: '.race-parts__runner *' }).map((one) => one.textContent);

  it('stand as at the press while prices move, and by the prices of the next press', async () => {
    serve({
      '/match/racing/2': { ...race, markets: [at(300, 200, 400)], matchOdd: null },
      '/match/racing/list': [],
    });
    const router = createMemoryRouter([{ path: '/race/:id', element: <Race /> }], { initialEntries: ['/race/2'] });
    render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    await settle();
    act(() => live(at(500, 200, 400)));
    expect(order()).toEqual(['Horse 1', 'Horse 2', 'Horse 3']);
    fireEvent.click(screen.getByRole('tab', { name: 'Price' }));
    expect(order()).toEqual(['Horse 2', 'Horse 3', 'Horse 1']);
    act(() => live(at(110, 200, 400)));
    expect(order()).toEqual(['Horse 2', 'Horse 3', 'Horse 1']);
    fireEvent.click(screen.getByRole('tab', { name: 'Number' }));
    fireEvent.click(screen.getByRole('tab', { name: 'Price' }));
    expect(order()).toEqual(['Horse 1', 'Horse 2', 'Horse 3']);
  });
});
