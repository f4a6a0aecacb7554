import { useSyncExternalStore } from 'react';
import { Signal } from '../platform/listeners.ts';

/**
 * Why the player may not bet at all: a break, a self-exclusion, a frozen account. Null when betting is on. Prices and slip
 * switch off by it; the server refuses in any case (OPN-16).
 */
let off: string | null = null;
const changed = new Signal();

export const bettingOff = (): string | null => off;

export function setBettingOff(reason: string | null): void {
  if (reason === off) return;
  off = reason;
  changed.tell();
}

export function useBettingOff(): string | null {
  return useSyncExternalStore(changed.on, bettingOff);
}
