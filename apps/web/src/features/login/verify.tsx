import { AUTH_TYPE, CALLS } from '@fairgame/contract';
import { useState } from 'react';
import { api, errorText } from '../../api/api.ts';
import { useNavigate } from '../../platform/routing.tsx';
import { useSession } from '../../session/session.ts';
import { signOut, verifyCode } from '../../sign-in/sign-in.ts';
import { VerifyPage } from './verify-page.tsx';

/** /verify: proves the security code of this sign-in. */
export function Screen() {
  const navigate = useNavigate();
  const authType = useSession()?.authType ?? 0;
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const onCode = async (code: string) => {
    setBusy(true);
    setError(null);
    try {
      const to = await verifyCode(code);
      await navigate(to, { replace: true });
    } catch (reason) {
      setError(errorText(reason));
    } finally {
      setBusy(false);
    }
  };
  return (
    <VerifyPage
      byMessage={authType === AUTH_TYPE.message}
      error={error}
      busy={busy}
      onCode={(code) => void onCode(code)}
      // The outcome, sent or refused, is the message of the call itself.
      onResend={() => api(CALLS.auth.resend, { body: {} }).then(() => undefined)}
      onBack={() => void signOut()}
    />
  );
}
