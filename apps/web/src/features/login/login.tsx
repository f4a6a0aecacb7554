import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type EndReason, takeEndReason } from '../../session/session.ts';
import { signIn, signInWithDemo } from '../../session/sign-in.ts';
import { LoginPage } from './login-page.tsx';

const REASONS: Partial<Record<EndReason, string>> = {
  ended: 'Your session has ended. Log in again.',
  forced: 'You were signed out by the operator. Log in again.',
  idle: 'You were signed out after a long time without activity.',
  passwordChanged: 'Your password is changed. Log in with the new one.',
};

/** /login: signs in and goes where the account leads. */
export function Screen() {
  const navigate = useNavigate();
  const [notice] = useState(() => {
    const reason = takeEndReason();
    return reason ? (REASONS[reason] ?? null) : null;
  });
  const go = async (path: Promise<string>) => {
    const to = await path;
    await navigate(to, { replace: true });
  };
  return (
    <LoginPage
      notice={notice}
      onLogin={(userName, password) => go(signIn(userName, password))}
      onDemo={() => go(signInWithDemo())}
    />
  );
}
