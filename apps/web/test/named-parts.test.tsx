import { afterEach, beforeEach, expect, it } from 'vitest';
import { PriceRoom } from '../src/betting/price-room.tsx';
import { marksOf } from '../src/betting/price-window.ts';
import { winsWhen } from '../src/betting/slip-words.ts';
import { Tape } from '../src/betting/tape.tsx';
import { chooseLanguage } from '../src/platform/language.ts';
import { settle } from './settle.ts';
import { bet, clear, live, MARKET_ID, market, runner, serve, show, width } from './trading.tsx';

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
