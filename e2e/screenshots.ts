import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, signIn, visit } from './browser.ts';
import { startSite } from './site.ts';
import { settled } from './wait.ts';

/** `npx tsx e2e/screenshots.ts`: the pictures of the README, from the built product with the simulated feed. */
async function main(): Promise<void> {
  const folder = join(import.meta.dirname, '..', 'docs', 'screenshots');
  mkdirSync(folder, { recursive: true });
  const site = await startSite({ FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '7' });
  const browser = await launch();
  const shoot = async (
    name: string,
    size: { width: number; height: number },
    theme: 'dark' | 'light',
    path: (page: import('playwright-core').Page) => Promise<void>,
  ) => {
    const { context, page } = await visit(browser, { viewport: size, theme });
    await signIn(page, site.url, 'alice', 'backs-the-outsider-9');
    await page.waitForURL('**/home');
    await page.locator('.event-list__event').first().waitFor();
    await path(page);
    await settled(page);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await context.close();
  };
  try {
    const desktop = { width: 1440, height: 900 };
    const phone = { width: 390, height: 844 };
    await shoot('home', desktop, 'light', async () => undefined);
    await shoot('event', desktop, 'dark', async (page) => {
      await page.locator('.event-list__open').first().click();
      await page.locator('.market-table__market .price__back:not(.price__empty)').nth(2).click();
      await page.getByRole('button', { name: '25', exact: true }).first().click();
    });
    await shoot('race', desktop, 'light', async (page) => {
      await page.locator('.race-parts__race').nth(3).click();
      await page.locator('.race-parts__runner').first().waitFor();
    });
    await shoot('phone', phone, 'dark', async (page) => {
      await page.locator('.event-list__open').first().click();
      await page.locator('.market-table__market').first().waitFor();
    });
  } finally {
    await browser.close();
    await site.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
