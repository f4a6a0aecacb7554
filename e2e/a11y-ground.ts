import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launch, type Visit } from './browser.ts';
import { addMatch, go, type Made, openMatch, placeByCall, priceOf, quote, signedIn, slipOf, tokenOf } from './play.ts';
import { EVENT, signedInScreens, type Walk } from './screens.ts';
import { again, beforeSecondTry } from './second-try.ts';
import { type Site, startSite } from './site.ts';
import { settled } from './wait.ts';

export let site: Site;
export let browser: Browser;
export let alice: Visit;
export let page: Page;
let token: string;
export let made: Made;
export let walks: Walk[];

/** What the files of accessibility stand on: a site with prices that move, a match with known ones, and alice signed in. */
export function stand(): void {
  beforeAll(async () => {
    [site, browser] = await Promise.all([startSite({ FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '5' }), launch()]);
    token = await tokenOf(site, 'alice');
    made = await addMatch(site, 'Max Moor v Ned Nash', ['Max Moor', 'Ned Nash']);
    const settled = await addMatch(site, 'Kim Kent v Lee Lark', ['Kim Kent', 'Lee Lark']);
    for (const one of [made, settled]) {
      await quote(site, one.betId, one.runnerIds[0]!, [[200, 100_000]], [[204, 100_000]]);
      await placeByCall(site, token, one, one.runnerIds[0]!, 'BACK', 200, 1000);
      await placeByCall(site, token, one, one.runnerIds[0]!, 'LAY', 150, 1000);
    }
    await site.operator('/market/declare', {
      betId: settled.betId,
      result: { kind: 'winners', runnerIds: [settled.runnerIds[1]] },
    });
    walks = [...(await signedInScreens(site, token)), { path: made.path, ready: EVENT }];
    alice = await signedIn(browser, site, 'alice');
    // The other visits are bob's: a fourth session of one player would end the first.
    page = alice.page;
  });
  beforeSecondTry(async () => {
    alice = await again(alice, site, 'alice');
    page = alice.page;
    // Open, unless it is so already.
    await site.operator('/market/resume', { betId: made.betId, reason: 'A second try' }).catch(() => undefined);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });
}

export async function show(on: Page, walk: Walk): Promise<void> {
  await go(on, walk.path);
  await on.locator(walk.ready).first().waitFor({ state: 'attached' });
  await settled(on);
}

/** The open match with a known price, on a page of alice's. */
export async function priced(back = 200): Promise<void> {
  await quote(site, made.betId, made.runnerIds[0]!, [[back, 100_000]], [[back + 4, 100_000]]);
  await quote(site, made.betId, made.runnerIds[1]!, [[back, 100_000]], [[back + 4, 100_000]]);
  await openMatch(page, made);
  await priceOf(page, 'Match Odds', 'Back', 'Max Moor').waitFor();
}
export const clear = async () => {
  const slip = slipOf(page).getByRole('button', { name: /^(Clear|Done|Remove)$/ });
  if (await slip.first().isVisible()) await slip.first().click();
};
