import type { ButtonHTMLAttributes, Ref } from 'react';
import { cx } from './cx.ts';
import { Icon, type IconShape } from './icon.tsx';
import css from './button.module.css';

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
