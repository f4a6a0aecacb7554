import { tab } from './storage.ts';

/**
 * The one way to reload the page by itself (decisions.md, CAR-05..07): at most once in 60 s per tab, spread over a random
 * time so that a thousand tabs do not come at once, and never while something holds it (a bet whose answer is on its way) or
 * there is no network.
 */
const KEY = 'reloadedAt';
const QUIET_MS = 60_000;

const holds = new Set<object>();
const befores = new Set<() => void>();
let waiting: (() => void) | null = null;

/** Asks for one reload. False when this tab has reloaded within the last minute: then show the message with Refresh. */
export function reloadOnce(reason: string, { spreadMs = 0 }: { spreadMs?: number } = {}): boolean {
  if (Date.now() - Number(tab.text(KEY)) < QUIET_MS) return false;
  if (waiting) return true;
  const go = () => {
    if (holds.size > 0) return;
    // Without a network the browser's own error page would stand here, which does not come back by itself.
    if (navigator.onLine === false) return addEventListener('online', go, { once: true });
    waiting = null;
    remember();
    for (const before of befores) before();
    console.warn(`Reloading: ${reason}`);
    window.location.reload();
  };
  waiting = go;
  setTimeout(go, Math.random() * spreadMs);
  return true;
}

/** What is to be done right before an automatic reload. */
export function beforeReload(work: () => void): void {
  befores.add(work);
}

/** Keeps automatic reloads away until the returned function is called. */
export function holdReload(): () => void {
  const hold = {};
  holds.add(hold);
  return () => {
    holds.delete(hold);
    if (holds.size === 0) waiting?.();
  };
}

/** The player pressed Refresh: always obeyed. */
export function refreshNow(): void {
  remember();
  window.location.reload();
}

const remember = (): void => tab.keepText(KEY, String(Date.now()));
