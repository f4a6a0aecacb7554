import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { availableOf, useWallet } from '../live/live.ts';
import { formatMoney, formatStake, typedAmount } from '../platform/format.ts';
import { type Draft, edit } from '../slip/slip.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { CheckingNote } from '../ui/slip-frame.tsx';
import type { Shortage } from './funds.ts';
import css from '../ui/button.module.css';

/** What stands between the player and the bet: refusal, waiting, want of money. */
export function SlipMessages({ draft, shortage }: { draft: Draft; shortage: Shortage | null }) {
  const wallet = useWallet();
  if (draft.phase === 'placing') {
    return (
      <Note tone="warn" action={<span className={css.spinner} />}>
        <b>{t`Placing.`}</b>{' '}
        {draft.betDelayMs > 0
          ? t`In-play bets wait ${{ seconds: draft.betDelayMs / 1000 }} seconds.`
          : t`Waiting for the answer.`}
      </Note>
    );
  }
  if (draft.phase === 'checking') {
    return <CheckingNote said={draft.message} />;
  }
  // A price that moved is said above, with the one to take.
  if (draft.phase === 'refused' && draft.message && draft.movedTo === null) {
    const money = draft.refusal === 'INSUFFICIENT_FUNDS' && wallet;
    return (
      <Note tone="err" alert>
        <b>{draft.message}</b>{' '}
        {money ? t`You have ${{ amount: formatMoney(Math.max(0, availableOf(money))) }}.` : t`We keep your stake here.`}
      </Note>
    );
  }
  if (shortage) {
    const { needMinor, haveMinor, stakeMinor } = shortage;
    return (
      <Note
        tone="err"
        action={
          stakeMinor > 0 && (
            <Button size="sm" onClick={() => edit({ stakeText: typedAmount(stakeMinor) }, draft.pressed)}>
              {t`Set stake to ${{ stake: formatStake(stakeMinor) }}`}
            </Button>
          )
        }
      >
        <Trans>
          <b>Not enough balance.</b> This bet needs {ph({ need: formatMoney(needMinor) })}; you have{' '}
          {ph({ have: formatMoney(haveMinor) })}.
        </Trans>
      </Note>
    );
  }
  return null;
}
