import type { MatchItem } from '@fairgame/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { PageKeys } from '../src/app/page-keys.tsx';
import { Screen as Contact } from '../src/features/contact/contact.tsx';
import { Screen as GameList } from '../src/features/lists/game-list.tsx';
import { filtered, readFilter, writeFilter } from '../src/features/lists/list-filter.ts';
import { MyMarkets } from '../src/features/lists/my-markets.tsx';
import { Screen as SearchScreen } from '../src/features/lists/search.tsx';
import { formatOff } from '../src/platform/format.ts';
import { slip } from '../src/slip/slip.ts';
import { matchItem } from './samples.ts';
import { settle } from './settle.ts';
import { showAt } from './show-at.tsx';
import { clear, live, MARKET_ID, MATCH_ID, market, runner, type Sent, serve, show, width } from './trading.tsx';

/** The lists of races: how a player comes to them, and that none is out of reach. */
beforeEach(() => width(1440));
afterEach(clear);

const race = (id: number, venue: string, countryCode: string, inMs: number) => ({
  id,
  title: `Race ${id}`,
  venue,
  countryCode,
  startAt: new Date(Date.now() + inMs).toISOString(),
  matchType: 'horseRacing',
  inPlay: false,
  runnerCount: 8,
  status: inMs < 0 ? 'RESULT' : 'OPEN',
});
const meeting = (venue: string, countryCode: string, id: number, inMs: number) => ({
  venue,
  countryCode,
  races: [race(id, venue, countryCode, inMs)],
});

let sent: Sent[] = [];
let countries: object[] = [];

async function open(path: string) {
  countries = [
    { countryCode: 'AU', countryName: 'Australia', count: 1 },
    { countryCode: 'GB', countryName: 'United Kingdom', count: 1 },
  ];
  sent = serve({
    '/match/countryWiseList': () => countries,
    '/match/racing/list': ({ query }: Sent) =>
      query.matchType === 'eqgreyHound'
        ? [meeting('Romford', 'GB', 9, 900_000)]
        : [meeting('Ripon', 'GB', 7, 7_200_000), meeting('Ascot Park', 'AU', 8, 600_000)],
  });
  return showAt(path, [
    { path: '/contact-admin/:type', element: <Contact /> },
    { path: '/game-list/:type', element: <GameList /> },
  ]);
}
const meetings = () =>
  screen
    .getAllByRole('navigation', { name: /^Races at/ })
    .map((one) => one.ariaLabel ?? one.getAttribute('aria-label'));

describe('races', () => {
  it('are one press from the racing entries of the sidebar', async () => {
    const router = await open('/contact-admin/98');
    fireEvent.click(screen.getByRole('link', { name: 'Horse races' }));
    await settle();
    expect(router.state.place.pathname).toBe('/game-list/horseRacing');
    expect(meetings()).toHaveLength(2);
  });

  it('[RAC-01] [RAC-02] of all countries stand on one screen, the next meeting first; a tab keeps one country', async () => {
    await open('/game-list/horseRacing');
    const asked = (path: string) => sent.filter((one) => one.path === path).map(({ query }) => query);
    const running = { 'racingMatch.stopAt': 'isNull' };
    expect(asked('/match/countryWiseList')).toEqual([{ ...running, matchType: 'horseRacing' }]);
    expect(asked('/match/racing/list')).toEqual([{ ...running, matchType: 'eqhorseRacing' }]);
    expect(meetings()).toEqual(['Races at Ascot Park', 'Races at Ripon']);
    expect(screen.getByText('United Kingdom', { selector: '.t3' })).toBeTruthy();
    fireEvent.click(
      within(screen.getByRole('tablist', { name: 'Countries' })).getByRole('tab', { name: /United Kingdom/ }),
    );
    // At once, of what is there; then the country is asked for.
    expect(meetings()).toEqual(['Races at Ripon']);
    await settle();
    expect(asked('/match/racing/list').slice(1)).toEqual([
      { ...running, matchType: 'eqhorseRacing', 'racingMatch.countryCode': 'eqGB' },
    ]);
    expect(meetings()).toEqual(['Races at Ripon']);
  });

  it('that was run and is not settled yet is said to be over, and waits for no off', async () => {
    serve({ '/match/countryWiseList': [], '/match/racing/list': [meeting('Ripon', 'GB', 7, -60_000)] });
    await showAt('/game-list/horseRacing', [{ path: '/game-list/:type', element: <GameList /> }]);
    await settle();
    expect(screen.getByRole('link', { name: /Race 7/ }).textContent).toMatch(/Finished, 8 run$/);
  });

  it('of all countries stand there again when the chosen one has no race left', async () => {
    await open('/game-list/horseRacing');
    fireEvent.click(screen.getByRole('tab', { name: /United Kingdom/ }));
    await settle();
    expect(meetings()).toEqual(['Races at Ripon']);
    countries.pop();
    await act(() => queryClient.refetchQueries());
    await settle();
    expect(screen.queryByRole('tab', { name: /United Kingdom/ })).toBeNull();
    expect(meetings()).toHaveLength(2);
  });

  it('of one kind are never shown under the other, nor is its country', async () => {
    const router = await open('/game-list/horseRacing');
    fireEvent.click(screen.getByRole('tab', { name: /United Kingdom/ }));
    await settle();
    await act(() => router.navigate('/game-list/greyHound'));
    // Before the answer there is none, after it the dogs': never a horse race.
    expect(screen.queryByRole('navigation', { name: /^Races at (Ripon|Ascot Park)/ })).toBeNull();
    await settle();
    expect(meetings()).toEqual(['Races at Romford']);
    expect(sent.at(-1)).toMatchObject({ path: '/match/racing/list', query: { matchType: 'eqgreyHound' } });
    const tabs = within(screen.getByRole('tablist', { name: 'Countries' }));
    expect(tabs.getByRole('tab', { selected: true }).textContent).toContain('All countries');
  });

  it('of another day say the day, those of today how long it is until the off', () => {
    const now = new Date(2026, 10, 20, 12, 0).getTime();
    expect(formatOff(now + 5_400_000, now)).toBe('in 1 h 30 min');
    expect(formatOff(now + 86_400_000, now)).toBe('Tomorrow');
    expect(formatOff(now + 4 * 86_400_000, now)).toBe('24 Nov');
  });
});

describe('my markets', () => {
  it.each([true, false])('[CAR-47] say that what is in play is late: in play %s', async (inPlay) => {
    const mine = { eventType: 'cricket', eventName: 'India v Australia', matchId: MATCH_ID, beventId: null, trade: 1 };
    serve({
      '/bet/myMarket': [
        { ...mine, groupedmarkettype: null, marketType: 'MATCH_ODDS', betId: MARKET_ID, exposure: 100 },
      ],
    });
    show(<MyMarkets matches={[{ id: MATCH_ID, inPlay } as MatchItem]} />);
    await settle();
    expect(screen.getByRole('region', { name: 'India v Australia' })).toBeTruthy();
    expect(screen.queryAllByText(/about 5 s behind/)).toHaveLength(inPlay ? 1 : 0);
  });
});

describe('a list of events', () => {
  const now = Date.now();
  const HOUR = 3_600_000;
  const event = (id: number, title: string, more: Partial<MatchItem> = {}): MatchItem =>
    matchItem(id, {
      matchType: 'tennis',
      title,
      startAt: new Date(now + id * HOUR).toISOString(),
      competitionName: 'Paris Open',
      head: market({ id: 500 + id, matchId: id, tradedMinor: id * 100_000 }),
      marketCount: id,
      runnerCount: 0,
      ...more,
    });
  const all = [
    event(1, 'Dora v Ella', { inPlay: true, isTv: true }),
    event(2, 'Cleo v Beth', { competitionId: '2', competitionName: 'Lima Cup', isFancy: true }),
    event(100, 'Anna v Fran', { isBookmaker: true }),
  ];
  const ids = (query: string) => filtered(all, readFilter(new URLSearchParams(query)), now).map(({ id }) => id);

  it.each([
    ['', [1, 2, 100]],
    ['when=coming', [2, 100]],
    ['competition=2', [2]],
    ['time=3h', [1, 2]],
    ['time=later', [100]],
    ['matched=10000', [100]],
    ['picture=1', [1]],
    ['kind=fancy', [2]],
    ['kind=bookmaker&when=inplay', []],
    ['sort=name', [100, 2, 1]],
    ['sort=name&reverse=1', [1, 2, 100]],
    ['sort=competition', [2, 1, 100]],
    ['sort=matched', [100, 2, 1]],
    ['sort=markets', [100, 2, 1]],
    ['sort=markets&reverse=1', [1, 2, 100]],
    // Typed by hand: what means nothing changes nothing.
    ['sort=x&time=never&matched=-1', [1, 2, 100]],
  ])('to %j shows %j, and the address says it again', (query, expected) => {
    expect(ids(query)).toEqual(expected);
    const filter = readFilter(new URLSearchParams(query));
    expect(readFilter(new URLSearchParams(writeFilter(filter)))).toEqual(filter);
  });

  async function openList(path: string) {
    serve({
      '/match/list': ({ query }: Sent) => ({
        matches: query.keyword ? all.filter(({ title }) => title.toLowerCase().includes(query.keyword!)) : all,
      }),
    });
    return showAt(path, [
      { path: '/game-list/:type', element: <GameList /> },
      { path: '/search', element: <SearchScreen /> },
    ]);
  }
  const titles = () => [...document.querySelectorAll('.event-list__title')].map((one) => one.getAttribute('title'));

  it('is ordered and narrowed in its head, keeps it in the address, and says when nothing fits', async () => {
    const router = await openList('/game-list/tennis');
    expect(titles()).toEqual(['Dora v Ella', 'Cleo v Beth', 'Anna v Fran']);
    const head = () => screen.getByRole('button', { name: 'Most matched' });
    fireEvent.click(head());
    expect(titles()).toEqual(['Anna v Fran', 'Cleo v Beth', 'Dora v Ella']);
    expect(screen.getAllByRole('button', { pressed: true })).toContain(head());
    fireEvent.click(head());
    expect(titles()).toEqual(['Dora v Ella', 'Cleo v Beth', 'Anna v Fran']);
    expect(router.state.place.search).toBe('?sort=matched&reverse=1');
    await act(() => router.navigate('/game-list/tennis?picture=1&kind=fancy'));
    expect(screen.getByText('No event fits the filter.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Filter (2)' })).toBeTruthy();
  });

  it('has three places of prices in each row, whatever its selections are called: figures stand below one another', async () => {
    const head = (id: number, ...names: string[]) =>
      market({ id, matchId: id, runners: names.map((name, at) => runner(at + 1, name)) });
    serve({
      '/match/list': {
        matches: [
          event(1, 'Dora v Ella', { head: head(1, 'Dora', 'Ella') }),
          event(2, 'Cleo v Beth', { head: head(2, 'Cleopatra Jones', 'B. Smith') }),
          event(3, 'Anna v Fran', { head: head(3, 'Anna Bell', 'The Draw', 'Fran Bell') }),
          event(4, 'Next mayor', { head: head(4, 'Left', 'Middle', 'Right', 'None') }),
        ],
      },
    });
    await showAt('/game-list/tennis', [{ path: '/game-list/:type', element: <GameList /> }]);
    const places = [...document.querySelectorAll('.event-list__odds')]
      .slice(-4)
      .map((row) =>
        [...row.querySelectorAll('.price__cells')].map((one) =>
          one.classList.contains('event-list__none') ? '-' : (one.querySelector('small')?.textContent ?? ''),
        ),
      );
    expect(places).toEqual([
      ['', '-', ''],
      ['Cleopatra Jones', '-', 'B. Smith'],
      ['Anna Bell', 'The Draw', 'Fran Bell'],
      ['Left', 'Middle', 'Right'],
    ]);
  });

  it('is ordered by a box where there is no room for heads', async () => {
    width(390);
    const router = await openList('/game-list/tennis?sort=matched');
    fireEvent.click(screen.getByRole('button', { name: 'The other way round' }));
    fireEvent.change(screen.getByRole('combobox', { name: 'Order' }), { target: { value: 'name' } });
    expect(titles()).toEqual(['Dora v Ella', 'Cleo v Beth', 'Anna v Fran']);
    expect(router.state.place.search).toBe('?sort=name&reverse=1');
    expect(screen.queryByRole('button', { name: 'Most matched' })).toBeNull();
  });

  it('shows the columns that were chosen, also the next time', async () => {
    localStorage.setItem('listFacts', 'matched,markets');
    await openList('/game-list/tennis');
    const metas = [...document.querySelectorAll('.event-list__meta')].map((one) => one.textContent);
    expect(metas[1]).toBe('Matched 2,000 \u00b7 2 markets');
    // Their columns, of which a wide list shows each below its head: seen only, since the row says the same in words.
    const row = document.querySelectorAll('.event-list__event')[1]!;
    const figures = row.querySelector('.event-columns__figures')!;
    expect([...figures.children].map((one) => one.textContent)).toEqual(['2,000', '2']);
    expect(figures.getAttribute('aria-hidden')).toBe('true');
    expect(row.querySelector('.event-columns__competition')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Markets' }));
    expect(titles()).toEqual(['Anna v Fran', 'Cleo v Beth', 'Dora v Ella']);
    expect(screen.getAllByRole('button', { pressed: true }).map((one) => one.textContent)).toContain('Markets');
    localStorage.removeItem('listFacts');
  });

  it('has no columns where it is an answer to a search, or a phone holds it', async () => {
    localStorage.setItem('listFacts', 'competition,matched');
    width(390);
    await openList('/game-list/tennis');
    expect(document.querySelector('.event-columns__figures, .event-columns__competition')).toBeNull();
    // Each on a line of its own.
    expect(Array.from(document.querySelector('.event-list__meta')!.children, (one) => one.textContent)).toEqual([
      'Paris Open',
      'Matched 1,000',
    ]);
    localStorage.removeItem('listFacts');
  });

  it('of a search has all hits with their prices, and another search beside them', async () => {
    const router = await openList('/search?q=ann');
    expect(screen.getByRole('heading', { name: '1 event with \u201cann\u201d' })).toBeTruthy();
    expect(titles()).toEqual(['Anna v Fran']);
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'zzz' } });
    fireEvent.submit(screen.getByRole('searchbox').closest('form')!);
    await settle();
    expect(router.state.place.search).toBe('?q=zzz');
    expect(screen.getByText('No real-time records found')).toBeTruthy();
    await act(() => router.navigate('/search?q=z'));
    expect(screen.getByText('What are you looking for?')).toBeTruthy();
  });

  it('is gone through by keys: rows, and the best prices of the one that has the focus', async () => {
    serve({ '/match/list': { matches: all } });
    await showAt('/game-list/tennis', [
      {
        path: '/game-list/:type',
        element: (
          <main>
            <GameList />
            <PageKeys />
          </main>
        ),
      },
    ]);
    live(...all.map(({ head }) => head!));
    await settle();
    const key = (sign: string) =>
      act(() => void fireEvent.keyDown(document.activeElement ?? document.body, { key: sign }));
    const at = () => document.activeElement?.closest('.event-list__event')?.querySelector('.event-list__title');
    const walked = ['j', 'j', 'j', 'j', 'k'].map((sign) => {
      key(sign);
      return at()?.getAttribute('title');
    });
    expect(walked).toEqual(['Dora v Ella', 'Cleo v Beth', 'Anna v Fran', 'Anna v Fran', 'Cleo v Beth']);
    key('l');
    expect(slip()).toMatchObject({ marketId: 502, side: 'LAY' });
    key('b');
    expect(slip()).toMatchObject({ marketId: 502, side: 'BACK' });
    expect(at()?.getAttribute('title')).toBe('Cleo v Beth');
  });
});
