import { CALLS } from '@fairgame/contract';
import { type FormEvent, useState } from 'react';
import { ApiError, api } from '../../../api/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, PasswordInput } from '../../../ui/field.tsx';
import { IconLock } from '../../../ui/icons.ts';
import { EmptyState } from '../../../ui/note.tsx';

/** After an idle hour the password is needed before a game opens; with it the launch is tried again. */
export function PasswordAgain({ again }: { again: () => void }) {
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
      again();
    } catch (failed) {
      setError(wordsOf(failed));
      setBusy(false);
    }
  };

  return (
    <div className="gs__cover">
      <EmptyState
        icon={IconLock}
        title="Your password, please"
        action={
          <form className="stack g-5 gs__acts" noValidate onSubmit={(event) => void submit(event)}>
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
            <Button kind="pri" type="submit" busy={busy}>
              Open the game
            </Button>
          </form>
        }
      >
        You have been away for a while. Your password confirms that it is you.
      </EmptyState>
    </div>
  );
}

function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The password could not be checked.';
  return error.code === 'PASSWORD_WRONG' ? 'This password is not right.' : error.message;
}
