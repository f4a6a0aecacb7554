import type { ButtonHTMLAttributes, Ref } from 'react';
import { formatSigned } from '../platform/format.ts';
import { Icon, type IconShape } from './icon.tsx';
import { IconArrowBarToDown, IconLock } from './icons.ts';

type Kind = 'pri' | 'sec' | 'ghost' | 'back' | 'lay' | 'danger' | 'dangerline';
export type Look = { kind?: Kind; size?: 'sm' | 'lg' | undefined; block?: boolean; icon?: IconShape | undefined };

export const buttonClass = ({ kind = 'sec', size, block }: Look, extra?: string) =>
  ['btn', `btn--${kind}`, size && `btn--${size}`, block && 'btn--block', extra].filter(Boolean).join(' ');

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
      {busy ? <span className="spin" /> : icon && <Icon of={icon} size={16} />}
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
      className={['ib', small && 'ib--sm', className].filter(Boolean).join(' ')}
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
  const { minor, state = 'ready', small = false, label = 'Cash out', onPress } = props;
  const classes = [
    'cashout',
    small && 'cashout--sm',
    minor !== null && minor < 0 && 'cashout--neg',
    state === 'moved' && 'cashout--moved',
  ];
  if (typeof state === 'object') {
    return (
      <button type="button" className={classes.filter(Boolean).join(' ')} disabled>
        <span className="row g-4">
          <Icon of={IconLock} size={16} />
          {state.off}
        </span>
      </button>
    );
  }
  const words = { ready: label, reading: label, ask: 'Take', moved: 'Price moved. Take', busy: 'Cashing out' }[state];
  const busy = state === 'busy' || state === 'reading';
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(' ')}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onPress}
    >
      <span className="row g-4">
        {busy ? <span className="spin" /> : !small && <Icon of={IconArrowBarToDown} size={16} />}
        {words}
      </span>
      {minor !== null && (
        <b>
          {formatSigned(minor)}
          {state === 'ask' ? '?' : ''}
        </b>
      )}
    </button>
  );
}
