import { t } from '@lingui/core/macro';
import { type ComponentType, type HTMLAttributes, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { closeToast, currentToast, holdToast, subscribeToasts, type Toast } from '../platform/toasts.ts';
import { cx } from './cx.ts';
import { useTopDialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { IconAlertCircle, IconChevronRight, IconCircleCheck, IconInfoCircle } from './icons.ts';
import css from './toast.module.css';

export const TOAST_ICON = { success: IconCircleCheck, error: IconAlertCircle, info: IconInfoCircle };

type Way = ComponentType<HTMLAttributes<HTMLElement> & { to: string }>;

/**
 * Draws the current message. Once, in the root: the two regions stand ready, so that screen readers hear what is put in.
 * While a dialog is open they stand in it, since everything outside is inert. `way` draws a message that leads somewhere;
 * in front of the site there is nowhere to go, and it is words only.
 */
export function ToastView({ way }: { way?: Way }) {
  const shown = useSyncExternalStore(subscribeToasts, currentToast);
  const dialog = useTopDialog();
  const regions = (
    <div className={css.toasts}>
      <div role="status">{shown && shown.kind !== 'error' && <ToastBox toast={shown} way={way} />}</div>
      <div role="alert">{shown?.kind === 'error' && <ToastBox toast={shown} way={way} />}</div>
    </div>
  );
  return dialog ? createPortal(regions, dialog) : regions;
}

function ToastBox({ toast, way: Way }: { toast: Toast; way: Way | undefined }) {
  const look = {
    className: cx(css.toast, toast.kind === 'error' ? css.toastError : css.toastDone),
    onClick: closeToast,
    onMouseEnter: () => holdToast(true),
    onMouseLeave: () => holdToast(false),
    onFocus: () => holdToast(true),
    onBlur: () => holdToast(false),
  };
  const words = (
    <>
      <Icon of={TOAST_ICON[toast.kind]} size={19} />
      {toast.text}
    </>
  );
  if (toast.to && Way) {
    return (
      <Way key={toast.id} {...look} to={toast.to}>
        {words}
        <Icon of={IconChevronRight} size={16} />
      </Way>
    );
  }
  return (
    <button key={toast.id} type="button" title={t`Close`} {...look}>
      {words}
    </button>
  );
}
