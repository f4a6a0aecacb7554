import { useSyncExternalStore } from 'react';
import { Signal } from '../../platform/listeners.ts';
import { perPlayer } from '../../platform/per-player.ts';
import { tab } from '../../platform/storage.ts';

/** The chip in the player's hand: what a press lays. Minor units as typed or chosen; null: the smallest of the rack. */
const STORE = 'fg.player.chip';
let chosen: number | null = load();
const changed = new Signal();
perPlayer(() => chooseChip(null));

export const chosenChip = (): number | null => chosen;
export const useChosenChip = (): number | null => useSyncExternalStore(changed.on, chosenChip);

export function chooseChip(minor: number | null): void {
  chosen = minor;
  tab.keep(STORE, minor);
  changed.tell();
}

function load(): number | null {
  const kept = Number(tab.value(STORE));
  return Number.isSafeInteger(kept) && kept > 0 ? kept : null;
}
