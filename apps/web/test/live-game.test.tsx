import { CALLS } from '@fairgame/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { refresh } from '../src/api/refresh.ts';
import { gameAddress, messageOf } from '../src/features/casino/live/frame.ts';
import { takeWallet } from '../src/live/wallet.ts';
import { setTheme } from '../src/ui/theme.ts';
import { A, answers, calls, inside, ORIGIN, PROFILE, PROTECTION, refused, show, signIn, stand } from './live-site.tsx';
import { settle } from './settle.ts';

stand();

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
