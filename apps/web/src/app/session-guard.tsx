import { TIME } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { openMainSocket } from '../live/live.ts';
import { later } from '../platform/later.tsx';
import { type IdleState, startIdleClock, useSession } from '../session/session.ts';
import { signOut, signOutWithOtherTabs } from '../sign-in/sign-in.ts';
import { alone } from '../ui/boundary.tsx';
import { Button } from '../ui/button.tsx';
import { announce } from '../ui/live-region.tsx';
import { LineBanner } from './line-banner.tsx';
import { NewVersion } from './new-version.tsx';
import { RealityGuard, StandingBanner } from './player-care.tsx';
import css from '../ui/panel.module.css';

const IdleWarning = alone(
  msg`Session`,
  later(async () => (await import('./idle-warning.tsx')).IdleWarning),
);

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
      {idle.state === 'warning' && <IdleWarning expiresAt={idle.expiresAt} onStay={() => clock.current?.stay()} />}
    </>
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
