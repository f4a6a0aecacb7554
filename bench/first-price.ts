import { parseArgs } from 'node:util';
import { CALLS } from '@fairgame/contract';
import { go, launch, type Page, signIn } from '../e2e/browser.ts';
import { openClientSite } from './client-site.ts';
import { percentile, report, round } from './report.ts';

/**
 * How soon a price stands on the screen after a market was opened, and whether anything jumps while prices move: the built
 * client with the simulated slate. The time runs from the press of a row on the landing page to the frame that shows the
 * first price of the market's page; the baseline is a bare fetch of the same event in the same page. `--seconds N`
 * (default 15) sets how long layout shifts are counted.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '15' } } });
const OPENINGS = 20;
const LIMIT_MS = 300;

const PASSWORD = 'opens-a-market-quickly-1';
const site = await openClientSite(PASSWORD);

const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signIn(page, site.url, site.userName, PASSWORD);
  await page.locator('.event-list__event .price__cell b').first().waitFor({ timeout: 60_000 });

  const first = await open(page, 0);
  const times: number[] = [];
  for (let n = 1; n <= OPENINGS; n++) times.push(await open(page, n));
  const bare = await bareReads(page);
  const p95 = percentile(times, 95);
  report({
    name: 'first price: p95 from the press to the price',
    unit: 'ms',
    value: round(p95, 1),
    baseline: round(percentile(bare, 95), 1),
    ratio: round(percentile(bare, 95) / p95),
    p50: round(percentile(times, 50), 1),
    limit: LIMIT_MS,
  });
  report({
    name: 'first price: the first opening, with the code of its screen',
    unit: 'ms',
    value: round(first, 1),
    baseline: LIMIT_MS,
    ratio: round(LIMIT_MS / first),
  });

  const race = await page.evaluate(async (path) => {
    const answer = await fetch(path, { headers: { Authorization: `Bearer ${sessionStorage.getItem('jwtMaxUser')}` } });
    const { data } = (await answer.json()) as { data: Array<{ races: Array<{ id: number; inPlay: boolean }> }> };
    return data.flatMap((meeting) => meeting.races).find((one) => !one.inPlay)?.id;
  }, `/api${CALLS.racing.list.path}`);
  for (const [name, path] of [
    ['landing', '/home'],
    ['race', `/race/${race}`],
  ] as const) {
    await go(page, path);
    await page.locator('.price__cell:not(.price__empty) b').first().waitFor();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const { shift, moved } = await watch(page, Number(values.seconds));
    report({
      name: `first price: layout shift on the ${name} page in ${values.seconds} s`,
      unit: 'score',
      value: round(shift, 5),
      baseline: 0.1,
      ratio: shift === 0 ? null : round(0.1 / shift),
      pricesMoved: moved,
    });
  }
} finally {
  await browser.close();
  await site.close();
}

/** Presses a row of the landing page; milliseconds until a frame showed a price of the event's page. */
async function open(page: Page, n: number): Promise<number> {
  await go(page, '/home');
  await page.locator('.event-list__event .price__cell:not(.price__empty) b').first().waitFor();
  return page.evaluate(async (at) => {
    const rows = [...document.querySelectorAll<HTMLAnchorElement>('.event-list__open')];
    const row = rows[at % rows.length]!;
    const start = performance.now();
    row.click();
    for (;;) {
      await new Promise(requestAnimationFrame);
      if (document.querySelector('.market-table__market .price__cell:not(.price__empty) b')) break;
      if (performance.now() - start > 20_000) throw new Error('no price came');
    }
    // The turn after the frame: it is on the screen.
    await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    return performance.now() - start;
  }, n);
}

/** The same reading without a screen. */
function bareReads(page: Page): Promise<number[]> {
  return page.evaluate(async (count) => {
    const headers = { Authorization: `Bearer ${sessionStorage.getItem('jwtMaxUser')}` };
    const list = (await (await fetch('/api/match/list', { headers })).json()) as {
      data: { matches: Array<{ id: number; matchType: string }> };
    };
    const ids = list.data.matches.filter((one) => ['cricket', 'football', 'tennis'].includes(one.matchType));
    const times: number[] = [];
    for (let n = 0; n < count; n++) {
      const start = performance.now();
      await (await fetch(`/api/match/${ids[n % ids.length]!.id}`, { headers })).json();
      times.push(performance.now() - start);
    }
    return times;
  }, OPENINGS);
}

/** The browser's own sum of layout shifts, and how many figures changed meanwhile. */
function watch(page: Page, seconds: number): Promise<{ shift: number; moved: number }> {
  return page.evaluate(async (length) => {
    let shift = 0;
    let moved = 0;
    const shifts = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as PerformanceEntry & { value: number }).value;
    });
    shifts.observe({ type: 'layout-shift', buffered: false });
    const changes = new MutationObserver((list) => {
      moved += list.length;
    });
    for (const cell of document.querySelectorAll('.price__cell b'))
      changes.observe(cell, { characterData: true, childList: true, subtree: true });
    await new Promise((resolve) => setTimeout(resolve, length * 1000));
    shifts.disconnect();
    changes.disconnect();
    return { shift, moved };
  }, seconds);
}
