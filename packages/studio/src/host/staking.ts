/** What every stake goes through, of a round of one player or of one that all share. */
import type { AnyGame } from '../game.ts';
import { mostStake } from './core.ts';
import type { Taken } from './money.ts';
import { Refusal, refusalOfWallet } from './refusal.ts';
import type { Sessions } from './sessions.ts';
import type { Round, Seat, Session } from './store.ts';

type Stake = Pick<
  Round,
  'id' | 'walletRound' | 'table' | 'key' | 'wager' | 'stakeMinor' | 'serverSeed' | 'clientSeed' | 'nonce' | 'startedAt'
>;

/** A round before its stake is taken. */
export function newRound(session: Session, seat: Seat, stake: Stake): Round {
  return {
    seat: seat.id,
    sessionId: session.id,
    mode: session.mode,
    game: session.game,
    player: session.player,
    walletSession: session.walletSession,
    currency: session.currency,
    seedOf: null,
    status: 'opening',
    moves: [],
    pending: null,
    paidMinor: 0,
    cashedTimes: null,
    lastAt: stake.startedAt,
    endedAt: null,
    ...stake,
  };
}

/** Throws LIMIT_REACHED. */
export function mustBeWithin(session: Session, game: AnyGame, stakeMinor: number): void {
  if (stakeMinor > mostStake(session, game))
    throw new Refusal('LIMIT_REACHED', 'This stake is higher than you may stake in this game.', {
      field: 'stakeMinor',
    });
}

/** Why a stake was not taken. `readyAt`: when the next may come, where it came too fast. */
export function refusedStake(
  taken: Exclude<Taken, { kind: 'done' }>,
  sessions: Sessions,
  session: Session,
  readyAt: number,
): Refusal {
  if (taken.kind === 'unknown') return new Refusal('WALLET_DOWN');
  const refusal = refusalOfWallet(taken.code, readyAt);
  if (refusal.page.code === 'SESSION_OVER') sessions.end(session, 'SESSION_OVER');
  return refusal;
}
