import { useSyncExternalStore } from 'react';

/**
 * Why the player may not bet at all: a break, a self-exclusion, a frozen account. Null when betting is on. Prices and slip
 * switch off by it; the server refuses in any case (OPN-16).
 */
let off: string | null = null;
const listeners = new Set<() => void>();

export const bettingOff = (): string | null => off;

export function setBettingOff(reason: string | null): void {
  if (reason === off) return;
  off = reason;
  for (const listener of listeners) listener();
}

export function useBettingOff(): string | null {
  return useSyncExternalStore(subscribe, bettingOff);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
