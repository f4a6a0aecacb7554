import type { Alert } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { AlertForm } from '../src/betting/alert-form.tsx';
import { useAlertNews } from '../src/betting/alert-news.ts';
import { Screen } from '../src/features/account/alerts.tsx';
import { hearAlert, hearAlertsOver } from '../src/live/alert-news.ts';
import { setNotices } from '../src/platform/notices.ts';
import { useLocation } from '../src/platform/routing.tsx';
import { setTitle } from '../src/platform/title.ts';
import { clearToasts, currentToast, toastLog } from '../src/platform/toasts.ts';
import { startSession } from '../src/session/session.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { market } from './samples.ts';

const ALERT: Alert = {
  id: 5,
  kind: 'PRICE',
  betId: 9,
  matchId: 8,
  beventId: null,
  matchType: 'football',
  eventName: 'Rovers v United',
  bettingName: 'Match Odds',
  runnerId: 3,
  teamName: 'Rovers',
  figure: 'BACK',
  when: 'UP',
  price: 220,
  amountMinor: null,
  seconds: null,
  every: false,
  state: 'WAITING',
  createdAt: '2026-11-20T10:00:00.000Z',
  firedAt: null,
  times: 0,
  ended: null,
};
const QUIET = { SOUND: null, NOTICE: null, PUSH: null };
let sent: Array<{ path: string; body: unknown }>;
let answers: Record<string, Array<{ status: number; body: object }>>;
const data = (value: unknown) => ({ status: 200, body: { statusCode: 200, data: value } });
const told: string[] = [];
/** Presses the notification that was shown last. */
let press = () => undefined as void;

beforeEach(() => {
  sent = [];
  told.length = 0;
  queryClient.clear();
  clearToasts();
  startSession({ token: 'x', userId: 1, userName: 'anna', isAuthenticator: true } as never);
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const path = new URL(url, 'http://x').pathname;
    if (init.body) sent.push({ path, body: JSON.parse(init.body as string) });
    const next = answers[path]!;
    const { status, body } = next.length > 1 ? next.shift()! : next[0]!;
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
});
afterEach(() => {
  cleanup();
  setNotices({ sound: false, notify: 'off', keep: false });
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createMemoryRouter([{ path: '*', Component: Screen }])} />
    </QueryClientProvider>,
  );

function browserThat(answer: NotificationPermission) {
  const Fake = class {
    static permission: NotificationPermission = 'default';
    static asked = 0;
    static requestPermission() {
      Fake.asked += 1;
      Fake.permission = answer;
      return Promise.resolve(answer);
    }
    onclick = () => undefined;
    close() {
      told.push('shut');
    }
    constructor(_title: string, { body }: { body: string }) {
      told.push(body);
      press = () => this.onclick();
    }
  };
  vi.stubGlobal('Notification', Fake);
  return Fake;
}

describe('the screen of alerts', () => {
  it('says that there are none, and asks the browser at a press only', async () => {
    const user = userEvent.setup();
    const browser = browserThat('denied');
    answers = { '/api/alerts': [data({ alerts: [], quiet: QUIET })] };
    show();
    await screen.findByText('No alerts yet');
    expect(browser.asked).toBe(0);
    await user.click(screen.getByRole('radio', { name: 'While a page is open' }));
    expect(browser.asked).toBe(1);
    await screen.findByText(/does not let fairGame notify you/);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Off' }).checked).toBe(true);
  });

  it('sets the quiet hours of one way and leaves those of the others', async () => {
    const user = userEvent.setup();
    browserThat('granted');
    const night = { from: 23 * 60, to: 6 * 60, zone: 'UTC' };
    answers = {
      '/api/alerts': [data({ alerts: [], quiet: { ...QUIET, SOUND: night } })],
      '/api/alerts/quiet': [data(null)],
    };
    show();
    const push = within(await screen.findByRole('group', { name: 'Notifications when none is open' }));
    expect(push.queryByRole('button', { name: 'None' })).toBeNull();
    await user.click(push.getByRole('button', { name: 'Set' }));
    const hours = { from: 22 * 60, to: 7 * 60, zone: expect.any(String) };
    const path = '/api/alerts/quiet';
    await vi.waitFor(() =>
      expect(sent).toEqual([{ path, body: { quiet: { SOUND: night, NOTICE: null, PUSH: hours } } }]),
    );
    const sound = within(screen.getByRole('group', { name: 'Sound' }));
    sound.getByText('Now 23:00 to 06:00, UTC.');
    await user.click(sound.getByRole('button', { name: 'None' }));
    await vi.waitFor(() => expect(sent[1]).toEqual({ path, body: { quiet: QUIET } }));
  });

  it('changes one where it stands, and says at the field what was wrong', async () => {
    const user = userEvent.setup();
    browserThat('granted');
    const refused = {
      status: 409,
      body: { statusCode: 409, code: 'CONDITION_MET', field: 'price', message: 'The price is there already.' },
    };
    answers = {
      '/api/alerts': [data({ alerts: [ALERT], quiet: QUIET })],
      '/api/alerts/change': [refused, data(ALERT)],
    };
    show();
    await user.click(await screen.findByRole('button', { name: 'Change: Rovers: 2.20 or more to back' }));
    const odds = await screen.findByLabelText('Odds');
    await user.clear(odds);
    await user.type(odds, 'x');
    await user.click(screen.getByRole('button', { name: 'Change' }));
    screen.getByText('Odds as 2.20.');
    expect(sent).toEqual([]);
    await user.clear(odds);
    await user.type(odds, '2.4');
    await user.click(screen.getByRole('button', { name: 'Change' }));
    await screen.findByText('The price is there already.');
    await user.click(screen.getByRole('button', { name: 'Change' }));
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    const body = { id: 5, kind: 'PRICE', betId: 9, runnerId: 3, figure: 'BACK', when: 'UP', price: 240, every: false };
    expect(sent[1]).toEqual({ path: '/api/alerts/change', body });
    await vi.waitFor(() => expect(screen.queryByLabelText('Odds')).toBeNull());
  });
});

describe('the form of an alert', () => {
  const open = (back: number, lay: number, last = 0) => {
    const one = { ...market(), id: 9 };
    const [first, ...rest] = one.runners;
    const runners = [{ ...first!, back: [[back, 1000]], lay: [[lay, 1000]], last }, ...rest];
    render(<AlertForm market={{ ...one, runners } as typeof one} onClose={() => undefined} />);
    const odds = () => screen.getByLabelText<HTMLInputElement>('Odds').value;
    const turns = async (...steps: Array<[field: string, value: string, odds: string]>) => {
      for (const [field, value, then] of steps) {
        await userEvent.selectOptions(screen.getByLabelText(field), value);
        expect(odds(), `${field} ${value}`).toBe(then);
      }
    };
    return { odds, turns };
  };

  it('begins at the next price that has not come, of the figure and the direction it is set to, by the ladder', async () => {
    const { odds, turns } = open(200, 310, 202);
    expect(odds()).toBe('2.02');
    await turns(
      ['Direction', 'DOWN', '1.99'],
      ['Price', 'LAY', '3.05'],
      ['Direction', 'UP', '3.15'],
      ['Price', 'LAST', '2.04'],
    );
  });

  it('proposes nothing beyond the ends of the ladder, and leaves a price that the player typed', async () => {
    const { odds, turns } = open(101, 100_000);
    expect(odds()).toBe('1.02');
    await turns(['Direction', 'DOWN', ''], ['Price', 'LAY', '990'], ['Direction', 'UP', '']);
    await userEvent.type(screen.getByLabelText('Odds'), '55');
    await turns(['Direction', 'DOWN', '55']);
  });

  it('is accepted as it opens', async () => {
    answers = { '/api/alerts': [data(ALERT)] };
    open(218, 220);
    await userEvent.click(screen.getByRole('button', { name: 'Set the alert' }));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]!.body).toMatchObject({ kind: 'PRICE', figure: 'BACK', when: 'UP', price: 220 });
  });
});

function Listening() {
  useAlertNews();
  return useLocation().pathname;
}
const listen = () => render(<RouterProvider router={createMemoryRouter([{ path: '*', Component: Listening }])} />);

describe('an alert that comes true', () => {
  const hide = (hidden: boolean) => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
  };

  it('is said in the page with the way there; behind another page it is counted and notified, in quiet hours not notified', async () => {
    browserThat('granted').permission = 'granted';
    setTitle('Home');
    listen();
    setNotices({ notify: 'page' });
    const news = { alert: ALERT, seen: 224, silent: [] as const };
    hearAlert(news);
    const toast = { text: 'Rovers v United: Rovers 2.24 to back', to: '/game-detail/football/8' };
    await vi.waitFor(() => expect(currentToast()).toMatchObject(toast), 10_000);
    expect([document.title, told]).toEqual(['Home | fairGame', []]);
    hide(true);
    hearAlert({ ...news, silent: ['NOTICE'] });
    hearAlert(news);
    // They are told in the order in which they came: the quiet one was told when the other is.
    await vi.waitFor(() => expect(told).not.toEqual([]));
    expect([document.title, told]).toEqual(['(2) Home | fairGame', ['Rovers v United: Rovers 2.24 to back']]);
    hide(false);
    expect(document.title).toBe('Home | fairGame');
  });

  it('leads to its event when its notification is pressed', async () => {
    browserThat('granted').permission = 'granted';
    const shown = listen();
    setNotices({ notify: 'page' });
    const focus = vi.spyOn(window, 'focus').mockReturnValue();
    hide(true);
    hearAlert({ alert: ALERT, seen: 224, silent: [] });
    await vi.waitFor(() => expect(told).toHaveLength(1), 10_000);
    expect(shown.container.textContent).toBe('/');
    act(press);
    await vi.waitFor(() => expect(shown.container.textContent).toBe('/game-detail/football/8'));
    expect([told[1], focus.mock.calls.length]).toEqual(['shut', 1]);
    hide(false);
  });

  it('is said to be over in the page alone, in a sentence for each market', async () => {
    browserThat('granted').permission = 'granted';
    setTitle('Home');
    listen();
    setNotices({ notify: 'page' });
    hide(true);
    const over = { ...ALERT, state: 'OVER', ended: 'CLOSED' } as const;
    const gone = { ...over, betId: 10, bettingName: 'Half-time', ended: 'GONE' } as const;
    hearAlertsOver({ alerts: [over, { ...over, id: 6 }, gone] });
    await vi.waitFor(() => expect(toastLog()).toHaveLength(2), 10_000);
    expect(toastLog().map(({ text, to }) => [text, to])).toEqual([
      ['Rovers v United, Half-time is not there any more: an alert there is over', '/alerts'],
      ['Rovers v United, Match Odds has closed: 2 alerts there are over', '/alerts'],
    ]);
    expect([document.title, told]).toEqual(['Home | fairGame', []]);
    hide(false);
  });
});
