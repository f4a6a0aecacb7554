import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { DESKTOP, launch, PHONE, signIn, visit } from './browser.ts';
import { PRICED, PUBLIC, signedInScreens, type Walk } from './screens.ts';
import type { Site } from './site.ts';
import { startLiveSite } from './studios.ts';

/**
 * npm run tour [-- --out DIR] [--only TEXT] [--scale 2]: the pictures of docs/tour. Every screen of the built product with the
 * simulated feed and both providers, as a desktop (at half its size) and as a phone, in both themes:
 * docs/tour/NAME-1440-dark.webp and so on.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(import.meta.dirname, '..', 'docs', 'tour') },
    only: { type: 'string', default: '' },
    scale: { type: 'string', default: '1' },
  },
});
const THEMES = ['dark', 'light'] as const;
const WIDTHS = [DESKTOP, PHONE] as const;
/** Small files: a picture shows how a screen looks, it proves no pixel. */
const QUALITY = 35;

type Size = { width: number; height: number };

interface Stop extends Walk {
  name: string;
  /** What is pressed there before the picture. */
  act?: (page: Page) => Promise<void>;
}

mkdirSync(values.out, { recursive: true });
const site = await startLiveSite({
  FAIRGAME_FEED: 'simulated',
  FAIRGAME_FEED_SEED: '7',
  FAIRGAME_DEMO_PLAYERS: 'on',
});
const browser = await launch();
const failures: string[] = [];
try {
  const token = await site.signIn('alice', 'backs-the-outsider-9');
  const stops = await signedInStops(site, token);
  await someBets(site, token);
  for (const viewport of WIDTHS) {
    const { context, page } = await visit(browser, { viewport });
    const camera = await context.newCDPSession(page);
    for (const walk of PUBLIC) await picture(page, camera, viewport, { ...walk, name: nameOf(walk.path) });
    await signIn(page, site.url, 'alice', 'backs-the-outsider-9');
    await page.waitForURL('**/home');
    await page.locator(PRICED).first().waitFor();
    for (const stop of stops) await picture(page, camera, viewport, stop);
    await context.close();
  }
} finally {
  await browser.close();
  await site.stop();
}
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);

async function picture(page: Page, camera: CDPSession, { width, height }: Size, stop: Stop): Promise<void> {
  if (!stop.name.includes(values.only)) return;
  try {
    await page.goto(site.url + stop.path);
    await page.locator(stop.ready).first().waitFor({ state: 'attached', timeout: 15_000 });
    await page.waitForTimeout(700);
    await stop.act?.(page);
    for (const theme of THEMES) {
      await page.evaluate((one) => {
        document.documentElement.dataset.theme = one;
      }, theme);
      await page.waitForTimeout(300);
      const { data } = await camera.send('Page.captureScreenshot', {
        format: 'webp',
        quality: QUALITY,
        // Of the whole page, so from where it is scrolled to.
        clip: {
          x: 0,
          y: await page.evaluate(() => scrollY),
          width,
          height,
          scale: Number(values.scale) * (width > PHONE.width ? 0.5 : 1),
        },
      });
      writeFileSync(join(values.out, `${stop.name}-${width}-${theme}.webp`), Buffer.from(data, 'base64'));
    }
  } catch (error) {
    failures.push(`${stop.name} at ${width}: ${String(error).split('\n', 1)[0]}`);
  }
}

function nameOf(path: string): string {
  const [, first = 'home', second] = path.split('/');
  return second && !/^\d/.test(second) ? `${first}-${second}` : first;
}

async function signedInStops(at: Site, token: string): Promise<Stop[]> {
  const walks = await signedInScreens(at, token);
  const cricket = walks.find(({ path }) => path.includes('/game-detail/cricket/'))!;
  const race = walks.find(({ path }) => path.includes('/race/'))!;
  const { data: tables } = await at.call<Array<{ code: string; url: string }>>('GET', '/card/tiles', token);
  const press = (name: RegExp) => async (page: Page) => {
    await page.getByRole('button', { name }).first().click({ timeout: 5000 });
    await page.waitForTimeout(700);
  };
  const price = async (page: Page) => {
    await page.locator('.mk .px--b:not(.px--e):visible').first().click({ timeout: 5000 });
    await page.waitForTimeout(500);
  };
  return [
    ...walks.map((walk) => ({ ...walk, name: nameOf(walk.path) })),
    { ...cricket, name: 'slip', act: price },
    { ...cricket, name: 'ladder', act: press(/^Market depth$/) },
    { ...cricket, name: 'market-rules', act: press(/^Rules/) },
    { ...race, name: 'race-slip', act: price },
    { path: '/game-detail/cricket/999999', ready: '#main > *', name: 'missing-event' },
    ...tables.map(({ code, url }) => ({ path: url, ready: '.felt', name: `table-${code}` })),
    ...['a-roulette', 'a-baccarat', 'b-mines', 'b-skyward'].map((code) => ({
      path: `/live-casino/${code}`,
      ready: '.gs__frame:not(.is-dark)',
      name: `live-${code}`,
    })),
  ];
}

/** A matched and a waiting bet, so that lists, position and cash out have something to show. */
async function someBets(at: Site, token: string): Promise<void> {
  const { data } = await at.call<{
    matches: Array<{
      id: number;
      matchType: string;
      inPlay: boolean;
      head: null | { id: number; status: string; runners: Array<{ id: number; back: Array<[number, number]> }> };
    }>;
  }>('GET', '/match/list', token);
  for (const match of data.matches.filter(({ head }) => head?.status === 'OPEN').slice(0, 6)) {
    const runner = match.head!.runners.find(({ back }) => back.length > 0);
    if (!runner) continue;
    for (const odd of [runner.back[0]![0], 10_000])
      await at.call('POST', '/placeBet', token, {
        key: crypto.randomUUID(),
        matchId: match.id,
        betId: match.head!.id,
        runnerId: runner.id,
        bettingType: 'BACK',
        odd,
        stake: 2500,
      });
  }
}
