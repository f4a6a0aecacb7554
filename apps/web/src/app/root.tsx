import { useEffect, useLayoutEffect, useRef } from 'react';
import { Outlet, useLocation, useMatches, useNavigate, useNavigation } from 'react-router';
import { useOnline } from '../platform/online.ts';
import { reloadOnce } from '../platform/reload.ts';
import { useScrollPlace } from '../platform/scroll-place.ts';
import { setTitle } from '../platform/title.ts';
import { onSession } from '../session/session.ts';
import { IconWifiOff } from '../ui/icons.ts';
import { announce, LiveRegion } from '../ui/live-region.tsx';
import { Banner } from '../ui/note.tsx';
import { useLate } from '../ui/skeleton.tsx';
import { ToastView } from '../ui/toast-view.tsx';
import { UiErrorBoundary } from './error-screen.tsx';
import type { RouteHandle } from './routes.tsx';

/** Around every screen, signed in or not: scroll, title, offline banner, messages. */
export function Root() {
  const { pathname } = useLocation();
  useScrollPlace();
  useRouteTitle();
  useLeaveWhenSessionEnds();
  // The page's own first words give way to the first screen.
  useLayoutEffect(() => document.getElementById('splash')?.remove(), []);
  const late = useLate(useNavigation().state === 'loading', 200);
  return (
    <>
      {late && <div className="reload-line reload-line--page" />}
      <OfflineBanner />
      <UiErrorBoundary resetKey={pathname}>
        <Outlet />
      </UiErrorBoundary>
      <ToastView />
      <LiveRegion />
    </>
  );
}

/** Before the first screen is there: nothing, so that no other screen flashes. */
export function FirstPaint() {
  return null;
}

function useRouteTitle(): void {
  const title = (useMatches().at(-1)?.handle as RouteHandle | undefined)?.title ?? 'fairGame';
  const first = useRef(true);
  useEffect(() => {
    setTitle(title);
    if (first.current) first.current = false;
    else announce(title);
  }, [title]);
}

/** Sign-out here or in another tab, a forced logout, a 401: the screen goes to the sign-in at once. */
function useLeaveWhenSessionEnds(): void {
  const navigate = useNavigate();
  useEffect(
    () =>
      onSession((session) => {
        if (!session) void navigate('/login', { replace: true });
      }),
    [navigate],
  );
}

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
      You are currently offline
      <span className="offline__more">Prices are frozen. The page reloads when the line is back.</span>
    </Banner>
  );
}
