import { CALLS, type ProtectionStatus } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { ApiError, api, refresh } from '../../api/api.ts';
import { formatSpan, formatTime } from '../../platform/format.ts';
import { useNavigate } from '../../platform/routing.tsx';
import { signOut } from '../../sign-in/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Money, SignedMoney } from '../../ui/money.tsx';
import { Note } from '../../ui/note.tsx';
import { Kpi, Kpis } from '../../ui/panel.tsx';
import overlayCss from '../../ui/overlay.module.css';
import css from './protection.module.css';

/**
 * The reality check: how long, with what result, and the ways on. It closes by its buttons alone; until it is answered the
 * server takes no bet, dialog or not (trust PP-06).
 */
export function Screen({ status }: { status: ProtectionStatus }) {
  const id = useId();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const { session } = status;
  const span = formatSpan(session.elapsedMs);
  const since = formatTime(Date.parse(session.startedAt));
  const answer = async (to?: string) => {
    setBusy(true);
    setRefused(null);
    try {
      await api(CALLS.protection.answerReality, { body: {} }, { quiet: true });
      refresh(CALLS.protection.status);
      if (to) void navigate(to);
    } catch (error) {
      setRefused(error instanceof ApiError ? error.message : t`That did not work. Try again.`);
      setBusy(false);
    }
  };
  return (
    <Dialog className={cx(overlayCss.modal, overlayCss.modalSmall)} labelledBy={id} locked onClose={() => undefined}>
      <div className={overlayCss.modalHead}>
        <h2 id={id}>{t`Reality check`}</h2>
      </div>
      <div className={cx(overlayCss.modalBody, 'stack g-5')}>
        <p className={css.words}>
          <Trans>
            You have been here for <b className="num">{span}</b>, since {since}. Betting waits until you choose how to
            go on.
          </Trans>
        </p>
        <Kpis>
          <Kpi label={t`Net result`}>
            <SignedMoney minor={session.netMinor} />
          </Kpi>
          <Kpi label={t`Stakes placed`}>
            <Money minor={session.stakedMinor} />
          </Kpi>
        </Kpis>
        {refused && (
          <Note tone="err" alert>
            {refused}
          </Note>
        )}
      </div>
      <div className={cx(overlayCss.modalFoot, css.ways)}>
        <Button busy={busy} onClick={() => void answer()}>
          {t`Go on`}
        </Button>
        <Button disabled={busy} onClick={() => void answer('/bet-history')}>
          {t`See my bets`}
        </Button>
        <Button disabled={busy} onClick={() => void answer('/player-protection')}>
          {t`Limits and breaks`}
        </Button>
        <Button disabled={busy} onClick={() => void signOut()}>
          {t`Sign out`}
        </Button>
      </div>
    </Dialog>
  );
}
