import type { ConditionalEnd } from '@fairgame/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Screen as BetHistory } from '../src/features/account/bet-history.tsx';
import { BetsBehind } from '../src/features/account/bets-behind.tsx';
import { Screen as CurrentBet } from '../src/features/account/current-bet.tsx';
import { Screen as OrderHistory } from '../src/features/account/order-history.tsx';
import { settle } from './settle.ts';
import { bet, betPage, clear, held, type Sent, serve, show, width } from './trading.tsx';

/** Reports of bets: what was asked and what was matched stand apart, and each row says what became of it. */
beforeEach(() => width(1440));
afterEach(clear);

const over = (id: number, more: object) =>
  bet({ id, status: 'COMPLETE', remaining: 0, settledAt: '2026-11-20T12:00:00.000Z', ...more });
const won = over(901, { amount: 3000, matched: 3000, oddsMatched: 220, result: 'WIN', profitLoss: 3600 });
const part = over(902, {
  amount: 4000,
  matched: 1000,
  cancelled: 3000,
  endCode: 'CANCELLED',
  oddsMatched: 220,
  result: 'LOSS',
  profitLoss: -1000,
});
const cancelled = over(903, { amount: 40_000, cancelled: 40_000, endCode: 'CANCELLED', result: 'VOID' });
const lapsed = over(904, { amount: 2000, lapsed: 2000, endCode: 'LAPSED_IN_PLAY', result: 'VOID' });
const voided = over(905, { amount: 500, voided: 500, result: 'VOID', deleteReason: 'Match abandoned' });
const deleted = over(906, { amount: 600, voided: 600, result: 'UNDECLARE', deleteReason: 'Wrong price' });

const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
const rowOf = (id: number) =>
  screen.getAllByRole('row').find((row) => within(row).queryByText(String(id), { exact: true }) !== null)!;

describe('bet history', () => {
  beforeEach(async () => {
    serve({ '/bet': betPage([won, part, cancelled, lapsed, voided, deleted]) });
    show(<BetHistory />);
    await settle();
  });

  it('asked and matched are columns of their own, each with the sum of its rows', () => {
    expect(cellsOf(rowOf(901)).slice(4, 8)).toEqual(['2.20', '30.00', '30.00', '+36.00']);
    expect(cellsOf(rowOf(902)).slice(4, 8)).toEqual(['2.20', '40.00', '10.00', '\u221210.00']);
    expect(cellsOf(rowOf(903)).slice(5, 7)).toEqual(['400.00', '0.00']);
    const total = screen.getAllByRole('row').at(-1)!;
    expect(cellsOf(total).slice(5, 8)).toEqual(['501.00', '40.00', '+26.00']);
  });

  it.each([
    [901, 'Won'],
    [902, 'Lost30.00 cancelled: by you'],
    [903, 'Cancelledby you'],
    [904, 'Lapsedthe market turned in-play'],
    [905, 'VoidMatch abandoned'],
    [906, 'DeletedWrong price'],
  ])('bet %i says: %s', (id, words) => {
    expect(cellsOf(rowOf(id))[9]).toBe(words);
  });

  it('on a phone the card of a bet has its stake, what was matched, when, its number and its state', () => {
    const card = [...rowOf(902).children].find((cell) => (cell as HTMLElement).dataset.card === 'more')!;
    expect(card.textContent).toMatch(/^Stake 40\.00matched 10\.0020 Nov 2026, \d\d:\d\dbet 902Lost/);
  });
});

describe('current bets', () => {
  it('say what may be won and lost as signed figures, and how far they are matched', async () => {
    serve({ '/bet': betPage([bet({ id: 910, matched: 1000, remaining: 1500, oddsMatched: 220 })]) });
    show(<CurrentBet />);
    await settle();
    const cells = cellsOf(rowOf(910));
    expect(cells.slice(5, 8)).toEqual(['25.00', '10.00', '+30.00 \u221225.00']);
    expect(cells.at(-1)).toContain('Part matched10.00 of 25.00');
  });
});

it('Current Bet has a table of what the server holds, each with its way back', async () => {
  const sent = serve({
    '/bet': betPage([]),
    '/bet/conditional': [held(), held({ id: 8, kind: 'TRAIL', trigger: 230, odd: null, ticks: 3, slip: 1 })],
    '/bet/conditional/cancel': { cancelled: 1 },
  });
  show(<CurrentBet />);
  await settle();
  const table = within(screen.getByRole('table', { name: 'Orders held by the server' }));
  const rows = table
    .getAllByRole('row')
    .slice(1)
    .map((row) => cellsOf(row).slice(1, 5));
  expect(rows).toEqual([
    ['Match Odds', 'LIndia', 'Stop at 2.24', 'Lays 48 at 2.30 or better'],
    ['Match Odds', 'LIndia', 'Trailing stop 3 ticks behind, at 2.30 now', 'Lays 48 at the best price'],
  ]);
  fireEvent.click(table.getAllByRole('button', { name: 'Take back: Trailing stop, India' })[0]!);
  await settle();
  expect(sent.filter(({ path }) => path === '/bet/conditional/cancel').map(({ body }) => body.id)).toEqual([8]);
});

describe('order history', () => {
  const ended = (id: number, more: Partial<ConditionalEnd>): ConditionalEnd => ({
    ...held({ id, status: 'ENDED' }),
    endedAt: '2026-11-20T12:00:00.000Z',
    by: null,
    reason: null,
    bet: null,
    ...more,
  });
  const first = [
    ended(24, {
      status: 'FIRED',
      placed: 911,
      bet: { odd: 230, stake: 4800, matched: 4800, oddsMatched: 226 },
    }),
    ended(23, {
      status: 'FAILED',
      code: 'INSUFFICIENT_FUNDS',
      reason: 'Your available balance does not cover this bet.',
    }),
    ended(22, { kind: 'TRAIL', odd: null, ticks: 3, slip: 1, code: 'CANCELLED', by: 'PLAYER' }),
  ];
  const last = [ended(21, { code: 'MARKET_CLOSED' })];
  const bodies = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => cellsOf(row).slice(3, 10));

  it('says of each what it was to do, and what became of it: the bet, why there is none, who ended it', async () => {
    serve({ '/bet/conditional/history': { rows: first, next: null } });
    show(<OrderHistory />);
    await settle();
    expect(bodies()).toEqual([
      ['Stop at 2.24', 'Lays 48 at 2.30 or better', 'Fired', '2.26', '48.00', '48.00', '911'],
      [
        'Stop at 2.24',
        'Lays 48 at 2.30 or better',
        'Not placedYour available balance does not cover this bet.',
        '',
        '48.00',
        '',
        '',
      ],
      ['Trailing stop 3 ticks behind', 'Lays 48 at the best price', 'Cancelledby you', '', '48.00', '', ''],
    ]);
    expect(screen.queryByRole('button', { name: 'Older' })).toBeNull();
  });

  it('is turned over page by page, and begins anew with another filter', async () => {
    const sent = serve({
      '/bet/conditional/history': ({ query }: Sent) =>
        query.cursor ? { rows: last, next: null } : { rows: first, next: '1763640000000.22' },
    });
    show(<OrderHistory />);
    await settle();
    fireEvent.click(screen.getByRole('button', { name: 'Older' }));
    await settle();
    expect(bodies().map((row) => row[2])).toEqual(['Lapsedthe market closed']);
    expect((screen.getByRole('button', { name: 'Older' }) as HTMLButtonElement).disabled).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Newer' }));
    await settle();
    expect(bodies()).toHaveLength(3);
    fireEvent.click(screen.getByRole('button', { name: 'Older' }));
    await settle();
    fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'LAPSED' } });
    await settle();
    const asked = sent.map(({ query }) => [query.cursor, query.status, query.code]);
    expect(asked.at(-1)).toEqual([undefined, 'eqENDED', 'inArr[LAPSED_IN_PLAY,MARKET_CLOSED,FIELD_CHANGED,BET_ENDED]']);
  });
});

describe('the bets behind a row of the statement', () => {
  it('are read a page at a time, however many they are, and say how many', async () => {
    const sent = serve({ '/bet': { ...betPage([won]), total: 120 } });
    const row = { uniqueId: 1, type: 1, betId: [7], runnerId: null, description: 'Rovers v United', amount: 3600 };
    show(<BetsBehind row={row as never} onClose={() => undefined} />);
    await settle();
    screen.getByText('1 to 15 of 120 entries');
    fireEvent.click(screen.getByRole('button', { name: 'Page 8' }));
    await settle();
    screen.getByText('106 to 120 of 120 entries');
    const asked = sent.filter(({ path }) => path === '/bet');
    expect(asked.map(({ query }) => [query.page, query.limit])).toEqual([
      ['1', '15'],
      ['8', '15'],
    ]);
  });
});
