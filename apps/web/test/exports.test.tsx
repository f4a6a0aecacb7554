import { eq, type TransactionRow } from '@fairgame/contract';
import { onlineManager } from '@tanstack/react-query';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../src/api/api.ts';
import { Screen as BetHistory } from '../src/features/account/bet-history.tsx';
import { BetsBehind } from '../src/features/account/bets-behind.tsx';
import { readWhole } from '../src/features/account/export.tsx';
import { Screen as Statement } from '../src/features/account/statement.tsx';
import { toastLog } from '../src/platform/toasts.ts';
import { settle } from './settle.ts';
import { bet, betPage, clear, refused, type Sent, serve, show, width } from './trading.tsx';

beforeEach(() => width(1440));
afterEach(() => {
  onlineManager.setOnline(true);
  clear();
});

/** What was saved as files. */
function saved(): Blob[] {
  const blobs: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`);
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  return blobs;
}
const textOf = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsText(blob);
  });

describe('a whole list read page by page', () => {
  const pageOf = (ids: number[], page: string, limit: string) => {
    const from = (Number(page) - 1) * Number(limit);
    return Promise.resolve({ rows: ids.slice(from, from + Number(limit)).map((id) => ({ id })), total: ids.length });
  };
  const upTo = (n: number) => Array.from({ length: n }, (_, at) => at + 1);

  it('comes newest first, with nothing twice and nothing lost while it grows', async () => {
    const ids = upTo(250);
    let reads = 0;
    const rows = await readWhole(
      (page, limit) => {
        if (++reads === 2) ids.push(251, 252);
        return pageOf(ids, page, limit);
      },
      ({ id }) => id,
    );
    expect(rows.map(({ id }) => id)).toEqual(upTo(252).reverse());
  });

  it('that never stands still is refused in words', async () => {
    const ids = upTo(250);
    const reading = readWhole(
      (page, limit) => {
        ids.push(ids.length + 1);
        return pageOf(ids, page, limit);
      },
      ({ id }) => id,
    );
    await expect(reading).rejects.toThrow('The list changed while it was read.');
  });

  it('waits when the site asks for a slower pace', async () => {
    vi.useFakeTimers();
    let slow = 3;
    const reading = readWhole(
      (page, limit) => {
        if (slow-- > 0) throw new ApiError(429, 'RATE_LIMITED', 'Slower.');
        return pageOf([1, 2], page, limit);
      },
      ({ id }) => id,
    );
    await vi.advanceTimersByTimeAsync(6000);
    expect(await reading).toHaveLength(2);
  });
});

describe('recordings of markets', () => {
  const row: TransactionRow = {
    id: 1,
    uniqueId: 1,
    createdAt: '2026-11-20T12:00:00.000Z',
    transType: 'win',
    type: 1,
    amount: 800,
    closingBalance: 1000,
    description: 'Rovers v United / Match Odds',
    matchId: 5,
    betId: [7, 8],
    runnerId: null,
  };
  const button = () => screen.queryByRole('button', { name: 'Recording of the prices' });

  it('stand with the bets behind an entry of the statement, where the site has them', async () => {
    const blobs = saved();
    const sent = serve({
      '/bet': betPage([]),
      '/programs/recordings': { marketIds: [8] },
      '/programs/recordings/market/8': 'lines of a market',
    });
    show(<BetsBehind row={row} onClose={() => undefined} />);
    await settle();
    expect(sent.find(({ path }) => path === '/programs/recordings')!.query).toEqual({ marketIds: '7,8' });
    fireEvent.click(button()!);
    await settle();
    expect(await Promise.all(blobs.map(textOf))).toEqual([expect.stringContaining('lines of a market')]);
  });

  it('are not asked for of a card table, and offered nowhere where there are none', async () => {
    const sent = serve({ '/bet': betPage([]), '/programs/recordings': { marketIds: [] } });
    show(<BetsBehind row={row} onClose={() => undefined} />);
    show(<BetsBehind row={{ ...row, type: 2, betId: [9] }} onClose={() => undefined} />);
    await settle();
    expect(button()).toBeNull();
    expect(sent.filter(({ path }) => path === '/programs/recordings').map(({ query }) => query.marketIds)).toEqual([
      '7,8',
    ]);
  });
});

describe('export of the bet history', () => {
  const over = { status: 'COMPLETE', remaining: 0, matched: 1000, result: 'WIN', profitLoss: 800 } as const;
  const rows = [
    bet({ id: 3, ...over, oddsMatched: 220 }),
    bet({ id: 2, ...over, kind: 'bookmaker', oddsMatched: 80 }),
    bet({ id: 1, ...over, kind: 'session', oddsMatched: 110, line: 46, betType: 'YES' }),
  ];

  it('is the file of the server to the filter that is shown, by the clock of the player', async () => {
    const blobs = saved();
    const sent = serve({ '/bet': betPage(rows), '/bet/file': 'made there' });
    show(<BetHistory />);
    await settle();
    fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
    await settle();
    expect(await textOf(blobs[0]!)).toContain('made there');
    const read = sent.find(({ path }) => path === '/bet')!.query;
    const { timeZone, language, ...filters } = sent.find(({ path }) => path === '/bet/file')!.query;
    expect([timeZone, language]).toEqual([Intl.DateTimeFormat().resolvedOptions().timeZone, 'en']);
    const { page: _page, limit: _limit, sort: _sort, ...shown } = read;
    expect(filters).toEqual(shown);
    expect(filters['betPlaced.createdAt']).toMatch(/^between/);
  });

  it('is busy until it is saved, and says what went wrong', async () => {
    const blobs = saved();
    let answer: (value: unknown) => void = () => undefined;
    serve({ '/bet': betPage(rows), '/bet/file': () => new Promise((resolve) => (answer = resolve)) });
    show(<BetHistory />);
    await settle();
    const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /Export CSV/ });
    fireEvent.click(button());
    await vi.waitFor(() => expect(button().getAttribute('aria-busy')).toBe('true'));
    answer(refused(500, 'INTERNAL', 'Out of order.'));
    await vi.waitFor(() => expect(button().getAttribute('aria-busy')).not.toBe('true'));
    expect(blobs).toHaveLength(0);
    expect(toastLog().map(({ text }) => text)).toContain('The file was not made. Out of order.');
  });
});

describe('account statement', () => {
  it('a day that is cleared is asked for again in words; the rows stay', async () => {
    const row = {
      uniqueId: 5,
      createdAt: '2026-11-20T10:00:00.000Z',
      type: 1,
      transType: 'win',
      amount: 500,
      closingBalance: 900,
      description: 'India v Australia',
      betId: [],
    };
    const sent = serve({
      '/transaction/get/101': {
        rows: [row],
        total: 1,
        page: 1,
        limit: 15,
        totals: { credit: 500, debit: 0, opening: 400, closing: 900 },
      },
      '/transaction/curve/101': { points: [[Date.parse(row.createdAt), 900]] },
    });
    show(<Statement />);
    await settle();
    expect(screen.getByText('India v Australia')).toBeTruthy();
    const asked = sent.length;
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '' } });
    fireEvent.submit(screen.getByRole('form', { name: 'Filter' }));
    await settle();
    expect(screen.getByText('Choose a day.')).toBeTruthy();
    expect(screen.getByText('India v Australia')).toBeTruthy();
    expect(sent).toHaveLength(asked);
    // The curve is that of the whole period, and not of the page.
    expect(sent.find(({ path }) => path === '/transaction/curve/101')!.query).toEqual({
      'transaction.createdAt': sent.find(({ path }) => path === '/transaction/get/101')!.query['transaction.createdAt'],
    });
  });
});

describe('the filter of a report', () => {
  const totals = { credit: 0, debit: 0, opening: 0, closing: 0 };
  const serveNothing = () =>
    serve({
      '/transaction/get/101': { rows: [], total: 0, page: 1, limit: 15, totals },
      '/transaction/curve/101': { points: [] },
    });
  const fields = () => screen.getByLabelText('From').closest<HTMLElement>('.data__filterFields')!;

  it('is one line on a phone that says what is chosen, opens to its fields, and folds again when it is applied', async () => {
    width(390);
    const sent = serveNothing();
    show(<Statement />);
    await settle();
    const line = () => screen.getByRole('button', { name: /^Filter: / });
    expect(fields().hidden).toBe(true);
    expect(line().getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(line());
    expect(fields().hidden).toBe(false);
    fireEvent.change(screen.getByLabelText('Account'), { target: { value: '2' } });
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } });
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-03' } });
    // What is being typed is not what the report shows.
    expect(line().textContent).not.toContain('Casino');
    fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
    await settle();
    expect(fields().hidden).toBe(true);
    expect(line().textContent).toBe('Filter: 01 Nov 2026 to 03 Nov 2026, Casino');
    expect(sent.at(-1)!.query.type ?? sent.at(-2)!.query.type).toBe('2');
  });

  it('stands open where there is room, with no line over it', async () => {
    serveNothing();
    show(<Statement />);
    await settle();
    expect(fields().hidden).toBe(false);
    expect(screen.queryByRole('button', { name: /^Filter: / })).toBeNull();
  });

  it('writes its days as everything else does, whatever the order of the browser', async () => {
    serveNothing();
    show(<Statement />);
    await settle();
    const from = screen.getByLabelText('From');
    const words = () => from.parentElement!.querySelector('.field__dayText')!.textContent;
    fireEvent.change(from, { target: { value: '2026-11-02' } });
    expect(words()).toBe('02 Nov 2026');
    fireEvent.change(from, { target: { value: '' } });
    expect(words()).toBe('Choose a day');
  });
});

describe('the rows of a report', () => {
  const shown = () => screen.getByRole('button', { current: 'page' }).textContent;
  const last = (sent: readonly Sent[]) => sent.filter(({ path }) => path === '/bet').at(-1)!.query;

  it('begin at the first page for another filter and for other rows per page, also when that is taken back', async () => {
    const sent = serve({ '/bet': { ...betPage([bet()]), total: 90 } });
    show(<BetHistory />);
    await settle();
    const to = async (page: string) => {
      fireEvent.click(screen.getByRole('button', { name: `Page ${page}` }));
      await settle();
      expect([shown(), last(sent).page]).toEqual([page, page]);
    };
    const choose = async (label: string, value: string) => {
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
      await settle();
      expect(shown()).toBe('1');
    };
    await to('6');
    await choose('Sport', 'tennis');
    await choose('Sport', '');
    await to('2');
    await choose('Rows per page', '25');
    expect(last(sent)).toMatchObject({ limit: '25', page: '1' });
  });

  it('a day that is typed is not asked for before it is applied, whatever is chosen meanwhile; Reset takes all back', async () => {
    const sent = serve({ '/bet': betPage([]) });
    show(<BetHistory />);
    await settle();
    const atFirst = last(sent)['betPlaced.createdAt'];
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-02' } });
    fireEvent.change(screen.getByLabelText('Sport'), { target: { value: 'tennis' } });
    await settle();
    expect(last(sent)).toMatchObject({ 'betPlaced.createdAt': atFirst, 'betPlaced.eventType': eq('tennis') });
    fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
    await settle();
    expect(last(sent)['betPlaced.createdAt']).not.toBe(atFirst);
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }));
    await settle();
    expect(screen.getByLabelText<HTMLSelectElement>('Sport').value).toBe('');
    expect(document.querySelector('.reports__printOnly')!.textContent).not.toContain('02 Jan 2026');
  });

  it('say that they wait for the line, and those of another page are marked as such until their own are there', async () => {
    serve({ '/bet': { ...betPage([bet()]), total: 90 } });
    onlineManager.setOnline(false);
    show(<BetHistory />);
    await settle();
    expect(screen.getByText('You are offline')).toBeTruthy();
    onlineManager.setOnline(true);
    await settle();
    expect(screen.queryByText('You are offline')).toBeNull();
    const table = () => screen.getByRole('table').parentElement!;
    expect(table().getAttribute('aria-busy')).toBeNull();
    onlineManager.setOnline(false);
    fireEvent.click(screen.getByRole('button', { name: 'Page 2' }));
    await settle();
    expect(table().getAttribute('aria-busy')).toBe('true');
    onlineManager.setOnline(true);
    await settle();
    expect(table().getAttribute('aria-busy')).toBeNull();
  });
});
