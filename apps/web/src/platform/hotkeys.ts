/**
 * Keys that do something on every page, in the rows of lists, in the slip, or on the ladder that has the focus. A player may
 * give them other keys; those are his, in this browser. Never while something is typed, and not behind an open window.
 */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { Signal } from './listeners.ts';
import { device } from './storage.ts';

export const HOTKEYS = {
  help: { key: '?', of: 'pages' },
  search: { key: '/', of: 'pages' },
  home: { key: 'o', of: 'pages' },
  inPlay: { key: 'i', of: 'pages' },
  bets: { key: 'u', of: 'pages' },
  alerts: { key: 'n', of: 'pages' },
  workspace: { key: 'w', of: 'pages' },
  nextRow: { key: 'j', of: 'rows' },
  previousRow: { key: 'k', of: 'rows' },
  back: { key: 'b', of: 'rows' },
  lay: { key: 'l', of: 'rows' },
  nextBet: { key: '.', of: 'slip' },
  previousBet: { key: ',', of: 'slip' },
  stake: { key: 'e', of: 'slip' },
  place: { key: 'v', of: 'slip' },
  clear: { key: 'x', of: 'slip' },
  centre: { key: 'c', of: 'ladder' },
  arm: { key: 'a', of: 'ladder' },
  takeUp: { key: 'm', of: 'ladder' },
  cancelBacks: { key: '[', of: 'ladder' },
  cancelLays: { key: ']', of: 'ladder' },
  stop: { key: 's', of: 'ladder' },
  profit: { key: 'p', of: 'ladder' },
  trail: { key: 't', of: 'ladder' },
  hedge: { key: 'h', of: 'ladder' },
  hedgeAll: { key: 'g', of: 'ladder' },
} as const satisfies Record<string, { key: string; of: 'pages' | 'rows' | 'slip' | 'ladder' }>;
export type Hotkey = keyof typeof HOTKEYS;
export type Hotkeys = Readonly<Record<Hotkey, string>>;

const NAMES = Object.keys(HOTKEYS) as Hotkey[];
const FIRST = Object.fromEntries(NAMES.map((name) => [name, HOTKEYS[name].key])) as Hotkeys;
const changed = new Signal();
/** The keys 1 to 9: the player's stakes, in the slip and on a ladder. They are nobody's to give away. */
const STAKES = 'stakes';
type Deed = (key: string) => void;
const deeds = new Map<Hotkey | typeof STAKES, Deed[]>();
let owner = 0;
let held: Hotkeys = FIRST;

const shelf = (): string => `fg.keys.${owner}`;

/** The keys of this player; 0 for nobody. */
export function useKeysOf(userId: number): void {
  useEffect(() => {
    owner = userId;
    held = readKeys(device.value(shelf()));
    changed.tell();
  }, [userId]);
}

/** What stands in the browser may be anything: a key that is none, or that another has (by now), is the first one again. */
function readKeys(kept: unknown): Hotkeys {
  const given = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<string, unknown>;
  const keys: Record<string, string> = { ...FIRST };
  for (const name of NAMES) {
    const key = given[name];
    if (typeof key === 'string' && isKey(key)) keys[name] = key;
  }
  const others = (name: Hotkey): boolean => NAMES.some((one) => one !== name && keys[one] === keys[name]);
  for (const name of NAMES) if (others(name)) keys[name] = FIRST[name];
  return new Set(Object.values(keys)).size === NAMES.length ? (keys as Hotkeys) : FIRST;
}

/** One sign that is typed by itself. Figures are stakes. */
export const isKey = (key: string): boolean => /^[^\s\d]$/u.test(key);

export const useHotkeys = (): Hotkeys => useSyncExternalStore(changed.on, () => held);

/** What a pressed key means, as the key that does it at first; empty where another key does that now. Named keys mean themselves. */
export function meaningOf(pressed: string): string {
  const key = pressed.toLowerCase();
  const name = ownerOf(key);
  if (name) return HOTKEYS[name].key;
  return Object.values(FIRST).includes(key) ? '' : key;
}

/** The key that does now what `first` does at first, as a legend writes it: `B`, `Shift+B`. */
export function keyNow(first: string): string {
  const [, before = '', sign = first] = /^(Shift\+)?(.)$/.exec(first) ?? [];
  const name = NAMES.find((one) => HOTKEYS[one].key === sign.toLowerCase());
  return name ? before + held[name].toUpperCase() : first;
}

/** Whose key it is; null where it is free. */
export const ownerOf = (key: string): Hotkey | null => NAMES.find((name) => held[name] === key.toLowerCase()) ?? null;

/** The caller has seen that it is free. */
export function setKey(name: Hotkey, key: string): void {
  keep({ ...held, [name]: key.toLowerCase() });
}

export function resetKeys(): void {
  keep(FIRST);
}

function keep(keys: Hotkeys): void {
  held = keys;
  device.keep(shelf(), keys === FIRST ? null : keys);
  changed.tell();
}

/** What a key does while the caller is on the page; the one that came last has it. */
export function useHotkey(name: Hotkey | typeof STAKES, act: Deed): void {
  const press = useEffectEvent(act);
  useEffect(() => {
    const own = (key: string) => press(key);
    deeds.set(name, [...(deeds.get(name) ?? []), own]);
    if (deeds.size === 1) window.addEventListener('keydown', onKey);
    return () => {
      const left = (deeds.get(name) ?? []).filter((one) => one !== own);
      if (left.length > 0) deeds.set(name, left);
      else deeds.delete(name);
      if (deeds.size === 0) window.removeEventListener('keydown', onKey);
    };
  }, [name]);
}

/** Whether what is pressed there is typed. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'));

/** Behind an open window nothing acts; where the slip stands in it, as on a phone, its own keys do. */
function isBehind(name: Hotkey | typeof STAKES): boolean {
  const open = document.querySelector('dialog[open]');
  const ofSlip = name === STAKES || HOTKEYS[name].of === 'slip';
  return open !== null && !(ofSlip && open.querySelector('[data-stake]'));
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (isTyping(event.target)) return;
  const name = /^[1-9]$/.test(event.key) ? STAKES : ownerOf(event.key);
  const act = name && deeds.get(name)?.at(-1);
  if (!act || isBehind(name)) return;
  event.preventDefault();
  act(event.key);
}
