// The client's routes: what leads where, what stays meanwhile, and what each entry of the history keeps.
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { browserHistory, paramsOf, placeAt, type Route, Router } from '../src/platform/router.ts';
import {
  Link,
  NavLink,
  Outlet,
  RouterProvider,
  useLoading,
  useParams,
  useSearchParams,
} from '../src/platform/routing.tsx';
import { createMemoryRouter } from './memory-router.ts';

function Frame() {
  return (
    <>
      <p>{useLoading() ? 'fetching' : 'standing'}</p>
      <Outlet />
    </>
  );
}

function Event() {
  return <p>event {useParams().id}</p>;
}

function Query() {
  const [query, change] = useSearchParams();
  const press = () => change((now) => ({ ...Object.fromEntries(now), b: '2' }), { replace: true });
  return (
    <button type="button" onClick={press}>
      {query.toString()}
    </button>
  );
}

function Bad(): never {
  throw new Error('drawn badly');
}

/** Code that comes when it is told to. */
function late() {
  let come: (screen: { Component: ComponentType }) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const lazy = vi.fn(
    () =>
      new Promise<{ Component: ComponentType }>((resolve, reject) => {
        come = resolve;
        fail = reject;
      }),
  );
  return { lazy, come: () => come({ Component: Event }), fail: (error: unknown) => fail(error) };
}

const show = (children: readonly Route[], path = '/') => {
  const router = createMemoryRouter([{ Component: Frame, children }], { initialEntries: [path] });
  render(<RouterProvider router={router} Failed={({ error }) => <p>failed {String(error)}</p>} />);
  return router;
};

describe('paths', () => {
  it('are told apart exactly, by case, length and what is encoded in them', () => {
    expect(paramsOf('casino/:id', '/casino/a%2Fb')).toEqual({ id: 'a/b' });
    expect(paramsOf('casino/:id', '/casino/%E0%A4%A')).toEqual({ id: '%E0%A4%A' });
    expect(paramsOf('casino/:id', '/casino')).toBeNull();
    expect(paramsOf('casino/:id', '/casino/1/2')).toBeNull();
    expect(paramsOf('teen', '/Teen')).toBeNull();
    expect(paramsOf('teen', '/teen/')).toEqual({});
    expect(paramsOf('*', '/what/ever')).toEqual({});
  });

  it('lead nowhere but to this site', () => {
    for (const [address, path] of [
      ['https://evil.example/home', '/home'],
      ['https://evil.example//home', '/home'],
      ['//evil.example/home', '/evil.example/home'],
      ['/\\evil.example/home', '/evil.example/home'],
      ['//', '/'],
    ] as const)
      expect(placeAt(address).pathname, address).toBe(path);
  });
});

describe('on the way to a screen', () => {
  it('the old one stays until the code is there; it is fetched once', async () => {
    const { lazy, come } = late();
    const router = show([
      { path: '/', element: <p>home</p> },
      { path: '/event/:id', lazy },
    ]);
    act(() => void router.navigate('/event/1'));
    expect(screen.getByText('home')).toBeTruthy();
    expect(screen.getByText('fetching')).toBeTruthy();
    expect(router.state.place.pathname).toBe('/');
    await act(async () => come());
    expect(screen.getByText('event 1')).toBeTruthy();
    expect(screen.getByText('standing')).toBeTruthy();
    await act(() => router.navigate('/event/2'));
    expect(screen.getByText('event 2')).toBeTruthy();
    expect(lazy).toHaveBeenCalledTimes(1);
  });

  it('the latest wish counts, whatever comes later', async () => {
    const { lazy, come } = late();
    const router = show([
      { path: '/', element: <p>home</p> },
      { path: '/slow', lazy },
      { path: '/quick', element: <p>quick</p> },
    ]);
    act(() => void router.navigate('/slow'));
    await act(() => router.navigate('/quick'));
    await act(async () => come());
    expect(screen.getByText('quick')).toBeTruthy();
    expect(router.state.place.pathname).toBe('/quick');
    expect(screen.getByText('standing')).toBeTruthy();
  });

  it('code that fails is told in place of the screen, and asked for anew next time', async () => {
    const { lazy, come, fail } = late();
    const router = show([
      { path: '/', element: <p>home</p> },
      { path: '/event/:id', lazy },
    ]);
    act(() => void router.navigate('/event/1'));
    await act(async () => fail('no such chunk'));
    expect(screen.getByText('failed no such chunk')).toBeTruthy();
    await act(() => router.navigate('/'));
    expect(screen.getByText('home')).toBeTruthy();
    act(() => void router.navigate('/event/1'));
    await act(async () => come());
    expect(screen.getByText('event 1')).toBeTruthy();
  });

  it('a screen that throws is told in its place; another address is another try', async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    const router = show([
      { path: '/', element: <p>home</p> },
      { path: '/bad', Component: Bad },
    ]);
    await act(() => router.navigate('/bad'));
    expect(screen.getByText('failed Error: drawn badly')).toBeTruthy();
    await act(() => router.navigate('/'));
    expect(screen.getByText('home')).toBeTruthy();
    vi.restoreAllMocks();
  });

  it('a guard is asked each time before anything is fetched, and Back never leads into it', async () => {
    let open = true;
    const { lazy } = late();
    const router = show([
      { path: '/', element: <p>home</p> },
      { path: '/login', element: <p>login</p> },
      {
        guard: () => (open ? null : '/login'),
        children: [
          { path: '/inside', element: <p>inside</p> },
          { path: '/late', lazy },
        ],
      },
    ]);
    await act(() => router.navigate('/inside'));
    open = false;
    await act(() => router.navigate('/late'));
    expect(screen.getByText('login')).toBeTruthy();
    expect(lazy).not.toHaveBeenCalled();
    await act(() => router.navigate(-1));
    expect(screen.getByText('home')).toBeTruthy();
  });
});

describe('links', () => {
  it('a plain press stays in the page, any other is the browser’s; where he is already there is no second entry', async () => {
    const router = show(
      [
        { path: '/', element: <p>home</p> },
        { path: '/list', element: <Link to="/list?x=1">go</Link> },
      ],
      '/',
    );
    await act(() => router.navigate('/list'));
    const link = screen.getByRole('link');
    expect(fireEvent.click(link, { ctrlKey: true })).toBe(true);
    expect(router.state.place.search).toBe('');
    for (let press = 0; press < 3; press++) await act(async () => expect(fireEvent.click(link)).toBe(false));
    expect(router.state.place.search).toBe('?x=1');
    await act(() => router.navigate(-1));
    expect(router.state.place).toMatchObject({ pathname: '/list', search: '' });
  });

  it('say when the player is at their address or below it', () => {
    show(
      [
        {
          path: '/game-list/:type',
          element: ['/game-list', '/game-list/cricket?all=1', '/game-list/cri', '/'].map((to) => (
            <NavLink key={to} to={to}>
              {to}
            </NavLink>
          )),
        },
      ],
      '/game-list/cricket',
    );
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('aria-current'))).toEqual([
      'page',
      'page',
      null,
      null,
    ]);
  });

  it('the query changes beside the rest of the address, from what it is now', async () => {
    const router = show([{ path: '/x', element: <Query /> }], '/x?a=1');
    await act(async () => fireEvent.click(screen.getByRole('button')));
    expect(screen.getByRole('button').textContent).toBe('a=1&b=2');
    expect(router.state.action).toBe('REPLACE');
  });
});

describe('the history of the browser', () => {
  afterEach(() => history.replaceState(null, '', '/'));

  it('keeps with each entry what was said beside its address, a reload through', async () => {
    const router = new Router([{ path: '*', element: <p>any</p> }], browserHistory);
    await router.navigate('/home?tab=1', { state: { tab: 'mine' } });
    expect(location.pathname + location.search).toBe('/home?tab=1');
    const { key } = router.state.place;
    router.close();
    const reloaded = new Router([{ path: '*', element: <p>any</p> }], browserHistory);
    expect(reloaded.state.place).toMatchObject({ pathname: '/home', state: { tab: 'mine' }, key });
    history.replaceState(null, '', '/other');
    dispatchEvent(new PopStateEvent('popstate'));
    await vi.waitFor(() => expect(reloaded.state.place.pathname).toBe('/other'));
    expect(reloaded.state.action).toBe('POP');
    reloaded.close();
  });

  it('whoever holds the screen is asked first, by the way of the browser too: who stays has his address again', async () => {
    const router = new Router([{ path: '*', element: <p>any</p> }], browserHistory);
    await router.navigate('/held');
    const answers = [false, false, true];
    const letGo = router.hold(async () => answers.shift()!);
    await router.navigate('/other');
    expect(router.state.place.pathname).toBe('/held');
    history.replaceState(null, '', '/before');
    dispatchEvent(new PopStateEvent('popstate'));
    await vi.waitFor(() => expect(location.pathname).toBe('/held'));
    expect(router.state.place.pathname).toBe('/held');
    await router.navigate('/unasked', { unasked: true });
    expect(answers).toEqual([true]);
    history.replaceState(null, '', '/before');
    dispatchEvent(new PopStateEvent('popstate'));
    await vi.waitFor(() => expect(router.state.place.pathname).toBe('/before'));
    letGo();
    await router.navigate('/free');
    expect(location.pathname).toBe('/free');
    router.close();
  });
});
