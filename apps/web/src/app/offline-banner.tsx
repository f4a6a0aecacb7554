import { t } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { useOnline } from '../platform/online.ts';
import { reloadOnce } from '../platform/reload.ts';
import { IconWifiOff } from '../ui/icons.ts';
import { Banner } from '../ui/note.tsx';
import css from '../ui/shell.module.css';

/** Red while there is no network; when it is back the page reloads, spread over five seconds (IDL-09, IDL-10). */
export function OfflineBanner() {
  const online = useOnline();
  const wasOffline = useRef(false);
  useEffect(() => {
    if (!online) wasOffline.current = true;
    else if (wasOffline.current) {
      wasOffline.current = false;
      reloadOnce('back online', { spreadMs: 5000 });
    }
  }, [online]);
  if (online) return null;
  return (
    <Banner icon={IconWifiOff}>
      {t`You are currently offline`}
      <span className={css.offlineMore}>{t`Prices are frozen. The page reloads when the line is back.`}</span>
    </Banner>
  );
}
