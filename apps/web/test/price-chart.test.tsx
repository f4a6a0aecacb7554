import { CALLS } from '@fairgame/contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient, refreshBets } from '../src/api/api.ts';
import { priceAxis } from '../src/betting/price-axis.ts';
import { PriceHistory } from '../src/betting/price-history.tsx';
import { settle } from './settle.ts';
import { bet, betPage, clear, live, MARKET_ID, market, refused, runner, serve, show, width } from './trading.tsx';

/** The price chart: a scale of prices that exist, steps between them, and the money that changed hands. */
beforeEach(() => width(1440));
afterEach(clear);

const MINUTE = 60_000;
const began = Date.now() - 30 * MINUTE;
type Points = Array<[number, number, number]>;
type Marks = Array<{ at: number; is: 'inPlay' | 'suspended' | 'closed'; text: string }>;

/** Of points [ms, price, matched until then] candles of one price each. */
const candlesOf = (points: Points) =>
  points.map(([t, price, sum], i) => [t, price, price, price, price, sum - (points[i - 1]?.[2] ?? 0)]);

async function open(
  prices: Readonly<Record<number, Points>>,
  runners = market().runners,
  more: { marks?: Marks; answers?: Record<string, unknown> } = {},
) {
  const sent = serve({
    [`/market/history/${MARKET_ID}`]: ({ query }: { query: { runners: string } }) => ({
      runners: query.runners
        .split(',')
        .map(Number)
        .map((id) => ({ id, name: String(id), stepMs: 60_000, candles: candlesOf(prices[id] ?? []) })),
      marks: more.marks ?? [],
    }),
    [`/market/trades/${MARKET_ID}`]: { trades: [] },
    ...more.answers,
  });
  // The price of now is the last one read: the line has nothing to add.
  const image = market({
    runners: runners.map((one) => {
      const last = prices[one.id]?.at(-1)?.[1];
      return last ? { ...one, last, back: [[last, 100]], lay: [] } : one;
    }),
  });
  live(image);
  show(<PriceHistory market={image} />);
  await settle();
  return sent;
}
const at = (minutes: number): number => began + minutes * MINUTE;
const lines = () =>
  [...document.querySelectorAll('.chart__chart path[fill="none"]')].map((path) => path.getAttribute('d')!);
const upright = (path: string): number[] => [...path.matchAll(/(?:M[\d.]+ |V)([\d.]+)/g)].map(([, y]) => Number(y));
const scale = () => [...document.querySelectorAll('.chart__chart g text')].map((text) => text.textContent);

describe('the scale', () => {
  it.each([
    [183, 186],
    [101, 101],
    [172, 12_000],
    [150, 340],
    [90_000, 100_000],
  ])('of prices from %i to %i holds them, and all its lines are prices that can be asked for', (least, most) => {
    const axis = priceAxis(least, most);
    expect(axis.min).toBeLessThanOrEqual(least);
    expect(axis.max).toBeGreaterThanOrEqual(most);
    expect(axis.ticks.length).toBeGreaterThanOrEqual(2);
    expect(axis.ticks.length).toBeLessThanOrEqual(6);
    for (const tick of axis.ticks) expect(tick).toBeGreaterThanOrEqual(101);
    expect(axis.ticks.toSorted((a, b) => a - b)).toEqual(axis.ticks);
  });

  it('a step of the ladder is as high at 1.80 as at 110: an outsider does not flatten the favourite', () => {
    const { at: up } = priceAxis(172, 12_000);
    expect(up(181) - up(180)).toBeCloseTo(1);
    expect(up(11_000) - up(10_000)).toBeCloseTo(1);
    expect(up(201)).toBeCloseTo(up(200) + 0.5);
  });
});

describe('the chart', () => {
  const moves: Record<number, Points> = {
    1: [
      [at(0), 220, 0],
      [at(10), 240, 50_000],
      [at(20), 200, 80_000],
    ],
    2: [[at(0), 12_000, 0]],
  };

  it('a price stands until the next one, and the last one until now', async () => {
    await open(moves);
    const [first] = lines();
    expect(first).toMatch(/^M[\d.]+ [\d.]+H[\d.]+V[\d.]+H[\d.]+V[\d.]+H[\d.]+$/);
    expect(new Set(upright(first!)).size).toBe(3);
    const [, end] = /H([\d.]+)$/.exec(first!)!;
    expect(Number(end)).toBeCloseTo(800 - 14, 0);
  });

  it('what was read of the past is let go a minute after nothing shows it', async () => {
    await open(moves);
    const held = () =>
      queryClient
        .getQueryCache()
        .findAll({ queryKey: [CALLS.catalog.history.name] })
        .filter(({ state }) => state.data !== undefined).length;
    expect(held()).toBe(1);
    vi.useFakeTimers();
    cleanup();
    vi.advanceTimersByTime(59_000);
    expect(held()).toBe(1);
    vi.advanceTimersByTime(1500);
    expect(held()).toBe(0);
  });

  it('its scale begins at no price below the least one shown', async () => {
    await open({ 1: moves[1]!, 2: [[at(0), 250, 0]] });
    for (const text of scale()) expect(Number(text)).toBeGreaterThanOrEqual(1.9);
    expect(scale()).not.toContain('0.00');
  });

  it('a runner is taken out of the picture and put back; one always stays', async () => {
    await open(moves);
    expect(lines()).toHaveLength(2);
    const outsider = screen.getByRole('button', { name: /^Australia/ });
    fireEvent.click(outsider);
    expect(lines()).toHaveLength(1);
    expect(screen.getByRole('button', { name: /^India/ })).toHaveProperty('disabled', true);
    fireEvent.click(outsider);
    expect(lines()).toHaveLength(2);
  });

  it('says what was matched in the time shown, with bars of it; or that nothing was', async () => {
    await open(moves);
    expect(screen.getByText(/^Matched 800 in this time\./)).toBeTruthy();
    expect(
      [...document.querySelectorAll('.chart__chart .chart__chartBar')].filter(
        (bar) => Number(bar.getAttribute('height')) > 0,
      ),
    ).toHaveLength(2);
    clear();
    document.body.innerHTML = '';
    await open({ 1: [[at(0), 220, 0]], 2: [[at(5), 180, 0]] });
    expect(screen.getByText('Nothing matched in this time: prices are the best to back.')).toBeTruthy();
    expect(document.querySelectorAll('.chart__chart .chart__chartBar')).toHaveLength(0);
  });

  it('of a big field the four in front are shown', async () => {
    const field = [900, 300, 5000, 400, 250, 700].map((price, n) =>
      runner(n + 1, `Horse ${n + 1}`, { back: [[price, 100]] }),
    );
    const sent = await open(
      Object.fromEntries(field.map((one) => [one.id, [[at(0), one.back[0]![0], 0]] as Points])),
      field,
    );
    const legend = screen.getByRole('group', { name: 'Runners shown' });
    expect([...legend.children].map((item) => item.textContent)).toEqual([
      'Horse 2 3.00',
      'Horse 4 4.00',
      'Horse 5 2.50',
      'Horse 6 7.00',
      'Add a runnerHorse 1Horse 3',
    ]);
    // The others can be added.
    fireEvent.change(screen.getByRole('combobox', { name: 'Add a runner' }), { target: { value: '3' } });
    expect(await screen.findByRole('button', { name: 'Horse 3 50' })).toBeTruthy();
    expect(sent.filter(({ path }) => path.startsWith('/market/history')).at(-1)!.query.runners).toBe('2,4,5,6,3');
  });

  it('a runner whose first price comes later has its place and its mark from the start', async () => {
    const field = [200, 300].map((price, n) => runner(n + 1, `Horse ${n + 1}`, { back: [[price, 100]] }));
    await open({ 1: [], 2: [[at(0), 300, 0]] }, [runner(1, 'Horse 1'), field[1]!]);
    const legend = screen.getByRole('group', { name: 'Runners shown' });
    expect([...legend.children].map((item) => [item.textContent, item.className])).toEqual([
      ['Horse 1 \u2013', 'betting__line'],
      ['Horse 2 3.00', 'betting__line betting__line2'],
    ]);
  });

  it('says that there are no prices yet when that is known, not while they are on their way', async () => {
    let come: () => void = () => undefined;
    const held = new Promise<object>((resolve) => (come = () => resolve({ runners: [], marks: [] })));
    serve({ [`/market/history/${MARKET_ID}`]: () => held });
    live(market({ runners: [runner(1, 'India'), runner(2, 'Australia')] }));
    show(<PriceHistory market={market({ runners: [runner(1, 'India'), runner(2, 'Australia')] })} />);
    await screen.findByRole('group', { name: 'Runners shown' });
    expect(document.querySelector('.betting__plot')!.children).toHaveLength(0);
    come();
    expect(await screen.findByText('No prices yet')).toBeTruthy();
    expect(screen.getByRole('group', { name: 'Runners shown' }).children).toHaveLength(2);
  });

  it('that could not be read is told as that, with a way to try again; so are the last trades', async () => {
    const failing = refused(500, 'INTERNAL', 'Something went wrong on our side.');
    const answers: Record<string, unknown> = {
      [`/market/history/${MARKET_ID}`]: () => failing,
      [`/market/trades/${MARKET_ID}`]: () => failing,
    };
    const sent = await open({}, undefined, { answers });
    await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toContain('The prices did not load.'), 20_000);
    expect(screen.queryByText('No prices yet')).toBeNull();
    const asked = () => sent.filter(({ path }) => path.startsWith('/market/trades')).length;
    const tape = within(screen.getByRole('region', { name: 'Last trades' }));
    await tape.findByText(/The trades did not load\./, undefined, { timeout: 20_000 });
    const before = asked();
    fireEvent.click(tape.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(asked()).toBeGreaterThan(before);
  });
});

describe('what else it tells', () => {
  const moves: Record<number, Points> = {
    1: [
      [at(0), 220, 0],
      [at(10), 240, 50_000],
      [at(20), 200, 80_000],
    ],
    2: [[at(0), 180, 0]],
  };
  const marks: Marks = [{ at: at(12), is: 'suspended', text: 'Goal' }];
  const own = bet({
    betId: MARKET_ID,
    runnerId: 1,
    odds: 240,
    oddsMatched: 240,
    matched: 1000,
    createdAt: new Date(at(11)).toISOString(),
  });
  const press = (name: string) => fireEvent.click(screen.getByRole('tab', { name }));
  const tools = (name: string) => screen.getByRole('button', { name });

  it('goals and own bets stand where they happened, in the picture and in the table that says the same', async () => {
    await open(moves, undefined, { marks, answers: { '/bet': betPage([own]) } });
    expect(document.querySelectorAll('.chart__moment')).toHaveLength(1);
    expect(document.querySelector('.chart__moment text')!.textContent).toBe('Goal');
    expect(document.querySelectorAll('.chart__back')).toHaveLength(1);
    press('Table');
    const table = within(screen.getByRole('region', { name: 'Prices of India as a table' }));
    const rows = table
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].slice(1).map((cell) => cell.textContent));
    expect(rows).toEqual([
      ['2.00', '2.00', '2.00', '2.00', '300'],
      ['Goal'],
      [expect.stringMatching(/^Your back of India at 2\.40/)],
      ['2.40', '2.40', '2.40', '2.40', '500'],
      ['2.20', '2.20', '2.20', '2.20', '\u2013'],
    ]);
  });

  it('words stand above all prices, none over another, and the last before its line where time ends', async () => {
    await open(moves, undefined, {
      marks: [
        { at: at(5), is: 'suspended', text: 'Wicket' },
        { at: at(5.2), is: 'suspended', text: 'Review' },
        { at: at(29.9), is: 'suspended', text: 'Goal' },
      ],
    });
    const highest = Math.min(...lines().flatMap(upright));
    const words = [...document.querySelectorAll('.chart__moment')].map((one) => one.querySelector('text'));
    expect(words.map((one) => one?.textContent)).toEqual(['Wicket', undefined, 'Goal']);
    // A letter of ten pixels reaches two below where it stands.
    for (const word of words) if (word) expect(Number(word.getAttribute('y')) + 2).toBeLessThanOrEqual(highest);
    expect(words.map((one) => one?.getAttribute('text-anchor'))).toEqual(['start', undefined, 'end']);
  });

  it('an own bet of this moment is marked at once where no price moves, also by a clock a little ahead', async () => {
    const bets = [own];
    await open(moves, undefined, { answers: { '/bet': () => betPage(bets) } });
    expect(document.querySelectorAll('.chart__back')).toHaveLength(1);
    bets.push(bet({ ...own, id: 4711, createdAt: new Date(Date.now() + 500).toISOString() }));
    refreshBets();
    await settle();
    expect(document.querySelectorAll('.chart__back')).toHaveLength(2);
  });

  it('candles are of one runner, which a press chooses', async () => {
    await open(moves);
    press('Candles');
    expect(document.querySelectorAll('.chart__risen, .chart__fallen')).toHaveLength(3);
    fireEvent.click(screen.getByRole('button', { name: /^Australia/ }));
    expect(screen.getByRole('img', { name: 'Prices of Match Odds: Australia 1.80' })).toBeTruthy();
    expect(screen.getByRole('button', { name: /^India/ }).getAttribute('aria-pressed')).toBe('false');
  });

  it('zooms in to its end, goes back in time and out again', async () => {
    await open(moves);
    expect(screen.getByText(/^Matched 800 /)).toBeTruthy();
    expect(tools('Zoom out')).toHaveProperty('disabled', true);
    fireEvent.click(tools('Zoom in'));
    // The later half of half an hour: one of the two trades.
    expect(screen.getByText(/^Matched 300 /)).toBeTruthy();
    fireEvent.click(tools('Zoom in'));
    expect(screen.getByText(/^Nothing matched/)).toBeTruthy();
    expect(tools('Later')).toHaveProperty('disabled', true);
    for (let i = 0; i < 4; i++) fireEvent.click(tools('Earlier'));
    expect(screen.getByText(/^Matched 300 /)).toBeTruthy();
    for (let i = 0; i < 20; i++) fireEvent.click(tools('Earlier'));
    expect(tools('Earlier')).toHaveProperty('disabled', true);
    fireEvent.click(tools('Zoom out'));
    fireEvent.click(tools('Zoom out'));
    expect(screen.getByText(/^Matched 800 /)).toBeTruthy();
  });

  it('zooms in no further than there is something to see, and each press is one press back', async () => {
    await open(moves);
    let presses = 0;
    for (; !(tools('Zoom in') as HTMLButtonElement).disabled; presses++) fireEvent.click(tools('Zoom in'));
    // Half an hour, halved until it is a minute.
    expect(presses).toBe(5);
    fireEvent.keyDown(screen.getByRole('group', { name: 'Price history' }), { key: '+' });
    for (; presses > 0; presses--) {
      expect(tools('Zoom out')).toHaveProperty('disabled', false);
      fireEvent.click(tools('Zoom out'));
    }
    expect(tools('Zoom out')).toHaveProperty('disabled', true);
    expect(screen.getByText(/^Matched 800 /)).toBeTruthy();
  });

  it('zooms by keys and by the wheel where it has the focus; else a wheel scrolls the page', async () => {
    await open(moves);
    const chart = screen.getByRole('group', { name: 'Price history' });
    const matched = (words: RegExp) => expect(screen.getByText(words)).toBeTruthy();
    fireEvent.keyDown(chart, { key: '+' });
    matched(/^Matched 300 /);
    for (let i = 0; i < 4; i++) fireEvent.keyDown(chart, { key: 'ArrowLeft' });
    matched(/^Matched 500 /);
    fireEvent.keyDown(chart, { key: '0' });
    matched(/^Matched 800 /);
    // True: nobody held the page.
    expect(fireEvent.wheel(chart, { deltaY: -100 })).toBe(true);
    matched(/^Matched 800 /);
    chart.getBoundingClientRect = () => ({ left: 0, width: 800 }) as DOMRect;
    // What jsdom leaves out of a wheel.
    const turn = (deltaY: number, clientX: number, ctrlKey = false) => {
      const event = new WheelEvent('wheel', { deltaY, cancelable: true, bubbles: true });
      Object.defineProperties(event, { clientX: { value: clientX }, ctrlKey: { value: ctrlKey } });
      return fireEvent(chart, event);
    };
    chart.focus();
    expect(turn(-40, 800)).toBe(false);
    matched(/^Matched 800 /);
    turn(-40, 800);
    matched(/^Matched 300 /);
    fireEvent.keyDown(chart, { key: '-' });
    // At its start: that stays where it is.
    turn(-100, 0);
    matched(/^Matched 500 /);
    chart.blur();
    expect(turn(100, 800, true)).toBe(false);
    matched(/^Matched 800 /);
  });

  it('the whole market is read when it is asked for', async () => {
    const sent = await open(moves);
    const spans = () => sent.filter(({ path }) => path.startsWith('/market/history')).map(({ query }) => query.span);
    expect(new Set(spans())).toEqual(new Set(['hour']));
    press('All');
    await settle();
    expect(spans()).toContain('all');
  });

  it('the tape shows who took what at which price, and reads again when more was matched', async () => {
    const trades = [[7, at(20), 1, 218, 80_000, 'BACK']];
    const sent = await open(moves, undefined, {
      answers: { [`/market/trades/${MARKET_ID}`]: () => ({ trades: [...trades] }) },
    });
    const tape = within(screen.getByRole('region', { name: 'Last trades' }));
    const rows = () =>
      tape
        .getAllByRole('row')
        .slice(1)
        .map((row) => [...row.children].slice(1).map((cell) => cell.textContent));
    expect(rows()).toEqual([['India', 'B', '2.18', '800.00']]);
    trades.unshift([9, at(21), 2, 184, 1500, 'LAY']);
    live(market({ tradedMinor: 81_500 }));
    expect(await tape.findByText('1.84')).toBeTruthy();
    expect(rows()[0]).toEqual(['Australia', 'L', '1.84', '15.00']);
    expect(sent.filter(({ path }) => path.startsWith('/market/trades'))).toHaveLength(2);
  });
});
