import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, PHONE, visit } from './browser.ts';
import { go, priceOf, signedIn } from './play.ts';
import { type Site, startSite } from './site.ts';

/** Installable, and never a browser error: what the service worker keeps, and what it must not. */
let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '3' }), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

/** Waits until the worker has its files and answers for this page. */
const worker = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
  });

/** Paths in every cache of the page's origin. */
const kept = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = (await Promise.all(caches_.map((cache) => cache.keys()))).flat();
    return requests.map((request) => new URL(request.url).pathname);
  });

const banner = (page: Page) => page.getByText('You are currently offline');

describe('installing', () => {
  it('the manifest names a start, a scope and icons of the sizes that browsers ask for, and they are there', async () => {
    const { page, context } = await visit(browser);
    await page.goto(`${site.url}/login`);
    const href = await page.locator('link[rel=manifest]').getAttribute('href');
    const answer = await page.request.get(site.url + href);
    expect(answer.headers()['content-type']).toContain('application/manifest+json');
    const manifest = (await answer.json()) as {
      name: string;
      start_url: string;
      scope: string;
      display: string;
      theme_color: string;
      icons: Array<{ src: string; sizes: string; type: string; purpose?: string }>;
    };
    expect(manifest).toMatchObject({ name: 'fairGame', start_url: '/', scope: '/', display: 'standalone' });
    for (const sizes of ['192x192', '512x512']) expect(manifest.icons.map((icon) => icon.sizes)).toContain(sizes);
    expect(manifest.icons.some((icon) => icon.purpose === 'maskable')).toBe(true);
    for (const icon of manifest.icons) {
      const drawn = await page.evaluate(
        (src) =>
          new Promise<string>((resolve) => {
            const image = new Image();
            image.onload = () => resolve(`${image.naturalWidth}x${image.naturalHeight}`);
            image.onerror = () => resolve('missing');
            image.src = src;
          }),
        icon.src,
      );
      if (icon.sizes === 'any') expect(drawn).not.toBe('missing');
      else expect(drawn).toBe(icon.sizes);
    }
    // The browser's own judgement.
    const session = await context.newCDPSession(page);
    const { errors } = (await session.send('Page.getAppManifest')) as { errors: unknown[] };
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe('without a network', () => {
  it('[SHL-10] a start shows the sign-in and the banner, on a phone', async () => {
    const { page, context } = await visit(browser, { viewport: PHONE, serviceWorkers: 'allow' });
    await page.goto(site.url);
    await worker(page);
    await context.setOffline(true);
    const second = await context.newPage();
    await second.goto(`${site.url}/`);
    await second.waitForURL('**/login');
    await banner(second).waitFor();
    expect(await second.getByRole('button', { name: 'Login', exact: true }).isVisible()).toBe(true);
    // A screen that was never opened before is there too.
    await second.goto(`${site.url}/terms-and-conditions`);
    await second.getByRole('heading', { level: 1, name: 'Terms and Conditions' }).waitFor();
    await banner(second).waitFor();
    await context.close();
  });

  it('a reload keeps the shell of a player, shows the banner and no price at all', async () => {
    const { page, context, errors } = await signedIn(browser, site, 'alice', { serviceWorkers: 'allow' });
    await worker(page);
    await page.locator('.event-list__event .price__cell:not(.price__empty) b').first().waitFor();
    await go(page, '/game-list/cricket');
    await page.locator('.event-list__event .price__cell:not(.price__empty) b').first().waitFor();
    await context.setOffline(true);
    await banner(page).waitFor();
    await page.reload();
    await banner(page).waitFor();
    await page.locator('.header__header').waitFor();
    await page.getByText('The events did not load.').waitFor();
    expect(await page.locator('.price__cell').count()).toBe(0);
    expect(errors.filter((error) => /chrome-error|Uncaught/.test(error))).toEqual([]);
    await context.close();
  });

  it('only files of the client are kept: no call, no price, no frame, nothing of the player', async () => {
    const { page, context } = await signedIn(browser, site, 'bob', { serviceWorkers: 'allow' });
    await worker(page);
    await page.locator('.event-list__event .price__cell:not(.price__empty) b').first().waitFor();
    const first = page.locator('.event-list__event a').first();
    await first.click();
    await priceOf(page, 'Match Odds', 'Back', '').first().waitFor();
    const paths = await kept(page);
    expect(paths.length).toBeGreaterThan(20);
    expect(
      paths.filter((path) => !/^\/(index\.html|assets\/|fonts\/|[a-z0-9-]+\.(js|svg|png|webmanifest))/.test(path)),
    ).toEqual([]);
    // And a call still goes to the server through the worker: offline it fails instead of answering something old.
    await context.setOffline(true);
    const answer = await page.evaluate(() =>
      fetch('/api/match/list').then(
        (response) => `answered ${response.status}`,
        () => 'failed',
      ),
    );
    expect(answer).toBe('failed');
    await context.close();
  });

  it('a server that is away counts as no network', async () => {
    const { page, context } = await visit(browser, { serviceWorkers: 'allow' });
    await page.goto(site.url);
    await worker(page);
    await site.kill();
    const second = await context.newPage();
    await second.goto(`${site.url}/login`);
    await second.getByLabel('Username').fill('alice');
    await second.getByLabel('Password', { exact: true }).fill('backs-the-outsider-9');
    await second.getByRole('button', { name: 'Login', exact: true }).click();
    await second
      .getByText(/No answer from the server/)
      .first()
      .waitFor();
    await site.start();
    await context.close();
  });
});

describe('the life of the worker', () => {
  it('caches of older builds are dropped, others left alone', async () => {
    const { page, context } = await visit(browser, { serviceWorkers: 'allow' });
    // On a page without the worker: a cache as an older build left it.
    await page.goto(`${site.url}/theme.js`);
    await page.evaluate(async () => {
      await (await caches.open('fairgame-0123456789abcdef')).put('/index.html', new Response('old'));
      await (await caches.open('of-another-program')).put('/x', new Response('x'));
    });
    await page.goto(`${site.url}/login`);
    await worker(page);
    await expect.poll(() => page.evaluate(() => caches.keys())).toHaveLength(2);
    const names = await page.evaluate(() => caches.keys());
    expect(names).toContain('of-another-program');
    expect(names).not.toContain('fairgame-0123456789abcdef');
    await context.close();
  });

  it('after the sign-out it is there, and empty of the player', async () => {
    const { page, context } = await signedIn(browser, site, 'alice', { serviceWorkers: 'allow' });
    await worker(page);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'SignOut' }).click();
    await page.waitForURL('**/login');
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), {
        timeout: 20_000,
      })
      .toBe(1);
    await expect.poll(async () => (await kept(page)).length, { timeout: 20_000 }).toBeGreaterThan(20);
    expect(await page.evaluate(() => sessionStorage.getItem('jwtMaxUser'))).toBeNull();
    await context.close();
  });

  it('it is served by the site itself under a policy that allows no other worker', async () => {
    const answer = await fetch(`${site.url}/sw.js`);
    expect(answer.headers.get('content-type')).toContain('text/javascript');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const policy = (await fetch(`${site.url}/login`)).headers.get('content-security-policy')!;
    expect(policy).toContain("worker-src 'self'");
    expect(policy).toContain('trusted-types fairgame-worker');
    const { page, context } = await visit(browser, { serviceWorkers: 'allow' });
    await page.goto(`${site.url}/login`);
    const refused = await page.evaluate(() =>
      navigator.serviceWorker.register('/theme.js').then(
        () => 'registered',
        (error: Error) => error.name,
      ),
    );
    expect(refused).toBe('TypeError');
    await context.close();
  });
});

describe('an alert that is pushed', () => {
  it('is shown by the service worker with the way to its event, unless a page is in front', async () => {
    const { page, context } = await visit(browser, { serviceWorkers: 'allow' });
    await context.grantPermissions(['notifications'], { origin: site.url });
    await page.goto(`${site.url}/login`);
    await worker(page);
    const line = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      line.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => {
        if (one) resolve(one.registrationId);
      });
    });
    await line.send('ServiceWorker.enable');
    const registrationId = await registered;
    const push = (event: string) => {
      const data = JSON.stringify({ kind: 'SCORE', text: 'गोल या विकेट', event, match: { id: 7, matchType: 'tennis' } });
      return line.send('ServiceWorker.deliverPushMessage', { origin: site.url, registrationId, data });
    };
    const behind = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const shown = () =>
      behind.evaluate(async () => {
        const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
        return (await registration.getNotifications()).map(({ body, data }) => [body, (data as { path: string }).path]);
      });
    const pages = () =>
      behind.evaluate(async () => {
        const { clients } = globalThis as unknown as { clients: { matchAll(of: object): Promise<unknown[]> } };
        return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length;
      });
    // A push is delivered before it is heard: the page that is in front must stay until the worker has asked who is there, and what
    // is asked here comes after that. And the browser forgets a notification whose list is read while it is being shown.
    await behind.evaluate(() => {
      const self = globalThis as unknown as {
        clients: { matchAll(of: object): Promise<unknown> };
        registration: ServiceWorkerRegistration;
        asked: number;
        shown: number;
      };
      const { clients, registration } = self;
      const show = registration.showNotification.bind(registration);
      Object.assign(self, { asked: 0, shown: 0 });
      registration.showNotification = async (...of) => {
        await show(...of);
        self.shown += 1;
      };
      addEventListener('push', () => {
        void clients.matchAll({ type: 'window', includeUncontrolled: true }).then(() => {
          self.asked += 1;
        });
      });
    });
    const count = (what: 'asked' | 'shown') =>
      behind.evaluate((name) => (globalThis as unknown as Record<typeof name, number>)[name], what);
    await push('In front');
    await expect.poll(() => count('asked')).toBe(1);
    await page.goto('about:blank');
    // The worker hears a moment later that its page is gone.
    await expect.poll(pages).toBe(0);
    await push('Nia Nolan v Ora Olsen');
    await expect.poll(() => count('shown')).toBe(1);
    expect(await shown()).toEqual([['Nia Nolan v Ora Olsen: गोल या विकेट', '/game-detail/tennis/7']]);
    await context.close();
  });
});
