/**
 * How `npm run bench -- returns` and the tests play each game: one fixed strategy, or a spread of bets, with the return
 * it has by calculation. Every registered game has one line here.
 *
 * Measured is what was paid over all that was staked. `expectedPpm` is that figure by calculation, in millionths: for a
 * spread of equal stakes the mean of the returns of its bets. Games in which moves ask for further stakes (double, split)
 * may state it over the first stake only: `per: 'first'`, that is 1 + (paid - all stakes) / first stake.
 * Where the figure itself was found by simulation, `errorPpm` is its standard error.
 */
import type { Random } from '../src/game.ts';

export interface Strategy {
  /** What is checked by the game's own `wager`. */
  wager(random: Random): unknown;
  /** The move of an open round; games of one step have none. */
  move?(view: unknown, random: Random): unknown;
  readonly expectedPpm: number;
  readonly errorPpm?: number;
  readonly per?: 'all' | 'first';
  /** One line for the record. */
  readonly says: string;
}

const STAKE = 100;

export const strategies: Record<string, Strategy> = {
  dice: {
    says: 'Under 50.00',
    wager: () => ({ stakeMinor: STAKE, side: 'under', mark: 5000 }),
    expectedPpm: 990_000,
  },
};
