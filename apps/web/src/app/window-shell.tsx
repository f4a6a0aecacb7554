import { msg } from '@lingui/core/macro';
import { PasswordAgain, useAlertNews, useBetNews } from '../betting/betting.ts';
import { later } from '../platform/later.tsx';
import { Outlet } from '../platform/routing.tsx';
import { alone } from '../ui/boundary.tsx';
import { SessionGuard } from './session-guard.tsx';
import css from '../ui/shell.module.css';

const PageKeys = alone(
  msg`Keys`,
  later(async () => (await import('./page-keys.tsx')).PageKeys),
);

/** Around a screen that has a window of its own: the session and its news, and nothing that leads elsewhere. */
export function Screen() {
  return (
    <SessionGuard>
      <Window />
    </SessionGuard>
  );
}

function Window() {
  useBetNews();
  useAlertNews();
  return (
    <main className={css.window} id="main" tabIndex={-1}>
      <Outlet />
      <PasswordAgain />
      <PageKeys />
    </main>
  );
}
