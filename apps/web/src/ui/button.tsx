import { t } from '@lingui/core/macro';
import type { ButtonHTMLAttributes, Ref } from 'react';
import { formatSigned } from '../platform/format.ts';
import { cx } from './cx.ts';
import { Icon, type IconShape } from './icon.tsx';
import { IconArrowBarToDown, IconLock } from './icons.ts';
import css from './button.module.css';
import cashOutCss from './cash-out.module.css';

const KINDS = {
  pri: css.primary,
  sec: css.secondary,
  ghost: css.ghost,
  back: css.back,
  lay: css.lay,
  danger: css.danger,
  dangerline: css.dangerLine,
} as const;
const SIZES = { sm: css.small, lg: css.large } as const;
export type Look = {
  kind?: keyof typeof KINDS;
  size?: keyof typeof SIZES | undefined;
  block?: boolean;
  icon?: IconShape | undefined;
};

export const buttonClass = ({ kind = 'sec', size, block }: Look, extra?: string) =>
  cx(css.button, KINDS[kind], size && SIZES[size], block && css.block, extra);

/** An action. `busy` shows the spinner and takes no second press. */
export function Button({
  kind,
  size,
  block,
  icon,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: Look & ButtonHTMLAttributes<HTMLButtonElement> & { busy?: boolean; ref?: Ref<HTMLButtonElement> }) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ kind, size, block } as Look, className)}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <span className={css.spinner} /> : icon && <Icon of={icon} size={16} />}
      {children}
    </button>
  );
}

/** A square button of one icon; `label` is its name and its tooltip. */
export function IconButton({
  icon,
  label,
  size = 18,
  small = false,
  className,
  ...rest
}: { icon: IconShape; label: string; size?: number; small?: boolean } & ButtonHTMLAttributes<HTMLButtonElement> & {
    ref?: Ref<HTMLButtonElement>;
  }) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={cx(css.icon, small && css.iconSmall, className)}
    >
      <Icon of={icon} size={size} />
    </button>
  );
}

/**
 * Cash out with its signed figure. `ask` is the second press ("Take +275.46?"), `moved` the amber one after the figure moved
 * since the press, `reading` and `busy` take no press, `off` says why it cannot be pressed now.
 */
export function CashoutButton(props: {
  /** Null where the figure is not known before it is asked for. */
  minor: number | null;
  state?: 'ready' | 'reading' | 'ask' | 'moved' | 'busy' | { off: string };
  small?: boolean;
  label?: string;
  onPress: () => void;
}) {
  const { minor, state = 'ready', small = false, label = t`Cash out`, onPress } = props;
  const className = cx(
    cashOutCss.button,
    small && cashOutCss.small,
    minor !== null && minor < 0 && cashOutCss.loss,
    state === 'moved' && cashOutCss.moved,
  );
  if (typeof state === 'object') {
    return (
      <button type="button" className={className} disabled>
        <span className="row g-4">
          <Icon of={IconLock} size={16} />
          {state.off}
        </span>
      </button>
    );
  }
  const words = { ready: label, reading: label, ask: t`Take`, moved: t`Price moved. Take`, busy: t`Cashing out` }[
    state
  ];
  const busy = state === 'busy' || state === 'reading';
  return (
    <button type="button" className={className} aria-busy={busy || undefined} onClick={busy ? undefined : onPress}>
      <span className="row g-4">
        {busy ? <span className={css.spinner} /> : !small && <Icon of={IconArrowBarToDown} size={16} />}
        {words}
      </span>
      {minor !== null && (
        <b dir="ltr">
          {formatSigned(minor)}
          {state === 'ask' ? '?' : ''}
        </b>
      )}
    </button>
  );
}
