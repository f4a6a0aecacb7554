/**
 * What a busy afternoon leaves behind: hours of bets at 500 a second, on a clock that runs as fast as the machine commits them;
 * markets open and close all the while. Every commit is a real one; snapshots are taken and closed markets leave memory as on a
 * site. A shorter afternoon is the same one in small: its markets are open for less, and fewer closed bets stay in memory.
 *
 * - `growth.DATABASE.memory`: what the process holds at the end beside what it held when the first closed markets had left
 *   (MB); a ratio near 1 is flat.
 * - `growth.DATABASE.disk`: bytes a bet; the figure of the program before it had tables of months (1,200) is the baseline.
 * - `growth.DATABASE.start`: opening the core again, the goal of 5 s as baseline.
 *
 * `npm run bench -- growth [--hours 3] [--rate 500] [--database embedded|postgres]`. Three hours are 5.4 million bets: plan for
 * the better part of an hour a database, or ask for fewer.
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Core, openCore } from '../apps/server/src/core/core.ts';
import { type Db, silent } from '../apps/server/src/db/db.ts';
import { type BookMarket, bet, type DbPlace, onDatabases, openBookMarket, openPlayers } from './places.ts';
import { report, round } from './report.ts';

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '3' },
    rate: { type: 'string', default: '500' },
    database: { type: 'string' },
  },
});
const RATE = Number(values.rate);
const SECONDS = Math.round(Number(values.hours) * 3600);
const PLAYERS = 5000;
const OPEN_MARKETS = 30;
/** A market is open for so long. */
const MARKET_S = Math.min(1200, Math.round(SECONDS / 9));
/** Bets and fills of closed markets that stay in memory; a site's own bound where the afternoon is three hours. */
const KEPT_ROWS = Math.min(100_000, Math.round((RATE * SECONDS) / 54));
/** By then as many have closed as stay, and what is above that leaves within a minute and a look. */
const FLAT_FROM_S = 2 * MARKET_S + 80;
const START_GOAL_S = 5;
const BYTES_BEFORE = 1200;
const SAMPLES = 12;
/** Longer than this is told while it runs: what waits for five seconds is refused. */
const SLOW_MS = 1000;
setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

await onDatabases(values.database, 'growth', measure);
process.exit(0);

async function measure(place: DbPlace): Promise<void> {
  const time = { ms: Date.now() };
  const db = await place.open();
  const core = await open(db, time);
  const emptyBytes = await place.bytes(db);
  const samples = await afternoon(core, time);
  await core.stop();
  const bytes = (await place.bytes(db)) - emptyBytes;
  await db.close();

  const again = await place.open();
  const started = performance.now();
  const reopened = await open(again, time);
  const startS = (performance.now() - started) / 1000;
  await reopened.stop();
  await again.close();

  const bets = RATE * SECONDS;
  const settled = samples.filter(({ at }) => at >= FLAT_FROM_S);
  const first = settled[0] ?? samples[0]!;
  const last = samples.at(-1)!;
  const figure = (what: string, unit: string, value: number, baseline: number, more: object) =>
    report({
      name: `growth.${place.name}.${what}`,
      unit,
      value: round(value),
      baseline: round(baseline),
      ratio: round(baseline / value),
      bets,
      ...more,
    });
  figure('memory', 'MB', last.mb, first.mb, { samples: samples.map(({ at, mb, rssMb }) => [at, mb, rssMb]) });
  figure('disk', 'bytes a bet', bytes / bets, BYTES_BEFORE, {});
  figure('start', 's', startS, START_GOAL_S, {});
}

function open(db: Db, time: { ms: number }): Promise<Core> {
  return openCore({
    db,
    log: silent,
    clock: () => time.ms,
    steady: () => time.ms,
    archiveRows: KEPT_ROWS,
  });
}

interface Sample {
  /** Second of the afternoon. */
  at: number;
  mb: number;
  rssMb: number;
}

/** Memory at moments of the afternoon. */
async function afternoon(core: Core, time: { ms: number }): Promise<Sample[]> {
  const players = await openPlayers(core, PLAYERS);
  const markets: Array<BookMarket & { closesAt: number }> = [];
  const samples: Sample[] = [];
  let placed = 0;
  for (let second = 0; second < SECONDS; second++) {
    time.ms += 1000;
    while (markets.length < OPEN_MARKETS) {
      const closesAt = second + Math.round((MARKET_S * (markets.length + 1)) / OPEN_MARKETS);
      markets.push({ ...(await openBookMarket(core)), closesAt: second === 0 ? closesAt : second + MARKET_S });
    }
    const requests = Array.from({ length: RATE }, () => bet(placed, markets[placed++ % markets.length]!, players));
    const began = performance.now();
    const refused = (await core.submitAll(requests)).find((answer) => answer instanceof Error);
    const tookMs = performance.now() - began;
    if (tookMs > SLOW_MS || refused) console.error(`second ${second}: ${Math.round(tookMs)} ms, ${placed} bets so far`);
    if (refused) throw refused;
    for (const market of markets.filter(({ closesAt }) => closesAt <= second)) {
      markets.splice(markets.indexOf(market), 1);
      const result = { kind: 'winners' as const, runnerIds: [market.runnerIds[second % 3]!] };
      await core.submit({
        world: 'all',
        actor: 'bench',
        command: { type: 'market.declare', marketId: market.marketId, result },
      });
    }
    if ((second + 1) % Math.ceil(SECONDS / SAMPLES) === 0) samples.push({ at: second + 1, ...memory() });
  }
  return samples;
}

/** What the writer's thread holds once it has cleared up; of the whole process beside it. */
function memory(): { mb: number; rssMb: number } {
  collect();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { mb: Math.round((heapUsed + arrayBuffers) / 1e6), rssMb: Math.round(rss / 1e6) };
}
