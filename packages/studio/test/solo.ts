/** What the tests of the one-player games share: numbers to play with, whole rounds, and the laws that hold for every game. */
import { createStream } from '@fairgame/casino';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type AnySolo, type Random, RuleError } from '../src/game.ts';
import { type Strategy, strategies } from './strategies.ts';

/** Quick numbers for counting; rounds of the games draw from the fair stream. */
export function quick(seed: number): Random {
  let state = seed >>> 0;
  return {
    int(n) {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return Math.floor((((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000) * n);
    },
  };
}

/** The fair stream of one of many seeds. */
export const fair = (nonce: number) =>
  createStream({ serverSeed: 'a1'.repeat(32), clientSeed: 'a client seed', nonce });

/** The field that the rules name when they refuse; fails where they do not. */
export function refused(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RuleError) return error.field;
    throw error;
  }
  throw new Error('The rules took it.');
}

/** A whole round; moves that come after its end or are not allowed are passed over, and the game's own leaving ends it. */
export function playRound(game: AnySolo, input: unknown, moves: readonly unknown[], random: Random) {
  const wager = game.wager(input);
  let step = game.open(wager, random);
  const steps = [step];
  const take = (move: unknown) => {
    step = game.play!(step.state, move);
    steps.push(step);
  };
  for (const sent of moves) {
    if (step.over) break;
    try {
      take(game.move!(sent));
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
    }
  }
  if (!step.over) take(game.leave!(step.state));
  return { wager, stakeMinor: game.stakeOf(wager), steps, end: step };
}

/** The laws of a one-player game over rounds of random wagers, moves and seeds. `mostTimes` is in hundredths. */
export function checkLaws(
  game: AnySolo,
  wagers: fc.Arbitrary<unknown>,
  moves: fc.Arbitrary<unknown> | null,
  mostTimes: number,
): void {
  const rounds = fc.tuple(wagers, moves ? fc.array(moves, { maxLength: 30 }) : fc.constant([]), fc.nat(1_000_000));
  fc.assert(
    fc.property(rounds, ([input, sent, nonce]) => {
      const { stakeMinor, steps, end } = playRound(game, input, sent, fair(nonce));
      expect(end.over).toBe(true);
      for (const step of steps) {
        expect(Number.isSafeInteger(step.paidMinor) && step.paidMinor >= 0).toBe(true);
        expect(step.paidMinor * 100).toBeLessThanOrEqual(stakeMinor * mostTimes);
        if (!step.over) expect(step.paidMinor).toBe(0);
        // Whatever is kept or sent survives JSON.
        expect(JSON.parse(JSON.stringify(step.state))).toEqual(step.state);
        expect(JSON.parse(JSON.stringify(game.view(step.state)))).toEqual(game.view(step.state));
      }
      // The same seeds, wager and moves play the same round again.
      expect(playRound(game, input, sent, fair(nonce)).end).toEqual(end);
    }),
    { numRuns: 300 },
  );
}

/** Whatever comes over the wire is taken whole or refused by name. */
export function checkRefusals(read: (input: unknown) => unknown): void {
  fc.assert(
    fc.property(fc.anything(), (input) => {
      try {
        read(input);
      } catch (error) {
        expect(error).toBeInstanceOf(RuleError);
        expect(typeof (error as RuleError).field).toBe('string');
      }
    }),
    { numRuns: 500 },
  );
}

/** Plays the game's strategy and compares with its computed return: within four standard errors. */
export function checkBySimulation(game: AnySolo, rounds = 100_000, strategy: Strategy = strategies[game.code]!): void {
  const random = quick(20_261_120);
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < rounds; i++) {
    const wager = game.wager(strategy.wager(random));
    let step = game.open(wager, random);
    while (!step.over) step = game.play!(step.state, game.move!(strategy.move!(game.view(step.state), random)));
    const back = step.paidMinor / game.stakeOf(wager);
    sum += back;
    squares += back * back;
  }
  const mean = sum / rounds;
  const error = Math.sqrt((squares / rounds - mean * mean) / rounds);
  expect(Math.abs(mean - strategy.expectedPpm / 1_000_000)).toBeLessThan(4 * error);
}

/** Every printed return is between 92 % and 100 %. */
export function checkReturns(game: AnySolo): void {
  const rows = game.returns();
  expect(rows.length).toBeGreaterThan(0);
  for (const { ppm } of rows) {
    expect(Number.isInteger(ppm)).toBe(true);
    expect(ppm).toBeGreaterThanOrEqual(920_000);
    expect(ppm).toBeLessThanOrEqual(1_000_000);
  }
}
