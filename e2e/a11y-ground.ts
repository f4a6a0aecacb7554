import type { Page } from 'playwright-core';
import { browser, page, site, stand as standOnAlice, token } from './alice-ground.ts';
import { addMatch, go, type Made, openMatch, placeByCall, priceOf, quote, slipOf } from './play.ts';
import { EVENT, signedInScreens, type Walk } from './screens.ts';
import { beforeSecondTry } from './second-try.ts';
import { settled } from './wait.ts';

export { browser, page, site };
export let made: Made;
export let walks: Walk[];

/** What the files of accessibility stand on: a site with prices that move, a match with known ones, and alice signed in. */
export function stand(): void {
  // The other visits are bob's: a fourth session of one player would end the first.
  standOnAlice({ FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '5' }, async () => {
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
  });
  beforeSecondTry(async () => {
    // Open, unless it is so already.
    await site.operator('/market/resume', { betId: made.betId, reason: 'A second try' }).catch(() => undefined);
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
