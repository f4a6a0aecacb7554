import type { LiveBet, LiveView } from '../wire.ts';
import { amount, times } from './board.ts';
import { wagerWords } from './play.ts';
import css from './own-bets.module.css';

export function OwnBets({ bets, phase }: { bets: readonly LiveBet[]; phase: LiveView['phase'] }) {
  const staked = bets.reduce((sum, bet) => sum + bet.stakeMinor, 0);
  return (
    <details className={css.ownBets}>
      <summary>
        <span>
          {bets.length} {bets.length === 1 ? 'bet' : 'bets'}
        </span>
        <b>{amount(staked)}</b>
      </summary>
      <ul>
        {bets.map((bet) => (
          <li key={bet.betId}>
            <span>{wagerWords(bet.wager) || 'Bet'}</span>
            <span>{amount(bet.stakeMinor)}</span>
            <b>{betWords(bet, phase)}</b>
          </li>
        ))}
      </ul>
    </details>
  );
}

function betWords(bet: LiveBet, phase: LiveView['phase']): string {
  if (bet.cashedTimes !== null && bet.paidMinor) return `${times(bet.cashedTimes)} paid ${amount(bet.paidMinor)}`;
  if (bet.paidMinor === null || phase !== 'rests') return 'Placed';
  return bet.paidMinor === 0 ? 'Nothing' : `Paid ${amount(bet.paidMinor)}`;
}
