/**
 * `npm run simulate -- --seeds N --from S [--commands C] [--json]`: plays N seeds of the simulation of the betting core
 * (packages/exchange/test/sim). On a failure it prints the seed, what broke and the shortest log it can find, and exits 1.
 */
import { runSeed } from '../packages/exchange/test/sim/run.ts';
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
const started = performance.now();
const total = { commands: 0, refused: 0, fills: 0, settled: 0, cards: 0, movements: 0, holds: 0, crashes: 0 };

for (let seed = from; seed < from + seeds; seed++) {
  const { failure, ...counts } = runSeed(seed, commands);
  for (const key of Object.keys(total) as Array<keyof typeof total>) total[key] += counts[key];
  if (!failure) continue;
  process.stdout.write(`seed ${seed} (--commands ${commands}) fails at step ${failure.step}\n${failure.message}\n`);
  const cutting = performance.now();
  const short = shrink(failure.steps, failure.message, () => performance.now() - cutting > CUTTING_MS);
  process.stdout.write(`shortest log found, ${short.length} of ${failure.steps.length} steps:\n`);
  for (const step of short) process.stdout.write(`${JSON.stringify(step)}\n`);
  process.exit(1);
}

const seconds = Math.round((performance.now() - started) / 100) / 10;
const summary = { seeds, from, ...total, seconds, failures: 0 };
process.stdout.write(
  process.argv.includes('--json')
    ? `${JSON.stringify(summary)}\n`
    : `${seeds} seeds from ${from} without a fault: ${total.commands} steps, ${total.refused} refused, ${total.fills} matches, ` +
        `${total.settled} results (${total.cards} of card rounds), ${total.movements} movements of a provider, ` +
        `${total.holds} holds, ${total.crashes} crashes, ${seconds} s\n`,
);
