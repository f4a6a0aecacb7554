import { t } from '@lingui/core/macro';
import { Icon } from '../ui/icon.tsx';
import { IconExternalLink } from '../ui/icons.ts';
import css from '../ui/button.module.css';

/** Opens an address in a window of its own; where the browser opens none, in this one. */
export function WindowLink({ to, name, label }: { to: string; name: string; label: string }) {
  return (
    <a
      className={css.icon}
      href={to}
      target={name}
      aria-label={label}
      title={label}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        const opened = window.open(to, name, 'popup,width=1280,height=900');
        if (opened) event.preventDefault();
      }}
    >
      <Icon of={IconExternalLink} size={18} />
    </a>
  );
}

/** The ladders of a market to trade on. */
export const LadderLink = ({ marketId }: { marketId: number }) => (
  <WindowLink to={`/ladder/${marketId}`} name={`ladder-${marketId}`} label={t`Trade in a window`} />
);
