import { useSyncExternalStore } from 'react';
import { Signal } from '../../platform/listeners.ts';
import { perPlayer } from '../../platform/per-player.ts';
import { device } from '../../platform/storage.ts';

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
const changed = new Signal();

function load(): TablePrefs {
  const kept = device.value(STORE) as Partial<TablePrefs> | null;
  return { asks: kept?.asks === true, sound: kept?.sound === true, atOnce: false };
}

// Who signs in next has armed nothing; how the tables look and sound is the device's.
perPlayer(() => setTablePrefs({ atOnce: false }));

export const tablePrefs = (): TablePrefs => prefs;

export function setTablePrefs(change: Partial<TablePrefs>): void {
  prefs = { ...prefs, ...change };
  device.keep(STORE, { asks: prefs.asks, sound: prefs.sound });
  changed.tell();
}

export const useTablePrefs = (): TablePrefs => useSyncExternalStore(changed.on, tablePrefs);
