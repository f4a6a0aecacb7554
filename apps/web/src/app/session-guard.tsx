import { TIME } from '@fairgame/contract';
import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { openMainSocket } from '../live/live.ts';
import { type IdleState, startIdleClock, useSession } from '../session/session.ts';
import { signOut, signOutWithOtherTabs } from '../sign-in/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { announce } from '../ui/live-region.tsx';
import { Modal } from '../ui/modal.tsx';
import { LineBanner } from './line-banner.tsx';
import { NewVersion } from './new-version.tsx';
import { RealityGuard, StandingBanner } from './player-care.tsx';
import css from '../ui/panel.module.css';

/** Keeps the session of the signed-in shell: the private socket, the idle clock with its warning, the expired screen. */
export function SessionGuard({ children }: { children: ReactNode }) {
  const session = useSession();
  const userId = session?.userId;
  const clock = useRef<ReturnType<typeof startIdleClock> | null>(null);
  const [idle, setIdle] = useState<{ state: IdleState; expiresAt: number }>({ state: 'active', expiresAt: 0 });

  useEffect(() => (userId === undefined ? undefined : openMainSocket()), [userId]);
  useEffect(() => {
    if (userId === undefined) return;
    const started = startIdleClock(userId, (state, expiresAt) => setIdle({ state, expiresAt }));
    clock.current = started;
    return () => {
      started.stop();
      clock.current = null;
      setIdle({ state: 'active', expiresAt: 0 });
    };
  }, [userId]);

  useEffect(() => (userId === undefined ? undefined : signOutWithOtherTabs(userId)), [userId]);

  if (idle.state === 'expired') return <SessionExpired onHome={() => clock.current?.stay()} />;
  return (
    <>
      <StandingBanner />
      <LineBanner />
      <NewVersion />
      {children}
      <RealityGuard />
      <IdleWarning open={idle.state === 'warning'} expiresAt={idle.expiresAt} onStay={() => clock.current?.stay()} />
    </>
  );
}

function IdleWarning({ open, expiresAt, onStay }: { open: boolean; expiresAt: number; onStay: () => void }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!open) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [open]);
  const left = Math.max(0, Math.ceil((expiresAt - now) / 1000));
  return (
    <Modal
      open={open}
      onClose={onStay}
      title={t`Are you still here?`}
      width="s"
      footer={
        <Button kind="pri" onClick={onStay}>
          {t`Stay signed in`}
        </Button>
      }
    >
      <p>
        <Trans>
          You have not been active for a long time. Your session ends in{' '}
          <b className="num">{ph({ time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` })}</b>.
        </Trans>
      </p>
    </Modal>
  );
}

/** Six hours without activity: counts from 5, then signs out; Back to Home stops the count for good (IDL-03..07, CAR-18). */
export function SessionExpired({ onHome }: { onHome?: () => void }) {
  const [left, setLeft] = useState<number>(TIME.logoutCountdownS);
  const [stopped, setStopped] = useState(false);

  useEffect(() => {
    announce(
      t`Your session has been expired. Redirected to Login in ${{ seconds: TIME.logoutCountdownS }} seconds.`,
      'assertive',
    );
  }, []);

  useEffect(() => {
    if (stopped) return;
    if (left === 0) {
      void signOut();
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left, stopped]);

  const home = () => {
    setStopped(true);
    onHome?.();
    // A full load: the server has ended the session by its own clock, so that /home leads to the sign-in when it has.
    window.location.assign('/home');
  };
  return (
    <main className={css.errorPage} id="main">
      <h1>{t`Your session has been expired,`}</h1>
      <p className="num">{t`Redirected to Login in ${left} seconds.`}</p>
      <Button onClick={home}>{t`Back to Home`}</Button>
    </main>
  );
}
