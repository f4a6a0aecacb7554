import { useSyncExternalStore } from 'react';
import { Signal } from '../platform/listeners.ts';
import { device } from '../platform/storage.ts';

/** Dark or light. The choice is kept in local storage; /theme.js sets it before the first paint. */
export type Theme = 'dark' | 'light';

const KEY = 'theme';
const changed = new Signal();

export function getTheme(): Theme {
  return document.documentElement.dataset.theme === 'light' ? 'light' : 'dark';
}

export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', theme === 'light' ? '#ffffff' : '#191714');
  device.keepText(KEY, theme);
  changed.tell();
}

export function toggleTheme(): void {
  setTheme(getTheme() === 'dark' ? 'light' : 'dark');
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, getTheme);
}

function subscribe(listener: () => void): () => void {
  const otherTab = (event: StorageEvent) => {
    if (
      event.key === KEY &&
      (event.newValue === 'light' || event.newValue === 'dark') &&
      event.newValue !== getTheme()
    ) {
      setTheme(event.newValue);
    }
  };
  const off = changed.on(listener);
  window.addEventListener('storage', otherTab);
  return () => {
    off();
    window.removeEventListener('storage', otherTab);
  };
}
