import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { Icon, type IconShape } from './icon.tsx';
import { IconAlertCircle, IconAlertTriangle, IconCloudOff, IconInfoCircle } from './icons.ts';
import overlayCss from './overlay.module.css';
import shellCss from './shell.module.css';
import css from './toast.module.css';

/** A message in the page. `action` is a small button or the spinner at its right. */
export function Note({
  tone,
  icon,
  action,
  children,
  alert = false,
}: {
  tone?: 'warn' | 'err';
  icon?: IconShape;
  action?: ReactNode;
  children: ReactNode;
  /** Read out at once: refusals. */
  alert?: boolean;
}) {
  const shape = icon ?? (tone === 'err' ? IconAlertCircle : tone === 'warn' ? IconAlertTriangle : IconInfoCircle);
  return (
    <div
      className={cx(css.note, tone === 'warn' && css.noteWarning, tone === 'err' && css.noteError)}
      role={alert ? 'alert' : undefined}
    >
      <Icon of={shape} size={18} />
      <span className="grow">{children}</span>
      {action}
    </div>
  );
}

/** Something did not load. `title` says what; `children` what was and was not done. */
export function ErrorNote({
  title,
  children,
  onRetry,
  busy = false,
}: {
  title: string;
  children?: ReactNode;
  onRetry: () => void;
  busy?: boolean;
}) {
  return (
    <Note
      tone="err"
      icon={IconCloudOff}
      alert
      action={
        <Button size="sm" busy={busy} onClick={onRetry}>
          {t`Try again`}
        </Button>
      }
    >
      <b>{title}</b> {children}
    </Note>
  );
}

/** Nothing here: icon, one line, one sentence, one action. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: IconShape;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={overlayCss.empty}>
      <Icon of={icon} size={28} className="t3" />
      <b className="fs-14">{title}</b>
      {children && <span className="t3 fs-12">{children}</span>}
      {action}
    </div>
  );
}

/** A bar above the header. Red when offline, amber for site notices. */
export function Banner({ icon, tone, children }: { icon: IconShape; tone?: 'warn'; children: ReactNode }) {
  return (
    <div className={cx(shellCss.offline, tone && shellCss.offlineWarning)} role="alert">
      <Icon of={icon} size={18} />
      {children}
    </div>
  );
}
