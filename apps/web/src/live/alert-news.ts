import type { AlertNews } from '@fairgame/contract';
import { Signal } from '../platform/listeners.ts';

/** Alerts of the player that came true, as the main socket tells them. */
const heard = new Signal<[news: AlertNews]>();
export const onAlertNews = heard.on;
export const hearAlert = heard.tell;
