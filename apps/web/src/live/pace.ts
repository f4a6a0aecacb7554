/**
 * How fast prices move on this screen (A11Y-06): as they come, all together every five seconds, or not at all. Frozen
 * prices cannot be bet on. `slow` is remembered for this browser; a reload always ends a freeze.
 */
export type Pace = 'live' | 'slow' | 'frozen';

export const SLOW_MS = 5000;
const KEY = 'prices';
const listeners = new Set<(pace: Pace, before: Pace) => void>();
let now: Pace = read();

export const pace = (): Pace => now;

export function setPace(next: Pace): void {
  if (next === now) return;
  const before = now;
  now = next;
  try {
    if (next === 'slow') localStorage.setItem(KEY, next);
    else if (next === 'live') localStorage.removeItem(KEY);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener(next, before);
}

export function onPace(listener: (pace: Pace, before: Pace) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Pace {
  try {
    return localStorage.getItem(KEY) === 'slow' ? 'slow' : 'live';
  } catch {
    return 'live';
  }
}
