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

/** What the files of a trader's tools stand on: a site of their own and alice signed in, once `first` has been done there. */
export function stand(env: Record<string, string> = {}, first: () => Promise<unknown> = async () => undefined): void {
  beforeAll(async () => {
    [site, browser] = await Promise.all([startSite(env), launch()]);
    [token, bob] = await Promise.all([tokenOf(site, 'alice'), tokenOf(site, 'bob')]);
    await first();
    alice = await signedIn(browser, site, 'alice');
    page = alice.page;
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });
  beforeSecondTry(async () => {
    alice = await again(alice, site, 'alice');
    page = alice.page;
  });
}
