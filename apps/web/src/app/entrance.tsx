import { t } from '@lingui/core/macro';
import { type ComponentType, useEffect, useLayoutEffect, useState } from 'react';
import { SignIn } from '../features/login/sign-in.tsx';
import { setTitle } from '../platform/title.ts';
import { LiveRegion } from '../ui/live-region.tsx';
import { ToastView } from '../ui/toast-view.tsx';
import { UiErrorBoundary } from './error-boundary.tsx';
import { loadScreen } from './lazy-screen.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { PublicFrame } from './public-frame.tsx';

const client = () => loadScreen(async () => ({ Screen: await (await import('./app.tsx')).openClient() }));

/** The sign-in for who comes from outside, without what the client stands on. That is fetched once somebody touches the form. */
export function Screen() {
  const [Client, setClient] = useState<ComponentType | null>(null);
  useLayoutEffect(() => {
    // As the guards do it: Back never leads here again.
    if (location.pathname !== '/login') history.replaceState(null, '', '/login');
    setTitle(t`Login`);
    document.getElementById('splash')?.remove();
  }, []);
  useEffect(fetchAtFirstTouch, []);
  const go = async (path: string) => {
    history.replaceState(null, '', path);
    const { Component } = await client();
    setClient(() => Component);
  };
  if (Client) return <Client />;
  return (
    <>
      <OfflineBanner />
      <UiErrorBoundary resetKey="/login">
        <PublicFrame>
          <SignIn go={go} />
        </PublicFrame>
      </UiErrorBoundary>
      <ToastView />
      <LiveRegion />
    </>
  );
}

/** The client's code comes while the name is typed; what fails now is tried again when it is needed. */
function fetchAtFirstTouch(): () => void {
  const acts = ['pointerdown', 'keydown', 'focusin'] as const;
  const stop = () => {
    for (const act of acts) removeEventListener(act, begin);
  };
  const begin = () => {
    stop();
    for (const load of [() => import('./app.tsx'), () => import('./signed-in-shell.tsx')])
      load().catch(() => undefined);
  };
  for (const act of acts) addEventListener(act, begin, { passive: true });
  return stop;
}
