import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LADDER } from '@fairgame/contract';
import { createApp } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import type { Feed, FeedOutput } from '../apps/server/src/feed/feed.ts';
import { marketDef } from '../apps/server/test/fixture.ts';
import { go, launch, signIn } from '../e2e/browser.ts';
import { percentile, report, round } from './report.ts';
import { openMatch } from './slate.ts';

/**
 * Click to paint under load: the built client on the event page with 600 live price cells (10 markets of 10 runners, three a
 * side) while 200 markets' worth of messages a second come in, in headless Chromium slowed down four times; then the same in
 * a list of 300 matches. The baseline is the same page with the feed at rest. `--seconds N` (default 300) sets how long the
 * heap is watched, `--rows N` how long the list is, `--only list` leaves the event page out, `--clicks N` (default
 * 200) how often is pressed.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    rows: { type: 'string', default: '300' },
    only: { type: 'string' },
    clicks: { type: 'string', default: '200' },
    slowdown: { type: 'string', default: '4' },
  },
});
const SECONDS = Number(values.seconds);
const ROWS = Number(values.rows);
const MARKETS = 10;
const RUNNERS = 10;
const PER_SECOND = 200;
const CLICKS = Number(values.clicks);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dataDir = mkdtempSync(join(tmpdir(), 'fairgame-pixel-'));
const port = 3400 + Math.floor(Math.random() * 400);
const app = await createApp({
  config: loadConfig({
    ...process.env,
    FAIRGAME_ROOT: root,
    FAIRGAME_DATA: dataDir,
    FAIRGAME_FEED: 'none',
    FAIRGAME_LOG: 'error',
    FAIRGAME_LIMIT_FACTOR: '1000',
    PORT: String(port),
  }),
  databaseDir: 'memory://',
});
const eventId = app.core.nextId();
interface Priced {
  eventId: number;
  marketId: number;
  runnerIds: number[];
}
const priced = (ofEvent: number, runners: number): Priced => ({
  eventId: ofEvent,
  marketId: app.core.nextId(),
  runnerIds: Array.from({ length: runners }, () => app.core.nextId()),
});
const onEventPage = Array.from({ length: MARKETS }, () => priced(eventId, RUNNERS));
const listed = Array.from({ length: ROWS - 1 }, () => priced(app.core.nextId(), 3));
/** The markets of the screen that is measured. */
let shown = onEventPage;

let send: (batch: FeedOutput[]) => void = () => undefined;
let tick = 0;
let running = false;
let rest = 0;
const feed: Feed = {
  start(sink) {
    send = (batch) => sink(batch, Date.now());
    send([
      {
        type: 'event',
        event: {
          eventId,
          matchType: 'football',
          title: 'Bench United v Rest of the Table',
          competitionId: 1,
          competitionName: 'Bench',
          startAt: Date.now() - 60_000,
          teamA: 'Bench United',
          teamB: 'Rest of the Table',
          isTv: false,
          beventId: '1',
          gmid: '1',
        },
      },
      ...onEventPage.map(
        ({ marketId, runnerIds }, at): FeedOutput => ({
          type: 'command',
          info: { sno: at, marketType: 'matchOdd' },
          command: {
            type: 'market.create',
            market: marketDef(marketId, eventId, {
              name: `Market ${at + 1}`,
              runners: runnerIds.map((runnerId, no) => ({ runnerId, name: `Runner ${no + 1}` })),
              inPlay: true,
              lapseOnSuspend: true,
            }),
          },
        }),
      ),
      ...listed.flatMap(({ eventId, marketId, runnerIds }) =>
        openMatch(
          eventId,
          marketId,
          runnerIds.map((runnerId, no) => ({ runnerId, name: ['Home', 'Away', 'The Draw'][no]! })),
        ),
      ),
      ...[...onEventPage, ...listed].map((one) => book(one, true)),
    ]);
  },
  stop: () => Promise.resolve(),
};

/**
 * A message of a market: new prices of two runners (12 levels), or of all of them at the start. Recorded streams change 1 to
 * 10 levels in half of their messages (exchange reference 15).
 */
function book({ marketId, runnerIds }: Priced, all = false): FeedOutput {
  const middle = 100 + (tick % 40);
  return {
    type: 'command',
    command: {
      type: 'house.book',
      marketId,
      runners: runnerIds
        .map((runnerId, no) => ({ runnerId, no }))
        .filter(({ no }) => all || runnerIds.length < RUNNERS || no % 5 === tick % 5)
        .map(({ runnerId, no }) => {
          const i = middle + no;
          const size = 10_000 + ((tick * 7919 + no * 104_729) % 1_000_000);
          return {
            runnerId,
            backable: [0, 1, 2].map((d): [number, number] => [LADDER[i - d]!, size + d]),
            layable: [0, 1, 2].map((d): [number, number] => [LADDER[i + 1 + d]!, size + d]),
          };
        }),
    },
  };
}

await app.bridge.start(feed);
await app.http.listen();
await app.auth.createPlayer({
  actor: 'bench',
  userName: 'bench',
  password: 'bench-clicks-on-prices-1',
  forceChangePassword: false,
});
// 200 market messages a second: 4 markets every 20 ms.
const timer = setInterval(() => {
  if (!running) {
    // At rest the same prices are said again: markets of a silent feed are suspended after 10 s.
    rest += 1;
    if (rest % 100 === 0) send(shown.map((one) => book(one, true)));
    return;
  }
  tick += 1;
  send(Array.from({ length: PER_SECOND / 50 }, (_, n) => book(shown[(tick * 4 + n) % shown.length]!)));
}, 20);

const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const url = `http://localhost:${port}`;
  await signIn(page, url, 'bench', 'bench-clicks-on-prices-1');
  await page.waitForURL('**/home');
  const session = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    const seen = globalThis as unknown as { longest: number };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.longest = Math.max(seen.longest, entry.duration);
    }).observe({ entryTypes: ['longtask'] });
  });
  if (values.only !== 'list') await eventPage();
  shown = listed;
  await screen(`, a list of ${ROWS}`, '/game-list/football', 60, 80);

  async function eventPage(): Promise<void> {
    await screen('', `/game-detail/football/${eventId}`, MARKETS * RUNNERS * 6, 100);
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
      return usedSize / 1e6;
    };
    const heapFirst = await heap();
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
    const heapLast = await heap();

    report({
      name: `pixel: heap after ${SECONDS} s`,
      unit: 'MB',
      value: round(heapLast, 1),
      baseline: round(heapFirst, 1),
      ratio: round(heapFirst / heapLast),
    });
  }

  /** Measures a screen once it has so many cells. */
  async function screen(name: string, path: string, cells: number, limit: number): Promise<void> {
    running = false;
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await go(page, path);
    await page.waitForFunction(
      (count) => document.querySelectorAll('main .price__cell:not([aria-disabled])').length >= count,
      cells,
      { timeout: 60_000 },
    );
    await session.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slowdown) });
    const buttons = await page.evaluate(() => {
      const seen = globalThis as unknown as { cells: HTMLButtonElement[] };
      // What a player can press: a cell out of sight is not painted, and a press on it would first have to draw its market.
      seen.cells = [...document.querySelectorAll<HTMLButtonElement>('main .price__cell:not([aria-disabled])')].filter(
        (cell) => {
          const { left, top, width, height } = cell.getBoundingClientRect();
          return cell.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        },
      );
      return document.querySelectorAll('button').length;
    });
    const atRest = await clicks();
    await page.evaluate(() => {
      (globalThis as unknown as { longest: number }).longest = 0;
    });
    running = true;
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const busy = await clicks();
    const longest = await page.evaluate(() => (globalThis as unknown as { longest: number }).longest);
    const p98 = percentile(busy, 98);
    const baseline = percentile(atRest, 98);
    report({
      name: `pixel${name}: click to paint p98`,
      unit: 'ms',
      value: round(p98, 1),
      baseline: round(baseline, 1),
      ratio: round(baseline / p98),
      p50: round(percentile(busy, 50), 1),
      limit,
      buttons,
    });
    report({
      name: `pixel${name}: longest task`,
      unit: 'ms',
      value: round(longest, 1),
      baseline: limit,
      ratio: longest === 0 ? null : round(limit / longest),
    });
  }

  /** From the press of a price to the frame that shows it selected, in the page's own clock. */
  async function clicks(): Promise<number[]> {
    return page.evaluate(async (count) => {
      const times: number[] = [];
      const cells = (globalThis as unknown as { cells: HTMLButtonElement[] }).cells;
      for (let i = 0; i < count; i++) {
        const cell = cells[(i * 7) % cells.length]!;
        const start = performance.now();
        cell.click();
        // The frame after the next paint has begun: the press is on the screen.
        await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
        times.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 30 + (i % 7) * 5));
      }
      return times;
    }, CLICKS);
  }
} finally {
  clearInterval(timer);
  await browser.close();
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
}
