import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { IconX } from './icons.ts';

/** A sheet from the bottom (phone) or a drawer from the left or right. Modal: focus stays in and comes back. */
export function Sheet({
  open,
  onClose,
  label,
  side = 'bottom',
  head,
  children,
}: {
  open: boolean;
  onClose: () => void;
  label: string;
  side?: 'bottom' | 'left' | 'right';
  /** Replaces the title of a drawer's head. */
  head?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim scrim--sheet" />
        {side === 'bottom' ? (
          <Dialog.Popup className="sheet" aria-label={label}>
            <div className="sheet__grab" />
            {children}
          </Dialog.Popup>
        ) : (
          <Dialog.Popup className={side === 'right' ? 'drawer drawer--right' : 'drawer'} aria-label={label}>
            <div className="drawer__h">
              {head ?? label}
              <Dialog.Close render={<IconButton icon={IconX} label="Close" size={20} />} />
            </div>
            <div className="drawer__b">{children}</div>
          </Dialog.Popup>
        )}
      </Dialog.Portal>
    </Dialog.Root>
  );
}
