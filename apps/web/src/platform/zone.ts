import { zoneNamed } from '@fairgame/contract';
import { useSyncExternalStore } from 'react';
import { Signal } from './listeners.ts';
import { device } from './storage.ts';

/**
 * By whose clock the page tells days and hours: as the account has it, else by the device's. Kept in the browser, so that
 * the next start draws by it at once; another one draws everything anew.
 */
const KEY = 'zone';
const changed = new Signal();
/** A name that this browser does not know is none. */
const known = (zone: string | null): string | null => zone && zoneNamed(zone);
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
let own = known(device.text(KEY));

export const timeZone = (): string => own ?? here;
export const useTimeZone = (): string => useSyncExternalStore(changed.on, timeZone);

/** Null: the device's. */
export function setTimeZone(zone: string | null): void {
  const next = known(zone);
  if (next === own) return;
  own = next;
  device.keepText(KEY, next ?? '');
  changed.tell();
}
