import { AUTH_TYPE, CALLS, type ReplyOf } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { ApiError, api, refresh, useCall } from '../../api/api.ts';
import { copyText } from '../../platform/copy.ts';
import { formatDateTime } from '../../platform/format.ts';
import { toast } from '../../platform/toasts.ts';
import { readSession, startSession } from '../../session/session.ts';
import { Chip } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBoxes } from '../../ui/code-boxes.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, PasswordInput } from '../../ui/field.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { PageHead, Panel } from '../../ui/panel.tsx';
import { RecoveryCode } from '../../ui/recovery-code.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { ProgramKeys } from './program-keys.tsx';
import { Sessions } from './sessions.tsx';
import fieldCss from '../../ui/field.module.css';
import css from './security.module.css';

type Enrolment = ReplyOf<typeof CALLS.auth.generate>;

/** Security Auth Verification: the second factor, its recovery codes, the sessions of the account, and keys of programs. */
export function Screen() {
  const { data, isError, isPending, refetch } = useCall(CALLS.auth.authenticator, {});
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <>
      <PageHead title={t`Security Auth Verification`} />
      {isError ? (
        <ErrorNote title={t`The security settings did not load.`} onRetry={() => void refetch()} />
      ) : isPending || !data ? (
        <SkeletonRows rows={3} kind="table" />
      ) : data.type === AUTH_TYPE.none ? (
        <SwitchOn onDone={setCodes} />
      ) : (
        <SwitchOff type={data.type} since={data.since} codesLeft={data.recoveryCodesLeft} />
      )}
      {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />}
      <Sessions />
      <ProgramKeys />
    </>
  );
}

/** The new token of a proven code takes the place of the old one. */
function keepToken(token: string, authType: number): void {
  const session = readSession();
  if (session) startSession({ ...session, token, authType, isAuthenticator: true });
}

const failureText = (error: unknown): string =>
  error instanceof ApiError ? error.message : t`Something went wrong. Try again.`;

/** One step at a time, with what the last one was refused for. */
function useAttempt() {
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(failureText(failure));
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, setError, act };
}

function SwitchOn({ onDone }: { onDone: (codes: string[] | null) => void }) {
  const [kind, setKind] = useState<'app' | 'message'>('app');
  const [password, setPassword] = useState('');
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const { busy, error, setError, act } = useAttempt();
  const type = kind === 'app' ? AUTH_TYPE.app : AUTH_TYPE.message;

  const begin = (event: FormEvent) => {
    event.preventDefault();
    if (password === '') setError(t`Enter your password.`);
    else
      void act(async () => setEnrolment(await api(CALLS.auth.generate, { body: { type, password } }, { quiet: true })));
  };
  const prove = (code: string) =>
    void act(async () => {
      keepToken(await api(CALLS.auth.verify, { body: { authToken: code } }, { quiet: true }), type);
      // Straight from the server: it tells the recovery codes once, and the cache holds the state before.
      const state = await api(CALLS.auth.authenticator, {}, { quiet: true });
      onDone(state.recoveryCodes ?? null);
      toast.success(t`Second factor switched on`);
      refresh(CALLS.auth.authenticator, CALLS.account.profile, CALLS.auth.sessions);
    });

  return (
    <Panel title={t`Second factor`} end={<Chip>{t`Off`}</Chip>} flush={false}>
      <p className={cx('t2', css.lead)}>
        {t`A code besides your password keeps others out of your account, even when they know the password.`}
      </p>
      {enrolment === null ? (
        <form className={css.step} noValidate onSubmit={begin}>
          <Segmented
            label={t`Kind of code`}
            value={kind}
            onChange={setKind}
            items={{ app: t`Authenticator app`, message: t`Code by message` }}
          />
          <Field label={t`Your password`} error={error}>
            <PasswordInput
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          <Button kind="pri" type="submit" busy={busy}>
            {t`Continue`}
          </Button>
        </form>
      ) : (
        <div className={css.step}>
          <HowToGetCodes enrolment={enrolment} />
          <Digits onComplete={prove} error={error} busy={busy} />
          <Button kind="ghost" disabled={busy} onClick={() => setEnrolment(null)}>
            {t`Start again`}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function HowToGetCodes({ enrolment }: { enrolment: Enrolment }) {
  const { sentTo } = enrolment;
  return enrolment.qr ? (
    <div className={css.picture}>
      <img src={enrolment.qr} width={220} height={220} alt={t`QR code for your authenticator app`} />
      <div>
        <p>{t`1. Scan this with your authenticator app, or type the key by hand:`}</p>
        <p>
          <code>{enrolment.secret?.replace(/(.{4})/g, '$1 ').trim()}</code>
        </p>
        <p>{t`2. Type the 6 digits the app shows. They are checked once the last one is in.`}</p>
      </div>
    </div>
  ) : (
    <p>
      {sentTo
        ? t`We have sent a code to ${sentTo}. Type its 6 digits; they are checked once the last one is in.`
        : t`We have sent a code. Type its 6 digits; they are checked once the last one is in.`}
    </p>
  );
}

function SwitchOff({ type, since, codesLeft }: { type: number; since: string | null; codesLeft: number }) {
  const [asking, setAsking] = useState(false);
  const [recovery, setRecovery] = useState(false);
  const [password, setPassword] = useState('');
  const { busy, error, setError, act } = useAttempt();
  const byMessage = type === AUTH_TYPE.message;
  const start = async () => {
    setAsking(true);
    if (byMessage) {
      await api(CALLS.auth.resend, { body: {} }, { quiet: true })
        .then(() => toast.info(t`We have sent you a code`))
        .catch((failure: unknown) => setError(failureText(failure)));
    }
  };
  const remove = async (code: string) => {
    if (password === '') return setError(t`Type your password first, then the code again.`);
    await act(async () => {
      await api(CALLS.auth.remove, { body: { authToken: code, password } }, { quiet: true });
      toast.success(t`Second factor switched off`);
      const session = readSession();
      if (session) startSession({ ...session, authType: 0, isAuthenticator: true });
      refresh(CALLS.auth.authenticator, CALLS.account.profile, CALLS.auth.sessions);
    });
  };
  return (
    <Panel title={t`Second factor`} end={<Chip tone="pos">{t`On`}</Chip>} flush={false}>
      <Facts byMessage={byMessage} since={since} codesLeft={codesLeft} />
      {!asking ? (
        <Button kind="dangerline" onClick={() => void start()}>
          {t`Switch off`}
        </Button>
      ) : (
        <div className={css.step}>
          <Field label={t`Your password`}>
            <PasswordInput
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          {recovery ? (
            <RecoveryCode action={t`Switch off`} error={error} busy={busy} onComplete={(code) => void remove(code)} />
          ) : (
            <>
              <p>
                {byMessage ? t`Type the 6 digits we sent you.` : t`Type the 6 digits of your app.`}{' '}
                {t`The second factor is switched off once the last one is right.`}
              </p>
              <Digits onComplete={(code) => void remove(code)} error={error} busy={busy} />
            </>
          )}
          <div className="row g-4">
            <Button kind="ghost" disabled={busy} onClick={() => setRecovery(!recovery)}>
              {recovery ? t`Use the 6 digits` : t`Use a recovery code`}
            </Button>
            <Button kind="ghost" disabled={busy} onClick={() => setAsking(false)}>
              {t`Keep it on`}
            </Button>
          </div>
        </div>
      )}
    </Panel>
  );
}

interface DigitsProps {
  onComplete: (code: string) => void;
  error: string | null;
  busy: boolean;
}

function Digits({ onComplete, error, busy }: DigitsProps) {
  return (
    <>
      <CodeBoxes label={t`Security code`} onComplete={onComplete} error={error} busy={busy} />
      {error && (
        <p className={cx(fieldCss.help, fieldCss.helpWrong)} role="alert">
          {error}
        </p>
      )}
    </>
  );
}

function Facts({ byMessage, since, codesLeft }: { byMessage: boolean; since: string | null; codesLeft: number }) {
  return (
    <dl className={css.facts}>
      <dt>{t`Kind`}</dt>
      <dd>{byMessage ? t`Code by message` : t`Authenticator app`}</dd>
      <dt>{t`Since`}</dt>
      <dd>{since ? formatDateTime(Date.parse(since)) : '\u2013'}</dd>
      <dt>{t`Recovery codes left`}</dt>
      <dd>{codesLeft}</dd>
    </dl>
  );
}

function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <Panel title={t`Recovery codes`} flush={false}>
      <Note tone="warn">
        <Trans>
          <b>Keep these now; they are shown once.</b> Each lets you in once when you do not have your phone.
        </Trans>
      </Note>
      <ul className={css.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row g-4">
        <Button onClick={() => void copyText(codes.join('\n'), t`Codes copied`)}>{t`Copy`}</Button>
        <Button kind="pri" onClick={onKept}>
          {t`I have kept them`}
        </Button>
      </div>
    </Panel>
  );
}
