import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeBoxes } from '../../ui/code-boxes.tsx';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconAlertCircle, IconArrowLeft, IconKey, IconShieldLock } from '../../ui/icons.ts';
import { Logo } from '../../ui/logo.tsx';
import { RecoveryCode } from '../../ui/recovery-code.tsx';
import { ThemeButton } from '../../ui/theme-button.tsx';
import authCss from '../../ui/auth.module.css';
import fieldCss from '../../ui/field.module.css';
import panelCss from '../../ui/panel.module.css';

interface CodeProps {
  byMessage: boolean;
  error: string | null;
  busy: boolean;
  onCode: (code: string) => void;
  onResend: () => Promise<void>;
}

/** The look of the security code screen. Resend Code shows only where codes come by message (VER-06). */
export function VerifyPage({
  byMessage,
  error,
  busy,
  onCode,
  onResend,
  onBack,
}: CodeProps & {
  onBack: () => void;
}) {
  const [recovery, setRecovery] = useState(false);
  return (
    <div className={authCss.auth}>
      <div className={authCss.top}>
        <Logo />
        <ThemeButton />
      </div>
      <main className={authCss.center} id="main" tabIndex={-1}>
        <section className={cx(panelCss.panel, authCss.box)}>
          <span className={authCss.icon}>
            <Icon of={IconShieldLock} size={24} />
          </span>
          <h1>{t`Enter your security code`}</h1>
          {recovery ? (
            <div className={authCss.toRecovery}>
              <p className={cx('t2', authCss.words)}>
                {t`Type one of the codes you kept when you switched the second factor on.`}
              </p>
              <RecoveryCode action={t`Log in`} large error={error} busy={busy} onComplete={onCode} />
            </div>
          ) : (
            <SixDigits byMessage={byMessage} error={error} busy={busy} onCode={onCode} onResend={onResend} />
          )}
          <hr />
          <div className={authCss.foot}>
            <button type="button" className={authCss.back} onClick={onBack}>
              <Icon of={IconArrowLeft} size={16} />
              {t`Back to Login`}
            </button>
            <button type="button" className={authCss.back} disabled={busy} onClick={() => setRecovery(!recovery)}>
              <Icon of={recovery ? IconShieldLock : IconKey} size={16} />
              {recovery ? t`Use the 6 digits` : t`Use a recovery code`}
            </button>
          </div>
        </section>
      </main>
    </div>
  );
}

/** The code of the app or the message. */
function SixDigits({ byMessage, error, busy, onCode, onResend }: CodeProps) {
  const [sending, setSending] = useState(false);
  const resend = () => {
    setSending(true);
    onResend()
      .catch(() => undefined)
      .finally(() => setSending(false));
  };
  return (
    <>
      <p className={cx('t2', authCss.words)}>
        {byMessage
          ? t`We have sent you a code. Type its 6 digits.`
          : t`Open your authenticator app and type the 6 digits.`}{' '}
        {t`You can paste them. We check the code once the last digit is in.`}
      </p>
      <CodeBoxes onComplete={onCode} error={error} busy={busy} label={t`Security code`} />
      <div className={authCss.choices}>
        {error ? (
          <span className={cx(fieldCss.help, fieldCss.helpWrong)} role="alert">
            <Icon of={IconAlertCircle} size={14} />
            {error}
          </span>
        ) : (
          <span className="t3 fs-12" role="status">
            {busy ? t`Checking the code` : ''}
          </span>
        )}
        {byMessage && (
          <Button kind="ghost" size="sm" busy={sending} onClick={resend}>
            {t`Resend Code`}
          </Button>
        )}
      </div>
    </>
  );
}
