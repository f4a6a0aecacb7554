import { type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { Signal } from '../platform/listeners.ts';

/**
 * The behaviour under `Modal` and `Sheet`: the browser's own modal dialog. It keeps the focus inside, makes the rest of the
 * page inert, closes on Esc, and stands in the top layer; here the focus goes back to where it was, and messages find the
 * dialog on top (`useTopDialog`), since nothing outside of it can be seen or heard.
 */
const stack: HTMLDialogElement[] = [];
const changed = new Signal();

export function Dialog({
  label,
  labelledBy,
  className,
  onClose,
  locked = false,
  focusItself = false,
  children,
}: {
  label?: string;
  labelledBy?: string;
  className: string;
  onClose: () => void;
  /** Esc and a press on the scrim do nothing. */
  locked?: boolean;
  /** The focus goes to the dialog, which is read by its name, rather than to its first button. */
  focusItself?: boolean;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const before = document.activeElement;
    element.autofocus = focusItself;
    element.showModal();
    stack.push(element);
    changed.tell();
    return () => {
      const at = stack.indexOf(element);
      if (at >= 0) stack.splice(at, 1);
      changed.tell();
      // Closed first: while the dialog is up the rest of the page cannot take the focus.
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [focusItself]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the press on the scrim; Esc is onCancel
    <dialog
      ref={dialog}
      className={className}
      aria-label={label}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!locked) close.current();
      }}
      onClick={(event) => {
        // The scrim is the dialog's own backdrop: a press on it has the dialog as its target and lies outside its box.
        if (event.target !== event.currentTarget || locked) return;
        const box = event.currentTarget.getBoundingClientRect();
        const inside =
          event.clientX >= box.left &&
          event.clientX <= box.right &&
          event.clientY >= box.top &&
          event.clientY <= box.bottom;
        if (!inside) close.current();
      }}
    >
      {children}
    </dialog>
  );
}

/** The dialog on top, or null. */
export function useTopDialog(): HTMLDialogElement | null {
  return useSyncExternalStore(changed.on, () => stack.at(-1) ?? null);
}
