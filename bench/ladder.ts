import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LADDER } from '@fairgame/contract';
import { createApp } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import type { FeedOutput } from '../apps/server/src/feed/feed.ts';
import { go, launch, signIn } from '../e2e/browser.ts';
import { percentile, report, round } from './report.ts';
import { openMatch } from './slate.ts';

/**
 * Press to paint on a trader's ladders: the built client with three of them side by side, each armed, while the books of their runners
 * change 200 times a second, in headless Chromium slowed down four times. A press places a bet that waits, three a second; what is measured is the time
 * until the frame that shows it on its way. The baseline is the same page with the books at rest. `--presses N` (default 100),
 * `--slowdown N` (default 4).
 */
const { values } = parseArgs({
  options: {
    presses: { type: 'string', default: '100' },
    slowdown: { type: 'string', default: '4' },
  },
});
const PRESSES = Number(values.presses);
const PER_SECOND = 200;
const LIMIT_MS = 80;
const DEEP = 10;

const folder = mkdtempSync(join(tmpdir(), 'fairgame-ladder-'));
const port = 3400 + Math.floor(Math.random() * 400);
const app = await createApp({
  config: loadConfig({
    ...process.env,
    FAIRGAME_ROOT: dirname(dirname(fileURLToPath(import.meta.url))),
    FAIRGAME_DATA: folder,
    FAIRGAME_FEED: 'none',
    FAIRGAME_LOG: 'error',
    FAIRGAME_LIMIT_FACTOR: '1000',
    PORT: String(port),
  }),
  databaseDir: 'memory://',
});
const [eventId, marketId] = [app.core.nextId(), app.core.nextId()];
const runners = ['Home', 'Away', 'The Draw'].map((name) => ({ runnerId: app.core.nextId(), name }));
let tick = 0;
let running = false;
let send: (batch: FeedOutput[]) => void = () => undefined;

/** One change of one runner's book: two of its ten levels a side, and now and then the market goes a tick. */
function change(at: number): FeedOutput {
  const { runnerId } = runners[at % runners.length]!;
  const middle = 120 + (at % 3) * 20 + (Math.trunc(at / 60) % 3);
  const size = (d: number) => 10_000 + ((d * 7919 + (d === at % DEEP ? at * 104_729 : 0)) % 1_000_000);
  const levels = (way: 1 | -1, from: number) =>
    Array.from({ length: DEEP }, (_, d): [number, number] => [LADDER[from + way * d]!, size(d)]);
  const book = { runnerId, backable: levels(-1, middle), layable: levels(1, middle + 1) };
  return { type: 'command', command: { type: 'house.book', marketId, runners: [book] } };
}

await app.bridge.start({
  start(sink) {
    send = (batch) => sink(batch, Date.now());
    send([...openMatch(eventId, marketId, runners), change(0), change(1), change(2)]);
  },
  stop: () => Promise.resolve(),
});
await app.http.listen();
const PASSWORD = 'presses-on-three-ladders-1';
await app.auth.createPlayer({
  actor: 'bench',
  userName: 'bench',
  password: PASSWORD,
  forceChangePassword: false,
  creditMinor: 100_000_000,
});
const timer = setInterval(() => {
  tick += 1;
  if (running) send(Array.from({ length: PER_SECOND / 50 }, (_, n) => change(tick * 4 + n)));
  else if (tick % 100 === 0) send([change(0), change(1), change(2)]);
}, 20);

const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const url = `http://localhost:${port}`;
  await signIn(page, url, 'bench', PASSWORD);
  await page.waitForURL('**/home');
  const session = await page.context().newCDPSession(page);
  await go(page, `/ladder/${marketId}`);
  const switches = page.getByRole('switch', { name: 'Not armed' });
  await switches.nth(2).waitFor();
  for (let left = runners.length; left > 0; left--) await switches.first().click();
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slowdown) });
  const atRest = await presses();
  running = true;
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const busy = await presses();
  const [p98, baseline] = [percentile(busy, 98), percentile(atRest, 98)];
  report({
    name: 'ladder: press to paint p98, 3 ladders, 200 changes a second',
    unit: 'ms',
    value: round(p98, 1),
    baseline: round(baseline, 1),
    ratio: round(baseline / p98),
    p50: round(percentile(busy, 50), 1),
    limit: LIMIT_MS,
  });

  /** From the press of a cell to the frame after the one that shows the bet on its way, in the page's own clock. */
  async function presses(): Promise<number[]> {
    return page.evaluate(async (count) => {
      const times: number[] = [];
      for (let i = 0; i < count; i++) {
        const all = [
          ...document.querySelectorAll<HTMLElement>('[data-side="BACK"]:not([aria-disabled], .is-best, .is-has)'),
        ];
        // What is in sight, and above the market: such a bet waits.
        const seen = all.filter((cell) => {
          const { left, top, width, height } = cell.getBoundingClientRect();
          return cell.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        });
        const cell = seen[(i * 7) % seen.length]!;
        const mine = cell.previousElementSibling!;
        const start = performance.now();
        cell.click();
        await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
        times.push(performance.now() - start);
        if (mine.querySelector('[role="img"]') === null) throw new Error('A press showed nothing.');
        await new Promise((resolve) => setTimeout(resolve, 250 + (i % 7) * 20));
      }
      return times;
    }, PRESSES);
  }
} finally {
  clearInterval(timer);
  await browser.close();
  await app.close();
  rmSync(folder, { recursive: true, force: true });
}
