/**
 * How fast orders are decided: 70 % resting, 20 % crossing, 10 % cancel, on the 350-tick ladder.
 *
 * - `matching.book`: the bare book beside the npm package nodejs-order-book, the same operations in the same run;
 * - `matching.apply`: whole commands through `apply` (checks, funds, exposure, events) beside the same baseline;
 * - `matching.apply.p99`: time of one command, at the 99th percentile; the goal stands as its baseline.
 *
 * `npx tsx bench/matching.ts [operations]` prints one JSON line a figure. Needs no server.
 */
import { LADDER } from '@fairgame/contract';
import type { Command, State } from '@fairgame/exchange';
import { apply, createBook, createPool, createState, placeInBook, removeFromBook } from '@fairgame/exchange';
import { OrderBook, Side } from 'nodejs-order-book';
import { marketDef } from '../apps/server/test/fixture.ts';

const OPERATIONS = Number(process.argv[2] ?? 1_000_000);
const MIDDLE = 175;
const BATCH = 10_000;
const MARKETS = 20;
const RUNNERS = 3;
const PLAYERS = 500;
const GOAL_P99_US = 50;

/** One stream for all: kind 0 rest, 1 cross, 2 cancel. */
interface Operations {
  kind: Uint8Array;
  side: Uint8Array;
  tick: Int16Array;
  size: Int32Array;
  /** Cancel: which earlier operation's order. */
  target: Int32Array;
}

const operations = makeOperations(OPERATIONS);
// Two rounds, the better of each: other work on the machine hits whichever happens to run.
let packageRate = 0;
let bookRate = 0;
let applyRate = 0;
for (let round = 0; round < 2; round++) {
  bookRate = Math.max(bookRate, runBook(operations));
  applyRate = Math.max(applyRate, runApply(operations, null));
  packageRate = Math.max(packageRate, runPackage(operations));
}
const latencies = new Float64Array(Math.min(OPERATIONS, 300_000));
runApply(operations, latencies);
latencies.sort();
const p99 = latencies[Math.floor(latencies.length * 0.99)]! * 1000;

print('matching.book', 'operations/s', Math.round(bookRate), Math.round(packageRate), bookRate / packageRate);
print('matching.apply', 'commands/s', Math.round(applyRate), Math.round(packageRate), applyRate / packageRate);
print('matching.apply.p99', 'us', Number(p99.toFixed(2)), GOAL_P99_US, p99 / GOAL_P99_US);

function print(name: string, unit: string, value: number, baseline: number, ratio: number): void {
  console.log(JSON.stringify({ name, unit, value, baseline, ratio: Number(ratio.toFixed(3)) }));
}

function makeOperations(count: number): Operations {
  const next = random(20_25);
  const made: Operations = {
    kind: new Uint8Array(count),
    side: new Uint8Array(count),
    tick: new Int16Array(count),
    size: new Int32Array(count),
    target: new Int32Array(count),
  };
  for (let i = 0; i < count; i++) {
    const draw = next();
    made.kind[i] = draw < 0.7 || i < 100 ? 0 : draw < 0.9 ? 1 : 2;
    made.side[i] = next() < 0.5 ? 0 : 1;
    const away = 1 + Math.floor(next() * 120);
    // Waiting backs (side 0) stand above the middle, waiting lays below; a crossing order reaches over it.
    const above = (made.side[i] === 0) === (made.kind[i] === 0);
    made.tick[i] = above ? MIDDLE + away : MIDDLE - away;
    // Crossing orders are larger, so that about 200,000 of a million orders stay in the book.
    made.size[i] = (100 + Math.floor(next() * 5_000)) * (made.kind[i] === 1 ? 2 : 1);
    made.target[i] = Math.floor(next() * i);
  }
  return made;
}

function runPackage(ops: Operations): number {
  const book = new OrderBook();
  const ids = Array.from({ length: ops.kind.length }, (_, i) => String(i));
  const started = performance.now();
  for (let i = 0; i < ops.kind.length; i++) {
    if (ops.kind[i] === 2) book.cancel(ids[ops.target[i]!]!);
    else {
      // A waiting lay is what a backer buys from: the backs are the sellers' side.
      const side = ops.side[i] === 0 ? Side.SELL : Side.BUY;
      book.limit({ id: ids[i]!, side, size: ops.size[i]!, price: LADDER[ops.tick[i]!]! });
    }
  }
  return perSecond(ops.kind.length, started);
}

function runBook(ops: Operations): number {
  const book = createBook(createPool<null>(1 << 16));
  const handles = new Int32Array(ops.kind.length);
  const owners = new Int32Array(ops.kind.length + 1);
  const { kind, side, tick, size, target } = ops;
  const started = performance.now();
  for (let i = 0; i < kind.length; i++) {
    if (kind[i] === 2) {
      const node = handles[target[i]!]!;
      // A handle may have been filled and used again: its arrival number says whose it is.
      if (
        node !== 0 &&
        book.pool.seq[node] === target[i]! + 1 &&
        book.pool.size[node]! > 0 &&
        owners[target[i]!] === 0
      ) {
        removeFromBook(book, node);
        owners[target[i]!] = 1;
      }
      continue;
    }
    handles[i] = placeInBook(book, side[i] === 0 ? 0 : 1, tick[i]!, size[i]!, i + 1, i + 1, null);
    const { pool } = book;
    for (let f = 0; f < pool.fills; f++) {
      if (pool.fillGone[f] === 1) owners[pool.seq[pool.fillNode[f]!]! - 1] = 1;
    }
  }
  return perSecond(kind.length, started);
}

/** Time of `apply` alone: commands are made in batches outside the clock. With `latencies`, each command is timed. */
function runApply(ops: Operations, latencies: Float64Array | null): number {
  const state = makeSite();
  const count = latencies ? latencies.length : ops.kind.length;
  let spent = 0;
  let now = 1_800_000_000_000;
  for (let from = 0; from < count; from += BATCH) {
    const commands: Command[] = [];
    for (let i = from; i < Math.min(count, from + BATCH); i++) commands.push(commandOf(ops, i));
    if (latencies) {
      for (let i = 0; i < commands.length; i++) {
        const started = performance.now();
        apply(state, commands[i]!, now++);
        latencies[from + i] = performance.now() - started;
      }
    } else {
      const started = performance.now();
      for (const command of commands) apply(state, command, now++);
      spent += performance.now() - started;
    }
  }
  return latencies ? 0 : (count / spent) * 1000;
}

function commandOf(ops: Operations, i: number): Command {
  const market = (n: number) => 1 + (n % MARKETS);
  const account = (n: number) => 100 + ((n * 7919) % PLAYERS);
  if (ops.kind[i] === 2) {
    const target = ops.target[i]!;
    return { type: 'order.cancel', accountId: account(target), betId: target + 1 };
  }
  return {
    type: 'order.place',
    betId: i + 1,
    accountId: account(i),
    marketId: market(i),
    runnerId: 1 + ((i >> 3) % RUNNERS),
    side: ops.side[i] === 0 ? 'BACK' : 'LAY',
    price: LADDER[ops.tick[i]!]!,
    sizeMinor: ops.size[i]!,
    persistence: 'LAPSE',
  };
}

function makeSite(): State {
  const state = createState();
  for (let i = 0; i < PLAYERS; i++) {
    const accountId = 100 + i;
    apply(state, { type: 'account.open', accountId, currency: 'EUR', kind: 'player' }, 0);
    const amountMinor = 1_000_000_000_000;
    apply(state, { type: 'account.transfer', accountId, amountMinor, reason: 'deposit', text: '' }, 0);
  }
  for (let i = 0; i < MARKETS; i++) {
    const runners = Array.from({ length: RUNNERS }, (_, r) => ({ runnerId: r + 1, name: `Runner ${r + 1}` }));
    const market = marketDef(1 + i, 1, { runners, maxStakeMinor: 1_000_000 });
    apply(state, { type: 'market.create', market }, 0);
  }
  return state;
}

function perSecond(count: number, started: number): number {
  return (count / (performance.now() - started)) * 1000;
}

/** Small seeded generator, so that every run does the same. */
function random(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
