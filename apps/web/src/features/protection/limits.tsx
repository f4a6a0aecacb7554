import { CALLS, type PlayLimit, type ProtectionStatus } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api, refresh } from '../../api/api.ts';
import { formatDuration, formatStake } from '../../platform/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { IconPencil, IconPlus, IconRuler2 } from '../../ui/icons.ts';
import { EmptyState } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { LimitDialog } from './limit-dialog.tsx';
import { dayText, limitName } from './words.ts';
import authCss from '../../ui/auth.module.css';
import css from './protection.module.css';

/** The player's limits with what is used of them; lowering at once, raising with its date and a way back. */
export function Limits({ status }: { status: ProtectionStatus }) {
  const [edited, setEdited] = useState<PlayLimit | 'new' | null>(null);
  const { limits, today } = status;
  return (
    <Panel
      title={t`Limits`}
      end={
        <Button kind="ghost" size="sm" icon={IconPlus} onClick={() => setEdited('new')}>
          {t`Add a limit`}
        </Button>
      }
    >
      {limits.length === 0 && today.limitMinutes === null && (
        <EmptyState icon={IconRuler2} title={t`No limits yet`}>
          {t`Choose an amount that fits you, for deposits, losses, stakes or a single bet.`}
        </EmptyState>
      )}
      {limits.map((limit) => (
        <LimitRow key={`${limit.kind}.${limit.span}`} limit={limit} onEdit={() => setEdited(limit)} />
      ))}
      {today.limitMinutes !== null && <TimeRow playedMs={today.playedMs} limitMinutes={today.limitMinutes} />}
      {edited && (
        <LimitDialog
          limit={edited === 'new' ? null : edited}
          raiseDays={status.raiseDays}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  );
}

function LimitRow({ limit, onEdit }: { limit: PlayLimit; onEdit: () => void }) {
  const name = limitName(limit.kind, limit.span);
  const { pending } = limit;
  const keep = async () => {
    await api(CALLS.protection.cancelRaise, { body: { kind: limit.kind, span: limit.span } }).catch(() => null);
    refresh(CALLS.protection.status);
  };
  const measured = limit.span !== 'bet';
  const from = formatStake(limit.amountMinor);
  const to = pending?.amountMinor == null ? null : formatStake(pending.amountMinor);
  const day = pending ? dayText(pending.at) : '';
  const reset = limit.resetsAt && dayText(limit.resetsAt);
  return (
    <div className={authCss.limit}>
      <div>
        <b>{name}</b>
        {pending ? (
          <div className="fs-12 t-live">
            {to === null ? t`Ends on ${day}.` : t`Rising from ${from} to ${to} on ${day}.`}{' '}
            <button type="button" className={cx('link', css.kept)} onClick={() => void keep()}>
              {t`Keep ${from}`}
            </button>
          </div>
        ) : (
          <div className="fs-12 t3">
            {reset ? t`Resets ${reset}` : limit.span === 'bet' ? t`Applies to every bet` : t`Open bets at their worst`}
          </div>
        )}
      </div>
      <div className={cx(css.figure, 'num')}>
        {measured ? <Of used={formatStake(limit.usedMinor)} whole={from} /> : <span>{from}</span>}
      </div>
      <IconButton icon={IconPencil} label={t`Change ${name}`} size={17} onClick={onEdit} />
      {measured && <Bar name={name} used={limit.usedMinor} most={limit.amountMinor} rising={pending !== null} />}
    </div>
  );
}

function Of({ used, whole }: { used: string; whole: string }) {
  return (
    <Trans>
      <b>{used}</b> <span className="t3">of {whole}</span>
    </Trans>
  );
}

function TimeRow({ playedMs, limitMinutes }: { playedMs: number; limitMinutes: number }) {
  return (
    <div className={authCss.limit}>
      <div>
        <b>{t`Time, per day`}</b>
        <div className="fs-12 t3">{t`Set by support. Betting stops when it runs out`}</div>
      </div>
      <div className={cx(css.figure, 'num')}>
        <Of used={formatDuration(playedMs)} whole={formatDuration(limitMinutes * 60_000)} />
      </div>
      <span />
      <Bar name={t`Time, per day`} used={playedMs} most={limitMinutes * 60_000} rising={false} />
    </div>
  );
}

function Bar({ name, used, most, rising }: { name: string; used: number; most: number; rising: boolean }) {
  const percent = Math.min(100, Math.floor((used / most) * 100));
  const of = name.toLowerCase();
  const warns = percent >= 80;
  return (
    <>
      <svg className={cx(css.bar, (warns || rising) && css.barWarning)} aria-hidden="true">
        <rect width="100%" height="6" rx="3" />
        {percent > 0 && <rect className={css.used} width={`${percent}%`} height="6" rx="3" />}
      </svg>
      <span className={cx(css.percent, warns || rising ? 'num t-live' : 'num t3')}>
        <Trans>
          {percent}%<span className="sr"> of {of} used</span>
        </Trans>
      </span>
    </>
  );
}
