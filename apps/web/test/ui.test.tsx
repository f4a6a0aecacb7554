import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { UiErrorBoundary } from '../src/app/error-boundary.tsx';
import { RouteErrorScreen } from '../src/app/error-screen.tsx';
import { EventSearch } from '../src/app/event-search.tsx';
import { Footer } from '../src/app/footer.tsx';
import { loadScreen } from '../src/app/lazy-screen.ts';
import { LoginPage } from '../src/features/login/login-page.tsx';
import { Screen as Verify } from '../src/features/login/verify.tsx';
import {
  formatMoney,
  formatOdds,
  formatShort,
  formatSigned,
  formatTreeDate,
  formatWhole,
} from '../src/platform/format.ts';
import { holdReload, reloadOnce } from '../src/platform/reload.ts';
import { clearToasts, TOAST_LOG, TOAST_MS, toast, toastLog } from '../src/platform/toasts.ts';
import { endSession } from '../src/session/session.ts';
import { CashoutButton } from '../src/ui/cash-out-face.tsx';
import { CodeBoxes } from '../src/ui/code-boxes.tsx';
import { DataTable } from '../src/ui/data-table.tsx';
import { flash } from '../src/ui/flash.ts';
import { Logo } from '../src/ui/logo.tsx';
import { Money, SignedMoney } from '../src/ui/money.tsx';
import { Pagination, pageList } from '../src/ui/pagination.tsx';
import { cardName } from '../src/ui/playing-card.tsx';
import { PriceCell, paintCell } from '../src/ui/price-cell.tsx';
import { niceTicks } from '../src/ui/step-chart.tsx';
import { Strip } from '../src/ui/tabs.tsx';
import { ToastView } from '../src/ui/toast-view.tsx';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { signedIn } from './player.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const inRouter = (element: React.ReactNode) =>
  render(<RouterProvider router={createMemoryRouter([{ path: '*', element }])} />);

describe('Footer', () => {
  beforeEach(() => void render(<Footer support="" />));

  it('[FTR-02] [FTR-03] [PUB-08] shows the logo and both legal links, which open a new tab without an opener', () => {
    expect(screen.getByAltText('fairGame')).toBeTruthy();
    for (const [name, href] of [
      ['Terms and Conditions', '/terms-and-conditions'],
      ['Responsible Gaming', '/responsible-gaming'],
    ] as const) {
      const link = screen.getByRole('link', { name });
      expect(link.getAttribute('href')).toBe(href);
      expect(link.getAttribute('target')).toBe('_blank');
      expect(link.getAttribute('rel')).toContain('noopener');
    }
  });

  it('[FTR-04] [FTR-06] [FTR-07] shows 24X7 Support over an empty paragraph and an empty box', () => {
    const heading = screen.getByRole('heading', { name: '24X7 Support' });
    const paragraph = heading.nextElementSibling;
    expect(paragraph?.tagName).toBe('P');
    expect(paragraph?.textContent).toBe('');
    expect(document.querySelector('.footer__social')?.childNodes).toHaveLength(0);
  });

  it('[FTR-08] [FTR-09] [FTR-10] [FTR-12] shows the badges and the copyright line', () => {
    expect(screen.getByText('100% SAFE')).toBeTruthy();
    expect(screen.getByText(/Protected connection and encrypted data\./)).toBeTruthy();
    expect(screen.getByRole('img', { name: '18 and over' })).toBeTruthy();
    expect(screen.getByText(new RegExp(`© ${new Date().getFullYear()} fairGame`))).toBeTruthy();
  });

  it('[FTR-11] links to exactly two organisations elsewhere', () => {
    const outside = screen.getAllByRole('link').filter((link) => link.getAttribute('href')?.startsWith('https://'));
    expect(outside.map((link) => link.textContent)).toEqual(['Gambling Therapy', 'GamCare']);
  });
});

describe('Footer with a support text', () => {
  it('[CAR-43] shows the configured text', () => {
    render(<Footer support="Write to us at any hour" />);
    expect(screen.getByText('Write to us at any hour')).toBeTruthy();
  });
});

describe('Logo', () => {
  it('[SHL-02] has the alt text fairGame', () => {
    render(<Logo />);
    expect(screen.getByAltText('fairGame').tagName).toBe('IMG');
  });
});

describe('CodeBoxes', () => {
  const boxes = () => screen.getAllByRole('textbox') as HTMLInputElement[];
  const values = () =>
    boxes()
      .map((box) => box.value)
      .join('');

  it('[VER-02] has six boxes, named by their place', () => {
    render(<CodeBoxes onComplete={() => undefined} />);
    expect(boxes()).toHaveLength(6);
    expect(screen.getByLabelText('Digit 6 of 6')).toBeTruthy();
  });

  it('[VER-03] takes one digit a box, refuses letters, moves on and steps back', async () => {
    const user = userEvent.setup();
    render(<CodeBoxes onComplete={() => undefined} />);
    await user.type(boxes()[0]!, 'a');
    expect(values()).toBe('');
    await user.keyboard('4');
    expect(document.activeElement).toBe(boxes()[1]);
    await user.keyboard('0');
    expect(values()).toBe('40');
    await user.keyboard('{Backspace}');
    expect(values()).toBe('4');
    expect(document.activeElement).toBe(boxes()[1]);
  });

  it('[VER-04] fills all boxes from a paste with other signs in it', async () => {
    const user = userEvent.setup();
    const done = vi.fn();
    render(<CodeBoxes onComplete={done} />);
    await user.click(boxes()[0]!);
    await user.paste('123 456');
    expect(values()).toBe('123456');
    expect(done).toHaveBeenCalledTimes(1);
    expect(done).toHaveBeenCalledWith('123456');
  });

  it('[VER-05] [CAR-15] submits by itself with the sixth digit, once per code', async () => {
    const user = userEvent.setup();
    const done = vi.fn();
    render(<CodeBoxes onComplete={done} />);
    await user.click(boxes()[0]!);
    await user.keyboard('40712');
    expect(done).not.toHaveBeenCalled();
    await user.keyboard('3');
    expect(done).toHaveBeenCalledWith('407123');
    await user.paste('407123');
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('clears and goes back to the first box after a refusal', async () => {
    const user = userEvent.setup();
    const { rerender } = render(<CodeBoxes onComplete={() => undefined} />);
    await user.click(boxes()[0]!);
    await user.paste('111111');
    rerender(<CodeBoxes onComplete={() => undefined} error="The code is wrong" />);
    expect(values()).toBe('');
    expect(document.activeElement).toBe(boxes()[0]);
  });
});

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    clearToasts();
    render(<ToastView />);
  });

  it('[ERR-02] shows an error for 1500 ms and keeps it in the list', () => {
    act(() => toast.error('Odds not available'));
    expect(within(screen.getByRole('alert')).getByText('Odds not available')).toBeTruthy();
    act(() => void vi.advanceTimersByTime(TOAST_MS - 10));
    expect(screen.queryByText('Odds not available')).toBeTruthy();
    act(() => void vi.advanceTimersByTime(20));
    expect(screen.queryByText('Odds not available')).toBeNull();
    expect(toastLog()[0]?.text).toBe('Odds not available');
  });

  it('[API-07] [CAR-19] shows one at a time, in one holder', () => {
    act(() => {
      toast.success('First');
      toast.success('Second');
    });
    expect(screen.getAllByRole('status')).toHaveLength(1);
    expect(screen.getByText('First')).toBeTruthy();
    expect(screen.queryByText('Second')).toBeNull();
    act(() => void vi.advanceTimersByTime(1500));
    expect(screen.getByText('Second')).toBeTruthy();
  });

  it('stays while the pointer is on it and closes on a press', () => {
    act(() => toast.success('Held'));
    fireEvent.mouseEnter(screen.getByText('Held'));
    act(() => void vi.advanceTimersByTime(10_000));
    expect(screen.getByText('Held')).toBeTruthy();
    fireEvent.click(screen.getByText('Held'));
    expect(screen.queryByText('Held')).toBeNull();
  });

  it('keeps the last 50 messages', () => {
    act(() => {
      for (let i = 0; i < 60; i++) toast.info(`Message ${i}`);
    });
    expect([TOAST_MS, TOAST_LOG]).toEqual([1500, 50]);
    expect(toastLog()).toHaveLength(TOAST_LOG);
    expect(toastLog()[0]?.text).toBe('Message 59');
  });
});

describe('DataTable', () => {
  const columns = [
    { id: 'when', head: 'Date', cell: (row: { id: string; n: number }) => row.id, card: 'meta' as const },
    { id: 'amount', head: 'Amount', numeric: true, sortable: true, cell: (row: { id: string; n: number }) => row.n },
  ];
  const rows = [
    { id: 'a', n: 1 },
    { id: 'b', n: 2 },
  ];

  it('shows heads, rows, a total, and names itself', () => {
    render(
      <DataTable
        caption="Account statement"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        total={{ when: 'Total', amount: 3 }}
      />,
    );
    expect(screen.getByRole('table', { name: 'Account statement' })).toBeTruthy();
    expect(screen.getAllByRole('columnheader').map((th) => th.textContent)).toEqual(['Date', 'Amount']);
    expect(screen.getAllByRole('row')).toHaveLength(4);
    expect(screen.getByText('Total')).toBeTruthy();
  });

  it('asks for a sort and turns it round', async () => {
    const sorted = vi.fn();
    const { rerender } = render(
      <DataTable caption="x" columns={columns} rows={rows} rowKey={(row) => row.id} onSort={sorted} />,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Amount' }));
    expect(sorted).toHaveBeenLastCalledWith({ id: 'amount', dir: 'desc' });
    rerender(
      <DataTable
        caption="x"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        onSort={sorted}
        sort={{ id: 'amount', dir: 'desc' }}
      />,
    );
    expect(screen.getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort')).toBe('descending');
    await userEvent.click(screen.getByRole('button', { name: 'Amount' }));
    expect(sorted).toHaveBeenLastCalledWith({ id: 'amount', dir: 'asc' });
  });

  it('shows what it is given when there are no rows', () => {
    render(<DataTable caption="x" columns={columns} rows={[]} rowKey={(row) => row.id} empty={<p>Nothing yet</p>} />);
    expect(screen.getByText('Nothing yet')).toBeTruthy();
  });
});

describe('Pagination', () => {
  it('counts entries and leads to pages', async () => {
    const onPage = vi.fn();
    render(<Pagination page={1} limit={15} total={248} onPage={onPage} />);
    expect(screen.getByText('1 to 15 of 248 entries')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Page 17' }));
    expect(onPage).toHaveBeenCalledWith(17);
    expect((screen.getByRole('button', { name: 'Previous page' }) as HTMLButtonElement).disabled).toBe(true);
  });

  it('says 0 to 0 of 0 for nothing', () => {
    render(<Pagination page={1} limit={15} total={0} onPage={() => undefined} />);
    expect(screen.getByText('0 to 0 of 0 entries')).toBeTruthy();
  });

  it('lists first, last and neighbours, and never a gap of one', () => {
    expect(pageList(1, 5)).toEqual([1, 2, 3, 4, 5]);
    expect(pageList(1, 17)).toEqual([1, 2, -17, 17]);
    expect(pageList(9, 17)).toEqual([1, -8, 8, 9, 10, -17, 17]);
    expect(pageList(4, 17)).toEqual([1, 2, 3, 4, 5, -17, 17]);
  });
});

describe('numbers', () => {
  it('writes money with commas, two decimals and the true minus', () => {
    expect(formatMoney(4_825_000)).toBe('48,250.00');
    expect(formatMoney(-5)).toBe('−0.05');
    expect(formatSigned(27_546)).toBe('+275.46');
    expect(formatSigned(-86_000)).toBe('−860.00');
    expect(formatSigned(0)).toBe('0.00');
    expect(formatSigned(350_000, 0)).toBe('+3,500');
  });

  it('keeps the sign of an amount before it in text that runs from right to left', () => {
    render(
      <div dir="rtl">
        <Money minor={-86_000} />
        <SignedMoney minor={-86_000} />
        <SignedMoney minor={27_546} />
        <CashoutButton minor={27_546} onPress={() => undefined} />
      </div>,
    );
    const shown = ['\u2212860.00', '+275.46'].flatMap((text) => screen.getAllByText(text));
    expect(shown.map((one) => one.closest('[dir]')!.getAttribute('dir'))).toEqual(['ltr', 'ltr', 'ltr', 'ltr']);
  });

  it('writes sizes whole in cells and short in lists', () => {
    expect(formatWhole(2_461_800)).toBe('24,618');
    expect(formatWhole(99_999_900)).toBe('999,999');
    expect(formatWhole(100_000_000)).toBe('1.0M');
    expect(formatShort(86_000)).toBe('860');
    expect(formatShort(194_000)).toBe('1.9k');
    expect(formatShort(2_461_800)).toBe('24.6k');
    expect(formatShort(6_200_000)).toBe('62k');
    expect(formatShort(124_000_000)).toBe('1.2M');
  });

  it('[SID-15] writes tree dates YYYY/MM/DD', () => {
    expect(formatTreeDate('2026-11-20')).toBe('2026/11/20');
    expect(formatTreeDate(Date.UTC(2026, 10, 23, 23, 59))).toBe('2026/11/23');
  });

  it('writes odds with two, one or no decimals', () => {
    expect([184, 410, 1250, 3400].map(formatOdds)).toEqual(['1.84', '4.10', '12.5', '34']);
  });

  it('finds round values for a chart', () => {
    expect(niceTicks(1.84, 2.2)).toEqual([1.8, 1.9, 2, 2.1, 2.2]);
    expect(niceTicks(5, 5).length).toBeGreaterThan(1);
  });

  it('names cards in words', () => {
    expect(cardName('KS')).toBe('King of spades');
    expect(cardName('10H')).toBe('10 of hearts');
    expect(cardName('back')).toBeNull();
  });
});

describe('PriceCell', () => {
  it('stays the same button when the price goes and comes back', () => {
    const press = vi.fn();
    const cell = (price: string | null) => (
      <PriceCell
        side="back"
        price={price}
        size="24,618"
        label={price ? `Back India at ${price}, 24,618 available` : 'Back India, no price'}
        onPress={press}
      />
    );
    const { rerender } = render(cell('1.84'));
    const button = screen.getByRole('button', { name: 'Back India at 1.84, 24,618 available' });
    button.focus();
    fireEvent.click(button);
    rerender(cell(null));
    fireEvent.click(button);
    expect(press).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('button', { name: 'Back India, no price' })).toBe(button);
    expect(document.activeElement).toBe(button);
  });

  it('is painted without rendering and marked once', () => {
    vi.useFakeTimers();
    render(<PriceCell side="lay" price="1.85" size="100" label="Lay India at 1.85" onPress={() => undefined} />);
    const button = screen.getByRole('button');
    paintCell(button, { price: '1.86', size: '90', move: 'up', label: 'Lay India at 1.86' });
    expect(button.textContent).toBe('1.8690');
    expect(button.classList.contains('is-up')).toBe(true);
    // Within a second the arrow turns, but the cell does not light up again.
    button.classList.add('is-fading');
    flash(button, 'down', performance.now() + 10);
    expect([...button.classList].sort()).toEqual(['is-dn', 'is-fading', 'price__cell', 'price__lay']);
    vi.advanceTimersByTime(1500);
    expect(button.className).toBe('price__cell price__lay');
  });
});

describe('EventSearch', () => {
  const hit = {
    id: 5,
    matchType: 'tennis' as const,
    title: 'A v B',
    startAt: '2026-11-20T10:00:00Z',
    beventId: '9',
    competitionName: 'Turin',
    inPlay: false,
  };

  it('[SRC-01] [SRC-02] [SRC-03] asks from three characters on, once, 500 ms after the last key', () => {
    vi.useFakeTimers();
    const search = vi.fn(async () => [hit]);
    inRouter(<EventSearch open={false} onClose={() => undefined} search={search} />);
    const field = screen.getByRole('combobox');
    const type = (value: string) => fireEvent.change(field, { target: { value } });
    type('ab');
    act(() => void vi.advanceTimersByTime(2000));
    expect(search).not.toHaveBeenCalled();
    type('abc');
    act(() => void vi.advanceTimersByTime(499));
    type('abcd');
    act(() => void vi.advanceTimersByTime(499));
    expect(search).not.toHaveBeenCalled();
    act(() => void vi.advanceTimersByTime(1));
    expect(search).toHaveBeenCalledTimes(1);
    expect(search).toHaveBeenCalledWith('abcd', expect.anything());
  });

  it('[SRC-04] [SRC-05] [SRC-08] shows links, says when there are none, and clears', async () => {
    let answer = [hit];
    inRouter(<EventSearch open={false} onClose={() => undefined} search={async () => answer} />);
    const field = screen.getByRole('combobox');
    fireEvent.focus(field);
    fireEvent.change(field, { target: { value: 'abc' } });
    const option = await screen.findByRole('option', { name: /^A v B/ }, { timeout: 2000 });
    expect(option.getAttribute('href')).toBe('/game-detail/tennis/5?bid=9');
    // Behind the events, also for the arrows, stands the page with all of them.
    const all = screen.getByRole('option', { name: 'All events with \u201cabc\u201d' });
    expect(all.getAttribute('href')).toBe('/search?q=abc');
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    expect(all.getAttribute('aria-selected')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(screen.queryByRole('option')).toBeNull();
    answer = [];
    fireEvent.focus(field);
    fireEvent.change(field, { target: { value: 'abcd' } });
    expect(await screen.findByText('No real-time records found', {}, { timeout: 2000 })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(screen.queryByText('No real-time records found')).toBeNull();
  });
});

describe('the screen of the security code', () => {
  it.each([
    ['1', 1],
    ['2', 0],
    [null, 0],
  ])('[VER-06] has Resend Code for codes by message alone: authType %s', (authType, count) => {
    signedIn({ isAuthenticator: null, authType: Number(authType) });
    if (authType === null) sessionStorage.removeItem('authType');
    inRouter(<Verify />);
    expect(screen.getByRole('heading', { name: 'Enter your security code' })).toBeTruthy();
    expect(screen.queryAllByRole('button', { name: 'Resend Code' })).toHaveLength(count);
    endSession('signedOut');
  });
});

describe('LoginPage', () => {
  const page = (over: Partial<Parameters<typeof LoginPage>[0]> = {}) =>
    inRouter(<LoginPage onLogin={async () => undefined} onDemo={async () => undefined} {...over} />);

  it('[OPN-03] [PUB-04] has user name, password with show, Login, Demo login and both legal links', async () => {
    page();
    expect(screen.getByLabelText('Username')).toBeTruthy();
    const password = screen.getByLabelText('Password') as HTMLInputElement;
    expect(password.type).toBe('password');
    await userEvent.click(screen.getByRole('button', { name: 'Show characters' }));
    expect(password.type).toBe('text');
    expect(screen.getByRole('button', { name: 'Login' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Demo login' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Responsible Gaming' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Terms and Conditions' })).toBeTruthy();
  });

  it('[OPN-04] [OPN-06] refuses empty fields with a line tied to each, trims the name and never the password', async () => {
    const onLogin = vi.fn(async () => undefined);
    page({ onLogin });
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    const name = screen.getByLabelText('Username');
    expect(document.getElementById(name.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Enter your user name',
    );
    expect(document.activeElement).toBe(name);
    expect(onLogin).not.toHaveBeenCalled();
    await userEvent.type(name, '  arjun21 ');
    await userEvent.type(screen.getByLabelText('Password'), ' pass word ');
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    expect(onLogin).toHaveBeenCalledWith('arjun21', ' pass word ');
  });

  it('[CAR-10] shows the reason of a refusal and keeps it', async () => {
    page({
      onLogin: async () => {
        throw new Error('User name or password is wrong');
      },
    });
    await userEvent.type(screen.getByLabelText('Username'), 'a');
    await userEvent.type(screen.getByLabelText('Password'), 'b');
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    expect((await screen.findByRole('alert')).textContent).toContain('User name or password is wrong');
  });
});

function Broken(): never {
  throw new Error('broken');
}

describe('errors and reloads', () => {
  const quiet = () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    return vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  };

  it('[CAR-05] [CAR-06] reloads at most once in 60 s, and not while a bet is on its way', () => {
    const reload = quiet();
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 20) });
    const release = holdReload();
    expect(reloadOnce('test')).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(reload).not.toHaveBeenCalled();
    release();
    expect(reload).toHaveBeenCalledTimes(1);
    expect(reloadOnce('again')).toBe(false);
    vi.advanceTimersByTime(61_000);
    expect(reloadOnce('later')).toBe(true);
    vi.advanceTimersByTime(1);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('reloads without a network only when it is back: the error page of the browser would stay', () => {
    const reload = quiet();
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 6) });
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect(reloadOnce('test')).toBe(true);
    vi.advanceTimersByTime(120_000);
    expect(reload).not.toHaveBeenCalled();
    online.mockReturnValue(true);
    fireEvent(window, new Event('online'));
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('[PUB-12] tries a screen twice more, then logs and reloads once', async () => {
    const reload = quiet();
    const load = vi.fn(async () => {
      throw new Error('no such chunk');
    });
    await expect(loadScreen(load, [1, 1])).rejects.toThrow('could not be loaded');
    expect(load).toHaveBeenCalledTimes(3);
    expect(console.error).toHaveBeenCalled();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1), 10_000);
  });

  it('[IDL-11] [IDL-12] [IDL-13] shows the message with Refresh after a screen failed', async () => {
    const reload = quiet();
    inRouter(
      <UiErrorBoundary resetKey="/x">
        <Broken />
      </UiErrorBoundary>,
    );
    expect(screen.getByText('Website is updating please try again after refreshing the page.')).toBeTruthy();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1), 10_000);
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(reload).toHaveBeenCalledTimes(2);
  });

  /** The screen of errors, in place of a screen whose guard says this. */
  function failing(error: unknown) {
    quiet();
    const guard = () => {
      throw error;
    };
    const router = createMemoryRouter([{ children: [{ path: '/', guard, element: <p>x</p> }] }]);
    render(<RouterProvider router={router} Failed={RouteErrorScreen} />);
  }

  it('[ERR-08] an address of no screen is 404 Not Found', async () => {
    quiet();
    const router = createMemoryRouter([{ path: '/here', element: <p>x</p> }]);
    render(<RouterProvider router={router} Failed={RouteErrorScreen} />);
    expect(await screen.findByText('404 Not Found')).toBeTruthy();
    await act(() => router.navigate('/here'));
    expect(screen.getByText('x')).toBeTruthy();
  });

  it('[ERR-09] a method that a route does not take is 405 Method Not Allowed', async () => {
    failing(new Response(null, { status: 405 }));
    expect(await screen.findByText('405 Method Not Allowed')).toBeTruthy();
  });

  it('[ERR-10] shows the generic screen for any other routing error', async () => {
    failing(new Error('odd'));
    expect(await screen.findByText('Unexpected Application Error!')).toBeTruthy();
  });
});

describe('Strip', () => {
  it('has an arrow where it goes on, which brings the rest, and none where it ends', async () => {
    const size = (name: 'scrollWidth' | 'clientWidth', value: number) =>
      vi.spyOn(HTMLElement.prototype, name, 'get').mockReturnValue(value);
    size('scrollWidth', 1000);
    size('clientWidth', 400);
    const items = ['all', 'cards', 'dice'].map((id) => ({ id, label: id }));
    render(<Strip label="Kinds" items={items} value="all" onChange={() => undefined} />);
    const list = screen.getByRole('tablist');
    const arrows = () => [...document.querySelectorAll<HTMLElement>('.market__stripArrow')];
    // A browser says how long it is once it is laid out.
    fireEvent.scroll(list);
    // Tabs are moved through by keys: the arrow is no stop of its own, and nothing for a screen reader.
    expect(arrows().map((one) => [one.tabIndex, one.getAttribute('aria-hidden')])).toEqual([[-1, 'true']]);
    const scrollBy = vi.fn();
    list.scrollBy = scrollBy;
    fireEvent.click(arrows()[0]!);
    expect(scrollBy).toHaveBeenCalledWith(expect.objectContaining({ left: 280 }));
    list.scrollLeft = 280;
    fireEvent.scroll(list);
    expect(arrows()).toHaveLength(2);
    list.scrollLeft = 600;
    fireEvent.scroll(list);
    expect(arrows()).toHaveLength(1);
    fireEvent.click(arrows()[0]!);
    expect(scrollBy).toHaveBeenLastCalledWith(expect.objectContaining({ left: -280 }));
    // From right to left it begins at nought as well, and goes on below it.
    document.dir = 'rtl';
    onTestFinished(() => {
      document.dir = '';
    });
    list.scrollLeft = -280;
    fireEvent.scroll(list);
    expect(arrows()).toHaveLength(2);
    fireEvent.click(arrows()[1]!);
    expect(scrollBy).toHaveBeenLastCalledWith(expect.objectContaining({ left: -280 }));
    list.scrollLeft = -600;
    fireEvent.scroll(list);
    expect(arrows()).toHaveLength(1);
    fireEvent.click(arrows()[0]!);
    expect(scrollBy).toHaveBeenLastCalledWith(expect.objectContaining({ left: 280 }));
  });

  it('looks anew how long it is when a tab comes', () => {
    const watched = new Set<Element>();
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe = (one: Element) => watched.add(one);
        disconnect = () => watched.clear();
      },
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const strip = (...ids: string[]) => (
      <Strip label="Kinds" items={ids.map((id) => ({ id, label: id }))} value="" onChange={() => undefined} />
    );
    const { rerender } = render(strip('all'));
    rerender(strip('all', 'cards'));
    expect(watched).toContain(screen.getByRole('tab', { name: 'cards' }));
  });
});
