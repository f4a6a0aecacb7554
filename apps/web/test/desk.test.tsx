import type { DepthImage, PlacedBet } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { refreshBets } from '../src/api/refresh.ts';
import { PRICES } from '../src/betting/ladder-book.ts';
import { Screen } from '../src/features/ladder/ladder-page.tsx';
import * as store from '../src/live/store.ts';
import { device } from '../src/platform/storage.ts';
import { toastLog } from '../src/platform/toasts.ts';
import { oneClickStake, setOneClick, slip } from '../src/slip/slip.ts';
import { imagesOf } from './live-images.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { settle } from './settle.ts';
import {
  bet,
  betPage,
  clear,
  eventOfMarket,
  held,
  live,
  MARKET_ID,
  MATCH_ID,
  market,
  refused,
  type Sent,
  serve,
  width,
} from './trading.tsx';

/** The window of ladders: what a press, a drag and a key send, and that nothing of the player's is lost on the way. */
let sent: Sent[];
/** One ladder, where a test needs no more. */
const ONE = `/ladder/${MARKET_ID}?runners=1`;
beforeEach(() => {
  width(1440);
  // The browser's own, as far as a popover hears of it.
  HTMLElement.prototype.togglePopover = function toggle(this: HTMLElement, on) {
    const newState = on === false ? 'closed' : 'open';
    this.dispatchEvent(Object.assign(new Event('toggle'), { newState }));
    return on !== false;
  };
});
afterEach(clear);

const wallet = { currentBalance: 100_000, exposure: 0, held: 0, available: 100_000, version: 2 };
const depth = (more: Partial<DepthImage> = {}): DepthImage => ({
  marketId: MARKET_ID,
  runnerId: 1,
  back: [[218, 50_000]],
  lay: [[220, 40_000]],
  traded: [[218, 9000]],
  last: 218,
  ...more,
});
const own = (id: number, more: Partial<PlacedBet> = {}) =>
  bet({ id, odds: 222, remaining: 1000, amount: 1000, ...more });
const position = { betId: MARKET_ID, exposure: 5000, betCount: 1, runs: [], paid: null };

async function open(bets: PlacedBet[] = [], answers: Record<string, unknown> = {}, path = ONE) {
  sent = serve({
    ...eventOfMarket,
    '/bet': betPage(bets),
    '/bet/cancel': ({ body }: Sent) => ({ bet: own(Number(body.id)), wallet }),
    '/placeBet': ({ body }: Sent) => ({ bet: own(50, { odds: Number(body.odd), amount: 1000 }), wallet }),
    '/bet/replace': ({ body }: Sent) => ({ bet: own(60, { odds: Number(body.odd) }), wallet }),
    ...answers,
  });
  live(market());
  const router = createMemoryRouter([{ path: 'ladder/:marketId', element: <Screen /> }], { initialEntries: [path] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await settle();
  act(() => void store.takeFrame({ e: 1, t: 0, m: [], x: [depth()] }));
  await settle();
}
const india = () => within(document.querySelector<HTMLElement>('[aria-label="Ladder of India"]')!);
const rows = () => india().getByLabelText(/^Prices of India/);
const calls = (to: string) => sent.filter((one) => one.path === to && one.method === 'POST').map(({ body }) => body);
const cell = (side: 'Back' | 'Lay', price: string) =>
  within(row(Number(price.replace('.', '')))).getByLabelText(new RegExp(`^${side} India at`));
const arm = () => fireEvent.click(india().getByRole('switch'));
const row = (price: number) =>
  document.querySelector<HTMLElement>(`[aria-label="Ladder of India"] [data-price="${price}"]`)!;

describe('the head', () => {
  it('says that the market is in play, until it is settled or its event is over', async () => {
    await open();
    const head = within(document.querySelector('header')!);
    const turn = async (more: Parameters<typeof market>[0]) => {
      act(() => live(market({ inPlay: true, ...more })));
      await settle();
      return head.queryByText('In-play') !== null;
    };
    expect(await turn({})).toBe(true);
    expect(await turn({ status: 'SUSPENDED' })).toBe(true);
    expect(await turn({ status: 'SETTLING' })).toBe(false);
    expect(await turn({ status: 'CLOSED' })).toBe(false);
    expect(await turn({})).toBe(true);
    act(() => store.takeImages(imagesOf([], 0, { id: MATCH_ID, stopAt: '2026-11-20T16:00:00.000Z' })));
    expect(await turn({})).toBe(false);
  });

  it('of each ladder has the bell of its runner, while the market may still change', async () => {
    await open([], {}, `/ladder/${MARKET_ID}`);
    const bell = () => india().queryByRole('button', { name: 'Alert me: India' });
    expect(bell()).not.toBeNull();
    expect(india().queryByRole('button', { name: 'Alert me: Australia' })).toBeNull();
    act(() => live(market({ status: 'CLOSED' })));
    await settle();
    expect(bell()).toBeNull();
  });
});

describe('a press', () => {
  it('fills the slip with the stake of the ladder while that is not armed, whatever another screen armed', async () => {
    setOneClick(5000);
    await open();
    expect(oneClickStake()).toBeNull();
    fireEvent.click(cell('Back', '2.18'));
    await settle();
    expect(slip()).toMatchObject({ side: 'BACK', price: 218, stakeText: '10' });
    expect(calls('/placeBet')).toEqual([]);
  });

  it('places the stake of its own ladder once that is armed, and of no other; each bet gives it its time again', async () => {
    await open([], {}, `/ladder/${MARKET_ID}`);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    arm();
    fireEvent.keyDown(rows(), { key: '2' });
    await act(() => vi.advanceTimersByTimeAsync(100_000));
    expect(india().getByRole('timer').textContent).toBe('0:20');
    fireEvent.click(cell('Lay', '2.22'));
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(calls('/placeBet')).toEqual([
      expect.objectContaining({ bettingType: 'LAY', odd: 222, stake: 2500, persistence: 'LAPSE', marketVersion: 4 }),
    ]);
    const other = within(screen.getByRole('region', { name: 'Ladder of Australia' }));
    expect(other.getByRole('switch').getAttribute('aria-checked')).toBe('false');
    await act(() => vi.advanceTimersByTimeAsync(100_000));
    expect(india().getByRole('switch').getAttribute('aria-checked')).toBe('true');
    await act(() => vi.advanceTimersByTimeAsync(21_000));
    expect(india().getByRole('switch').getAttribute('aria-checked')).toBe('false');
  });

  it('fills the slip again once the line was lost, says so, and stays so when it is back', async () => {
    await open([], {}, `/ladder/${MARKET_ID}`);
    arm();
    act(() => store.lineDown());
    const off = () => india().getByRole('switch', { name: 'Not armed' }).getAttribute('aria-checked');
    expect(off()).toBe('false');
    expect(india().getByText('Connection lost')).toBeTruthy();
    // A ladder that was not armed has nothing to say of it.
    expect(
      within(screen.getByRole('region', { name: 'Ladder of Australia' })).queryByText('Connection lost'),
    ).toBeNull();
    act(() => live(market()));
    await settle();
    expect(off()).toBe('false');
    fireEvent.click(cell('Back', '2.18'));
    await settle();
    expect(calls('/placeBet')).toEqual([]);
    expect(slip()).toMatchObject({ side: 'BACK', price: 218 });
    arm();
    expect(india().queryByText('Connection lost')).toBeNull();
    fireEvent.click(cell('Back', '2.18'));
    await settle();
    expect(calls('/placeBet')).toHaveLength(1);
  });

  it('places nothing beyond the cap, and says so', async () => {
    await open();
    arm();
    fireEvent.change(india().getByLabelText('Stake of a press'), { target: { value: '6000' } });
    expect(india().getByText('More than 5,000 is not placed')).toBeTruthy();
    fireEvent.click(cell('Back', '2.18'));
    await settle();
    expect(calls('/placeBet')).toEqual([]);
  });

  it('asks by the key where the answer was lost, and shows the bet on its way until then', async () => {
    let tell: (value: unknown) => void = () => undefined;
    await open([], {
      '/placeBet': () => Promise.reject(new TypeError('network')),
      '/bet/key/settle': () => new Promise((resolve) => (tell = resolve)),
    });
    arm();
    fireEvent.click(cell('Back', '2.22'));
    await settle();
    expect(within(row(222)).getByRole('img', { name: 'Back 10 on its way' })).toBeTruthy();
    expect(calls('/bet/key/settle')).toEqual([{ key: calls('/placeBet')[0]!.key }]);
    tell(refused(404, 'KEY_UNKNOWN', 'Nothing was taken.'));
    await settle();
    expect(within(row(222)).queryByRole('img')).toBeNull();
    expect(calls('/placeBet')).toHaveLength(1);
  });

  it('with the right button chooses keep, lapse, or fill and kill', async () => {
    await open();
    arm();
    fireEvent.contextMenu(cell('Back', '2.22'));
    await settle();
    const menu = within(screen.getByRole('dialog', { name: 'Back 10 at 2.22', hidden: true }));
    fireEvent.click(menu.getByRole('button', { name: 'Fill or kill', hidden: true }));
    await settle();
    expect(calls('/placeBet')).toEqual([expect.objectContaining({ odd: 222, minFill: 1000 })]);
    expect(calls('/placeBet')[0]).not.toHaveProperty('persistence');
  });

  it('that is long asks for the same, and is none of the ladder where the finger goes', async () => {
    await open();
    arm();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const at = cell('Back', '2.22');
    fireEvent.pointerDown(at, { pointerType: 'touch', pointerId: 5 });
    await act(() => vi.advanceTimersByTimeAsync(600));
    vi.useRealTimers();
    const menu = within(screen.getByRole('dialog', { name: 'Back 10 at 2.22', hidden: true }));
    fireEvent.pointerUp(at, { pointerType: 'touch', pointerId: 5 });
    fireEvent.click(at);
    await settle();
    expect(calls('/placeBet')).toEqual([]);
    fireEvent.pointerDown(menu.getByRole('button', { name: 'Keep in-play', hidden: true }));
    fireEvent.click(menu.getByRole('button', { name: 'Keep in-play', hidden: true }));
    await settle();
    expect(calls('/placeBet')).toEqual([expect.objectContaining({ odd: 222, persistence: 'PERSIST' })]);
    // The next press is one of the ladder again.
    fireEvent.pointerDown(at, { pointerType: 'touch', pointerId: 6 });
    fireEvent.pointerUp(at, { pointerType: 'touch', pointerId: 6 });
    fireEvent.click(at);
    await settle();
    expect(calls('/placeBet')).toHaveLength(2);
  });

  it('adds its offset and its end to the bet', async () => {
    await open();
    arm();
    localStorage.clear();
    const settings = india().getByRole('button', { name: 'Settings of the ladder' });
    act(() => {
      const box = document.getElementById(settings.getAttribute('popovertarget')!)!;
      box.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'open' }));
    });
    fireEvent.change(screen.getByLabelText('Offset, ticks'), { target: { value: '3' } });
    fireEvent.change(screen.getByLabelText('Ends after, seconds'), { target: { value: '20' } });
    fireEvent.click(cell('Back', '2.22'));
    await settle();
    expect(calls('/placeBet')).toEqual([
      expect.objectContaining({ odd: 222, offset: { ticks: 3, level: true }, seconds: 20 }),
    ]);
    // Nothing of it is a call of its own, which a window that closes would not send.
    expect(calls('/bet/conditional')).toEqual([]);
  });

  it('of a ladder that is not armed gives the slip the same, which says it and places it so', async () => {
    device.keep('fg.ladder', { stake: 1000, offset: 3, seconds: 20 });
    await open();
    fireEvent.click(cell('Back', '2.22'));
    await settle();
    const dock = within(document.querySelector<HTMLElement>('[data-slip]')!);
    expect(dock.getByText('Ends after, seconds').parentElement!.textContent).toBe('Ends after, seconds20');
    fireEvent.click(dock.getByRole('button', { name: /^Place back 10/ }));
    await settle();
    fireEvent.click(dock.getByRole('button', { name: /^Confirm back 10/ }));
    await settle();
    expect(calls('/placeBet')).toEqual([
      expect.objectContaining({ odd: 222, offset: { ticks: 3, level: true }, seconds: 20 }),
    ]);
  });
});

describe('a market that is suspended', () => {
  it('says so over the rows of its ladder, and a choice that stood open places nothing and says that', async () => {
    await open([own(31)]);
    arm();
    fireEvent.contextMenu(cell('Back', '2.22'));
    await settle();
    act(() => live(market({ status: 'SUSPENDED', reason: 'Goal' })));
    await settle();
    expect(india().getByText('Market suspended').getAttribute('role')).toBe('status');
    expect(india().queryByText('A press places 10')).toBeNull();
    const menu = within(screen.getByRole('dialog', { name: 'Back 10 at 2.22', hidden: true }));
    fireEvent.click(menu.getByRole('button', { name: 'Keep in-play', hidden: true }));
    await settle();
    expect(calls('/placeBet')).toEqual([]);
    expect(toastLog()[0]!.text).toBe('Nothing was placed: the market does not take bets at this moment.');
    fireEvent.click(india().getByLabelText('Cancel back 10 at 2.22'));
    await settle();
    expect(calls('/bet/cancel')).toEqual([expect.objectContaining({ id: 31 })]);
    act(() => live(market()));
    await settle();
    expect(india().queryByText('Market suspended')).toBeNull();
    // Armed as it was; of one that is over a press places nothing any more.
    expect(india().getByText('A press places 10')).toBeTruthy();
    act(() => live(market({ status: 'CLOSED' })));
    await settle();
    expect(india().getByText('Market closed')).toBeTruthy();
    expect(india().getByRole('switch').getAttribute('aria-checked')).toBe('false');
  });
});

describe('orders that wait', () => {
  const many = Array.from({ length: 120 }, (_, at) => own(at + 1, { odds: 222 + 2 * (at % 6) }));

  it('are all there behind a hundred: those of the market are read to the last', async () => {
    await open([], {
      '/bet': ({ query }: Sent) => {
        const all = query.betId ? many : [...many, own(900, { betId: MARKET_ID + 1 })];
        const from = (Number(query.page ?? 1) - 1) * 100;
        return { ...betPage(all.slice(from, from + 100)), total: all.length };
      },
    });
    await settle();
    expect(india().getByRole('button', { name: 'Cancel backs' }).textContent).toBe('Backs 120');
    for (const price of [222, 224, 226, 228, 230, 232]) expect(within(row(price)).getByText('20')).toBeTruthy();
  });

  it('of one price are kept each, also where one is over, and are moved at the pace of the site', async () => {
    const tries: number[] = [];
    const slow = ({ body }: Sent) => {
      tries.push(Number(body.id));
      return tries.length === 1
        ? refused(429, 'RATE_LIMITED', 'Too many requests.')
        : { bet: own(Number(body.id) + 100, { odds: 224 }), wallet };
    };
    await open([own(31), own(32)], {
      '/bet/persistence': ({ body }: Sent) =>
        body.id === 31 ? refused(409, 'BET_NOT_OPEN', 'It is over.') : { bet: own(32), wallet },
      '/bet/replace': slow,
    });
    fireEvent.contextMenu(row(222).querySelector('[data-orders]')!);
    await settle();
    fireEvent.click(screen.getByRole('button', { name: 'Keep in-play', hidden: true }));
    await settle();
    expect(calls('/bet/persistence').map(({ id }) => id)).toEqual([31, 32]);
    expect(toastLog()[0]!.text).toBe('Kept in-play');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (const key of ['ArrowUp', 'ArrowUp', 'm', 'ArrowUp', 'Enter']) fireEvent.keyDown(rows(), { key });
    await act(() => vi.advanceTimersByTimeAsync(3000));
    expect(tries.toSorted((a, b) => a - b)).toEqual([31, 31, 32]);
  });

  it('on one side go by one command, however many there are', async () => {
    await open(many.slice(0, 60), { '/bet/cancelAll': { cancelled: 60, wallet } });
    fireEvent.click(india().getByRole('button', { name: 'Cancel backs' }));
    await settle();
    expect(calls('/bet/cancelAll')).toEqual([
      { key: expect.any(String) as string, betId: MARKET_ID, runnerId: 1, side: 'BACK' },
    ]);
    fireEvent.click(india().getByRole('button', { name: 'Cancel all of the runner' }));
    await settle();
    expect(calls('/bet/cancelAll')[1]).not.toHaveProperty('side');
    expect(calls('/bet/cancel')).toEqual([]);
    expect(toastLog()[0]!.text).toBe('60 bets cancelled');
  });
});

describe('an order under the pointer', () => {
  const chip = (price: string) => india().getByLabelText(`Cancel back 10 at ${price}`);
  /** The rows stand from the top of the window, 25 px each, as many from the left as the ladder is wide. */
  const lay = () => {
    const box = document.querySelector<HTMLElement>('[aria-label="Ladder of India"] .ladder__box')!;
    box.getBoundingClientRect = () =>
      ({ left: 0, right: 400, top: 0, bottom: 8750, width: 400, height: 8750 }) as DOMRect;
    box.scrollTop = 0;
  };
  const yOf = (price: number) => (PRICES.indexOf(price) + 0.5) * 25;
  const point = (type: string, target: Element | Window, x: number, y: number) =>
    fireEvent(
      target,
      Object.assign(new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x, clientY: y, button: 0 }), {
        pointerId: 1,
        pointerType: 'mouse',
      }),
    );
  const drag = async (price: string, x: number, y: number) => {
    lay();
    point('pointerdown', chip(price), 10, 10);
    // As where the focus was in a field.
    fireEvent.blur(india().getByLabelText('Stake of a press'));
    point('pointermove', window, x, y - 3);
    point('pointermove', window, x, y);
    await settle();
  };
  const drop = async (x: number, y: number) => {
    point('pointerup', window, x, y);
    await settle();
  };

  it('goes to the row it is put down at, for what was seen of it, and stands at both until the server has said so', async () => {
    let tell: (value: unknown) => void = () => undefined;
    await open([own(31)], { '/bet/replace': () => new Promise((resolve) => (tell = resolve)) });
    await drag('2.22', 100, yOf(230));
    expect(row(230).className).toContain('is-over');
    expect(calls('/bet/replace')).toEqual([]);
    await drop(100, yOf(230));
    expect(calls('/bet/replace')).toEqual([
      expect.objectContaining({ id: 31, odd: 230, stake: 1000, remaining: 1000 }),
    ]);
    expect(chip('2.22').getAttribute('aria-busy')).toBe('true');
    expect(within(row(230)).getByRole('img', { name: 'Back 10 on its way' })).toBeTruthy();
    tell(refused(409, 'BET_CHANGED', 'Part of this bet was matched.', { current: { remainingMinor: 600 } }));
    await settle();
    expect(chip('2.22').getAttribute('aria-busy')).toBeNull();
    expect(within(row(230)).queryByRole('img')).toBeNull();
    expect(calls('/bet/cancel')).toEqual([]);
  });

  it('put down beside the ladder is cancelled; on its own row nothing is sent', async () => {
    await open([own(31)]);
    await drag('2.22', 900, 300);
    await drop(900, 300);
    expect(calls('/bet/cancel')).toEqual([expect.objectContaining({ id: 31 })]);
    await drag('2.22', 100, yOf(222));
    await drop(100, yOf(222));
    expect(calls('/bet/replace')).toEqual([]);
    expect(calls('/bet/cancel')).toHaveLength(1);
  });

  it('stays where it was when the drag is broken off, by a key or by the system', async () => {
    await open([own(31)]);
    await drag('2.22', 900, 300);
    fireEvent.keyDown(window, { key: 'Escape' });
    await drop(900, 300);
    await drag('2.22', 900, 300);
    point('pointercancel', window, 900, 300);
    await drop(900, 300);
    expect(calls('/bet/cancel')).toEqual([]);
    expect(calls('/bet/replace')).toEqual([]);
  });

  it('is none once a long press has opened its menu: the finger that goes on moves and cancels nothing', async () => {
    await open([own(31)]);
    lay();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const touch = (type: string, target: Element | Window, y: number) =>
      fireEvent(
        target,
        Object.assign(new MouseEvent(type, { bubbles: true, cancelable: true, clientX: 10, clientY: y, button: 0 }), {
          pointerId: 4,
          pointerType: 'touch',
        }),
      );
    touch('pointerdown', chip('2.22'), 10);
    await act(() => vi.advanceTimersByTimeAsync(600));
    vi.useRealTimers();
    expect(screen.getByRole('dialog', { name: 'Your back at 2.22', hidden: true })).toBeTruthy();
    touch('pointermove', window, yOf(230));
    touch('pointermove', window, yOf(230) + 2);
    expect(row(230).className).not.toContain('is-over');
    touch('pointerup', window, yOf(230));
    await settle();
    expect(calls('/bet/replace')).toEqual([]);
    expect(calls('/bet/cancel')).toEqual([]);
  });

  it('that is over before it is put down goes nowhere, and that is said', async () => {
    let waits = [own(31)];
    await open([], { '/bet': () => betPage(waits) });
    await drag('2.22', 100, yOf(230));
    waits = [];
    act(() => refreshBets());
    await vi.waitFor(() => expect(india().queryByLabelText('Cancel back 10 at 2.22')).toBeNull());
    await drop(100, yOf(230));
    expect(calls('/bet/replace')).toEqual([]);
    expect(toastLog()[0]!.text).toBe('The bet was not changed.');
  });

  it('is asked for by its key where the answer to the move was lost', async () => {
    await open([own(31)], {
      '/bet/replace': () => Promise.reject(new TypeError('network')),
      '/bet/key/settle': { bet: own(60, { odds: 230 }), wallet },
    });
    await drag('2.22', 100, yOf(230));
    await drop(100, yOf(230));
    expect(calls('/bet/key/settle')).toEqual([{ key: calls('/bet/replace')[0]!.key }]);
    expect(calls('/bet/replace')).toHaveLength(1);
  });

  it('is taken up and put down by keys', async () => {
    await open([own(31)]);
    for (const key of ['ArrowUp', 'ArrowUp', 'm', 'ArrowUp', 'Enter']) fireEvent.keyDown(rows(), { key });
    await settle();
    expect(calls('/bet/replace')).toEqual([expect.objectContaining({ id: 31, odd: 224 })]);
  });
});

describe('the position', () => {
  const winning = {
    '/bet/positions': [{ ...position, runners: [{ runnerId: 1, win: 5900, lose: -5000, net: 5900 }] }],
  };

  it('shows at each price what closing there brings, and where that is nothing', async () => {
    await open([], winning);
    expect(row(218).querySelector('.trader__closed')!.textContent).toBe('Break-even 0');
    expect(row(220).querySelector('.trader__closed')!.textContent).toBe('\u22120.46');
    expect(row(216).querySelector('.trader__closed')!.textContent).toBe('+0.46');
  });

  it('that comes to nothing is told as that, and none as none', async () => {
    const even = { '/bet/positions': [{ ...position, runners: [{ runnerId: 1, win: 0, lose: 0, net: 0 }] }] };
    await open([own(8, { matched: 1000, remaining: 0 })], even);
    expect(india().getByText(/^Wins/).textContent).toBe('Wins 0.00, else 0.00');
    cleanup();
    clear();
    await open([own(8)], even);
    expect(india().getByText('No matched bets')).toBeTruthy();
  });

  it('has no way out, and no figure of one, while its market takes no bets', async () => {
    await open([], { ...winning, '/bet/cashOut': { ...quote, ...rest } });
    const close = () => india().getByRole<HTMLButtonElement>('button', { name: /^Close/ });
    const green = () => india().getByRole<HTMLButtonElement>('button', { name: 'All green' });
    const before = close().textContent;
    expect(before).toMatch(/\d/);
    act(() => live(market({ status: 'SUSPENDED', reason: 'Goal' })));
    await settle();
    expect([close().textContent, close().disabled, green().disabled]).toEqual(['Close', true, true]);
    act(() => live(market()));
    await settle();
    expect([close().textContent, close().disabled, green().disabled]).toEqual([before, false, false]);
  });

  it('that is none leaves the ways out their names, and locks them', async () => {
    await open();
    for (const name of ['Close', 'All green'])
      expect(india().getByRole('button', { name })).toHaveProperty('disabled', true);
  });

  const quote = { value: -46, reason: null };
  const nothing = { value: null, reason: 'NO_POSITION' };
  const rest = { legs: [], results: [], cancels: [], marketVersion: 4 };

  it('is closed for what was shown and no less: asked first, at once where the ladder is armed', async () => {
    await open([], {
      ...winning,
      '/bet/cashOut': ({ query }: Sent) => ({ ...(query.amount === '900' ? nothing : quote), ...rest }),
      '/bet/hedge': { bets: [], cancelled: [], wallet },
    });
    fireEvent.click(india().getByRole('tab', { name: '50%' }));
    fireEvent.click(india().getByRole('button', { name: /^Close/ }));
    await settle();
    expect(calls('/bet/hedge')).toEqual([]);
    fireEvent.click(india().getByRole('button', { name: /^Take/ }));
    await settle();
    expect(calls('/bet/hedge')).toEqual([
      expect.objectContaining({ betId: MARKET_ID, runnerId: 1, percent: 50, least: -46, cancel: false }),
    ]);
    arm();
    fireEvent.keyDown(rows(), { key: 'g' });
    await settle();
    expect(calls('/bet/hedge')[1]).toMatchObject({ betId: MARKET_ID, percent: 50, least: -46 });
    expect(calls('/bet/hedge')[1]).not.toHaveProperty('runnerId');
    // Or so much of its exposure; none typed closes nothing.
    fireEvent.click(india().getByRole('tab', { name: 'Amount' }));
    fireEvent.keyDown(rows(), { key: 'h' });
    await settle();
    expect(calls('/bet/hedge')).toHaveLength(2);
    fireEvent.change(india().getByLabelText('Exposure to close'), { target: { value: '2.50' } });
    fireEvent.keyDown(rows(), { key: 'h' });
    await settle();
    expect(calls('/bet/hedge')[2]).toMatchObject({ betId: MARKET_ID, runnerId: 1, amount: 250, least: -46 });
    expect(calls('/bet/hedge')[2]).not.toHaveProperty('percent');
    const asked = sent.filter((one) => one.path === '/bet/cashOut').at(-1)!.query;
    expect(asked).toEqual({ betId: String(MARKET_ID), runnerId: '1', amount: '250' });
    fireEvent.change(india().getByLabelText('Exposure to close'), { target: { value: '9' } });
    fireEvent.keyDown(rows(), { key: 'h' });
    await settle();
    expect(toastLog()[0]!.text).toBe('Nothing can be lost here: there is no exposure to close.');
  });

  it('that was asked about is asked about anew where another part of it is chosen', async () => {
    await open([], {
      ...winning,
      '/bet/cashOut': ({ query }: Sent) => ({ value: query.percent === '25' ? -12 : -46, reason: null, ...rest }),
      '/bet/hedge': { bets: [], cancelled: [], wallet },
    });
    fireEvent.click(india().getByRole('button', { name: /^Close/ }));
    await settle();
    expect(india().getByRole('button', { name: /^Take/ }).textContent).toContain('0.46');
    fireEvent.click(india().getByRole('tab', { name: '25%' }));
    expect(india().queryByRole('button', { name: /^Take/ })).toBeNull();
    fireEvent.keyDown(rows(), { key: 'h' });
    await settle();
    expect(calls('/bet/hedge')).toEqual([]);
    fireEvent.keyDown(rows(), { key: 'h' });
    await settle();
    expect(calls('/bet/hedge')).toEqual([expect.objectContaining({ percent: 25, least: -12 })]);
  });

  it('is held by a stop at a loss: side, stake and price follow from the position', async () => {
    const order = held();
    await open([], {
      ...winning,
      '/bet/conditional': ({ method }: Sent) => (method === 'GET' ? [order] : { order }),
    });
    // What waits already has its mark in its row.
    expect(within(row(224)).getByRole('button', { name: 'Stop at 2.24' })).toBeTruthy();
    fireEvent.keyDown(rows(), { key: 's' });
    await settle();
    // The next keys are typed in its first field.
    expect(document.activeElement).toBe(screen.getByLabelText('Amount'));
    fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '3' } });
    expect(
      screen.getByText(/^Lays 46\.98 at 2\.38 or better once 2\.32 is the best price, about \u22123\.0\d/),
    ).toBeTruthy();
    const history = screen.getByRole('link', { name: 'Order history', hidden: true });
    expect(history.getAttribute('href')).toBe('/order-history');
    fireEvent.click(screen.getByRole('button', { name: 'Hold it', hidden: true }));
    await settle();
    expect(calls('/bet/conditional')).toEqual([
      expect.objectContaining({
        kind: 'STOP',
        runnerId: 1,
        bettingType: 'LAY',
        trigger: 232,
        odd: 238,
        stake: 4698,
        link: 7,
      }),
    ]);
  });
});

describe('orders that the server holds', () => {
  it('are marked in their rows by the keys that make them: no two kinds alike', async () => {
    const kinds = [
      ['PROFIT', 214],
      ['TRAIL', 230],
      ['STOP', 234],
      ['TRAIL', 234],
    ] as const;
    await open([], { '/bet/conditional': kinds.map(([kind, trigger], id) => held({ id, kind, trigger })) });
    const marks = [214, 230, 234].map((price) => row(price).querySelector('.trader__heldMark')!.textContent);
    expect(marks).toEqual(['P', 'T', 'ST']);
    expect(within(row(234)).getByRole('button', { name: 'Stop, Trailing stop at 2.34' })).toBeTruthy();
  });
});

describe('a trailing stop', () => {
  it('is asked for again when the best price is better than what it has seen, and not when that goes back', async () => {
    let trigger = 226;
    await open([], { '/bet/conditional': () => [held({ kind: 'TRAIL', bettingType: 'LAY', ticks: 3, trigger })] });
    const reads = () => sent.filter(({ path }) => path === '/bet/conditional').length;
    const move = async (back: number, lay: number) => {
      act(() => void store.takeFrame({ e: 1, t: 0, m: [], x: [depth({ back: [[back, 500]], lay: [[lay, 500]] })] }));
      await settle();
      await settle();
    };
    const before = reads();
    await move(218, 222);
    expect(reads()).toBe(before);
    trigger = 216;
    await move(208, 210);
    expect(reads()).toBe(before + 1);
    expect(row(216).querySelector('.trader__heldMark')!.textContent).toBe('T');
    await move(210, 212);
    expect(reads()).toBe(before + 1);
  });

  it('in a fast market is asked for no oftener than every two seconds, and for the last of its prices', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    await open([], { '/bet/conditional': () => [held({ kind: 'TRAIL', bettingType: 'LAY', ticks: 3, trigger: 260 })] });
    const reads = () => sent.filter(({ path }) => path === '/bet/conditional').length;
    // What the first prices ask for, and the pace behind it.
    await act(() => vi.advanceTimersByTimeAsync(3000));
    const before = reads();
    for (let at = 0; at < 15; at++) {
      const [back, lay] = [240 - 2 * at, 242 - 2 * at];
      act(() => void store.takeFrame({ e: 1, t: 0, m: [], x: [depth({ back: [[back, 500]], lay: [[lay, 500]] })] }));
      await act(() => vi.advanceTimersByTimeAsync(100));
    }
    expect(reads()).toBe(before + 1);
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(reads()).toBe(before + 2);
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(reads()).toBe(before + 2);
  });
});

describe('a way out with something missing', () => {
  it('is not held, and the press says what it needs', async () => {
    await open();
    fireEvent.keyDown(rows(), { key: 't' });
    await settle();
    const hold = () => fireEvent.click(screen.getByRole('button', { name: 'Hold it', hidden: true }));
    const type = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    hold();
    // As what is wrong, and not as the words that stood there.
    expect(screen.getByText('Enter a stake').className).toContain('helpWrong');
    type('Ticks behind', '');
    expect(screen.queryByText('Enter a stake')).toBeNull();
    hold();
    expect(screen.getByText('Enter a whole number from 1 to 100.')).toBeTruthy();
    type('Ticks behind', '3');
    type('Ticks to give', '-1');
    hold();
    expect(screen.getByText('Enter a whole number from 0 to 100.')).toBeTruthy();
    fireEvent.click(screen.getByLabelText('Take profit'));
    type('Price', '');
    hold();
    expect(screen.getByText('Odds as 2.20.')).toBeTruthy();
    expect(calls('/bet/conditional')).toEqual([]);
  });

  it('says at once that no price brings what is typed', async () => {
    await open([], {
      '/bet/positions': [{ ...position, runners: [{ runnerId: 1, win: 5900, lose: -5000, net: 5900 }] }],
    });
    fireEvent.keyDown(rows(), { key: 's' });
    await settle();
    fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '9000' } });
    expect(screen.getByText('No price brings this amount.')).toBeTruthy();
  });
});

describe('a ladder that follows the market', () => {
  it('waits under a pointer and goes on when that leaves; a finger that leaves moves nothing', async () => {
    await open();
    fireEvent.click(screen.getByRole('switch', { name: 'Follow the market' }));
    const box = document.querySelector<HTMLElement>('.ladder__box')!;
    const move = async (back: number, lay: number) => {
      const x = [depth({ back: [[back, 50_000]], lay: [[lay, 40_000]] })];
      act(() => void store.takeFrame({ e: 1, t: 0, m: [], x }));
      await settle();
    };
    const pointer = (type: string, pointerType: string) =>
      act(() => void box.dispatchEvent(Object.assign(new Event(type), { pointerType })));
    const at = () => box.scrollTop;
    const first = at();
    await move(400, 410);
    const second = at();
    expect(second).not.toBe(first);
    pointer('pointerenter', 'mouse');
    await move(218, 220);
    expect(at()).toBe(second);
    pointer('pointerleave', 'mouse');
    expect(at()).toBe(first);
    // Where it was left to lie, until the market moves.
    pointer('pointerenter', 'touch');
    await move(400, 410);
    pointer('pointerleave', 'touch');
    expect(at()).toBe(first);
    await move(410, 420);
    expect(at()).not.toBe(first);
  });
});

describe('which ladders stand there', () => {
  it('the runners of the address', async () => {
    await open([], {}, `/ladder/${MARKET_ID}?runners=2`);
    expect(screen.queryByRole('region', { name: 'Ladder of India' })).toBeNull();
    expect(screen.getByRole('region', { name: 'Ladder of Australia' })).toBeTruthy();
    expect(document.title).toBe('India v Australia, Match Odds | fairGame');
  });

  it('on a phone one at a time', async () => {
    width(390);
    await open([], {}, `/ladder/${MARKET_ID}`);
    const bells = () =>
      screen.getAllByRole('button', { name: /^Alert me/ }).map((one) => one.getAttribute('aria-label'));
    expect(screen.queryByRole('region', { name: 'Ladder of Australia' })).toBeNull();
    expect(bells()).toEqual(['Alert me: India']);
    fireEvent.click(screen.getByRole('tab', { name: 'Australia' }));
    await settle();
    expect(screen.getByRole('region', { name: 'Ladder of Australia' })).toBeTruthy();
    expect(bells()).toEqual(['Alert me: Australia']);
  });
});
