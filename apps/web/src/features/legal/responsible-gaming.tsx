import { HelpLinks, LegalPage, type LegalSection, ProtectionLink } from './legal-page.tsx';
import css from '../../ui/footer.module.css';

/** /responsible-gaming: how a player is protected and where help is (PUB-07, table RGP). */
export function Screen() {
  return (
    <LegalPage
      title="Responsible Gaming"
      lead={
        <p>
          Betting is for money you can do without. Here is what keeps it that way: limits, breaks and people to talk to.
          Players can set limits and players can self-exclude at any time. <ProtectionLink />
        </p>
      }
      sections={SECTIONS}
    />
  );
}

const SECTIONS: readonly LegalSection[] = [
  {
    title: 'Adults Only',
    body: (
      <p>
        <span className={css.adult} role="img" aria-label="18 and over">
          18+
        </span>{' '}
        You are 18 or over, or the legal age where higher. Keep your password from anybody younger who uses the same
        device.
      </p>
    ),
  },
  {
    title: 'Age Verification',
    body: (
      <p>
        Your age is verified within 72 hours of your first deposit. An account whose age is not verified by then is
        frozen until it is.
      </p>
    ),
  },
  {
    title: 'Your Limits',
    body: (
      <>
        <p>
          Players can set limits: for deposits, losses, stakes, a single stake and exposure, per day, week or month. You
          choose the amount.
        </p>
        <ul>
          <li>A limit decrease takes effect immediately.</li>
          <li>A limit increase takes effect after 7 days. Until then you can cancel it.</li>
        </ul>
        <p>
          <ProtectionLink />
        </p>
      </>
    ),
  },
  {
    title: 'Session Time Limit',
    body: <p>A limit on the time you are signed in is set via support. Support can be reached day and night.</p>,
  },
  {
    title: 'Reality Check',
    body: (
      <p>
        A reality check appears hourly for non-UK players. It shows how long you have played and your net result, and
        waits for your answer: go on, look at your history, or sign out.
      </p>
    ),
  },
  {
    title: 'Cool-Off',
    body: (
      <p>
        A cool-off is a short break. UK cool-off lengths are 24 hours, 1 week, 3 weeks and 6 weeks. It starts at once
        and cannot be cut short. While it runs the account is in the state cooling off; it ends with automatic
        reactivation.
      </p>
    ),
  },
  {
    title: 'Self-Exclusion',
    body: (
      <>
        <p>
          Players can self-exclude. It starts at once and covers everything on the site; the account is then in the
          state self-excluded. UK self-exclusion is at least 6 months.
        </p>
        <p>
          It ends with automatic reactivation, except in the UK: UK self-exclusion does not end by itself and needs
          support.
        </p>
      </>
    ),
  },
  {
    title: 'Ending a Restriction',
    body: (
      <p>
        A restriction can be revoked once its period has elapsed, not before. The revocation takes effect 7 days after
        the request.
      </p>
    ),
  },
  {
    title: 'Where to Find Help',
    body: (
      <>
        <p>These organisations are independent of us. Talking to them is free and private.</p>
        <HelpLinks />
        <p>
          24X7 Support stands at the foot of every page. Support can set limits, breaks and exclusions for you, and the
          session time limit.
        </p>
      </>
    ),
  },
];
