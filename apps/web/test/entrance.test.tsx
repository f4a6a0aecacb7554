import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Screen as Entrance } from '../src/app/entrance.tsx';
import { noteAsked, takeAsked } from '../src/platform/asked.ts';
import { readSession } from '../src/session/session.ts';

const opened: string[] = [];
let client: () => Promise<() => string>;
vi.mock('../src/app/app.tsx', () => ({ openClient: () => client() }));
vi.mock('../src/app/signed-in-shell.tsx', () => ({}));

const answer = (status: number, body: object) =>
  new Response(JSON.stringify({ statusCode: status, ...body }), { status });
const signedIn = { token: 't', userId: 7, authenticatorType: 0, forceChangePassword: false, isAuthenticator: true };

beforeEach(() => {
  opened.length = 0;
  client = async () => {
    opened.push(location.pathname);
    return () => 'inside';
  };
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});

async function submit() {
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Username'), 'ann');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Login' }));
}

describe('the entrance', () => {
  it('stands at /login whatever was asked for, and adds nothing to the history', () => {
    history.replaceState(null, '', '/race/7?x=1');
    const before = history.length;
    render(<Entrance />);
    expect(location.pathname + location.search).toBe('/login');
    expect(history.length).toBe(before);
    expect(document.title).toMatch(/Login/);
    expect(screen.getByRole('link', { name: 'Skip to content' })).toBeTruthy();
    expect(opened).toEqual([]);
  });

  it('leads where the account belongs once the client is there; the form waits, busy, till then', async () => {
    vi.stubGlobal('fetch', async () => answer(200, { data: { ...signedIn, forceChangePassword: true } }));
    let arrive: (client: () => string) => void = () => undefined;
    client = () => {
      opened.push(location.pathname);
      return new Promise((resolve) => {
        arrive = resolve;
      });
    };
    render(<Entrance />);
    await submit();
    await vi.waitFor(() => expect(opened).toEqual(['/change-password']));
    expect(screen.getByRole('button', { name: 'Login' }).getAttribute('aria-busy')).toBe('true');
    arrive(() => 'inside');
    expect(await screen.findByText('inside')).toBeTruthy();
    expect(readSession()?.token).toBe('t');
  });

  it('leads who comes by a notification to what it was about, once, and home where that was long ago', async () => {
    vi.stubGlobal('fetch', async () => answer(200, { data: signedIn }));
    const come = async () => {
      render(<Entrance />);
      await submit();
      await screen.findByText('inside');
      cleanup();
      sessionStorage.clear();
    };
    const asked = () => {
      history.replaceState(null, '', '/race/7#asked');
      noteAsked();
      expect(location.href).toMatch(/\/race\/7$/);
    };
    asked();
    await come();
    await come();
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    asked();
    vi.setSystemTime(11 * 60_000);
    expect(takeAsked()).toBeNull();
    expect(opened).toEqual(['/race/7', '/home']);
  });

  it('a password that must change comes before what a notification was about', async () => {
    vi.stubGlobal('fetch', async () => answer(200, { data: { ...signedIn, forceChangePassword: true } }));
    history.replaceState(null, '', '/race/7#asked');
    noteAsked();
    render(<Entrance />);
    await submit();
    await screen.findByText('inside');
    expect(opened).toEqual(['/change-password']);
    takeAsked();
  });

  it('a refused sign-in stays, with its words', async () => {
    vi.stubGlobal('fetch', async () => answer(401, { code: 'LOGIN_WRONG', message: 'Name or password is wrong.' }));
    render(<Entrance />);
    await submit();
    expect(await screen.findByText('Name or password is wrong.')).toBeTruthy();
    expect(location.pathname).toBe('/login');
    expect(opened).toEqual([]);
  });
});
