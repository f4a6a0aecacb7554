import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, PHONE, signIn, visit } from './browser.ts';
import { allFindings } from './findings.ts';
import { addMatch, go, type Made, openMatch, placeByCall, priceOf, quote, slipOf } from './play.ts';
import { type Site, startSite } from './site.ts';
import { settled } from './wait.ts';
import { newPlayer } from './watch.ts';

/** Limits, breaks and self-exclusion as a player meets them, and the legal pages with the server's calls cut off. */
let site: Site;
let browser: Browser;
let match: Made;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), launch()]);
  match = await addMatch(site, 'Una Ulm v Vic Voss', ['Una Ulm', 'Vic Voss']);
  await quote(site, match.betId, match.runnerIds[0]!, [[200, 1_000_000]], [[210, 1_000_000]]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

let players = 0;
async function player(credit = 100_000): Promise<{ page: Page; token: string; name: string; password: string }> {
  players += 1;
  const name = `guarded${players}`;
  const password = await newPlayer(site, name);
  if (credit > 0) await site.operator('/player/credit', { userName: name, amountMinor: credit, reason: 'First money' });
  const token = await site.signIn(name, password);
  const { page } = await visit(browser);
  await signIn(page, site.url, name, password);
  await page.waitForURL('**/home');
  return { page, token, name, password };
}
const limits = (page: Page) => page.getByRole('region', { name: 'Limits' });

describe('the legal pages', () => {
  it('[PUB-05] [PUB-06] [PUB-07] render whole with the API switched off, at 320 px and with text of 200 %', async () => {
    const { page, context, errors } = await visit(browser, { viewport: { width: 320, height: 700 } });
    await page.route('**/api/**', (route) => route.abort());
    for (const [path, count] of [
      ['/terms-and-conditions', 28],
      ['/responsible-gaming', 9],
    ] as const) {
      await page.goto(site.url + path);
      await page.locator('h1').waitFor();
      const heads = await page.locator('article h2').allInnerTexts();
      expect(heads.map((text) => Number.parseInt(text, 10))).toEqual(Array.from({ length: count }, (_, i) => i + 1));
      for (const size of ['', '32px']) {
        await page.evaluate((value) => {
          document.documentElement.style.fontSize = value;
        }, size);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        ).toBeLessThanOrEqual(0);
      }
    }
    await page.goto(`${site.url}/terms-and-conditions#section-26`);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000);
    expect(await page.locator('#section-26').textContent()).toContain('24 hours, 1 week, 3 weeks and 6 weeks');
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe('player protection', () => {
  it('[OPN-17] [ACC-17] [ACC-18] is two presses away, from the account menu and from Responsible Gaming', async () => {
    const { page } = await player();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Player protection' }).click();
    await page.waitForURL('**/player-protection');
    await page.getByRole('heading', { name: 'Self-exclusion' }).waitFor();
    await go(page, '/responsible-gaming');
    await page.getByRole('link', { name: 'Open Player protection' }).first().click();
    await page.waitForURL('**/player-protection');
    await limits(page).waitFor();
    await page.context().close();
  });

  it('[LGL-24] [LGL-25] a limit set on the screen refuses the bet in the slip; its raise shows a date and can be given up', async () => {
    const { page } = await player();
    await go(page, '/player-protection');
    await limits(page).getByRole('button', { name: 'Add a limit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Limit of').selectOption('stake');
    await dialog.getByLabel('Amount').fill('20');
    await dialog.getByRole('button', { name: 'Set limit' }).click();
    await limits(page).getByText('Stake, per bet').waitFor();
    await openMatch(page, match);
    await priceOf(page, 'Match Odds', 'Back', 'Una Ulm').first().click();
    const slip = slipOf(page);
    await slip.getByLabel(/stake/i).first().fill('21');
    await slip.getByRole('button', { name: /^Place back/ }).click();
    await slip.getByRole('button', { name: /^Confirm back/ }).click();
    await slip.getByText('This stake is above the limit you set for one bet.').first().waitFor();
    await go(page, '/player-protection');
    await limits(page).getByRole('button', { name: 'Change Stake, per bet' }).click();
    await dialog.getByLabel('Amount').fill('500');
    await dialog.getByText('A raise counts after 7 days', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Change limit' }).click();
    await limits(page)
      .getByText(/Rising from 20 to 500 on/)
      .waitFor();
    await limits(page).getByRole('button', { name: 'Keep 20' }).click();
    await expect
      .poll(() =>
        limits(page)
          .getByText(/Rising/)
          .count(),
      )
      .toBe(0);
    await page.context().close();
  });

  it('[OPN-16] [ACC-10] a cool-off: bets leave the book, every tab says why, prices and slip are off', async () => {
    const { page, token, name, password } = await player();
    const resting = await placeByCall(site, token, match, match.runnerIds[0]!, 'BACK', 300, 1000);
    expect(resting.remaining).toBe(1000);
    const { page: other } = await visit(browser);
    await signIn(other, site.url, name, password);
    await other.waitForURL('**/home');
    await openMatch(other, match);
    await go(page, '/player-protection');
    await page.getByRole('button', { name: 'Start a 24-hour cool-off' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start a 24-hour cool-off' }).click();
    await page.getByText(/It ends by itself on/).waitFor();
    // The other tab hears of it by its socket.
    await other
      .getByText(/You are taking a break from betting/)
      .first()
      .waitFor();
    await other.getByText('Betting is off').waitFor();
    const price = priceOf(other, 'Match Odds', 'Back', 'Una Ulm').first();
    await price.click({ force: true });
    expect(
      await slipOf(other)
        .getByRole('button', { name: /^Place/ })
        .count(),
    ).toBe(0);
    const { data } = await site.call<{ openBets: number; status: string }>('GET', '/user/profile', token);
    expect(data).toMatchObject({ openBets: 0, status: 'cooling off' });
    await page.context().close();
    await other.context().close();
  });

  it('[ACC-18] self-exclusion in two steps; the next sign-in says so', async () => {
    const { page, name, password } = await player();
    await go(page, '/player-protection');
    await page.getByRole('button', { name: 'Continue to self-exclusion' }).click();
    const dialog = page.getByRole('dialog');
    const sure = dialog.getByRole('button', { name: 'Exclude me for 6 months' });
    expect(await sure.isDisabled()).toBe(true);
    await dialog.getByRole('checkbox').check();
    await sure.click();
    await page
      .getByText(/You have excluded yourself from betting until/)
      .first()
      .waitFor();
    await page.context().close();
    const { page: later } = await visit(browser);
    await signIn(later, site.url, name, password);
    await later.waitForURL('**/home');
    await later
      .getByText(/You have excluded yourself from betting until/)
      .first()
      .waitFor();
    await later.context().close();
  });

  it('[DEM-01] play money has no way to it', async () => {
    const { page, context } = await visit(browser);
    await page.goto(`${site.url}/login`);
    await page.getByRole('button', { name: /demo/i }).click();
    await page.waitForURL('**/home');
    await page.getByRole('button', { name: /^Account of/ }).click();
    expect(await page.getByRole('menuitem', { name: 'Player protection' }).count()).toBe(0);
    await context.close();
  });

  it('has no accessibility faults and no sideways scroll, in both themes, on desktop and phone, dialogs open', async () => {
    const { name, password } = await player();
    for (const [theme, viewport] of [
      ['dark', { width: 1440, height: 900 }],
      ['light', PHONE],
      ['light', { width: 1440, height: 900 }],
      ['dark', { width: 320, height: 700 }],
    ] as const) {
      const { page, context, errors } = await visit(browser, { theme, viewport });
      await signIn(page, site.url, name, password);
      await page.waitForURL('**/home');
      await go(page, '/player-protection');
      await limits(page).waitFor();
      const look = async () => {
        expect((await allFindings(page, theme)).map(({ text }) => text)).toEqual([]);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        ).toBeLessThanOrEqual(0);
      };
      await look();
      for (const opener of ['Add a limit', 'Continue to self-exclusion', 'Start a 24-hour cool-off']) {
        await page.getByRole('button', { name: opener }).first().click();
        await page.getByRole('dialog').waitFor();
        await settled(page);
        await look();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      }
      expect(errors).toEqual([]);
      await context.close();
    }
  });
});
