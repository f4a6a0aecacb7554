import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { alice, browser, page, site, stand, token } from './alice-ground.ts';
import { DESKTOP, PHONE, visit } from './browser.ts';
import { overflow } from './crowded.ts';
import { findings, setTheme } from './findings.ts';
import { addMatch, go, listed, market, placeByCall, priceOf, quote, seen, slipOf } from './play.ts';
import { settled } from './wait.ts';

/** Every screen of the first journey in both themes, on a phone and on a desktop: accessible, no sideways scroll, no errors. */
/** Screen name to its path. */
const screens = new Map<string, string>();
/** Screens of those with a window of their own. */
const WINDOWS = new Set(['ladders', 'workspace']);
const WIDTHS = [320, 390, 768, 769, 1199, 1440, 1920];

stand({ FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '5' }, async () => {
  const all = await listed(site, token);
  const path = (type: string, test: (one: (typeof all)[number]) => boolean) => {
    const found = all.filter((one) => one.matchType === type && one.head?.status !== 'CLOSED').find(test)!;
    return type === 'horseRacing' ? `/race/${found.id}` : `/game-detail/${type}/${found.id}`;
  };
  screens.set('home', '/home');
  screens.set('list', '/game-list/cricket');
  screens.set('races', '/game-list/horseRacing');
  screens.set(
    'cricket',
    path('cricket', (one) => one.inPlay && one.isFancy),
  );
  screens.set(
    'football',
    path('football', (one) => one.inPlay),
  );
  screens.set(
    'tennis',
    path('tennis', (one) => one.inPlay),
  );
  screens.set(
    'race',
    path('horseRacing', (one) => one.head?.status === 'OPEN'),
  );
  screens.set('current bets', '/unsettled-bet');
  screens.set('statement', '/account-statement');
  // Something in every list: a matched, a waiting and a settled bet.
  const settled = await addMatch(site, 'Kim Kent v Lee Lark', ['Kim Kent', 'Lee Lark']);
  const open = await addMatch(site, 'Max Moor v Ned Nash', ['Max Moor', 'Ned Nash']);
  for (const made of [settled, open]) {
    await quote(site, made.betId, made.runnerIds[0]!, [[200, 100_000]], [[204, 100_000]]);
    await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 200, 1000);
    await placeByCall(site, token, made, made.runnerIds[0]!, 'LAY', 150, 1000);
  }
  await site.operator('/market/declare', {
    betId: settled.betId,
    result: { kind: 'winners', runnerIds: [settled.runnerIds[0]] },
  });
  screens.set('own bets', open.path);
  await site.call('POST', '/alerts', token, { kind: 'RESULT', betId: open.betId, every: false });
  screens.set('alerts', '/alerts');
  screens.set('ladders', `/ladder/${open.betId}`);
  screens.set('workspace', `/workspace?market=${open.betId}`);
});

afterEach(() => {
  expect(alice.errors.splice(0), 'errors in the console').toEqual([]);
});

async function show(path: string): Promise<void> {
  await go(page, path);
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page
    .locator(
      'main :is(.price__cell, .data-table__table tbody tr, .race-parts__race, .alerts__list li, .ladder__rung, .empty)',
    )
    .first()
    .waitFor({ state: 'attached', timeout: 20_000 });
  await settled(page);
}

describe('no serious finding', () => {
  /** What is on the page: in both themes on the desktop; on the phone, which has the same colours, in the dark one. */
  const check = async (on: Page, what: string, found: Record<string, string[]>) => {
    const wide = (on.viewportSize()?.width ?? 0) > PHONE.width;
    for (const theme of wide ? (['light', 'dark'] as const) : (['dark'] as const)) {
      await setTheme(on, theme);
      const list = await findings(on, theme);
      if (list.length > 0) found[`${what} ${theme}`] = list;
    }
  };
  // One walk for all of it: it is the walk that takes its time.
  for (const [group, own] of [
    ['signed-in screens', false],
    ['screens with a window of their own', true],
  ] as const) {
    // A window has no shell that changes its form between.
    const widths = own ? [320, 390, 1440] : WIDTHS;
    it(`on the ${group}, desktop and phone, nor a sideways scroll at ${widths.join(', ')}`, async () => {
      const found: Record<string, string[]> = {};
      for (const [screen, path] of screens) {
        if (WINDOWS.has(screen) !== own) continue;
        await page.setViewportSize(DESKTOP);
        await show(path);
        await check(page, screen, found);
        await page.setViewportSize(PHONE);
        await settled(page);
        await check(page, `${screen} on a phone`, found);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          await settled(page);
          const over = await overflow(page);
          if (over !== '') found[`${screen} at ${width}`] = [over];
        }
      }
      expect(found).toEqual({});
    }, 240_000);
  }

  for (const [name, viewport] of [
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const) {
    it(`on the sign-in, ${name}`, async () => {
      const found: Record<string, string[]> = {};
      const guest = await visit(browser, { viewport });
      await guest.page.goto(`${site.url}/login`);
      await guest.page.getByLabel('Username').waitFor();
      await check(guest.page, 'sign-in', found);
      await guest.context.close();
      expect(found).toEqual({});
    });

    it(`in the slip and the menus, ${name}`, async () => {
      await page.setViewportSize(viewport);
      const found: Record<string, string[]> = {};
      await show(screens.get('own bets')!);
      await market(page, 'Match Odds').locator('button.price__lay:not([aria-disabled])').first().click();
      await slipOf(page).getByLabel('Stake', { exact: true }).fill('6000');
      await check(page, 'slip with a wrong stake', found);
      await slipOf(page).getByLabel('Stake', { exact: true }).fill('10');
      await slipOf(page).locator('button[type=submit]').click();
      await seen(slipOf(page), 'Confirm lay 10');
      await page.evaluate(() => scrollTo(0, 0));
      await check(page, 'slip that asks', found);
      await slipOf(page).getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('button', { name: 'Market depth' }).click();
      await page.locator('.ladder__ladder').first().waitFor();
      await settled(page);
      await check(page, 'depth', found);
      await page.getByRole('button', { name: /^Account of alice/ }).click();
      await settled(page);
      await check(page, 'account menu', found);
      await page.keyboard.press('Escape');
      await show('/account-statement');
      await page.locator('.data-table__table .button__asLink').first().click();
      await page.getByRole('dialog').waitFor();
      await settled(page);
      await check(page, 'bets behind a row', found);
      await page.keyboard.press('Escape');
      expect(found).toEqual({});
    });
  }
});

describe('no sideways scroll', () => {
  it('with the slip open', async () => {
    const found: Record<string, string> = {};
    await show(screens.get('own bets')!);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      await priceOf(page, 'Match Odds', 'Back', 'Max Moor').click();
      await slipOf(page).getByLabel('Stake', { exact: true }).fill('4999.99');
      // The drawer slides in.
      await settled(page);
      const over = await overflow(page);
      if (over !== '') found[`at ${width}`] = over;
      const inside = await slipOf(page)
        .locator('button:visible, input:visible')
        .evaluateAll((parts) => parts.every((part) => part.getBoundingClientRect().right <= innerWidth + 1));
      expect(inside, `the slip at ${width}`).toBe(true);
      await slipOf(page).getByRole('button', { name: 'Clear' }).click();
      await page.keyboard.press('Escape');
    }
    expect(found).toEqual({});
  });

  it('nor on the sign-in at any of them', async () => {
    const guest = await visit(browser);
    await guest.page.goto(`${site.url}/login`);
    for (const width of [320, 390, 768, 1199, 1440]) {
      await guest.page.setViewportSize({ width, height: 800 });
      await guest.page.getByLabel('Username').waitFor();
      expect(await overflow(guest.page), String(width)).toBe('');
    }
    expect(guest.errors).toEqual([]);
    await guest.context.close();
  });
});
