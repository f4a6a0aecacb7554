import type { ComponentType } from 'react';
import { fetchCode } from '../platform/fetch-code.ts';

export type ScreenModule<Props = object> = { Screen: ComponentType<Props> };

/** A screen's code could not be loaded, even after trying again and one reload: its error screen has a Refresh button. */
export class ScreenLoadError extends Error {
  constructor(cause: unknown) {
    super('The screen could not be loaded.', { cause });
    this.name = 'ScreenLoadError';
  }
}

/** Loads a screen (fetch-code.ts). */
export async function loadScreen<Props>(
  load: () => Promise<ScreenModule<Props>>,
  waitMs?: readonly number[],
): Promise<{ Component: ComponentType<Props> }> {
  try {
    return { Component: (await fetchCode(load, 'A screen', waitMs)).Screen };
  } catch (error) {
    throw new ScreenLoadError(error);
  }
}
