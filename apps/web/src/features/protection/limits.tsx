import { CALLS, type PlayLimit, type ProtectionStatus, parseMinor } from '@fairgame/contract';
import { type FormEvent, useState } from 'react';
import { ApiError, api, refresh } from '../../api/api.ts';
import { formatDuration } from '../../platform/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, NumberInput, PasswordInput, SelectInput } from '../../ui/field.tsx';
import { IconPencil, IconPlus, IconRuler2 } from '../../ui/icons.ts';
import { Modal } from '../../ui/modal.tsx';
import { EmptyState, Note } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import {
  amount,
  dayText,
  KIND_CHOICES,
  type LimitKind,
  type LimitSpan,
  limitName,
  SPAN_CHOICES,
  spanOf,
} from './words.ts';

/** The player's limits with what is used of them; lowering at once, raising with its date and a way back. */
export function Limits({ status }: { status: ProtectionStatus }) {
  const [edited, setEdited] = useState<PlayLimit | 'new' | null>(null);
  const { limits, today } = status;
  return (
    <Panel
      title="Limits"
      end={
        <Button kind="ghost" size="sm" icon={IconPlus} onClick={() => setEdited('new')}>
          Add a limit
        </Button>
      }
    >
      {limits.length === 0 && today.limitMinutes === null && (
        <EmptyState icon={IconRuler2} title="No limits yet">
          Choose an amount that fits you, for deposits, losses, stakes or a single bet.
        </EmptyState>
      )}
      {limits.map((limit) => (
        <LimitRow key={`${limit.kind}.${limit.span}`} limit={limit} onEdit={() => setEdited(limit)} />
      ))}
      {today.limitMinutes !== null && <TimeRow playedMs={today.playedMs} limitMinutes={today.limitMinutes} />}
      {edited && (
        <LimitDialog
          limit={edited === 'new' ? null : edited}
          raiseDays={status.raiseDays}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  );
}

function LimitRow({ limit, onEdit }: { limit: PlayLimit; onEdit: () => void }) {
  const name = limitName(limit.kind, limit.span);
  const { pending } = limit;
  const keep = async () => {
    await api(CALLS.protection.cancelRaise, { body: { kind: limit.kind, span: limit.span } }).catch(() => null);
    refresh(CALLS.protection.status);
  };
  const measured = limit.span !== 'bet';
  return (
    <div className="limit">
      <div>
        <b>{name}</b>
        {pending ? (
          <div className="fs-12 t-live">
            {pending.amountMinor === null
              ? 'Ends'
              : `Rising from ${amount(limit.amountMinor)} to ${amount(pending.amountMinor)}`}{' '}
            on {dayText(pending.at)}.{' '}
            <button type="button" className="link limit__keep" onClick={() => void keep()}>
              Keep {amount(limit.amountMinor)}
            </button>
          </div>
        ) : (
          <div className="fs-12 t3">
            {limit.resetsAt
              ? `Resets ${dayText(limit.resetsAt)}`
              : limit.span === 'bet'
                ? 'Applies to every bet'
                : 'Open bets at their worst'}
          </div>
        )}
      </div>
      <div className="limit__fig num">
        {measured && (
          <>
            <b>{amount(limit.usedMinor)}</b> <span className="t3">of</span>{' '}
          </>
        )}
        <span className={measured ? 't3' : undefined}>{amount(limit.amountMinor)}</span>
      </div>
      <IconButton icon={IconPencil} label={`Change ${name}`} size={17} onClick={onEdit} />
      {measured && <Bar name={name} used={limit.usedMinor} of={limit.amountMinor} rising={pending !== null} />}
    </div>
  );
}

function TimeRow({ playedMs, limitMinutes }: { playedMs: number; limitMinutes: number }) {
  return (
    <div className="limit">
      <div>
        <b>Time, per day</b>
        <div className="fs-12 t3">Set by support. Betting stops when it runs out</div>
      </div>
      <div className="limit__fig num">
        <b>{formatDuration(playedMs)}</b> <span className="t3">of {formatDuration(limitMinutes * 60_000)}</span>
      </div>
      <span />
      <Bar name="Time, per day" used={playedMs} of={limitMinutes * 60_000} rising={false} />
    </div>
  );
}

function Bar({ name, used, of, rising }: { name: string; used: number; of: number; rising: boolean }) {
  const percent = Math.min(100, Math.floor((used / of) * 100));
  const warns = percent >= 80;
  return (
    <>
      <svg className={warns || rising ? 'limit__bar limit__bar--warn' : 'limit__bar'} aria-hidden="true">
        <rect width="100%" height="6" rx="3" />
        {percent > 0 && <rect className="limit__used" width={`${percent}%`} height="6" rx="3" />}
      </svg>
      <span className={warns || rising ? 'limit__pct num t-live' : 'limit__pct num t3'}>
        {percent}%<span className="sr"> of {name.toLowerCase()} used</span>
      </span>
    </>
  );
}

type Errors = { amount?: string; password?: string };

/** Sets, lowers, raises or takes away one limit. After an idle hour a raise asks for the password (trust PP-11). */
function LimitDialog({
  limit,
  raiseDays,
  onClose,
}: {
  limit: PlayLimit | null;
  raiseDays: number;
  onClose: () => void;
}) {
  const [kind, setKind] = useState<LimitKind>(limit?.kind ?? 'loss');
  const [span, setSpan] = useState<LimitSpan>(limit?.span ?? 'week');
  const [text, setText] = useState(limit ? amount(limit.amountMinor) : '');
  const [errors, setErrors] = useState<Errors>({});
  const [refused, setRefused] = useState<string | null>(null);
  /** The server wants the password before this wish. */
  const [asked, setAsked] = useState<{ amountMinor: number | null } | null>(null);
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const chosen = spanOf(kind) ?? span;
  const wished = parseMinor(text);
  const raises = limit !== null && wished !== null && wished > limit.amountMinor;

  const send = async (amountMinor: number | null) => {
    setBusy(true);
    setRefused(null);
    try {
      if (asked) await api(CALLS.auth.stepUp, { body: { password } }, { quiet: true });
      await api(CALLS.protection.setLimit, { body: { kind, span: chosen, amountMinor } });
      refresh(CALLS.protection.status, CALLS.account.profile);
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'STEP_UP_REQUIRED') setAsked({ amountMinor });
      else if (error instanceof ApiError && error.field === 'password') setErrors({ password: error.message });
      else if (error instanceof ApiError && error.field === 'amountMinor') setErrors({ amount: 'Enter 1.00 or more' });
      else setRefused(error instanceof ApiError ? error.message : 'The limit was not changed.');
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (asked) {
      if (password === '') setErrors({ password: 'Enter your password' });
      else void send(asked.amountMinor);
      return;
    }
    if (wished === null) setErrors({ amount: 'Enter an amount, such as 250 or 250.50' });
    else if (wished < 100) setErrors({ amount: 'Enter 1.00 or more' });
    else void send(wished);
  };

  return (
    <Modal
      open
      onClose={onClose}
      title={limit ? `Change ${limitName(kind, chosen).toLowerCase()}` : 'Add a limit'}
      width="s"
      dirty={text !== (limit ? amount(limit.amountMinor) : '')}
      footer={
        <>
          {limit && !asked && (
            <Button kind="ghost" busy={busy} onClick={() => void send(null)}>
              Remove this limit
            </Button>
          )}
          <span className="grow" />
          <Button kind="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="pri" type="submit" form="limit-form" busy={busy}>
            {asked ? 'Confirm' : limit ? 'Change limit' : 'Set limit'}
          </Button>
        </>
      }
    >
      <form id="limit-form" className="stack g-6" noValidate onSubmit={submit}>
        {asked ? (
          <>
            <p className="t2">
              You have been away for a while. Your password confirms that it is you who raises the limit.
            </p>
            <Field label="Password" error={errors.password}>
              <PasswordInput
                autoComplete="current-password"
                value={password}
                onChange={(event) => {
                  setPassword(event.target.value);
                  setErrors({});
                }}
              />
            </Field>
          </>
        ) : (
          <>
            {!limit && (
              <div className="limit__pick">
                <Field label="Limit of">
                  <SelectInput
                    value={kind}
                    options={KIND_CHOICES}
                    onChange={(event) => setKind(event.target.value as LimitKind)}
                  />
                </Field>
                {spanOf(kind) === null && (
                  <Field label="In">
                    <SelectInput
                      value={span}
                      options={SPAN_CHOICES}
                      onChange={(event) => setSpan(event.target.value as LimitSpan)}
                    />
                  </Field>
                )}
              </div>
            )}
            <Field
              label="Amount"
              error={errors.amount}
              help={
                raises
                  ? `A raise counts after ${raiseDays} days. Until then you can give it up.`
                  : limit
                    ? 'A lower limit counts at once.'
                    : `It counts at once. Lowering it later works at once, raising it takes ${raiseDays} days.`
              }
            >
              <NumberInput
                decimal
                large
                value={text}
                onChange={(event) => {
                  setText(event.target.value);
                  setErrors({});
                }}
              />
            </Field>
          </>
        )}
        {refused && (
          <Note tone="err" alert>
            <b>{refused}</b> Your limit was not changed.
          </Note>
        )}
      </form>
    </Modal>
  );
}
