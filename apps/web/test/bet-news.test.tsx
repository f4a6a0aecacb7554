import type { MainEvent } from '@fairgame/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useBetNews } from '../src/betting/bet-news.ts';
import { MyBets } from '../src/betting/my-bets.tsx';
import { RunnerMarket } from '../src/betting/runner-market.tsx';
import { SlipForm } from '../src/betting/slip-form.tsx';
import { hearBets, hearHeld } from '../src/live/own-bets.ts';
import { toastLog } from '../src/platform/toasts.ts';
import { select } from '../src/slip/slip.ts';
import { ToastLog } from '../src/ui/toast-log.tsx';
import { settle } from './settle.ts';
import {
  bet,
  betPage,
  clear,
  live,
  MARKET_ID,
  MATCH_ID,
  market,
  runner,
  selection,
  serve,
  show,
  width,
} from './trading.tsx';

/** What others do to the player's bets, and what his markets paid him: said in figures, with the way there. */
beforeEach(() => {
  width(1440);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  clear();
});

function Listen() {
  useBetNews();
  return <ToastLog />;
}
const said = () => toastLog().map(({ text }) => text);
const heard = (event: MainEvent, message: object) =>
  act(() => {
    hearBets(event, { n: 1, ...message });
    vi.advanceTimersByTime(500);
  });

describe('bets of the player that others meet', () => {
  it('a waiting bet that is matched is told once, with its figures and the way to the event', () => {
    serve();
    show(<Listen />);
    heard('userMatchBetPlaced', { own: true, bets: [bet()] });
    expect(said()).toEqual([]);
    act(() => {
      hearBets('userMatchBetPlaced', {
        n: 2,
        own: false,
        bets: [bet({ version: 2, matched: 1000, remaining: 1500, oddsMatched: 220 })],
      });
      hearBets('userMatchBetPlaced', {
        n: 3,
        own: false,
        bets: [bet({ version: 3, matched: 2500, remaining: 0, oddsMatched: 221, status: 'COMPLETE' })],
      });
      vi.advanceTimersByTime(500);
    });
    expect(said()).toEqual(['Matched: back India 25 at 2.21']);
    expect(screen.getByRole('link', { name: /^Matched/ }).getAttribute('href')).toBe('/game-detail/cricket/2');
  });

  it.each([
    ['Matched: back India 10 of 25 at 2.20', { matched: 1000, remaining: 1500, oddsMatched: 220 }],
    [
      'Lapsed: back India 25 at 2.20, the market was suspended',
      { remaining: 0, lapsed: 2500, endCode: 'LAPSED_SUSPENDED', status: 'COMPLETE' },
    ],
    [
      'Void: back India, 25 back to you. Withdrawn',
      { remaining: 0, voided: 2500, result: 'VOID', deleteReason: 'Withdrawn', status: 'COMPLETE' },
    ],
    [
      'Deleted: back India 25 at 2.20. Wrong price',
      { remaining: 0, voided: 2500, result: 'UNDECLARE', deleteReason: 'Wrong price', status: 'COMPLETE' },
    ],
    [
      'Not matched: back India 25 at 2.20, fill or kill: too little was on offer',
      { remaining: 0, cancelled: 2500, endCode: 'KILLED', status: 'COMPLETE' },
    ],
  ] as const)('%s', (words, change) => {
    serve();
    show(<Listen />);
    heard('userMatchBetPlaced', { own: false, bets: [bet({ version: 2, ...change })] });
    expect(said()).toEqual([words]);
  });

  it('an order that the server held and could not place says why in words, with the way to its history', () => {
    serve();
    show(<Listen />);
    const order = { status: 'FAILED', teamName: 'India', code: 'INSUFFICIENT_FUNDS' };
    act(() => hearHeld({ n: 1, order, reason: 'There is not enough money.' }));
    act(() => hearHeld({ n: 2, order: { ...order, status: 'FIRED' }, reason: null }));
    expect(said()).toEqual(['An order held for India was not placed. There is not enough money.']);
    expect(screen.getByRole('link', { name: /^An order/ }).getAttribute('href')).toBe('/order-history');
  });

  it('many at once are one line; what is known already is no news', () => {
    serve();
    show(<Listen />);
    const lapsed = [1, 2, 3].map((id) =>
      bet({ id, version: 2, remaining: 0, lapsed: 2500, endCode: 'LAPSED_IN_PLAY', status: 'COMPLETE' }),
    );
    heard('userMatchBetPlaced', { own: false, bets: lapsed });
    expect(said()).toEqual(['3 of your bets lapsed']);
    heard('userMatchBetPlaced', { own: false, bets: lapsed });
    expect(said()).toHaveLength(1);
  });

  it('the row of such a bet is marked for a moment, and a bet with a reduced price is no deleted one', async () => {
    vi.useRealTimers();
    const reduced = bet({
      version: 3,
      matched: 2500,
      remaining: 0,
      oddsMatched: 198,
      status: 'COMPLETE',
      deleteReason: 'Copper Kettle out, 2.20 to 1.98',
    });
    serve({ '/bet': betPage([reduced]) });
    hearBets('userMatchBetPlaced', { n: 1, own: false, bets: [reduced] });
    show(<MyBets matchId={MATCH_ID} />);
    await settle();
    expect(screen.getByRole('region', { name: 'Matched bets' }).textContent).toContain(
      'Copper Kettle out, 2.20 to 1.98',
    );
    expect(screen.queryByRole('region', { name: 'Deleted bets' })).toBeNull();
    expect(document.querySelector('.bets__bet')!.className).toContain('is-new');
  });

  it('bets of all events name theirs and lead there; edit and cancel stand in the row', async () => {
    vi.useRealTimers();
    serve({ '/bet': betPage([bet()]) });
    show(<MyBets />);
    await settle();
    expect(screen.getByRole('link', { name: 'India v Australia' }).getAttribute('href')).toBe('/game-detail/cricket/2');
    const row = document.querySelector('.bets__bet')!;
    expect([...row.querySelectorAll('button')].map((button) => button.getAttribute('aria-label'))).toEqual([
      'Edit bet on India',
      'Cancel bet on India',
    ]);
  });
});

describe('a result', () => {
  it.each([
    [{ grossMinor: 11_300, commissionMinor: 226 }, 'You won +110.74 (113.00 less 2.26 commission)'],
    [{ grossMinor: 5000, commissionMinor: 0 }, 'You won +50.00'],
    [{ grossMinor: -2500, commissionMinor: 0 }, 'You lost \u221225.00'],
    [{ grossMinor: 0, commissionMinor: 0 }, 'Your stake came back'],
  ])('of %j: %s', (paid, words) => {
    serve();
    show(<Listen />);
    const about = { matchId: MATCH_ID, marketName: 'Match Odds', eventName: 'India v Australia', resultText: 'India' };
    heard('matchResult', { ...about, ...paid, bets: [bet({ result: 'WIN' })] });
    expect(said()).toEqual([`India v Australia, Match Odds: India. ${words}`]);
    expect(screen.getByRole('link').getAttribute('href')).toBe('/game-detail/cricket/2');
  });

  it('stays in the market with what it paid, in place of a position', async () => {
    vi.useRealTimers();
    serve({
      '/bet/positions': [
        { betId: MARKET_ID, exposure: 0, betCount: 0, runners: [], runs: [], paid: { gross: 11_300, commission: 226 } },
      ],
    });
    live(
      market({
        status: 'CLOSED',
        resultText: 'India',
        runners: [runner(1, 'India', { status: 'WINNER' }), runner(2, 'Australia', { status: 'LOSER' })],
      }),
    );
    show(<RunnerMarket marketId={MARKET_ID} eventName="India v Australia" position={undefined} marks={new Set()} />);
    await settle();
    const text = document.querySelector('.market-table__market')!.textContent;
    expect(text).toContain('Result: India');
    expect(text).toContain('You won +110.74 (113.00 less 2.26 commission)');
    expect(text).not.toContain('No position');
  });
});

describe('a bet in its delay', () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const pending = () => bet({ status: 'PENDING', createdAt: at(0), dueAt: at(5000) });
  const wallet = { currentBalance: 1000, exposure: 0, version: 2 };

  async function placed(rows: () => unknown) {
    serve({ '/placeBet': () => ({ bet: pending(), wallet }), '/bet': rows });
    live(market({ inPlay: true, betDelayMs: 5000 }));
    show(<SlipForm />);
    act(() => void select(selection({ price: 220, betDelayMs: 5000 }), '25'));
    const flush = () => act(() => vi.advanceTimersByTimeAsync(50));
    await flush();
    fireEvent.click(screen.getByRole('button', { name: /^Place/ }));
    await flush();
    fireEvent.click(screen.getByRole('button', { name: /^Confirm/ }));
    await flush();
  }
  const text = () => document.querySelector('.slip__body')!.textContent;

  it('counts down, and ends by itself when it is taken', async () => {
    vi.useFakeTimers();
    await placed(() => betPage([pending()]));
    expect(text()).toContain('Waiting 5 seconds');
    expect(screen.queryByRole('button', { name: 'Done' })).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(2300));
    expect(text()).toContain('Waiting 3 seconds');
    act(() =>
      hearBets('userMatchBetPlaced', {
        n: 9,
        own: false,
        bets: [bet({ version: 2, matched: 2500, remaining: 0, oddsMatched: 220, status: 'COMPLETE' })],
      }),
    );
    expect(text()).toContain('Matched at 2.20, 25.00.');
  });

  it('a bet that lapsed in its delay is no longer among the open ones, and is told all the same', async () => {
    vi.useFakeTimers();
    const lapsed = bet({
      version: 2,
      remaining: 0,
      lapsed: 2500,
      endCode: 'LAPSED_VERSION',
      status: 'COMPLETE',
      result: 'VOID',
    });
    // The event is lost: the bet is asked for by its market when its time is over.
    await placed(() => betPage([]));
    await act(() => vi.advanceTimersByTimeAsync(5200));
    expect(text()).toContain('Being taken');
    serve({ '/bet': ({ query }: { query: Record<string, string> }) => betPage(query.betId ? [lapsed] : []) });
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(text()).toContain('Lapsed. The market changed while it waited. Your stake is free again.');
  });

  it('what waits whole is cancelled as a bet, what waits in part as its rest', async () => {
    vi.useFakeTimers();
    await placed(() => betPage([]));
    const now = (change: object) =>
      act(() => hearBets('userMatchBetPlaced', { n: 9, own: false, bets: [bet({ status: 'EXECUTABLE', ...change })] }));
    now({ version: 2 });
    screen.getByRole('button', { name: 'Cancel bet' });
    now({ version: 3, matched: 1000, remaining: 1500, oddsMatched: 220 });
    screen.getByRole('button', { name: 'Cancel rest' });
  });
});
