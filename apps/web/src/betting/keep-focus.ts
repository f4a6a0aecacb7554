import { type FocusEventHandler, type RefObject, useEffect, useRef } from 'react';

/**
 * Around parts whose controls come and go: when the control that had the focus is drawn no more (a cancelled bet's row, the
 * form of a bet that is placed now), the focus stays in the box instead of falling to the top of the page.
 */
export function useKeepFocus(): {
  ref: RefObject<HTMLDivElement | null>;
  tabIndex: -1;
  /** Shows where the keyboard is while the box itself holds it. */
  className: 'keep';
  onFocus: FocusEventHandler;
  onBlur: FocusEventHandler;
} {
  const ref = useRef<HTMLDivElement>(null);
  const had = useRef(false);
  useEffect(() => {
    if (had.current && document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
  });
  return {
    ref,
    tabIndex: -1,
    className: 'keep',
    onFocus: () => {
      had.current = true;
    },
    // Not told of controls that were taken away, only of a focus that went elsewhere.
    onBlur: () => {
      had.current = false;
    },
  };
}

/** Not a player's: a place on the screen, which goes with it. */
let opener: HTMLElement | null = null;

/** A price was pressed: the place to go back to from the slip. */
export function rememberOpener(): void {
  const at = document.activeElement;
  opener = at instanceof HTMLElement && at !== document.body ? at : null;
}

/** Leaves the slip for the price it was opened from, or for the screen where that price is no more. */
export function focusOpener(): void {
  const to = opener?.isConnected ? opener : document.getElementById('main');
  to?.focus({ preventScroll: true });
}
