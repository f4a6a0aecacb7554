import { CALLS } from '@fairgame/contract';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { refresh, useCall } from '../../api/queries.ts';
import { Chip } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toasts.ts';

/** Where the account is signed in; the player ends what he does not know. */
export function Sessions() {
  const { data, isError, refetch } = useCall(CALLS.auth.sessions, {});
  const [busy, setBusy] = useState(false);
  const end = async (id?: string) => {
    setBusy(true);
    try {
      await api(CALLS.auth.endSession, { body: id ? { id } : {} });
      toast.success(id ? 'Session ended' : 'All other sessions ended');
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
      {isError && <ErrorNote title="The sessions did not load." onRetry={() => void refetch()} />}
      <ul className="sec-sessions">
        {(data ?? []).map((session) => (
          <li key={session.id}>
            <span className="grow">
              <b className="clip">{session.device || 'Unknown device'}</b>
              <small className="t3">
                {session.ip}, signed in {formatDateTime(Date.parse(session.createdAt))}, last seen{' '}
                {formatDateTime(Date.parse(session.lastSeenAt))}
              </small>
            </span>
            {session.current ? (
              <Chip tone="pos">This one</Chip>
            ) : (
              <Button size="sm" disabled={busy} onClick={() => void end(session.id)}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
