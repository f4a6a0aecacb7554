import { describe, expect, it } from 'vitest';
import { runSeed } from './run.ts';
import { shrink } from './shrink.ts';

const COMMANDS = 800;
const GROUP = 10;

/** Runs these seeds as tests of the file that calls it; a file for each half, so that they run side by side. */
export function testSeeds(first: number, last: number): void {
  /** Card rounds with a bet that got their result, over all groups. */
  let cards = 0;
  /** Winnings held back because a short account owes them. */
  let holds = 0;
  /** Markets that left memory in parts and were whole again. */
  let returned = 0;
  /** Conditional orders that the player's own limits on stakes kept from their bet. */
  let limited = 0;
  /** What the house's bounds kept out, accounts that left, bets that the operator let lapse, that a restriction met in their delay, holds given up. */
  const seldom = { bounded: 0, closed: 0, lapsed: 0, barred: 0, released: 0 };
  describe('seeded simulation of the whole core against naive models', () => {
    for (let from = first; from <= last; from += GROUP) {
      it(`INV-01..07, 10, 13..17, 19, 25, 27..29: seeds ${from} to ${from + GROUP - 1}, ${COMMANDS} commands each`, () => {
        let fills = 0;
        let settled = 0;
        let movements = 0;
        let slices = 0;
        let parts = 0;
        let fired = 0;
        let attached = 0;
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
          cards += outcome.cards;
          holds += outcome.holds;
          movements += outcome.movements;
          slices += outcome.slices;
          parts += outcome.parts;
          returned += outcome.returned;
          fired += outcome.fired;
          attached += outcome.attached;
          limited += outcome.limited;
          for (const name of Object.keys(seldom) as Array<keyof typeof seldom>) seldom[name] += outcome[name];
        }
        // A run in which nothing happens proves nothing.
        expect(fills).toBeGreaterThan(100);
        expect(settled).toBeGreaterThan(GROUP);
        expect(movements).toBeGreaterThan(10 * GROUP);
        expect(slices).toBeGreaterThan(5 * GROUP);
        expect(parts).toBeGreaterThan(GROUP);
        expect(fired).toBeGreaterThan(2 * GROUP);
        expect(attached).toBeGreaterThan(GROUP);
      });
    }

    it('card rounds, accounts that owe, markets that came back in parts and limits on stakes were among them', () => {
      expect(cards).toBeGreaterThan(5);
      expect(holds).toBeGreaterThan(5);
      expect(returned).toBeGreaterThan(5);
      expect(limited).toBeGreaterThan(5);
    });

    it('bounds of the house, accounts that left, whole markets that lapsed, restrictions within a delay and holds given up were, too', () => {
      expect(seldom.bounded).toBeGreaterThan(100);
      expect(seldom.closed).toBeGreaterThan(100);
      expect(seldom.lapsed).toBeGreaterThan(100);
      expect(seldom.barred).toBeGreaterThan(10);
      expect(seldom.released).toBeGreaterThan(0);
    });
  });
}
