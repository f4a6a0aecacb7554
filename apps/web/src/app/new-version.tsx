import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { useLine } from '../live/live.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconRefresh, IconX } from '../ui/icons.ts';
import { announce } from '../ui/live-region.tsx';
import css from '../ui/shell.module.css';

/**
 * Says that the site has another build than this page: looked for whenever the line comes back, as it does after every start
 * of the server. Loading it is the player's choice; what must be loaded at once the server says itself (hardRefreshAll).
 */
export function NewVersion() {
  const line = useLine();
  const [old, setOld] = useState(false);
  const wasUp = useRef(false);
  const wasDown = useRef(false);
  useEffect(() => {
    if (line === 'down' && wasUp.current) wasDown.current = true;
    if (line !== 'up') return;
    wasUp.current = true;
    if (!wasDown.current) return;
    wasDown.current = false;
    void isOld().then((is) => {
      if (!is) return;
      setOld(true);
      announce(t`A new version of the site is here.`);
    });
  }, [line]);
  if (!old) return null;
  return (
    <div className={cx(css.offline, css.offlineWarning)}>
      <Icon of={IconRefresh} size={18} />
      <span>
        {t`A new version of the site is here.`}{' '}
        <span className={css.offlineMore}>{t`A bet that you have begun stays in the slip.`}</span>
      </span>
      <Button size="sm" onClick={() => window.location.reload()}>
        {t`Load it`}
      </Button>
      <Button size="sm" icon={IconX} onClick={() => setOld(false)}>
        {t`Later`}
      </Button>
    </div>
  );
}

/** Whether the site's page names another entry script than this one: scripts are named by their content. */
async function isOld(): Promise<boolean> {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  if (!own) return false;
  try {
    const answer = await fetch('/index.html', { cache: 'no-cache', credentials: 'omit' });
    return answer.ok && !(await answer.text()).includes(own);
  } catch {
    return false;
  }
}
