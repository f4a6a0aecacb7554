import { t } from '@lingui/core/macro';
import { type ReactNode, useId } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { Dialog } from './dialog.tsx';
import { IconX } from './icons.ts';
import css from './overlay.module.css';

const WIDTHS = { s: css.modalSmall, l: css.modalLarge, xl: css.modalWidest } as const;

/**
 * A modal: title, body that scrolls, footer. Focus moves in and comes back. Esc and the scrim close it, unless `dirty` (a
 * form with changes): then only its own buttons do. A full-height sheet with the footer pinned on a phone.
 */
export function Modal({
  open,
  onClose,
  title,
  width,
  head,
  tabs,
  footer,
  flush = false,
  dirty = false,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  /** s 460, l 760, xl 820 wide and 580 high; 560 otherwise. */
  width?: keyof typeof WIDTHS;
  /** Controls in the head before the cross. */
  head?: ReactNode;
  /** A row between head and body, such as `Tabs`. */
  tabs?: ReactNode;
  footer?: ReactNode;
  flush?: boolean;
  dirty?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  if (!open) return null;
  return (
    <Dialog className={cx(css.modal, width && WIDTHS[width])} labelledBy={id} locked={dirty} onClose={onClose}>
      <div className={css.modalHead}>
        <h2 id={id}>{title}</h2>
        <div className="row g-2">
          {head}
          <IconButton icon={IconX} label={t`Close`} size={20} onClick={onClose} />
        </div>
      </div>
      {tabs}
      {flush ? children : <div className={css.modalBody}>{children}</div>}
      {footer && <div className={css.modalFoot}>{footer}</div>}
    </Dialog>
  );
}
