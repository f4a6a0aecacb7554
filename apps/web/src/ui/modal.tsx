import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { IconX } from './icons.ts';

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
  width?: 's' | 'l' | 'xl';
  /** Controls in the head before the cross. */
  head?: ReactNode;
  /** A row between head and body, such as `Tabs`. */
  tabs?: ReactNode;
  footer?: ReactNode;
  flush?: boolean;
  dirty?: boolean;
  children: ReactNode;
}) {
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next, details) => {
        if (next) return;
        if (dirty && (details.reason === 'escape-key' || details.reason === 'outside-press')) return;
        onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className={width ? `modal modal--${width}` : 'modal'}>
          <div className="modal__h">
            <Dialog.Title>{title}</Dialog.Title>
            <div className="row g-2">
              {head}
              <Dialog.Close render={<IconButton icon={IconX} label="Close" size={20} />} />
            </div>
          </div>
          {tabs}
          {flush ? children : <div className="modal__b">{children}</div>}
          {footer && <div className="modal__f">{footer}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
