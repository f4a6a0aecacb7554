/**
 * The neutral seamless wallet (trust reference 4): what every provider's dialect is translated to. One effect per provider
 * and transaction id; debits may be refused, credits and rollbacks are always taken; every movement is a command of the
 * single writer, so a debit is decided against the same money as a bet.
 */

/** The codes of trust reference 4.2; each dialect has its own names for them. */
export type WalletCode =
  | 'OK'
  | 'INVALID_SIGNATURE'
  | 'INVALID_TOKEN'
  | 'TOKEN_EXPIRED'
  | 'USER_DISABLED'
  | 'INSUFFICIENT_FUNDS'
  | 'LIMIT_REACHED'
  | 'REALITY_CHECK_DUE'
  | 'TOO_FAST'
  | 'WRONG_CURRENCY'
  | 'INVALID_GAME'
  | 'INVALID_AMOUNT'
  | 'DUPLICATE_MISMATCH'
  | 'BET_NOT_FOUND'
  | 'ALREADY_SETTLED'
  | 'ALREADY_ROLLED_BACK'
  | 'RETRY'
  | 'UNKNOWN';

/** A provider's session of one player: made from a one-use launch token, bound to player, currency and provider. */
export interface WalletSession {
  readonly sessionId: string;
  readonly provider: string;
  readonly userId: number;
  /** What the provider knows the player by. */
  readonly playerRef: string;
  readonly currency: string;
  readonly game: string;
}

export interface Movement {
  readonly provider: string;
  readonly sessionId: string;
  readonly playerRef: string;
  /** The provider's own id of this movement, unique per provider. */
  readonly txId: string;
  readonly roundId: string;
  readonly game: string;
  readonly currency: string;
  /** Not negative; 0 only for a credit that ends a lost round. */
  readonly amountMinor: number;
}

/** `balanceMinor` is what may be staked now (balance less exposure), also beside a refusal where the player is known. */
export interface WalletAnswer {
  readonly code: WalletCode;
  readonly balanceMinor?: number;
  readonly currency?: string;
  /** Our own id of the effect; the same for every repetition. */
  readonly walletTx?: string;
  /** The same movement was taken before; nothing happened again. */
  readonly repeated?: boolean;
  /** A rollback of a movement never seen: taken, and that movement can never be taken later (tombstone). */
  readonly tombstone?: boolean;
}

export interface ProviderWallet {
  /** Exchanges a launch token (one use, 60 s, bound to player and game) for a session. */
  authenticate(provider: string, token: string): Promise<WalletAnswer & { session?: WalletSession; nickname?: string }>;
  balance(provider: string, sessionId: string): Promise<WalletAnswer>;
  debit(movement: Movement): Promise<WalletAnswer>;
  /** `refTx` names the debit where the dialect has it; else the round must have one. */
  credit(movement: Movement & { refTx?: string; roundClosed: boolean }): Promise<WalletAnswer>;
  /** Both or neither, in one command. */
  debitCredit(movement: Movement & { creditMinor: number; roundClosed: boolean }): Promise<WalletAnswer>;
  rollback(movement: Omit<Movement, 'amountMinor'> & { refTx: string }): Promise<WalletAnswer>;
  promoCredit(movement: Movement & { reason: string }): Promise<WalletAnswer>;
  roundEnd(movement: Omit<Movement, 'amountMinor' | 'txId'>): Promise<WalletAnswer>;
  sessionEnd(provider: string, sessionId: string): Promise<WalletAnswer>;
}

/** What reports and reconciliation need of the wallet beside its movements. */
export interface WalletDesk {
  /** What this provider knows the player by; null where he never opened a game of it. */
  playerRef(provider: string, userId: number): Promise<string | null>;
  /** Whether this win was told and waits for a person. */
  waits(provider: string, txId: string): Promise<boolean>;
  /** Movements taken by `at`, from inclusive, to exclusive, oldest first. Tombstones are among them with amount 0. */
  movements(provider: string, fromMs: number, toMs: number): Promise<WalletRow[]>;
  /** The same by transaction id, at most 1000. */
  movementsById(provider: string, txIds: readonly string[]): Promise<WalletRow[]>;
}

/** A movement as our books have it. */
export interface WalletRow {
  readonly txId: string;
  readonly kind: 'debit' | 'credit' | 'debitCredit' | 'rollback' | 'promo';
  readonly playerRef: string;
  readonly roundId: string;
  readonly game: string;
  readonly currency: string;
  /** Of a rollback: what it gave back of the stake (0 for a tombstone, and when it came twice). */
  readonly amountMinor: number;
  /** Only of debitCredit: the win. */
  readonly creditMinor?: number;
  readonly refTx?: string;
  /** Milliseconds since 1970, when we took it. */
  readonly at: number;
}
