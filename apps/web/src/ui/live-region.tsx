import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Signal } from '../platform/listeners.ts';
import { useTopDialog } from './dialog.tsx';

/** Words for screen readers that stand nowhere on the page: the page's new title, a changed price of the selected runner. */
type Spoken = { polite: string; assertive: string };
let spoken: Spoken = { polite: '', assertive: '' };
const changed = new Signal();

/** Speaks once. Prices: polite and at most every two seconds, which is the caller's to keep. */
export function announce(text: string, how: 'polite' | 'assertive' = 'polite'): void {
  // The same words twice need a change to be heard again.
  spoken = { ...spoken, [how]: spoken[how] === text ? `${text}\u00a0` : text };
  changed.tell();
}

/** The two regions. Once, in the root; while a dialog is open they stand in it, since everything outside is inert. */
export function LiveRegion() {
  const dialog = useTopDialog();
  const { polite, assertive } = useSyncExternalStore(changed.on, () => spoken);
  const regions = (
    <div className="sr">
      <div aria-live="polite">{polite}</div>
      <div aria-live="assertive">{assertive}</div>
    </div>
  );
  return dialog ? createPortal(regions, dialog) : regions;
}
