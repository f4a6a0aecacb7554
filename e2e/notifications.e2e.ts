import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeBrowser, makePushService } from '../apps/server/test/push-service.ts';
import { browserCommand, DESKTOP, signIn } from './browser.ts';
import { startNotices } from './notices.ts';
import { addMatch, type Made, PASSWORDS, tabBeside, tokenOf } from './play.ts';
import { type Site, startSite } from './site.ts';
import { choose, signOutByMenu } from './watch.ts';

/**
 * From an alert that comes true to the page that it was about: the site tells a push service, the browser is given what that got, shows
 * it by the desktop's service of notifications, and there it is pressed. And the end of that, when the player signs out.
 */
let site: Site;
let bob: string;
let made: Made;
let notices: Awaited<ReturnType<typeof startNotices>>;
let service: Awaited<ReturnType<typeof makePushService>>;
let open: Array<() => Promise<unknown>> = [];

beforeAll(async () => {
  [site, notices, service] = await Promise.all([
    startSite({ FAIRGAME_PUSH_LOOPBACK: 'on', FAIRGAME_PUSH_CONTACT: 'mailto:desk@example.org' }),
    startNotices(),
    makePushService(),
  ]);
});
afterAll(async () => {
  await Promise.all([notices?.close(), service?.close(), site?.stop()]);
});
beforeEach(async () => {
  bob = await tokenOf(site, 'bob');
  // Those of the test before: a fourth session would end the first in the midst of this one.
  await site.call('POST', '/auth/sessions/end', bob, {});
  made = await addMatch(site, 'Zoe Zhu v Yan Yeo', ['Zoe Zhu', 'Yan Yeo']);
});
afterEach(async () => {
  for (const close of open.toReversed()) await close();
  open = [];
});

const PLACE = 'pushed';

/** A browser with a profile of its own, as a player has it, which the push service knows by this name. */
async function makeDevice(name: string) {
  const profile = mkdtempSync(join(tmpdir(), 'fairgame-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...browserCommand(),
    viewport: DESKTOP,
    serviceWorkers: 'allow',
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: notices.address } as Record<string, string>,
  });
  open.push(async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  });
  await context.grantPermissions(['notifications'], { origin: site.url });
  const receiver = makeBrowser(`${service.origin}/${name}`);
  // This browser has no push service of its own: it is given one of the test's, known by a cookie while it stands.
  await context.addInitScript(
    ({ place, endpoint, ...keys }) => {
      const subscription = {
        endpoint,
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => cookieStore.delete(place),
      } as unknown as PushSubscription;
      PushManager.prototype.getSubscription = async () => ((await cookieStore.get(place)) ? subscription : null);
      PushManager.prototype.subscribe = async () => {
        await cookieStore.set(place, 'yes');
        return subscription;
      };
    },
    { place: PLACE, ...receiver.subscription },
  );
  const [page] = context.pages();
  return { context, page: page!, receiver, name };
}
type Device = Awaited<ReturnType<typeof makeDevice>>;

const enter = async (page: Page) => {
  await signIn(page, site.url, 'bob', PASSWORDS.bob);
  await page.waitForURL('**/home');
};

/** Signed in and told also when no page is open. */
async function told(device: Device): Promise<void> {
  const { page } = device;
  const before = await places();
  await enter(page);
  await page.goto(`${site.url}/alerts`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
  });
  await choose(page, 'Also when none is');
  await expect.poll(places).toBe(before + 1);
}

const places = async () => (await site.call<{ places: number }>('GET', '/alerts/push', bob)).data.places;
const isSubscribed = async ({ context }: Device) =>
  (await context.cookies(site.url)).some(({ name }) => name === PLACE);
/** What the push service got for a device since the test began. */
const cameTo = ({ name }: Device) => service.came.filter(({ path }) => path === `/${name}`);

/** An alert of bob's comes true. */
async function comesTrue(): Promise<void> {
  const body = { kind: 'SUSPENDED', betId: made.betId, seconds: 1, every: false };
  expect((await site.call('POST', '/alerts', bob, body)).status).toBe(200);
  await site.operator('/market/suspend', { betId: made.betId, reason: 'A test' });
}

/** The browser's own door for what a push service brings it. */
async function doorOf(page: Page): Promise<(data: string) => Promise<unknown>> {
  const line: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    line.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const one = registrations.find(({ scopeURL }) => scopeURL.startsWith(site.url));
      if (one) resolve(one.registrationId);
    });
  });
  await line.send('ServiceWorker.enable');
  const registrationId = await registered;
  return (data) => line.send('ServiceWorker.deliverPushMessage', { origin: site.url, registrationId, data });
}

/** Away from the site, in a tab that stays; the others are shut. */
async function leaveSite({ context, page }: Device): Promise<void> {
  await page.goto('about:blank');
  for (const other of context.pages()) if (other !== page) await other.close();
}

/** The alert comes true, and its notification is pressed. */
async function alertIsPressed(device: Device, deliver: (data: string) => Promise<unknown>): Promise<void> {
  await comesTrue();
  await expect.poll(() => cameTo(device).length).toBe(1);
  await deliver(JSON.stringify(device.receiver.read(cameTo(device)[0]!.body)));
  await expect
    .poll(() => notices.shown().map(({ title, body }) => [title, body]))
    .toEqual([['fairGame', expect.stringContaining('Zoe Zhu v Yan Yeo: Suspended for a while')]]);
  notices.press(notices.shown()[0]!.id);
}

/** Signs in where the sign-in stands. */
async function passSignIn(page: Page): Promise<void> {
  await page.waitForURL('**/login');
  await page.getByLabel('Username').fill('bob');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORDS.bob);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

/** Shows what a push shows, with the way to the event, while this page is in front; pressed at once. */
async function noticeIsPressed(page: Page): Promise<void> {
  await page.evaluate(async (path) => {
    const worker = await navigator.serviceWorker.ready;
    await worker.showNotification('fairGame', { body: 'Zoe Zhu v Yan Yeo', data: { path } });
  }, made.path);
  await expect.poll(() => notices.shown().map(({ body }) => body)).toEqual([expect.stringContaining('Zoe Zhu')]);
  notices.press(notices.shown()[0]!.id);
}

const addressesOf = ({ context }: Device) => context.pages().map((one) => new URL(one.url()).pathname);

describe('a notification that is pressed', () => {
  it('opens the site where none of its pages is left: after the sign-in the player is at the event', async () => {
    const device = await makeDevice('closed');
    await told(device);
    const deliver = await doorOf(device.page);
    await leaveSite(device);
    const opened = device.context.waitForEvent('page');
    await alertIsPressed(device, deliver);
    const page = await opened;
    await passSignIn(page);
    await page.waitForURL(`${site.url}${made.path}`);
    await page.getByRole('heading', { name: 'Zoe Zhu v Yan Yeo' }).first().waitFor();
    expect(notices.shown()).toEqual([]);
  });

  it('goes on in the page that is open, with its session, and leaves a ladder in its own window where that is', async () => {
    const device = await makeDevice('open');
    await told(device);
    const ladder = await tabBeside(device.page);
    await ladder.goto(`${site.url}/ladder/${made.betId}`);
    await ladder.getByRole('region', { name: 'Ladder of Zoe Zhu' }).waitFor();
    await noticeIsPressed(ladder);
    await device.page.waitForURL(`${site.url}${made.path}`);
    await device.page.getByRole('heading', { name: 'Zoe Zhu v Yan Yeo' }).first().waitFor();
    expect(addressesOf(device)).toEqual([made.path, `/ladder/${made.betId}`]);
    expect(notices.shown()).toEqual([]);
    // The page that is there already stays as it is: what was begun in it is not lost.
    await device.page.evaluate(() => Object.assign(window, { begun: 'a bet' }));
    await noticeIsPressed(ladder);
    await expect.poll(() => notices.shown()).toEqual([]);
    await device.page.bringToFront();
    expect(await device.page.evaluate(() => (window as unknown as { begun?: string }).begun)).toBe('a bet');
    expect(addressesOf(device)).toEqual([made.path, `/ladder/${made.betId}`]);
  });

  it('leads there by way of the sign-in in a page where nobody is signed in any more; the next sign-in leads home', async () => {
    const device = await makeDevice('signed-out');
    const { page } = device;
    await told(device);
    await signOutByMenu(page);
    await page.waitForURL('**/login');
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.reload();
    await noticeIsPressed(page);
    await passSignIn(page);
    await page.waitForURL(`${site.url}${made.path}`);
    expect(addressesOf(device)).toEqual([made.path]);
    await signOutByMenu(page);
    await passSignIn(page);
    await page.waitForURL('**/home');
  });
});

describe('who signs out', () => {
  it('is told no more at this device, and goes on being told at his others', async () => {
    const [one, other] = [await makeDevice('left'), await makeDevice('kept')];
    await told(one);
    await told(other);
    await signOutByMenu(one.page);
    await expect.poll(places).toBe(1);
    await comesTrue();
    await expect.poll(() => cameTo(other).length).toBe(1);
    expect(cameTo(one)).toEqual([]);
    expect([await isSubscribed(one), await isSubscribed(other)]).toEqual([false, true]);
  });

  it('while the network is away is told no more here, either: the browser gives its subscription up by itself', async () => {
    const device = await makeDevice('offline');
    await told(device);
    await device.context.setOffline(true);
    await signOutByMenu(device.page);
    await expect.poll(() => isSubscribed(device)).toBe(false);
    await device.context.setOffline(false);
  });

  it('and wanted to be told all the same keeps his subscription, with the network and without', async () => {
    const device = await makeDevice('stays');
    const { page } = device;
    await told(device);
    const keep = page.getByRole('checkbox', { name: 'Go on after I sign out here' });
    await keep.click();
    await expect.poll(() => keep.isEnabled()).toBe(true);
    await device.context.setOffline(true);
    await signOutByMenu(page);
    await page.waitForURL('**/login');
    await device.context.setOffline(false);
    await comesTrue();
    await expect.poll(() => cameTo(device).length).toBe(1);
    expect(await isSubscribed(device)).toBe(true);
  });
});
