import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeBoxes } from '../../ui/code-boxes.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconAlertCircle, IconArrowLeft, IconKey, IconShieldLock } from '../../ui/icons.ts';
import { Logo } from '../../ui/logo.tsx';
import { RecoveryCode } from '../../ui/recovery-code.tsx';
import { ThemeButton } from '../../ui/theme-button.tsx';

/** The look of the security code screen. Resend Code shows only where codes come by message (VER-06). */
export function VerifyPage({
  byMessage,
  error,
  busy,
  onCode,
  onResend,
  onBack,
}: {
  byMessage: boolean;
  error: string | null;
  busy: boolean;
  onCode: (code: string) => void;
  onResend: () => Promise<void>;
  onBack: () => void;
}) {
  const [sending, setSending] = useState(false);
  const [recovery, setRecovery] = useState(false);
  const resend = () => {
    setSending(true);
    onResend()
      .catch(() => undefined)
      .finally(() => setSending(false));
  };
  return (
    <div className="auth">
      <div className="auth__top">
        <Logo />
        <ThemeButton />
      </div>
      <main className="center" id="main" tabIndex={-1}>
        <section className="panel authbox">
          <span className="authbox__ic">
            <Icon of={IconShieldLock} size={24} />
          </span>
          <h1>Enter your security code</h1>
          {recovery ? (
            <div className="authbox__rec">
              <p className="t2 authbox__p">Type one of the codes you kept when you switched the second factor on.</p>
              <RecoveryCode action="Log in" large error={error} busy={busy} onComplete={onCode} />
            </div>
          ) : (
            <>
              <p className="t2 authbox__p">
                {byMessage
                  ? 'We have sent you a code. Type its 6 digits.'
                  : 'Open your authenticator app and type the 6 digits.'}{' '}
                You can paste them. We check the code once the last digit is in.
              </p>
              <CodeBoxes onComplete={onCode} error={error} busy={busy} label="Security code" />
              <div className="authbox__row">
                {error ? (
                  <span className="help help--err" role="alert">
                    <Icon of={IconAlertCircle} size={14} />
                    {error}
                  </span>
                ) : (
                  <span className="t3 fs-12" role="status">
                    {busy ? 'Checking the code' : ''}
                  </span>
                )}
                {byMessage && (
                  <Button kind="ghost" size="sm" busy={sending} onClick={resend}>
                    Resend Code
                  </Button>
                )}
              </div>
            </>
          )}
          <hr />
          <div className="authbox__end">
            <button type="button" className="authbox__back" onClick={onBack}>
              <Icon of={IconArrowLeft} size={16} />
              Back to Login
            </button>
            <button type="button" className="authbox__back" disabled={busy} onClick={() => setRecovery(!recovery)}>
              <Icon of={recovery ? IconShieldLock : IconKey} size={16} />
              {recovery ? 'Use the 6 digits' : 'Use a recovery code'}
            </button>
          </div>
        </section>
      </main>
    </div>
  );
}
