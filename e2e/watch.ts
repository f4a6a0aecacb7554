import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Visit, visit } from './browser.ts';
import type { Site } from './site.ts';

/** What the tests of account and session watch: the calls a page makes, its session storage, its address, its menu. */

/** A fresh browser; without the service worker, so that every request can be seen and changed. */
export const open = (browser: Browser, options: Parameters<typeof visit>[1] = {}): Promise<Visit> =>
  visit(browser, { serviceWorkers: 'block', ...options });

/** The six keys of a session. */
export const KEYS = ['jwtMaxUser', 'forceChangePassword', 'isAuthenticator', 'authType', 'isDemo', 'uid'];
export const EMPTY = Object.fromEntries(KEYS.map((key) => [key, null]));
export const storage = (page: Page): Promise<Record<string, string | null>> =>
  page.evaluate((keys) => Object.fromEntries(keys.map((key) => [key, sessionStorage.getItem(key)])), KEYS);

export const pathOf = (page: Page): string => new URL(page.url()).pathname;
export const toBeAt = (page: Page, path: string, timeout = 8000): Promise<void> =>
  expect.poll(() => pathOf(page), { timeout, interval: 20 }).toBe(path);

export interface Sent {
  method: string;
  /** Below /api. */
  path: string;
  query: Record<string, string>;
  body: unknown;
}
/** Once the line that the page opens from now on has answered: what the server tells the player reaches it. */
export function lineOf(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on('websocket', (socket) => {
      let frames = 0;
      // The first greets the connection, the second the player.
      socket.on('framereceived', () => {
        frames += 1;
        if (frames === 2) resolve();
      });
    });
  });
}

/** Every call the page makes from now on. */
export function calls(page: Page): Sent[] {
  const list: Sent[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!url.pathname.startsWith('/api/')) return;
    const text = request.postData();
    list.push({
      method: request.method(),
      path: url.pathname.slice(4),
      query: Object.fromEntries(url.searchParams),
      body: text ? JSON.parse(text) : null,
    });
  });
  return list;
}
export const callsOf = (list: readonly Sent[], path: string): Sent[] => list.filter((one) => one.path === path);

/** A player of its own, whose password need not be changed, with 1,000.00. */
export async function newPlayer(site: Site, userName: string, more: Record<string, unknown> = {}): Promise<string> {
  const password = `words-of-${userName}-1`;
  await site.operator('/player/create', {
    userName,
    password,
    creditMinor: 100_000,
    ageVerified: true,
    forceChangePassword: false,
    ...more,
  });
  return password;
}

export const openMenu = (page: Page): Promise<void> => page.getByRole('button', { name: /^Account of/ }).click();

/** An entry of the account menu, on a desktop or a phone. */
export const menuEntry = (page: Page, words: string): Locator =>
  page.locator('[role=menuitem], .account-menu__list .side-nav__entry').filter({ hasText: new RegExp(`^${words}`) });

export async function chooseInMenu(page: Page, words: string): Promise<void> {
  await openMenu(page);
  await menuEntry(page, words).click();
}
export const signOutByMenu = (page: Page): Promise<void> => chooseInMenu(page, 'SignOut');

/** One of a few values of a setting. Its button has no size, so the words are pressed, where they stand still. */
export const choose = (page: Page, words: string): Promise<void> =>
  page
    .locator('label')
    .filter({ has: page.getByRole('radio', { name: words, exact: true }) })
    .click();

/** The words of the account menu, in their order. */
export async function menuWords(page: Page): Promise<string[]> {
  await openMenu(page);
  const entries = page.locator(
    '[role=menuitem]:visible, .account-menu__list .side-nav__entry, .account-menu__figures .data__figure > span:not(.checkbox__check)',
  );
  await entries.first().waitFor();
  return (await entries.allInnerTexts()).map((text) => text.split('\n')[0]!.trim());
}

/** The boxes of a security code. */
export const boxes = (page: Page): Locator => page.getByLabel(/^Digit \d of 6$/);
export async function typeCode(page: Page, code: string): Promise<void> {
  await boxes(page).first().focus();
  await page.keyboard.type(code);
}

/** Fills the form of Change Password and sends it. */
export async function changePassword(page: Page, old: string, next: string, repeat = next): Promise<void> {
  await page.getByLabel('Old password').fill(old);
  await page.getByLabel('New password', { exact: true }).fill(next);
  await page.getByLabel('Repeat new password').fill(repeat);
  await page.getByRole('button', { name: 'Change password', exact: true }).click();
}
