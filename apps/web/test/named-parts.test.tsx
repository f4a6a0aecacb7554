import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PastPrices } from '../src/betting/past-prices.tsx';
import { PriceRoom } from '../src/betting/price-room.tsx';
import { marksOf } from '../src/betting/price-window.ts';
import { winsWhen } from '../src/betting/slip-words.ts';
import { Tape } from '../src/betting/tape.tsx';
import { Screen as ProfitLoss } from '../src/features/account/profit-loss.tsx';
import { chooseLanguage } from '../src/platform/language.ts';
import { settle } from './settle.ts';
import { bet, betPage, clear, live, MARKET_ID, market, runner, serve, show, width } from './trading.tsx';

/** The draw is said in the player's language where a market is drawn, not only in its table. */
beforeEach(async () => {
  width(1440);
  await chooseLanguage('hi');
});
afterEach(async () => {
  clear();
  await chooseLanguage('en');
});

const image = market({ runners: [runner(1, 'Rovers'), runner(2, 'United'), runner(3, 'The Draw')] });

it('the chart that is still to come and the last trades', async () => {
  serve({ [`/market/trades/${MARKET_ID}`]: { trades: [[1, Date.now(), 3, 350, 1000, 'BACK']] } });
  live(image);
  show(
    <>
      <PriceRoom market={image} />
      <Tape market={image} />
    </>,
  );
  await settle();
  expect(document.body.textContent!.match(/ड्रॉ/g)).toHaveLength(2);
  expect(document.body.innerHTML).not.toContain('The Draw');
});

it('a bet on the chart, and when a bet on odd runs wins', () => {
  const always = { from: 0, until: Infinity, first: 0, last: Infinity };
  const marks = marksOf([], [bet({ runnerId: 3, teamName: 'The Draw' })], new Set([3]), always);
  expect(marks.map(({ text }) => text)).toEqual([expect.stringContaining('ड्रॉ')]);
  expect(winsWhen({ kind: 'oddEven', side: 'BACK', runnerName: 'Odd' })).not.toContain('odd');
});

it('the markets of the charts that an event left, and the rows of profit and loss with their way here', async () => {
  const row = {
    id: '1',
    name: 'Match Odds',
    eventType: 'football',
    totalBet: 1,
    settledAt: null,
    commission: 0,
    profitLoss: 100,
    matchId: 5,
    betId: 7,
  };
  serve({
    '/market/past/5': [
      { id: 7, name: 'Match Odds' },
      { id: 8, name: 'Bookmaker' },
    ],
    '/market/history/7': { runners: [], marks: [] },
    '/bet/profitLoss': { rows: [row], days: [{ day: '2026-11-20', profitLoss: 100 }], total: 100 },
    '/bet': betPage([]),
  });
  show(<PastPrices matchId={5} />);
  await settle();
  expect(screen.getAllByRole('tab').map((one) => one.textContent)).toEqual(['मैच ऑड्स', 'बुकमेकर']);
  cleanup();
  show(<ProfitLoss />);
  await settle();
  for (const step of ['1', '2', '3']) {
    fireEvent.click(screen.getByRole('table').querySelector('tbody button')!);
    await settle();
    expect([step, document.body.textContent]).toEqual([step, expect.not.stringContaining('Match Odds')]);
  }
});
