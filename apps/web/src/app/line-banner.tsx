import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { takeOver, useLine } from '../live/live.ts';
import { useOnline } from '../platform/online.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconBrowser, IconPlugConnectedX } from '../ui/icons.ts';
import { announce } from '../ui/live-region.tsx';
import css from '../ui/shell.module.css';

/** A line that comes back within this is no news. */
const PATIENCE_MS = 8000;

/** Why this tab gets no prices and hears nothing of the player's bets, and what he can do about it. */
export function LineBanner() {
  const line = useLine();
  const online = useOnline();
  const down = useLasting(line === 'down', PATIENCE_MS);
  const words =
    line === 'crowded'
      ? t`fairGame is open in as many tabs as it may be.`
      : line === 'replaced'
        ? t`You went on in another tab.`
        : down && online
          ? t`The connection to the site is lost.`
          : null;
  useEffect(() => {
    if (words) announce(words, 'assertive');
  }, [words]);
  if (words === null) return null;
  const choice = line !== 'down';
  return (
    <div className={cx(css.offline, css.offlineWarning)}>
      <Icon of={choice ? IconBrowser : IconPlugConnectedX} size={18} />
      <span>
        {words}{' '}
        <span className={css.offlineMore}>
          {choice
            ? t`Prices and news of your bets do not come here.`
            : t`Prices are held back. It comes back by itself; your bets stand as they are.`}
        </span>
      </span>
      {choice && (
        <Button size="sm" onClick={takeOver}>
          {t`Use this tab`}
        </Button>
      )}
    </div>
  );
}

/** True once `now` has been true for so long. */
function useLasting(now: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!now) {
      setLasting(false);
      return;
    }
    const timer = setTimeout(() => setLasting(true), ms);
    return () => clearTimeout(timer);
  }, [now, ms]);
  return now && lasting;
}
