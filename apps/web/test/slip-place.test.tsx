import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { SlipPlace } from '../src/app/slip-place.tsx';
import { RunnerMarket } from '../src/betting/runner-market.tsx';
import { toastLog } from '../src/platform/toasts.ts';
import { edit, oneClickStake, select, setOneClick, slip } from '../src/slip/slip.ts';
import { RailOutlet, RailProvider, useRail } from '../src/ui/rail.tsx';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { settle } from './settle.ts';
import { bet, clear, live, MARKET_ID, market, refused, selection, serve, show, width } from './trading.tsx';

/** Where the slip stands on screens of every width, and that it does not follow the player to another one. */
afterEach(clear);

function Opened() {
  return <output>{useRail().open ? 'drawer open' : 'drawer shut'}</output>;
}
const place = (
  <RailProvider>
    <SlipPlace inline={false} ownBets={false} onEditStakes={() => undefined} />
    <RailOutlet />
    <Opened />
  </RailProvider>
);

async function open(px: number) {
  width(px);
  const dialogs: { showModal?: () => void } = HTMLDialogElement.prototype;
  dialogs.showModal ??= () => undefined;
  live(market());
  const router = createMemoryRouter(
    [
      { path: '/home', element: place },
      { path: '/other', element: place },
      { path: '/account-statement', element: <p>no slip here</p> },
    ],
    { initialEntries: ['/home'] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await settle();
  return async (to: string) => {
    await act(() => router.navigate(to));
    await settle();
  };
}
const pick = async () => {
  act(() => void select(selection(), '25'));
  await settle();
};

describe('on a phone', () => {
  it('the slip under a row is brought whole into sight, once for each press', async () => {
    serve();
    width(390);
    live(market());
    const scrolled = vi.fn();
    Element.prototype.scrollIntoView = function (how) {
      scrolled(this.textContent?.includes('Place') || this.textContent?.includes('stake'), how);
      // Newer browsers answer with a promise.
      return Promise.resolve() as never;
    };
    show(
      <RunnerMarket
        marketId={MARKET_ID}
        eventName="India v Australia"
        position={undefined}
        marks={new Set<string>()}
      />,
    );
    await settle();
    expect(scrolled).not.toHaveBeenCalled();
    await pick();
    expect(scrolled.mock.calls).toEqual([[true, { block: 'nearest' }]]);
    act(() => edit({ stakeText: '30' }));
    await settle();
    expect(scrolled).toHaveBeenCalledTimes(1);
    act(() => void select(selection({ side: 'LAY', price: 220 })));
    await settle();
    expect(scrolled).toHaveBeenCalledTimes(2);
    expect(screen.queryByText(/cannot be shown/)).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
    await settle();
    expect(screen.queryByText(/cannot be shown/)).toBeNull();
  });

  it('a selection is given up with its screen: no sheet stands over the next one', async () => {
    serve();
    const go = await open(390);
    await pick();
    expect(screen.getByRole('dialog', { name: 'Bet slip' })).toBeTruthy();
    await go('/other');
    expect(slip()).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    ['placed', { bet: bet(), wallet: { currentBalance: 1, exposure: 0, version: 2 } }, 'India: your bet is placed'],
    ['refused', refused(409, 'MARKET_SUSPENDED', 'The market is suspended.'), 'India: The market is suspended.'],
  ])('a bet on its way is told as a message when it is %s', async (_, answer, words) => {
    let decide: (() => void) | undefined;
    serve({ '/placeBet': () => new Promise((resolve) => (decide = () => resolve(answer))) });
    const go = await open(390);
    await pick();
    const form = within(screen.getByRole('dialog', { name: 'Bet slip' }));
    fireEvent.click(form.getByRole('button', { name: /^Place/ }));
    fireEvent.click(form.getByRole('button', { name: /^Confirm/ }));
    await act(() => vi.waitFor(() => expect(decide).toBeTruthy()));
    await go('/account-statement');
    expect(slip()).not.toBeNull();
    await act(async () => decide!());
    await settle();
    expect(toastLog().map(({ text }) => text)).toContain(words);
    expect(slip()).toBeNull();
    await go('/home');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('where the rail is a drawer', () => {
  it('it opens for a press, not for what the slip holds since another screen', async () => {
    serve();
    const go = await open(900);
    await pick();
    expect(screen.getByText('drawer open')).toBeTruthy();
    await go('/other');
    expect(slip()).not.toBeNull();
    expect(screen.getByText('drawer shut')).toBeTruthy();
  });

  it('one-click that is armed shows itself outside of it, and ends with the screen', async () => {
    serve();
    const go = await open(900);
    act(() => setOneClick(2500));
    await settle();
    expect(screen.getByText(/^One-click 25/).closest('[role=status]')?.textContent).toMatch(
      /One-click 25.*Off in 2:00/,
    );
    await go('/other');
    expect(oneClickStake()).toBeNull();
  });
});

describe('beside a rail', () => {
  it('the slip keeps its bet from screen to screen', async () => {
    serve();
    const go = await open(1440);
    await pick();
    await go('/other');
    expect(slip()).toMatchObject({ stakeText: '25' });
    expect(screen.getByRole('region', { name: 'Bet slip' }).textContent).toContain('India');
  });
});
