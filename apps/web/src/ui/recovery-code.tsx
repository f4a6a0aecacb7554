import { t } from '@lingui/core/macro';
import { type FormEvent, useState } from 'react';
import { Button } from './button.tsx';
import { Field, TextInput } from './field.tsx';
import css from './auth.module.css';

/** One of the codes kept at enrolment, in place of the six digits: for the player without the phone. */
export function RecoveryCode({
  onComplete,
  action,
  error = null,
  busy = false,
  large = false,
}: {
  /** Told the code as the server knows it, "ABCDE-FGHJK". */
  onComplete: (code: string) => void;
  /** The words of the button. */
  action: string;
  error?: string | null;
  busy?: boolean;
  large?: boolean;
}) {
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = recoveryCode(code);
    setWrong(typed === null ? t`A recovery code looks like ABCDE-FGHJK.` : null);
    if (typed !== null && !busy) onComplete(typed);
  };
  return (
    <form className={css.recovery} noValidate onSubmit={submit}>
      <Field label={t`Recovery code`} error={wrong ?? error}>
        <TextInput
          large={large}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <Button type="submit" kind="pri" size={large ? 'lg' : undefined} busy={busy}>
        {action}
      </Button>
    </form>
  );
}

/** Capitals with a dash in the middle, whatever spaces and dashes were typed; null for anything else. */
export function recoveryCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '');
  return /^[A-Z2-9]{10}$/.test(letters) ? `${letters.slice(0, 5)}-${letters.slice(5)}` : null;
}
