import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launch, type Visit } from './browser.ts';
import { signedIn, tokenOf } from './play.ts';
import { again, beforeSecondTry } from './second-try.ts';
import { type Site, startSite } from './site.ts';

export let site: Site;
export let browser: Browser;
export let alice: Visit;
export let page: Page;
/** Sessions of alice and bob for calls: with her page she has two, and a fourth ends the first. */
export let token: string;
export let bob: string;

/**
 * What most files stand on: a site of their own and alice signed in, once `first` has been done there. `look` is told each page of hers,
 * the first and those of second tries.
 */
export function stand(
  env: Record<string, string> = {},
  first: () => Promise<unknown> = async () => undefined,
  look: (on: Page) => void = () => undefined,
): void {
  const take = (visit: Visit): void => {
    alice = visit;
    page = visit.page;
    look(page);
  };
  beforeAll(async () => {
    [site, browser] = await Promise.all([startSite(env), launch()]);
    [token, bob] = await Promise.all([tokenOf(site, 'alice'), tokenOf(site, 'bob')]);
    await first();
    take(await signedIn(browser, site, 'alice'));
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });
  beforeSecondTry(async () => take(await again(alice, site, 'alice')));
}
