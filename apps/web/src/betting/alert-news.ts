import { useEffect, useEffectEvent } from 'react';
import { onAlertNews, onAlertsOver } from '../live/live.ts';
import { fetchCode } from '../platform/fetch-code.ts';
import { useNavigate } from '../platform/routing.tsx';
import { countInTitle } from '../platform/title.ts';

/**
 * Tells the player of his alerts: in the page always, by sound and notification as he set it for this browser, and neither of
 * them in his quiet hours. What comes while another page is in front is counted in the title until he is back.
 */
export function useAlertNews(): void {
  const navigate = useNavigate();
  const lead = useEffectEvent((path: string) => void navigate(path));
  useEffect(() => {
    const seen = () => {
      if (!document.hidden) countInTitle(0);
    };
    document.addEventListener('visibilitychange', seen);
    const told = (tell: (by: typeof import('./alert-told.ts')) => void) =>
      void fetchCode(() => import('./alert-told.ts'), 'Telling an alert')
        .then(tell)
        .catch(() => undefined);
    const stops = [
      onAlertNews((news) => {
        const { hidden } = document;
        if (hidden) countInTitle(1);
        told(({ tellAlert }) => tellAlert(news, hidden, (path) => lead(path)));
      }),
      onAlertsOver((news) => told(({ tellOver }) => tellOver(news))),
    ];
    return () => {
      for (const stop of stops) stop();
      document.removeEventListener('visibilitychange', seen);
      countInTitle(0);
    };
  }, []);
}
