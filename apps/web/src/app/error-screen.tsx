import { t } from '@lingui/core/macro';
import { Link } from '../platform/routing.tsx';
import { cx } from '../ui/cx.ts';
import { Logo } from '../ui/logo.tsx';
import { UpdatingScreen } from './error-boundary.tsx';
import { ScreenLoadError } from './lazy-screen.ts';
import buttonCss from '../ui/button.module.css';
import panelCss from '../ui/panel.module.css';

/** Errors of routing: an unmatched route, an unsupported method, anything else (ERR-08..10). */
export function RouteErrorScreen({ error }: { error: unknown }) {
  if (error instanceof ScreenLoadError) return <UpdatingScreen />;
  const response = error instanceof Response ? error : null;
  console.error('Routing failed', error);
  return (
    <main className={panelCss.errorPage}>
      <Logo />
      <h1 role="alert">
        {response
          ? `${response.status} ${statusWords(response.status, response.statusText)}`
          : t`Unexpected Application Error!`}
      </h1>
      <Link className={cx(buttonCss.button, buttonCss.secondary)} to="/">
        {t`Back to Home`}
      </Link>
    </main>
  );
}

function statusWords(status: number, text: string): string {
  if (status === 404) return t`Not Found`;
  if (status === 405) return t`Method Not Allowed`;
  return text || t`Error`;
}
