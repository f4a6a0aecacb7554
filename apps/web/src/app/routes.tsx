import { msg } from '@lingui/core/macro';
import { TABLE_ROUTES } from '../features/casino/tables.ts';
import type { Words } from '../platform/language.ts';
import type { Route } from '../platform/router.ts';
import { catchAllGuard, entryGuard, frameGuard, loginGuard, signedInGuard, verifyGuard } from './guards.ts';
import { loadScreen, type ScreenModule } from './lazy-screen.ts';
import { PublicShell } from './public-shell.tsx';
import { Root } from './root.tsx';

/** What the shell and the root read of the route on the screen. */
export type RouteHandle = {
  title: Words | string;
  rail?: boolean;
  inlineSlip?: boolean;
  ownSlip?: boolean;
  side?: 'account';
  real?: boolean;
};

/** One screen: its path, title, and where its code is. */
export type ScreenRow = {
  path: string;
  title: Words | string;
  load: () => Promise<ScreenModule>;
  /** Keeps room for the bet slip at the right. */
  rail?: boolean;
  /** On a phone the screen opens the slip under the tapped row itself; elsewhere it comes as a sheet. */
  inlineSlip?: boolean;
  /** Draws its own slip and bets into the rail: the card tables. */
  ownSlip?: boolean;
  /** Has the account sidebar instead of the sports. */
  side?: 'account';
  /** Not part of the demo: the menu has no entry for it and the server refuses its calls (CAR-25). */
  real?: boolean;
};

/** The nine names of the landing screen (NAV-02); the route chooses the opening tab. */
export const LANDING = [
  'home',
  'sports',
  'inPlay',
  'casino-slot',
  'live-casinom',
  'other',
  'virtual',
  'slot',
  'fantasy',
] as const;

/** The card tables by route (CAR-34: near-equal names are told apart exactly, case counts). */
export const CASINO_TABLES = TABLE_ROUTES;

/** The sign-in inside the client. */
export const signIn = () => import('../features/login/login.tsx');
const landing = () => import('../features/lists/landing.tsx');
const lobby = () => import('../features/casino/lobby.tsx');
const table = () => import('../features/casino/table.tsx');

const row = (path: string, title: Words | string, more: Omit<ScreenRow, 'path' | 'title'>): ScreenRow => ({
  path,
  title,
  ...more,
});

export const PUBLIC_SCREENS: readonly ScreenRow[] = [
  row('terms-and-conditions', msg`Terms and Conditions`, { load: () => import('../features/legal/terms.tsx') }),
  row('responsible-gaming', msg`Responsible Gaming`, {
    load: () => import('../features/legal/responsible-gaming.tsx'),
  }),
];

export const SIGNED_IN_SCREENS: readonly ScreenRow[] = [
  ...LANDING.map((path) => row(path, path === 'inPlay' ? msg`In-Play` : msg`Home`, { rail: true, load: landing })),
  row('live-casino', msg`Live Casino`, { load: lobby }),
  row('live-casino/:gameId', msg`Live Casino`, { load: () => import('../features/casino/live/game-screen.tsx') }),
  row('casino', msg`Casino`, { load: lobby }),
  row('casino/tables', msg`Tables side by side`, { load: () => import('../features/casino/side-by-side.tsx') }),
  row('account-statement', msg`Account Statement`, {
    side: 'account',
    load: () => import('../features/account/statement.tsx'),
  }),
  row('profit-loss', msg`Profit and loss`, {
    side: 'account',
    load: () => import('../features/account/profit-loss.tsx'),
  }),
  row('bet-history', msg`Bet history`, { side: 'account', load: () => import('../features/account/bet-history.tsx') }),
  row('order-history', msg`Order history`, {
    side: 'account',
    load: () => import('../features/account/order-history.tsx'),
  }),
  row('unsettled-bet', msg`Current Bet`, {
    side: 'account',
    load: () => import('../features/account/current-bet.tsx'),
  }),
  row('live-casino-bets', msg`Live Casino Bets`, {
    side: 'account',
    real: true,
    load: () => import('../features/account/live-casino-bets.tsx'),
  }),
  row('alerts', msg`Alerts`, { side: 'account', load: () => import('../features/account/alerts.tsx') }),
  row('change-btn-value', msg`Set Button Values`, {
    side: 'account',
    load: () => import('../features/buttons/buttons.tsx'),
  }),
  row('secure-auth', msg`Security Auth Verification`, {
    side: 'account',
    real: true,
    load: () => import('../features/security/secure-auth.tsx'),
  }),
  row('change-password', msg`Change Password`, {
    side: 'account',
    real: true,
    load: () => import('../features/security/change-password.tsx'),
  }),
  row('rules', msg`Rules`, { side: 'account', load: () => import('../features/rules/rules.tsx') }),
  row('player-protection', msg`Player protection`, {
    real: true,
    side: 'account',
    load: () => import('../features/protection/protection.tsx'),
  }),
  row('game-detail/:type/:id', msg`Event`, {
    rail: true,
    inlineSlip: true,
    load: () => import('../features/event/event-page.tsx'),
  }),
  row('race/:id', msg`Race`, { rail: true, inlineSlip: true, load: () => import('../features/race/race-page.tsx') }),
  row('game-list/:type', msg`Events`, { rail: true, load: () => import('../features/lists/game-list.tsx') }),
  row('search', msg`Search`, { rail: true, load: () => import('../features/lists/search.tsx') }),
  row('contact-admin/:type', msg`Contact`, { load: () => import('../features/contact/contact.tsx') }),
  ...Object.entries({ ...CASINO_TABLES, 'casino/worli': 'Worli Matka' }).map(([path, title]) =>
    row(path, title, { rail: true, ownSlip: true, load: table }),
  ),
];

/** Signed in, each in a window of its own. */
export const WINDOW_SCREENS: readonly ScreenRow[] = [
  row('ladder/:marketId', msg`Ladder`, { load: () => import('../features/ladder/ladder-page.tsx') }),
  row('workspace', msg`Workspace`, { load: () => import('../features/workspace/workspace-page.tsx') }),
];

/** Full-screen frames and the security code: no header, no footer (OSH-02). */
export const OUTSIDE_SCREENS: readonly ScreenRow[] = [
  row('videoPage/:vidId', msg`Video`, { load: () => import('../features/frames/frames.tsx') }),
  row('liveStreamCricket/:vidId', msg`Live stream`, { load: () => import('../features/frames/frames.tsx') }),
  row('liveStreamCricketInt/:vidId', msg`Live stream`, { load: () => import('../features/frames/frames.tsx') }),
  row('liveStreamInternal/:vidId/:sportId', msg`Live stream`, { load: () => import('../features/frames/frames.tsx') }),
  row('liveStream/:vidId/:sportId', msg`Live stream`, { load: () => import('../features/frames/frames.tsx') }),
  row('scoreBoardPage/:vidId/:sportsId', msg`Scoreboard`, {
    load: () => import('../features/frames/frames.tsx').then(({ ScoreScreen }) => ({ Screen: ScoreScreen })),
  }),
];

/** The whole table. Guards decide before a screen is loaded; each screen is its own chunk. */
export const routes: Route[] = [
  {
    Component: Root,
    children: [
      { path: '/', guard: entryGuard },
      {
        Component: PublicShell,
        children: [
          {
            ...screen(row('login', msg`Login`, { load: signIn })),
            guard: loginGuard,
          },
          ...PUBLIC_SCREENS.map(screen),
        ],
      },
      {
        guard: signedInGuard,
        lazy: () => loadScreen(() => import('./signed-in-shell.tsx')),
        children: SIGNED_IN_SCREENS.map(screen),
      },
      {
        guard: signedInGuard,
        lazy: () => loadScreen(() => import('./window-shell.tsx')),
        children: WINDOW_SCREENS.map(screen),
      },
      {
        ...screen(row('verify', msg`Security code`, { load: () => import('../features/login/verify.tsx') })),
        guard: verifyGuard,
      },
      ...OUTSIDE_SCREENS.map((one) => ({ ...screen(one), guard: frameGuard })),
      { path: '*', guard: catchAllGuard },
    ],
  },
];

function screen({
  path,
  title,
  load,
  rail = false,
  inlineSlip = false,
  ownSlip = false,
  side,
  real = false,
}: ScreenRow): Route {
  const handle: RouteHandle = { title, rail, inlineSlip, ownSlip, real, ...(side && { side }) };
  return {
    path,
    handle,
    lazy: () => loadScreen(load),
  };
}
