import { CALLS } from '@fairgame/contract';
import { type FormEvent, useId, useState } from 'react';
import { ApiError, api } from '../api/api.ts';
import { usePasswordAsked } from '../slip/hooks.ts';
import { goOnAfterPassword, leavePassword } from '../slip/slip.ts';
import { Button } from '../ui/button.tsx';
import { Field, PasswordInput } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';

/** After an idle hour a bet needs the password (SEC-S5). It is asked for here, and the same bet goes on. */
export function PasswordAgain() {
  return usePasswordAsked() ? <Ask /> : null;
}

function Ask() {
  const form = useId();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (password === '') {
      setError('Enter your password');
      return;
    }
    setBusy(true);
    try {
      await api(CALLS.auth.stepUp, { body: { password } }, { quiet: true });
      goOnAfterPassword();
    } catch (failed) {
      setError(failed instanceof ApiError ? failed.message : 'The password could not be checked.');
      setBusy(false);
    }
  };

  return (
    <Modal
      open
      onClose={leavePassword}
      title="Your password, please"
      width="s"
      footer={
        <>
          <Button kind="sec" onClick={leavePassword}>
            Not now
          </Button>
          <Button kind="pri" type="submit" form={form} busy={busy}>
            Place the bet
          </Button>
        </>
      }
    >
      <form id={form} className="stack g-5" noValidate onSubmit={(event) => void submit(event)}>
        <p className="t2">
          You have been away for a while. Your password confirms that it is you; then the bet is placed.
        </p>
        <Field label="Password" error={error}>
          <PasswordInput
            autoComplete="current-password"
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              setError(null);
            }}
          />
        </Field>
      </form>
    </Modal>
  );
}
