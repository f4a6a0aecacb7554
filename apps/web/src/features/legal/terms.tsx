import { LegalPage } from './legal-page.tsx';
import { ACCOUNT_SECTIONS } from './terms-account.tsx';
import { PLAY_SECTIONS } from './terms-play.tsx';

/** /terms-and-conditions: exactly 28 numbered sections (PUB-06, table TAC). */
export function Screen() {
  return (
    <LegalPage
      title="Terms and Conditions"
      lead={
        <p>
          These are the rules between you, the player, and the operator of this site. They are written to be read. The
          figures are the ones that count; the headings are there to help you find them.
        </p>
      }
      sections={[...ACCOUNT_SECTIONS, ...PLAY_SECTIONS]}
    />
  );
}
