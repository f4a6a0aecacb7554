import { t } from '@lingui/core/macro';
import { type ErrorInfo, type ReactNode, useLayoutEffect } from 'react';
import { refreshNow, reloadOnce } from '../platform/reload.ts';
import { Button } from '../ui/button.tsx';
import { Catching } from '../ui/catching.ts';
import { Logo } from '../ui/logo.tsx';
import css from '../ui/panel.module.css';

/** What stays when the one automatic reload did not help (IDL-12, CAR-08). No codes shown. */
export function UpdatingScreen() {
  // Over a first picture that no screen took away the message would stand among its words.
  useLayoutEffect(() => document.getElementById('splash')?.remove(), []);
  return (
    <main className={css.errorPage}>
      <Logo />
      <p role="alert">{t`Website is updating please try again after refreshing the page.`}</p>
      <Button kind="pri" onClick={refreshNow}>
        {t`Refresh`}
      </Button>
    </main>
  );
}

type Props = { children: ReactNode; resetKey: string };

/**
 * Catches what a screen throws while it draws: logs it, reloads the page (once in 60 s) and shows the message with Refresh.
 * Another path is another try.
 */
export class UiErrorBoundary extends Catching<Props> {
  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error('A screen failed', error, info.componentStack);
    reloadOnce('a screen failed');
  }

  protected override instead() {
    return <UpdatingScreen />;
  }
}
