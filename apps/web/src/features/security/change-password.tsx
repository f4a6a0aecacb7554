import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { ApiError, api } from '../../api/api.ts';
import { useProfile } from '../../betting/betting.ts';
import { toast } from '../../platform/toasts.ts';
import { useSession } from '../../session/session.ts';
import { changePassword } from '../../sign-in/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHead } from '../../ui/panel.tsx';
import panelCss from '../../ui/panel.module.css';
import css from './security.module.css';

type Errors = Partial<Record<'oldPassword' | 'newPassword' | 'repeat' | 'authToken', string>>;

/** Beside a second factor fewer characters are enough (SEC-A1). */
const SHORTEST = 15;
const SHORTEST_WITH_CODE = 8;
const shortestFor = (withCode: boolean): number => (withCode ? SHORTEST_WITH_CODE : SHORTEST);

/** Change Password: the old one is checked as soon as it is left, the rules are told before they are broken. */
export function Screen() {
  const session = useSession();
  const forced = session?.forceChangePassword ?? false;
  const withCode = (useProfile()?.authenticatorType ?? session?.authType ?? 0) !== 0;
  const shortest = shortestFor(withCode);
  const { form, set, errors, refused, busy, checkOld, submit } = usePasswordForm(withCode);
  return (
    <>
      <PageHead title={t`Change Password`} />
      <form className={cx(panelCss.panel, css.form)} noValidate onSubmit={(event) => void submit(event)}>
        {forced && (
          <Note tone="warn">
            <Trans>
              <b>Choose your own password first.</b> The one you were given works only once.
            </Trans>
          </Note>
        )}
        <Field label={t`Old password`} error={errors.oldPassword}>
          <PasswordInput
            autoComplete="current-password"
            value={form.oldPassword}
            onChange={(event) => set({ oldPassword: event.target.value })}
            onBlur={() => void checkOld()}
          />
        </Field>
        <NewPassword
          value={form}
          errors={errors}
          help={t`${shortest} to 128 characters. A few words you can remember are better than tricks.`}
          onChange={set}
        />
        {withCode && (
          <Field
            label={t`Security code`}
            error={errors.authToken}
            help={t`From your authenticator app, or a recovery code.`}
          >
            <TextInput
              autoComplete="one-time-code"
              inputMode="text"
              value={form.authToken}
              onChange={(event) => set({ authToken: event.target.value.trim() })}
            />
          </Field>
        )}
        {refused && (
          <Note tone="err" alert>
            <b>{refused}</b> {t`Your password was not changed.`}
          </Note>
        )}
        <p className="t3 fs-12">{t`Changing the password ends every session, this one too. You then sign in again.`}</p>
        <Button kind="pri" type="submit" busy={busy}>
          {t`Change password`}
        </Button>
      </form>
    </>
  );
}

/** What is typed, what is wrong with it, and what the server said of it. */
function usePasswordForm(withCode: boolean) {
  const [form, setForm] = useState({ oldPassword: '', newPassword: '', repeat: '', authToken: '' });
  const [errors, setErrors] = useState<Errors>({});
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (part: Partial<typeof form>) => {
    setForm({ ...form, ...part });
    setErrors(({ ...rest }) => {
      for (const name of Object.keys(part)) delete rest[name as keyof Errors];
      return rest;
    });
  };

  const checkOld = async () => {
    if (form.oldPassword === '') return;
    try {
      const { isPasswordMatch } = await api(
        CALLS.auth.checkOldPassword,
        { body: { oldPassword: form.oldPassword } },
        { quiet: true },
      );
      if (!isPasswordMatch) setErrors((now) => ({ ...now, oldPassword: t`The old password is not right.` }));
    } catch (error) {
      if (error instanceof ApiError) setErrors((now) => ({ ...now, oldPassword: error.message }));
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = check(form, withCode);
    setErrors(wrong);
    setRefused(null);
    if (Object.keys(wrong).length > 0 || busy) return;
    setBusy(true);
    try {
      await changePassword({
        oldPassword: form.oldPassword,
        newPassword: form.newPassword,
        ...(withCode && form.authToken ? { authToken: form.authToken } : {}),
      });
      toast.success(t`Password changed. Sign in with the new one.`);
    } catch (error) {
      const refusal = error as ApiError;
      if (refusal.field === 'oldPassword' || refusal.field === 'newPassword' || refusal.field === 'authToken')
        setErrors({ [refusal.field]: refusal.message });
      else setRefused(refusal.message);
    } finally {
      setBusy(false);
    }
  };
  return { form, set, errors, refused, busy, checkOld, submit };
}

function check(
  form: { oldPassword: string; newPassword: string; repeat: string; authToken: string },
  withCode: boolean,
): Errors {
  const length = Array.from(form.newPassword).length;
  const shortest = shortestFor(withCode);
  return {
    ...(form.oldPassword === '' && { oldPassword: t`Enter your old password.` }),
    ...(form.newPassword === ''
      ? { newPassword: t`Enter a new password.` }
      : length < shortest
        ? { newPassword: t`Use at least ${shortest} characters.` }
        : length > 128
          ? { newPassword: t`Use at most 128 characters.` }
          : form.newPassword === form.oldPassword && { newPassword: t`The new password is the same as the old one.` }),
    ...(form.repeat !== form.newPassword && { repeat: t`This is not the same as the new password.` }),
    ...(withCode && form.authToken === '' && { authToken: t`Enter your security code.` }),
  };
}
