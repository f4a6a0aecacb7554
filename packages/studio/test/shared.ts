/** What the tests of the shared games have in common: the laws that hold for every one of them. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { AnyShared } from '../src/game.ts';
import { checkRefusals, fair, quick } from './solo.ts';
import { type Strategy, strategies } from './strategies.ts';

/** Draw, show, settle over random wagers and seeds. `mostTimes` in hundredths. */
export function checkSharedLaws(game: AnyShared, wagers: fc.Arbitrary<unknown>, mostTimes: number): void {
  fc.assert(
    fc.property(wagers, fc.nat(1_000_000), (input, nonce) => {
      const wager = game.wager(input);
      const stake = game.stakeOf(wager);
      const result = game.draw(fair(nonce));
      const paid = game.settle(wager, result, game.autoTimes?.(wager) ?? null);
      expect(Number.isSafeInteger(paid) && paid >= 0).toBe(true);
      expect(paid * 100).toBeLessThanOrEqual(stake * mostTimes);
      expect(Number.isSafeInteger(game.runMs(result)) && game.runMs(result) >= 0).toBe(true);
      expect(game.draw(fair(nonce))).toEqual(result);
      // Whatever is kept or sent survives JSON, a wager that was read is read again as itself.
      for (const each of [result, game.view(result, false), game.view(result, true)])
        expect(JSON.parse(JSON.stringify(each))).toEqual(each);
      expect(game.wager(JSON.parse(JSON.stringify(wager)))).toEqual(wager);
    }),
    { numRuns: 500 },
  );
  checkRefusals((input) => game.wager(input));
  expect(game.betMs + game.restMs).toBeGreaterThanOrEqual(5000);
  for (const { ppm } of game.returns()) {
    expect(Number.isInteger(ppm)).toBe(true);
    expect(ppm).toBeGreaterThanOrEqual(920_000);
    expect(ppm).toBeLessThanOrEqual(1_000_000);
  }
}

/** Plays a strategy and compares with its computed return: within four standard errors. */
export function checkSharedBySimulation(
  game: AnyShared,
  rounds = 200_000,
  strategy: Strategy = strategies[game.code]!,
): void {
  const random = quick(20_261_120);
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < rounds; i++) {
    const wager = game.wager(strategy.wager(random));
    const back = game.settle(wager, game.draw(random), game.autoTimes?.(wager) ?? null) / game.stakeOf(wager);
    sum += back;
    squares += back * back;
  }
  const mean = sum / rounds;
  const error = Math.sqrt((squares / rounds - mean * mean) / rounds);
  expect(Math.abs(mean - strategy.expectedPpm / 1_000_000)).toBeLessThan(4 * error);
}
