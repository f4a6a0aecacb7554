import { Component, type ErrorInfo, type ReactNode } from 'react';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { refreshNow, reloadOnce } from '../platform/reload.ts';
import { Button } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { ScreenLoadError } from './lazy-screen.ts';

/** What stays when the one automatic reload did not help (IDL-12, CAR-08). No codes shown. */
function UpdatingScreen() {
  return (
    <main className="errpage">
      <Logo />
      <p role="alert">Website is updating please try again after refreshing the page.</p>
      <Button kind="pri" onClick={refreshNow}>
        Refresh
      </Button>
    </main>
  );
}

/** Errors of routing: an unmatched route, an unsupported method, anything else (ERR-08..10). */
export function RouteErrorScreen() {
  const error = useRouteError();
  if (error instanceof ScreenLoadError) return <UpdatingScreen />;
  const response = isRouteErrorResponse(error) ? error : null;
  console.error('Routing failed', error);
  return (
    <main className="errpage">
      <Logo />
      <h1 role="alert">
        {response
          ? `${response.status} ${statusWords(response.status, response.statusText)}`
          : 'Unexpected Application Error!'}
      </h1>
      <Link className="btn btn--sec" to="/">
        Back to Home
      </Link>
    </main>
  );
}

function statusWords(status: number, text: string): string {
  if (status === 404) return 'Not Found';
  if (status === 405) return 'Method Not Allowed';
  return text || 'Error';
}

type Props = { children: ReactNode; resetKey: string };

/**
 * Catches what a screen throws while it draws: logs it, reloads the page (once in 60 s) and shows the message with Refresh.
 * Another path is another try.
 */
export class UiErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error('A screen failed', error, info.componentStack);
    reloadOnce('a screen failed');
  }

  override componentDidUpdate(before: Props) {
    if (this.state.failed && before.resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed ? <UpdatingScreen /> : this.props.children;
  }
}
