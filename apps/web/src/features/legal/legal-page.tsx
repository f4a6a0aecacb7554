import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect } from 'react';
import { HELP_ORGANISATIONS } from '../../platform/help.ts';
import { language } from '../../platform/language.ts';
import { Link } from '../../platform/routing.tsx';
import { readSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Logo } from '../../ui/logo.tsx';
import { PHONE, useMedia } from '../../ui/media.ts';
import { Note } from '../../ui/note.tsx';
import { ThemeButton } from '../../ui/theme-button.tsx';
import authCss from '../../ui/auth.module.css';
import css from './legal.module.css';

export type LegalSection = { title: string; body: ReactNode };

/** The date these texts were last changed; it stands on the page and in print. */
const CHANGED = '20 Nov 2026';

/**
 * A legal page: contents, numbered sections with anchors (#section-n), print. Static: it asks the server for nothing, so that
 * it stays readable whatever else does not work (PUB-05, PUB-07, CAR-16).
 */
export function LegalPage({
  title,
  lead,
  sections,
}: {
  title: string;
  lead: ReactNode;
  sections: readonly LegalSection[];
}) {
  useAnchorOfAddress();
  const phone = useMedia(PHONE);
  const foreign = language() === 'en' ? null : language();
  // The law is written in one language: the texts say so to whoever reads them aloud, and run its way.
  const english = foreign === null ? {} : { lang: 'en', dir: 'ltr' };
  return (
    <>
      <header className={authCss.top}>
        <Link to="/" aria-label={t`fairGame, start`}>
          <Logo />
        </Link>
        <ThemeButton />
      </header>
      <main id="main" tabIndex={-1} className={css.legal}>
        <nav className={css.contents} aria-label={t`Contents`}>
          <details key={String(phone)} open={!phone}>
            <summary>{t`Contents`}</summary>
            <ol {...english}>
              {sections.map((section, i) => (
                <li key={section.title}>
                  <a href={`#section-${i + 1}`}>
                    <span className="num">{i + 1}</span>
                    {section.title}
                  </a>
                </li>
              ))}
            </ol>
          </details>
        </nav>
        <article className={css.text} {...english}>
          {foreign && (
            <div lang={foreign} dir="auto">
              <Note>{t`There is no approved translation of this text: it stands in English, and the English counts.`}</Note>
            </div>
          )}
          <h1>{title}</h1>
          <p className={css.meta}>
            {t`Last changed ${CHANGED}`}
            <Button kind="ghost" size="sm" onClick={() => window.print()}>
              {t`Print this page`}
            </Button>
          </p>
          {lead}
          {sections.map((section, i) => (
            <section key={section.title} id={`section-${i + 1}`} aria-labelledby={`heading-${i + 1}`}>
              <h2 id={`heading-${i + 1}`}>
                <span className="num">{i + 1}.</span> {section.title}
              </h2>
              {section.body}
            </section>
          ))}
        </article>
      </main>
    </>
  );
}

/** Where limits, breaks and self-exclusion are set: one press when signed in here, else through the sign-in (OPN-17). */
export function ProtectionLink() {
  const session = readSession();
  if (session?.isDemo)
    return <>{t`Player protection belongs to real accounts; a demo account plays with play money.`}</>;
  if (session) {
    return (
      <Link className="link" to="/player-protection">
        {t`Open Player protection`}
      </Link>
    );
  }
  return (
    <Trans>
      <Link className="link" to="/login">
        Sign in
      </Link>{' '}
      and choose Player protection in the account menu.
    </Trans>
  );
}

/** The two help organisations as a list of links to their own sites. */
export function HelpLinks() {
  return (
    <ul>
      {HELP_ORGANISATIONS.map((org) => (
        <li key={org.name}>
          <a className="link" href={org.url} target="_blank" rel="noopener noreferrer">
            {org.name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The screen comes after the page: the browser's own jump to #section-n found nothing yet. */
function useAnchorOfAddress(): void {
  useEffect(() => {
    const id = decodeURIComponent(window.location.hash.slice(1));
    if (id) document.getElementById(id)?.scrollIntoView();
  }, []);
}
