import type { Account } from './state.ts';

/** What an account has free: neither at risk nor held back. Negative when it is short. */
export function availableOf(account: Account): number {
  return account.balance - account.exposure - account.held;
}
