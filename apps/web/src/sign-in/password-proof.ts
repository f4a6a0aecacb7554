import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type ChangeEvent, type FormEvent, useState } from 'react';
import { ApiError, api } from '../api/api.ts';

/** After an idle hour some calls want the password first (SEC-S5): the form that proves it, then goes on with `onProven`. */
export function usePasswordProof(onProven: () => void) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const prove = async () => {
    if (busy) return;
    if (password === '') {
      setError(t`Enter your password`);
      return;
    }
    setBusy(true);
    try {
      await api(CALLS.auth.stepUp, { body: { password } }, { quiet: true });
      onProven();
    } catch (failed) {
      setError(wordsOf(failed));
      setBusy(false);
    }
  };

  return {
    error,
    busy,
    input: {
      autoComplete: 'current-password',
      value: password,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        setPassword(event.target.value);
        setError(null);
      },
    },
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      void prove();
    },
  } as const;
}

function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t`The password could not be checked.`;
  return error.code === 'PASSWORD_WRONG' ? t`This password is not right.` : error.message;
}
