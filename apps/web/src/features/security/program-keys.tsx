import { CALLS, type ProgramKey } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
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
      title={t`Programs`}
      count={data && keys.length}
      end={
        data &&
        !making && (
          <Button size="sm" onClick={() => setMaking(true)}>
            {t`New key`}
          </Button>
        )
      }
    >
      <div className={panelCss.body}>
        <p className={cx('t2', css.lead)}>
          {t`A key lets a program of yours read prices or bet here. It also needs your user name and password, so give it to nobody.`}
        </p>
        {isError && !data && <ErrorNote title={t`Your keys did not load.`} onRetry={() => void refetch()} />}
        {making && <NewProgramKey onDone={() => setMaking(false)} />}
        {data && keys.length === 0 && !making && <p className="t3">{t`You have no keys.`}</p>}
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
  const made = formatDateTime(Date.parse(createdAt));
  const used = lastUsedAt && formatDateTime(Date.parse(lastUsedAt));
  const from = addresses.join(', ');
  return (
    <li>
      <span className="grow">
        <b>{name}</b> <Chip>{rights === 'bet' ? t`Reads and bets` : t`Reads`}</Chip>
        <small className="t3">
          <code>{key}</code>
        </small>
        <small className="t3">
          {used ? t`Made ${made}, last used ${used}.` : t`Made ${made}, never used.`}{' '}
          {addresses.length > 0 ? t`From ${from} only.` : t`From any address.`}
          {certificate && ` ${t`With its certificate.`}`}
        </small>
      </span>
      {sure ? (
        <>
          <Button size="sm" kind="ghost" disabled={busy} onClick={() => setSure(false)}>
            {t`Keep`}
          </Button>
          <Button size="sm" kind="dangerline" busy={busy} onClick={() => void revoke()}>
            {t`Revoke now`}
          </Button>
        </>
      ) : (
        <>
          <Button size="sm" kind="ghost" aria-label={t`Copy the key of ${name}`} onClick={() => void copyText(key)}>
            {t`Copy`}
          </Button>
          <Button size="sm" aria-label={t`Revoke ${name}`} onClick={() => setSure(true)}>
            {t`Revoke`}
          </Button>
        </>
      )}
    </li>
  );
}
