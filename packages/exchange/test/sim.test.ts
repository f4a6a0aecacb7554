import { describe, expect, it } from 'vitest';
import { runSeed } from './sim/run.ts';
import { shrink } from './sim/shrink.ts';

const SEEDS = 200;
const COMMANDS = 800;
const GROUP = 20;

describe('seeded simulation of the whole core against naive models', () => {
  for (let from = 1; from <= SEEDS; from += GROUP) {
    it(`INV-01..07, 10, 13..17: seeds ${from} to ${from + GROUP - 1}, ${COMMANDS} commands each`, () => {
      let fills = 0;
      let settled = 0;
      for (let seed = from; seed < from + GROUP; seed++) {
        const outcome = runSeed(seed, COMMANDS);
        if (outcome.failure) {
          const started = performance.now();
          const { steps, message } = outcome.failure;
          const short = shrink(steps, message, () => performance.now() - started > 10_000);
          const log = short.map((step) => JSON.stringify(step)).join('\n');
          throw new Error(
            `seed ${seed} of ${COMMANDS} commands: ${message}\nshortest log found, ${short.length} steps:\n${log}`,
          );
        }
        fills += outcome.fills;
        settled += outcome.settled;
      }
      // A run in which nothing happens proves nothing.
      expect(fills).toBeGreaterThan(200);
      expect(settled).toBeGreaterThan(GROUP);
    });
  }
});
