import { TIME } from '@fairgame/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headFor, launch, PHONE, signIn, type Visit } from './browser.ts';
import { go, PASSWORDS, seen } from './play.ts';
import { type Site, startSite } from './site.ts';
import { holds } from './wait.ts';
import { EMPTY, open, pathOf, storage, toBeAt } from './watch.ts';

/** What a player sees when something goes wrong: refusals, a lost network, six idle hours, broken screens, foreign frames. */
let site: Site;
let browser: Browser;

const STREAMS = 'https://streams.fairgame.test';

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ FAIRGAME_STREAM_HOST: STREAMS }), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

async function home(visit: Visit): Promise<Page> {
  await signIn(visit.page, site.url, 'alice', PASSWORDS.alice);
  await toBeAt(visit.page, '/home');
  await visit.page.locator('.wallet__wallet b').first().waitFor();
  return visit.page;
}
const toast = (page: Page): Locator => page.locator('.toast__toast');

describe('refusals', () => {
  it('[ERR-01] [ERR-02] [ERR-03] [ERR-04] [CAR-19] each of the six statuses shows the words of the server, at top centre, for 1500 ms', async () => {
    const visit = await open(browser);
    await visit.page.clock.install();
    const page = await home(visit);
    let status = 0;
    await page.route('**/api/button/insert', (route) =>
      route.fulfill({ status, json: { statusCode: status, code: 'BAD_INPUT', message: `Refused with ${status}.` } }),
    );
    await go(page, '/change-btn-value');
    await page.getByLabel('Price Label 8').waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    for (status of [500, 403, 404, 400, 409, 429]) {
      await page.getByRole('button', { name: 'Update' }).click();
      await toast(page).waitFor();
      expect(await page.locator('[role=alert] .toast__toast').textContent()).toBe(`Refused with ${status}.`);
      expect(await page.locator('.toast__toasts').count()).toBe(1);
      const box = (await toast(page).boundingBox())!;
      expect(Math.abs(box.x + box.width / 2 - 720)).toBeLessThan(2);
      expect(box.y).toBeLessThan(40);
      await page.clock.runFor(TIME.toastMs - 10);
      expect(await toast(page).count()).toBe(1);
      await page.clock.runFor(20);
      expect(await toast(page).count()).toBe(0);
      // The form keeps the words until the next try.
      await seen(page.locator('.buttons__page'), new RegExp(`Refused with ${status}\\.`));
    }
    await visit.context.close();
  });

  it('[ERR-05] [AUT-08] a 401 on a read clears the session and leads to the sign-in, which says why', async () => {
    const visit = await open(browser);
    const page = await home(visit);
    await page.route('**/api/transaction/get/**', (route) =>
      route.fulfill({ status: 401, json: { statusCode: 401, code: 'SESSION_ENDED', message: 'Over.' } }),
    );
    await headFor(page, '/account-statement');
    await toBeAt(page, '/login');
    expect(await storage(page)).toEqual(EMPTY);
    await page.getByText('Your session has ended. Log in again.').waitFor();
    await visit.context.close();
  });
});

describe('idle', () => {
  /** A browser whose clock the test moves; the player has just moved the pointer. */
  async function idler(): Promise<{ visit: Visit; page: Page }> {
    const visit = await open(browser);
    await visit.page.clock.install();
    const page = await home(visit);
    await page.mouse.move(300, 400);
    return { visit, page };
  }
  const warning = (page: Page): Locator => page.getByRole('dialog', { name: 'Are you still here?' });
  const expired = (page: Page): Locator => page.getByRole('heading', { name: 'Your session has been expired,' });
  const pass = async (page: Page, text: string): Promise<void> => {
    await page.clock.fastForward(text);
    await page.clock.runFor(1500);
  };

  it('[IDL-01] [IDL-02] [IDL-03] [IDL-04] [IDL-06] [IDL-07] [CAR-18] warns two minutes before six hours, ends at them and not before, counts from 5, and Back to Home stops it even at 1', async () => {
    const { visit, page } = await idler();
    await pass(page, '05:57:50');
    expect(await warning(page).count()).toBe(0);
    await pass(page, '00:20');
    await seen(warning(page), /Your session ends in\s*1:\d\d/);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await expect.poll(() => warning(page).count()).toBe(0);

    await pass(page, '05:57:00');
    await page.mouse.move(400, 300);
    await page.mouse.move(420, 320);
    await pass(page, '01:00:00');
    expect(await warning(page).count()).toBe(0);
    expect(await expired(page).count()).toBe(0);

    await pass(page, '04:59:00');
    await warning(page).waitFor();
    expect(await expired(page).count()).toBe(0);
    await page.clock.fastForward('01:10');
    await page.clock.runFor(TIME.tabElectionMs + 50);
    await expired(page).waitFor();
    await page.getByText('Redirected to Login in 5 seconds.', { exact: true }).waitFor();
    expect(await page.locator('.wallet__wallet').count()).toBe(0);
    await page.clock.runFor(4000);
    await page.getByText('Redirected to Login in 1 seconds.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Back to Home' }).click();
    await page.locator('.wallet__wallet b').first().waitFor();
    expect(pathOf(page)).toBe('/home');
    await page.clock.runFor(10_000);
    expect(pathOf(page)).toBe('/home');
    await visit.context.close();
  });

  it('[IDL-05] [IDL-04] after the five seconds the player is signed out, here and on the server', async () => {
    const { visit, page } = await idler();
    const token = (await storage(page)).jwtMaxUser!;
    await pass(page, '06:00:01');
    await expired(page).waitFor();
    for (let second = 0; second < 5; second++) await page.clock.runFor(1000);
    await toBeAt(page, '/login');
    expect(await storage(page)).toEqual(EMPTY);
    await expect.poll(async () => (await site.call('GET', '/user/profile', token)).status).toBe(401);
    await visit.context.close();
  });

  it('[IDL-08] [OPN-60] a tab about to end asks the others first: one that was used keeps both', async () => {
    const { visit, page: first } = await idler();
    const second = await visit.context.newPage();
    await signIn(second, site.url, 'alice', PASSWORDS.alice);
    await toBeAt(second, '/home');
    await second.locator('.wallet__wallet b').first().waitFor();
    // The clock is the context's: it moves for both tabs. A tab tells of its use every 15 s at most, so that the first move
    // after these is told and the second, 12 s later, is known to this tab alone.
    await second.clock.fastForward(20_000);
    await second.mouse.move(200, 300);
    await second.clock.fastForward(12_000);
    await second.mouse.move(240, 330);
    // Six hours after the move that was told: the first tab asks, hears of the later one, and only warns.
    await second.clock.fastForward('05:59:50');
    await warning(first).waitFor();
    expect(await expired(first).count()).toBe(0);
    await warning(second).waitFor();
    // Six hours after the later one both end.
    await second.clock.fastForward(15_000);
    await expired(first).waitFor();
    await expired(second).waitFor();
    await visit.context.close();
  });
});

describe('the network', () => {
  it('[IDL-09] [IDL-10] [CAR-05] a red banner while it is gone; back, the page reloads within five seconds, once a minute', async () => {
    const visit = await open(browser);
    const page = await home(visit);
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    const banner = page.locator('.shell__offline');
    await visit.context.setOffline(true);
    await seen(banner, /^You are currently offline/);
    const colour = await banner.evaluate((element) => getComputedStyle(element).backgroundColor);
    const [red = 0, green = 255, blue = 255] = colour.match(/[\d.]+/g)!.map(Number);
    expect(red).toBeGreaterThan(green * 1.5);
    expect(red).toBeGreaterThan(blue * 1.5);
    expect(await banner.getAttribute('role')).toBe('alert');
    await visit.context.setOffline(false);
    await expect.poll(() => loads, { timeout: 12_000 }).toBe(1);
    await page.locator('.wallet__wallet b').first().waitFor();
    expect(pathOf(page)).toBe('/home');
    await visit.context.setOffline(true);
    await banner.waitFor();
    await visit.context.setOffline(false);
    await expect.poll(() => banner.count()).toBe(0);
    await holds(5500, () => expect(loads).toBe(1));
    await visit.context.close();
  });
});

describe('broken screens', () => {
  const words = 'Website is updating please try again after refreshing the page.';

  it('[IDL-11] [IDL-12] [IDL-13] [CAR-08] [CAR-05] a screen that throws reloads once; the message with Refresh is what remains', async () => {
    const visit = await open(browser);
    const page = await home(visit);
    let broken = true;
    await page.route('**/api/transaction/get/**', (route) =>
      broken
        ? route.fulfill({ json: { statusCode: 200, data: { rows: [{ uniqueId: 1, betId: 'none' }], total: 1 } } })
        : route.continue(),
    );
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await headFor(page, '/account-statement');
    await expect.poll(() => loads).toBe(1);
    await page.getByText(words).waitFor();
    await holds(1500, () => expect(loads).toBe(1));
    broken = false;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('heading', { name: 'Account Statement' }).waitFor();
    expect(loads).toBe(2);
    await visit.context.close();
  });

  it('[PUB-12] [CAR-05] a screen whose code does not load is tried again, reloads once, then waits for Refresh', async () => {
    const visit = await open(browser);
    const page = await home(visit);
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    let asked = 0;
    let broken = true;
    await page.route(/\/assets\/rules-[^/]*\.js$/, (route) => {
      asked += 1;
      return broken ? route.abort() : route.continue();
    });
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.evaluate(() => {
      history.pushState({}, '', '/rules');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await expect.poll(() => loads, { timeout: 20_000 }).toBe(1);
    expect(logged.some((text) => text.includes('A screen failed to load'))).toBe(true);
    await page.getByText(words).waitFor();
    await holds(800, () => expect(loads).toBe(1));
    broken = false;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('heading', { name: 'Rules' }).waitFor();
    expect(asked).toBeGreaterThan(1);
    await visit.context.close();
  });
});

describe('full-screen frames', () => {
  it('[FRM-01] [FRM-02] [FRM-03] [FRM-04] [OPN-63] [CAR-46] [CAR-47] every frame route fills the window with a sandboxed frame of the configured host, else of the site', async () => {
    const visit = await open(browser, { viewport: PHONE, theme: 'light' });
    await visit.context.route(`${STREAMS}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>stream</title>' }),
    );
    const page = await home(visit);
    for (const [path, source, late] of [
      ['/videoPage/ch-7', `${STREAMS}/ch-7`, true],
      ['/liveStreamCricket/ch-7', `${STREAMS}/ch-7`, true],
      ['/liveStreamCricketInt/ch-7', `${STREAMS}/ch-7`, true],
      ['/liveStreamInternal/ch-7/4', `${STREAMS}/ch-7/4`, true],
      ['/liveStream/ch-7/4', `${STREAMS}/ch-7/4`, true],
      ['/scoreBoardPage/7/4', '/frame/score/7', false],
    ] as const) {
      await go(page, path);
      const frame = page.locator('iframe');
      await expect.poll(() => frame.getAttribute('src')).toBe(source);
      expect(await frame.boundingBox()).toEqual({ x: 0, y: 0, ...PHONE });
      expect(await frame.getAttribute('sandbox')).toMatch(/^allow-scripts( allow-same-origin)?$/);
      expect(await page.getByText('Pictures run about 5 s behind').count()).toBe(late ? 1 : 0);
      expect(await page.locator('.header__header, .footer__footer, .top-bar__bottom').count()).toBe(0);
    }
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts');
    // A sandbox has no storage, and nothing of ours asks for it there.
    await page.frameLocator('iframe').getByText('This event is not on the site any more.').waitFor();
    expect(visit.errors.filter((error) => error.includes('sandbox'))).toEqual([]);
    await visit.context.close();
  });

  it('[CAR-46] an address that names another host or none is refused, and pictures are for signed-in players', async () => {
    const visit = await open(browser);
    const page = await home(visit);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url)) asked.push(request.url());
    });
    for (const id of [
      'https%3A%2F%2Fevil.example',
      '..%2F..%2Fevil',
      '%2F%2Fevil.example',
      'a%40evil.example',
      'a%20b',
    ]) {
      await go(page, '/home');
      await go(page, `/videoPage/${id}`);
      await page.getByText('This picture is not available').waitFor();
      expect(await page.locator('iframe').count()).toBe(0);
    }
    expect(asked).toEqual([]);
    await visit.context.close();
    const out = await open(browser);
    await out.page.goto(`${site.url}/videoPage/ch-7`);
    await out.page.getByText('Sign in to watch').waitFor();
    expect(await out.page.locator('iframe').count()).toBe(0);
    await out.context.close();
  });
});
