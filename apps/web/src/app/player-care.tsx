import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useEffect } from 'react';
import { refresh, useCall } from '../api/api.ts';
import { serverNow } from '../platform/clock.ts';
import { formatDateTime } from '../platform/format.ts';
import { Link, useLocation } from '../platform/routing.tsx';
import { useSession } from '../session/session.ts';
import { setBettingOff } from '../slip/slip.ts';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconShieldHeart } from '../ui/icons.ts';
import { SignedMoney } from '../ui/money.tsx';
import { loadScreen } from './lazy-screen.ts';
import css from '../ui/shell.module.css';

const RealityCheck = lazy(async () => ({
  default: (await loadScreen((() => import('../features/protection/reality-check.tsx')) as never))
    .Component as typeof import('../features/protection/reality-check.tsx').Screen,
}));

/** The player's own figures of protection; none for play money, which is no part of it. */
function useProtection() {
  const session = useSession();
  const whole = session !== null && !session.isDemo && !session.forceChangePassword;
  return useCall(CALLS.protection.status, {}, { enabled: whole });
}

/** Why betting is off, above everything, on every signed-in screen (OPN-16). */
export function StandingBanner() {
  const session = useSession();
  const { standing, freezesAt } = useCall(CALLS.account.profile, {}, { enabled: session !== null }).data ?? {};
  const { pathname } = useLocation();
  const reason = standing?.text ?? null;
  useEffect(() => {
    setBettingOff(reason);
    return () => setBettingOff(null);
  }, [reason]);
  if (!standing) return freezesAt ? <AgeBanner freezesAt={freezesAt} /> : null;
  return (
    <div className={cx(css.offline, css.offlineWarning)} role="status">
      <Icon of={IconShieldHeart} size={18} />
      <span>
        {standing.text}
        {standing.until && (
          <span className={css.offlineMore}>
            {' '}
            {t`Betting opens again ${{ time: formatDateTime(Date.parse(standing.until)) }}.`}
          </span>
        )}
      </span>
      {pathname !== '/player-protection' && (
        <Link className="link" to="/player-protection">
          {t`Player protection`}
        </Link>
      )}
    </div>
  );
}

/** Betting goes on, and until when (LGL-05, trust PP-17). */
function AgeBanner({ freezesAt }: { freezesAt: string }) {
  return (
    <div className={cx(css.offline, css.offlineWarning)} role="status">
      <Icon of={IconShieldHeart} size={18} />
      <span>
        {t`Your age is not verified yet. Please contact support: without it your account freezes on ${{ time: formatDateTime(Date.parse(freezesAt)) }}.`}
      </span>
    </div>
  );
}

/** Asks again when the next reality check is due, and shows it. The time is the server's, not this device's. */
export function RealityGuard() {
  const { data, dataUpdatedAt } = useProtection();
  const due = data?.reality.due ?? false;
  const dueAt = data?.reality.dueAt ? Date.parse(data.reality.dueAt) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reading that says "not yet" at its time is asked for again
  useEffect(() => {
    // While the check stands there is nothing to wait for: its answer reads anew.
    if (dueAt === null || due) return;
    const timer = setTimeout(() => refresh(CALLS.protection.status), Math.max(1000, dueAt - serverNow()));
    return () => clearTimeout(timer);
  }, [dueAt, due, dataUpdatedAt]);
  if (!data || !due) return null;
  return (
    <Suspense fallback={null}>
      <RealityCheck status={data} />
    </Suspense>
  );
}

/** Result of settled bets since the visit began, beside the session clock (trust PP-07). */
export function SessionNet({ className }: { className: string }) {
  const { data } = useProtection();
  if (!data) return null;
  return (
    <span className={className}>
      <Trans>
        Net <SignedMoney minor={data.session.netMinor} />
      </Trans>
    </span>
  );
}
