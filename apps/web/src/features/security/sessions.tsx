import { CALLS } from '@fairgame/contract';
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
      title="Sessions"
      count={data?.length}
      end={
        others.length > 0 && (
          <Button size="sm" busy={busy} onClick={() => void end()}>
            End all others
          </Button>
        )
      }
    >
      {isError && (
        <div className={panelCss.body}>
          <ErrorNote title="The sessions did not load." onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !isError && <SkeletonRows rows={2} kind="table" />}
      <ul className={css.sessions}>
        {(data ?? []).map((session) => (
          <li key={session.id}>
            <span className="grow">
              <b>{deviceName(session.device)}</b>
              <small className="t3">
                {session.ip}, signed in {formatDateTime(Date.parse(session.createdAt))}, last seen{' '}
                {formatDateTime(Date.parse(session.lastSeenAt))}
              </small>
            </span>
            {session.current ? (
              <Chip tone="pos">This one</Chip>
            ) : (
              <Button
                size="sm"
                disabled={busy}
                aria-label={`End session of ${deviceName(session.device)}`}
                onClick={() => void end(session.id)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
