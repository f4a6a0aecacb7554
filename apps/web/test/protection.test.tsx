import { CALLS, type ProtectionStatus } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { accountEntries } from '../src/app/account-menu-data.ts';
import { RealityGuard, SessionNet, StandingBanner } from '../src/app/player-care.tsx';
import { SIGNED_IN_SCREENS } from '../src/app/routes.tsx';
import { Screen as Protection } from '../src/features/protection/protection.tsx';
import { formatDateTime, formatSpan } from '../src/platform/format.ts';
import { readSession, startSession } from '../src/session/session.ts';
import { bettingOff } from '../src/slip/standing.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { signedIn } from './player.ts';

const NOW = Date.UTC(2026, 10, 20, 19, 42);
const DAY = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();

const base: ProtectionStatus = {
  state: 'active',
  standing: null,
  jurisdiction: 'INT',
  raiseDays: 7,
  limits: [
    {
      kind: 'deposit',
      span: 'day',
      amountMinor: 1_000_000,
      usedMinor: 910_000,
      resetsAt: iso(NOW + DAY),
      pending: { amountMinor: 1_500_000, at: iso(NOW + 6 * DAY) },
    },
    {
      kind: 'loss',
      span: 'week',
      amountMinor: 1_000_000,
      usedMinor: 214_000,
      resetsAt: iso(NOW + 3 * DAY),
      pending: null,
    },
    { kind: 'stake', span: 'bet', amountMinor: 50_000, usedMinor: 0, resetsAt: null, pending: null },
  ],
  coolOffs: [
    { length: '24h', until: iso(NOW + DAY) },
    { length: '1w', until: iso(NOW + 7 * DAY) },
  ],
  exclusions: [
    { months: 6, until: iso(NOW + 181 * DAY) },
    { months: 12, until: iso(NOW + 365 * DAY) },
    { months: 0, until: null },
  ],
  exclusionEndsItself: true,
  restriction: null,
  reality: { minutes: 60, choices: [60, 30, 15], dueAt: iso(NOW + 1_800_000), due: false },
  session: { startedAt: iso(NOW - 2_520_000), elapsedMs: 2_520_000, netMinor: -2140, stakedMinor: 5000 },
  today: { playedMs: 5_160_000, limitMinutes: 180 },
  weekNetMinor: -214_000,
  monthDepositsMinor: 2_500_000,
};

let status: ProtectionStatus;
let profile: object;
let sent: Array<{ path: string; body: unknown }>;
/** Answers of POST calls by path; null data unless named. */
let answers: Record<string, () => { status: number; json: object }>;

beforeEach(() => {
  status = structuredClone(base);
  profile = { standing: null };
  sent = [];
  answers = {};
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = new URL(url, 'http://site').pathname.replace('/api', '');
    if (init.method === 'POST')
      sent.push({ path, body: JSON.parse(typeof init.body === 'string' ? init.body : 'null') });
    const told = answers[path]?.() ?? {
      status: 200,
      json: { statusCode: 200, data: path === '/protection' ? status : path === '/user/profile' ? profile : null },
    };
    return new Response(JSON.stringify(told.json), { status: told.status });
  });
  signedIn({ userId: 1 });
});
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const show = (element: ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element }])} />
    </QueryClientProvider>,
  );
const page = async () => {
  show(<Protection />);
  await screen.findByRole('heading', { name: 'Limits' });
  return userEvent.setup();
};
const dialog = () => within(screen.getByRole('dialog'));

describe('the player protection screen', () => {
  it('[OPN-17] stands at its route, in the account menu, and not in the one of the demo', async () => {
    const row = SIGNED_IN_SCREENS.find((one) => one.path === 'player-protection');
    expect((await row?.load())?.Screen).toBe(Protection);
    const to = (demo: boolean) => accountEntries({ demo, mobile: false }).map((entry) => entry.to);
    expect(to(false)).toContain('/player-protection');
    expect(to(true)).not.toContain('/player-protection');
  });

  it('tells session, time, net and deposits', async () => {
    await page();
    const play = within(screen.getByRole('region', { name: 'Your play' }));
    for (const text of ['0:42', '1:26', 'of 3:00 set', '\u22122,140.00', '25,000.00']) play.getByText(text);
  });

  it('[ACC-17] shows each limit with what is used; a raise on its way with its date', async () => {
    await page();
    const limits = within(screen.getByRole('region', { name: 'Limits' }));
    limits.getByText('Deposit, per day');
    limits.getByText(/Rising from 10,000 to 15,000 on Thu 26 Nov 2026/);
    limits.getByText('91%');
    limits.getByText('Loss, per week');
    limits.getByText('21%');
    limits.getByText('Stake, per bet');
  });

  it('[LGL-24] a raise can be given up', async () => {
    const user = await page();
    await user.click(screen.getByRole('button', { name: 'Keep 10,000' }));
    expect(sent).toEqual([{ path: '/protection/limit/cancel', body: { kind: 'deposit', span: 'day' } }]);
  });

  it('[LGL-24] [LGL-25] a free amount: lower counts at once, higher after 7 days, and the form says which', async () => {
    const user = await page();
    await user.click(screen.getByRole('button', { name: 'Change Loss, per week' }));
    const amount = dialog().getByLabelText('Amount');
    await user.clear(amount);
    await user.type(amount, '9000.5');
    dialog().getByText('A lower limit counts at once.');
    await user.clear(amount);
    await user.type(amount, '12000');
    dialog().getByText(/A raise counts after 7 days/);
    await user.click(dialog().getByRole('button', { name: 'Change limit' }));
    expect(sent).toEqual([{ path: '/protection/limit', body: { kind: 'loss', span: 'week', amountMinor: 1_200_000 } }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('[OPN-06] a text that is no amount is refused at the field, nothing is sent, nothing lost', async () => {
    const user = await page();
    await user.click(screen.getByRole('button', { name: 'Add a limit' }));
    const amount = dialog().getByLabelText('Amount');
    await user.type(amount, '12x');
    await user.click(dialog().getByRole('button', { name: 'Set limit' }));
    dialog().getByText(/Enter an amount/);
    expect(amount.getAttribute('aria-invalid')).toBe('true');
    expect((amount as HTMLInputElement).value).toBe('12x');
    expect(sent).toEqual([]);
    await user.selectOptions(dialog().getByLabelText('Limit of'), 'exposure');
    expect(dialog().queryByLabelText('In')).toBeNull();
    await user.clear(amount);
    await user.type(amount, '75');
    await user.click(dialog().getByRole('button', { name: 'Set limit' }));
    expect(sent).toEqual([
      { path: '/protection/limit', body: { kind: 'exposure', span: 'always', amountMinor: 7500 } },
    ]);
  });

  it('[PP-11] asks for the password before a raise when the server wants it, then sends the same wish', async () => {
    const user = await page();
    let due = true;
    answers['/protection/limit'] = () =>
      due
        ? { status: 403, json: { statusCode: 403, code: 'STEP_UP_REQUIRED', message: 'Enter your password again.' } }
        : { status: 200, json: { statusCode: 200, data: { when: 'later', at: iso(NOW) } } };
    answers[CALLS.auth.stepUp.path] = () => {
      due = false;
      return { status: 200, json: { statusCode: 200, data: null } };
    };
    await user.click(screen.getByRole('button', { name: 'Change Stake, per bet' }));
    const amount = dialog().getByLabelText('Amount');
    await user.clear(amount);
    await user.type(amount, '900');
    await user.click(dialog().getByRole('button', { name: 'Change limit' }));
    await user.type(await dialog().findByLabelText('Password'), 'secret words');
    await user.click(dialog().getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.map((one) => one.path)).toEqual(['/protection/limit', CALLS.auth.stepUp.path, '/protection/limit']);
    expect(sent[2]!.body).toEqual({ kind: 'stake', span: 'bet', amountMinor: 90_000 });
  });

  it('[LGL-27] a cool-off takes two steps and shows its exact end', async () => {
    const user = await page();
    await user.click(screen.getByRole('radio', { name: /1 week/ }));
    await user.click(screen.getByRole('button', { name: 'Start a 1-week cool-off' }));
    expect(sent).toEqual([]);
    dialog().getByText(/27 Nov 2026, \d\d:42/);
    dialog().getByText(/Unmatched bets are cancelled at once/);
    await user.click(dialog().getByRole('button', { name: 'Start a 1-week cool-off' }));
    expect(sent).toEqual([{ path: '/protection/cool-off', body: { length: '1w' } }]);
  });

  it('[ACC-18] [LGL-26] self-exclusion: 6 months or longer, what happens is told, one box to tick', async () => {
    const user = await page();
    const box = screen.getByRole('region', { name: 'Self-exclusion' });
    expect(
      within(box)
        .getAllByRole('radio')
        .map((radio) => radio.parentElement?.textContent),
    ).toEqual(['6 months', '1 year', 'No end']);
    await user.click(screen.getByRole('button', { name: 'Continue to self-exclusion' }));
    dialog().getByText(/Matched bets stand/);
    dialog().getByText(/Your balance stays yours/);
    const go = dialog().getByRole('button', { name: 'Exclude me for 6 months' });
    expect((go as HTMLButtonElement).disabled).toBe(true);
    await user.click(dialog().getByRole('checkbox'));
    await user.click(go);
    expect(sent).toEqual([{ path: '/protection/self-exclusion', body: { months: 6 } }]);
  });

  it('[LGL-23] the reality check is set among its choices', async () => {
    const user = await page();
    expect((screen.getByRole('radio', { name: '1 hour' }) as HTMLInputElement).checked).toBe(true);
    await user.click(screen.getByRole('radio', { name: '15 min' }));
    expect(sent).toEqual([{ path: '/protection/reality', body: { minutes: 15 } }]);
  });

  it('[ACC-12] [ACC-13] says how a restriction ends, and offers the request only once its period is over', async () => {
    const held = { state: 'self-excluded' as const, since: iso(NOW), until: null, endsAt: null, revokedFrom: null };
    status.state = 'self-excluded';
    status.standing = { state: 'self-excluded', text: 'You have excluded yourself from betting.', until: null };
    status.restriction = { ...held, revocableFrom: iso(Date.now() + DAY) };
    const first = show(<Protection />);
    await screen.findByText(/You can ask to end it from/);
    expect(screen.queryByRole('button', { name: 'Ask to end it' })).toBeNull();
    first.unmount();
    queryClient.clear();
    status.restriction = { ...held, revocableFrom: iso(Date.now() - DAY) };
    show(<Protection />);
    await userEvent.click(await screen.findByRole('button', { name: 'Ask to end it' }));
    expect(sent).toEqual([{ path: '/protection/revoke', body: {} }]);
  });

  it('an error leaves a way to try again', async () => {
    answers['/protection'] = () => ({ status: 400, json: { statusCode: 400, code: 'BAD_INPUT', message: 'No.' } });
    show(<Protection />);
    await screen.findByText('Your limits could not be loaded.');
    delete answers['/protection'];
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { name: 'Limits' });
  });
});

describe('on every signed-in screen', () => {
  it('[OPN-16] the banner says why betting is off, and prices and slip hear of it', async () => {
    profile = {
      standing: {
        state: 'cooling off',
        text: 'You are taking a break from betting until 21 Nov 2026.',
        until: iso(NOW + DAY),
      },
    };
    const { unmount } = show(<StandingBanner />);
    await screen.findByText(/You are taking a break from betting until 21 Nov 2026/);
    expect(screen.getByRole('link', { name: 'Player protection' }).getAttribute('href')).toBe('/player-protection');
    expect(bettingOff()).toContain('taking a break');
    unmount();
    expect(bettingOff()).toBeNull();
  });

  it('[LGL-05] the banner says until when an age has to be verified, and betting goes on', async () => {
    profile = { standing: null, freezesAt: iso(NOW + DAY) };
    show(<StandingBanner />);
    const banner = await screen.findByText(/Your age is not verified yet/);
    expect(banner.textContent).toContain(`freezes on ${formatDateTime(NOW + DAY)}`);
    expect(bettingOff()).toBeNull();
  });

  it('[LGL-28] the client judges no rule of the legal pages itself: a date that has passed stops no bet until the server says so', async () => {
    profile = { standing: null, freezesAt: iso(NOW - DAY) };
    const { unmount } = show(<StandingBanner />);
    await screen.findByText(/Your age is not verified yet/);
    expect(bettingOff()).toBeNull();
    unmount();
    queryClient.clear();
    profile = { standing: { state: 'frozen', text: 'Your age is not verified.', until: null } };
    show(<StandingBanner />);
    await screen.findByText('Your age is not verified.');
    expect(bettingOff()).toBe('Your age is not verified.');
  });

  it('an active account has no banner', async () => {
    show(<StandingBanner />);
    await waitFor(() => expect(queryClient.getQueryData([CALLS.account.profile.name, {}])).toBeDefined());
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('[LGL-23] the reality check opens when it is due, shows time and net, and goes only by its buttons', async () => {
    status.reality = { ...status.reality, due: true, dueAt: iso(NOW) };
    show(<RealityGuard />);
    const box = within(await screen.findByRole('dialog', { name: 'Reality check' }));
    box.getByText('42 minutes');
    // Two figures share the width between them.
    expect(box.getByText('Net result').closest<HTMLElement>('.data__figures')!.style.getPropertyValue('--n')).toBe('2');
    box.getByText('\u221221.40');
    expect(box.queryByRole('button', { name: 'Close' })).toBeNull();
    for (const name of ['Go on', 'See my bets', 'Limits and breaks', 'Sign out']) box.getByRole('button', { name });
    await act(async () => {
      screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true }));
    });
    screen.getByRole('dialog');
    status.reality = { ...status.reality, due: false, dueAt: iso(NOW + 3_600_000) };
    await userEvent.click(box.getByRole('button', { name: 'Go on' }));
    expect(sent).toEqual([{ path: '/protection/reality/answer', body: {} }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it.each([
    [20_000, 'less than a minute'],
    [60_000, '1 minute'],
    [3_600_000, '1 hour'],
    [7_560_000, '2 hours 6 minutes'],
  ])('a time of %i ms reads %s', (ms, words) => expect(formatSpan(ms)).toBe(words));

  it('the net result stands beside the clock; play money has none of it', async () => {
    const { unmount } = show(<SessionNet className="x" />);
    await screen.findByText('\u221221.40');
    unmount();
    queryClient.clear();
    startSession({ ...readSession()!, isDemo: true });
    show(<SessionNet className="x" />);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.queryByText('\u221221.40')).toBeNull();
  });
});
