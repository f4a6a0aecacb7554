import { useSyncExternalStore } from 'react';

/** How close rows stand. The choice is kept in local storage; /theme.js sets it before the first paint. */
export type Density = 'comfortable' | 'compact';

const KEY = 'density';
const listeners = new Set<() => void>();

export function getDensity(): Density {
  return document.documentElement.dataset.density === 'compact' ? 'compact' : 'comfortable';
}

export function setDensity(density: Density): void {
  document.documentElement.dataset.density = density;
  try {
    localStorage.setItem(KEY, density);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function useDensity(): Density {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, getDensity);
}
