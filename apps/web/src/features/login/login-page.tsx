import { t } from '@lingui/core/macro';
import { type FormEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, PasswordInput } from '../../ui/field.tsx';
import { IconLock, IconPlayerPlay } from '../../ui/icons.ts';
import { Note } from '../../ui/note.tsx';
import { LoginNotes, LoginShell, NameField } from './login-shell.tsx';
import css from '../../ui/login.module.css';

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
  const { form, set, nameField, passwordField, errors, refusal, busy, run, onSubmit } = useSignInForm(onLogin);
  return (
    <LoginShell label={t`Log in`}>
      <form className={css.box} noValidate onSubmit={onSubmit}>
        <h1>{t`Log in`}</h1>
        <div className={css.say}>
          {refusal ? (
            <Note tone="err" alert>
              <b>{refusal}</b>
            </Note>
          ) : notice ? (
            <Note>{notice}</Note>
          ) : (
            <p className={cx('t2', css.lead)}>{t`Use the details from your account manager.`}</p>
          )}
        </div>
        <div className={css.fields}>
          <NameField
            ref={nameField}
            error={errors.userName}
            required
            value={form.userName}
            onChange={(event) => set({ userName: event.target.value })}
          />
          <Field label={t`Password`} error={errors.password}>
            <PasswordInput
              ref={passwordField}
              large
              icon={IconLock}
              name="password"
              autoComplete="current-password"
              required
              value={form.password}
              onChange={(event) => set({ password: event.target.value })}
            />
          </Field>
          <Button type="submit" kind="pri" size="lg" block busy={busy === 'login'} className={css.go}>
            {t`Login`}
          </Button>
          {onForgot && (
            <Button kind="ghost" onClick={() => onForgot(form.userName.trim())}>
              {t`Forgot your password?`}
            </Button>
          )}
          <div className={css.or}>
            <span>{t`or`}</span>
          </div>
          <Button size="lg" block icon={IconPlayerPlay} busy={busy === 'demo'} onClick={() => void run('demo', onDemo)}>
            {t`Demo login`}
          </Button>
          <p className={cx('fs-12 t3', css.hint)}>{t`Look around with a restricted account. No sign-up.`}</p>
        </div>
        <LoginNotes />
      </form>
    </LoginShell>
  );
}

/** What is typed, what is wrong with it, and what became of the press. */
function useSignInForm(onLogin: (userName: string, password: string) => Promise<void>) {
  const [form, setForm] = useState({ userName: '', password: '' });
  // A password manager fills in both at once.
  const set = (part: Partial<typeof form>) => setForm((now) => ({ ...now, ...part }));
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
      setRefusal(error instanceof Error && error.message ? error.message : t`Something went wrong. Try again.`);
      if (kind === 'login') passwordField.current?.select();
    } finally {
      setBusy(null);
    }
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const { userName, password } = form;
    const wrong: Errors = {
      ...(userName.trim() === '' && { userName: t`Enter your user name` }),
      ...(password === '' && { password: t`Enter your password` }),
    };
    setErrors(wrong);
    if (wrong.userName) nameField.current?.focus();
    else if (wrong.password) passwordField.current?.focus();
    else void run('login', () => onLogin(userName.trim(), password));
  };
  return { form, set, nameField, passwordField, errors, refusal, busy, run, onSubmit };
}
