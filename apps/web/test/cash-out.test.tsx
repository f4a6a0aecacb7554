import type { PlacedBet } from '@fairgame/contract';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { CashOutAction } from '../src/betting/cash-out.tsx';
import { DutchMe } from '../src/betting/dutch-me.tsx';
import { knowBets } from '../src/live/own-bets.ts';
import { toast } from '../src/platform/toasts.ts';
import { leg, lost, offering, position, quote, taken, wallet, worse } from './cashing.ts';
import { settle } from './settle.ts';
import {
  bet,
  betPage,
  clear,
  live,
  MARKET_ID,
  market,
  refused,
  runner,
  type Sent,
  serve,
  show,
  width,
} from './trading.tsx';

const waiting = bet({ id: 700, betType: 'BACK', odds: 220, amount: 2500, remaining: 2500 });

let sent: Sent[];
let quotes: unknown[];
let told: MockInstance<typeof toast.success>;
beforeEach(() => {
  width(1440);
  told = vi.spyOn(toast, 'success');
});
afterEach(clear);

/** The quotes as they are read, the last again and again; what the act answers. */
async function opened(
  read: unknown[],
  acted: unknown,
  { image = offering([[200, 100_000]]), bets = [] as PlacedBet[], more = {} } = {},
) {
  quotes = [...read];
  sent = serve({
    '/bet': betPage(bets),
    '/bet/cashOut': (one: Sent) => {
      if (one.method === 'GET') return quotes.length > 1 ? quotes.shift() : quotes[0];
      return typeof acted === 'function' ? (acted as (sent: Sent) => unknown)(one) : acted;
    },
    ...more,
  });
  live(image);
  show(<CashOutAction market={image} position={position} />);
  await settle();
}
const button = () => screen.getByRole('button');
const press = async () => {
  fireEvent.click(button());
  await settle();
};
const acts = () =>
  sent.filter(({ method, path }) => method === 'POST' && path === '/bet/cashOut').map(({ body }) => body);
const paths = () => sent.filter(({ method }) => method === 'POST').map(({ path }) => path);
const successes = () => told.mock.calls.map(([words]) => words);

describe('cash out', () => {
  it('reads the quote, names what it would cancel, and acts by one command with a key', async () => {
    await opened([quote({ value: -79, cancels: [700] })], taken, { bets: [waiting] });
    expect(button().textContent).toBe('Cash out+5.00');
    await press();
    expect(sent.filter(({ method, path }) => method === 'GET' && path === '/bet/cashOut')).toMatchObject([
      { query: { betId: String(MARKET_ID) } },
    ]);
    expect(button().textContent).toBe('Take\u22120.79?');
    expect(screen.getByText('Cancels your waiting bet: back India 25 at 2.20.')).toBeTruthy();
    expect(acts()).toEqual([]);
    await press();
    expect(acts()).toEqual([
      { key: expect.any(String), betId: MARKET_ID, legs: quote().legs, cancel: true, marketVersion: 4 },
    ]);
    expect(paths()).toEqual(['/bet/cashOut']);
    expect(successes()).toEqual(['Cashed out \u22120.79; your waiting bet cancelled']);
  });

  it('leaves own waiting bets out of the figure at rest, and cancels none that were not named', async () => {
    const image = offering([
      [200, 1000],
      [220, 100_000],
    ]);
    const own = bet({ id: 700, betType: 'BACK', odds: 200, amount: 1000, remaining: 1000 });
    await opened([quote()], taken, { image, bets: [own] });
    // Laid at 2.20 alone: 30.00 / 2.20 = 13.64, less the stake of 10.00.
    expect(button().textContent).toBe('Cash out+3.63');
    await press();
    await press();
    expect(acts()).toMatchObject([{ cancel: false }]);
  });

  it('says a refusal in place with the quote of now, and takes that only when pressed again', async () => {
    const no = refused(409, 'NOT_FILLED', 'The bet could not be matched in full and was not placed.');
    let tries = 0;
    await opened([quote(), worse], () => (++tries === 1 ? no : taken));
    await press();
    await press();
    expect(screen.getByText('The bet could not be matched in full and was not placed.')).toBeTruthy();
    expect(button().textContent).toBe('Take+4.80?');
    expect(acts()).toHaveLength(1);
    await press();
    expect(acts()[1]).toMatchObject({ legs: worse.legs });
    expect(acts()[1]!.key).not.toBe(acts()[0]!.key);
    expect(successes()).toEqual(['Cashed out +4.80']);
  });

  it('asks the server where the prices in sight do not reach, and is off where there are no others', async () => {
    const image = offering([
      [200, 100],
      [202, 100],
      [204, 100],
    ]);
    await opened([quote()], taken, { image });
    expect(button().textContent).toBe('Cash out');
    await press();
    expect(button().textContent).toBe('Take+5.00?');
    cleanup();
    await opened([quote()], taken, { image: offering([[200, 100]]) });
    expect(button()).toHaveProperty('disabled', true);
    expect(button().textContent).toBe('Not enough money on offer');
  });

  it('says why there is no quote any more', async () => {
    await opened([quote({ value: null, reason: 'NO_DEPTH', legs: [] })], taken);
    await press();
    expect(screen.getByText('Not enough money on offer.')).toBeTruthy();
    expect(acts()).toEqual([]);
  });

  it('settles a lost answer under the same key and sends nothing twice', async () => {
    await opened([quote()], lost, { more: { '/bet/key/settle': { bet: leg, wallet } } });
    await press();
    await press();
    expect(paths()).toEqual(['/bet/cashOut', '/bet/key/settle']);
    expect(sent.find(({ path }) => path === '/bet/key/settle')!.body).toEqual({ key: acts()[0]!.key });
    expect(successes()).toEqual(['Cashed out +5.00']);
  });

  it('says that nothing was taken under a key that never arrived, and asks anew', async () => {
    const none = refused(404, 'KEY_UNKNOWN', 'Nothing was taken under this key.');
    await opened([quote(), worse], lost, { more: { '/bet/key/settle': none } });
    await press();
    await press();
    expect(screen.getByText('Nothing was cashed out: the connection was lost before it arrived.')).toBeTruthy();
    expect(button().textContent).toBe('Take+4.80?');
    expect(acts()).toHaveLength(1);
    expect(successes()).toEqual([]);
  });

  it('asks again where the quote moved while the question stood', async () => {
    await opened([quote(), worse], taken);
    await press();
    await act(async () => live(offering([[202, 100_000]])));
    await vi.waitFor(() => expect(button().textContent).toBe('Price moved. Take+4.80'));
    await press();
    expect(acts()).toEqual([]);
    expect(button().textContent).toBe('Take+4.80?');
    await press();
    expect(acts()).toMatchObject([{ legs: worse.legs }]);
  });

  it('asks for the password and goes on under the same key', async () => {
    let tries = 0;
    const no = refused(403, 'STEP_UP_REQUIRED', 'Enter your password again to go on.');
    await opened([quote()], () => (++tries === 1 ? no : taken));
    await press();
    await press();
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret' } });
    const [form] = document.forms;
    fireEvent.submit(form!);
    await settle();
    expect(acts()).toHaveLength(2);
    expect(acts()[1]!.key).toBe(acts()[0]!.key);
    expect(successes()).toEqual(['Cashed out +5.00']);
  });
});

describe('cash out in play', () => {
  const due = new Date(Date.now() + 60_000).toISOString();
  const delayed = { ...leg, matched: 0, remaining: 1500, status: 'PENDING' as const, dueAt: due, version: 1 };
  const inPlay = { image: offering([[200, 100_000]], { inPlay: true, betDelayMs: 5000 }) };

  it('waits for the delay and then says that it is done', async () => {
    await opened([quote()], { ...taken, bets: [delayed] }, inPlay);
    await press();
    await press();
    expect(button().textContent).toMatch(/^Cashing out/);
    expect(screen.getByRole('timer').textContent).toMatch(/^Taken in \d+ seconds, all or nothing\.$/);
    expect(successes()).toEqual([]);
    await act(async () => knowBets([{ ...leg, version: 2 }]));
    await settle();
    expect(successes()).toEqual(['Cashed out +5.00']);
  });

  it('says why it was not taken after the delay, and what became of bets it cancelled, with the quote of now', async () => {
    const first = quote({ cancels: [700] });
    await opened([first, worse], { ...taken, bets: [delayed], cancelled: [waiting] }, { ...inPlay, bets: [waiting] });
    await press();
    await press();
    const lapsed = { ...delayed, remaining: 0, lapsed: 1500, endCode: 'LAPSED_PRICE', status: 'COMPLETE' as const };
    await act(async () => knowBets([{ ...lapsed, version: 2 }]));
    await settle();
    expect(
      screen.getByText('Nothing was cashed out: the price moved while it waited. Your waiting bets stay cancelled.'),
    ).toBeTruthy();
    expect(button().textContent).toBe('Take+4.80?');
    expect(successes()).toEqual([]);
  });
});

describe('dutching', () => {
  const three = (home: number) =>
    market({
      runners: [
        runner(1, 'Home', { back: [[home, 100_000]] }),
        runner(2, 'Away', { back: [[400, 100_000]] }),
        runner(3, 'The Draw', { back: [[350, 100_000]] }),
      ],
    });
  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });
  const choose = (name: string) => fireEvent.click(screen.getByRole('checkbox', { name }));
  const row = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) }).textContent;

  async function dialog(acted: unknown, more: Record<string, unknown> = {}) {
    sent = serve({ '/bet/cashOut': acted, ...more });
    live(three(300));
    show(<DutchMe market={three(300)} />);
    fireEvent.click(await screen.findByRole('button', { name: 'Dutching' }));
    await settle();
    choose('Home');
    choose('Away');
    type('Total stake', '70');
    await settle();
  }
  const place = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Place 2 bets' }));
    await settle();
  };

  it('shows the stakes before it places them as one command, and is not there for two runners', async () => {
    await dialog(taken);
    expect([row('Home'), row('Away'), row('The Draw')]).toEqual([
      'Home3.0040+50.00',
      'Away4.0030+50.00',
      'The Draw3.50\u2013\u2013',
    ]);
    expect(screen.getByRole('dialog').textContent).toContain('If none of them wins\u221270.00');
    expect(acts()).toEqual([]);
    await place();
    expect(acts()).toEqual([
      {
        key: expect.any(String),
        betId: MARKET_ID,
        legs: [
          { runnerId: 1, bettingType: 'BACK', odd: 300, stake: 4000 },
          { runnerId: 2, bettingType: 'BACK', odd: 400, stake: 3000 },
        ],
        cancel: false,
        marketVersion: 4,
      },
    ]);
    expect(paths()).toEqual(['/bet/cashOut']);
    expect(successes()).toEqual(['2 bets placed.']);
    expect(screen.queryByRole('dialog')).toBeNull();
    cleanup();
    show(<DutchMe market={market()} />);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('works them out by a profit, says why there are none, and follows the prices', async () => {
    await dialog(taken);
    fireEvent.click(screen.getByRole('radio', { name: 'Target profit' }));
    type('Target profit', '25');
    await settle();
    expect([row('Home'), row('Away')]).toEqual(['Home3.0020+25.00', 'Away4.0015+25.00']);
    live(three(130));
    await settle();
    expect(screen.getByText('At these prices no stakes win on each of them.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Choose runners and an amount' })).toHaveProperty('disabled', true);
    live(three(300));
    type('Target profit', '5000');
    await settle();
    expect(screen.getByText('Not enough money on offer')).toBeTruthy();
    type('Target profit', '1');
    await settle();
    expect(screen.getByText('Home: The smallest stake here is 1.00')).toBeTruthy();
  });

  it('says a refusal in place and tries again under another key; a lost answer is asked for by its own', async () => {
    const no = refused(409, 'NOT_FILLED', 'The bet could not be matched in full and was not placed.');
    let tries = 0;
    await dialog(() => (++tries === 1 ? no : lost()), { '/bet/key/settle': { bet: leg, wallet } });
    await place();
    expect(screen.getByText('The bet could not be matched in full and was not placed.')).toBeTruthy();
    expect(successes()).toEqual([]);
    await place();
    const [first, second] = acts();
    expect(second!.key).not.toBe(first!.key);
    expect(sent.filter(({ path }) => path === '/bet/key/settle').map(({ body }) => body)).toEqual([
      { key: second!.key },
    ]);
    expect(successes()).toEqual(['2 bets placed.']);
  });
});
