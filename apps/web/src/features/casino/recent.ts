import { readSession } from '../../session/session.ts';

/**
 * The tables or live games this player opened last on this device, newest first. Kept per player, so that nobody sees
 * another's.
 */
const KEPT = 6;
type Of = 'casino' | 'live';
const keyOf = (of: Of): string => `fg.${of}.${readSession()?.userId ?? 0}`;

export function lastPlayed(of: Of = 'casino'): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(keyOf(of)) ?? '[]');
    return Array.isArray(list) ? list.filter((code): code is string => typeof code === 'string').slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

export function rememberPlayed(code: string, of: Of = 'casino'): void {
  try {
    const list = [code, ...lastPlayed(of).filter((one) => one !== code)].slice(0, KEPT);
    localStorage.setItem(keyOf(of), JSON.stringify(list));
  } catch {
    // Storage is full or switched off: the lobby then opens without a last table.
  }
}
