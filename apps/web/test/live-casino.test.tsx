import { CALLS, type ProtectionStatus, type SiteMessage } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { refresh } from '../src/api/refresh.ts';
import { Screen as Report } from '../src/features/account/live-casino-bets.tsx';
import { Screen as Statement } from '../src/features/account/statement.tsx';
import { allGames, chosen, grouped, readChoice } from '../src/features/casino/live/catalogue.ts';
import { FAMILIES, familyOf, type GameList, type LiveGame } from '../src/features/casino/live/families.ts';
import { gameAddress, messageOf } from '../src/features/casino/live/frame.ts';
import { Screen as GameScreen } from '../src/features/casino/live/game-screen.tsx';
import { Screen as Lobby } from '../src/features/casino/lobby.tsx';
import { rememberPlayed } from '../src/features/casino/recent.ts';
import { takeWallet } from '../src/live/wallet.ts';
import { forgetPlayer } from '../src/platform/per-player.ts';
import { startSession } from '../src/session/session.ts';
import { setBettingOff } from '../src/slip/standing.ts';
import { optionsOf } from '../src/ui/options.ts';
import { setTheme } from '../src/ui/theme.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { settle } from './settle.ts';

const A = 'Alder Games';
const B = 'Beacon Live';
const ORIGIN = 'http://games.test:7101';

const game = (
  provider: string,
  code: string,
  name: string,
  category: string,
  more: Partial<LiveGame> = {},
): LiveGame => ({
  game_id: `${provider === A ? 'a' : 'b'}:${code}`,
  game_name: name,
  category,
  provider_name: provider,
  sub_provider_name: 'Originals',
  status: 'ACTIVE',
  url_thumb: `${ORIGIN}/thumbs/${code}.svg`,
  game_code: code,
  ...more,
});
const ROULETTE = game(A, 'roulette', 'Alder Roulette', 'Live', { family: 'roulette' });
const GAMES: LiveGame[] = [
  ROULETTE,
  game(A, 'video-poker', 'Jacks', 'Poker', { family: 'poker' }),
  game(A, 'slots-ways', 'Ways of Alder', 'Virtual', { family: 'slots', status: 'MAINTENANCE' }),
  game(B, 'skyward', 'Skyward', 'Others', { family: 'aviator' }),
  game(B, 'mines', 'Beacon Mines', 'Others'),
  game(B, 'wheel-show', 'Wheel Night', 'Game Shows', { family: 'game-show' }),
];
const listOf = (games: readonly LiveGame[]): GameList => {
  const list: GameList = {};
  for (const one of games) {
    list[one.provider_name] ??= {};
    list[one.provider_name]![one.category] ??= [];
    list[one.provider_name]![one.category]!.push(one);
  }
  return list;
};

interface Sent {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}
let sent: Sent[];
let answers: Record<string, unknown>;
/** A refusal in place of an answer. */
const refused = (status: number, code: string, message: string) => ({ refused: { status, code, message } });

const PROTECTION: ProtectionStatus = {
  state: 'active',
  standing: null,
  jurisdiction: 'INT',
  raiseDays: 7,
  limits: [],
  coolOffs: [],
  exclusions: [],
  exclusionEndsItself: false,
  restriction: null,
  reality: { minutes: 60, choices: [60], dueAt: null, due: false },
  session: {
    startedAt: new Date(Date.now() - 3_900_000).toISOString(),
    elapsedMs: 3_900_000,
    netMinor: -250,
    stakedMinor: 900,
  },
  today: { playedMs: 0, limitMinutes: null },
  weekNetMinor: 0,
  monthDepositsMinor: 0,
};
const PROFILE = { userBal: { currentBalance: 100_000, exposure: 0, profitLoss: 0, version: 1 }, standing: null };

/** The window of the game in the frame, as far as the site sees it. */
const inside = { postMessage: vi.fn<(message: SiteMessage, origin: string) => void>() };

beforeEach(() => {
  sent = [];
  inside.postMessage.mockClear();
  queryClient.clear();
  forgetPlayer();
  setBettingOff(null);
  signIn();
  answers = {
    '/mac88/casino/list': listOf(GAMES),
    '/mac88/providers': [A, B],
    '/mac88/casino/login': { url: `${ORIGIN}/play?ticket=t1` },
    '/card/tiles': [],
    '/user/favourites': { matchIds: [], tables: ['dt20', 'g:b:mines'] },
    '/user/profile': PROFILE,
    '/protection': PROTECTION,
  };
  // Frames load nothing here; what matters is who speaks.
  const settings = (window as unknown as { happyDOM?: { settings: Record<string, unknown> } }).happyDOM?.settings;
  if (settings) settings.disableIframePageLoading = true;
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(inside as unknown as Window);
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(url, 'http://site');
    const path = pathname.slice(4);
    sent.push({
      method: init.method ?? 'GET',
      path,
      query: Object.fromEntries(searchParams),
      body: init.body ? JSON.parse(init.body as string) : undefined,
    });
    const data = (answers[path] ?? refused(404, 'NOT_FOUND', 'Not Found')) as Partial<ReturnType<typeof refused>>;
    const { status = 200, ...no } = data.refused ?? {};
    return Promise.resolve(
      new Response(JSON.stringify(data.refused ? { statusCode: status, ...no } : { statusCode: 200, data }), {
        status,
      }),
    );
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function signIn(isDemo = false) {
  startSession({ token: 't', userId: 101, forceChangePassword: false, isAuthenticator: true, authType: 0, isDemo });
}
async function show(path: string) {
  const router = createMemoryRouter(
    [
      { path: '/live-casino', Component: Lobby },
      { path: '/live-casino/:gameId', Component: GameScreen },
      { path: '/live-casino-bets', Component: Report },
      { path: '/account-statement', Component: Statement },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [path] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <div className="shell__page">
        <nav data-testid="beside" />
        <RouterProvider router={router} />
      </div>
    </QueryClientProvider>,
  );
  await settle();
  return router;
}
const region = (name: string) => screen.getByRole('region', { name });
const namesIn = (within_: HTMLElement) =>
  [...within_.querySelectorAll('.market__tileName')].map((one) => one.textContent);
const calls = (path: string) => sent.filter((one) => one.path === path);

describe('lobby of live games', () => {
  it('[LIV-01] groups by provider at first', async () => {
    await show('/live-casino');
    expect(namesIn(region(A))).toEqual(['Alder Roulette', 'Ways of Alder', 'Jacks']);
    expect(namesIn(region(B))).toEqual(['Skyward', 'Wheel Night', 'Beacon Mines']);
    expect(screen.queryByText(/not open yet/)).toBeNull();
  });

  it('[LIV-02] groups by category', async () => {
    const router = await show('/live-casino');
    fireEvent.click(within(screen.getByRole('group', { name: 'Group by' })).getByLabelText('Category'));
    await settle();
    expect(router.state.place.search).toBe('?group=category');
    expect(namesIn(region('Live'))).toEqual(['Alder Roulette']);
    expect(namesIn(region('Game Shows'))).toEqual(['Wheel Night']);
    expect(namesIn(region('Poker'))).toEqual(['Jacks']);
    expect(namesIn(region('Others'))).toEqual(['Skyward', 'Beacon Mines']);
  });

  it('[LIV-03] has an All grouping that shows every game', async () => {
    await show('/live-casino?group=all');
    expect(namesIn(region('All games')).sort()).toEqual(GAMES.map((one) => one.game_name).sort());
  });

  it('[LIV-06] only an active game is a link; another says why it is none', async () => {
    await show('/live-casino');
    const linked = [...document.querySelectorAll('a.market__tile')].map((link) => link.getAttribute('href'));
    expect(linked).toHaveLength(5);
    expect(linked).toContain('/live-casino/a%3Aroulette');
    const off = screen.getByText('Ways of Alder').closest('.game-tile__tile')!;
    expect(off.querySelector('a')).toBeNull();
    expect(off.textContent).toContain('In maintenance');
  });

  it('filters by provider, category, family and word, all in the address', async () => {
    const router = await show('/live-casino');
    fireEvent.click(within(screen.getByRole('group', { name: 'Provider' })).getByLabelText(B));
    await settle();
    expect(screen.queryByRole('region', { name: A })).toBeNull();
    fireEvent.click(within(screen.getByRole('group', { name: 'Category' })).getByLabelText('Others'));
    await settle();
    expect(namesIn(region(B))).toEqual(['Skyward', 'Beacon Mines']);
    fireEvent.click(screen.getByRole('tab', { name: /^Mines/ }));
    await settle();
    expect(namesIn(region(B))).toEqual(['Beacon Mines']);
    expect(Object.fromEntries(new URLSearchParams(router.state.place.search))).toEqual({
      provider: B,
      kind: 'Others',
      category: 'Mines',
    });
    fireEvent.change(screen.getByLabelText('Find a game'), { target: { value: 'skyward' } });
    expect(screen.getByText('No live game found')).toBeTruthy();
    fireEvent.click(screen.getAllByRole('tab', { name: /^All/ })[0]!);
    await settle();
    expect(namesIn(region(B))).toEqual(['Skyward']);
  });

  it('[CAS-17] the banners lead to their games', async () => {
    await show('/live-casino?category=Aviator');
    const banners = within(screen.getByRole('navigation', { name: 'Highlights' })).getAllByRole('link');
    expect(banners.map((one) => one.getAttribute('href'))).toEqual([
      '/live-casino?category=Aviator',
      '/live-casino?category=Mines',
      '/live-casino?category=Fun%20Games',
      '/live-casino?category=Color%20Prediction',
    ]);
    expect(namesIn(region(B))).toEqual(['Skyward']);
    fireEvent.click(banners[1]!);
    await settle();
    expect(namesIn(region(B))).toEqual(['Beacon Mines']);
    for (const { category } of [{ category: 'Fun Games' }, { category: 'Color Prediction' }])
      expect(FAMILIES.some(({ label }) => label === category)).toBe(true);
  });

  it('keeps favourites beside those of the tables, and shows what was played last', async () => {
    rememberPlayed('a:roulette', 'live');
    rememberPlayed('b:skyward', 'live');
    await show('/live-casino');
    expect(namesIn(region('Last played'))).toEqual(['Skyward', 'Alder Roulette']);
    const star = () => within(region(B)).getByRole('button', { name: 'Skyward is a favourite' });
    fireEvent.click(star());
    await settle();
    expect(calls('/user/favourites').at(-1)!.body).toEqual({
      matchIds: [],
      tables: ['dt20', 'g:b:mines', 'g:b:skyward'],
    });
    expect(star().getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(screen.getAllByRole('tab', { name: /^Favourites/ })[0]!);
    await settle();
    expect(namesIn(region(B))).toEqual(['Skyward', 'Beacon Mines']);
    expect(screen.queryByRole('region', { name: 'Last played' })).toBeNull();
  });

  it("draws the family where the provider's picture does not come", async () => {
    await show('/live-casino');
    const art = () => screen.getByText('Beacon Mines').closest('.market__tile')!.querySelector('.game-art__art')!;
    expect(art().className).toContain('game-art__mines');
    expect(art().querySelector('img')!.getAttribute('src')).toBe(`${ORIGIN}/thumbs/mines.svg`);
    fireEvent.error(art().querySelector('img')!);
    expect(art().querySelector('img')).toBeNull();
    expect(art().querySelector('svg')).toBeTruthy();
  });

  it('[PRV-10] a provider that is down says so in its group; the other plays', async () => {
    answers['/mac88/casino/list'] = listOf(GAMES.filter((one) => one.provider_name === A));
    await show('/live-casino');
    expect(region(B).textContent).toContain('Beacon Live does not answer at the moment.');
    expect(namesIn(region(A))).toHaveLength(3);
  });

  it('says that the list did not load, and loads it again', async () => {
    answers['/mac88/casino/list'] = refused(500, 'INTERNAL', 'Something went wrong on our side.');
    await show('/live-casino');
    answers['/mac88/casino/list'] = listOf(GAMES);
    fireEvent.click(
      within(screen.getByText('The live games did not load.').closest('[role=alert]') as HTMLElement).getByRole(
        'button',
      ),
    );
    await settle();
    expect(namesIn(region(A))).toHaveLength(3);
  });

  it('says in words that it is a demo, or why nothing opens', async () => {
    signIn(true);
    await show('/live-casino');
    expect(screen.getByText(/play money/)).toBeTruthy();
    act(() => setBettingOff('You have closed your account to betting.'));
    expect(screen.getByText('Games do not open now.')).toBeTruthy();
    expect(screen.getByText(/You have closed your account to betting/)).toBeTruthy();
  });

  it('[LIV-08] makes label and value of a provider from its name', () => {
    expect(optionsOf([A, B])).toEqual([
      { value: A, label: A },
      { value: B, label: B },
    ]);
  });

  it('[LIV-05] tells families by name or words, and keeps the order of the five categories', () => {
    expect(familyOf(game(B, 'x1', 'Rocket Crash', 'Others')).id).toBe('crash');
    expect(familyOf(game(B, 'chicken-road', 'Road', 'Others')).id).toBe('chicken');
    expect(familyOf(game(B, 'q', 'Quiet', 'Others')).id).toBe('fun');
    expect(familyOf(game(B, 'q', 'Quiet', 'Others', { family: 'slots' })).id).toBe('slots');
    const choice = readChoice(new URLSearchParams('group=category&category=nonsense&kind=Everything'));
    expect(choice).toEqual({ group: 'category', provider: '', kind: '', category: '' });
    const all = allGames(listOf(GAMES));
    expect(grouped(chosen(all, choice, '', new Set()), choice, [A, B]).map(({ title }) => title)).toEqual([
      'Live',
      'Game Shows',
      'Virtual',
      'Poker',
      'Others',
    ]);
  });
});

const frame = () => document.querySelector('iframe');
const say = (data: unknown, from: { origin?: string; source?: unknown } = {}) =>
  act(async () => {
    const event = new Event('message');
    Object.assign(event, { data, origin: from.origin ?? ORIGIN, source: 'source' in from ? from.source : inside });
    window.dispatchEvent(event);
  });
const ready = () => say({ v: 1, type: 'ready', game: 'roulette' });
const told = () => inside.postMessage.mock.calls.map(([message]) => message);
const PATH = '/live-casino/a%3Aroulette';

describe('a live game', () => {
  it('[LIV-07] [OPN-40] asks for its address and opens it in a frame that can do little', async () => {
    await show(PATH);
    expect(calls('/mac88/casino/login')).toMatchObject([
      {
        method: 'POST',
        body: { game_id: 'a:roulette', provider_name: A, game_code: 'roulette', platform: 'desktop' },
      },
    ]);
    expect(frame()!.getAttribute('src')).toBe(`${ORIGIN}/play?ticket=t1`);
    expect(frame()!.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin');
    expect(frame()!.getAttribute('allow')).toBe('');
    expect(frame()!.getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(screen.getByText('Opening')).toBeTruthy();
    await ready();
    expect(screen.queryByText('Opening')).toBeNull();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Alder Roulette');
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,hello',
    '//games.test/play',
    `${window.location.origin}/account-statement`,
    'http://user:secret@games.test/play',
    'nonsense',
  ])('[PRV-14] opens no frame for %s', async (url) => {
    expect(gameAddress(url)).toBeNull();
    answers['/mac88/casino/login'] = { url };
    await show(PATH);
    expect(frame()).toBeNull();
    expect(screen.getByText(`${A} cannot open this game now`)).toBeTruthy();
  });

  it('[PRV-14] hears nothing from another origin, another window, or in another shape', async () => {
    const router = await show(PATH);
    for (const [data, from] of [
      [{ v: 1, type: 'exit' }, { origin: 'http://elsewhere.test' }],
      [{ v: 1, type: 'exit' }, { origin: 'null' }],
      [{ v: 1, type: 'exit' }, { source: window }],
      [{ v: 1, type: 'exit' }, { source: null }],
      [{ v: 2, type: 'exit' }, {}],
      [{ v: 1, type: 'exit', to: '/home' }, {}],
      [{ v: 1, type: 'balanceChanged', balanceMinor: 99_999_999 }, {}],
      ['exit', {}],
    ] as const)
      await say(data, from);
    expect(router.state.place.pathname).toMatch(/^\/live-casino\/a/);
    expect(screen.getByText('Opening')).toBeTruthy();
    expect(inside.postMessage).not.toHaveBeenCalled();
    expect(messageOf({ origin: ORIGIN, source: null, data: { v: 1, type: 'exit' } }, ORIGIN, null)).toBeNull();
    await say({ v: 1, type: 'exit' });
    await settle();
    expect(router.state.place.pathname).toBe('/live-casino');
  });

  it('[PRV-14] shows the balance of the site, whatever the frame says', async () => {
    await show(PATH);
    await ready();
    act(() => takeWallet({ currentBalance: 99_500, exposure: 0, profitLoss: 0, version: 2 }));
    fireEvent.click(screen.getByRole('button', { name: 'Fill the window' }));
    const balance = () => screen.getByText('Balance').parentElement!.textContent;
    expect(balance()).toBe('Balance995.00');
    await say({ v: 1, type: 'balanceChanged', balanceMinor: 99_999_999 });
    await say({ v: 1, type: 'balanceChanged' });
    expect(balance()).toBe('Balance995.00');
    act(() => takeWallet({ currentBalance: 100_750, exposure: 0, profitLoss: 0, version: 3 }));
    await settle();
    expect(balance()).toBe('Balance1,007.50');
  });

  it('fills the window and gives it back, with clock, net and the way out in its bar', async () => {
    await show(PATH);
    await ready();
    const beside = screen.getByTestId('beside');
    fireEvent.click(screen.getByRole('button', { name: 'Fill the window' }));
    await settle();
    expect(screen.getByText('Session').parentElement!.textContent).toBe('Session1:05');
    expect(screen.getByText('Net').parentElement!.textContent).toContain('2.50');
    expect(screen.getByRole('link', { name: 'Leave the game' }).getAttribute('href')).toBe('/live-casino');
    expect(screen.getByRole('link', { name: 'Limits and breaks' }).getAttribute('href')).toBe('/player-protection');
    expect(beside.hasAttribute('inert')).toBe(true);
    fireEvent.keyDown(window, { key: 'Escape' });
    expect(beside.hasAttribute('inert')).toBe(false);
    expect(frame()).toBeTruthy();
  });

  it('tells the game the theme and when to be silent, and speaks to its origin alone', async () => {
    setTheme('dark');
    await show(PATH);
    await ready();
    expect(told()).toEqual([
      { v: 1, type: 'theme', theme: 'dark' },
      { v: 1, type: 'mute', on: false },
    ]);
    act(() => setTheme('light'));
    expect(told().at(-1)).toEqual({ v: 1, type: 'theme', theme: 'light' });
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(told().at(-1)).toEqual({ v: 1, type: 'mute', on: true });
    expect(new Set(inside.postMessage.mock.calls.map(([, origin]) => origin))).toEqual(new Set([ORIGIN]));
    setTheme('dark');
  });

  it('a reality check pauses the game until it is answered', async () => {
    await show(PATH);
    await ready();
    inside.postMessage.mockClear();
    answers['/protection'] = { ...PROTECTION, reality: { ...PROTECTION.reality, due: true } };
    // The provider was refused a stake: the site asks at once whether a check is due.
    await say({ v: 1, type: 'error', code: 'REALITY_CHECK' });
    await settle();
    expect(told()).toEqual(
      expect.arrayContaining([
        { v: 1, type: 'realityCheck' },
        { v: 1, type: 'pause' },
        { v: 1, type: 'mute', on: true },
      ]),
    );
    expect(told()).not.toContainEqual({ v: 1, type: 'resume' });
    answers['/protection'] = PROTECTION;
    refresh(CALLS.protection.status);
    await settle();
    expect(told()).toContainEqual({ v: 1, type: 'resume' });
    expect(frame()).toBeTruthy();
  });

  it('a launch refused for a reality check goes on once that is answered', async () => {
    answers['/mac88/casino/login'] = refused(409, 'REALITY_CHECK_DUE', 'Please answer the reality check first.');
    await show(PATH);
    answers['/protection'] = { ...PROTECTION, reality: { ...PROTECTION.reality, due: true } };
    expect(screen.getByText('The reality check comes first')).toBeTruthy();
    refresh(CALLS.protection.status);
    await settle();
    answers['/protection'] = PROTECTION;
    answers['/mac88/casino/login'] = { url: `${ORIGIN}/play?ticket=t2` };
    refresh(CALLS.protection.status);
    await settle();
    expect(frame()!.getAttribute('src')).toBe(`${ORIGIN}/play?ticket=t2`);
  });

  it('a player whose betting is off opens nothing; one whose betting goes off plays his round out', async () => {
    const standing = { state: 'cooling off', text: 'You are taking a break.', until: null };
    answers['/user/profile'] = { ...PROFILE, standing };
    queryClient.setQueryData([CALLS.account.profile.name, {}], { ...PROFILE, standing });
    await show(PATH);
    expect(calls('/mac88/casino/login')).toEqual([]);
    expect(screen.getByText('Games do not open now')).toBeTruthy();
    expect(screen.getByText(/You are taking a break/)).toBeTruthy();

    answers['/user/profile'] = PROFILE;
    refresh(CALLS.account.profile);
    await settle();
    await ready();
    inside.postMessage.mockClear();
    answers['/user/profile'] = { ...PROFILE, standing };
    await say({ v: 1, type: 'error', code: 'BLOCKED' });
    await settle();
    expect(told()).toEqual([]);
    expect(frame()).toBeTruthy();
    expect(screen.getByText(/A round that is open is played to its end/)).toBeTruthy();
  });

  it('a limit that is reached is told beside the game, until the next round', async () => {
    await show(PATH);
    await ready();
    await say({ v: 1, type: 'error', code: 'LIMIT_REACHED' });
    expect(screen.getByText('This stake goes over a limit you set.')).toBeTruthy();
    await say({ v: 1, type: 'roundStart', roundId: 'r1' });
    expect(screen.queryByText('This stake goes over a limit you set.')).toBeNull();
  });

  it('[PRV-10] a provider that is down is named; another try is a new launch', async () => {
    answers['/mac88/casino/login'] = refused(503, 'UNAVAILABLE', 'The provider does not answer.');
    await show(PATH);
    expect(screen.getByText(`${A} cannot open this game now`)).toBeTruthy();
    expect(screen.getByText(/Nothing was staked/)).toBeTruthy();
    answers['/mac88/casino/login'] = { url: `${ORIGIN}/play?ticket=t2` };
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(calls('/mac88/casino/login')).toHaveLength(2);
    expect(frame()!.getAttribute('src')).toBe(`${ORIGIN}/play?ticket=t2`);
  });

  it('[SEC-S5] after an idle hour it asks for the password, and opens with it', async () => {
    answers['/mac88/casino/login'] = refused(403, 'STEP_UP_REQUIRED', 'Enter your password again to go on.');
    answers['/auth/stepUp'] = refused(400, 'PASSWORD_WRONG', 'The old password is not right.');
    await show(PATH);
    const field = screen.getByLabelText('Password');
    const open = screen.getByRole('button', { name: 'Open the game' });
    fireEvent.click(open);
    await settle();
    expect(screen.getByText('Enter your password')).toBeTruthy();
    expect(calls('/auth/stepUp')).toHaveLength(0);
    fireEvent.change(field, { target: { value: 'not-mine' } });
    fireEvent.click(open);
    await settle();
    expect(screen.getByText('This password is not right.')).toBeTruthy();
    expect(calls('/mac88/casino/login')).toHaveLength(1);
    answers['/auth/stepUp'] = {};
    answers['/mac88/casino/login'] = { url: `${ORIGIN}/play?ticket=t3` };
    fireEvent.change(field, { target: { value: 'mine-indeed' } });
    fireEvent.click(open);
    await settle();
    expect(calls('/auth/stepUp').at(-1)!.body).toEqual({ password: 'mine-indeed' });
    await settle();
    expect(frame()?.getAttribute('src')).toBe(`${ORIGIN}/play?ticket=t3`);
  });

  it('a limit or a break refuses the launch without another try', async () => {
    answers['/mac88/casino/login'] = refused(403, 'SESSION_TIME_LIMIT', 'Your time limit for today is reached.');
    await show(PATH);
    expect(screen.getByText(/Your time limit for today is reached/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Player protection' })).toBeTruthy();
  });

  it('a game that never says it is there is given up after 20 seconds, and may still come', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await show(PATH);
    const [giveUp] = timers.mock.calls.find(([, ms]) => ms === 20_000)!;
    expect(screen.queryByText(`${A} does not answer`)).toBeNull();
    act(() => (giveUp as () => void)());
    expect(screen.getByText(`${A} does not answer`)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
    await ready();
    expect(screen.queryByText(`${A} does not answer`)).toBeNull();
  });

  it('a session that was replaced ends here and can be taken back', async () => {
    await show(PATH);
    await ready();
    await say({ v: 1, type: 'error', code: 'SESSION_REPLACED' });
    expect(screen.getByText('This game was opened in another window')).toBeTruthy();
    expect(frame()).toBeNull();
    answers['/mac88/casino/login'] = { url: `${ORIGIN}/play?ticket=t2` };
    fireEvent.click(screen.getByRole('button', { name: 'Play here' }));
    await settle();
    expect(frame()!.getAttribute('src')).toBe(`${ORIGIN}/play?ticket=t2`);
    expect(screen.getByText('Opening')).toBeTruthy();
  });

  it('[LIV-06] a game that is not active, or not in the list, asks for nothing', async () => {
    await show('/live-casino/a%3Aslots-ways');
    expect(screen.getByText('Ways of Alder: in maintenance')).toBeTruthy();
    expect(calls('/mac88/casino/login')).toEqual([]);
  });

  it('knows no game of another name', async () => {
    await show('/live-casino/zzz');
    expect(screen.getByText('This game is not here')).toBeTruthy();
    expect(frame()).toBeNull();
  });

  it('a demo player plays with play money and sees no balance of the site in the bar', async () => {
    signIn(true);
    await show(PATH);
    await ready();
    expect(screen.getByText('Play money')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Limits and breaks' })).toBeNull();
    expect(calls('/protection')).toEqual([]);
  });
});

describe('Live Casino Bets', () => {
  const row = (id: number, more: object = {}) => ({
    id,
    providerName: A,
    gameName: 'Alder Roulette',
    gameCode: 'roulette',
    status: 'CLOSED',
    round: `A.${id}`,
    stake: 500,
    result: -500,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...more,
  });

  it('[OPN-13] [REP-11] [REP-12] [REP-13] has its columns, fifteen a page, oldest first, by provider and days', async () => {
    answers['/mac88/bets/101'] = { rows: [row(1), row(2, { result: 1250 })], total: 40, page: 1, limit: 15 };
    await show('/live-casino-bets');
    expect(screen.getAllByRole('columnheader').map((one) => one.textContent)).toEqual([
      'Provider',
      'Game',
      'Round',
      'Stake',
      'Result',
      'Date',
    ]);
    const first = calls('/mac88/bets/101')[0]!.query;
    expect(first).toMatchObject({ page: '1', limit: '15', sort: 'virtualCasinoBetPlaced.createdAt:ASC' });
    expect(first.createdAt).toMatch(/^between\d{4}-.+\|\d{4}-/);
    fireEvent.change(screen.getByLabelText('Provider'), { target: { value: B } });
    await settle();
    expect(calls('/mac88/bets/101').at(-1)!.query.providerName).toBe(`eq${B}`);
    fireEvent.click(screen.getByRole('button', { name: 'Date' }));
    await settle();
    expect(calls('/mac88/bets/101').at(-1)!.query.sort).toBe('virtualCasinoBetPlaced.createdAt:DESC');
  });

  it('opens a round with its movements, and with its seeds only where they are what they should be', async () => {
    const bet = row(2, { result: 1250 });
    const at = '2026-11-20T10:00:05.000Z';
    const proof = { commit: 'c0ffee', serverSeed: 'f00d', clientSeed: 'alice', nonce: 4, wager: {}, moves: [] };
    const round = {
      bet,
      endedAt: at,
      movements: [
        { kind: 'debit', stakeMinor: 500, paidMinor: 0, createdAt: bet.createdAt },
        { kind: 'credit', stakeMinor: 0, paidMinor: 1750, createdAt: at },
      ],
      reachable: true,
      proof,
    };
    answers['/mac88/bets/101'] = { rows: [bet], total: 1, page: 1, limit: 15 };
    answers['/mac88/round/2'] = round;
    await show('/live-casino-bets');
    fireEvent.click(screen.getByRole('button', { name: 'Round A.2' }));
    await settle();
    const text = () => document.querySelector('dialog')!.textContent!;
    expect(text()).toContain('Alder Roulette, Alder Games');
    expect(text()).toContain('17.50');
    expect(text()).toContain('Pay-out');
    expect(text()).toContain('f00d');
    answers['/mac88/round/2'] = { ...round, proof: { ...proof, serverSeed: { html: '<b>' } } };
    refresh(CALLS.provider.round);
    await settle();
    expect(text()).not.toContain('f00d');
    answers['/mac88/round/2'] = { ...round, reachable: false, proof: null };
    refresh(CALLS.provider.round);
    await settle();
    expect(text()).toContain('Alder Games does not answer at the moment');
  });

  it('a round that is open or void has a word in place of a result', async () => {
    answers['/mac88/bets/101'] = {
      rows: [row(1, { status: 'OPEN', result: 0 }), row(2, { status: 'VOID', result: 0 })],
      total: 2,
      page: 1,
      limit: 15,
    };
    await show('/live-casino-bets');
    expect(screen.getByText('Open', { selector: '.controls__chip' })).toBeTruthy();
    expect(screen.getByText('Void', { selector: '.controls__chip' })).toBeTruthy();
  });

  it('says that there are none, and that they did not load', async () => {
    answers['/mac88/bets/101'] = { rows: [], total: 0, page: 1, limit: 15 };
    await show('/live-casino-bets');
    expect(screen.getByText('No live casino bets in this time')).toBeTruthy();
    answers['/mac88/bets/101'] = refused(500, 'INTERNAL', 'Something went wrong on our side.');
    refresh(CALLS.provider.bets);
    await settle();
    expect(screen.getByText('Your bets did not load.')).toBeTruthy();
  });

  it('stands in the statement as stake and what was paid back, not as a loss and a win', async () => {
    const entry = (uniqueId: number, amount: number) => ({
      id: uniqueId,
      uniqueId,
      createdAt: '2026-11-20T10:00:00.000Z',
      transType: amount < 0 ? 'loss' : 'win',
      type: 3,
      amount,
      closingBalance: 100_000 + amount,
      description: `Alder Games / Alder Roulette / round ${uniqueId}`,
      matchId: null,
      betId: [],
      runnerId: null,
    });
    const totals = { credit: 300, debit: -500, opening: 0, closing: 0 };
    answers['/transaction/get/101'] = { rows: [entry(2, 300), entry(1, -500)], total: 2, page: 1, limit: 15, totals };
    await show('/account-statement');
    const table = screen.getByRole('table', { name: 'Account Statement' });
    expect([...table.querySelectorAll('.controls__chip')].map((chip) => chip.textContent)).toEqual([
      'Paid back',
      'Stake',
    ]);
    expect(within(table).getByText('Alder Games / Alder Roulette / round 1')).toBeTruthy();
    // Who never asked for a withdrawal reads nothing of them.
    expect(screen.queryByRole('region', { name: 'Withdrawals' })).toBeNull();
  });

  it('[ACC-06] [ACC-07] [ACC-08] tells above the statement where each withdrawal of the player is', async () => {
    const totals = { credit: 0, debit: 0, opening: 0, closing: 0 };
    answers['/transaction/get/101'] = { rows: [], total: 0, page: 1, limit: 15, totals };
    const at = '2026-11-20T10:00:00.000Z';
    const withdrawal = {
      amountMinor: 250_000,
      askedAt: at,
      decideBy: '2026-11-25T12:00:00.000Z',
      changedAt: at,
      parts: null,
    };
    const part = { at: '2027-08-20T10:00:00.000Z', amountMinor: 25_000 };
    answers['/account/withdrawals'] = [
      { ...withdrawal, id: 4, state: 'requested' },
      { ...withdrawal, id: 3, state: 'approved', parts: [part, part] },
      { ...withdrawal, id: 2, state: 'denied' },
      { ...withdrawal, id: 1, state: 'cancelled' },
    ];
    await show('/account-statement');
    const list = screen.getByRole('region', { name: 'Withdrawals' });
    expect([...list.querySelectorAll('.controls__chip')].map((chip) => chip.textContent)).toEqual([
      'Requested',
      'Approved',
      'Denied',
      'Cancelled',
    ]);
    within(list).getByText(/^Withdrawal 4, asked for on .*20.* Is decided by .*25.* The money has left your balance/);
    within(list).getByText(/Paid in 2 monthly parts of 250.00, the last on .*20/);
    expect(within(list).getAllByText(/Back in your balance/)).toHaveLength(2);
  });
});
