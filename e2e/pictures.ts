import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserCommand, PHONE } from './browser.ts';
import { crowded } from './crowded.ts';
import { until } from './wait.ts';

/**
 * Pictures of the gallery of parts (apps/web/parts), and their comparison with those that are kept beside this file.
 * Which there are says the gallery itself: its first page has a link for each.
 */
const root = join(import.meta.dirname, '..');
const KEPT = join(import.meta.dirname, 'pictures');
const VERSION = join(KEPT, 'chromium.txt');
/** How the machine of the pictures draws letters and edges: elsewhere pictures cannot be compared. */
const SAMPLE = join(KEPT, 'sample', 'letters.png');
const SAMPLE_FONT = join(root, 'apps/web/public/fonts/inter-latin-opsz.woff2');
const SAMPLE_PAGE = `<style>
  @font-face { font-family: Sample; src: url(/sample.woff2); }
  body { margin: 8px; width: 320px; font: 15px/1.5 Sample; background: #0b1f2a; color: #dce9f2; }
  b { display: inline-block; padding: 3px 9px; border: 1px solid #5d8fb5; border-radius: 7px; }
</style><p>Back 2.04, lay 2.06: <b>1,250.75</b> matched</p>`;
/** Nobody serves it: the context answers from the folder of the build. */
const ORIGIN = 'http://localhost:5174';
/**
 * Pixels that may differ, and by how much: another processor rounds a few edges otherwise. At the usual 0.2 one dark blue
 * of a price is taken for another.
 */
const TOLERANCE = { threshold: 0.05, maxDiffPixelRatio: 0.001 };
/** How long a picture may take until it is as it was. */
const PATIENCE_MS = 5000;

export interface Shot {
  /** "price-cell-dark": the name of its file. */
  readonly name: string;
  readonly address: string;
  readonly look: string;
  readonly of: keyof typeof PLACES;
}

/** What is photographed of a page. */
const PLACES = {
  part: '[data-part]',
  over: 'dialog[open], [popover]:popover-open',
  board: '.page__page:not([aria-busy]) .page__board',
  frame: '#root',
} as const;

/** A board stands in a frame of the page of a phone. */
const WINDOWS = { desk: { width: 1280, height: 600 }, phone: PHONE, frame: { width: 340, height: 500 } } as const;
type Window = keyof typeof WINDOWS;
const windowOf = ({ look, of }: Shot): Window =>
  ['phone', 'hi', 'bn', 'ta', 'ur'].includes(look) ? 'phone' : of === 'board' || of === 'frame' ? 'frame' : 'desk';

/** The comparison that Playwright's own runner stands on, which its core has and does not type. */
const compare = (
  createRequire(import.meta.url)('playwright-core/lib/coreBundle') as {
    utils: {
      getComparator: (
        type: 'image/png',
      ) => (
        actual: Buffer,
        expected: Buffer,
        options: typeof TOLERANCE,
      ) => { errorMessage: string; diff?: Buffer } | null;
    };
  }
).utils.getComparator('image/png');

/** The gallery, built and open in a browser that draws the same on every machine. */
export class Pictures {
  readonly #browser: Browser;
  readonly #built: string;
  readonly #pages: Readonly<Record<Window, Page>>;
  #failed: string | null = null;
  readonly shots: readonly Shot[];
  /** Errors of its pages. */
  readonly errors: readonly string[];

  private constructor(
    browser: Browser,
    built: string,
    pages: Readonly<Record<Window, Page>>,
    shots: readonly Shot[],
    errors: readonly string[],
  ) {
    this.#browser = browser;
    this.#built = built;
    this.#pages = pages;
    this.shots = shots;
    this.errors = errors;
  }

  static async open(): Promise<Pictures> {
    const built = mkdtempSync(join(tmpdir(), 'fairgame-parts-'));
    const { executablePath, args } = browserCommand();
    const [browser] = await Promise.all([
      chromium.launch({
        executablePath,
        args: [...args, '--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'],
      }),
      vite(['build', 'apps/web/parts', '--outDir', built, '--logLevel', 'warn']),
    ]);
    const errors: string[] = [];
    const open = async (viewport: (typeof WINDOWS)[Window]) => {
      const context = await browser.newContext({
        viewport,
        deviceScaleFactor: 1,
        hasTouch: viewport === PHONE,
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
        locale: 'en-GB',
        serviceWorkers: 'block',
      });
      context.on('weberror', (error) => errors.push(String(error.error())));
      await context.route('**/*', (route) => {
        const { pathname } = new URL(route.request().url());
        if (pathname === '/sample.html') return route.fulfill({ contentType: 'text/html', body: SAMPLE_PAGE });
        if (pathname === '/sample.woff2') return route.fulfill({ path: SAMPLE_FONT });
        const file = join(built, pathname === '/' ? 'index.html' : pathname);
        return existsSync(file) ? route.fulfill({ path: file }) : route.abort();
      });
      const page = await context.newPage();
      await page.goto(ORIGIN);
      await page.locator('a[data-picture]').first().waitFor();
      return page;
    };
    const pages = {
      desk: await open(WINDOWS.desk),
      phone: await open(WINDOWS.phone),
      frame: await open(WINDOWS.frame),
    };
    const shots = await pages.desk.locator('a[data-picture]').evaluateAll((links) =>
      links.map((link) => ({
        name: (link as HTMLElement).dataset.picture!,
        address: (link as HTMLAnchorElement).href,
        look: (link as HTMLElement).dataset.look!,
        of: (link as HTMLElement).dataset.of as Shot['of'],
      })),
    );
    return new Pictures(browser, built, pages, shots, errors);
  }

  /** The major version of the browser. */
  get version(): string {
    return this.#browser.version().split('.')[0]!;
  }

  /** Why pictures of this machine cannot be compared with those that are kept; null: they can. */
  async stranger(): Promise<string | null> {
    const then = keptVersion();
    if (this.version !== then) return `This is Chromium ${this.version}, the pictures are of ${then}.`;
    const same = compare(await this.#sample(), readFileSync(SAMPLE), TOLERANCE) === null;
    return same ? null : 'This machine draws letters otherwise than the one that took the pictures.';
  }

  async #sample(): Promise<Buffer> {
    const page = await this.#pages.desk.context().newPage();
    await page.goto(`${ORIGIN}/sample.html`);
    await page.evaluate(() => document.fonts.ready);
    const picture = await page.locator('body').screenshot();
    await page.close();
    return picture;
  }

  /** @returns what is wrong with a picture: null, or words that name the files to look at. */
  async check(shot: Shot, patienceMs = PATIENCE_MS): Promise<string | null> {
    const file = fileOf(shot.name);
    if (!existsSync(file)) return `${shot.name}: there is no such picture yet (npm run parts -- --write).`;
    const expected = readFileSync(file);
    return this.#at(shot, async (take) => {
      const seen = { picture: expected as Buffer, wrong: null as ReturnType<typeof compare> };
      const asItWas = async () => {
        seen.picture = await take();
        seen.wrong = seen.picture.equals(expected) ? null : compare(seen.picture, expected, TOLERANCE);
        return seen.wrong === null;
      };
      await until(shot.name, asItWas, { timeout: patienceMs }).catch((error: unknown) => {
        if (seen.wrong === null) throw error;
      });
      if (seen.wrong === null) return null;
      this.#failed ??= mkdtempSync(join(tmpdir(), 'fairgame-pictures-'));
      writeFileSync(join(this.#failed, `${shot.name}-actual.png`), seen.picture);
      if (seen.wrong.diff) writeFileSync(join(this.#failed, `${shot.name}-difference.png`), seen.wrong.diff);
      return `${shot.name}: ${seen.wrong.errorMessage.trim()} See ${this.#failed}/${shot.name}-*`;
    });
  }

  /** Says with which browser and on what machine the pictures are taken. */
  async sign(): Promise<void> {
    mkdirSync(dirname(SAMPLE), { recursive: true });
    writeFileSync(SAMPLE, await this.#sample());
    writeFileSync(VERSION, `${this.version}\n`);
  }

  /** Takes a picture anew, once two in a row are the same. */
  async write(shot: Shot): Promise<void> {
    const picture = await this.#at(shot, async (take) => {
      let before = await take();
      return until(
        `${shot.name} never stands still`,
        async () => {
          const now = await take();
          const stands = now.equals(before);
          before = now;
          return stands && now;
        },
        { every: 300 },
      );
    });
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(fileOf(shot.name), picture);
  }

  /** A part is gone to as by a press on a link: the gallery draws anew without loading anew. */
  async #at<T>(shot: Shot, act: (take: () => Promise<Buffer>) => Promise<T>): Promise<T> {
    const page = this.#pages[windowOf(shot)];
    if (new URL(shot.address).pathname !== '/') await page.goto(shot.address);
    else await page.evaluate((address) => navigation.navigate(address).finished?.then(() => undefined), shot.address);
    return act(() => photograph(page, shot));
  }

  /** A part as in a language of longer words, with text of twice the size: what stands in each other's way. */
  async atTwice(shot: Shot, words: Readonly<Record<string, string>>): Promise<string[]> {
    const page = this.#pages[windowOf(shot)];
    return this.#at(shot, async () => {
      await page.evaluate((longer) => {
        const sheet = new CSSStyleSheet();
        // As wide as a page is beside the column of sports.
        sheet.replaceSync(':root { font-size: 200% } [data-part] { width: 1000px; max-width: 100% }');
        document.adoptedStyleSheets = [sheet];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode())
          node.textContent = longer[node.textContent!.trim()] ?? node.textContent;
      }, words);
      const found = await crowded(page);
      await page.reload();
      return found;
    });
  }

  async close(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#built, { recursive: true, force: true });
  }
}

async function photograph(page: Page, shot: Shot): Promise<Buffer> {
  const options = { animations: 'disabled', caret: 'hide', scale: 'css' } as const;
  // Whether a focus that a script set has a ring hangs on what was pressed before.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const release = await force(page, shot);
  const picture = await page.locator(PLACES[shot.of]).screenshot(options);
  await release();
  return picture;
}

/** Looks that a pointer or the keyboard gives to one control at a time: what is held in which state. */
const CONTROLS = ['button:enabled', 'a[href]', 'input:enabled', 'select:enabled'];
const FORCED: Readonly<Record<string, { of: readonly string[]; states: string[] }>> = {
  hover: { of: [...CONTROLS, 'label'], states: ['hover'] },
  focus: { of: [...CONTROLS, '[tabindex="0"]'], states: ['focus', 'focus-visible'] },
};

/** Holds the controls of a picture in its state, until the answer is called. */
async function force(page: Page, { look, of }: Shot): Promise<() => Promise<void>> {
  const forced = FORCED[look];
  if (!forced) return async () => undefined;
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root: document } = await session.send('DOM.getDocument', { depth: 0 });
  const selector = forced.of.map((control) => `${PLACES[of]} ${control}`).join(', ');
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: document.nodeId, selector });
  for (const nodeId of nodeIds)
    await session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: forced.states });
  // What was forced ends with its session.
  return () => session.detach();
}

const fileOf = (name: string) => join(KEPT, `${name}.png`);

/** The major version of the browser that took the pictures that are kept. */
const keptVersion = (): string => readFileSync(VERSION, 'utf8').trim();

/** The names of the pictures that are kept. */
export const kept = (): string[] =>
  readdirSync(KEPT)
    .filter((name) => name.endsWith('.png'))
    .map((name) => name.slice(0, -'.png'.length));

/** Takes away what no part has any more. */
export function forget(name: string): void {
  rmSync(fileOf(name));
}

/** Runs vite to its end. */
export function vite(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`vite ended with ${code}`))));
  });
}
