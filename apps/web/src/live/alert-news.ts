import type { AlertNews, AlertsOver } from '@fairgame/contract';
import { Signal } from '../platform/listeners.ts';

/** Alerts of the player that came true, as the main socket tells them. */
const heard = new Signal<[news: AlertNews]>();
export const onAlertNews = heard.on;
export const hearAlert = heard.tell;

/** Alerts of the player that wait no more. */
const over = new Signal<[news: AlertsOver]>();
export const onAlertsOver = over.on;
export const hearAlertsOver = over.tell;
