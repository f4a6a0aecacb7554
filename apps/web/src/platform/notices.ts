/** How this browser tells of alerts: kept here, for this device alone. */
import { useSyncExternalStore } from 'react';
import { Signal } from './listeners.ts';
import { device } from './storage.ts';

/** `page`: while a page is open; `push`: also when none is. */
export type Notify = 'off' | 'page' | 'push';
export interface Notices {
  sound: boolean;
  notify: Notify;
  /** A push goes on after the player signed out here, as the site was told. */
  keep: boolean;
}

const KEY = 'fg.alerts';
const changed = new Signal();
let held: Notices | undefined;

export function notices(): Notices {
  if (held) return held;
  const { sound, notify, keep } = (device.value(KEY) ?? {}) as Partial<Record<keyof Notices, unknown>>;
  held = {
    sound: sound === true,
    notify: notify === 'page' || notify === 'push' ? notify : 'off',
    keep: keep === true,
  };
  return held;
}

export function setNotices(change: Partial<Notices>): void {
  held = { ...notices(), ...change };
  device.keep(KEY, held);
  changed.tell();
}

export const useNotices = (): Notices => useSyncExternalStore(changed.on, notices);

/** `none`: this browser knows no notifications. */
export const permission = (): NotificationPermission | 'none' =>
  'Notification' in globalThis ? Notification.permission : 'none';

/**
 * Shows one while the page is not in front; pressed, it brings the page there, and that leads to `path`. What the browser forbids
 * meanwhile is not shown.
 */
export function notify(text: string, path: string, lead: (path: string) => void): void {
  if (permission() !== 'granted') return;
  const options = { body: text, icon: '/icon-192.png', tag: text };
  try {
    const shown = new Notification('fairGame', options);
    shown.onclick = () => {
      shown.close();
      window.focus();
      lead(path);
    };
  } catch {
    // Some phones show what a service worker shows and nothing else; it leads there itself.
    void navigator.serviceWorker
      ?.getRegistration()
      .then((worker) => worker?.showNotification('fairGame', { ...options, data: { path } }));
  }
}
