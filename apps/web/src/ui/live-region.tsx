import { useSyncExternalStore } from 'react';

/** Words for screen readers that stand nowhere on the page: the page's new title, a changed price of the selected runner. */
type Spoken = { polite: string; assertive: string };
let spoken: Spoken = { polite: '', assertive: '' };
const listeners = new Set<() => void>();

/** Speaks once. Prices: polite and at most every two seconds, which is the caller's to keep. */
export function announce(text: string, how: 'polite' | 'assertive' = 'polite'): void {
  // The same words twice need a change to be heard again.
  spoken = { ...spoken, [how]: spoken[how] === text ? `${text}\u00a0` : text };
  for (const listener of listeners) listener();
}

/** The two regions. Once, in the root. */
export function LiveRegion() {
  const { polite, assertive } = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => spoken,
  );
  return (
    <div className="sr">
      <div aria-live="polite">{polite}</div>
      <div aria-live="assertive">{assertive}</div>
    </div>
  );
}
