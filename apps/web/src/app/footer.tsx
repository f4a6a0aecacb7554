import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { HELP_ORGANISATIONS } from '../platform/help.ts';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconLockCheck } from '../ui/icons.ts';
import { Logo } from '../ui/logo.tsx';
import css from '../ui/footer.module.css';
import shellCss from '../ui/shell.module.css';

/**
 * The footer of both shells (FTR-01..12). `support` is the operator's support text; without one the paragraph under
 * '24X7 Support' stays empty (CAR-43).
 */
export function Footer({ support = configuredSupport(), plain = false }: { support?: string; plain?: boolean }) {
  return (
    <footer className={cx(css.footer, plain && css.plain)}>
      <div className={css.inside}>
        <div className={css.brand}>
          <Logo />
          <div className={css.links}>
            <a className="link" href="/terms-and-conditions" target="_blank" rel="noopener">
              {t`Terms and Conditions`}
            </a>
            <a className="link" href="/responsible-gaming" target="_blank" rel="noopener">
              {t`Responsible Gaming`}
            </a>
          </div>
        </div>
        <div>
          <h2>{t`24X7 Support`}</h2>
          <p className={css.help}>{support}</p>
          <div className={css.social} />
        </div>
      </div>
      <div className={css.bar}>
        <span className={shellCss.safe}>
          <Icon of={IconLockCheck} size={26} />
          <span>
            <Trans>
              <b>100% SAFE</b>
              Protected connection and encrypted data.
            </Trans>
          </span>
        </span>
        <span className="row g-4">
          <span className={css.adult} dir="ltr" role="img" aria-label={t`18 and over`}>
            18+
          </span>
          {t`Adults only. Play within your limits.`}
        </span>
        <span className={css.organisations}>
          {HELP_ORGANISATIONS.map((org) => (
            <a key={org.name} className="link" href={org.url} target="_blank" rel="noopener noreferrer">
              {org.name}
            </a>
          ))}
        </span>
        <span
          className={css.copyright}
        >{t`© ${{ year: new Date().getFullYear() }} fairGame. All rights reserved.`}</span>
      </div>
    </footer>
  );
}

/** The support text the server put into the page, for visitors who are not signed in. */
function configuredSupport(): string {
  return document.querySelector('meta[name="fairgame-support"]')?.getAttribute('content') ?? '';
}
