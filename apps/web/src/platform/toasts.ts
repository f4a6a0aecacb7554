/**
 * Short messages at the top centre: one at a time, 1500 ms each (specification 9), held while hovered or focused. The last
 * 50 stay in a list the player can open. Any room may call `toast`; `ToastView` draws it once, in the root of the client.
 */
import { Signal } from './listeners.ts';
import { perPlayer } from './per-player.ts';

type ToastKind = 'success' | 'error' | 'info';
/** `to`: the place it speaks of. */
export type Toast = { id: number; kind: ToastKind; text: string; atMs: number; to?: string };

export const TOAST_MS = 1500;
export const TOAST_LOG = 50;

let nextId = 1;
let queue: readonly Toast[] = [];
let log: readonly Toast[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let held = false;
const changed = new Signal();
export const subscribeToasts = changed.on;

export const toast = {
  success: (text: string, to?: string) => push('success', text, to),
  error: (text: string, to?: string) => push('error', text, to),
  info: (text: string, to?: string) => push('info', text, to),
};

/** The message on the screen, or null. */
export function currentToast(): Toast | null {
  return queue[0] ?? null;
}

/** The last 50 messages, newest first. */
export function toastLog(): readonly Toast[] {
  return log;
}

/** Takes the shown message away and shows the next. */
export function closeToast(): void {
  queue = queue.slice(1);
  held = false;
  arm();
  changed.tell();
}

/** Keeps the shown message while the pointer or focus is on it; released, it has its full time again. */
export function holdToast(hold: boolean): void {
  held = hold;
  arm();
}

/** Forgets everything: what one player was told is not for the next. */
export function clearToasts(): void {
  queue = [];
  log = [];
  held = false;
  arm();
  changed.tell();
}
perPlayer(clearToasts);

function push(kind: ToastKind, text: string, to?: string): void {
  const message: Toast = { id: nextId++, kind, text, atMs: Date.now(), ...(to ? { to } : {}) };
  log = [message, ...log].slice(0, TOAST_LOG);
  // A repeat of what is on the screen only renews it; behind a row of messages the oldest waiting ones give way.
  const shown = queue[0];
  if (shown && shown.kind === kind && shown.text === text) queue = [message, ...queue.slice(1)];
  else queue = [...queue.slice(0, 3), message];
  if (queue[0] === message) arm();
  changed.tell();
}

function arm(): void {
  clearTimeout(timer);
  timer = undefined;
  if (queue.length > 0 && !held) timer = setTimeout(closeToast, TOAST_MS);
}
