import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type FormEvent, useState } from 'react';
import { ApiError, api, refresh } from '../../api/api.ts';
import { AskPassword } from '../../betting/betting.ts';
import { toast } from '../../platform/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { Choice } from '../../ui/tabs.tsx';
import css from './security.module.css';

type Errors = Partial<Record<'name' | 'addresses' | 'certificate' | 'other', string>>;

/** The form of a new key: what it may do and from where; the password once more where the session asks for it. */
export function NewProgramKey({ onDone }: { onDone: () => void }) {
  const { form, set, errors, busy, proving, setProving, send, submit } = useNewKey(onDone);
  return (
    <>
      <form className={css.step} noValidate onSubmit={submit}>
        <Field label={t`Name`} error={errors.name} help={t`For yourself: which program it is.`}>
          <TextInput value={form.name} maxLength={40} onChange={(event) => set({ name: event.target.value })} />
        </Field>
        <Choice
          label={t({ message: 'It may', comment: 'before the choice: read, or read and bet' })}
          value={form.rights}
          onChange={(rights) => set({ rights })}
          items={{ read: t`Read`, bet: t`Read and bet` }}
        />
        <Field
          label={t`Addresses`}
          error={errors.addresses}
          help={t`From where it may come, with commas: 203.0.113.7 or 203.0.113.0/24. Empty: from anywhere.`}
        >
          <TextInput value={form.addresses} onChange={(event) => set({ addresses: event.target.value })} />
        </Field>
        <Field
          label={t`Certificate`}
          error={errors.certificate}
          help={t`SHA-256 of the client certificate it signs in with. Empty: it signs in by password alone.`}
        >
          <TextInput value={form.certificate} onChange={(event) => set({ certificate: event.target.value })} />
        </Field>
        {errors.other && (
          <Note tone="err" alert>
            <b>{errors.other}</b> {t`No key was made.`}
          </Note>
        )}
        <div className="row g-4">
          <Button kind="pri" type="submit" busy={busy}>
            {t`Make the key`}
          </Button>
          <Button kind="ghost" disabled={busy} onClick={onDone}>
            {t`Leave it`}
          </Button>
        </div>
      </form>
      {proving && (
        <AskPassword
          action={t`Make the key`}
          onLeave={() => setProving(false)}
          onProven={() => {
            setProving(false);
            void send();
          }}
        >
          {t`A key can bet with your money. Your password confirms that it is you; then the key is made.`}
        </AskPassword>
      )}
    </>
  );
}

/** What is typed, what is wrong with it, and whether the password is asked for. */
function useNewKey(onDone: () => void) {
  const [form, setForm] = useState({ name: '', rights: 'read' as 'read' | 'bet', addresses: '', certificate: '' });
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const [proving, setProving] = useState(false);
  const set = (part: Partial<typeof form>) => {
    setForm({ ...form, ...part });
    setErrors({});
  };
  const send = async () => {
    setBusy(true);
    try {
      await api(CALLS.programs.create, { body: bodyOf(form) }, { quiet: true });
      const name = form.name.trim();
      toast.success(t`The key ${name} is made`);
      refresh(CALLS.programs.list);
      onDone();
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'STEP_UP_REQUIRED') setProving(true);
      else setErrors(refusalOf(failure));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = check(form);
    setErrors(wrong);
    if (Object.keys(wrong).length === 0 && !busy) void send();
  };
  return { form, set, errors, busy, proving, setProving, send, submit };
}

type Form = { name: string; rights: 'read' | 'bet'; addresses: string; certificate: string };

const addressesOf = (text: string) => text.split(/[\s,]+/).filter((one) => one !== '');
/** As tools print it: with colons, in capitals. */
const fingerprintOf = (text: string) => text.replaceAll(/[\s:]/g, '').toLowerCase();

function bodyOf({ name, rights, addresses, certificate }: Form) {
  const fingerprint = fingerprintOf(certificate);
  return {
    name: name.trim(),
    rights,
    addresses: addressesOf(addresses),
    ...(fingerprint !== '' && { certificate: fingerprint }),
  };
}

function check({ name, addresses, certificate }: Form): Errors {
  const fingerprint = fingerprintOf(certificate);
  return {
    ...(name.trim() === ''
      ? { name: t`Give the key a name.` }
      : !/^[\w .-]{1,40}$/.test(name.trim()) && { name: t`Use letters, digits, spaces, dots and dashes, at most 40.` }),
    ...(addressesOf(addresses).length > 20 && { addresses: t`Name at most 20 addresses.` }),
    ...(fingerprint !== '' &&
      !/^[0-9a-f]{64}$/.test(fingerprint) && {
        certificate: t`A fingerprint by SHA-256 has 64 digits and letters a to f.`,
      }),
  };
}

function refusalOf(failure: unknown): Errors {
  if (!(failure instanceof ApiError)) return { other: t`Something went wrong. Try again.` };
  const field = failure.field?.split('.')[0];
  if (field === 'name' || field === 'addresses' || field === 'certificate') return { [field]: failure.message };
  return { other: failure.message };
}
