import { useSyncExternalStore } from 'react';
import { perPlayer } from '../../platform/per-player.ts';

/** How this player likes the tables, kept on the device. Placing at a press is armed by hand and never kept. */
export interface TablePrefs {
  /** A second look before the bets that were laid are placed. */
  readonly asks: boolean;
  /** Off until the player switches it on. */
  readonly sound: boolean;
  /** A press on a field places the chip at once. */
  readonly atOnce: boolean;
}

const STORE = 'fg.tables';
let prefs: TablePrefs = load();
const listeners = new Set<() => void>();

function load(): TablePrefs {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE) ?? '{}') as Partial<TablePrefs>;
    return { asks: kept.asks === true, sound: kept.sound === true, atOnce: false };
  } catch {
    return { asks: false, sound: false, atOnce: false };
  }
}

// Who signs in next has armed nothing; how the tables look and sound is the device's.
perPlayer(() => setTablePrefs({ atOnce: false }));

export const tablePrefs = (): TablePrefs => prefs;

export function setTablePrefs(change: Partial<TablePrefs>): void {
  prefs = { ...prefs, ...change };
  try {
    localStorage.setItem(STORE, JSON.stringify({ asks: prefs.asks, sound: prefs.sound }));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export const useTablePrefs = (): TablePrefs => useSyncExternalStore(onTablePrefs, tablePrefs);

function onTablePrefs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
