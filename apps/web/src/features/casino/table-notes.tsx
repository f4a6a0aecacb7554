import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { IconHistory, IconX } from '../../ui/icons.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { Note } from '../../ui/note.tsx';
import type { Scope } from './fields.tsx';
import { type Missed, useMissed } from './missed.ts';
import css from './table.module.css';

/** What the player must know of the line or of a round he did not see, on the cloth, so that no price under it moves. */
export function OnCloth({ scope, onRound }: { scope: Scope; onRound: (mid: string) => void }) {
  const [missed, dismiss] = useMissed(scope);
  if (scope.now.health === 'late') {
    return (
      <div className={css.late}>
        <Note tone="warn" alert>
          <Trans>
            <b>Waiting for the table.</b> The line to it is down; prices are held back until it is there again.
          </Trans>
        </Note>
      </div>
    );
  }
  if (!missed) return null;
  return <MissedRound missed={missed} onRound={onRound} onClose={dismiss} />;
}

function MissedRound({
  missed: { roundNo, mid, netMinor },
  onRound,
  onClose,
}: {
  missed: Missed;
  onRound: (mid: string) => void;
  onClose: () => void;
}) {
  return (
    <div className={css.late}>
      <Note
        icon={IconHistory}
        action={
          <span className="row g-2">
            <Button size="sm" onClick={() => onRound(mid)}>
              {t`See the round`}
            </Button>
            <IconButton icon={IconX} label={t`Close`} size={16} small onClick={onClose} />
          </span>
        }
      >
        <b>
          <Trans>
            Round {roundNo} ended: <SignedMoney minor={netMinor} />
          </Trans>
        </b>
      </Note>
    </div>
  );
}

/** What the round brought, on the table. A plain figure, set off only when it brought more than it cost (PP-14). */
export function OwnResult({ netMinor }: { netMinor: number }) {
  return (
    <p className={cx(css.net, css.netBar, netMinor > 0 && 'is-up')} role="status">
      <Trans>
        Your result <SignedMoney minor={netMinor} />
      </Trans>
    </p>
  );
}
