import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { formatClock } from '../platform/format.ts';
import { later } from '../platform/later.tsx';
import { named } from '../platform/named.ts';
import { device } from '../platform/storage.ts';
import { useServerNow } from '../platform/use-server-now.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconClock, IconInbox, IconPlayerPause, IconPlayerPlay, IconPlayerSkipForward } from '../ui/icons.ts';
import { PHONE, REDUCED_MOTION, useMedia } from '../ui/media.ts';
import { Popover } from '../ui/popover.tsx';
import { DisplaySettings, FrozenBanner } from './display-settings.tsx';
import { SessionNet } from './player-care.tsx';
import { SessionClock } from './session-clock.tsx';
import css from '../ui/notice-bar.module.css';
import popoverCss from '../ui/popover.module.css';

/** In this browser: who stopped them does not stop them again on every page. */
const PAUSED = 'noticesPaused';

const ToastLog = later(async () => (await import('../ui/toast-log.tsx')).ToastLog);

/**
 * Clock, session time and the marquee text (MQE). The text stops on hover, on focus and by its button; with reduced motion
 * one notice stands still and the button shows the next. Notices are text, never markup (CAR-45).
 */
export function NoticeBar({ notices }: { notices: readonly string[] }) {
  const still = useMedia(REDUCED_MOTION);
  const phone = useMedia(PHONE);
  const [paused, setPaused] = useState(() => device.text(PAUSED) === '1');
  const [at, setAt] = useState(0);
  const pause = (to: boolean) => {
    device.keepText(PAUSED, to ? '1' : null);
    setPaused(to);
  };
  const shown = still && notices.length > 0 ? [notices[at % notices.length]!] : notices;
  const classes = cx(css.bar, paused && 'is-paused', still && css.still);
  return (
    <>
      <FrozenBanner />
      <section className={classes} aria-label={t`Notices`}>
        {!phone && (
          <div className={css.left}>
            <Clock />
          </div>
        )}
        <div className={css.view}>
          {shown.length > 0 && (
            <div className={css.run}>
              <Run notices={shown} />
              {!still && <Run notices={shown} copy />}
            </div>
          )}
        </div>
        <div className={css.controls}>
          {!phone && <SessionNet className={css.net} />}
          {notices.length > 0 &&
            (still ? (
              <IconButton icon={IconPlayerSkipForward} label={t`Next notice`} size={14} onClick={() => setAt(at + 1)} />
            ) : (
              <IconButton
                icon={paused ? IconPlayerPlay : IconPlayerPause}
                label={paused ? t`Run notices` : t`Pause notices`}
                size={14}
                onClick={() => pause(!paused)}
              />
            ))}
          <Popover
            label={t`Messages`}
            title={t`Messages`}
            className={popoverCss.list}
            trigger={<IconButton icon={IconInbox} label={t`Messages`} size={15} />}
          >
            <ToastLog />
          </Popover>
          <DisplaySettings />
        </div>
      </section>
    </>
  );
}

function Run({ notices, copy = false }: { notices: readonly string[]; copy?: boolean }) {
  return (
    <ul aria-hidden={copy || undefined}>
      {notices.map((notice) => (
        <li key={notice}>{named(notice)}</li>
      ))}
    </ul>
  );
}

/** Local time to the second, and how long this visit has lasted. Renders itself alone. */
function Clock() {
  const now = useServerNow();
  return (
    <>
      <span className="row g-2">
        <Icon of={IconClock} size={14} />
        <time>{formatClock(now)}</time>
      </span>
      <span>
        {t`Session`}{' '}
        <b>
          <SessionClock />
        </b>
      </span>
    </>
  );
}
