import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TABLES } from '@fairgame/casino';
import { CALLS, type ReplyOf } from '@fairgame/contract';
import { go, launch, type Page, signIn } from '../e2e/browser.ts';
import { startLiveSite } from '../e2e/studios.ts';
import { report, round } from './report.ts';

/**
 * A long day in one tab: the built client goes from list to event, to a table, to a game and on, while the simulated slate
 * runs twenty times as fast, so that events begin and end under it. Between and at the end it stands at home for a while, and
 * what it holds is counted: heap, listeners and open sockets must be as they were once every screen had been seen. Of the heap
 * it is said apart what the browser's compiler made: it goes on compiling what is run often, long after all code has come.
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
/** After the first of these, and a whole round of events and tables, what a day loads once is there. */
const PARTS = Math.max(2, Math.round(Number(values.minutes) / 5));
const EVENTS = 200;
/** What stands at home comes and goes with the slate; here nothing does. */
const STILL_PATH = '/contact-admin/1';
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

  const collected = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    return (name: string) => metrics.find((one) => one.name === name)!.value;
  };

  /** What the tab holds when it has stood at home for a while. */
  const count = async () => {
    await go(page, '/home');
    await sleep(Number(values.rest) * 1000);
    // What one collection sets free is garbage of the next: what is left when a further one finds nothing is held.
    let of = await collected();
    for (let before = Number.POSITIVE_INFINITY; of('JSHeapUsedSize') < before - 10_000; of = await collected())
      before = of('JSHeapUsedSize');
    const heapMb = of('JSHeapUsedSize') / 1e6;
    const held = {
      heapMb,
      ownMb: heapMb - (await compiledBytes()) / 1e6,
      listeners: of('JSEventListeners'),
      nodes: of('Nodes'),
      sockets: sockets.size,
    };
    await go(page, STILL_PATH);
    await sleep(1000);
    of = await collected();
    return { ...held, stillListeners: of('JSEventListeners') };
  };

  await signIn(page, site.url, 'alice', 'backs-the-outsider-9');
  await page.locator('.event-list__event').first().waitFor();
  const atFirst = await count();
  const events = new Set<number>();
  const day = { screens: 0, tables: 0, games: 0, rounds: 0 };
  const began = Date.now();
  let resting = 0;
  const course = [];
  for (let part = 1; part <= PARTS; part++) {
    await walk((LENGTH_MS / PARTS) * part, part === 1 ? 1 : 0);
    const before = Date.now();
    course.push({ ...(await count()), minutes: round((before - began - resting) / 60_000, 1) });
    resting += Date.now() - before;
  }
  const settled = course[0]!;
  const atEnd = course.at(-1)!;

  for (const [what, unit, value, baseline, more] of [
    [
      `heap after ${atEnd.minutes} minutes beside ${settled.minutes}`,
      'MB',
      atEnd.heapMb,
      settled.heapMb,
      { course: course.map(({ heapMb }) => round(heapMb, 1)) },
    ],
    [
      'the same without what the compiler made',
      'MB',
      atEnd.ownMb,
      settled.ownMb,
      { course: course.map(({ ownMb }) => round(ownMb, 1)) },
    ],
    [
      'listeners at the end beside the start',
      'listeners',
      atEnd.listeners,
      atFirst.listeners,
      { course: course.map(({ listeners }) => listeners) },
    ],
    [
      'listeners of a still screen at the end beside the start',
      'listeners',
      atEnd.stillListeners,
      atFirst.stillListeners,
      { course: course.map(({ stillListeners }) => stillListeners) },
    ],
    ['sockets at the end beside the start', 'sockets', atEnd.sockets, atFirst.sockets, {}],
    [
      'elements at the end beside the first part',
      'nodes',
      atEnd.nodes,
      settled.nodes,
      { course: course.map(({ nodes }) => nodes) },
    ],
  ] as const)
    report({
      name: `day: ${what}`,
      unit,
      value: round(value, 1),
      baseline: round(baseline, 1),
      ratio: round(baseline / value),
      screens: day.screens,
      events: events.size,
      ...more,
      failures: failures.length,
    });
  for (const failure of failures.slice(0, 5)) console.error(failure);

  /** Round after round of screens, until it has walked so long, and at least so many of them. */
  async function walk(lengthMs: number, rounds: number): Promise<void> {
    const over = () => day.rounds >= rounds && Date.now() - began - resting >= lengthMs;
    while (!over()) {
      const { matches } = await read(page, CALLS.catalog.list);
      const games = gameIds(await read(page, CALLS.provider.games));
      for (const [at, match] of matches.slice(0, EVENTS).entries()) {
        events.add(match.id);
        const race = match.matchType === 'horseRacing' || match.matchType === 'greyHound';
        await look(page, race ? `/race/${match.id}` : `/game-detail/${match.matchType}/${match.id}`);
        if (at % 3 === 0) await look(page, TABLE_PATHS[day.tables++ % TABLE_PATHS.length]!);
        if (at % 5 === 0) await look(page, `/game-list/${match.matchType}`);
        if (at % 10 === 0 && games.length > 0) await look(page, `/live-casino/${games[day.games++ % games.length]!}`);
        if (over()) return;
      }
      day.rounds += 1;
    }
  }

  async function look(on: Page, path: string): Promise<void> {
    await go(on, path);
    await sleep(Number(values.dwell));
    day.screens += 1;
  }

  /** Machine code, bytecode and what belongs to them, as a snapshot of the heap tells them from what the client made. */
  async function compiledBytes(): Promise<number> {
    const chunks: string[] = [];
    const take = ({ chunk }: { chunk: string }) => chunks.push(chunk);
    session.on('HeapProfiler.addHeapSnapshotChunk', take);
    await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    session.off('HeapProfiler.addHeapSnapshotChunk', take);
    const { snapshot, nodes } = JSON.parse(chunks.join('')) as {
      snapshot: { meta: { node_fields: string[]; node_types: [string[]] } };
      nodes: number[];
    };
    const { node_fields: fields, node_types: kinds } = snapshot.meta;
    const [kind, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
    const code = kinds[0].indexOf('code');
    let bytes = 0;
    for (let at = 0; at < nodes.length; at += fields.length) if (nodes[at + kind] === code) bytes += nodes[at + size]!;
    return bytes;
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
