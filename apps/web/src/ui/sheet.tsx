import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { Dialog } from './dialog.tsx';
import { IconX } from './icons.ts';
import css from './overlay.module.css';

/** A sheet from the bottom (phone) or a drawer from the left or right. Modal: focus stays in and comes back. */
export function Sheet({
  open,
  onClose,
  label,
  side = 'bottom',
  head,
  clear = false,
  children,
}: {
  open: boolean;
  onClose: () => void;
  label: string;
  side?: 'bottom' | 'left' | 'right';
  /** Replaces the title of a drawer's head. */
  head?: ReactNode;
  /** What stands above it is still looked at: no scrim darkens it. */
  clear?: boolean;
  children: ReactNode;
}) {
  if (!open) return null;
  if (side === 'bottom') {
    return (
      <Dialog className={cx(css.sheet, clear && css.sheetClear)} label={label} onClose={onClose} focusItself>
        <div className={css.grab} />
        {children}
      </Dialog>
    );
  }
  return (
    <Dialog className={cx(css.drawer, side === 'right' && css.drawerRight)} label={label} onClose={onClose}>
      <div className={css.drawerHead}>
        {head ?? label}
        <IconButton icon={IconX} label={t`Close`} size={20} onClick={onClose} />
      </div>
      <div className={css.drawerBody}>{children}</div>
    </Dialog>
  );
}
