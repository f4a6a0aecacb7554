import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatStake } from '../platform/format.ts';
import { setOneClick, useBets, useBettingOff, useOneClick, useSlip } from '../slip/slip.ts';
import { IconReceipt } from '../ui/icons.ts';
import { EmptyState, Note } from '../ui/note.tsx';
import { SlipBox } from '../ui/slip-parts.tsx';
import { Switch } from '../ui/switch.tsx';
import { useKeepFocus } from './keep-focus.ts';
import { OneClickEnds, OneClickStakes, useFirstStake } from './one-click.tsx';
import { SlipForm } from './slip-form.tsx';
import css from './betting.module.css';

/** The bet slip of the rail and the drawer. */
export function SlipPanel({ onEditStakes }: { onEditStakes?: () => void }) {
  const draft = useSlip();
  const off = useBettingOff();
  const oneClick = useOneClick();
  const first = useFirstStake();
  return (
    <div {...useKeepFocus()}>
      <SlipBox
        side={draft?.side === 'LAY' ? 'lay' : 'back'}
        count={useBets().length}
        end={
          <Switch checked={oneClick !== null} onChange={(on) => setOneClick(on ? first : null)}>
            {t`One-click`}
          </Switch>
        }
      >
        {oneClick !== null && (
          <div className={css.one}>
            <Note tone="warn">
              <Trans>
                <b>One-click is on.</b> A press on a price places {ph({ stake: formatStake(oneClick) })} at once, with
                no second question. It turns off when you leave.
              </Trans>{' '}
              <OneClickEnds />
            </Note>
            <OneClickStakes />
          </div>
        )}
        {draft ? (
          <SlipForm {...(onEditStakes ? { onEditStakes } : {})} />
        ) : (
          <EmptyState icon={IconReceipt} title={off ? t`Betting is off` : t`Your slip is empty`}>
            {off ?? t`Press a price to start a bet.`}
          </EmptyState>
        )}
      </SlipBox>
    </div>
  );
}
