/** What the wallet is given. */
import type { Core, PayoutBounds } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';

/** What the wallet must know of a game: from the provider's list. */
export interface GameTerms {
  /** For statement and reports. */
  providerName: string;
  gameName: string;
  /** Least time between two rounds of a player: 2500 for slots, 5000 for all others (trust PP-12). */
  minRoundMs: number;
  /** Slots have a cap and a pace of their own by jurisdiction (PP-12, PP-15). */
  slots: boolean;
}

export interface WalletOptions {
  db: Db;
  /** With player protection in front (`protection.guarded`). */
  core: Core;
  /** Throws ACCOUNT_BLOCKED, REALITY_CHECK_DUE, SESSION_TIME_LIMIT (`protection.mayPlay`). */
  mayPlay: (userId: number) => Promise<void>;
  /** `protection.slotRules`. */
  slotRules: (userId: number) => Promise<{ stakeMinor: number | null; roundMs: number }>;
  clock: () => number;
  /** Milliseconds that only go on. */
  steady: () => number;
  log: Log;
  /** Undefined: the provider has no such game; debits and launches are refused then. */
  gameOf: (provider: string, game: string) => GameTerms | undefined;
  limitsOf: (provider: string) => PayoutBounds;
}
