import type { LegalSection } from './legal-page.tsx';

/** Sections 1 to 18 of the terms: the player, the account and the money (TAC-01..18). */
export const ACCOUNT_SECTIONS: readonly LegalSection[] = [
  {
    title: 'Introduction and Acceptance',
    body: (
      <>
        <p>
          fairGame offers a betting exchange on sports and races, a casino of card tables, and a live casino with the
          games of two providers.
        </p>
        <p>By using the site you accept these terms. If you do not agree with them, please do not use it.</p>
      </>
    ),
  },
  {
    title: 'Definitions',
    body: (
      <dl>
        <dt>Account state</dt>
        <dd>
          What an account may do at this moment. The states are active, frozen, blocked, closed, self-excluded, cooling
          off, inactive and dormant. Section 8 explains each.
        </dd>
        <dt>Bonus</dt>
        <dd>
          Money or play given under conditions. A bonus is claimed, wagering, forfeited or cancelled (section 21).
        </dd>
        <dt>Wagering</dt>
        <dd>The bets that must be placed before a bonus, and what was won with it, can be withdrawn.</dd>
        <dt>Withdrawal</dt>
        <dd>
          Money paid out from your balance to you. It starts as requested and becomes approved, denied or cancelled
          (section 13).
        </dd>
      </dl>
    ),
  },
  {
    title: 'Who May Play',
    body: (
      <ul>
        <li>You are 18 or over, or the legal age where higher. Where two rules differ, the stricter one applies.</li>
        <li>You are a real person.</li>
        <li>You play for yourself, not for anybody else.</li>
      </ul>
    ),
  },
  {
    title: 'Excluded Countries',
    body: (
      <p>
        You may not play while you are resident in an excluded country. Excluded countries include the United States and
        its territories. Ask support if you are not sure about yours.
      </p>
    ),
  },
  {
    title: 'Opening an Account',
    body: (
      <>
        <p>There is one account per person and household. Accounts are opened by the operator.</p>
        <p>
          A demo account plays with play money. It is restricted: it has fewer screens and no way to real money. The
          operator may refuse an account.
        </p>
      </>
    ),
  },
  {
    title: 'Age and Identity Verification',
    body: (
      <>
        <p>
          Your age is verified within 72 hours of your first deposit. The 72 hours run from the moment after that
          deposit.
        </p>
        <p>An account whose age has not been verified by then is frozen until it is.</p>
      </>
    ),
  },
  {
    title: 'Account Security',
    body: (
      <>
        <p>
          Your password and the 6-digit security code are yours to keep. Nobody who works for the site will ask you for
          them. Tell support at once if somebody else may know them.
        </p>
        <p>After 6 hours without activity you are signed out.</p>
      </>
    ),
  },
  {
    title: 'Account States',
    body: (
      <>
        <dl>
          <dt>Active</dt>
          <dd>The account can be used in full. In every other state no bet is accepted.</dd>
          <dt>Frozen</dt>
          <dd>The age of the player is not verified.</dd>
          <dt>Blocked</dt>
          <dd>Stopped by the operator while something is being looked at.</dd>
          <dt>Closed</dt>
          <dd>Ended, by the player or by the operator.</dd>
          <dt>Self-excluded</dt>
          <dd>Closed to betting by the player for a longer period.</dd>
          <dt>Cooling off</dt>
          <dd>Closed to betting by the player for a short break.</dd>
          <dt>Inactive</dt>
          <dd>There is a real balance, and no access for 12 months.</dd>
          <dt>Dormant</dt>
          <dd>No access for 30 months.</dd>
        </dl>
        <p>Money on an account stays the player's in every state.</p>
      </>
    ),
  },
  {
    title: 'Duplicate Accounts',
    body: (
      <p>
        A second account of the same person or household may be closed. The operator may charge a duplicate-account fee
        of 10% (minimum EUR 50). A person decides on it; it is never taken automatically.
      </p>
    ),
  },
  {
    title: 'Currencies and Conversion',
    body: (
      <>
        <p>The currencies are EUR, BRL and USD. An account has one of them.</p>
        <ul>
          <li>For bonus limits: BRL 1 = EUR 4.</li>
          <li>USD 1 = EUR 1.</li>
        </ul>
      </>
    ),
  },
  {
    title: 'Deposits',
    body: (
      <p>
        The first deposit starts the 72 hours of age verification in section 6. Deposits are for your own play and come
        from means of payment in your own name.
      </p>
    ),
  },
  {
    title: 'Chargebacks',
    body: (
      <p>
        If a deposit is charged back, the operator writes to you. Each reminder carries a fee of EUR 50, for at most two
        reminders.
      </p>
    ),
  },
  {
    title: 'Withdrawals',
    body: (
      <>
        <p>A withdrawal starts as requested. From there it becomes one of three:</p>
        <ul>
          <li>approved: the money is paid out;</li>
          <li>denied: the reason is given to you;</li>
          <li>cancelled: the funds return to your balance.</li>
        </ul>
        <p>A withdrawal is decided within 3 business days.</p>
      </>
    ),
  },
  {
    title: 'Extra Verification',
    body: (
      <p>
        When your cumulative withdrawals exceed EUR 2,000, extra verification is needed. Until it is done the withdrawal
        waits; the money remains yours.
      </p>
    ),
  },
  {
    title: 'Withdrawal Fees',
    body: (
      <p>
        Withdrawals are free up to the 30th in a calendar month. On each withdrawal after the 30th in a calendar month
        there is an admin fee of 2% (minimum EUR 5).
      </p>
    ),
  },
  {
    title: 'Large Winnings',
    body: (
      <p>
        Winnings of EUR 20,000 or more may be paid in 10 monthly installments of 10%. The installments add up to the
        winnings to the last cent.
      </p>
    ),
  },
  {
    title: 'Inactive Accounts',
    body: (
      <p>
        An account with a real balance and no access for 12 months is inactive. The fee on inactive accounts is EUR 5
        monthly. It never takes a balance below zero and ends when you sign in again.
      </p>
    ),
  },
  {
    title: 'Dormant Accounts',
    body: (
      <p>
        An account without access for 30 months is dormant. The operator writes to you before anything is done about its
        balance. Ask support to have it back.
      </p>
    ),
  },
];
