import { t } from '@lingui/core/macro';
import { Icon } from '../ui/icon.tsx';
import { IconExternalLink } from '../ui/icons.ts';
import css from '../ui/button.module.css';

/** Opens the ladders of a market to trade on, in a window of their own; where the browser opens none, in this one. */
export function LadderLink({ marketId }: { marketId: number }) {
  const to = `/ladder/${marketId}`;
  return (
    <a
      className={css.icon}
      href={to}
      target={`ladder-${marketId}`}
      aria-label={t`Trade in a window`}
      title={t`Trade in a window`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        const opened = window.open(to, `ladder-${marketId}`, 'popup,width=1280,height=900');
        if (opened) event.preventDefault();
      }}
    >
      <Icon of={IconExternalLink} size={18} />
    </a>
  );
}
