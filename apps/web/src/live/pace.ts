import { Signal } from '../platform/listeners.ts';
import { device } from '../platform/storage.ts';

/**
 * How fast prices move on this screen (A11Y-06): as they come, all together every five seconds, or not at all. Frozen
 * prices cannot be bet on. `slow` is remembered for this browser; a reload always ends a freeze.
 */
export type Pace = 'live' | 'slow' | 'frozen';

export const SLOW_MS = 5000;
const KEY = 'prices';
const changed = new Signal<[pace: Pace, before: Pace]>();
let now: Pace = device.text(KEY) === 'slow' ? 'slow' : 'live';

export const pace = (): Pace => now;
export const onPace = changed.on;

export function setPace(next: Pace): void {
  if (next === now) return;
  const before = now;
  now = next;
  if (next !== 'frozen') device.keepText(KEY, next === 'slow' ? next : null);
  changed.tell(next, before);
}
