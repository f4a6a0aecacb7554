import { useSyncExternalStore } from 'react';

/** Dark or light. The choice is kept in local storage; /theme.js sets it before the first paint. */
export type Theme = 'dark' | 'light';

const KEY = 'theme';
const listeners = new Set<() => void>();

export function getTheme(): Theme {
  return document.documentElement.dataset.theme === 'light' ? 'light' : 'dark';
}

export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', theme === 'light' ? '#ffffff' : '#191714');
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
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
  listeners.add(listener);
  window.addEventListener('storage', otherTab);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', otherTab);
  };
}
