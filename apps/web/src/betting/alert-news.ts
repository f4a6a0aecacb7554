import { useEffect } from 'react';
import { onAlertNews } from '../live/live.ts';
import { chime } from '../platform/chime.ts';
import { notices, notify } from '../platform/notices.ts';
import { countInTitle } from '../platform/title.ts';
import { toast } from '../platform/toasts.ts';
import { alertPath, newsText } from './alert-words.ts';

/**
 * Tells the player of his alerts: in the page always, by sound and notification as he set it for this browser, and neither of
 * them in his quiet hours. What comes while another page is in front is counted in the title until he is back.
 */
export function useAlertNews(): void {
  useEffect(() => {
    const seen = () => {
      if (!document.hidden) countInTitle(0);
    };
    document.addEventListener('visibilitychange', seen);
    const stop = onAlertNews((news) => {
      const text = newsText(news);
      toast.info(text, alertPath(news.alert));
      if (document.hidden) countInTitle(1);
      if (news.quiet) return;
      const { sound, notify: how } = notices();
      if (sound) chime();
      // What is pushed the service worker shows.
      if (how === 'page' && document.hidden) notify(text);
    });
    return () => {
      stop();
      document.removeEventListener('visibilitychange', seen);
      countInTitle(0);
    };
  }, []);
}
