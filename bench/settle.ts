/**
 * What a large act costs everybody else: a market with many bets is declared, undeclared and made void; another as big loses a
 * runner and gets it back, as a person wants it and as a feed says it, and has bets taken out; of a third all bets wait, and lapse
 * with its suspension. Meanwhile 500 bets a second come in elsewhere.
 *
 * - `settle.DATABASE.BETS.ACT`: the 99th percentile of those bets from their scheduled moment to their acknowledgement, with
 *   the goal of 200 ms as baseline; `totalMs` is how long the act took.
 *
 * `npm run bench -- settle [--bets 50000,300000] [--database embedded|postgres]`
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Core, openCore, type Request } from '../apps/server/src/core/core.ts';
import { silent } from '../apps/server/src/db/db.ts';
import { type BookMarket, bet, type DbPlace, onDatabases, openBookMarket, openPlayers } from './places.ts';
import { percentile, report, round } from './report.ts';
import { FLAGS, ROOT, shipped } from './shipped.ts';

const { values } = parseArgs({
  options: { bets: { type: 'string', default: '50000,300000' }, database: { type: 'string' } },
});
const RATE = 500;
const GOAL_MS = 200;
const PLAYERS = 2000;
const AT_ONCE = 512;
/** As many as one call of an operator may name. */
const TAKEN_OUT = 200;
/** Before and after the act, so that its first and last moments are in. */
const AROUND_MS = 1500;
const LONGEST_MS = 240_000;
let placed = 0;

// As it is shipped: from its sources the one command that removes a runner takes twice as long.
if (process.env.BENCH_ROLE !== 'core') {
  const program = [...FLAGS, await shipped(fileURLToPath(import.meta.url)), ...process.argv.slice(2)];
  const env = { ...process.env, BENCH_ROLE: 'core', FAIRGAME_ROOT: ROOT };
  process.exit(spawnSync(process.execPath, program, { stdio: 'inherit', env }).status ?? 1);
}
await onDatabases(values.database, 'settle', async (place) => {
  for (const bets of values.bets.split(',').map(Number)) await measure(place, bets);
});
process.exit(0);

async function measure(place: DbPlace, bets: number): Promise<void> {
  const db = await place.open();
  const core = await openCore({ db, log: silent });
  const players = await openPlayers(core, PLAYERS);
  const big = await openBookMarket(core);
  const other = await openBookMarket(core);
  const waiting = await openBookMarket(core);
  const elsewhere = await openBookMarket(core);
  for (const market of [big, other]) await fill(core, market, bets, players);
  const betIds = await fill(core, waiting, bets, players, 'BACK');
  const act = (command: Extract<Request['command'], { marketId: number }>) => async () => {
    await core.submit({ world: 'all', actor: 'operator:bench', command });
    // The answer says that it has begun.
    while (core.read.isSettling(command.marketId)) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const winner = { kind: 'winners' as const, runnerIds: [big.runnerIds[0]!] };
  const change = { marketId: other.marketId, runnerId: other.runnerIds[2]!, factor: 2000 };
  const remove = act({ type: 'runner.remove', ...change, force: 'withdrawn' });
  const acts: Array<[string, () => Promise<void>]> = [
    ['declare', act({ type: 'market.declare', marketId: big.marketId, result: winner })],
    ['undeclare', act({ type: 'market.undeclare', marketId: big.marketId })],
    ['void', act({ type: 'market.declare', marketId: big.marketId, result: { kind: 'void', reason: 'abandoned' } })],
    ['remove', remove],
    ['reinstate', act({ type: 'runner.reinstate', ...change, force: 'found again' })],
    ['remove-again', remove],
    ['return', act({ type: 'runner.reinstate', ...change })],
    [
      'take-out',
      act({ type: 'bets.void', marketId: waiting.marketId, betIds: betIds.slice(0, TAKEN_OUT), reason: 'wrong rate' }),
    ],
    ['lapse', act({ type: 'market.state', marketId: waiting.marketId, status: 'SUSPENDED', lapse: true })],
  ];
  for (const [name, run] of acts) {
    const { totalMs, latencies, failed, error } = await beside(core, elsewhere, players, run);
    const p99 = percentile(latencies, 99);
    report({
      name: `settle.${place.name}.${bets}.${name}`,
      unit: 'ms p99',
      value: round(p99),
      baseline: GOAL_MS,
      ratio: round(GOAL_MS / Math.max(p99, 0.01)),
      totalMs: Math.round(totalMs),
      longestMs: round(Math.max(...latencies)),
      bets: latencies.length,
      refused: failed,
      ...(error === null ? {} : { error }),
    });
  }
  await core.stop();
  await db.close();
}

/** Bets that meet each other, or wait where all are of one side. Answers their numbers. */
async function fill(
  core: Core,
  market: BookMarket,
  count: number,
  players: number[],
  side?: 'BACK',
): Promise<number[]> {
  const betIds: number[] = [];
  for (let done = 0; done < count; done += AT_ONCE) {
    const requests = Array.from({ length: Math.min(AT_ONCE, count - done) }, () => {
      const request = bet(placed++, market, players);
      return side === undefined ? request : ({ ...request, command: { ...request.command, side } } as Request);
    });
    for (const answer of await core.submitAll(requests)) {
      if (answer instanceof Error) throw answer;
      for (const event of answer.events) if (event.type === 'bet') betIds.push(event.bet.betId);
    }
  }
  return betIds;
}

/** Does `act` while bets come at their moments, whether those before are answered or not. */
async function beside(core: Core, market: BookMarket, players: number[], act: () => Promise<void>) {
  const latencies: number[] = [];
  const under: Array<Promise<void>> = [];
  let failed = 0;
  let error: string | null = null;
  let ended = false;
  const began = performance.now();
  const place = async (due: number) => {
    try {
      await core.submit(bet(placed++, market, players));
      latencies.push(performance.now() - due);
    } catch {
      failed++;
    }
  };
  const load = (async () => {
    for (let sent = 0; !ended; ) {
      const due = began + (sent * 1000) / RATE;
      if (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1));
      else {
        sent++;
        under.push(place(due));
      }
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, AROUND_MS));
  const started = performance.now();
  const timeout = new Promise((_, reject) =>
    setTimeout(() => reject(new Error('not done in time')), LONGEST_MS).unref(),
  );
  await Promise.race([act(), timeout]).catch((failure: Error) => {
    error = failure.message;
  });
  const totalMs = performance.now() - started;
  await new Promise((resolve) => setTimeout(resolve, AROUND_MS));
  ended = true;
  await load;
  await Promise.all(under);
  return { totalMs, latencies, failed, error };
}
