import { msg, t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { errorText } from '../../api/api.ts';
import { chime } from '../../platform/chime.ts';
import { say, type Words } from '../../platform/language.ts';
import { type Notify, permission, setNotices, useNotices } from '../../platform/notices.ts';
import { useSession } from '../../session/session.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Note } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Choice } from '../../ui/tabs.tsx';
import { canPush, endPush, isPushed, startPush } from './push.ts';
import css from './alerts.module.css';

const PAGE_WAYS: ReadonlyArray<{ id: Notify; label: Words }> = [
  { id: 'off', label: msg`Off` },
  { id: 'page', label: msg`While a page is open` },
];
const ALL_WAYS = [...PAGE_WAYS, { id: 'push' as const, label: msg`Also when none is` }];

/** How notifications come, and another way: the browser, the push service and the site are asked for it. */
function useWay(notify: Notify) {
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);

  // A subscription that ended with its session, or in the browser itself, is not shown as one that stands.
  useEffect(() => {
    if (notify !== 'push') return;
    let left = false;
    void isPushed().then((pushed) => {
      if (!pushed && !left) setNotices({ notify: 'page', keep: false });
    });
    return () => {
      left = true;
    };
  }, [notify]);

  const choose = async (way: Notify, kept: boolean) => {
    setWrong(null);
    setBusy(true);
    try {
      if (way !== 'off' && permission() === 'default') await Notification.requestPermission();
      if (way !== 'off' && permission() !== 'granted') return setWrong(say(DENIED));
      if (way === 'push') await startPush(kept);
      else if (notify === 'push') await endPush();
      setNotices({ notify: way, keep: kept && way === 'push' });
    } catch (error) {
      setWrong(
        error instanceof DOMException ? t`This browser could not subscribe. Try again later.` : errorText(error),
      );
    } finally {
      setBusy(false);
    }
  };
  return { busy, wrong, choose };
}

/** How this browser tells: always in the page; by sound and notification as the player says. It is asked at a press only. */
export function AlertNotices() {
  const { sound, notify, keep } = useNotices();
  const demo = useSession()?.isDemo === true;
  const { busy, wrong, choose } = useWay(notify);
  return (
    <Panel title={t`In this browser`} flush={false}>
      <div className={css.ways}>
        <Switch
          checked={sound}
          after
          onChange={(on) => {
            setNotices({ sound: on });
            if (on) chime();
          }}
        >
          {t`Sound`}
        </Switch>
        {permission() === 'none' ? (
          <Note>{t`This browser shows no notifications. Alerts are told in the page.`}</Note>
        ) : (
          <Choice
            label={t`Notifications`}
            value={notify}
            items={(canPush() ? ALL_WAYS : PAGE_WAYS).map(({ id, label }) => ({ id, label: say(label) }))}
            onChange={(way) => void choose(way, false)}
          />
        )}
        {notify === 'push' && !demo && (
          <Checkbox checked={keep} disabled={busy} onChange={(on) => void choose('push', on)}>
            {t`Go on after I sign out here`}
          </Checkbox>
        )}
        {permission() === 'denied' && !wrong && <Note tone="warn">{say(DENIED)}</Note>}
        {wrong && (
          <Note tone="warn" alert>
            {wrong}
          </Note>
        )}
      </div>
    </Panel>
  );
}

const DENIED = msg`This browser does not let fairGame notify you. Allow it in the settings of the browser for this site, then choose again.`;
