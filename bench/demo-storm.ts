/**
 * What a storm of players with play money costs those who play for money: 200 real bets a second on a fixed schedule, in turns
 * with and without five times as many demo bets as the core takes of them alone.
 *
 * - `demo-storm.DATABASE`: the 99th percentile of real bets in the storm, from their scheduled moment to their acknowledgement;
 *   the same without the storm as baseline. `refused` of the real ones must be 0; `demo` says how the storm fared.
 *
 * `npm run bench -- demo-storm [--seconds 4] [--database embedded|postgres]`; that many seconds a turn.
 */
import { parseArgs } from 'node:util';
import { type Core, openCore, type Request } from '../apps/server/src/core/core.ts';
import { silent } from '../apps/server/src/db/db.ts';
import { type BookMarket, bet, type DbPlace, onDatabases, openBookMarket, openPlayers } from './places.ts';
import { percentile, report, round } from './report.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, database: { type: 'string' } },
});
const TURN_MS = Number(values.seconds) * 1000;
const TURNS = 4;
const RATE = 200;
const STORM = 5;
const PLAYERS = 200;
const AT_ONCE = 256;
const TICK_MS = 5;
let placed = 0;

await onDatabases(values.database, 'demo-storm', measure);
process.exit(0);

async function measure(place: DbPlace): Promise<void> {
  const db = await place.open();
  const core = await openCore({ db, log: silent });
  const market = await openBookMarket(core);
  const cast = { core, market, real: await openPlayers(core, PLAYERS), demo: await openPlayers(core, PLAYERS, 'demo') };
  const capacity = await atMost(cast);
  const calm: number[] = [];
  const stormy: number[] = [];
  const demo = { perSecond: Math.round(capacity), offered: 0, taken: 0 };
  let refused = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    refused += (await scheduled(RATE, cast, 'real', calm)).refused;
    const storm = scheduled(capacity * STORM, cast, 'demo', null);
    refused += (await scheduled(RATE, cast, 'real', stormy)).refused;
    const { sent, refused: busy } = await storm;
    demo.offered += sent;
    demo.taken += sent - busy;
  }
  const [value, baseline] = [percentile(stormy, 99), percentile(calm, 99)];
  report({
    name: `demo-storm.${place.name}`,
    unit: 'ms',
    value: round(value),
    baseline: round(baseline),
    ratio: round(baseline / value),
    p50ms: round(percentile(stormy, 50)),
    calmP50ms: round(percentile(calm, 50)),
    refused,
    demo,
  });
  await core.stop();
  await db.close();
}

interface Cast {
  core: Core;
  market: BookMarket;
  real: number[];
  demo: number[];
}

function next({ market, ...cast }: Cast, world: 'real' | 'demo'): Request {
  return { ...bet(placed++, market, cast[world]), world };
}

/** How many bets of play money a second the core takes where nothing else is. */
async function atMost(cast: Cast): Promise<number> {
  const end = performance.now() + TURN_MS;
  let count = 0;
  const player = async () => {
    for (; performance.now() < end; count++) await cast.core.submit(next(cast, 'demo'));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, player));
  return count / (TURN_MS / 1000);
}

/**
 * Bets at a fixed rate for one turn, whatever becomes of them. The storm does not make up for time in which this process was
 * busy: it would measure the burst of its own sender.
 */
async function scheduled(
  rate: number,
  cast: Cast,
  world: 'real' | 'demo',
  tookMs: number[] | null,
): Promise<{ sent: number; refused: number }> {
  const answers: Array<Promise<unknown>> = [];
  const mostAtOnce = world === 'real' ? Number.POSITIVE_INFINITY : Math.ceil((2 * rate * TICK_MS) / 1000);
  let refused = 0;
  let due = performance.now();
  for (const end = due + TURN_MS; due < end; ) {
    const now = performance.now();
    for (let n = 0; n < mostAtOnce && due <= now && due < end; n++, due += 1000 / rate) {
      const at = due;
      answers.push(
        cast.core.submit(next(cast, world)).then(
          () => tookMs?.push(performance.now() - at),
          () => refused++,
        ),
      );
    }
    if (mostAtOnce !== Number.POSITIVE_INFINITY) due = Math.max(due, now);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await Promise.all(answers);
  return { sent: answers.length, refused };
}
