import type { RaceDetails } from '@fairgame/contract';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { horses, race, showRace, win } from './races.tsx';
import { settle } from './settle.ts';
import { clear, live, MARKET_ID, MATCH_ID, market, type Sent, serve, width } from './trading.tsx';

/** The race card: the player's result to the cent, and the parts of every market there: cash out, ladder, chart. */
beforeEach(() => width(1440));
afterEach(clear);

const nets = (...of: number[]) => ({
  betId: MARKET_ID,
  matchId: MATCH_ID,
  runners: of.map((net, at) => ({ runnerId: at + 1, net, win: net, lose: net })),
});

let sent: Sent[] = [];

async function open(positions: unknown[], image = win, answer: Partial<RaceDetails> = {}, more = {}) {
  sent = serve({
    [`/match/racing/${MATCH_ID}`]: { ...race, markets: [image], ...answer },
    '/bet/positions': positions,
    [`/market/history/${MARKET_ID}`]: { runners: [], marks: [] },
    [`/market/trades/${MARKET_ID}`]: { trades: [] },
    ...more,
  });
  live(image);
  return showRace();
}
const card = () => within(screen.getByRole('region', { name: win.name }));
const results = () => [...document.querySelectorAll('.race-parts__rowEnd')].map((cell) => cell.textContent);

describe('the card', () => {
  it('[RAC-03] [BET-04] has a row for each runner of the win market, and asks for the open bets of its race', async () => {
    const matchOdd = market({ ...win, name: 'Win' });
    await open([], matchOdd, { matchOdd: matchOdd as never, markets: [] });
    expect(
      [...document.querySelectorAll('.race-parts__runner')].map((row) =>
        horses.find((name) => row.textContent?.includes(name)),
      ),
    ).toEqual(horses);
    expect(sent.find(({ path }) => path === '/bet')?.query).toMatchObject({
      'betPlaced.matchId': `eq${MATCH_ID}`,
      result: 'inArr[PENDING,UNDECLARE]',
    });
  });

  it('says a result to the cent below 1,000, and rounds it from there', async () => {
    await open([nets(350, -204, 123_456)]);
    expect(results()).toEqual(['+3.50', '\u22122.04', '+1,235']);
  });

  it('cashes out, opens the ladder and has the price chart, as every market does', async () => {
    const router = await open([nets(3000, -1000, -1000)]);
    expect(card().getByRole('button', { name: /Cash out/i })).toBeTruthy();
    expect(screen.getByRole('region', { name: /Price history/i })).toBeTruthy();
    await act(async () => fireEvent.click(card().getByRole('button', { name: 'Market depth' })));
    await settle();
    expect(screen.getByRole('region', { name: 'Ladder of Aster' })).toBeTruthy();
    expect(router.state.place.search).toBe(`?ladder=${MARKET_ID}`);
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Back to all markets' })));
    await settle();
    expect(results()).toHaveLength(3);
  });

  it('the strip says of each race where it is: before the off, off with or without bets in play, over', async () => {
    const at = Date.now();
    const races = [
      ['ATTHEPOST', false, -5],
      ['OFF', true, -4],
      ['OFF', false, -3],
      ['PHOTOGRAPH', false, -2],
      ['RESULT', true, -1],
      ['CLOSED', false, 0],
    ].map(([status, inPlay, minutes], id) => {
      const startAt = new Date(at + Number(minutes) * 60_000).toISOString();
      return { id, title: 'Handicap', venue: 'Ripon', countryCode: 'GB', startAt, inPlay, status, runnerCount: 8 };
    });
    await open([], win, {}, { '/match/racing/list': [{ venue: 'Ripon', countryCode: 'GB', races }] });
    const strip = within(screen.getByRole('navigation', { name: 'Next races' }));
    expect(strip.getAllByRole('link').map((chip) => chip.lastElementChild!.textContent)).toEqual([
      'due off',
      'Off',
      'Off',
      'Finished',
      'Finished',
      'Finished',
    ]);
  });

  it('[CAR-47] says beside the running order that it is late, and nothing before the off is near', async () => {
    await open([], win, { startAt: new Date(Date.now() + 7_200_000).toISOString() });
    expect(screen.queryByText(/about 5 s behind/)).toBeNull();
    cleanup();
    queryClient.clear();
    await open([], win, { startAt: new Date(Date.now() - 60_000).toISOString() });
    expect(screen.getByRole('region', { name: 'Running order' }).nextElementSibling?.textContent).toMatch(
      /about 5 s behind/,
    );
  });

  it('says what a race that is over paid, in its place', async () => {
    const over = market({
      ...win,
      status: 'CLOSED',
      runners: win.runners.map((one, at) => ({ ...one, status: at === 0 ? 'WINNER' : 'LOSER' })),
    });
    await open([{ ...nets(), paid: { gross: 11_300, commission: 226 } }], over);
    expect(card().getByText(/You won \+110\.74/)).toBeTruthy();
  });
});
