import { CALLS, type ReplyOf } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { api, refresh, useCall } from '../../api/api.ts';
import { formatDateTime } from '../../platform/format.ts';
import { Chip } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { deviceName } from './device.ts';
import panelCss from '../../ui/panel.module.css';
import css from './security.module.css';

type Session = ReplyOf<typeof CALLS.auth.sessions>[number];

function whereAndWhen({ ip, createdAt, lastSeenAt }: Session): string {
  const began = formatDateTime(Date.parse(createdAt));
  const seen = formatDateTime(Date.parse(lastSeenAt));
  return t`${ip}, signed in ${began}, last seen ${seen}`;
}

function endOf(agent: string): string {
  const device = deviceName(agent);
  return t`End session of ${device}`;
}

/** Where the account is signed in; the player ends what he does not know. */
export function Sessions() {
  const { data, isError, refetch } = useCall(CALLS.auth.sessions, {});
  const [busy, setBusy] = useState(false);
  const end = async (id?: string) => {
    setBusy(true);
    try {
      // The outcome, ended or refused, is the message of the call itself.
      await api(CALLS.auth.endSession, { body: id ? { id } : {} });
    } catch {
      // The call told the player already.
    } finally {
      setBusy(false);
      refresh(CALLS.auth.sessions);
    }
  };
  const others = (data ?? []).filter((session) => !session.current);
  return (
    <Panel
      title={t`Sessions`}
      count={data?.length}
      end={
        others.length > 0 && (
          <Button size="sm" busy={busy} onClick={() => void end()}>
            {t`End all others`}
          </Button>
        )
      }
    >
      {isError && (
        <div className={panelCss.body}>
          <ErrorNote title={t`The sessions did not load.`} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !isError && <SkeletonRows rows={2} kind="table" />}
      <ul className={css.sessions}>
        {(data ?? []).map((session) => (
          <li key={session.id}>
            <span className="grow">
              <b>{deviceName(session.device)}</b>
              <small className="t3">{whereAndWhen(session)}</small>
            </span>
            {session.current ? (
              <Chip tone="pos">{t`This one`}</Chip>
            ) : (
              <Button size="sm" disabled={busy} aria-label={endOf(session.device)} onClick={() => void end(session.id)}>
                {t({ message: 'End', context: 'a session' })}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
