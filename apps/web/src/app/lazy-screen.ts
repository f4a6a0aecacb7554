import type { ComponentType } from 'react';
import { reloadOnce } from '../platform/reload.ts';

export type ScreenModule = { Screen: ComponentType };

/** A screen's code could not be loaded, even after trying again and one reload. */
export class ScreenLoadError extends Error {
  constructor(cause: unknown) {
    super('The screen could not be loaded.', { cause });
    this.name = 'ScreenLoadError';
  }
}

/**
 * Loads a screen: tried twice more after a failure, then the failure is logged and the page reloads, at most once in 60 s
 * (decisions.md, PUB-12). After that the error screen with its Refresh button stays.
 */
export async function loadScreen(
  load: () => Promise<ScreenModule>,
  waitMs: readonly number[] = [400, 1500],
): Promise<{ Component: ComponentType }> {
  for (let attempt = 0; ; attempt++) {
    try {
      return { Component: (await load()).Screen };
    } catch (error) {
      const wait = waitMs[attempt];
      if (wait === undefined) {
        console.error('A screen failed to load', error);
        reloadOnce('a screen failed to load');
        throw new ScreenLoadError(error);
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
