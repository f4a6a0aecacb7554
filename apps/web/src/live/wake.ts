import { Listeners } from '../platform/listeners.ts';

/**
 * When listeners are told: what changed is told once per animation frame. On a slow phone the painting of two hundred moved
 * prices is one long task, and longer together with a press. So a press is drawn before the prices that came with it, and
 * prices that take longer than this are drawn over several frames.
 */
const FLUSH_MS = 3;

const listeners = new Listeners();
const dirty = new Set<string>();
let scheduled = false;
let pressed = false;
let waited = false;

export const subscribe = (key: string, listener: () => void): (() => void) => listeners.add(key, listener);

/** Whether anything on the screen shows what the key stands for. */
export const isHeard = (key: string): boolean => listeners.has(key);

/** Wakes the listeners of a key at the next frame. */
export function touch(key: string): void {
  if (!listeners.has(key)) return;
  dirty.add(key);
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(flush);
}

for (const press of ['click', 'keydown'] as const)
  addEventListener(
    press,
    () => {
      if (pressed) return;
      pressed = true;
      // Until the frame that draws it is over.
      requestAnimationFrame(() => setTimeout(() => (pressed = false)));
    },
    { capture: true, passive: true },
  );

function flush(): void {
  if (pressed && !waited) {
    waited = true;
    requestAnimationFrame(flush);
    return;
  }
  waited = false;
  const until = performance.now() + FLUSH_MS;
  // What becomes dirty meanwhile belongs to the next frame.
  const due = [...dirty];
  for (const key of due) {
    dirty.delete(key);
    listeners.tell(key);
    if (performance.now() > until) break;
  }
  scheduled = dirty.size > 0;
  if (scheduled) requestAnimationFrame(flush);
}
