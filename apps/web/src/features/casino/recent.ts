import { device } from '../../platform/storage.ts';
import { readSession } from '../../session/session.ts';

/**
 * The tables or live games this player opened last on this device, newest first. Kept per player, so that nobody sees
 * another's.
 */
const KEPT = 6;
type Of = 'casino' | 'live';
const keyOf = (of: Of): string => `fg.${of}.${readSession()?.userId ?? 0}`;

export function lastPlayed(of: Of = 'casino'): string[] {
  const list = device.value(keyOf(of));
  return Array.isArray(list) ? list.filter((code): code is string => typeof code === 'string').slice(0, KEPT) : [];
}

export function rememberPlayed(code: string, of: Of = 'casino'): void {
  device.keep(keyOf(of), [code, ...lastPlayed(of).filter((one) => one !== code)].slice(0, KEPT));
}
