import { useEffect, useLayoutEffect, useRef } from 'react';
import { say } from '../platform/language.ts';
import { named } from '../platform/named.ts';
import { Link, Outlet, useHandle, useLoading, useLocation, useNavigate } from '../platform/routing.tsx';
import { useScrollPlace } from '../platform/scroll-place.ts';
import { setTitle } from '../platform/title.ts';
import { onSession } from '../session/session.ts';
import { cx } from '../ui/cx.ts';
import { announce, LiveRegion } from '../ui/live-region.tsx';
import { useLate } from '../ui/skeleton.tsx';
import { ToastView } from '../ui/toast-view.tsx';
import { UiErrorBoundary } from './error-boundary.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import type { RouteHandle } from './routes.tsx';
import css from '../ui/shell.module.css';

/** Around every screen, signed in or not: scroll, title, offline banner, messages. */
export function Root() {
  const { pathname } = useLocation();
  useScrollPlace();
  useRouteTitle();
  useLeaveWhenSessionEnds();
  // The page's own first words give way to the first screen.
  useLayoutEffect(() => document.getElementById('splash')?.remove(), []);
  const late = useLate(useLoading(), 200);
  return (
    <>
      {late && <div className={cx(css.reload, css.reloadPage)} />}
      <OfflineBanner />
      <UiErrorBoundary resetKey={pathname}>
        <Outlet />
      </UiErrorBoundary>
      <ToastView way={Link} />
      <LiveRegion />
    </>
  );
}

function useRouteTitle(): void {
  const title = named(say((useHandle() as RouteHandle | undefined)?.title ?? 'fairGame'));
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
