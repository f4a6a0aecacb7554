import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Link } from '../../../platform/routing.tsx';
import { IconShieldHeart, IconWifiOff } from '../../../ui/icons.ts';
import { Note } from '../../../ui/note.tsx';

/** Words between the bar and a game that goes on: why it takes no new stake. */
export function Strips({
  off,
  until,
  online,
  notice,
}: {
  off: string | null;
  until: string | undefined;
  online: boolean;
  notice: 'LIMIT_REACHED' | 'BLOCKED' | null;
}) {
  const limits = (
    <Link className="link" to="/player-protection">
      {t`Player protection`}
    </Link>
  );
  let words: ReactNode = null;
  if (!online) words = <b>{t`You are offline. The game waits; rounds that run are settled all the same.`}</b>;
  else if (off)
    words = (
      <>
        <b>{off}</b> {until} {t`A round that is open is played to its end.`} {limits}
      </>
    );
  else if (notice === 'LIMIT_REACHED')
    words = (
      <Trans>
        <b>This stake goes over a limit you set.</b> Nothing was taken. {limits}
      </Trans>
    );
  else if (notice === 'BLOCKED')
    words = (
      <Trans>
        <b>Betting is off for this account.</b> Nothing was taken. {limits}
      </Trans>
    );
  if (words === null) return null;
  return (
    <Note tone="warn" icon={online ? IconShieldHeart : IconWifiOff} alert>
      {words}
    </Note>
  );
}
