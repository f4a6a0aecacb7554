/**
 * `npm run simulate -- --seeds N --from S [--commands C] [--json]`: plays N seeds of the simulation of the betting core
 * (packages/exchange/test/sim), many of them on every core. On a failure it prints the seed, what broke and the shortest
 * log it can find, and exits 1. `--pools 4`: instead of it so many cores with money moving between them (sim/pools.ts).
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runPools } from '../packages/exchange/test/sim/pools.ts';
import { noCounts, runSeed } from '../packages/exchange/test/sim/run.ts';
import { shrink } from '../packages/exchange/test/sim/shrink.ts';

const CUTTING_MS = 20_000;

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  const value = at < 0 ? otherwise : Number(process.argv[at + 1]);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  process.stderr.write(`--${name} wants a whole number\n`);
  process.exit(2);
}

const seeds = option('seeds', 200);
const from = option('from', 1);
const commands = option('commands', 800);
const pools = option('pools', 0);
const started = performance.now();
const total = { commands: 0, ...noCounts() };
/** Fewer seeds than this are played sooner than another process starts. */
const WORTH_A_PROCESS = 25;

function add(counts: typeof total): void {
  for (const key of Object.keys(total) as Array<keyof typeof total>) total[key] += counts[key];
}

function play(): void {
  for (let seed = from; seed < from + seeds; seed++) {
    const { failure, ...counts } = runSeed(seed, commands);
    add(counts);
    if (!failure) continue;
    const cutting = performance.now();
    const short = shrink(failure.steps, failure.message, () => performance.now() - cutting > CUTTING_MS);
    const lines = [
      `seed ${seed} (--commands ${commands}) fails at step ${failure.step}`,
      failure.message,
      `shortest log found, ${short.length} of ${failure.steps.length} steps:`,
      ...short.map((step) => JSON.stringify(step)),
    ];
    // In one piece: another process may have found something at the same time.
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exit(1);
  }
}

function playPools(): never {
  const sums = { commands: 0, transfers: 0, repeats: 0, crashes: 0, bets: 0, results: 0 };
  for (let seed = from; seed < from + seeds; seed++) {
    const { failure, ...counts } = runPools(seed, Math.max(2, pools), commands);
    for (const key of Object.keys(sums) as Array<keyof typeof sums>) sums[key] += counts[key];
    if (failure === null) continue;
    process.stdout.write(`seed ${seed} (--pools ${pools} --commands ${commands}) fails: ${failure}\n`);
    process.exit(1);
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  process.stdout.write(`${JSON.stringify({ seeds, from, pools, ...sums, seconds, failures: 0 })}\n`);
  process.exit(0);
}

/** Each process plays a share and sends what it counted; the first that fails has printed why and ends the run. */
async function share(processes: number): Promise<void> {
  const edges = Array.from({ length: processes + 1 }, (_, i) => from + Math.floor((seeds * i) / processes));
  const children = edges.slice(1).map((to, i) => {
    const first = edges[i]!;
    const numbers = { from: first, seeds: to - first, commands };
    return fork(
      fileURLToPath(import.meta.url),
      Object.entries(numbers).flatMap(([name, value]) => [`--${name}`, String(value)]),
    );
  });
  const end = () => {
    for (const child of children) child.kill();
  };
  process.once('exit', end);
  await Promise.all(
    children.map(
      (child) =>
        new Promise<void>((resolve) => {
          let sent = false;
          child.on('message', (counts) => {
            add(counts as typeof total);
            sent = true;
          });
          child.on('exit', (code) => (code === 0 && sent ? resolve() : process.exit(code || 1)));
        }),
    ),
  );
}

if (pools > 0) playPools();
const processes = Math.min(availableParallelism(), Math.floor(seeds / WORTH_A_PROCESS));
if (process.send) {
  play();
  process.send(total, () => process.exit(0));
} else {
  if (processes > 1) await share(processes);
  else play();
  summary();
}

function summary(): void {
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const sums = { seeds, from, ...total, seconds, failures: 0 };
  process.stdout.write(
    process.argv.includes('--json')
      ? `${JSON.stringify(sums)}\n`
      : `${seeds} seeds from ${from} without a fault: ${total.commands} steps, ${total.refused} refused, ${total.fills} matches, ` +
          `${total.settled} results (${total.cards} of card rounds), ${total.movements} movements of a provider, ` +
          `${total.fired} conditional orders fired, ${total.holds} holds, ${total.slices} slices, ${total.returned} markets back in parts, ${total.crashes} crashes, ${seconds} s\n`,
  );
}
