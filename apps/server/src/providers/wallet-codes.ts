/** The codes of trust 4.2 for ours. What is not here is UNKNOWN. */
import { CodedError } from '@fairgame/contract';
import type { WalletCode } from './movement.ts';
import { Refused } from './wins.ts';

const CODES: Record<string, WalletCode> = {
  ACCOUNT_BLOCKED: 'USER_DISABLED',
  ACCOUNT_UNKNOWN: 'USER_DISABLED',
  INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
  LOSS_LIMIT: 'LIMIT_REACHED',
  EXPOSURE_LIMIT: 'LIMIT_REACHED',
  STAKE_LIMIT: 'LIMIT_REACHED',
  WAGER_LIMIT: 'LIMIT_REACHED',
  BET_LIMIT: 'LIMIT_REACHED',
  SESSION_TIME_LIMIT: 'LIMIT_REACHED',
  REALITY_CHECK_DUE: 'REALITY_CHECK_DUE',
  AMOUNT_INVALID: 'INVALID_AMOUNT',
  TOO_FAST: 'TOO_FAST',
  WRONG_CURRENCY: 'WRONG_CURRENCY',
  WRONG_GAME: 'INVALID_GAME',
  KEY_REUSED: 'DUPLICATE_MISMATCH',
  DUPLICATE_BET: 'DUPLICATE_MISMATCH',
  KEY_BURNT: 'ALREADY_ROLLED_BACK',
  BET_UNKNOWN: 'BET_NOT_FOUND',
  BET_SETTLED: 'ALREADY_SETTLED',
  ROUND_CLOSED: 'ALREADY_SETTLED',
  BET_ROLLED_BACK: 'ALREADY_ROLLED_BACK',
  BUSY: 'RETRY',
  UNAVAILABLE: 'RETRY',
  INTERNAL: 'RETRY',
};

/** What a provider is told of an error. */
export function codeOf(error: unknown): WalletCode {
  if (error instanceof Refused) return error.code;
  return error instanceof CodedError ? (CODES[error.code] ?? 'UNKNOWN') : 'RETRY';
}
