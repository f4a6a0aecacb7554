import { useSyncExternalStore } from 'react';
import { perPlayer } from '../../platform/per-player.ts';

/** The chip in the player's hand: what a press lays. Minor units as typed or chosen; null: the smallest of the rack. */
const STORE = 'fg.player.chip';
let chosen: number | null = load();
const listeners = new Set<() => void>();
perPlayer(() => chooseChip(null));

export const chosenChip = (): number | null => chosen;
export const useChosenChip = (): number | null => useSyncExternalStore(onChip, chosenChip);

export function chooseChip(minor: number | null): void {
  chosen = minor;
  try {
    if (minor === null) sessionStorage.removeItem(STORE);
    else sessionStorage.setItem(STORE, String(minor));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function onChip(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function load(): number | null {
  try {
    const kept = Number(sessionStorage.getItem(STORE));
    return Number.isSafeInteger(kept) && kept > 0 ? kept : null;
  } catch {
    return null;
  }
}
