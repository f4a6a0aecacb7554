import { msg, t } from '@lingui/core/macro';
import { useCallback, useEffect, useState } from 'react';
import { PasswordAgain, useAlertNews, useBetNews } from '../betting/betting.ts';
import { say } from '../platform/language.ts';
import { fetchLater, later } from '../platform/later.tsx';
import { Outlet, useHandle, useHeadingFor, useLocation } from '../platform/routing.tsx';
import { whenQuiet } from '../platform/when-quiet.ts';
import { alone } from '../ui/boundary.tsx';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { IconLock, IconReceipt } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Logo } from '../ui/logo.tsx';
import { COMPACT, useMedia } from '../ui/media.ts';
import { EmptyState } from '../ui/note.tsx';
import { PageHead } from '../ui/panel.tsx';
import { RailOutlet, RailProvider, useRail } from '../ui/rail.tsx';
import { Sheet } from '../ui/sheet.tsx';
import type { ModalId } from './account-menu-data.ts';
import { BottomBar } from './bottom-bar.tsx';
import { UiErrorBoundary } from './error-boundary.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { ShellModals } from './modals.tsx';
import { NoticeBar } from './notice-bar.tsx';
import type { RouteHandle } from './routes.tsx';
import { SessionGuard } from './session-guard.tsx';
import { useShellData } from './shell-data.ts';
import { AccountNav, SportsNav } from './side-nav.tsx';
import { SlipPlace } from './slip-place.tsx';
import { TopBar } from './top-bar.tsx';
import panelCss from '../ui/panel.module.css';
import shellCss from '../ui/shell.module.css';
import sideNavCss from '../ui/side-nav.module.css';

const PageKeys = alone(
  msg`Keys`,
  later(async () => (await import('./page-keys.tsx')).PageKeys),
);

/** The signed-in shell: header, notices, top bar, sidebar, the screen, the rail, footer, bottom bar. */
export function Screen() {
  return (
    <SessionGuard>
      <RailProvider>
        <Shell />
      </RailProvider>
    </SessionGuard>
  );
}

function Shell() {
  const data = useShellData();
  useBetNews();
  useAlertNews();
  const compact = useMedia(COMPACT);
  const { pathname } = useLocation();
  const handle = useHandle() as RouteHandle | undefined;
  const [menu, setMenu] = useOpenUntilLeft<true>(pathname);
  const [modal, setModal] = useOpenUntilLeft<ModalId>(pathname);

  // So that a press finds it there, without a network too.
  useEffect(() => void fetchLater(() => new Promise(whenQuiet)), []);

  const rail = handle?.rail ?? false;
  const account = handle?.side === 'account';
  return (
    <div className={shellCss.page}>
      <a className="skip" href="#main">
        {t`Skip to content`}
      </a>
      <Header data={data} onMenu={() => setMenu(true)} onModal={setModal} />
      <NoticeBar notices={data.notices} />
      <TopBar demo={data.isDemo} onMarket={() => setModal('market')} />
      <div className={cx(shellCss.shell, !rail && shellCss.shellPlain)}>
        {!compact && (
          <aside className={sideNavCss.side} aria-label={account ? t`Account` : t`Sports`}>
            {account ? <AccountNav demo={data.isDemo} openBets={data.openBets} /> : <SportsNav />}
          </aside>
        )}
        <main className={shellCss.main} id="main" tabIndex={-1}>
          <UiErrorBoundary resetKey={pathname}>
            {data.isDemo && handle?.real ? <NotInDemo title={say(handle.title)} /> : <Outlet />}
          </UiErrorBoundary>
        </main>
        {rail && <RailPlace />}
        {rail && !handle?.ownSlip && (
          <SlipPlace
            inline={handle?.inlineSlip ?? false}
            ownBets={handle?.inlineSlip ?? false}
            onEditStakes={() => setModal('buttons')}
          />
        )}
      </div>
      <Footer support={data.support} />
      <BottomBar openBets={data.openBets} />
      {compact && (
        <Sheet open={menu !== null} onClose={() => setMenu(null)} label={t`Sports`} side="left" head={<Logo />}>
          {account && <AccountNav demo={data.isDemo} openBets={data.openBets} />}
          <SportsNav />
        </Sheet>
      )}
      <PasswordAgain />
      <PageKeys leads />
      <ShellModals open={modal} onClose={() => setModal(null)} />
    </div>
  );
}

/**
 * What is open over a screen, until another path comes, by Back too. Opened while that path was on its way already it stays:
 * its press came later.
 */
function useOpenUntilLeft<T>(pathname: string): [T | null, (what: T | null) => void] {
  const headingFor = useHeadingFor();
  const [open, setOpen] = useState<{ what: T; at: string } | null>(null);
  useEffect(() => setOpen((one) => (one?.at === pathname ? one : null)), [pathname]);
  const put = useCallback((what: T | null) => setOpen(what === null ? null : { what, at: headingFor() }), [headingFor]);
  return [open?.what ?? null, put];
}

/** A demo player who came to a screen of real accounts by its address. */
function NotInDemo({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} />
      <section className={panelCss.panel}>
        <EmptyState
          icon={IconLock}
          title={t`This is not part of the demo`}
          action={
            <LinkButton kind="pri" to="/home">
              {t`Back to Home`}
            </LinkButton>
          }
        >
          {t`It belongs to accounts that play with real money. Ask the operator for one.`}
        </EmptyState>
      </section>
    </>
  );
}

/** The rail: a column at the right, or a drawer with its button. On a phone its features draw themselves elsewhere. */
function RailPlace() {
  const { mode, open, setOpen } = useRail();
  if (mode === 'side') {
    return (
      <aside className={shellCss.rail} aria-label={t`Bet slip and bets`}>
        <RailOutlet className={shellCss.railInside} />
      </aside>
    );
  }
  if (mode === 'none') return null;
  return (
    <>
      <Button className={shellCss.railOpen} kind="pri" icon={IconReceipt} onClick={() => setOpen(true)}>
        {t`Bet slip`}
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} label={t`Bet slip`} side="right">
        <RailOutlet className={shellCss.railInside} />
      </Sheet>
    </>
  );
}
