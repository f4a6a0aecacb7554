import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { comesToSignIn, OPEN_TO_ALL } from '../src/app/arrival.ts';
import { entryPath, loginDetour, signedInDetour, verifyDetour } from '../src/app/guards.ts';
import {
  CASINO_TABLES,
  LANDING,
  OUTSIDE_SCREENS,
  PUBLIC_SCREENS,
  type RouteHandle,
  routes,
  SIGNED_IN_SCREENS,
} from '../src/app/routes.tsx';
import { say } from '../src/platform/language.ts';
import type { Route } from '../src/platform/router.ts';
import { readSession, startSession } from '../src/session/session.ts';
import { createMemoryRouter, matchRoutes } from './memory-router.ts';
import { sessionOf } from './player.ts';

/** The routes with their guards, but with screens that draw nothing: what is tested is where a path leads. */
function bare(list: readonly Route[]): Route[] {
  return list.map(({ lazy: _lazy, Component: _component, children, ...rest }) => ({
    ...rest,
    ...(children && { children: bare(children) }),
  }));
}

async function open(path: string): Promise<{ path: string; replaced: boolean }> {
  const router = createMemoryRouter(bare(routes), { initialEntries: [path] });
  await router.ready();
  const to = { path: router.state.place.pathname, replaced: router.state.action === 'REPLACE' };
  router.close();
  return to;
}

const handleOf = (path: string) => matchRoutes(routes, path)?.at(-1)?.route.handle as RouteHandle | undefined;

describe('route table', () => {
  it('[NAV-02] has the nine names of the landing screen', () => {
    expect(LANDING).toEqual([
      'home',
      'sports',
      'inPlay',
      'casino-slot',
      'live-casinom',
      'other',
      'virtual',
      'slot',
      'fantasy',
    ]);
    const loads = new Set(
      SIGNED_IN_SCREENS.filter((row) => (LANDING as readonly string[]).includes(row.path)).map((row) => row.load),
    );
    expect(loads.size).toBe(1);
  });

  it('[NAV-04] [NAV-07] [NAV-08] [NAV-10] [NAV-11] names the account screens', () => {
    const titles = Object.fromEntries(SIGNED_IN_SCREENS.map((row) => [row.path, say(row.title)]));
    expect(titles).toMatchObject({
      'account-statement': 'Account Statement',
      'unsettled-bet': 'Current Bet',
      'live-casino-bets': 'Live Casino Bets',
      'secure-auth': 'Security Auth Verification',
      'change-password': 'Change Password',
    });
  });

  it.each([
    '/casino',
    '/live-casino',
    '/profit-loss',
    '/bet-history',
    '/order-history',
    '/change-btn-value',
    '/rules',
    '/game-detail/cricket/5',
    '/race/9',
    '/game-list/cricket',
    '/contact-admin/1',
    '/contact-admin/777',
    '/contact-admin/888',
    '/contact-admin/98',
    '/contact-admin/89',
  ])('[NAV-03] [NAV-13] [NAV-16] [NAV-17] [NAV-18] knows %s', (path) => {
    expect(handleOf(path)?.title).toBeTruthy();
  });

  it('[CAR-34] has the 31 card tables and tells near-equal names apart, case included', () => {
    expect(Object.keys(CASINO_TABLES)).toHaveLength(31);
    expect(handleOf('/teen')?.title).not.toBe(handleOf('/teen20')?.title);
    expect(handleOf('/baccarat')?.title).not.toBe(handleOf('/baccarat2')?.title);
    expect(say(handleOf('/live-casino')!.title)).toBe('Live Casino');
    expect(say(handleOf('/live-casinom')!.title)).toBe('Home');
    expect(handleOf('/32cards-A')?.title).toBe('32 Cards A');
    expect(handleOf('/32cards-a')).toBeUndefined();
    expect(handleOf('/inplay')).toBeUndefined();
  });

  it('[OSH-02] [OSH-03] keeps the frames and the security code outside both shells', () => {
    const outside = [...OUTSIDE_SCREENS.map((row) => `/${row.path.replace(/:\w+/g, '1')}`), '/verify'];
    expect(outside).toHaveLength(7);
    for (const path of outside) expect(matchRoutes(routes, path)).toHaveLength(2);
    expect(matchRoutes(routes, '/home')).toHaveLength(3);
    expect(matchRoutes(routes, '/login')).toHaveLength(3);
  });

  it('[PUB-05] [PUB-07] [CAR-16] opens the legal pages without a guard', () => {
    for (const row of PUBLIC_SCREENS) {
      expect(matchRoutes(routes, `/${row.path}`)?.some((match) => match.route.guard)).toBe(false);
    }
  });
});

describe('where a path leads', () => {
  afterEach(() => {
    for (const key of ['jwtMaxUser', 'uid']) sessionStorage.removeItem(key);
    readSession();
  });

  it('[PUB-01] [PUB-02] [OSH-01] leads / to /login and replaces the entry', async () => {
    expect(await open('/')).toEqual({ path: '/login', replaced: true });
  });

  it('[PUB-03] [OSH-01] leads an unknown path to /login when signed out', async () => {
    expect((await open('/no-such-page')).path).toBe('/login');
    expect((await open('/x/y/z')).path).toBe('/login');
  });

  it('[NAV-01] [AUT-10] leads every signed-in route to /login without a session', async () => {
    for (const row of SIGNED_IN_SCREENS) {
      expect((await open(`/${row.path.replace(/:\w+/g, '1')}`)).path).toBe('/login');
    }
  });

  it('[PUB-11] [NAV-19] [CAR-38] leads / and unknown paths to /home with a session', async () => {
    startSession(sessionOf());
    expect(await open('/')).toEqual({ path: '/home', replaced: true });
    expect((await open('/no-such-page')).path).toBe('/home');
    expect((await open('/login')).path).toBe('/home');
  });

  it('[PUB-10] [PWD-06] [PWD-08] leads everything to /change-password while the password must change', async () => {
    startSession(sessionOf({ forceChangePassword: true }));
    expect((await open('/')).path).toBe('/change-password');
    expect((await open('/no-such-page')).path).toBe('/change-password');
    for (const row of [...SIGNED_IN_SCREENS, ...OUTSIDE_SCREENS]) {
      expect((await open(`/${row.path.replace(/:\w+/g, '1')}`)).path).toBe('/change-password');
    }
  });

  it('[PWD-07] leaves /login alone while the password must change', async () => {
    startSession(sessionOf({ forceChangePassword: true }));
    expect((await open('/login')).path).toBe('/login');
  });

  it('[VER-07] leads /verify to /home once proven', async () => {
    startSession(sessionOf({ authType: 2 }));
    expect((await open('/verify')).path).toBe('/home');
  });

  it('[VER-08] [CAR-12] clears the session on /verify only for a stored false', async () => {
    startSession(sessionOf({ authType: 2, isAuthenticator: null }));
    expect((await open('/verify')).path).toBe('/verify');
    expect(readSession()).not.toBeNull();
    startSession(sessionOf({ authType: 2, isAuthenticator: false }));
    expect((await open('/verify')).path).toBe('/login');
    expect(readSession()).toBeNull();
  });
});

describe('guards', () => {
  it('[OPN-22] sends a session whose code is due to /verify', () => {
    const due = sessionOf({ authType: 1, isAuthenticator: null });
    expect(entryPath(due)).toBe('/verify');
    expect(signedInDetour(due, '/home')).toBe('/verify');
    expect(loginDetour(due)).toBeNull();
    expect(verifyDetour(null)).toBe('/login');
  });
});

describe('who comes from outside', () => {
  const paths = (rows: readonly { path: string }[]) => rows.map(({ path }) => `/${path.replaceAll(/:\w+/g, '1')}`);

  it('meets the sign-in at once at every address that would lead there, and nowhere else', async () => {
    for (const path of ['/', '/login', '/verify', '/no-such-page', ...paths(SIGNED_IN_SCREENS)]) {
      expect((await open(path)).path, path).toBe('/login');
      expect(comesToSignIn(path, false), path).toBe(true);
      expect(comesToSignIn(path, true), path).toBe(false);
    }
    for (const path of paths([...PUBLIC_SCREENS, ...OUTSIDE_SCREENS])) {
      expect((await open(path)).path, path).toBe(path);
      expect(comesToSignIn(path, false), path).toBe(false);
    }
  });

  it('the page asks for the files of what will be shown by the same rule', () => {
    const script = readFileSync(join(import.meta.dirname, '../public/theme.js'), 'utf8');
    expect(script).toContain(`${OPEN_TO_ALL}.test(`);
  });
});
