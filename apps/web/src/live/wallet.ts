import { perPlayer } from '../platform/per-player.ts';
import { touch } from './wake.ts';

export interface Wallet {
  balanceMinor: number;
  exposureMinor: number;
  /** Winnings held back until somebody else has covered what he owes. */
  heldMinor: number;
  profitLossMinor: number;
  version: number;
}

/** What is there for a new bet, minor units; below 0 where a result was taken back. */
export const availableOf = ({ balanceMinor, exposureMinor, heldMinor }: Wallet): number =>
  balanceMinor - exposureMinor - heldMinor;

export const walletKey = 'wallet';
let held: Wallet | null = null;

export const wallet = (): Wallet | null => held;

/** Takes a balance from an answer or an event; an older version than held changes nothing. */
export function takeWallet(next: {
  currentBalance?: number | undefined;
  exposure?: number | undefined;
  held?: number | undefined;
  profitLoss?: number | undefined;
  version?: number | undefined;
}): void {
  const version = next.version ?? held?.version ?? 0;
  if (held && version < held.version) return;
  const changed: Wallet = {
    balanceMinor: next.currentBalance ?? held?.balanceMinor ?? 0,
    exposureMinor: Math.abs(next.exposure ?? held?.exposureMinor ?? 0),
    heldMinor: next.held ?? held?.heldMinor ?? 0,
    profitLossMinor: next.profitLoss ?? held?.profitLossMinor ?? 0,
    version,
  };
  if (
    held &&
    changed.balanceMinor === held.balanceMinor &&
    changed.exposureMinor === held.exposureMinor &&
    changed.heldMinor === held.heldMinor &&
    changed.profitLossMinor === held.profitLossMinor
  ) {
    held = { ...held, version };
    return;
  }
  held = changed;
  touch(walletKey);
}

perPlayer(() => {
  held = null;
  touch(walletKey);
});
