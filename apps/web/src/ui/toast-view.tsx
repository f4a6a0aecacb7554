import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router';
import { formatTime } from '../platform/format.ts';
import { closeToast, currentToast, holdToast, subscribeToasts, type Toast, toastLog } from '../platform/toasts.ts';
import { useTopDialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { IconAlertCircle, IconChevronRight, IconCircleCheck, IconInfoCircle } from './icons.ts';

const SHAPE = { success: IconCircleCheck, error: IconAlertCircle, info: IconInfoCircle };

/**
 * Draws the current message. Once, in the root: the two regions stand ready, so that screen readers hear what is put in.
 * While a dialog is open they stand in it, since everything outside is inert.
 */
export function ToastView() {
  const shown = useSyncExternalStore(subscribeToasts, currentToast);
  const dialog = useTopDialog();
  const regions = (
    <div className="toasts">
      <div role="status">{shown && shown.kind !== 'error' && <ToastBox toast={shown} />}</div>
      <div role="alert">{shown?.kind === 'error' && <ToastBox toast={shown} />}</div>
    </div>
  );
  return dialog ? createPortal(regions, dialog) : regions;
}

function ToastBox({ toast }: { toast: Toast }) {
  const look = {
    className: `toast toast--${toast.kind === 'error' ? 'err' : 'ok'}`,
    onClick: closeToast,
    onMouseEnter: () => holdToast(true),
    onMouseLeave: () => holdToast(false),
    onFocus: () => holdToast(true),
    onBlur: () => holdToast(false),
  };
  const words = (
    <>
      <Icon of={SHAPE[toast.kind]} size={19} />
      {toast.text}
    </>
  );
  if (toast.to) {
    return (
      <Link key={toast.id} {...look} to={toast.to}>
        {words}
        <Icon of={IconChevronRight} size={16} />
      </Link>
    );
  }
  return (
    <button key={toast.id} type="button" title="Close" {...look}>
      {words}
    </button>
  );
}

/** The list of the last 50 messages, for the popover of the notice bar. */
export function ToastLog() {
  const messages = useSyncExternalStore(subscribeToasts, toastLog);
  if (messages.length === 0) return <p className="pop__none">No messages yet.</p>;
  return (
    <ul className="msglist">
      {messages.map((message) => (
        <li key={message.id}>
          <Icon of={SHAPE[message.kind]} size={16} className={message.kind === 'error' ? 'pl--neg' : 't3'} />
          {message.to ? (
            <Link className="link" to={message.to}>
              {message.text}
            </Link>
          ) : (
            <span>{message.text}</span>
          )}
          <time>{formatTime(message.atMs)}</time>
        </li>
      ))}
    </ul>
  );
}
