import type { AlertNews, AlertsOver, AlertWay } from '@fairgame/contract';
import { chimeOnce } from '../platform/chime.ts';
import { notices, notify } from '../platform/notices.ts';
import { toast } from '../platform/toasts.ts';
import { alertPath, newsText, overTexts } from './alert-words.ts';

/** Tells one alert: loaded with the first that comes. `hidden`: the page was not in front when it came; `lead` goes to a place of it. */
export function tellAlert(news: AlertNews, hidden: boolean, lead: (path: string) => void): void {
  const text = newsText(news);
  const path = alertPath(news.alert);
  toast.info(text, path);
  const tells = (way: AlertWay) => !news.silent.includes(way);
  const { sound, notify: how } = notices();
  if (sound && tells('SOUND')) chimeOnce();
  // What is pushed the service worker shows.
  if (how === 'page' && hidden && tells('NOTICE')) notify(text, path, lead);
}

/** Tells of alerts that wait no more, in the page alone, a market at a time. */
export function tellOver({ alerts }: AlertsOver): void {
  for (const text of overTexts(alerts)) toast.info(text, '/alerts');
}
