import { type Alert, CALLS, MOST_ALERTS } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { api, refresh, useCall } from '../../api/api.ts';
import { AlertForm, alertPath, alertText, endText } from '../../betting/betting.ts';
import { formatDateTime, listed } from '../../platform/format.ts';
import { named } from '../../platform/named.ts';
import { useOnline } from '../../platform/online.ts';
import { Link } from '../../platform/routing.tsx';
import { Chip } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { IconBell, IconWifiOff } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { EmptyState, ErrorNote, Note } from '../../ui/note.tsx';
import { PageHead, Panel } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { AlertNotices } from './alert-notices.tsx';
import { AlertQuiet } from './alert-quiet.tsx';
import css from './alerts.module.css';

/** All alerts of the player, and how he is told of them. */
export function Screen() {
  const online = useOnline();
  const { data, isError, refetch } = useCall(CALLS.alerts.list, {});
  const [making, setMaking] = useState(false);
  const list = data?.alerts ?? [];
  const waiting = list.filter(({ state }) => state === 'WAITING');
  const over = list.filter(({ state }) => state !== 'WAITING');
  return (
    <>
      <PageHead title={t`Alerts`}>
        <Button size="sm" icon={IconBell} disabled={!online} onClick={() => setMaking(true)}>
          {t`My bets`}
        </Button>
      </PageHead>
      {!online && (
        <Note tone="warn" icon={IconWifiOff}>
          {t`You are offline. The site goes on watching; here you see what came true when you are back.`}
        </Note>
      )}
      {isError && !data ? (
        <ErrorNote title={t`Your alerts did not load.`} onRetry={() => void refetch()}>
          {t`They are watched all the same.`}
        </ErrorNote>
      ) : !data ? (
        <SkeletonRows rows={4} kind="table" />
      ) : list.length === 0 ? (
        <Panel>
          <EmptyState
            icon={IconBell}
            title={t`No alerts yet`}
            action={
              <LinkButton kind="pri" to="/inPlay">
                {t`Find a market`}
              </LinkButton>
            }
          >
            {t`Press the bell of a market or a ladder: for a price, a goal, the off, a result.`}
          </EmptyState>
        </Panel>
      ) : (
        <>
          <Panel title={t({ message: 'Waiting', context: 'alerts' })} count={waiting.length}>
            {waiting.length === 0 && <p className={css.none}>{t`None waits.`}</p>}
            <List of={waiting} online={online} />
            {waiting.length >= MOST_ALERTS && <p className={css.none}>{t`These are as many as there may be.`}</p>}
          </Panel>
          {over.length > 0 && (
            <Panel title={t`Came true, or over`} count={over.length}>
              <List of={over} online={online} />
            </Panel>
          )}
        </>
      )}
      <AlertNotices />
      {data && <AlertQuiet quiet={data.quiet} />}
      {making && <AlertForm onClose={() => setMaking(false)} />}
    </>
  );
}

function List({ of, online }: { of: readonly Alert[]; online: boolean }) {
  return (
    <ul className={css.list}>
      {of.map((one) => (
        <One key={one.id} alert={one} online={online} />
      ))}
    </ul>
  );
}

function One({ alert, online }: { alert: Alert; online: boolean }) {
  const [editing, setEditing] = useState(false);
  const [busy, setBusy] = useState(false);
  const text = alertText(alert);
  const remove = async () => {
    setBusy(true);
    try {
      await api(CALLS.alerts.remove, { body: { id: alert.id } });
    } catch {
      // The call told the player already.
    } finally {
      setBusy(false);
      refresh(CALLS.alerts.list);
    }
  };
  return (
    <li>
      <span className="grow">
        <b>{text}</b> {alert.every && <Chip>{t`Every time`}</Chip>}
        <small className="t3">
          {alert.eventName !== '' && (
            <Link className="link" to={alertPath(alert)}>
              {listed(alert.eventName, named(alert.bettingName))}
            </Link>
          )}{' '}
          {when(alert)} {alert.state === 'OVER' && endText(alert)}
        </small>
      </span>
      <div className={css.deeds}>
        {CHANGING.has(alert.kind) && alert.state !== 'OVER' && (
          <Button
            size="sm"
            kind="ghost"
            disabled={!online}
            aria-label={t`Change: ${text}`}
            onClick={() => setEditing(true)}
          >
            {alert.state === 'FIRED' ? t`Set again` : t`Change`}
          </Button>
        )}
        <Button
          size="sm"
          busy={busy}
          disabled={!online}
          aria-label={t`Take away: ${text}`}
          onClick={() => void remove()}
        >
          {t`Take away`}
        </Button>
      </div>
      {editing && <AlertForm alert={alert} onClose={() => setEditing(false)} />}
    </li>
  );
}

/** What has something to change, beside once or every time. */
const CHANGING = new Set<Alert['kind']>(['PRICE', 'SIZE', 'MATCHED', 'SUSPENDED', 'SCORE', 'BET']);

function when({ firedAt, times, createdAt }: Alert): string {
  if (firedAt === null) return t`Set ${{ time: formatDateTime(Date.parse(createdAt)) }}`;
  const at = formatDateTime(Date.parse(firedAt));
  return times > 1
    ? plural(times, { one: `Came true # time, last ${at}`, other: `Came true # times, last ${at}` })
    : t`Came true ${at}`;
}
