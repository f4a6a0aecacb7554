import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthenticatorApp } from './authenticator.ts';
import { DESKTOP, headFor, launch, PHONE, signIn } from './browser.ts';
import {
  addMatch,
  go,
  type Made,
  openMatch,
  placeNow,
  priceOf,
  quote,
  seen,
  slipOf,
  stakeBox,
  walletOf,
} from './play.ts';
import { type Site, startSite } from './site.ts';
import {
  boxes,
  changePassword,
  chooseInMenu,
  EMPTY,
  menuWords,
  newPlayer,
  open,
  pathOf,
  signOutByMenu,
  storage,
  toBeAt,
  typeCode,
} from './watch.ts';

/** Four kinds of players, each from the first sign-in to the last, on a desktop and on a phone. */
let site: Site;
let browser: Browser;
let match: Made;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), launch()]);
  match = await addMatch(site, 'Eve East v Fay Fern', ['Eve East', 'Fay Fern']);
  for (const runnerId of match.runnerIds)
    await quote(site, match.betId, runnerId, [[250, 1_000_000]], [[256, 1_000_000]]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

const DEVICES = [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const;
const rows = (page: Page) => page.locator('main .data-table__table tbody tr');

/** Backs the first runner from the event page, and finds the bet in Current Bet. */
async function placeOne(page: Page, stake: string): Promise<void> {
  await openMatch(page, match);
  await priceOf(page, 'Match Odds', 'Back', 'Eve East').click();
  await stakeBox(page).fill(stake);
  await placeNow(page);
  await seen(slipOf(page), new RegExp(`Matched at 2\\.50, ${stake}\\.00\\.`));
  await chooseInMenu(page, 'Current Bet');
  await toBeAt(page, '/unsettled-bet');
  await expect.poll(() => rows(page).count()).toBe(1);
  await seen(rows(page), /Eve East v Fay Fern[\s\S]*Eve East[\s\S]*Matched/);
}

/** Nothing of the page is wider than the window. */
const fits = async (page: Page): Promise<void> => {
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(inner).toBeLessThanOrEqual(outer!);
};

describe.each(DEVICES)('on a %s', (device, viewport) => {
  it(`[MNU-01] [PRD-05] [PRD-06] [PRD-11] [PRD-12] [PRD-13] [PRD-14] a new player looks around, sets the stakes, bets, reads the account and leaves: ${device}`, async () => {
    const name = `new-${device}`;
    const password = await newPlayer(site, name);
    const { page, context, errors } = await open(browser, { viewport });
    await page.goto(site.url);
    await toBeAt(page, '/login');
    await page.locator('main').getByRole('link', { name: 'Terms and Conditions' }).first().waitFor();
    await signIn(page, site.url, name, password);
    await toBeAt(page, '/home');
    const held = await walletOf(site, (await storage(page)).jwtMaxUser!);
    expect(held).toMatchObject({ currentBalance: 100_000, exposure: 0 });
    await seen(page.locator('.header__header .wallet__wallet'), /1,000\.00[\s\S]*0\.00/);
    await fits(page);
    await chooseInMenu(page, 'Current Bet');
    await page.getByText('No open bets').waitFor();
    await chooseInMenu(page, 'Set Button Values');
    await page.getByLabel('Price Label 1', { exact: true }).fill('Two');
    await page.getByLabel('Price Value 1', { exact: true }).fill('2');
    await page.getByRole('button', { name: 'Update' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await openMatch(page, match);
    await priceOf(page, 'Match Odds', 'Back', 'Eve East').click();
    await seen(slipOf(page).getByRole('group', { name: 'Stake buttons' }).getByRole('button').first(), /^Two$/);
    await placeOne(page, '20');
    await seen(page.locator('.header__header .wallet__wallet'), /1,000\.00[\s\S]*[−-]20\.00/);
    await fits(page);
    await page.locator('.header__header .wallet__wallet button').click();
    const markets = page.getByRole('dialog', { name: 'My Market' });
    await seen(markets, /Eve East v Fay Fern[\s\S]*1 open bet in 1 market/);
    await markets.getByRole('link', { name: 'Eve East v Fay Fern' }).click();
    await toBeAt(page, match.path);
    await chooseInMenu(page, 'Account Statement');
    await expect.poll(() => rows(page).count()).toBe(1);
    await seen(rows(page), /\+1,000\.00/);
    await go(page, '/rules');
    await page.getByText('A bet stands from the moment the site accepts it.').waitFor();
    for (const path of ['/profit-loss', '/bet-history', '/rules', '/secure-auth', '/change-password']) {
      await go(page, path);
      await page.locator('main h1').waitFor();
      await fits(page);
    }
    await signOutByMenu(page);
    await toBeAt(page, '/login');
    expect(await storage(page)).toEqual(EMPTY);
    expect(errors.filter((text) => !text.includes('Clear-Site-Data'))).toEqual([]);
    await context.close();
  });

  it(`[PRD-16] a demo player bets with play money and has the restricted menu: ${device}`, async () => {
    const { page, context, errors } = await open(browser, { viewport });
    await page.goto(site.url);
    await page.getByRole('button', { name: /demo/i }).click();
    await toBeAt(page, '/home');
    await seen(page.locator('.header__header .wallet__wallet'), /10,000\.00/);
    await placeOne(page, '50');
    await chooseInMenu(page, 'Account Statement');
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await menuWords(page)).not.toEqual(expect.arrayContaining(['Change Password']));
    await page.keyboard.press('Escape');
    await go(page, '/change-password');
    await page.getByText('This is not part of the demo').waitFor();
    await fits(page);
    await signOutByMenu(page);
    await toBeAt(page, '/login');
    expect(await storage(page)).toEqual(EMPTY);
    expect(errors.filter((text) => !text.includes('Clear-Site-Data'))).toEqual([]);
    await context.close();
  });

  it(`[VER-14] a player switches a second factor on, signs in with it, bets, and switches it off: ${device}`, async () => {
    const name = `two-${device}`;
    const password = await newPlayer(site, name);
    const { page, context } = await open(browser, { viewport });
    await signIn(page, site.url, name, password);
    await toBeAt(page, '/home');
    await chooseInMenu(page, 'Security Auth Verification');
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
    const panel = page.getByRole('region', { name: 'Second factor' });
    await page.getByAltText('QR code for your authenticator app').waitFor();
    await fits(page);
    const app = new AuthenticatorApp(await panel.locator('code').innerText());
    await typeCode(page, await app.code());
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await seen(panel, /Authenticator app/);
    await signOutByMenu(page);
    await toBeAt(page, '/login');
    await signIn(page, site.url, name, password);
    await toBeAt(page, '/verify');
    await fits(page);
    await typeCode(page, await app.code());
    await toBeAt(page, '/home');
    await placeOne(page, '10');
    await go(page, '/secure-auth');
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByLabel('Your password').fill(password);
    await boxes(page).first().waitFor();
    await fits(page);
    await typeCode(page, await app.code());
    await seen(panel, /Off[\s\S]*Continue/);
    await signOutByMenu(page);
    await signIn(page, site.url, name, password);
    await toBeAt(page, '/home');
    await context.close();
  });

  it(`[PWD-04] a player with a first password chooses another, signs in with it and bets: ${device}`, async () => {
    const name = `first-${device}`;
    const password = await newPlayer(site, name, { forceChangePassword: true });
    const { page, context } = await open(browser, { viewport });
    await signIn(page, site.url, name, password);
    await toBeAt(page, '/change-password');
    await page.getByText('Choose your own password first.').waitFor();
    await fits(page);
    await headFor(page, '/home');
    await toBeAt(page, '/change-password');
    await changePassword(page, password, `own-words-of-${device}`);
    await toBeAt(page, '/login');
    expect(await storage(page)).toEqual(EMPTY);
    await signIn(page, site.url, name, `own-words-of-${device}`);
    await toBeAt(page, '/home');
    expect((await storage(page)).forceChangePassword).toBe('false');
    await placeOne(page, '30');
    expect(pathOf(page)).toBe('/unsettled-bet');
    await signOutByMenu(page);
    await toBeAt(page, '/login');
    await context.close();
  });
});
