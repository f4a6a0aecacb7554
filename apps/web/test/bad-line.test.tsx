import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SlipForm } from '../src/betting/slip-form.tsx';
import { watchMatches } from '../src/live/match-socket.ts';
import { takeWallet } from '../src/live/wallet.ts';
import { select, slip } from '../src/slip/slip.ts';
import { line } from './fake-line.ts';
import { showLadders } from './ladders.tsx';
import { frameOf, imagesOf, priceOf } from './live-images.ts';
import { settle } from './settle.ts';
import { clear, MARKET_ID, MATCH_ID, market, runner, type Sent, selection, serve, show, width } from './trading.tsx';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

/** Slip and ladder over a line that goes, loses, doubles and comes back: nothing is bet on at a price that may be old. */
let sent: Sent[];
let leave: () => void;
let seq: number;
let back: number;

beforeEach(() => {
  width(1440);
  line.reset();
  sent = serve();
  takeWallet({ currentBalance: 1_000_000, exposure: 0, version: 1 });
  [seq, back] = [10, 218];
  line.onEmit = (_path, event) => {
    if (event !== 'watch') return;
    const image = market({ runners: [runner(1, 'India', { back: [[back, 100_000]], lay: [[230, 100_000]] })] });
    line.send('/match', `liveData${MATCH_ID}`, imagesOf([image], seq));
  };
});
afterEach(() => {
  leave();
  clear();
});

const placed = () => sent.filter(({ path }) => path === '/placeBet');
const place = () => document.querySelector<HTMLButtonElement>('form [type="submit"]')!;

async function openSlip() {
  leave = watchMatches([MATCH_ID], 'full');
  show(<SlipForm />);
  act(() => void select(selection(), '25'));
  await settle();
  await vi.waitFor(() => expect(place().textContent).toBe('Place back 25 at 2.18'));
}

describe('the slip over a bad line', () => {
  it('places nothing while the line is away, and goes on at the prices of its return', async () => {
    await openSlip();
    line.reachable = false;
    act(() => line.drop());
    await settle();
    expect([place().textContent, place().disabled]).toEqual(['Waiting for fresh prices', true]);
    fireEvent.submit(document.querySelector('form')!);
    await settle();
    expect(placed()).toEqual([]);
    back = 210;
    line.reachable = true;
    await vi.waitFor(() => expect(place().disabled).toBe(false), 10_000);
    expect(document.querySelector('form')!.textContent).toContain('Now 2.10. At 2.18 your bet waits.');
  });

  it('waits after a frame was lost until an image closes the gap; one that comes twice changes nothing', async () => {
    await openSlip();
    line.fate = (_path, event) => (event === 'frame' ? 'twice' : 'deliver');
    act(() => line.send('/match', 'frame', frameOf([priceOf(MARKET_ID, seq, 216)])));
    await settle();
    expect(place().disabled).toBe(false);
    // The image that is asked for now does not come yet.
    line.fate = (_path, event) => (event === 'frame' ? 'deliver' : 'lose');
    act(() => line.send('/match', 'frame', frameOf([priceOf(MARKET_ID, seq + 5, 300)])));
    await settle();
    expect([place().textContent, place().disabled]).toEqual(['Waiting for fresh prices', true]);
    line.fate = () => 'deliver';
    back = 214;
    seq += 6;
    act(() => line.onEmit('/match', 'watch', null));
    await vi.waitFor(() => expect(place().disabled).toBe(false));
    expect(document.querySelector('form')!.textContent).toContain('Now 2.14.');
  });
});

describe('the ladder over a bad line', () => {
  it('takes neither a press nor a key while the line is away', async () => {
    leave = watchMatches([MATCH_ID], 'full');
    showLadders();
    await settle();
    // A first key marks evens and brings them into sight.
    const rows = await screen.findByRole('group', { name: /^Prices of India/ });
    fireEvent.keyDown(rows, { key: 'ArrowUp' });
    await settle();
    const cell = screen.getByRole('button', { name: /^Back India at 2\.18/ });
    expect(cell.getAttribute('aria-disabled')).toBeNull();
    line.reachable = false;
    act(() => line.drop());
    await settle();
    expect(cell.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(cell);
    fireEvent.keyDown(rows, { key: 'b' });
    expect(slip()).toBeNull();
    line.reachable = true;
    await vi.waitFor(() => expect(cell.getAttribute('aria-disabled')).toBeNull(), 10_000);
    fireEvent.click(cell);
    expect(slip()).toMatchObject({ runnerId: 1, price: 218 });
  });
});
