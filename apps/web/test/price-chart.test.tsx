import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { priceAxis } from '../src/betting/price-axis.ts';
import { PriceHistory } from '../src/betting/price-history.tsx';
import { settle } from './settle.ts';
import { clear, live, MARKET_ID, market, runner, serve, show, width } from './trading.tsx';

/** The price chart: a scale of prices that exist, steps between them, and the money that changed hands. */
beforeEach(() => width(1440));
afterEach(clear);

const MINUTE = 60_000;
const began = Date.now() - 30 * MINUTE;
type Points = Array<[number, number, number]>;

async function open(prices: Readonly<Record<number, Points>>, runners = market().runners) {
  serve({
    [`/market/history/${MARKET_ID}`]: ({ query }: { query: { runnerId: string } }) => ({
      points: prices[Number(query.runnerId)] ?? [],
    }),
  });
  const image = market({ runners });
  live(image);
  show(<PriceHistory market={image} />);
  await settle();
}
const at = (minutes: number): number => began + minutes * MINUTE;
const lines = () =>
  [...document.querySelectorAll('.data__chart path[fill="none"]')].map((path) => path.getAttribute('d')!);
const upright = (path: string): number[] => [...path.matchAll(/(?:M[\d.]+ |V)([\d.]+)/g)].map(([, y]) => Number(y));
const scale = () => [...document.querySelectorAll('.data__chart g text')].map((text) => text.textContent);

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
      [...document.querySelectorAll('.data__chart .data__chartBar')].filter(
        (bar) => Number(bar.getAttribute('height')) > 0,
      ),
    ).toHaveLength(2);
    clear();
    document.body.innerHTML = '';
    await open({ 1: [[at(0), 220, 0]], 2: [[at(5), 180, 0]] });
    expect(screen.getByText('Nothing matched in this time: prices are the best to back.')).toBeTruthy();
    expect(document.querySelectorAll('.data__chart .data__chartBar')).toHaveLength(0);
  });

  it('of a big field the four in front are shown', async () => {
    const field = [900, 300, 5000, 400, 250, 700].map((price, n) =>
      runner(n + 1, `Horse ${n + 1}`, { back: [[price, 100]] }),
    );
    await open(Object.fromEntries(field.map((one) => [one.id, [[at(0), one.back[0]![0], 0]] as Points])), field);
    const legend = screen.getByRole('group', { name: 'Runners shown' });
    expect([...legend.children].map((item) => item.textContent)).toEqual([
      'Horse 2 3.00',
      'Horse 4 4.00',
      'Horse 5 2.50',
      'Horse 6 7.00',
    ]);
  });

  it('a runner whose first price comes later has its place and its mark from the start', async () => {
    const field = [200, 300].map((price, n) => runner(n + 1, `Horse ${n + 1}`, { back: [[price, 100]] }));
    await open({ 1: [], 2: [[at(0), 300, 0]] }, field);
    const legend = screen.getByRole('group', { name: 'Runners shown' });
    expect([...legend.children].map((item) => [item.textContent, item.className])).toEqual([
      ['Horse 1 \u2013', 'betting__line'],
      ['Horse 2 3.00', 'betting__line betting__line2'],
    ]);
  });

  it('says that there are no prices yet when that is known, not while they are on their way', async () => {
    let come: () => void = () => undefined;
    const held = new Promise<object>((resolve) => (come = () => resolve({ points: [] })));
    serve({ [`/market/history/${MARKET_ID}`]: () => held });
    live(market());
    show(<PriceHistory market={market()} />);
    await screen.findByRole('group', { name: 'Runners shown' });
    expect(document.querySelector('.betting__plot')!.children).toHaveLength(0);
    come();
    expect(await screen.findByText('No prices yet')).toBeTruthy();
    expect(screen.getByRole('group', { name: 'Runners shown' }).children).toHaveLength(2);
  });
});
