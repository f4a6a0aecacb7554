import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Header } from '../src/app/header.tsx';
import { NoticeBar } from '../src/app/notice-bar.tsx';
import { OfflineBanner } from '../src/app/offline-banner.tsx';
import { SessionExpired } from '../src/app/session-expired.tsx';
import { type ShellData, useShellData } from '../src/app/shell-data.ts';
import { SportsNav } from '../src/app/side-nav.tsx';
import { SportTree, type TreeLoaders } from '../src/app/sport-tree.tsx';
import { TopBar } from '../src/app/top-bar.tsx';
import { readSession } from '../src/session/session.ts';
import { RadioCard } from '../src/ui/checkbox.tsx';
import { CountdownRing } from '../src/ui/countdown-ring.tsx';
import { Field, NumberInput } from '../src/ui/field.tsx';
import { LiveRegion } from '../src/ui/live-region.tsx';
import { Modal } from '../src/ui/modal.tsx';
import { Money, Odds } from '../src/ui/money.tsx';
import { PlayingCard } from '../src/ui/playing-card.tsx';
import { BallChip } from '../src/ui/scoreboard.tsx';
import { Tabs } from '../src/ui/tabs.tsx';
import { getTheme, setTheme, toggleTheme } from '../src/ui/theme.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { signedIn } from './player.ts';
import { clear, PROFILE, serve } from './trading.tsx';

afterEach(clear);

const show = (element: ReactNode, path = '/') =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element }], { initialEntries: [path] })} />
    </QueryClientProvider>,
  );

/** The width of the window as media queries see it. */
function width(px: number) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: px <= Number(/max-width: (\d+)px/.exec(query)?.[1] ?? -1),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

const data: ShellData = {
  name: 'arjun21',
  isDemo: false,
  balanceMinor: 4_825_000,
  exposureMinor: 50_000,
  heldMinor: 0,
  availableMinor: 4_775_000,
  notices: [],
  openBets: 0,
  support: '',
  currency: 'EUR',
};

const header = (over: Partial<ShellData> = {}, onModal = vi.fn()) => {
  show(<Header data={{ ...data, ...over }} onMenu={() => undefined} onModal={onModal} />);
  return onModal;
};

/** The header of whoever the profile says. */
const OfProfile = () => <Header data={useShellData()} onMenu={() => undefined} onModal={() => undefined} />;

describe('Header', () => {
  it('[SHL-01] [SHL-03] [SHL-04] [SHL-05] [SHL-06] [SHL-15] shows logo, search, Rules, figures and the user name', async () => {
    width(1440);
    const onModal = header();
    expect(screen.getByAltText('fairGame')).toBeTruthy();
    expect(screen.getByRole('combobox', { name: 'Search events' })).toBeTruthy();
    expect(screen.getByText('48,250.00')).toBeTruthy();
    expect(screen.getByText('−500.00')).toBeTruthy();
    expect(screen.getByText('arjun21')).toBeTruthy();
    await userEvent.click(screen.getAllByRole('button', { name: 'Rules' })[0]!);
    expect(onModal).toHaveBeenCalledWith('rules');
  });

  it('says what is left to bet with where there is room for it', () => {
    width(1440);
    header();
    expect(screen.getByText('Available').parentElement?.textContent).toBe('Available47,750.00');
  });

  it('[SHL-13] [OPN-50] opens the list of markets when there is exposure', async () => {
    width(1440);
    const onModal = header();
    await userEvent.click(screen.getByRole('button', { name: /^Exposure/ }));
    expect(onModal).toHaveBeenCalledWith('market');
  });

  it('[SHL-14] opens nothing when there is none', async () => {
    width(1440);
    const onModal = header({ exposureMinor: 0 });
    await userEvent.click(screen.getByRole('button', { name: /^Exposure/ }));
    expect(onModal).not.toHaveBeenCalled();
  });

  it('[SHL-11] [SHL-12] hides balance and exposure by their boxes in the compact header only', async () => {
    width(1199);
    header();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Balance' }));
    expect(screen.queryByText('48,250.00')).toBeNull();
    expect(screen.getByText('−500.00')).toBeTruthy();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Exposure' }));
    expect(screen.queryByText('−500.00')).toBeNull();
  });

  it('[SHL-11] shows both from 1200 px on, whatever the boxes say', () => {
    width(1200);
    localStorage.setItem('showBalance', '0');
    header();
    expect(screen.getByText('48,250.00')).toBeTruthy();
  });

  it.each(['EUR', 'BRL', 'USD'])('[OPN-57] says %s beside the balance of such an account', async (currency) => {
    width(1440);
    serve({ '/user/profile': { ...PROFILE, userName: 'arjun21', marqueeNotification: { value: '' }, currency } });
    show(<OfProfile />);
    const balance = await screen.findByText('10,000.00');
    expect(balance.parentElement?.textContent).toBe(`Balance ${currency}10,000.00`);
  });

  it('[DEM-04] shows Demo for the name', () => {
    width(1440);
    header({ name: 'Demo', isDemo: true });
    expect(screen.getByRole('button', { name: 'Account of Demo' })).toBeTruthy();
    expect(screen.queryByText('arjun21')).toBeNull();
  });
});

describe('NoticeBar', () => {
  it('[MQE-01] [CAR-45] runs the notices as text, once for screen readers, and pauses', async () => {
    show(<NoticeBar notices={['Rules <b>changed</b>', 'Second']} />);
    expect(screen.getAllByText('Rules <b>changed</b>')).toHaveLength(2);
    expect(document.querySelectorAll('.notice-bar__run ul:not([aria-hidden]) li')).toHaveLength(2);
    await userEvent.click(screen.getByRole('button', { name: 'Pause notices' }));
    expect(screen.getByRole('region', { name: 'Notices' }).classList.contains('is-paused')).toBe(true);
  });

  it('leaves paused notices paused in this browser until they run again', async () => {
    const again = (name: string) => userEvent.click(screen.getByRole('button', { name }));
    const paused = () => screen.getByRole('region', { name: 'Notices' }).classList.contains('is-paused');
    const shown = () => show(<NoticeBar notices={['Second']} />);
    shown();
    await again('Pause notices');
    cleanup();
    shown();
    expect(paused()).toBe(true);
    await again('Run notices');
    cleanup();
    shown();
    expect(paused()).toBe(false);
  });
});

describe('TopBar and SportsNav', () => {
  it('[TOP-02] [TOP-03] [TOP-04] [TOP-05] [TOP-06] [TOP-07] [TOP-08] [TOP-09] [SID-02] [SID-03] [SID-04] [SID-06] [SID-07] [PRD-08] [NAV-20] [OPN-08] draw their entries as links, in order', () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    show(
      <>
        <TopBar demo onMarket={() => undefined} />
        <SportsNav />
      </>,
    );
    expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Home', '/home'],
      ['Lottery', '/contact-admin/1'],
      ['Cricket', '/game-list/cricket'],
      ['Tennis', '/game-list/tennis'],
      ['Football', '/game-list/football'],
      ['Table Tennis', '/contact-admin/777'],
      ['Volleyball', '/contact-admin/888'],
      ['Horse Racing', '/contact-admin/98'],
      ['GreyHound Racing', '/contact-admin/98'],
      ['Tembo CasinoNew', '/contact-admin/89'],
      ['Casino', '/casino'],
      ['Live Casino', '/live-casino'],
    ]);
    expect([...document.querySelectorAll('.side-nav__blink')].map((link) => link.textContent)).toEqual([
      'Tembo CasinoNew',
    ]);
  });
});

/** A page whose tree is drawn on the screen of an event, then on another. */
function Screens({ tree }: { tree: (here: boolean) => ReactNode }) {
  const [here, setHere] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setHere(!here)}>
        another screen
      </button>
      {tree(here)}
    </>
  );
}

describe('SportTree', () => {
  const loaders: TreeLoaders = {
    competitions: vi.fn(async (type: string) =>
      type === 'cricket' ? [{ competitionId: 'c1', competitionName: 'Australia tour of India', count: 1 }] : [],
    ),
    dates: vi.fn(async () => [{ startDate: '2026-11-20', count: 1 }]),
    matches: vi.fn(async () => [
      { id: 5, title: 'India v Australia', matchType: 'cricket', beventId: '9', inPlay: true },
    ]),
  };

  it('[PRD-08] [PRD-02] [SID-13] [SID-14] [SID-15] [SID-16] [SID-17] [SID-08] opens a sport to competitions, dates and matches', async () => {
    show(<SportTree loaders={loaders} />);
    expect(screen.getAllByRole('button')).toHaveLength(36);
    expect(loaders.competitions).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Cricket' }));
    expect(loaders.competitions).toHaveBeenCalledWith('cricket');
    await userEvent.click(await screen.findByRole('button', { name: /Australia tour of India/ }));
    expect(loaders.dates).toHaveBeenCalledWith('c1');
    await userEvent.click(await screen.findByRole('button', { name: /^2026\/11\/20/ }));
    expect(loaders.matches).toHaveBeenCalledWith('c1', '2026-11-20');
    const link = await screen.findByRole('link', { name: /India v Australia/ });
    expect(link.getAttribute('href')).toBe('/game-detail/cricket/5');
  });

  it('stands open to the event on the screen, and as the player left it', async () => {
    const at = { matchType: 'cricket', competitionId: 'c1', date: '2026-11-20' };
    show(<Screens tree={(here) => <SportTree loaders={loaders} at={here ? at : undefined} />} />);
    const opens = (name: RegExp | string) => screen.getByRole('button', { name }).getAttribute('aria-expanded');
    expect(await screen.findByRole('link', { name: /India v Australia/ })).toBeTruthy();
    expect([opens('Cricket'), opens('Tennis')]).toEqual(['true', 'false']);
    await userEvent.click(screen.getByRole('button', { name: 'Tennis' }));
    await userEvent.click(screen.getByRole('button', { name: /^2026\/11\/20/ }));
    expect(screen.queryByRole('link', { name: /India v Australia/ })).toBeNull();
    // Another screen: what only led there closes, what was opened by hand stays.
    await userEvent.click(screen.getByText('another screen'));
    expect([opens('Cricket'), opens('Tennis')]).toEqual(['false', 'true']);
    await userEvent.click(screen.getByText('another screen'));
    expect(await screen.findByRole('link', { name: /India v Australia/ })).toBeTruthy();
  });

  it('brings the event on the screen into sight within its own column, below however many tours', async () => {
    const onPage = vi.spyOn(window, 'scrollTo');
    // A column of 300 px from 100 down; the link of the event ends 250 px below it.
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      return this.tagName === 'A' ? new DOMRect(0, 618, 200, 32) : new DOMRect(0, 100, 200, 300);
    });
    const at = { matchType: 'cricket', competitionId: 'c1', date: '2026-11-20' };
    const other = { id: 6, title: 'Kenya v Oman', matchType: 'cricket', beventId: null, inPlay: false };
    const both = async () => [other];
    const { container } = show(
      <div style={{ overflowY: 'auto' }}>
        <SportTree loaders={{ ...loaders, matches: both }} at={at} />
      </div>,
      '/game-detail/cricket/6',
    );
    expect(await screen.findByRole('link', { name: /Kenya v Oman/ })).toBeTruthy();
    expect((container.firstElementChild as HTMLElement).scrollTop).toBe(250);
    expect([document.documentElement.scrollTop, onPage.mock.calls]).toEqual([0, []]);
  });

  it('says that a branch did not load and tries again', async () => {
    const competitions = vi.fn<TreeLoaders['competitions']>();
    competitions.mockRejectedValueOnce(new Error('no answer')).mockResolvedValue([]);
    show(<SportTree loaders={{ ...loaders, competitions }} />);
    await userEvent.click(screen.getByRole('button', { name: 'Darts' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No events now')).toBeTruthy();
  });
});

describe('SessionExpired', () => {
  it('[IDL-03] [IDL-04] [IDL-05] [CAR-18] counts from 5, says so to screen readers, and signs out', async () => {
    vi.useFakeTimers();
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => new Response('{"statusCode":200,"data":null}')),
    );
    signedIn();
    show(
      <>
        <SessionExpired />
        <LiveRegion />
      </>,
    );
    expect(screen.getByText('Your session has been expired,')).toBeTruthy();
    expect(document.querySelector('[aria-live="assertive"]')?.textContent).toContain(
      'Redirected to Login in 5 seconds.',
    );
    for (let left = 5; left >= 1; left--) {
      expect(screen.getByText(`Redirected to Login in ${left} seconds.`)).toBeTruthy();
      expect(readSession()).not.toBeNull();
      await act(async () => void vi.advanceTimersByTime(1000));
    }
    expect(readSession()).toBeNull();
  });

  it('[IDL-06] [IDL-07] [CAR-18] stops the count for good with Back to Home', async () => {
    vi.useFakeTimers();
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    signedIn();
    show(<SessionExpired />);
    fireEvent.click(screen.getByRole('button', { name: 'Back to Home' }));
    await act(async () => void vi.advanceTimersByTime(20_000));
    expect(assign).toHaveBeenCalledWith('/home');
    expect(readSession()).not.toBeNull();
  });
});

describe('OfflineBanner', () => {
  it('[IDL-09] [SHL-10] [CAR-07] says so while there is no network; back, the page loads at a moment of its own within five seconds', () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.8);
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    render(<OfflineBanner />);
    expect(screen.getByRole('alert').textContent).toContain('You are currently offline');
    online.mockReturnValue(true);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
    act(() => void window.dispatchEvent(new Event('online')));
    expect(screen.queryByRole('alert')).toBeNull();
    vi.advanceTimersByTime(3999);
    expect(reload).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(reload).toHaveBeenCalledTimes(1);
  });
});

function Two() {
  const [value, setValue] = useState('a');
  return (
    <Tabs
      label="Kinds"
      value={value}
      onChange={setValue}
      items={[
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' },
      ]}
    />
  );
}

describe('parts', () => {
  it('Modal shows its title, closes on Esc, and stays when it holds changes', () => {
    const onClose = vi.fn();
    const { rerender } = render(
      <Modal open onClose={onClose} title="Rules">
        Text
      </Modal>,
    );
    const dialog = screen.getByRole('dialog', { name: 'Rules' });
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(onClose).toHaveBeenCalledTimes(1);
    rerender(
      <Modal open onClose={onClose} title="Rules" dirty>
        Text
      </Modal>,
    );
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(onClose).toHaveBeenCalledTimes(1);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalledTimes(2);
  });

  it('Tabs move with the arrow keys and have one stop', async () => {
    render(<Two />);
    const [first, second] = screen.getAllByRole('tab');
    expect(second?.tabIndex).toBe(-1);
    first?.focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(second?.getAttribute('aria-selected')).toBe('true');
    expect(document.activeElement).toBe(second);
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(first);
  });

  it('[OPN-06] Field ties its label and its error to the control', () => {
    render(
      <Field label="Price Value 1" error="Whole numbers only">
        <NumberInput defaultValue="1x" />
      </Field>,
    );
    const input = screen.getByLabelText('Price Value 1');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(input.getAttribute('inputmode')).toBe('numeric');
    expect(document.getElementById(input.getAttribute('aria-describedby')!)?.textContent).toBe('Whole numbers only');
  });

  it('RadioCard is one choice of its group', async () => {
    const onChange = vi.fn();
    render(<RadioCard name="kind" checked={false} onChange={onChange} title="Authenticator app" note="Six digits" />);
    await userEvent.click(screen.getByRole('radio', { name: /Authenticator app/ }));
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it('figures, cards and balls say what they are', () => {
    render(
      <>
        <Money minor={123_456} />
        <Odds hundredths={1250} />
        <PlayingCard card="KS" />
        <PlayingCard card="back" />
        <BallChip ball="1wd" />
        <BallChip ball="W" />
        <BallChip ball="4" />
      </>,
    );
    expect(screen.getByText('1,234.56')).toBeTruthy();
    expect(screen.getByText('12.5')).toBeTruthy();
    expect(screen.getAllByRole('img').map((img) => img.getAttribute('aria-label'))).toEqual([
      'King of spades',
      'Card face down',
      '1 wide',
      'wicket',
      '4 runs',
    ]);
  });

  it('CountdownRing counts down to nothing', () => {
    vi.useFakeTimers({ now: 0 });
    render(<CountdownRing endsAtMs={10_000} totalMs={20_000} />);
    expect(screen.getByRole('timer').getAttribute('aria-label')).toBe('10 seconds left');
    act(() => void vi.advanceTimersByTime(30_000));
    expect(screen.getByRole('timer').getAttribute('aria-label')).toBe('0 seconds left');
  });

  it('the theme is kept for the next visit', () => {
    setTheme('dark');
    toggleTheme();
    expect(getTheme()).toBe('light');
    expect(localStorage.getItem('theme')).toBe('light');
    expect(document.documentElement.dataset.theme).toBe('light');
    setTheme('dark');
  });
});
