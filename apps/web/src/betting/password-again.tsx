import { t } from '@lingui/core/macro';
import { later } from '../platform/later.tsx';
import { goOnAfterPassword, leavePassword, usePasswordAsked } from '../slip/slip.ts';

const AskPassword = later(async () => (await import('./ask-password.tsx')).AskPassword);

/** After an idle hour a bet needs the password (SEC-S5). It is asked for here, and the same bet goes on. */
export function PasswordAgain() {
  return usePasswordAsked() ? (
    <AskPassword action={t`Place the bet`} onProven={goOnAfterPassword} onLeave={leavePassword}>
      {t`You have been away for a while. Your password confirms that it is you; then the bet is placed.`}
    </AskPassword>
  ) : null;
}
