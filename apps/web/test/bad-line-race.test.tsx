import type { MarketImage } from '@fairgame/contract';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setOneClick, slip } from '../src/slip/slip.ts';
import { wallet } from './cashing.ts';
import { line } from './fake-line.ts';
import { frameOf, imagesOf, priceOf } from './live-images.ts';
import { horses, race, showRace, win } from './races.tsx';
import { settle } from './settle.ts';
import { bet, clear, MARKET_ID, MATCH_ID, type Sent, serve, width } from './trading.tsx';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

/** A race card over a line that is refused, goes, falls silent, loses, doubles and comes in another order. */
let sent: Sent[];
let image: MarketImage;
let seq: number;

beforeEach(() => {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  width(1440);
  line.reset();
  [image, seq] = [win, 10];
  line.onEmit = (_path, event) => {
    if (event === 'watch' || event === 'resync') tellImage();
  };
  sent = serve({
    [`/match/racing/${MATCH_ID}`]: { ...race, startAt: new Date(Date.now() + 7_200_000).toISOString() },
    '/placeBet': ({ body }: Sent) => ({
      bet: bet({ odds: body.odd as number, amount: 1000, remaining: 1000 }),
      wallet,
    }),
    [`/market/history/${MARKET_ID}`]: { runners: [], marks: [] },
    [`/market/trades/${MARKET_ID}`]: { trades: [] },
  });
});
afterEach(async () => {
  // The card lets its match go in the next turn, by the clock of its own test.
  cleanup();
  await Promise.resolve();
  clear();
});

const tellImage = () => line.send('/match', `liveData${MATCH_ID}`, imagesOf([image], seq));
const tell = (frame: ReturnType<typeof frameOf>) => act(() => line.send('/match', 'frame', frame));
/** The market with Aster at this price to back. */
const asterAt = (price: number): MarketImage => ({
  ...win,
  runners: win.runners.map((one) => (one.id === 1 ? { ...one, back: [[price, 100_000]] } : one)),
});

const cells = () => screen.getAllByRole<HTMLButtonElement>('button', { name: /^(Back|Lay) \w+ at/ });
/** The best price to back Aster. */
const aster = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Back Aster at/ });
const said = (cell: HTMLElement) => cell.getAttribute('aria-label') ?? '';
const pressable = () => cells().filter((cell) => cell.getAttribute('aria-disabled') !== 'true');
const placed = () => sent.filter(({ path }) => path === '/placeBet').map(({ body }) => body);

/** The card, with one click armed: a press is a bet at once. */
async function opened({ live } = { live: true }) {
  await showRace();
  act(() => setOneClick(1000));
  if (live) await vi.waitFor(() => expect(pressable()).toHaveLength(6), 10_000);
}
/** Every price of the card is pressed: none may become a bet or stand in the slip. */
async function refusesAll(price: string) {
  await settle();
  expect(said(aster())).toContain(`at ${price},`);
  expect([cells().length, pressable().length]).toEqual([6, 0]);
  for (const cell of cells()) fireEvent.click(cell);
  await settle();
  expect([placed(), slip()]).toEqual([[], null]);
}
/** All rows are back, and with one click armed anew, which ends with the line, a press is a bet at the price that stands there. */
async function takes(price: string, odd: number) {
  act(() => setOneClick(1000));
  await vi.waitFor(() => expect(pressable()).toHaveLength(6), 10_000);
  for (const name of horses) expect(cells().filter((cell) => said(cell).includes(name))).toHaveLength(2);
  expect(said(aster())).toContain(`at ${price},`);
  fireEvent.click(aster());
  await settle();
  expect(placed()).toMatchObject([{ odd, runnerId: 1 }]);
}

describe('a race card over a bad line', () => {
  it('shows the prices of its reading while the line is refused, and takes none of them', async () => {
    line.refuse = () => ({ code: 'UNAVAILABLE', message: 'Not now' });
    await opened({ live: false });
    await refusesAll('4.00');
    image = asterAt(450);
    line.refuse = () => null;
    await takes('4.50', 450);
  });

  it('takes nothing from the moment the line goes, before anything is drawn, and all again at the prices of its return', async () => {
    await opened();
    const cell = aster();
    line.reachable = false;
    act(() => {
      line.drop();
      expect(cell.getAttribute('aria-disabled')).not.toBe('true');
      cell.click();
    });
    expect([placed(), slip()]).toEqual([[], null]);
    await refusesAll('4.00');
    // Readings go on over HTTP meanwhile: they are not the line.
    await act(() => vi.advanceTimersByTimeAsync(21_000));
    await refusesAll('4.00');
    image = asterAt(330);
    line.reachable = true;
    await takes('3.30', 330);
  });

  it('takes nothing when the line falls silent without an end, and goes on with its next word', async () => {
    await opened();
    await act(() => vi.advanceTimersByTimeAsync(7000));
    await refusesAll('4.00');
    tell(frameOf([priceOf(MARKET_ID, seq, 420)]));
    await takes('4.20', 420);
  });

  it('counts a frame once that comes twice, and holds the card back when one comes before the one it stands on', async () => {
    await opened();
    line.fate = () => 'twice';
    tell(frameOf([priceOf(MARKET_ID, seq, 420)]));
    await settle();
    expect([said(aster()), pressable().length]).toEqual([expect.stringContaining('at 4.20,'), 6]);
    // The next but one overtakes the next, and the image asked for then is late too.
    line.fate = (_path, event) => (event === 'frame' ? 'deliver' : 'lose');
    tell(frameOf([priceOf(MARKET_ID, seq + 2, 600)]));
    tell(frameOf([priceOf(MARKET_ID, seq + 1, 550)]));
    await refusesAll('4.20');
    line.fate = () => 'deliver';
    [image, seq] = [asterAt(600), seq + 3];
    act(tellImage);
    // What was overtaken comes once more, and the image of before.
    tell(frameOf([priceOf(MARKET_ID, 11, 550)]));
    act(() => line.send('/match', `liveData${MATCH_ID}`, imagesOf([asterAt(420)], 11)));
    await takes('6.00', 600);
  });

  it('learns with the return of the line who left the race and that its market closed', async () => {
    await opened();
    line.reachable = false;
    act(() => line.drop());
    await settle();
    image = {
      ...win,
      runners: win.runners.map((one) => (one.id === 3 ? { ...one, status: 'REMOVED', back: [], lay: [] } : one)),
    };
    line.reachable = true;
    await vi.waitFor(() => expect(pressable()).toHaveLength(4), 10_000);
    expect(document.querySelector('.race-parts__name s')?.textContent).toBe('Clover');
    act(() => line.drop());
    image = { ...image, status: 'SUSPENDED' };
    await vi.waitFor(() => expect(screen.getAllByText('Suspended').length).toBeGreaterThan(0), 10_000);
    for (const cell of cells()) fireEvent.click(cell);
    await settle();
    expect([placed(), slip()]).toEqual([[], null]);
  });
});
