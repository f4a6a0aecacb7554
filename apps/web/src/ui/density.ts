import { useSyncExternalStore } from 'react';
import { Signal } from '../platform/listeners.ts';
import { device } from '../platform/storage.ts';

/** How close rows stand. The choice is kept in local storage; /theme.js sets it before the first paint. */
export type Density = 'comfortable' | 'compact';

const KEY = 'density';
const changed = new Signal();

export function getDensity(): Density {
  return document.documentElement.dataset.density === 'compact' ? 'compact' : 'comfortable';
}

export function setDensity(density: Density): void {
  document.documentElement.dataset.density = density;
  device.keepText(KEY, density);
  changed.tell();
}

export function useDensity(): Density {
  return useSyncExternalStore(changed.on, getDensity);
}
