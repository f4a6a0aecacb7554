import type { AlertNews, AlertsOver, AlertWay } from '@fairgame/contract';
import { chime } from '../platform/chime.ts';
import { notices, notify } from '../platform/notices.ts';
import { toast } from '../platform/toasts.ts';
import { alertPath, newsText, overTexts } from './alert-words.ts';

/** Tells one alert: loaded with the first that comes. `hidden`: the page was not in front when it came. */
export function tellAlert(news: AlertNews, hidden: boolean): void {
  const text = newsText(news);
  toast.info(text, alertPath(news.alert));
  const tells = (way: AlertWay) => !news.silent.includes(way);
  const { sound, notify: how } = notices();
  if (sound && tells('SOUND')) chime();
  // What is pushed the service worker shows.
  if (how === 'page' && hidden && tells('NOTICE')) notify(text);
}

/** Tells of alerts that wait no more, in the page alone, a market at a time. */
export function tellOver({ alerts }: AlertsOver): void {
  for (const text of overTexts(alerts)) toast.info(text, '/alerts');
}
