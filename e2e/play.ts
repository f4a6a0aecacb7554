import type { MarketImage, MatchDetails, PlacedBet } from '@fairgame/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { go, type Look, signIn, type Visit, visit } from './browser.ts';
import type { Site } from './site.ts';
import { until } from './wait.ts';

export { go };

/** What the journeys do over and over: sign in, make a match of exact prices, read the slip, the header and the bets. */
export const PASSWORDS = {
  alice: 'backs-the-outsider-9',
  bob: 'lays-the-favourite-4',
  carol: 'carries-two-keys-7',
  dave: 'first-day-at-it-2',
} as const;
export type PlayerName = keyof typeof PASSWORDS;

/** A browser of its own, signed in and at home. */
export async function signedIn(
  browser: Browser,
  site: Site,
  userName: 'alice' | 'bob',
  options: Look = {},
): Promise<Visit> {
  const one = await visit(browser, options);
  await signIn(one.page, site.url, userName, PASSWORDS[userName]);
  await one.page.waitForURL('**/home');
  await one.page.locator('.wallet__wallet, .bottom, .header__header').first().waitFor();
  return one;
}

/** Loads the page anew in a language, as one that was chosen in this browser. */
export async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate((to) => localStorage.setItem('language', to), language);
  await page.reload();
  await page.locator(`html[lang="${language}"] .header__header`).first().waitFor();
}

/** An empty tab of the same browser with the session of this one, as a link opened beside it has. */
export async function tabBeside(page: Page): Promise<Page> {
  const session = await page.evaluate(() => Object.fromEntries(Object.entries(sessionStorage)));
  const tab = await page.context().newPage();
  await tab.addInitScript((kept) => Object.assign(sessionStorage, kept), session);
  return tab;
}

export const tokenOf = (site: Site, userName: 'alice' | 'bob'): Promise<string> =>
  site.signIn(userName, PASSWORDS[userName]);

export interface Made {
  matchId: number;
  betId: number;
  runnerIds: number[];
  path: string;
}

/** A match with an empty order book. Starts tomorrow, so nothing but the test moves it. */
export async function addMatch(
  site: Site,
  title: string,
  teams: string[],
  matchType: 'cricket' | 'football' | 'tennis' | 'politics' = 'tennis',
): Promise<Made> {
  const made = await site.operator<Omit<Made, 'path'>>('/match/add', {
    matchType,
    title,
    competitionName: 'Exhibition',
    startAt: new Date(Date.now() + 86_400_000).toISOString(),
    teams,
  });
  return { ...made, path: `/game-detail/${matchType}/${made.matchId}` };
}

/** House prices of one runner: [price in hundredths, size in minor units], best first. */
export const quote = (
  site: Site,
  betId: number,
  runnerId: number,
  back: Array<[number, number]>,
  lay: Array<[number, number]>,
): Promise<unknown> => site.operator('/market/quote', { betId, runnerId, back, lay });

/** A bet over HTTP, for the other side of the player in the browser. Prices in hundredths, stakes in minor units. */
export async function placeByCall(
  site: Site,
  token: string,
  made: Pick<Made, 'matchId' | 'betId'>,
  runnerId: number,
  bettingType: 'BACK' | 'LAY',
  odd: number,
  stake: number,
): Promise<PlacedBet> {
  const { betId, matchId } = made;
  const body = { key: crypto.randomUUID(), betId, matchId, runnerId, bettingType, odd, stake };
  const place = () => site.call<{ bet: PlacedBet }>('POST', '/placeBet', token, body);
  // A site that is only just up has much to write: it says so and has taken nothing, and the same is asked again.
  const { status, data, code } = await until('the site is busy', async () => {
    const told = await place();
    return told.code !== 'BUSY' && told;
  });
  expect({ status, code }).toEqual({ status: 200, code: undefined });
  return data.bet;
}

/** Every bet of the account, open or settled, oldest last. */
export async function betsOf(site: Site, token: string, query = ''): Promise<PlacedBet[]> {
  const { status, data } = await site.call<{ rows: PlacedBet[] }>('GET', `/bet?limit=100${query}`, token);
  expect(status).toBe(200);
  return data.rows;
}

export interface Wallet {
  currentBalance: number;
  exposure: number;
}
export async function walletOf(site: Site, token: string): Promise<Wallet> {
  const { data } = await site.call<{ userBal: Wallet }>('GET', '/user/profile', token);
  return data.userBal;
}

export async function matchOf(site: Site, token: string, id: number, main = true): Promise<MatchDetails> {
  const { data } = await site.call<MatchDetails>('GET', `/match/${main ? '' : 'other/'}${id}`, token);
  return data;
}

export interface ListedMatch {
  id: number;
  matchType: string;
  title: string;
  startAt: string;
  inPlay: boolean;
  isBookmaker: boolean;
  isFancy: boolean;
  head: MarketImage | null;
}
export async function listed(site: Site, token: string): Promise<ListedMatch[]> {
  const { data } = await site.call<{ matches: ListedMatch[] }>('GET', '/match/list', token);
  return data.matches;
}

/** The page of one event with its head market drawn. */
export async function openMatch(page: Page, made: Pick<Made, 'path'>): Promise<void> {
  await go(page, made.path);
  await market(page, 'Match Odds').waitFor();
}

export const market = (page: Page, name: string): Locator =>
  page.locator(`section.market-table__market[aria-label="${name}"]`);
/** The price cells of one runner on one side, best first: "Back Ann at 2.00, 100 available". */
export const priceOf = (page: Page, within: string, side: 'Back' | 'Lay' | 'Yes' | 'No', name: string): Locator =>
  market(page, within).locator(
    `button.price__cell:not(.price__cell2):not(.price__cell3)[aria-label^="${side} ${name}"]`,
  );
export const slipOf = (page: Page): Locator => page.locator('section[aria-label="Bet slip"]');
export const stakeBox = (page: Page): Locator => slipOf(page).getByLabel('Stake', { exact: true });
export const oddsBox = (page: Page): Locator => slipOf(page).getByLabel(/^(Odds|Rate)$/);
export const myBets = (page: Page): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: /^My bets/ }) });

/** Presses Place, and Confirm where the slip asks. */
export async function placeNow(page: Page): Promise<void> {
  await slipOf(page)
    .getByRole('button', { name: /^Place / })
    .click();
  await slipOf(page)
    .getByRole('button', { name: /^Confirm / })
    .click();
}

/** "Balance 9,975.00" of the header, in minor units. */
export async function headerFigure(page: Page, name: 'Balance' | 'Exposure'): Promise<number> {
  const text = await page
    .locator('.header__header .wallet__wallet > *')
    .filter({ hasText: name })
    .locator('b')
    .textContent();
  return Math.round(Number((text ?? '').replace('\u2212', '-').replaceAll(',', '')) * 100);
}

export async function seen(locator: Locator, text: RegExp | string, timeout = 20_000): Promise<void> {
  await expect
    .poll(async () => (await locator.allInnerTexts()).join('\n').replaceAll('\u2212', '-'), { timeout, interval: 50 })
    .toMatch(text);
}
