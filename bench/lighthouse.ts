import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import lighthouse from 'lighthouse';
import { launch } from 'puppeteer-core';
import { browserCommand } from '../e2e/browser.ts';
import { openClientSite, root } from './client-site.ts';
import { percentile, report, round } from './report.ts';

/**
 * Lighthouse with its mobile preset (a slow phone on a slow line, simulated) on the built client: the sign-in, and signed in
 * the landing and an event page. Every audit is a load from nothing. `--runs N` (default 5) takes the median of N audits,
 * `--check` ends with 1 when a score is below its limit, `--page home` audits that one alone, `--keep FOLDER` writes what
 * Lighthouse says of each audit there. Needs a quiet machine: what else runs counts as slowness.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    check: { type: 'boolean', default: false },
    page: { type: 'string' },
    keep: { type: 'string' },
  },
});
const LIMITS = { performance: 95, accessibility: 100, 'best-practices': 100 } as const;
const FIGURES = {
  firstContentfulPaintMs: 'first-contentful-paint',
  largestContentfulPaintMs: 'largest-contentful-paint',
  totalBlockingMs: 'total-blocking-time',
  speedIndexMs: 'speed-index',
  layoutShift: 'cumulative-layout-shift',
} as const;
const PASSWORD = 'looks-at-the-lighthouse-1';

if (!existsSync(join(root, 'apps/web/dist/index.html'))) {
  console.error('Build the client first: npm run build');
  process.exit(1);
}
const site = await openClientSite(PASSWORD);
const browser = await launch({ ...browserCommand(), headless: true });
let missed = false;
try {
  const keys = await sessionKeys();
  await audit('sign-in', '/login', null);
  await audit('home', '/home', keys);
  await audit('event page', await eventPath(keys.jwtMaxUser!), keys);
} finally {
  await browser.close();
  await site.close();
}
if (missed && values.check) process.exit(1);

/** The audits of one page; with keys the tab's session storage holds them before its first script runs. */
async function audit(name: string, path: string, keys: Record<string, string> | null): Promise<void> {
  if (values.page && values.page !== name) return;
  const runs: Array<NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']> = [];
  for (let n = 0; n < Number(values.runs); n++) {
    const page = await browser.newPage();
    if (keys) {
      await page.evaluateOnNewDocument(
        (origin: string, entries: Array<[string, string]>) => {
          if (location.origin === origin) for (const [key, value] of entries) sessionStorage.setItem(key, value);
        },
        site.url,
        Object.entries(keys),
      );
    }
    const flags = { logLevel: 'error' as const, onlyCategories: Object.keys(LIMITS) };
    const result = await lighthouse(site.url + path, flags, undefined, page);
    await page.close();
    if (!result) throw new Error(`no result for ${name}`);
    runs.push(result.lhr);
    if (values.keep) {
      mkdirSync(values.keep, { recursive: true });
      writeFileSync(join(values.keep, `${name.replaceAll(' ', '-')}-${n}.json`), JSON.stringify(result.lhr));
    }
  }
  for (const [category, limit] of Object.entries(LIMITS)) {
    const scores = runs.map((run) => Math.round((run.categories[category]?.score ?? 0) * 100));
    const value = percentile(scores, 50);
    missed ||= value < limit;
    const lacks = runs.flatMap((run) =>
      (run.categories[category]?.auditRefs ?? [])
        .filter(({ id, weight }) => weight > 0 && (run.audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => `${id} ${run.audits[id]?.displayValue ?? ''}`.trim()),
    );
    const figures = Object.entries(FIGURES).map(([key, id]) => [
      key,
      round(
        percentile(
          runs.map((run) => run.audits[id]?.numericValue ?? 0),
          50,
        ),
        key === 'layoutShift' ? 4 : 0,
      ),
    ]);
    report({
      name: `lighthouse: ${name}, ${category}`,
      unit: 'points',
      value,
      baseline: limit,
      ratio: round(value / limit),
      ...(category === 'performance' ? { scores, ...Object.fromEntries(figures) } : {}),
      ...(value < limit ? { lacks: [...new Set(lacks)] } : {}),
    });
  }
}

/** What the client keeps in the tab after a sign-in. */
async function sessionKeys(): Promise<Record<string, string>> {
  const page = await browser.newPage();
  await page.goto(`${site.url}/login`);
  // The form is drawn in slices, after the page has loaded.
  await page.waitForSelector('input[autocomplete=username]');
  await page.type('input[autocomplete=username]', site.userName);
  await page.type('input[autocomplete=current-password]', PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.event-list__event .price__cell b', { timeout: 60_000 });
  const keys = await page.evaluate(() => Object.fromEntries(Object.entries(sessionStorage)));
  await page.close();
  return keys;
}

async function eventPath(token: string): Promise<string> {
  const answer = await fetch(`${site.url}/api/match/list`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await answer.json()) as {
    data: { matches: Array<{ id: number; matchType: string; inPlay: boolean }> };
  };
  const found = data.matches.find((one) => one.matchType === 'cricket' && one.inPlay) ?? data.matches[0]!;
  return `/game-detail/${found.matchType}/${found.id}`;
}
