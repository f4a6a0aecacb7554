import { t } from '@lingui/core/macro';
import { useSyncExternalStore } from 'react';
import { formatTime } from '../platform/format.ts';
import { Link } from '../platform/routing.tsx';
import { subscribeToasts, toastLog } from '../platform/toasts.ts';
import { Icon } from './icon.tsx';
import { TOAST_ICON } from './toast-view.tsx';
import controlsCss from './controls.module.css';
import css from './popover.module.css';
import toastCss from './toast.module.css';

/** The list of the last 50 messages, for the popover of the notice bar. */
export function ToastLog() {
  const messages = useSyncExternalStore(subscribeToasts, toastLog);
  if (messages.length === 0) return <p className={css.none}>{t`No messages yet.`}</p>;
  return (
    <ul className={toastCss.messages}>
      {messages.map((message) => (
        <li key={message.id}>
          <Icon
            of={TOAST_ICON[message.kind]}
            size={16}
            className={message.kind === 'error' ? controlsCss.loss : 't3'}
          />
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
