import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { DESKTOP, launch, PHONE, signIn, visit } from './browser.ts';
import { addMatch, listed, placeByCall, quote } from './play.ts';
import { EVENT, PRICED, PUBLIC, signedInScreens, type Walk } from './screens.ts';
import type { Site } from './site.ts';
import { startLiveSite } from './studios.ts';
import { settled } from './wait.ts';

/**
 * npm run tour [-- --out DIR] [--only PATTERN] [--scale 2]: the pictures of docs/tour. Every screen of the built product with the
 * simulated feed and both providers, as a desktop (at half its size) and as a phone, in both themes:
 * docs/tour/NAME-1440-dark.webp and so on. Six of them in other scripts, too: home-hi-390-dark.webp, in the dark theme.
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
/** Windows beside one another, for stops that wait: as many as a player may be signed in at. */
const LANES = 3;
/** Scripts that are drawn otherwise than Latin, one of them from right to left. */
const SCRIPTS = ['hi', 'bn', 'ta', 'ur'] as const;
/** What a player of another language sees first and most. */
const IN_SCRIPTS = ['home', 'slip', 'race', 'account-statement', 'teen20', 'player-protection'];
/** Small files: a picture shows how a screen looks, it proves no pixel. */
const QUALITY = 35;

type Size = { width: number; height: number };

interface Stop extends Walk {
  name: string;
  /** How long it may take until it is ready: a round of cards is played out first. */
  patience?: number;
  /** What is pressed there before the picture. */
  act?: (page: Page) => Promise<void>;
  /** The language of the page; in one theme, as letters are the same in both. */
  script?: (typeof SCRIPTS)[number];
}

mkdirSync(values.out, { recursive: true });
const site = await startLiveSite({
  FAIRGAME_FEED: 'simulated',
  FAIRGAME_FEED_SEED: '7',
  FAIRGAME_DEMO_PLAYERS: 'on',
  // A round of the slowest table would take more than four minutes.
  FAIRGAME_CARD_SPEED: '5',
});
const browser = await launch();
const failures: string[] = [];
try {
  const token = await site.signIn('alice', 'backs-the-outsider-9');
  const stops = await signedInStops(site, token);
  await settledBets(site, token);
  await someBets(site, token);
  for (const viewport of WIDTHS) {
    await walk(
      [viewport],
      PUBLIC.map((one) => ({ ...one, name: nameOf(one.path) })),
      false,
    );
    await walk(
      [viewport],
      stops.filter(({ patience }) => !patience),
    );
  }
  for (const script of SCRIPTS)
    await walk(
      WIDTHS,
      IN_SCRIPTS.map((wanted) => {
        const stop = stops.find(({ name }) => name === wanted)!;
        return { ...stop, name: `${wanted}-${script}`, script };
      }),
    );
  // What is waited for is photographed at both widths at once.
  const slow = stops.filter(({ patience }) => patience);
  await Promise.all(
    Array.from({ length: LANES }, (_, lane) =>
      walk(
        WIDTHS,
        slow.filter((_, at) => at % LANES === lane),
      ),
    ),
  );
} finally {
  await browser.close();
  await site.stop();
}
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);

/** One window that goes from stop to stop, each photographed at these sizes. */
async function walk(sizes: readonly Size[], stops: readonly Stop[], signedIn = true): Promise<void> {
  const wanted = stops.filter(({ name }) => new RegExp(values.only).test(name));
  if (wanted.length === 0) return;
  const { context, page } = await visit(browser, { viewport: sizes[0]! });
  const camera = await context.newCDPSession(page);
  const line = { held: false };
  await page.routeWebSocket(/socket\.io/, (socket) => {
    socket.connectToServer().onMessage((message) => {
      if (!line.held) socket.send(message);
    });
  });
  if (signedIn) {
    await signIn(page, site.url, 'alice', 'backs-the-outsider-9');
    await page.waitForURL('**/home');
    await page.locator(PRICED).first().waitFor();
  }
  for (const stop of wanted) {
    try {
      line.held = false;
      await page.setViewportSize(sizes[0]!);
      // A bet that the stop before left in the slip would lie over this one.
      if (signedIn) await page.evaluate(() => sessionStorage.removeItem('fg.player.slip'));
      if (stop.script) await page.evaluate((language) => localStorage.setItem('language', language), stop.script);
      await page.goto(site.url + stop.path);
      await page
        .locator(stop.ready)
        .first()
        .waitFor({ state: 'attached', timeout: stop.patience ?? 15_000 });
      // What was waited for is soon over: the page hears no more until the pictures are taken.
      line.held = stop.patience !== undefined;
      await drawn(page);
      await stop.act?.(page);
      await drawn(page);
      for (const size of sizes) await pictures(page, camera, size, stop.name, stop.script ? ['dark'] : THEMES);
    } catch (error) {
      failures.push(`${stop.name} at ${page.viewportSize()?.width}: ${String(error).split('\n', 1)[0]}`);
    }
  }
  await context.close();
}

/** Nothing in sight is still being read, pictures of what is further down the page among it. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !document.querySelector('main [aria-busy="true"], dialog [aria-busy="true"], .overlay__skeleton') &&
      Array.from(document.images).every((one) => one.complete || one.getBoundingClientRect().top > innerHeight),
    undefined,
    { timeout: 15_000 },
  );
  await settled(page);
}

async function pictures(
  page: Page,
  camera: CDPSession,
  { width, height }: Size,
  name: string,
  themes: ReadonlyArray<(typeof THEMES)[number]>,
): Promise<void> {
  await page.setViewportSize({ width, height });
  for (const theme of themes) {
    // As another tab's choice comes: what is no style, such as the mark, changes with it.
    await page.evaluate((newValue) => {
      dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue }));
    }, theme);
    await settled(page);
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
    writeFileSync(join(values.out, `${name}-${width}-${theme}.webp`), Buffer.from(data, 'base64'));
  }
}

function nameOf(path: string): string {
  const [, first = 'home', second] = path.split('?', 1)[0]!.split('/');
  return second && !/^\d/.test(second) ? `${first}-${second}` : first;
}

async function signedInStops(at: Site, token: string): Promise<Stop[]> {
  const walks = await signedInScreens(at, token);
  const cricket = walks.find(({ path }) => path.includes('/game-detail/cricket/'))!;
  const matches = await listed(at, token);
  // One that has not begun: it would be over before the tour is.
  const ahead = matches.find((one) => one.matchType === 'football' && !one.inPlay)!;
  const football = { path: `/game-detail/football/${ahead.id}`, ready: EVENT };
  const race = walks.find(({ path }) => path.includes('/race/'))!;
  const { data: tables } = await at.call<Array<{ code: string; url: string }>>('GET', '/card/tiles', token);
  const press = (name: RegExp, shows?: string) => async (page: Page) => {
    await page.locator('main').getByRole('button', { name }).first().click({ timeout: 5000 });
    if (shows) await page.locator(shows).waitFor();
    await settled(page);
  };
  const price = async (page: Page) => {
    await page
      .locator('.market-table__market .price__back:not(.price__empty):visible')
      .first()
      .click({ timeout: 5000 });
    await settled(page);
  };
  const reach = (what: string) => async (page: Page) => {
    await page
      .locator(what)
      .first()
      .evaluate((one) => one.scrollIntoView({ block: 'center' }));
    await settled(page);
  };
  return [
    ...walks.map((one) => ({ ...one, name: nameOf(one.path) })),
    { ...cricket, name: 'slip', act: price },
    { ...football, name: 'ladder', act: press(/^Market depth$/, '.depth-view__view') },
    { ...football, name: 'chart', act: reach('.betting__legend') },
    { ...football, name: 'market-rules', act: press(/^Rules/) },
    { ...cricket, name: 'cash-out', act: press(/^Cash out/) },
    { path: '/home', ready: PRICED, name: 'search', act: searchFor(matches[0]!.title) },
    { path: '/home', ready: PRICED, name: 'my-market', act: myMarket },
    { ...race, name: 'race-slip', act: price },
    { path: '/game-detail/cricket/999999', ready: '#main > *', name: 'missing-event' },
    ...tables.map(({ code, url }) => ({
      path: url,
      // Of a line that is up: held before it is, the table would say that it waits.
      ready: 'main:not(:has-text("Waiting for the table")) .felt__felt[data-phase="RESULT"]',
      name: `table-${code}`,
      patience: 120_000,
    })),
    ...['a-roulette', 'a-baccarat', 'b-mines', 'b-skyward'].map((code) => ({
      path: `/live-casino/${code}`,
      ready: '.live__frame:not(.is-dark)',
      name: `live-${code}`,
    })),
  ];
}

function searchFor(text: string) {
  return async (page: Page) => {
    const find = page.getByRole('button', { name: 'Search', exact: true });
    if (await find.isVisible()) await find.click();
    await page.getByRole('combobox', { name: 'Search events' }).fill(text);
    await page.getByRole('option').first().waitFor();
  };
}

async function myMarket(page: Page): Promise<void> {
  const bar = page.getByRole('button', { name: /^My Market/ });
  if (await bar.isVisible()) {
    await bar.click();
    await page.getByRole('dialog').waitFor();
  } else await page.getByRole('tab', { name: /^My markets/ }).click();
  await settled(page);
}

/** Bets that won and lost, so that statement, profit and loss and history have something to tell. */
async function settledBets(at: Site, token: string): Promise<void> {
  const results = [
    ['Ora Oak', 'Pia Pine', 180, 4000],
    ['Quin Quay', 'Rex Reed', 260, 2500],
    ['Kim Kent', 'Lee Lark', 152, 10_000],
    ['Max Moor', 'Ned Nash', 280, 1500],
  ] as const;
  for (const [nth, [one, other, odd, stake]] of results.entries()) {
    const made = await addMatch(at, `${one} v ${other}`, [one, other]);
    await quote(at, made.betId, made.runnerIds[0]!, [[odd, 1_000_000]], [[odd + 4, 1_000_000]]);
    await placeByCall(at, token, made, made.runnerIds[0]!, 'BACK', odd, stake);
    const winner = made.runnerIds[nth % 2]!;
    await at.operator('/market/declare', { betId: made.betId, result: { kind: 'winners', runnerIds: [winner] } });
  }
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
