import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { fillsAsTyped, IN_FIREFOX, launchFirefox } from './firefox.ts';

const PATHS = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Parts of the browser that stay out. Each window starts a suggestion list of its own, a page that takes most of a second of a
 * processor and that nobody opens here, and a process for a next page is kept ready, a tenth of what a walk takes. The rest is what the driver leaves out by itself: a list given is in the place of its own.
 */
const LEFT_OUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
];

/** Flags: no sandbox for root, and nothing that calls home from a closed network. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${LEFT_OUT.join(',')}`,
];

/** Where the browser is and how it is started, for tools that start it themselves. */
export function browserCommand(): { executablePath: string; args: string[] } {
  const executablePath = PATHS.find((path) => path && existsSync(path));
  if (!executablePath)
    throw new Error('No Chromium found: install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
  return { executablePath, args: FLAGS };
}

export type { Page };

export const launch = (): Promise<Browser> => (IN_FIREFOX ? launchFirefox() : chromium.launch(browserCommand()));

export const DESKTOP = { width: 1440, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;

/** What a browser is asked for: beside the driver's own options what its player chose there. */
export type Look = BrowserContextOptions & { theme?: 'dark' | 'light'; notices?: 'paused' | 'running' };

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Errors of the console and of the page so far; a test that expects none asserts that. */
  errors: string[];
}

/**
 * A fresh browser profile with one page. The service worker stays out unless asked for: what it answers from its cache no
 * test could delay or refuse. The notices stand still, as this player left them: drawn for as long as a page is open, they
 * take a fifth of a processor from what else is tried at that time.
 */
export async function visit(browser: Browser, options: Look = {}): Promise<Visit> {
  const { theme, notices = 'paused', ...rest } = options;
  const context = await browser.newContext({ viewport: DESKTOP, serviceWorkers: 'block', ...rest });
  // Half of what a test is given: what must come comes late on a machine with much to do.
  context.setDefaultTimeout(60_000);
  const kept = { ...(theme && { theme }), ...(notices === 'paused' && { noticesPaused: '1' }) };
  await context.addInitScript((values) => {
    // Runs in frames too, and one in a sandbox has no storage, nor has an empty window.
    if (window === window.top && origin !== 'null')
      for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
  }, kept);
  if (IN_FIREFOX) await fillsAsTyped(context);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push([message.text(), message.location().url].filter(Boolean).join(' '));
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return { context, page, errors };
}

export async function signIn(page: Page, url: string, userName: string, password: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Username').fill(userName);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

/** Asks for a screen as a link of the page does, wherever that leads. */
export async function headFor(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** To a screen as a link of the page goes there: without loading it anew. */
export async function go(page: Page, path: string): Promise<void> {
  await headFor(page, path);
  await page.waitForURL((url) => url.pathname + url.search === path);
}
