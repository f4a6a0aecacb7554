import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, PHONE, type Visit, visit } from './browser.ts';
import { findings, setTheme } from './findings.ts';
import { go, signedIn, tokenOf } from './play.ts';
import { again, beforeSecondTry } from './second-try.ts';
import { type LiveSite, STUDIO_NAMES, type Studio, startLiveSite } from './studios.ts';
import { holds, late, paced } from './wait.ts';

/** Both providers as programs of their own: from the lobby into a game, its rounds, its bets, and what a frame may not do. */
let site: LiveSite;
let browser: Browser;
let alice: Visit;
let token: string;
let userId: number;

beforeAll(async () => {
  site = await startLiveSite();
  browser = await launch();
  token = await tokenOf(site, 'alice');
  alice = await signedIn(browser, site, 'alice');
  userId = (await site.call<{ id: number }>('GET', '/user/profile', token)).data.id;
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});
beforeSecondTry(async () => {
  alice = await again(alice, site, 'alice');
});

interface BetRow {
  providerName: string;
  gameName: string;
  round: string;
  stake: number;
  result: number;
}
const balance = async () =>
  (await site.call<{ userBal: { currentBalance: number } }>('GET', '/user/profile', token)).data.userBal.currentBalance;
const bets = async (studio: Studio) => {
  const path = `/mac88/bets/${userId}?page=1&limit=100&providerName=eq${encodeURIComponent(STUDIO_NAMES[studio])}`;
  return (await site.call<{ rows: BetRow[] }>('GET', path, token)).data.rows;
};
const shownBalance = async (page: Page) =>
  Math.round(Number((await page.locator('.wallet__wallet b').first().textContent())!.replaceAll(',', '')) * 100);

/** From the lobby's tile into the frame, until the game can be played. */
async function open(page: Page, code: string): Promise<FrameLocator> {
  await go(page, '/live-casino');
  await page.locator(`a.market__tile[href="/live-casino/${code}"]`).first().click();
  await page.waitForURL(`**/live-casino/${code}`);
  // On a machine with much to do a launch may take longer than a provider is given; the player would press again too.
  const playable = page.locator('.live__frame:not(.is-dark)');
  const again = page.getByRole('button', { name: 'Try again' });
  await paced({ times: 3, every: 0 }, async () => {
    await playable.or(again).first().waitFor();
    if (!(await playable.isVisible())) await late(3000, () => again.click());
  });
  await playable.waitFor();
  return page.frameLocator('.live__frame');
}

/** Presses a button of the game once it may be pressed; presses of too soon a round wait in it. */
async function press(game: FrameLocator, name: RegExp): Promise<void> {
  await game
    .locator('button.acts__act:not([aria-disabled="true"])')
    .filter({ hasText: name })
    .first()
    .click({ timeout: 30_000 });
}

interface Journey {
  studio: Studio;
  code: string;
  /** A whole round. */
  round: (game: FrameLocator) => Promise<void>;
}
const JOURNEYS: readonly Journey[] = [
  {
    studio: 'a',
    code: 'a-hi-lo',
    round: async (game) => {
      await begin(game, /^Deal/, '.hi-lo__guess:not([aria-disabled="true"])');
      await takeOrLose(game, /^Deal/);
    },
  },
  {
    studio: 'b',
    code: 'b-mines',
    round: async (game) => {
      await begin(game, /^Start/, '.mines__tile:not([aria-disabled="true"])');
      await takeOrLose(game, /^Start/);
    },
  },
];

/**
 * Begins a round and makes its first step. A stake that reached the wallet a moment too soon after the last one is refused;
 * then the player presses again.
 */
async function begin(game: FrameLocator, name: RegExp, step: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    await press(game, name);
    try {
      return await game.locator(step).first().click({ timeout: 5000 });
    } catch (error) {
      if (tries === 2) throw error;
    }
  }
}

/** After a first step the round is either lost, and the next may begin, or its money can be taken. */
async function takeOrLose(game: FrameLocator, next: RegExp): Promise<void> {
  const ready = game.locator('button.acts__act:not([aria-disabled="true"])');
  const cash = ready.filter({ hasText: /^Cash out/ });
  await cash
    .or(ready.filter({ hasText: next }))
    .first()
    .waitFor({ timeout: 30_000 })
    .catch(async (error: Error) => {
      throw new Error(`${error.message}\nThe game says: ${await game.locator('body').innerText()}`);
    });
  if (await cash.first().isVisible()) await cash.first().click();
}

describe('live casino', () => {
  it.each(JOURNEYS)(
    '[NAV-08] [LIV-01] [LIV-07] [OPN-13] [OPN-41] $code: lobby, launch, three rounds, bets, balance and ledger',
    async ({ studio, code, round }) => {
      const { page, errors } = alice;
      const before = await balance();
      // A second try meets the bets of the first.
      const known = (await bets(studio)).length;
      const own = async () => (await bets(studio)).slice(0, -known || undefined);
      const game = await open(page, code);
      for (let played = 1; played <= 3; played++) {
        await round(game);
        await expect.poll(async () => (await own()).length, { timeout: 20_000 }).toBe(played);
      }
      // Every round is over once its result is in; the header has followed by itself.
      const gap = async () => (await balance()) - before - (await own()).reduce((sum, { result }) => sum + result, 0);
      await expect.poll(gap, { timeout: 20_000 }).toBe(0);
      const now = await balance();
      await expect.poll(() => shownBalance(page)).toBe(now);
      const statement = await site.call<{ totals: { closing: number }; rows: Array<{ type: number }> }>(
        'GET',
        `/transaction/get/${userId}?page=1&limit=100&sort=transaction.createdAt:DESC`,
        token,
      );
      expect(statement.data.totals.closing).toBe(now);
      expect(statement.data.rows.some(({ type }) => type === 3)).toBe(true);

      await page.getByRole('link', { name: 'Leave the game' }).click();
      await page.waitForURL('**/live-casino');
      await page.getByRole('region', { name: 'Last played' }).waitFor();
      await go(page, '/live-casino-bets');
      await page.getByRole('heading', { level: 1, name: 'Live Casino Bets' }).waitFor();
      await page.getByLabel('Provider').selectOption(STUDIO_NAMES[studio]);
      const rows = page.getByRole('table', { name: 'Live Casino Bets' }).getByRole('row');
      await expect.poll(() => rows.count()).toBe(4 + known);
      await rows.nth(1).getByRole('button').click();
      await page.getByRole('dialog').getByText('Paid back').waitFor();
      await page.keyboard.press('Escape');
      // A stake that comes too soon is refused with 429, and the game says when it may come (PP-12).
      const tooSoon = /\/mac88\/casino\/login|status of 429 .*\/page\/open/;
      expect(errors.filter((error) => !tooSoon.test(error))).toEqual([]);
    },
  );

  it('[NAV-03] [LIV-01] [LIV-02] [LIV-03] [LIV-04] [PRD-03] groups by provider, by category and all together', async () => {
    const { page } = alice;
    type Game = { game_id: string; category: string; provider_name: string; status: string };
    const list = await site.call<Record<string, Record<string, Game[]>>>('POST', '/mac88/casino/list', token);
    const games = Object.values(list.data).flatMap((byCategory) => Object.values(byCategory).flat());
    expect((await site.call<string[]>('GET', '/mac88/providers', token)).data).toEqual(Object.values(STUDIO_NAMES));
    const shown = async (group: string) => {
      await page.getByRole('region', { name: group, exact: true }).waitFor();
      return page.getByRole('region', { name: group, exact: true }).locator('.game-tile__tile').count();
    };
    await go(page, '/live-casino');
    for (const name of Object.values(STUDIO_NAMES))
      expect(await shown(name)).toBe(games.filter((game) => game.provider_name === name).length);
    const by = page.getByRole('group', { name: 'Group by' });
    await by.getByRole('radio', { name: 'Category' }).click();
    for (const category of new Set(games.map((game) => game.category)))
      expect(await shown(category)).toBe(games.filter((game) => game.category === category).length);
    await by.getByRole('radio', { name: 'All' }).click();
    expect(await shown('All games')).toBe(games.length);
    // Pictures come from the providers' own origins, as the content policy allows.
    const picture = page.locator('a.market__tile .game-art__art img').first();
    await expect.poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  });

  it('the balance of the header follows a debit and a credit at once', async () => {
    const { page, context } = await signedIn(browser, site, 'bob');
    try {
      const game = await open(page, 'b-mines');
      const before = await shownBalance(page);
      await press(game, /^Start/);
      await expect.poll(() => shownBalance(page), { timeout: 20_000 }).toBeLessThan(before);
      await press(game, /^Take stake back/);
      await expect.poll(() => shownBalance(page), { timeout: 20_000 }).toBe(before);
    } finally {
      await context.close();
    }
  });

  it('[PRV-14] a frame can not move the page around it, read its storage, open windows or change the balance', async () => {
    const { page, context } = await signedIn(browser, site, 'bob');
    try {
      await open(page, 'a-slots-lines');
      const held = await shownBalance(page);
      const inside = page.frames().find((frame) => frame.url().startsWith(site.origins.a))!;
      const tried = await inside.evaluate(() => {
        const attempt = (act: () => unknown): string => {
          try {
            return `did: ${String(act())}`;
          } catch (error) {
            return (error as Error).name;
          }
        };
        return {
          storage: attempt(() => parent.localStorage.length),
          session: attempt(() => parent.sessionStorage.getItem('jwtMaxUser')),
          page: attempt(() => parent.document.title),
          away: attempt(() => {
            top!.location.href = 'about:blank';
          }),
          popup: attempt(() => window.open('about:blank')),
        };
      });
      expect(tried).toEqual({
        storage: 'SecurityError',
        session: 'SecurityError',
        page: 'SecurityError',
        away: 'SecurityError',
        popup: 'did: null',
      });
      await inside.evaluate((site) => {
        for (const message of [
          { v: 1, type: 'balanceChanged', balanceMinor: 99_999_999 },
          { v: 1, type: 'balance', balanceMinor: 99_999_999 },
          { v: 1, type: 'exit', to: 'https://elsewhere.test' },
          { v: 2, type: 'exit' },
          'exit',
        ])
          parent.postMessage(message, site);
      }, site.url);
      await holds(300, async () => {
        expect(new URL(page.url()).pathname).toBe('/live-casino/a-slots-lines');
        expect(await shownBalance(page)).toBe(held);
      });
      // A message of the right shape from another window is not the game's.
      await page.evaluate(() => window.postMessage({ v: 1, type: 'exit' }, location.origin));
      await holds(200, () => expect(new URL(page.url()).pathname).toBe('/live-casino/a-slots-lines'));
      await inside.evaluate((site) => parent.postMessage({ v: 1, type: 'exit' }, site), site.url);
      await page.waitForURL('**/live-casino');
    } finally {
      await context.close();
    }
  });

  it('lobby and game are accessible in both themes, do not scroll sideways, and are reached by the keyboard', async () => {
    const { page, context } = await signedIn(browser, site, 'bob', { viewport: PHONE, hasTouch: true });
    try {
      for (const theme of ['dark', 'light'] as const) {
        for (const path of ['/live-casino', '/live-casino/b-dice']) {
          await go(page, path);
          await page
            .locator(path === '/live-casino' ? 'a.market__tile' : '.live__frame:not(.is-dark)')
            .first()
            .waitFor();
          await setTheme(page, theme);
          // What stands in the frame is the studio's own page, looked at with its own tests.
          expect(await findings(page, theme, '.live__frame')).toEqual([]);
          const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          expect(wide).toBeLessThanOrEqual(window!);
        }
      }
      // On a phone the game has the whole window: Tab from the way out stays with it.
      await page.getByRole('link', { name: 'Leave the game' }).focus();
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Limits and breaks');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/live-casino');
    } finally {
      await context.close();
    }
  });

  it('a demo player plays with play money of the studio: no movement of ours', async () => {
    const { page, context } = await visit(browser);
    try {
      await page.goto(`${site.url}/login`);
      await page.getByRole('button', { name: /demo/i }).click();
      await page.waitForURL('**/home');
      await expect.poll(() => shownBalance(page)).toBeGreaterThan(0);
      const held = await shownBalance(page);
      const game = await open(page, 'b-dice');
      await page.getByText('Play money').waitFor();
      await press(game, /^Roll/);
      await holds(1500, async () => expect(await shownBalance(page)).toBe(held));
    } finally {
      await context.close();
    }
  });

  it('[PRV-10] a provider that is down: the lobby still lists, a launch says so, the other plays on', async () => {
    const { page, context } = await signedIn(browser, site, 'bob', { viewport: PHONE, hasTouch: true });
    try {
      await site.killStudio('b');
      await go(page, '/live-casino');
      await page.locator('a.market__tile[href="/live-casino/b-mines"]').first().click();
      await page.getByText('Beacon Live cannot open this game now').waitFor({ timeout: 20_000 });
      await page.getByRole('link', { name: 'Other games' }).click();
      await page.waitForURL('**/live-casino');
      // Sport has nothing to do with it.
      expect((await site.call('GET', '/user/profile', await tokenOf(site, 'bob'))).status).toBe(200);
      await go(page, '/inPlay');
      await page.getByRole('tablist', { name: 'Sports' }).waitFor();
      await open(page, 'a-slots-lines');
      await page.getByRole('link', { name: 'Leave the game' }).click();
      await site.startStudio('b');
      await go(page, '/live-casino/b-mines');
      const ready = page.locator('.live__frame:not(.is-dark)');
      // The breaker tries again a few seconds after the provider is back.
      await expect
        .poll(
          async () => {
            const again = page.getByRole('button', { name: 'Try again' });
            if (await again.isVisible()) await again.click();
            return ready.count();
          },
          { timeout: 30_000, interval: 1000 },
        )
        .toBe(1);
    } finally {
      await context.close();
    }
  });
});
