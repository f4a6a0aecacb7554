/** The operator's wallet as the host sees it; each provider's dialect writes it (docs/providers.md). Money in minor units. */

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

export interface WalletReply {
  readonly code: WalletCode;
  readonly balanceMinor?: number;
  /** A rollback of a debit that the operator never saw. */
  readonly tombstone?: boolean;
}

export interface WalletLogin extends WalletReply {
  readonly session?: string;
  readonly player?: string;
  readonly currency?: string;
}

export interface WalletMove {
  readonly session: string;
  readonly player: string;
  readonly tx: string;
  readonly round: string;
  readonly game: string;
  readonly currency: string;
}

/** Every call rejects where it cannot be known whether the operator took it: no answer, 5xx, an answer with a bad signature. */
export interface OperatorWallet {
  authenticate(token: string, game: string): Promise<WalletLogin>;
  balance(session: string): Promise<WalletReply>;
  debit(move: WalletMove & { amountMinor: number }): Promise<WalletReply>;
  credit(move: WalletMove & { amountMinor: number; roundClosed: boolean; refTx: string }): Promise<WalletReply>;
  /** Only where the dialect has it: stake and pay-out of a round that is over at once, both or neither. */
  debitCredit?(
    move: WalletMove & { amountMinor: number; creditMinor: number; roundClosed: boolean },
  ): Promise<WalletReply>;
  rollback(move: WalletMove & { refTx: string }): Promise<WalletReply>;
  /** Of a round whose last credit did not close it. */
  roundEnd(move: Omit<WalletMove, 'tx'>): Promise<WalletReply>;
  sessionEnd(session: string): Promise<WalletReply>;
}
