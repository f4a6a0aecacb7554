import { readSession } from '../../session/session.ts';

/** The tables this player opened last on this device, newest first. Kept per player, so that nobody sees another's. */
const KEPT = 6;
const keyOf = (): string => `fg.casino.${readSession()?.userId ?? 0}`;

export function lastPlayed(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]');
    return Array.isArray(list) ? list.filter((code): code is string => typeof code === 'string').slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

export function rememberPlayed(code: string): void {
  try {
    localStorage.setItem(keyOf(), JSON.stringify([code, ...lastPlayed().filter((one) => one !== code)].slice(0, KEPT)));
  } catch {
    // Storage is full or switched off: the lobby then opens without a last table.
  }
}
