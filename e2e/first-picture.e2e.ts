import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, type Visit, visit } from './browser.ts';
import { type Site, startSite } from './site.ts';

/** What a page does before its client runs: the first picture, and which files come in front of it. */
let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

/** What the client is made of, but for the entry and what the entry stands on. */
const CLIENT_FILES = /\/assets\/(?!index-|first-|theme-)[^/]+\.js$/;

/**
 * The sign-in in a browser that calls nobody back when it draws, nor after long: what waits for a picture waits until `draw`.
 * Each file of the client leaves a mark when it runs.
 */
async function held(hidden: boolean): Promise<Visit & { priorities: Map<string, string> }> {
  const visitor = await visit(browser);
  const { page, context } = visitor;
  await context.route(CLIENT_FILES, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}\nperformance.mark('client runs');` });
  });
  await context.addInitScript((unseen) => {
    const [frame, later] = [window.requestAnimationFrame, window.setTimeout];
    const waiting: FrameRequestCallback[] = [];
    if (unseen) Object.defineProperty(document, 'hidden', { get: () => true });
    window.requestAnimationFrame = (run) => waiting.push(run);
    window.setTimeout = ((run: () => void, ms = 0) => (ms < 100 ? later(run, ms) : 0)) as typeof window.setTimeout;
    Object.assign(window, {
      draw: () => {
        Object.assign(window, { requestAnimationFrame: frame, setTimeout: later });
        for (const run of waiting) frame(run);
      },
    });
  }, hidden);
  const priorities = new Map<string, string>();
  const session = await context.newCDPSession(page);
  session.on('Network.requestWillBeSent', ({ request }) => {
    const { pathname } = new URL(request.url);
    // As its name was before the build put what it holds into it.
    priorities.set(pathname.replace(/-[\w-]{8}(?=\.\w+$)/, ''), request.initialPriority);
  });
  await session.send('Network.enable');
  await page.goto(`${site.url}/login`, { waitUntil: 'networkidle' });
  return { ...visitor, priorities };
}

/** Files may still be on their way through the door that marks them. */
async function leave(context: BrowserContext): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

const marks = (page: Page) => page.evaluate(() => performance.getEntriesByName('client runs').length);

describe('the first picture', () => {
  it('is drawn before anything of the client runs, and its styles come in front of the client', async () => {
    const { page, context, priorities, errors } = await held(false);
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length === 1);
    expect(await page.locator('#splash').isVisible()).toBe(true);
    expect(await marks(page)).toBe(0);

    const of = (end: string) => [...priorities].filter(([name]) => name.endsWith(end));
    expect(of('.css').filter(([, priority]) => priority === 'VeryHigh')).toEqual([['/assets/first.css', 'VeryHigh']]);
    const scripts = of('.js').filter(([name]) => !/\/(index|first|theme)\.js$/.test(name));
    // By the page: react, base; by its first script: the sign-in.
    expect(scripts.map(([name]) => name)).toEqual(
      expect.arrayContaining(['/assets/react.js', '/assets/base.js', '/assets/main.js', '/assets/entrance.js']),
    );
    expect(scripts.filter(([, priority]) => priority !== 'Low')).toEqual([]);
    expect(of('.woff2').map(([, priority]) => priority)).toEqual(['Low']);

    await page.evaluate(() => (window as unknown as { draw: () => void }).draw());
    await page.getByLabel('Username').waitFor();
    expect(await marks(page)).toBeGreaterThan(0);
    expect(errors).toEqual([]);
    await leave(context);
  });

  it('is not waited for in a tab that nobody sees', async () => {
    const { page, context } = await held(true);
    await page.waitForFunction(() => performance.getEntriesByName('client runs').length > 0);
    await leave(context);
  });
});
