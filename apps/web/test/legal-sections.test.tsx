import { render, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Screen as ResponsibleGaming } from '../src/features/legal/responsible-gaming.tsx';
import { Screen as Terms } from '../src/features/legal/terms.tsx';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';

beforeEach(
  () =>
    void vi.stubGlobal('matchMedia', () => ({
      matches: false,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    })),
);

/** Section `n` of the page has this title and states these facts. */
function states(Page: () => React.JSX.Element, n: number, title: string, ...facts: string[]): HTMLElement {
  render(<RouterProvider router={createMemoryRouter([{ path: '*', Component: Page }])} />);
  const section = document.getElementById(`section-${n}`)!;
  expect(within(section).getByRole('heading', { level: 2 }).textContent).toBe(`${n}. ${title}`);
  // Terms and their meanings stand beside each other: a space between them, as they are read.
  const words = [...section.querySelectorAll('h2, p, li, dt, dd')]
    .map((one) => one.textContent)
    .join(' ')
    .replace(/\s+/g, ' ');
  for (const fact of facts) expect(words).toContain(fact);
  return section;
}

describe('the 28 sections of the terms, each with its facts', () => {
  it('[TAC-01] Introduction and Acceptance', () => {
    states(
      Terms,
      1,
      'Introduction and Acceptance',
      'betting exchange',
      'card tables',
      'live casino with the games of two providers',
      'you accept these terms',
    );
  });

  it('[TAC-02] Definitions', () => {
    states(
      Terms,
      2,
      'Definitions',
      'active, frozen, blocked, closed, self-excluded, cooling off, inactive and dormant',
      'Bonus',
      'Wagering',
      'Withdrawal',
    );
  });

  it('[TAC-03] Who May Play', () => {
    states(Terms, 3, 'Who May Play', '18 or over, or the legal age', 'a real person', 'play for yourself');
  });

  it('[TAC-04] Excluded Countries', () => {
    states(Terms, 4, 'Excluded Countries', 'resident in an excluded country', 'the United States and its territories');
  });

  it('[TAC-05] Opening an Account', () => {
    states(
      Terms,
      5,
      'Opening an Account',
      'one account per person and household',
      'demo account',
      'restricted',
      'The operator may refuse an account',
    );
  });

  it('[TAC-06] Age and Identity Verification', () => {
    states(
      Terms,
      6,
      'Age and Identity Verification',
      'within 72 hours of your first deposit',
      'after that deposit',
      'frozen',
    );
  });

  it('[TAC-07] Account Security', () => {
    states(
      Terms,
      7,
      'Account Security',
      'password and the 6-digit security code are yours to keep',
      'After 6 hours without activity you are signed out',
    );
  });

  it('[TAC-08] Account States', () => {
    states(
      Terms,
      8,
      'Account States',
      'Active',
      'Frozen The age of the player is not verified',
      'Blocked',
      'Closed',
      'Self-excluded',
      'Cooling off',
      'Inactive',
      'Dormant',
    );
  });

  it('[TAC-09] Duplicate Accounts', () => {
    states(Terms, 9, 'Duplicate Accounts', '10% (minimum EUR 50)');
  });

  it('[TAC-10] Currencies and Conversion', () => {
    states(Terms, 10, 'Currencies and Conversion', 'EUR, BRL and USD', 'BRL 1 = EUR 4', 'USD 1 = EUR 1');
  });

  it('[TAC-11] Deposits', () => {
    states(Terms, 11, 'Deposits', 'first deposit starts the 72 hours', 'for your own play');
  });

  it('[TAC-12] Chargebacks', () => {
    states(Terms, 12, 'Chargebacks', 'EUR 50', 'two reminders');
  });

  it('[TAC-13] Withdrawals', () => {
    states(
      Terms,
      13,
      'Withdrawals',
      'requested',
      'approved',
      'denied',
      'cancelled: the funds return',
      'within 3 business days',
    );
  });

  it('[TAC-14] Extra Verification', () => {
    states(Terms, 14, 'Extra Verification', 'cumulative withdrawals exceed EUR 2,000');
  });

  it('[TAC-15] Withdrawal Fees', () => {
    states(Terms, 15, 'Withdrawal Fees', 'after the 30th in a calendar month', '2% (minimum EUR 5)');
  });

  it('[TAC-16] Large Winnings', () => {
    states(Terms, 16, 'Large Winnings', 'EUR 20,000 or more', '10 monthly installments of 10%');
  });

  it('[TAC-17] Inactive Accounts', () => {
    states(Terms, 17, 'Inactive Accounts', 'real balance', 'no access for 12 months', 'EUR 5 monthly');
  });

  it('[TAC-18] Dormant Accounts', () => {
    states(Terms, 18, 'Dormant Accounts', '30 months');
  });

  it('[TAC-19] Bonus Eligibility', () => {
    states(
      Terms,
      19,
      'Bonus Eligibility',
      'per person, household, address, e-mail, card, bank account, phone, device and IP',
    );
  });

  it('[TAC-20] Bonus Wagering', () => {
    states(Terms, 20, 'Bonus Wagering', 'EUR 5 per round', '0.50 per line', 'Systems bets do not count');
  });

  it('[TAC-21] Bonus States and Winnings', () => {
    states(
      Terms,
      21,
      'Bonus States and Winnings',
      'Claimed',
      'Wagering',
      'Forfeited',
      'Cancelled',
      'Before a deposit',
      'EUR 100',
    );
  });

  it('[TAC-22] Bets and Results', () => {
    states(Terms, 22, 'Bets and Results', 'Each sport has its own rules', 'delay of 5 seconds', 'within 7 days');
  });

  it('[TAC-23] Casino and Live Casino', () => {
    states(Terms, 23, 'Casino and Live Casino', 'own card tables', 'games of two providers');
  });

  it('[TAC-24] Rights of the Operator', () => {
    states(Terms, 24, 'Rights of the Operator', 'refuse, suspend or close accounts', 'void bets', 'withhold funds');
  });

  it('[TAC-25] Forbidden Conduct', () => {
    states(
      Terms,
      25,
      'Forbidden Conduct',
      'Ground bets, group bets and punching bets',
      'winning bets',
      'voided with a 2X penalty',
    );
  });

  it('[TAC-26] Player Protection', () => {
    states(
      Terms,
      26,
      'Player Protection',
      'set limits',
      'self-exclude',
      'increase takes effect after 7 days',
      'decrease takes effect immediately',
      'session time limit is set via support',
      'hourly for non-UK players',
      'at least 6 months',
      '24 hours, 1 week, 3 weeks and 6 weeks',
      'automatic reactivation, except UK self-exclusion',
      'needs support',
      '7 days after the request',
    );
  });

  it('[TAC-27] Claims and Complaints', () => {
    states(Terms, 27, 'Claims and Complaints', 'within 6 months');
  });

  it('[TAC-28] Changes, Law and Contact', () => {
    states(Terms, 28, 'Changes, Law and Contact', 'Changes of these terms', 'law of the operator', '24X7 Support');
  });
});

describe('the nine sections of Responsible Gaming, each with its facts', () => {
  it('[RGP-01] Adults Only', () => {
    const section = states(ResponsibleGaming, 1, 'Adults Only', '18 or over, or the legal age');
    expect(within(section).getByRole('img', { name: '18 and over' }).textContent).toBe('18+');
  });

  it('[RGP-02] Age Verification', () => {
    states(ResponsibleGaming, 2, 'Age Verification', 'within 72 hours of your first deposit', 'frozen');
  });

  it('[RGP-03] Your Limits', () => {
    states(
      ResponsibleGaming,
      3,
      'Your Limits',
      'Players can set limits',
      'decrease takes effect immediately',
      'increase takes effect after 7 days',
    );
  });

  it('[RGP-04] Session Time Limit', () => {
    states(ResponsibleGaming, 4, 'Session Time Limit', 'set via support');
  });

  it('[RGP-05] Reality Check', () => {
    states(ResponsibleGaming, 5, 'Reality Check', 'hourly for non-UK players');
  });

  it('[RGP-06] Cool-Off', () => {
    states(
      ResponsibleGaming,
      6,
      'Cool-Off',
      '24 hours, 1 week, 3 weeks and 6 weeks',
      'automatic reactivation',
      'state cooling off',
    );
  });

  it('[RGP-07] Self-Exclusion', () => {
    states(
      ResponsibleGaming,
      7,
      'Self-Exclusion',
      'Players can self-exclude',
      'at least 6 months',
      'automatic reactivation, except in the UK',
      'needs support',
      'state self-excluded',
    );
  });

  it('[RGP-08] Ending a Restriction', () => {
    states(ResponsibleGaming, 8, 'Ending a Restriction', 'once its period has elapsed', '7 days after the request');
  });

  it('[RGP-09] Where to Find Help', () => {
    const section = states(ResponsibleGaming, 9, 'Where to Find Help', '24X7 Support');
    const links = within(section).getAllByRole('link');
    expect(links).toHaveLength(2);
    for (const link of links) expect(new URL((link as HTMLAnchorElement).href).origin).not.toBe(window.location.origin);
  });
});
