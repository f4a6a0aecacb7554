/** A panel over the page: a drawer beside the board, on a phone a sheet. Focus stays in it and goes back when it closes. */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Icon } from './icons.tsx';
import pageCss from './page.module.css';
import css from './sheet.module.css';

export function Sheet(props: {
  title: string;
  onClose: () => void;
  onBack?: (() => void) | undefined;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed before it leaves the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside the sheet closes it; the keyboard has Escape
    <dialog
      ref={dialog}
      className={css.sheet}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) props.onClose();
      }}
    >
      <div className={css.inner}>
        <header>
          {props.onBack && (
            <button type="button" className={pageCss.iconButton} aria-label="Back to the list" onClick={props.onBack}>
              <Icon name="back" />
            </button>
          )}
          <h2 id={id}>{props.title}</h2>
          <button type="button" className={pageCss.iconButton} aria-label="Close" onClick={props.onClose}>
            <Icon name="close" />
          </button>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
        <div className={css.body} tabIndex={0}>
          {props.children}
        </div>
      </div>
    </dialog>
  );
}
