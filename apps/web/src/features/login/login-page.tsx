import { type FormEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, PasswordInput } from '../../ui/field.tsx';
import { IconLock, IconPlayerPlay } from '../../ui/icons.ts';
import { Note } from '../../ui/note.tsx';
import { LoginNotes, LoginShell, NameField } from './login-shell.tsx';

type Errors = { userName?: string; password?: string };

/**
 * The look and the form of the sign-in. Both fields are required, the name is trimmed, the password never (OPN-04). The
 * promises of the handlers reject with an Error whose message is shown in the form and stays (CAR-10, CAR-19).
 */
export function LoginPage({
  onLogin,
  onDemo,
  onForgot,
  notice = null,
}: {
  onLogin: (userName: string, password: string) => Promise<void>;
  onDemo: () => Promise<void>;
  /** Leads to a new password, with the name typed so far. */
  onForgot?: (userName: string) => void;
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
    <LoginShell label="Log in">
      <form className="login__box" noValidate onSubmit={onSubmit}>
        <h1>Log in</h1>
        <div className="login__say">
          {refusal ? (
            <Note tone="err" alert>
              <b>{refusal}</b>
            </Note>
          ) : notice ? (
            <Note>{notice}</Note>
          ) : (
            <p className="t2 login__lead">Use the details from your account manager.</p>
          )}
        </div>
        <div className="login__fields">
          <NameField
            ref={nameField}
            error={errors.userName}
            required
            value={userName}
            onChange={(event) => setUserName(event.target.value)}
          />
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
          {onForgot && (
            <Button kind="ghost" onClick={() => onForgot(userName.trim())}>
              Forgot your password?
            </Button>
          )}
          <div className="orline">
            <span>or</span>
          </div>
          <Button size="lg" block icon={IconPlayerPlay} busy={busy === 'demo'} onClick={() => void run('demo', onDemo)}>
            Demo login
          </Button>
          <p className="fs-12 t3 login__hint">Look around with a restricted account. No sign-up.</p>
        </div>
        <LoginNotes />
      </form>
    </LoginShell>
  );
}
