/** Whether the price in the slip is spoken to screen readers as it moves. Kept for this browser; on until told otherwise. */
const KEY = 'speakPrice';
const listeners = new Set<() => void>();
let on = read();

export const speaks = (): boolean => on;

export function setSpeaks(next: boolean): void {
  on = next;
  try {
    localStorage.setItem(KEY, next ? 'on' : 'off');
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function onSpeaks(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}
