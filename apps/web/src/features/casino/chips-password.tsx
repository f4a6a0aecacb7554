import { t } from '@lingui/core/macro';
import { AskPassword } from '../../betting/betting.ts';
import { giveBack, goOn, usePasswordAsked } from './placing.ts';

/** After an idle hour bets need the password (SEC-S5). It is asked for here, and the same bets go on. */
export function ChipsPassword() {
  return usePasswordAsked() ? (
    <AskPassword action={t`Place the bets`} onProven={goOn} onLeave={giveBack}>
      {t`You have been away for a while. Your password confirms that it is you; then the bets are placed.`}
    </AskPassword>
  ) : null;
}
