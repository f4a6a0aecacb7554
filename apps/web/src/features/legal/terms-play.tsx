import { type LegalSection, ProtectionLink } from './legal-page.tsx';

/** Sections 19 to 28 of the terms: bonus, bets, conduct, protection, claims (TAC-19..28). */
export const PLAY_SECTIONS: readonly LegalSection[] = [
  {
    title: 'Bonus Eligibility',
    body: (
      <p>
        A bonus is given once: one per person, household, address, e-mail, card, bank account, phone, device and IP
        address.
      </p>
    ),
  },
  {
    title: 'Bonus Wagering',
    body: (
      <>
        <p>While a bonus is being wagered the largest bet is EUR 5 per round, or 0.50 per line.</p>
        <p>Systems bets do not count to wagering.</p>
      </>
    ),
  },
  {
    title: 'Bonus States and Winnings',
    body: (
      <>
        <dl>
          <dt>Claimed</dt>
          <dd>You accepted the bonus.</dd>
          <dt>Wagering</dt>
          <dd>Your bets count towards its conditions.</dd>
          <dt>Forfeited</dt>
          <dd>It ended because a condition was not kept.</dd>
          <dt>Cancelled</dt>
          <dd>It was taken back before its conditions were met.</dd>
        </dl>
        <p>Before a deposit, the maximum withdrawal from bonus winnings is EUR 100.</p>
      </>
    ),
  },
  {
    title: 'Bets and Results',
    body: (
      <>
        <p>Each sport has its own rules. They stand in Rules, and on each market.</p>
        <ul>
          <li>Live TV has a delay of 5 seconds. Others may know more than the picture shows.</li>
          <li>Queries about cricket results or rates are taken within 7 days.</li>
        </ul>
        <p>Claims about transactions have another period; it stands in section 27.</p>
      </>
    ),
  },
  {
    title: 'Casino and Live Casino',
    body: (
      <p>
        The casino has the site's own card tables. The live casino offers the games of two providers; the rules shown in
        a game apply to that game.
      </p>
    ),
  },
  {
    title: 'Rights of the Operator',
    body: (
      <>
        <p>The operator may:</p>
        <ul>
          <li>refuse, suspend or close accounts;</li>
          <li>void bets;</li>
          <li>withhold funds.</li>
        </ul>
        <p>
          A person decides, with a reason. A voided bet names the rule, the time and who voided it, and both sides of it
          are treated alike. Fees and penalties in these terms are never taken automatically.
        </p>
      </>
    ),
  },
  {
    title: 'Forbidden Conduct',
    body: (
      <p>
        Ground bets, group bets and punching bets are forbidden. In cricket, winning bets of these three kinds are
        voided with a 2X penalty. A person decides on each case; nothing is taken automatically.
      </p>
    ),
  },
  {
    title: 'Player Protection',
    body: (
      <>
        <p>
          Players can set limits and players can self-exclude. <ProtectionLink />
        </p>
        <ul>
          <li>A limit increase takes effect after 7 days. A limit decrease takes effect immediately.</li>
          <li>The session time limit is set via support.</li>
          <li>A reality check appears hourly for non-UK players.</li>
          <li>UK cool-off lengths are 24 hours, 1 week, 3 weeks and 6 weeks.</li>
          <li>UK self-exclusion is at least 6 months.</li>
          <li>
            Cool-off and self-exclusion end with automatic reactivation, except UK self-exclusion, which does not end by
            itself and needs support.
          </li>
          <li>
            A restriction can be revoked once its period has elapsed. The revocation takes effect 7 days after the
            request.
          </li>
        </ul>
      </>
    ),
  },
  {
    title: 'Claims and Complaints',
    body: (
      <>
        <p>Claims about a transaction are made within 6 months.</p>
        <p>
          Queries about cricket results or rates have their own, shorter period: see section 22. Write to support and
          name the bet or the transaction; you are told the outcome and the reason.
        </p>
      </>
    ),
  },
  {
    title: 'Changes, Law and Contact',
    body: (
      <>
        <p>
          Changes of these terms are told on the site before they apply, with their date. Bets keep the terms under
          which they were placed.
        </p>
        <p>
          The law of the operator's place of business applies, and the protection of the law where you live remains.
        </p>
        <p>Contact: see 24X7 Support at the foot of every page.</p>
      </>
    ),
  },
];
