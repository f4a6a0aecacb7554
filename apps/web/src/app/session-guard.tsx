import { msg } from '@lingui/core/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { openMainSocket } from '../live/live.ts';
import { later } from '../platform/later.tsx';
import { type IdleState, startIdleClock, useSession } from '../session/session.ts';
import { signOutWithOtherTabs } from '../sign-in/sign-in.ts';
import { alone } from '../ui/boundary.tsx';
import { LineBanner } from './line-banner.tsx';
import { NewVersion } from './new-version.tsx';
import { RealityGuard, StandingBanner } from './player-care.tsx';

const IdleWarning = alone(
  msg`Session`,
  later(async () => (await import('./idle-warning.tsx')).IdleWarning),
);

const SessionExpired = alone(
  msg`Session`,
  later(async () => (await import('./session-expired.tsx')).SessionExpired),
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
