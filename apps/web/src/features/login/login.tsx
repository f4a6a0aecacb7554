import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { type EndReason, takeEndReason } from '../../session/session.ts';
import { signIn, signInWithDemo } from '../../sign-in/sign-in.ts';
import { LoginPage } from './login-page.tsx';

const ForgotPage = lazy(async () => ({ default: (await import('./forgot-page.tsx')).ForgotPage }));

const REASONS: Partial<Record<EndReason, string>> = {
  ended: 'Your session has ended. Log in again.',
  forced: 'You were signed out by the operator. Log in again.',
  idle: 'You were signed out after a long time without activity.',
  passwordChanged: 'Your password is changed. Log in with the new one.',
};

/** /login: signs in and goes where the account leads. */
export function Screen() {
  const navigate = useNavigate();
  const [forgot, setForgot] = useState<string | null>(null);
  const [notice, setNotice] = useState(() => {
    const reason = takeEndReason();
    return reason ? (REASONS[reason] ?? null) : null;
  });
  const go = async (path: Promise<string>) => {
    const to = await path;
    await navigate(to, { replace: true });
  };
  const login = (
    <LoginPage
      notice={notice}
      onLogin={(userName, password) => go(signIn(userName, password))}
      onForgot={setForgot}
      onDemo={() => go(signInWithDemo())}
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
