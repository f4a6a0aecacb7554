import { t } from '@lingui/core/macro';
import { formatSigned } from '../platform/format.ts';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import { IconArrowBarToDown, IconLock } from './icons.ts';
import css from './button.module.css';
import cashOutCss from './cash-out.module.css';

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
