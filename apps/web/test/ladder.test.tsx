import type { DepthImage } from '@fairgame/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as store from '../src/live/store.ts';
import { toastLog } from '../src/platform/toasts.ts';
import { oneClickStake, setOneClick, slip } from '../src/slip/slip.ts';
import { showLadders } from './ladders.tsx';
import { settle } from './settle.ts';
import { bet, betPage, clear, live, MARKET_ID, market, type Sent, serve, width } from './trading.tsx';

/** The depth ladder: where it stands, what a press does, and that nothing is placed without a mark that says so. */
let sent: Sent[];
beforeEach(() => width(1440));
afterEach(clear);

const depth = (more: Partial<DepthImage> = {}): DepthImage => ({
  marketId: MARKET_ID,
  runnerId: 1,
  back: [[218, 50_000]],
  lay: [[220, 40_000]],
  traded: [],
  last: 0,
  ...more,
});
const tell = (...x: DepthImage[]) => act(() => void store.takeFrame({ e: 1, t: 0, m: [], x }));

async function open(bets: ReturnType<typeof bet>[] = [], image = market()) {
  sent = serve({
    '/bet': betPage(bets),
    '/bet/cancel': { bet: bets[0], wallet: { currentBalance: 1, exposure: 0, version: 9 } },
  });
  live(image);
  showLadders();
  await settle();
}
const india = () => within(screen.getByRole('region', { name: 'Ladder of India' }));
const prices = () =>
  [...document.querySelectorAll('[aria-label="Ladder of India"] .ladder__price')].map((one) => one.textContent);
const middle = () => {
  const all = prices();
  return all.slice(Math.floor(all.length / 2) - 4, Math.floor(all.length / 2) + 5);
};
const rows = () => india().getByRole('group', { name: /^Prices of India/ });
const placed = () => sent.filter(({ path }) => path === '/placeBet');

describe('where the ladder stands', () => {
  it('is centred on the market and not on a trade of an hour ago', async () => {
    await open();
    tell(depth({ last: 600 }));
    await settle();
    fireEvent.click(india().getByRole('button', { name: 'Centre' }));
    await settle();
    expect(middle()).toContain('2.18');
    expect(middle()).toContain('2.20');
  });

  it('begins at the prices of the market before its book has come', async () => {
    await open();
    expect(middle()).toContain('2.18');
    expect(middle()).toContain('2.20');
  });

  it('no row moves when the market does, until Centre is pressed', async () => {
    await open();
    tell(depth());
    await settle();
    const before = prices();
    tell(depth({ back: [[300, 1000]], lay: [[305, 1000]], last: 300 }));
    await settle();
    expect(prices()).toEqual(before);
    expect(india().getByRole('button', { name: 'Market above, at 3.05: centre' })).toBeTruthy();
    fireEvent.click(india().getByRole('button', { name: 'Centre' }));
    await settle();
    expect(middle()).toContain('3.00');
    expect(india().queryByRole('button', { name: /^Market above/ })).toBeNull();
  });

  it('of a runner nobody offers says so and begins at evens, its rows ready to be asked at', async () => {
    await open([], market({ runners: market().runners.map((one) => ({ ...one, back: [], lay: [] })) }));
    tell(depth({ back: [], lay: [] }));
    await settle();
    expect(india().getByText('Nothing on offer')).toBeTruthy();
    expect(india().queryByText('Back 50%')).toBeNull();
    expect(middle()).toContain('2.00');
    expect(india().queryByRole('button', { name: /^Market (above|below)/ })).toBeNull();
  });

  it('scrolls as any list does, in itself', async () => {
    await open();
    tell(depth());
    await settle();
    const style = document.querySelector<HTMLElement>('.ladder__box')!;
    expect(style.onwheel).toBeNull();
    expect(style.querySelector('.ladder__all')).toBeTruthy();
    // Every price has its place, though only those in sight are drawn.
    expect(Number(style.querySelector<HTMLElement>('.ladder__all')!.style.getPropertyValue('--rows'))).toBe(350);
    expect(prices().length).toBeLessThan(80);
  });
});

describe('own orders', () => {
  const own = (id: number, more: object) => bet({ id, odds: 222, remaining: 1000, amount: 1000, ...more });

  it('an order is a chip with its own cancel', async () => {
    await open([own(31, {}), own(32, { odds: 224 })]);
    tell(depth());
    await settle();
    await act(async () => fireEvent.click(india().getByRole('button', { name: 'Cancel back 10 at 2.22' })));
    expect(sent.filter(({ path }) => path === '/bet/cancel').map(({ body }) => body.id)).toEqual([31]);
  });

  it('several at one price are counted, and each is cancelled by itself', async () => {
    await open([own(31, {}), own(32, { remaining: 2500, amount: 2500 })]);
    tell(depth());
    await settle();
    expect(india().queryByRole('button', { name: /^Cancel back/ })).toBeNull();
    const chip = india().getByRole('button', { name: 'Your 2 orders to back at 2.22, 35 in all' });
    act(() => {
      const list = document.getElementById(chip.getAttribute('popovertarget')!)!;
      list.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'open' }));
    });
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Cancel back 25 at 2.22' })));
    expect(sent.filter(({ path }) => path === '/bet/cancel').map(({ body }) => body.id)).toEqual([32]);
  });
});

describe('keys', () => {
  it('B and L do nothing before a row is marked: the first press marks the market', async () => {
    await open();
    tell(depth());
    await settle();
    setOneClick(1000);
    fireEvent.keyDown(rows(), { key: 'b' });
    await settle();
    expect(slip()).toBeNull();
    expect(placed()).toEqual([]);
    expect(document.querySelector('[aria-label="Ladder of India"] .is-mark .ladder__price')!.textContent).toBe('2.20');
    setOneClick(null);
    fireEvent.keyDown(rows(), { key: 'ArrowDown' });
    fireEvent.keyDown(rows(), { key: 'b' });
    await settle();
    expect(slip()).toMatchObject({ side: 'BACK', price: 218 });
  });

  it('a held key places once', async () => {
    await open();
    tell(depth());
    await settle();
    fireEvent.keyDown(rows(), { key: 'l' });
    fireEvent.keyDown(rows(), { key: 'l', repeat: true });
    await settle();
    expect(slip()).toBeNull();
  });
});

describe('one click', () => {
  it('is armed by a switch that stays in sight, says its stake and how long it lasts, and ends by itself', async () => {
    await open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    fireEvent.click(screen.getByRole('switch', { name: 'One-click is off' }));
    expect(oneClickStake()).toBe(1000);
    expect(document.querySelector('.depth-view__armed')!.textContent).toMatch(
      /places 10 at that price at once.*Off in 2:00/,
    );
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    expect(document.querySelector('.depth-view__armed')!.textContent).toContain('Off in 0:59');
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(oneClickStake()).toBeNull();
    expect(screen.getByRole('switch', { name: 'One-click is off' })).toBeTruthy();
  });
});

describe('one click and a lost line', () => {
  it('ends with the line, and says so', async () => {
    await open();
    fireEvent.click(screen.getByRole('switch', { name: 'One-click is off' }));
    expect(oneClickStake()).toBe(1000);
    act(() => store.lineDown());
    expect(oneClickStake()).toBeNull();
    const said = () => toastLog().filter(({ text }) => text === 'One-click is off: the connection was lost.');
    expect(said()).toHaveLength(1);
    act(() => store.lineDown());
    expect(said()).toHaveLength(1);
  });

  it('ends where nothing has come for too long', async () => {
    await open();
    fireEvent.click(screen.getByRole('switch', { name: 'One-click is off' }));
    act(() => store.lineLate());
    expect(oneClickStake()).toBeNull();
  });
});

describe('on a phone', () => {
  it('a press opens the slip beside the ladder and places nothing', async () => {
    width(390);
    await open();
    tell(depth());
    await settle();
    fireEvent.click(india().getByRole('button', { name: 'Back India at 2.18, 500 available' }));
    await settle();
    const dock = within(screen.getByRole('region', { name: 'Bet slip' }));
    expect(dock.getByRole('heading').textContent).toBe('Back India');
    expect(placed()).toEqual([]);
    // One ladder at a time: the other runner is a press away.
    expect(screen.queryByRole('region', { name: 'Ladder of Australia' })).toBeNull();
    fireEvent.change(screen.getByLabelText('Runner'), { target: { value: '2' } });
    await settle();
    expect(screen.getByRole('region', { name: 'Ladder of Australia' })).toBeTruthy();
  });
});
