import { msg } from '@lingui/core/macro';
import { lazy, Suspense, useState } from 'react';
import { say, type Words } from '../../platform/language.ts';
import { type EndReason, takeEndReason } from '../../session/session.ts';
import { signIn, signInWithDemo } from '../../sign-in/sign-in.ts';
import { LoginPage } from './login-page.tsx';

const ForgotPage = lazy(async () => ({ default: (await import('./forgot-page.tsx')).ForgotPage }));

const REASONS: Partial<Record<EndReason, Words>> = {
  ended: msg`Your session has ended. Log in again.`,
  forced: msg`You were signed out by the operator. Log in again.`,
  idle: msg`You were signed out after a long time without activity.`,
  passwordChanged: msg`Your password is changed. Log in with the new one.`,
};

/** Signs in; `go` then leads where the account belongs, and the button is busy until it is there. */
export function SignIn({ go }: { go: (path: string) => Promise<void> }) {
  const [forgot, setForgot] = useState<string | null>(null);
  const [notice, setNotice] = useState(() => {
    const reason = takeEndReason();
    return (reason && REASONS[reason]) ?? null;
  });
  const login = (
    <LoginPage
      notice={notice && say(notice)}
      onLogin={async (userName, password) => go(await signIn(userName, password))}
      onForgot={setForgot}
      onDemo={async () => go(await signInWithDemo())}
    />
  );
  if (forgot === null) return login;
  return (
    <Suspense fallback={login}>
      <ForgotPage
        name={forgot}
        onBack={() => setForgot(null)}
        onDone={() => {
          setNotice(REASONS.passwordChanged ?? null);
          setForgot(null);
        }}
      />
    </Suspense>
  );
}
