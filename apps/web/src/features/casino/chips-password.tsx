import { AskPassword } from '../../betting/ask-password.tsx';
import { giveBack, goOn, useChips } from './chips.ts';

/** After an idle hour bets need the password (SEC-S5). It is asked for here, and the same bets go on. */
export function ChipsPassword({ matchId }: { matchId: number }) {
  const { sent } = useChips(matchId);
  return sent.some(({ fate }) => fate === 'password') ? (
    <AskPassword action="Place the bets" onProven={() => void goOn(matchId)} onLeave={() => giveBack(matchId)}>
      You have been away for a while. Your password confirms that it is you; then the bets are placed.
    </AskPassword>
  ) : null;
}
