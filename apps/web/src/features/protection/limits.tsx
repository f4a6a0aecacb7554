import { CALLS, type PlayLimit, type ProtectionStatus } from '@fairgame/contract';
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
      title="Limits"
      end={
        <Button kind="ghost" size="sm" icon={IconPlus} onClick={() => setEdited('new')}>
          Add a limit
        </Button>
      }
    >
      {limits.length === 0 && today.limitMinutes === null && (
        <EmptyState icon={IconRuler2} title="No limits yet">
          Choose an amount that fits you, for deposits, losses, stakes or a single bet.
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
  return (
    <div className={authCss.limit}>
      <div>
        <b>{name}</b>
        {pending ? (
          <div className="fs-12 t-live">
            {pending.amountMinor === null
              ? 'Ends'
              : `Rising from ${formatStake(limit.amountMinor)} to ${formatStake(pending.amountMinor)}`}{' '}
            on {dayText(pending.at)}.{' '}
            <button type="button" className={cx('link', css.kept)} onClick={() => void keep()}>
              Keep {formatStake(limit.amountMinor)}
            </button>
          </div>
        ) : (
          <div className="fs-12 t3">
            {limit.resetsAt
              ? `Resets ${dayText(limit.resetsAt)}`
              : limit.span === 'bet'
                ? 'Applies to every bet'
                : 'Open bets at their worst'}
          </div>
        )}
      </div>
      <div className={cx(css.figure, 'num')}>
        {measured && (
          <>
            <b>{formatStake(limit.usedMinor)}</b> <span className="t3">of</span>{' '}
          </>
        )}
        <span className={measured ? 't3' : undefined}>{formatStake(limit.amountMinor)}</span>
      </div>
      <IconButton icon={IconPencil} label={`Change ${name}`} size={17} onClick={onEdit} />
      {measured && <Bar name={name} used={limit.usedMinor} of={limit.amountMinor} rising={pending !== null} />}
    </div>
  );
}

function TimeRow({ playedMs, limitMinutes }: { playedMs: number; limitMinutes: number }) {
  return (
    <div className={authCss.limit}>
      <div>
        <b>Time, per day</b>
        <div className="fs-12 t3">Set by support. Betting stops when it runs out</div>
      </div>
      <div className={cx(css.figure, 'num')}>
        <b>{formatDuration(playedMs)}</b> <span className="t3">of {formatDuration(limitMinutes * 60_000)}</span>
      </div>
      <span />
      <Bar name="Time, per day" used={playedMs} of={limitMinutes * 60_000} rising={false} />
    </div>
  );
}

function Bar({ name, used, of, rising }: { name: string; used: number; of: number; rising: boolean }) {
  const percent = Math.min(100, Math.floor((used / of) * 100));
  const warns = percent >= 80;
  return (
    <>
      <svg className={cx(css.bar, (warns || rising) && css.barWarning)} aria-hidden="true">
        <rect width="100%" height="6" rx="3" />
        {percent > 0 && <rect className={css.used} width={`${percent}%`} height="6" rx="3" />}
      </svg>
      <span className={cx(css.percent, warns || rising ? 'num t-live' : 'num t3')}>
        {percent}%<span className="sr"> of {name.toLowerCase()} used</span>
      </span>
    </>
  );
}
