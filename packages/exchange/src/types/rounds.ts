/** Rounds of providers' games and what moves money in them. */
import type { AccountId } from './terms.ts';

/** What every movement of a provider's game says. One player, one round; a shared round is one of these for each player. */
export interface GameMove {
  provider: string;
  /** The provider's own number of the round. */
  roundId: string;
  accountId: AccountId;
  game: string;
  /** Must be the account's. */
  currency: string;
  /** Provider and game by name, for the statement. */
  label: string;
  /** The round as it stood when it left memory; put in by the writer. */
  archived?: RoundView;
}

/** Bets of a round: transaction id, stake, and what became of it. */
export type RoundBet = [txId: string, amountMinor: number, state: 'OPEN' | 'SETTLED' | 'ROLLED_BACK'];

/** One player's part of one round of a provider's game. */
export interface RoundView {
  provider: string;
  roundId: string;
  accountId: AccountId;
  game: string;
  label: string;
  /** REFUNDED: every stake was taken back, so it may begin anew; SETTLED: over for good, though a late win is still paid. */
  status: 'OPEN' | 'SETTLED' | 'REFUNDED';
  stakedMinor: number;
  paidMinor: number;
  refundedMinor: number;
  bets: RoundBet[];
  openedAt: number;
  /** 0 while it is open. */
  closedAt: number;
  /** Rises with every change, from 1. */
  version: number;
}

export interface MovementView {
  provider: string;
  txId: string;
  kind: 'debit' | 'debitCredit' | 'credit' | 'rollback' | 'promo';
  accountId: AccountId;
  roundId: string;
  game: string;
  /** What left the account. */
  amountMinor: number;
  /** What came to it. */
  creditMinor: number;
  refTx?: string;
  /** False: taken, but there was nothing left to do (a bet rolled back before). */
  effect: boolean;
}
