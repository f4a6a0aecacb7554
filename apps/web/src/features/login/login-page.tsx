import { type FormEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconLock, IconPlayerPlay, IconShieldHeart, IconUser } from '../../ui/icons.ts';
import { Logo } from '../../ui/logo.tsx';
import { Note } from '../../ui/note.tsx';
import { ThemeButton } from '../../ui/theme-button.tsx';
import { LoginArt, LoginField } from './login-art.tsx';

type Errors = { userName?: string; password?: string };

/**
 * The look and the form of the sign-in. Both fields are required, the name is trimmed, the password never (OPN-04). The
 * promises of the handlers reject with an Error whose message is shown in the form and stays (CAR-10, CAR-19).
 */
export function LoginPage({
  onLogin,
  onDemo,
  notice = null,
}: {
  onLogin: (userName: string, password: string) => Promise<void>;
  onDemo: () => Promise<void>;
  /** Why the last session ended. */
  notice?: string | null;
}) {
  const [userName, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState<'login' | 'demo' | null>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  const run = async (kind: 'login' | 'demo', act: () => Promise<void>) => {
    setBusy(kind);
    setRefusal(null);
    try {
      await act();
    } catch (error) {
      setRefusal(error instanceof Error && error.message ? error.message : 'Something went wrong. Try again.');
      if (kind === 'login') passwordField.current?.select();
    } finally {
      setBusy(null);
    }
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const wrong: Errors = {
      ...(userName.trim() === '' && { userName: 'Enter your user name' }),
      ...(password === '' && { password: 'Enter your password' }),
    };
    setErrors(wrong);
    if (wrong.userName) nameField.current?.focus();
    else if (wrong.password) passwordField.current?.focus();
    else void run('login', () => onLogin(userName.trim(), password));
  };

  return (
    <main className="login" id="main" tabIndex={-1}>
      <section className="login__art turf" aria-label="fairGame">
        <LoginField />
        <div className="login__in">
          <div className="login__brand">
            <Logo size="lg" onTurf />
          </div>
          <div>
            <LoginArt />
            <h2>Both sides of every price.</h2>
            <p>
              Back what you think will happen. Lay what you think will not. Cricket, football, tennis, racing and more,
              on one exchange.
            </p>
          </div>
        </div>
      </section>
      <section className="login__form" aria-label="Log in">
        <ThemeButton className="login__theme" />
        <form className="login__box" noValidate onSubmit={onSubmit}>
          <h1>Log in</h1>
          <p className="t2 login__lead">Use the details from your account manager.</p>
          <div className="login__fields">
            {notice && !refusal && <Note>{notice}</Note>}
            {refusal && (
              <Note tone="err" alert>
                <b>{refusal}</b>
              </Note>
            )}
            <Field label="Username" error={errors.userName}>
              <TextInput
                ref={nameField}
                large
                icon={IconUser}
                name="username"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={64}
                required
                value={userName}
                onChange={(event) => setUserName(event.target.value)}
              />
            </Field>
            <Field label="Password" error={errors.password}>
              <PasswordInput
                ref={passwordField}
                large
                icon={IconLock}
                name="password"
                autoComplete="current-password"
                required
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            </Field>
            <Button type="submit" kind="pri" size="lg" block busy={busy === 'login'} className="login__go">
              Login
            </Button>
            <div className="orline">
              <span>or</span>
            </div>
            <Button
              size="lg"
              block
              icon={IconPlayerPlay}
              busy={busy === 'demo'}
              onClick={() => void run('demo', onDemo)}
            >
              Demo login
            </Button>
            <p className="fs-12 t3 login__hint">Look around with a restricted account. No sign-up.</p>
          </div>
          <div className="login__notes">
            <div>
              <span className="b18" aria-hidden="true">
                18+
              </span>
              <p>
                <b>Adults only.</b> You must be 18, or the legal age where you live, and playing for yourself.
              </p>
            </div>
            <div>
              <Icon of={IconShieldHeart} size={24} />
              <p>
                <b>Play within your means.</b> Limits, breaks and self-exclusion are one press away.{' '}
                <a className="link" href="/responsible-gaming" target="_blank" rel="noopener">
                  Responsible Gaming
                </a>{' '}
                <a className="link" href="/terms-and-conditions" target="_blank" rel="noopener">
                  Terms and Conditions
                </a>
              </p>
            </div>
          </div>
        </form>
      </section>
    </main>
  );
}
