import { msg, t } from '@lingui/core/macro';
import { say } from '../platform/language.ts';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import { IconBan, IconFlagCheck, IconLock } from './icons.ts';
import css from './veil.module.css';

export type VeilKind = 'suspended' | 'ball' | 'settling' | 'closed' | 'removed';

const WORDS = { removed: msg`Removed`, settling: msg`Settling`, closed: msg`Closed` } as const;

/** What covers the prices of a market that takes no bets. Put it into `Cells veil=...` or `EventRow veil=...`. */
export function Veil({ kind }: { kind: VeilKind }) {
  if (kind === 'ball') {
    return (
      <span className={cx(css.veil, css.ball)}>
        <span className={css.ballRunning} />
        {t`Ball running`}
      </span>
    );
  }
  if (kind === 'suspended') {
    return (
      <span className={cx(css.veil, css.suspended)}>
        <Icon of={IconLock} size={14} />
        {t`Suspended`}
      </span>
    );
  }
  return (
    <span className={cx(css.veil, css.closed)}>
      <Icon of={kind === 'removed' ? IconBan : IconFlagCheck} size={14} />
      {say(WORDS[kind])}
    </span>
  );
}
