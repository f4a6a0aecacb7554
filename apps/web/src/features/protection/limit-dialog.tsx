import { CALLS, type PlayLimit } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { type FormEvent, useState } from 'react';
import { ApiError, api, refresh } from '../../api/api.ts';
import { formatStake, typedMinor } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { Field, NumberInput, PasswordInput, SelectInput } from '../../ui/field.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Note } from '../../ui/note.tsx';
import { kindChoices, type LimitKind, type LimitSpan, limitName, spanChoices, spanOf } from './words.ts';
import css from './protection.module.css';

type Errors = { amount?: string; password?: string };

/** Sets, lowers, raises or takes away one limit. After an idle hour a raise asks for the password (trust PP-11). */
export function LimitDialog({
  limit,
  raiseDays,
  onClose,
}: {
  limit: PlayLimit | null;
  raiseDays: number;
  onClose: () => void;
}) {
  const form = useLimitForm(limit, onClose);
  const { kind, chosen, text, refused, asked, busy, send, submit } = form;
  const name = limitName(kind, chosen).toLowerCase();
  return (
    <Modal
      open
      onClose={onClose}
      title={limit ? t`Change ${name}` : t`Add a limit`}
      width="s"
      dirty={text !== (limit ? formatStake(limit.amountMinor) : '')}
      footer={
        <>
          {limit && !asked && (
            <Button kind="ghost" busy={busy} onClick={() => void send(null)}>
              {t`Remove this limit`}
            </Button>
          )}
          <span className="grow" />
          <Button kind="ghost" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button kind="pri" type="submit" form="limit-form" busy={busy}>
            {asked ? t`Confirm` : limit ? t`Change limit` : t`Set limit`}
          </Button>
        </>
      }
    >
      <form id="limit-form" className="stack g-6" noValidate onSubmit={submit}>
        {asked ? <PasswordStep form={form} /> : <AmountStep limit={limit} raiseDays={raiseDays} form={form} />}
        {refused && (
          <Note tone="err" alert>
            <b>{refused}</b> {t`Your limit was not changed.`}
          </Note>
        )}
      </form>
    </Modal>
  );
}

/** The wish as it is typed, and its way to the server. */
function useLimitForm(limit: PlayLimit | null, onDone: () => void) {
  const [kind, setKind] = useState<LimitKind>(limit?.kind ?? 'loss');
  const [span, setSpan] = useState<LimitSpan>(limit?.span ?? 'week');
  const [text, setText] = useState(limit ? formatStake(limit.amountMinor) : '');
  const [errors, setErrors] = useState<Errors>({});
  const [refused, setRefused] = useState<string | null>(null);
  /** The server wants the password before this wish. */
  const [asked, setAsked] = useState<{ amountMinor: number | null } | null>(null);
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const chosen = spanOf(kind) ?? span;
  const wished = typedMinor(text);
  const raises = limit !== null && wished !== null && wished > limit.amountMinor;

  const send = async (amountMinor: number | null) => {
    setBusy(true);
    setRefused(null);
    try {
      if (asked) await api(CALLS.auth.stepUp, { body: { password } }, { quiet: true });
      await api(CALLS.protection.setLimit, { body: { kind, span: chosen, amountMinor } });
      refresh(CALLS.protection.status, CALLS.account.profile);
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'STEP_UP_REQUIRED') setAsked({ amountMinor });
      else if (error instanceof ApiError && error.field === 'password') setErrors({ password: error.message });
      else if (error instanceof ApiError && error.field === 'amountMinor') setErrors({ amount: t`Enter 1.00 or more` });
      else setRefused(error instanceof ApiError ? error.message : t`The limit was not changed.`);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (asked) {
      if (password === '') setErrors({ password: t`Enter your password` });
      else void send(asked.amountMinor);
      return;
    }
    if (wished === null) setErrors({ amount: t`Enter an amount, such as 250 or 250.50` });
    else if (wished < 100) setErrors({ amount: t`Enter 1.00 or more` });
    else void send(wished);
  };
  return {
    kind,
    setKind,
    span,
    setSpan,
    chosen,
    text,
    setText: (typed: string) => {
      setText(typed);
      setErrors({});
    },
    raises,
    password,
    setPassword: (typed: string) => {
      setPassword(typed);
      setErrors({});
    },
    asked: asked !== null,
    errors,
    refused,
    busy,
    send,
    submit,
  };
}
type LimitForm = ReturnType<typeof useLimitForm>;

function PasswordStep({ form: { password, setPassword, errors } }: { form: LimitForm }) {
  return (
    <>
      <p className="t2">{t`You have been away for a while. Your password confirms that it is you who raises the limit.`}</p>
      <Field label={t`Password`} error={errors.password}>
        <PasswordInput
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
    </>
  );
}

function AmountStep({ limit, raiseDays, form }: { limit: PlayLimit | null; raiseDays: number; form: LimitForm }) {
  const { kind, setKind, span, setSpan, text, setText, raises, errors } = form;
  return (
    <>
      {!limit && (
        <div className={css.pick}>
          <Field label={t`Limit of`}>
            <SelectInput
              value={kind}
              options={kindChoices()}
              onChange={(event) => setKind(event.target.value as LimitKind)}
            />
          </Field>
          {spanOf(kind) === null && (
            <Field label={t({ message: 'In', context: 'span of a limit' })}>
              <SelectInput
                value={span}
                options={spanChoices()}
                onChange={(event) => setSpan(event.target.value as LimitSpan)}
              />
            </Field>
          )}
        </div>
      )}
      <Field
        label={t`Amount`}
        error={errors.amount}
        help={
          raises
            ? plural(raiseDays, {
                one: 'A raise counts after # day. Until then you can give it up.',
                other: 'A raise counts after # days. Until then you can give it up.',
              })
            : limit
              ? t`A lower limit counts at once.`
              : plural(raiseDays, {
                  one: 'It counts at once. Lowering it later works at once, raising it takes # day.',
                  other: 'It counts at once. Lowering it later works at once, raising it takes # days.',
                })
        }
      >
        <NumberInput decimal large value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
    </>
  );
}
