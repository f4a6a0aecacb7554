import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { OFFERED } from '../../platform/offered.ts';
import { cx } from '../../ui/cx.ts';
import { Field, TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconShieldHeart, IconUser } from '../../ui/icons.ts';
import { Logo } from '../../ui/logo.tsx';
import { ThemeButton } from '../../ui/theme-button.tsx';
import { LoginArt, LoginField } from './login-art.tsx';
import footerCss from '../../ui/footer.module.css';
import loginCss from '../../ui/login.module.css';
import turfCss from '../../ui/turf.module.css';

const LanguageChoice = lazy(async () => ({
  default: (await import('../../ui/language-choice.tsx')).LanguageChoice,
}));

/** What stands around the forms in front of the site. */
export function LoginShell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <main className={loginCss.login} id="main" tabIndex={-1}>
      <section className={cx(loginCss.art, turfCss.turf)} aria-label="fairGame">
        <LoginField />
        <div className={loginCss.inside}>
          <div className={loginCss.brand}>
            <Logo size="lg" onTurf />
          </div>
          <div>
            <LoginArt />
            <h2>{t`Both sides of every price.`}</h2>
            <p>
              {t`Back what you think will happen. Lay what you think will not. Cricket, football, tennis, racing and more, on one exchange.`}
            </p>
          </div>
        </div>
      </section>
      <section className={loginCss.form} aria-label={label}>
        <ThemeButton className={loginCss.theme} />
        {OFFERED.length > 1 && (
          <div className={loginCss.language}>
            <Suspense>
              <LanguageChoice />
            </Suspense>
          </div>
        )}
        {children}
      </section>
    </main>
  );
}

export function NameField({ error, ...input }: ComponentProps<typeof TextInput> & { error: string | undefined }) {
  return (
    <Field label={t`Username`} error={error}>
      <TextInput
        large
        icon={IconUser}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        {...input}
      />
    </Field>
  );
}

/** Who may play, and how to keep it play. */
export function LoginNotes() {
  return (
    <div className={loginCss.notes}>
      <div>
        <span className={footerCss.adult} dir="ltr" aria-hidden="true">
          18+
        </span>
        <p>
          <Trans>
            <b>Adults only.</b> You must be 18, or the legal age where you live, and playing for yourself.
          </Trans>
        </p>
      </div>
      <div>
        <Icon of={IconShieldHeart} size={24} />
        <p>
          <Trans>
            <b>Play within your means.</b> Limits, breaks and self-exclusion are one press away.{' '}
            <a className="link" href="/responsible-gaming" target="_blank" rel="noopener">
              Responsible Gaming
            </a>{' '}
            <a className="link" href="/terms-and-conditions" target="_blank" rel="noopener">
              Terms and Conditions
            </a>
          </Trans>
        </p>
      </div>
    </div>
  );
}
