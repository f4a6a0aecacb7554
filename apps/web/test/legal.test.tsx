import { readFileSync } from 'node:fs';
import { render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Footer } from '../src/app/footer.tsx';
import { PUBLIC_SCREENS } from '../src/app/routes.tsx';
import { Screen as ResponsibleGaming } from '../src/features/legal/responsible-gaming.tsx';
import { Screen as Terms } from '../src/features/legal/terms.tsx';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { signedIn } from './player.ts';

const call = vi.fn(() => Promise.reject(new Error('The API is switched off')));

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal('fetch', call);
});
afterEach(() => {
  vi.unstubAllGlobals();
  call.mockClear();
});

const show = (Page: () => React.JSX.Element) =>
  render(<RouterProvider router={createMemoryRouter([{ path: '*', Component: Page }])} />);

/** The text of one numbered section, its white space as read. */
function textOf(n: number): string {
  return document.getElementById(`section-${n}`)?.textContent?.replace(/\s+/g, ' ') ?? '';
}
const terms = (n: number) => {
  show(Terms);
  return textOf(n);
};
const gaming = (n: number) => {
  show(ResponsibleGaming);
  return textOf(n);
};
const has = (text: string, ...facts: string[]) => {
  for (const fact of facts) expect(text).toContain(fact);
};
const signIn = (isDemo: boolean) => signedIn({ userId: 1, isAuthenticator: null, isDemo });

const TERMS_TITLES = [
  'Introduction and Acceptance',
  'Definitions',
  'Who May Play',
  'Excluded Countries',
  'Opening an Account',
  'Age and Identity Verification',
  'Account Security',
  'Account States',
  'Duplicate Accounts',
  'Currencies and Conversion',
  'Deposits',
  'Chargebacks',
  'Withdrawals',
  'Extra Verification',
  'Withdrawal Fees',
  'Large Winnings',
  'Inactive Accounts',
  'Dormant Accounts',
  'Bonus Eligibility',
  'Bonus Wagering',
  'Bonus States and Winnings',
  'Bets and Results',
  'Casino and Live Casino',
  'Rights of the Operator',
  'Forbidden Conduct',
  'Player Protection',
  'Claims and Complaints',
  'Changes, Law and Contact',
];
const GAMING_TITLES = [
  'Adults Only',
  'Age Verification',
  'Your Limits',
  'Session Time Limit',
  'Reality Check',
  'Cool-Off',
  'Self-Exclusion',
  'Ending a Restriction',
  'Where to Find Help',
];
const STATES = ['active', 'frozen', 'blocked', 'closed', 'self-excluded', 'cooling off', 'inactive', 'dormant'];

describe('the legal pages', () => {
  it('[PUB-05] the terms are static: they draw whole while every call fails, and make none', () => {
    show(Terms);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Terms and Conditions');
    expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(28);
    expect(call).not.toHaveBeenCalled();
  });

  it('[PUB-06] [OPN-55] the terms have exactly 28 sections, 1 to 28 in order, under the titles of table TAC', () => {
    show(Terms);
    const heads = screen.getAllByRole('heading', { level: 2 }).map((head) => head.textContent);
    expect(heads).toEqual(TERMS_TITLES.map((title, i) => `${i + 1}. ${title}`));
  });

  it('[PUB-07] [OPN-55] Responsible Gaming is static and has the nine sections of table RGP', () => {
    show(ResponsibleGaming);
    const heads = screen.getAllByRole('heading', { level: 2 }).map((head) => head.textContent);
    expect(heads).toEqual(GAMING_TITLES.map((title, i) => `${i + 1}. ${title}`));
    expect(call).not.toHaveBeenCalled();
  });

  it('both are routes of the public shell', async () => {
    const load = (path: string) => PUBLIC_SCREENS.find((row) => row.path === path)?.load();
    expect((await load('terms-and-conditions'))?.Screen).toBe(Terms);
    expect((await load('responsible-gaming'))?.Screen).toBe(ResponsibleGaming);
  });

  it('[PUB-08] [CAR-17] the links of the footer open a new tab that knows nothing of the old one', () => {
    render(<Footer plain />);
    for (const [name, href] of [
      ['Terms and Conditions', '/terms-and-conditions'],
      ['Responsible Gaming', '/responsible-gaming'],
    ] as const) {
      const link = screen.getByRole('link', { name });
      expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
        href,
        '_blank',
        'noopener',
      ]);
    }
  });

  it.each([
    ['terms', Terms, 28],
    ['responsible gaming', ResponsibleGaming, 9],
  ] as const)('the contents of %s lead to every section by its anchor', (_, Page, count) => {
    show(Page);
    const links = within(screen.getByRole('navigation', { name: 'Contents' })).getAllByRole('link');
    expect(links).toHaveLength(count);
    for (const link of links) {
      const target = document.getElementById(link.getAttribute('href')!.slice(1));
      expect(target?.querySelector('h2')?.textContent?.replace('.', '')).toBe(
        link.textContent!.replace(/^(\d+)/, '$1 ').replace(/\s+/g, ' '),
      );
    }
  });

  it('print leaves out the chrome and writes black', () => {
    const css = readFileSync(`${import.meta.dirname}/../src/features/legal/legal.module.css`, 'utf8');
    const print = css.slice(css.indexOf('@media print'));
    has(print, '.auth__top', 'display: none', 'color: var(--black)', 'attr(href)');
  });
});

describe('the figures of the terms, each in its own section', () => {
  it('names what the site offers in section 1 and the two providers in section 23', () => {
    has(terms(1), 'betting exchange', 'casino of card tables', 'live casino with the games of two providers', 'accept');
    has(textOf(23), 'own card tables', 'two providers');
  });

  it('[LGL-01] [CAR-50] 18 or over, or the legal age where higher', () => {
    has(terms(3), '18 or over, or the legal age where higher', 'the stricter one applies');
  });
  it('[LGL-02] a real person, playing for self', () => {
    has(terms(3), 'a real person', 'You play for yourself');
    has(textOf(11), 'your own play');
  });
  it('[LGL-03] [LGL-04] not resident in an excluded country, the United States and its territories among them', () => {
    has(terms(4), 'resident in an excluded country', 'the United States and its territories');
  });
  it('[LGL-05] age verified within 72 hours of the first deposit', () => {
    has(terms(6), 'within 72 hours of your first deposit');
    has(textOf(11), 'The first deposit starts the 72 hours of age verification');
  });
  it('[LGL-06] one account per person and household; a demo account is restricted', () => {
    has(terms(5), 'one account per person and household', 'It is restricted', 'may refuse an account');
  });
  it('[LGL-07] one bonus per each of nine things', () => {
    has(terms(19), 'one per person, household, address, e-mail, card, bank account, phone, device and IP address');
  });
  it('[LGL-08] [LGL-09] [LGL-10] bonus bets: EUR 5 per round, 0.50 per line, no systems bets', () => {
    has(terms(20), 'EUR 5 per round', '0.50 per line', 'Systems bets do not count to wagering');
  });
  it('[LGL-11] [RTX-01] [CAR-53] two periods of claims, each in its own section', () => {
    has(terms(27), 'Claims about a transaction are made within 6 months');
    expect(textOf(27)).not.toContain('7 days');
    has(textOf(22), 'cricket results or rates are taken within 7 days');
    expect(textOf(22)).not.toContain('6 months');
  });
  it('[LGL-12] extra verification above EUR 2,000', () => {
    has(terms(14), 'cumulative withdrawals exceed EUR 2,000');
  });
  it('[LGL-13] a withdrawal is decided within 3 business days', () => {
    has(terms(13), 'decided within 3 business days', 'requested', 'approved', 'denied');
    has(textOf(13), 'cancelled: the funds return to your balance');
  });
  it('[LGL-14] large winnings in 10 monthly installments of 10%', () => {
    has(terms(16), 'EUR 20,000 or more may be paid in 10 monthly installments of 10%');
  });
  it('[LGL-15] the fee on withdrawals after the 30th', () => {
    has(terms(15), '2% (minimum EUR 5)', 'each withdrawal after the 30th in a calendar month');
  });
  it('[LGL-16] [ACC-03] inactive: 12 months, EUR 5 monthly', () => {
    has(terms(17), 'a real balance and no access for 12 months', 'EUR 5 monthly');
  });
  it('[LGL-17] duplicate-account fee', () => {
    has(terms(9), '10% (minimum EUR 50)');
  });
  it('[LGL-18] two chargeback reminders at EUR 50 each', () => {
    has(terms(12), 'Each reminder carries a fee of EUR 50', 'two reminders');
  });
  it('[LGL-19] EUR 100 from bonus winnings before a deposit', () => {
    has(terms(21), 'Before a deposit, the maximum withdrawal from bonus winnings is EUR 100');
    has(textOf(21), 'Claimed', 'Wagering', 'Forfeited', 'Cancelled');
  });
  it('[LGL-20] [LGL-21] [LGL-22] [CAR-49] currencies and the factors as written', () => {
    has(terms(10), 'EUR, BRL and USD', 'For bonus limits: BRL 1 = EUR 4', 'USD 1 = EUR 1');
  });
  it('[LGL-23] the reality check is hourly for non-UK players', () => {
    has(terms(26), 'A reality check appears hourly for non-UK players');
  });
  it('[LGL-24] [LGL-25] increases after 7 days, decreases immediately', () => {
    has(terms(26), 'A limit increase takes effect after 7 days', 'A limit decrease takes effect immediately');
  });
  it('[LGL-26] [LGL-27] UK self-exclusion and the four cool-off lengths', () => {
    has(terms(26), 'UK self-exclusion is at least 6 months', '24 hours, 1 week, 3 weeks and 6 weeks');
  });
  it('the ends of restrictions', () => {
    has(terms(26), 'automatic reactivation, except UK self-exclusion', 'needs support');
    has(textOf(26), 'once its period has elapsed', '7 days after the request');
  });

  it('[ACC-02] frozen means age not verified; all eight states are explained', () => {
    has(terms(6), 'whose age has not been verified by then is frozen');
    has(textOf(8), 'FrozenThe age of the player is not verified');
    for (const state of STATES) {
      has(textOf(2), state);
      has(textOf(8).toLowerCase(), state);
    }
  });
  it('[ACC-04] dormant: 30 months', () => {
    has(terms(18), 'without access for 30 months is dormant');
  });
  it('[ACC-14] [ACC-15] [ACC-16] the operator may refuse, suspend or close, void and withhold', () => {
    has(terms(24), 'refuse, suspend or close accounts', 'void bets', 'withhold funds');
  });
  it('[ACC-17] [ACC-18] [ACC-19] limits, self-exclusion, session time via support', () => {
    has(terms(26), 'Players can set limits', 'players can self-exclude', 'The session time limit is set via support');
  });
  it('[RTX-02] [CAR-48] the 2X penalty stands as a text, for the three kinds, and a person decides', () => {
    has(terms(25), 'Ground bets, group bets and punching bets', '2X penalty', 'nothing is taken automatically');
    has(textOf(24), 'never taken automatically', 'both sides of it are treated alike');
  });
  it('[RTX-14] live TV is 5 seconds late', () => {
    has(terms(22), 'Live TV has a delay of 5 seconds');
  });
  it('account security: the 6-digit code and the 6 hours', () => {
    has(terms(7), '6-digit security code', 'After 6 hours without activity you are signed out');
  });
  it('changes, law, contact', () => {
    has(terms(28), 'Changes of these terms', 'law', '24X7 Support');
  });
});

describe('the figures of Responsible Gaming, each in its own section', () => {
  it('[LGL-01] [CAR-50] adults only, with the badge', () => {
    has(gaming(1), '18 or over, or the legal age where higher');
    expect(screen.getByRole('img', { name: '18 and over' }).textContent).toBe('18+');
  });
  it('[LGL-05] age within 72 hours, unverified is frozen', () => {
    has(gaming(2), 'within 72 hours of your first deposit', 'frozen');
  });
  it('[ACC-17] [LGL-24] [LGL-25] limits', () => {
    has(gaming(3), 'Players can set limits', 'decrease takes effect immediately', 'increase takes effect after 7 days');
  });
  it('[ACC-19] the session time limit is set via support', () => {
    has(gaming(4), 'set via support');
  });
  it('[LGL-23] hourly for non-UK players', () => {
    has(gaming(5), 'hourly for non-UK players');
  });
  it('[LGL-27] the four UK cool-off lengths', () => {
    has(gaming(6), '24 hours, 1 week, 3 weeks and 6 weeks', 'cooling off', 'automatic reactivation');
  });
  it('[ACC-18] [LGL-26] self-exclusion', () => {
    has(gaming(7), 'Players can self-exclude', 'UK self-exclusion is at least 6 months', 'self-excluded');
    has(textOf(7), 'automatic reactivation, except in the UK', 'needs support');
  });
  it('revocation', () => {
    has(gaming(8), 'once its period has elapsed', '7 days after the request');
  });
  it('links to the two organisations', () => {
    has(gaming(9), '24X7 Support');
    const links = within(document.getElementById('section-9')!).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')])).toEqual([
      ['Gambling Therapy', 'https://www.gamblingtherapy.org', 'noopener noreferrer'],
      ['GamCare', 'https://www.gamcare.org.uk', 'noopener noreferrer'],
    ]);
  });

  it('[OPN-17] one press leads to the panel when signed in, the sign-in otherwise, neither for play money', () => {
    const paths = () =>
      within(screen.getByRole('article'))
        .getAllByRole('link')
        .map((link) => link.getAttribute('href'))
        .filter((href) => href?.startsWith('/'));
    const { unmount } = show(ResponsibleGaming);
    expect(new Set(paths())).toEqual(new Set(['/login']));
    unmount();
    signIn(false);
    const again = show(ResponsibleGaming);
    expect(new Set(paths())).toEqual(new Set(['/player-protection']));
    again.unmount();
    signIn(true);
    show(ResponsibleGaming);
    expect(paths()).toEqual([]);
  });
});
