import { Icon } from './icon.tsx';
import { IconBan, IconFlagCheck, IconLock } from './icons.ts';

export type VeilKind = 'suspended' | 'ball' | 'settling' | 'closed' | 'removed';

const WORDS = { removed: 'Removed', settling: 'Settling', closed: 'Closed' } as const;

/** What covers the prices of a market that takes no bets. Put it into `Cells veil=...` or `EventRow veil=...`. */
export function Veil({ kind }: { kind: VeilKind }) {
  if (kind === 'ball') {
    return (
      <span className="veil veil--ball">
        <span className="ballrun" />
        Ball running
      </span>
    );
  }
  if (kind === 'suspended') {
    return (
      <span className="veil veil--susp">
        <Icon of={IconLock} size={14} />
        Suspended
      </span>
    );
  }
  return (
    <span className="veil veil--closed">
      <Icon of={kind === 'removed' ? IconBan : IconFlagCheck} size={14} />
      {WORDS[kind]}
    </span>
  );
}
