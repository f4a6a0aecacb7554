import type { ProtectionStatus, SiteMessage } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { Screen as Report } from '../src/features/account/live-casino-bets.tsx';
import { Screen as Statement } from '../src/features/account/statement.tsx';
import type { GameList, LiveGame } from '../src/features/casino/live/families.ts';
import { Screen as GameScreen } from '../src/features/casino/live/game-screen.tsx';
import { Screen as Lobby } from '../src/features/casino/lobby.tsx';
import { forgetPlayer } from '../src/platform/per-player.ts';
import { setBettingOff } from '../src/slip/standing.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { signedIn } from './player.ts';
import { settle } from './settle.ts';

/** Live casino for the client's tests: games of two providers, readings by path, what was asked, the window of a game in its frame. */
export const A = 'Alder Games';
export const B = 'Beacon Live';
export const ORIGIN = 'http://games.test:7101';

export const game = (
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
export const ROULETTE = game(A, 'roulette', 'Alder Roulette', 'Live', { family: 'roulette' });
export const GAMES: LiveGame[] = [
  ROULETTE,
  game(A, 'video-poker', 'Jacks', 'Poker', { family: 'poker' }),
  game(A, 'slots-ways', 'Ways of Alder', 'Virtual', { family: 'slots', status: 'MAINTENANCE' }),
  game(B, 'skyward', 'Skyward', 'Others', { family: 'aviator' }),
  game(B, 'mines', 'Beacon Mines', 'Others'),
  game(B, 'wheel-show', 'Wheel Night', 'Game Shows', { family: 'game-show' }),
];
export const listOf = (games: readonly LiveGame[]): GameList => {
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
export let answers: Record<string, unknown>;
/** A refusal in place of an answer. */
export const refused = (status: number, code: string, message: string) => ({ refused: { status, code, message } });

export const PROTECTION: ProtectionStatus = {
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
export const PROFILE = { userBal: { currentBalance: 100_000, exposure: 0, profitLoss: 0, version: 1 }, standing: null };

/** The window of the game in the frame, as far as the site sees it. */
export const inside = { postMessage: vi.fn<(message: SiteMessage, origin: string) => void>() };

/** Its answers, the player signed in, and frames that load nothing: before each test of the file that calls this. */
export function stand(): void {
  beforeEach(begin);
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}

function begin(): void {
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
}

export function signIn(isDemo = false) {
  signedIn({ userId: 101, isDemo });
}
export async function show(path: string) {
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
export const region = (name: string) => screen.getByRole('region', { name });
export const calls = (path: string) => sent.filter((one) => one.path === path);
