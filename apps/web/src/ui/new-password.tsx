import { t } from '@lingui/core/macro';
import { Field, PasswordInput } from './field.tsx';
import { IconLock } from './icons.ts';

interface Pair {
  newPassword: string;
  repeat: string;
}

/** A new password, typed twice. The caller compares the two. */
export function NewPassword({
  value,
  errors,
  help,
  large = false,
  onChange,
}: {
  value: Pair;
  errors: { [Name in keyof Pair]?: string | undefined };
  help: string;
  large?: boolean;
  onChange: (part: Partial<Pair>) => void;
}) {
  const look = { large, ...(large && { icon: IconLock }), autoComplete: 'new-password' };
  return (
    <>
      <Field label={t`New password`} error={errors.newPassword} help={help}>
        <PasswordInput
          {...look}
          value={value.newPassword}
          onChange={(event) => onChange({ newPassword: event.target.value })}
        />
      </Field>
      <Field label={t`Repeat new password`} error={errors.repeat}>
        <PasswordInput {...look} value={value.repeat} onChange={(event) => onChange({ repeat: event.target.value })} />
      </Field>
    </>
  );
}
