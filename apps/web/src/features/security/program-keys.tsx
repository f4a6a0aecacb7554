import { CALLS, type ProgramKey } from '@fairgame/contract';
import { useState } from 'react';
import { api, refresh, useCall } from '../../api/api.ts';
import { copyText } from '../../platform/copy.ts';
import { formatDateTime } from '../../platform/format.ts';
import { Chip } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { NewProgramKey } from './new-program-key.tsx';
import panelCss from '../../ui/panel.module.css';
import css from './security.module.css';

/** Keys of the player's own programs: bots and ladders that bet through the door for programs. Nothing where there is none. */
export function ProgramKeys() {
  const { data, isError, refetch } = useCall(CALLS.programs.list, {});
  const [making, setMaking] = useState(false);
  if (data && !data.open) return null;
  const keys = data?.keys ?? [];
  return (
    <Panel
      title="Programs"
      count={data && keys.length}
      end={
        data &&
        !making && (
          <Button size="sm" onClick={() => setMaking(true)}>
            New key
          </Button>
        )
      }
    >
      <div className={panelCss.body}>
        <p className={cx('t2', css.lead)}>
          A key lets a program of yours read prices or bet here. It also needs your user name and password, so give it
          to nobody.
        </p>
        {isError && !data && <ErrorNote title="Your keys did not load." onRetry={() => void refetch()} />}
        {making && <NewProgramKey onDone={() => setMaking(false)} />}
        {data && keys.length === 0 && !making && <p className="t3">You have no keys.</p>}
      </div>
      {!data && !isError && <SkeletonRows rows={2} kind="table" />}
      <ul className={css.sessions}>
        {keys.map((one) => (
          <Key key={one.id} of={one} />
        ))}
      </ul>
    </Panel>
  );
}

function Key({ of: { id, name, key, rights, addresses, certificate, createdAt, lastUsedAt } }: { of: ProgramKey }) {
  const [sure, setSure] = useState(false);
  const [busy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      // What became of it is the message of the call itself.
      await api(CALLS.programs.revoke, { body: { id } });
    } catch {
      // The call told the player already.
    } finally {
      setBusy(false);
      refresh(CALLS.programs.list);
    }
  };
  return (
    <li>
      <span className="grow">
        <b>{name}</b> <Chip>{rights === 'bet' ? 'Reads and bets' : 'Reads'}</Chip>
        <small className="t3">
          <code>{key}</code>
        </small>
        <small className="t3">
          Made {formatDateTime(Date.parse(createdAt))},{' '}
          {lastUsedAt ? `last used ${formatDateTime(Date.parse(lastUsedAt))}` : 'never used'}.{' '}
          {addresses.length > 0 ? `From ${addresses.join(', ')} only.` : 'From any address.'}
          {certificate && ' With its certificate.'}
        </small>
      </span>
      {sure ? (
        <>
          <Button size="sm" kind="ghost" disabled={busy} onClick={() => setSure(false)}>
            Keep
          </Button>
          <Button size="sm" kind="dangerline" busy={busy} onClick={() => void revoke()}>
            Revoke now
          </Button>
        </>
      ) : (
        <>
          <Button size="sm" kind="ghost" aria-label={`Copy the key of ${name}`} onClick={() => void copyText(key)}>
            Copy
          </Button>
          <Button size="sm" aria-label={`Revoke ${name}`} onClick={() => setSure(true)}>
            Revoke
          </Button>
        </>
      )}
    </li>
  );
}
