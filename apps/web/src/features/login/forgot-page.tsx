import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type FormEvent, useState } from 'react';
import { ApiError, api } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, TextInput } from '../../ui/field.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { Note } from '../../ui/note.tsx';
import { LoginShell, NameField } from './login-shell.tsx';
import css from '../../ui/login.module.css';

type Errors = Partial<Record<'userName' | 'code' | 'newPassword' | 'repeat', string>>;

/** A forgotten password: a code goes to the mailbox of the account, and with it a new password is set. */
export function ForgotPage({ name, onDone, onBack }: { name: string; onDone: () => void; onBack: () => void }) {
  const { form, set, isSent, errors, refusal, busy, submit, askAgain } = useReset(name, onDone);
  return (
    <LoginShell label={t`Forgotten password`}>
      <form className={css.box} noValidate onSubmit={submit}>
        <h1>{t`New password`}</h1>
        <p className={cx('t2', css.lead)}>
          {isSent
            ? t`If we know this name, a code is on its way to its mailbox. It is valid for 15 minutes.`
            : t`We send a code to the mailbox of your account.`}
        </p>
        <div className={css.fields}>
          {refusal && (
            <Note tone="err" alert>
              <b>{refusal}</b>
            </Note>
          )}
          <NameField
            error={errors.userName}
            readOnly={isSent}
            value={form.userName}
            onChange={(event) => set({ userName: event.target.value })}
          />
          {isSent && (
            <>
              <Field label={t`Code`} error={errors.code}>
                <TextInput
                  large
                  autoComplete="one-time-code"
                  autoCapitalize="characters"
                  spellCheck={false}
                  maxLength={20}
                  value={form.code}
                  onChange={(event) => set({ code: event.target.value })}
                />
              </Field>
              <NewPassword
                large
                value={form}
                errors={errors}
                help={t`A few words you can remember are good.`}
                onChange={set}
              />
            </>
          )}
          <Button type="submit" kind="pri" size="lg" block busy={busy} className={css.go}>
            {isSent ? t`Set new password` : t`Send code`}
          </Button>
          {isSent && (
            <Button kind="ghost" disabled={busy} onClick={askAgain}>
              {t`No code came`}
            </Button>
          )}
          <Button kind="ghost" disabled={busy} onClick={onBack}>
            {t`Back to the login`}
          </Button>
        </div>
      </form>
    </LoginShell>
  );
}

/** The two steps: a code is asked for, then the new password goes with it. */
function useReset(name: string, onDone: () => void) {
  const [form, setForm] = useState({ userName: name, code: '', newPassword: '', repeat: '' });
  const [isSent, setSent] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (part: Partial<typeof form>) => {
    setForm({ ...form, ...part });
    setErrors({});
  };
  const userName = form.userName.trim();

  const run = async (act: () => Promise<unknown>, then: () => void) => {
    setBusy(true);
    setRefusal(null);
    try {
      await act();
      then();
    } catch (error) {
      const { field, message } = error as ApiError;
      if (error instanceof ApiError && (field === 'code' || field === 'newPassword')) setErrors({ [field]: message });
      else setRefusal(message || t`Something went wrong. Try again.`);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!isSent) {
      if (userName === '') setErrors({ userName: t`Enter your user name` });
      else
        void run(
          () => api(CALLS.auth.forgot, { body: { userName } }, { quiet: true }),
          () => setSent(true),
        );
      return;
    }
    const code = codeOf(form.code);
    const wrong: Errors = {
      ...(code === null && { code: t`The code looks like ABCDE-FGHJK.` }),
      ...(form.newPassword === '' && { newPassword: t`Enter a new password.` }),
      ...(form.repeat !== form.newPassword && { repeat: t`This is not the same as the new password.` }),
    };
    setErrors(wrong);
    if (code === null || Object.keys(wrong).length > 0) return;
    const body = { userName, code, newPassword: form.newPassword };
    void run(() => api(CALLS.auth.reset, { body }, { quiet: true }), onDone);
  };
  return { form, set, isSent, errors, refusal, busy, submit, askAgain: () => setSent(false) };
}

/** As typed or pasted: small letters, spaces and a missing dash are fine. Null when it is no code. */
function codeOf(text: string): string | null {
  const letters = text.toUpperCase().replace(/[^A-Z2-9]/g, '');
  return letters.length === 10 ? `${letters.slice(0, 5)}-${letters.slice(5)}` : null;
}
