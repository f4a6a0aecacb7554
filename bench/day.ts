import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TABLES } from '@fairgame/casino';
import { CALLS, type ReplyOf } from '@fairgame/contract';
import { go, launch, type Page, signIn } from '../e2e/browser.ts';
import { startLiveSite } from '../e2e/studios.ts';
import { report, round } from './report.ts';

/**
 * A long day in one tab: the built client goes from list to event, to a table, to a game and on, while the simulated slate
 * runs twenty times as fast, so that events begin and end under it. Afterwards, and at a fifth to compare with, it stands at
 * home for a while, and what it holds is counted: heap, listeners and open sockets must be as before.
 * `--minutes N` (default 30), `--speed N` (default 20), `--rest N` seconds at home before counting (default 80: what was left
 * is forgotten after a minute), `--dwell N` milliseconds on each screen (default 700).
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    speed: { type: 'string', default: '20' },
    rest: { type: 'string', default: '80' },
    dwell: { type: 'string', default: '700' },
  },
});
const LENGTH_MS = Number(values.minutes) * 60_000;
/** What a day has loaded once (code of screens, pictures) is there by then. */
const SETTLED_MS = Math.min(5 * 60_000, LENGTH_MS / 5);
const EVENTS = 200;
const TABLE_PATHS = Object.values(TABLES).flatMap(({ route }) => (route === null ? [] : [route]));

const site = await startLiveSite({
  FAIRGAME_FEED: 'simulated',
  FAIRGAME_FEED_SEED: '5',
  FAIRGAME_FEED_SPEED: values.speed,
});
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  const session = await page.context().newCDPSession(page);
  const sockets = new Set<string>();
  session.on('Network.webSocketCreated', ({ requestId }) => sockets.add(requestId));
  session.on('Network.webSocketClosed', ({ requestId }) => sockets.delete(requestId));
  await session.send('Network.enable');
  await session.send('Performance.enable');
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(String(error)));

  /** What the tab holds when it has stood at home for a while. */
  const count = async () => {
    await go(page, '/home');
    await sleep(Number(values.rest) * 1000);
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name: string) => metrics.find((one) => one.name === name)!.value;
    return {
      heapMb: of('JSHeapUsedSize') / 1e6,
      listeners: of('JSEventListeners'),
      nodes: of('Nodes'),
      sockets: sockets.size,
    };
  };

  await signIn(page, site.url, 'alice', 'backs-the-outsider-9');
  await page.locator('.event-list__event').first().waitFor();
  const atFirst = await count();
  const events = new Set<number>();
  const day = { screens: 0, untilMs: Date.now() + SETTLED_MS };
  await walk();
  const settled = await count();
  day.untilMs = Date.now() + LENGTH_MS - SETTLED_MS;
  await walk();
  const atEnd = await count();

  for (const [what, unit, value, baseline, atAFifth = baseline] of [
    [
      `heap after ${values.minutes} minutes beside ${round(SETTLED_MS / 60_000, 1)}`,
      'MB',
      atEnd.heapMb,
      settled.heapMb,
    ],
    ['listeners at the end beside the start', 'listeners', atEnd.listeners, atFirst.listeners, settled.listeners],
    ['sockets at the end beside the start', 'sockets', atEnd.sockets, atFirst.sockets, settled.sockets],
    ['elements at the end beside a fifth', 'nodes', atEnd.nodes, settled.nodes],
  ] as const)
    report({
      name: `day: ${what}`,
      unit,
      value: round(value, 1),
      baseline: round(baseline, 1),
      ratio: round(baseline / value),
      screens: day.screens,
      events: events.size,
      atAFifth: round(atAFifth, 1),
      failures: failures.length,
    });
  for (const failure of failures.slice(0, 5)) console.error(failure);

  /** Round after round of screens, until it is time. */
  async function walk(): Promise<void> {
    while (Date.now() < day.untilMs) {
      const { matches } = await read(page, CALLS.catalog.list);
      const games = gameIds(await read(page, CALLS.provider.games));
      for (const [at, match] of matches.slice(0, EVENTS).entries()) {
        events.add(match.id);
        const race = match.matchType === 'horseRacing' || match.matchType === 'greyHound';
        await look(page, race ? `/race/${match.id}` : `/game-detail/${match.matchType}/${match.id}`);
        if (at % 3 === 0) await look(page, TABLE_PATHS[day.screens % TABLE_PATHS.length]!);
        if (at % 5 === 0) await look(page, `/game-list/${match.matchType}`);
        if (at % 10 === 0 && games.length > 0) await look(page, `/live-casino/${games[day.screens % games.length]!}`);
        if (Date.now() >= day.untilMs) return;
      }
    }
  }

  async function look(on: Page, path: string): Promise<void> {
    await go(on, path);
    await sleep(Number(values.dwell));
    day.screens += 1;
  }
} finally {
  await browser.close();
  await site.stop();
}

/** A reading of the player, as the page makes it. */
function read<C extends typeof CALLS.catalog.list | typeof CALLS.provider.games>(
  page: Page,
  call: C,
): Promise<ReplyOf<C>> {
  return page.evaluate(
    async ({ method, path }) => {
      const answer = await fetch(`/api${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${sessionStorage.getItem('jwtMaxUser')}`,
          'content-type': 'application/json',
        },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      const { data, error } = (await answer.json()) as { data?: unknown; error?: unknown };
      if (data === undefined) throw new Error(`${path}: ${JSON.stringify(error)}`);
      return data;
    },
    { method: call.method, path: call.path },
  ) as Promise<ReplyOf<C>>;
}

function gameIds(games: ReplyOf<typeof CALLS.provider.games>): string[] {
  const all = Object.values(games).flatMap((categories) => Object.values(categories).flat());
  return all.map((game) => encodeURIComponent(game.game_id));
}
