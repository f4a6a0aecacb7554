/** What is read from a state. */
import type { AccountId, MarketId, RunnerId } from './terms.ts';

export interface Wallet {
  balanceMinor: number;
  /** Sum of the worst cases over markets, not negative. */
  exposureMinor: number;
  /** Winnings that are held back until somebody else has covered what he owes; neither for bets nor withdrawable. */
  heldMinor: number;
  /** balance - exposure - held. Negative: the account is short and may only lower its risk. */
  availableMinor: number;
}

/** What is held back of `creditorId`'s winnings in a market, because `debtorId` lost it there without money for it. */
export interface HoldView {
  marketId: MarketId;
  debtorId: AccountId;
  creditorId: AccountId;
  amountMinor: number;
}

export type WorkType =
  | 'market.declare'
  | 'market.undeclare'
  | 'market.state'
  | 'runner.remove'
  | 'runner.reinstate'
  | 'bets.void'
  | 'market.archive'
  | 'market.recall';

/**
 * What a command began and `work` has to go on with, and how many units that takes at most. A market that is recalled wants its
 * `part` of that number instead.
 */
export interface PendingWork {
  type: WorkType;
  marketId: MarketId;
  /** Where it stands: a unit of one costs the writer and the database something else than one of another. */
  phase: string;
  unitsAtMost: number;
  part?: number;
}

/** An account that is short: in which markets others' acts made it so, what it lacks and what it owes. */
export interface ShortView {
  accountId: AccountId;
  marketIds: MarketId[];
  lackingMinor: number;
  owedMinor: number;
}

/** An account's standing in one market; what the screens show under each runner. */
export interface Position {
  marketId: MarketId;
  exposureMinor: number;
  /** Runner markets: result if this runner wins or loses, matched bets only, in minor units (rounded). One winner: `net` is the full result. */
  runners?: Array<{ runnerId: RunnerId; winMinor: number; loseMinor: number; netMinor: number }>;
  /** Number markets: one row a run (or digit, or 0 odd / 1 even kept as {run: 0|1}), see runs.ts. */
  runs?: Array<{ run: number; profitMinor: number }>;
  betCount: number;
}
