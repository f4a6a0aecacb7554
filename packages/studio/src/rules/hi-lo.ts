/** Hi-Lo: is the next card higher or lower? Cards come from an endless deck: each of the 52 is as likely every time. */
import { CYCLE_MS, fields, oneOf, payOf, type ReturnRow, RuleError, type Step, soloGame, stakeFrom } from '../game.ts';

export interface HiLoWager {
  readonly stakeMinor: number;
}

export type Guess = 'higher' | 'lower';

export interface HiLoMove {
  readonly do: Guess | 'skip' | 'cash';
}

interface State extends HiLoWager {
  /** All the cards of the round, drawn before the first guess: suit * 13 + rank - 1. */
  readonly cards: readonly number[];
  /** What was done on each card but the last one shown. */
  readonly done: readonly (Guess | 'skip')[];
  readonly end: HiLoView['end'];
}

/** A guess that is offered: ranks that win out of 13, and what cashing out pays if it is right (hundredths). */
export interface Offer {
  readonly ranks: number;
  readonly times: number;
}

export interface HiLoView {
  /** The cards shown so far, the newest last. */
  readonly cards: readonly number[];
  readonly done: readonly (Guess | 'skip')[];
  /** What cashing out pays now (hundredths); after the round what it paid. */
  readonly times: number;
  /** Null where the guess is not offered. */
  readonly higher: Offer | null;
  readonly lower: Offer | null;
  readonly skipsLeft: number;
  readonly end: 'open' | 'cashed' | 'wrong';
}

const RANKS = 13;
export const MOST_GUESSES = 20;
export const MOST_SKIPS = 5;
const CARDS = 1 + MOST_GUESSES + MOST_SKIPS;
const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };
const MOST_TIMES = 1_000_000;

const rankOf = (card: number) => (card % RANKS) + 1;

/**
 * Ranks of 13 that make a guess right. The same rank counts as right for both, but on an ace "higher" and on a king "lower"
 * would always win: there they leave the same rank to the other guess, which is then right with the same rank only.
 */
export function winningRanks(rank: number, guess: Guess): number {
  const towards = guess === 'higher' ? RANKS + 1 - rank : rank;
  return towards === RANKS ? RANKS - 1 : towards;
}

/** The words of a guess on a card of this rank. */
export function guessWords(rank: number, guess: Guess): string {
  const ranks = winningRanks(rank, guess);
  if (ranks === 1) return 'Same';
  const word = guess === 'higher' ? 'Higher' : 'Lower';
  return ranks === RANKS - 1 && (rank === 1 || rank === RANKS) ? word : `${word} or same`;
}

const rightGuess = (from: number, to: number, guess: Guess) => {
  if (winningRanks(from, guess) === 1) return to === from;
  if (winningRanks(from, guess) === RANKS - 1 && (from === 1 || from === RANKS)) return to !== from;
  return guess === 'higher' ? to >= from : to <= from;
};

/**
 * The multiple in hundredths after right guesses that so many ranks each would have made right: 0.99 over the product of
 * their chances, cut once. In big integers: 13^20 is beyond the exact range of a number.
 */
export function hiLoTimes(ranks: readonly number[]): number {
  if (ranks.length === 0) return 100;
  const against = ranks.reduce((product, count) => product * BigInt(count), 1n);
  return Number((99n * BigInt(RANKS) ** BigInt(ranks.length)) / against);
}

/** Average return of making these guesses and cashing out, in millionths (cut). */
export function hiLoReturn(ranks: readonly number[]): number {
  const chance = ranks.reduce((product, count) => product * BigInt(count), 1n);
  return Number((BigInt(hiLoTimes(ranks)) * 10_000n * chance) / BigInt(RANKS) ** BigInt(ranks.length));
}

/**
 * Lowest return of all ways to play. Cutting costs less than 0.01 of a multiple X of at least 13/12, so a way returns more
 * than 0.99 - 0.01/X: nothing beyond X = 2 can fall under 0.985, and single guesses already do. Left are products under 2,
 * of guesses that 7 to 12 ranks make right.
 */
function lowestReturn(): number {
  let low = 1_000_000;
  const tryAll = (ranks: readonly number[], least: number) => {
    for (let next = least; next < RANKS; next++) {
      const more = [...ranks, next];
      if (hiLoTimes(more) >= 200) continue;
      low = Math.min(low, hiLoReturn(more));
      tryAll(more, next);
    }
  };
  tryAll([], 7);
  return low;
}

export const hiLo = soloGame<HiLoWager, State, HiLoMove, HiLoView>({
  kind: 'solo',
  code: 'hi-lo',
  name: 'Hi-Lo',
  category: 'Poker',
  family: 'poker',
  cycleMs: CYCLE_MS,
  ...limits,
  rules: [
    'A card is shown. Say whether the next one is higher or lower; ace is the lowest, king the highest, suits do not count.',
    'The same rank is right for both guesses. On an ace the guesses are higher or same, on a king lower or same: there the same rank wins for "same" only.',
    'Every card is drawn from a whole deck of 52, so every rank has a chance of 1 in 13 each time. All cards of the round are drawn before your first guess.',
    'The multiple is 0.99 divided by the chances of all your guesses, cut to two decimals. Cash out when you like; a wrong guess loses the stake.',
    `You may skip ${MOST_SKIPS} cards in a round; a skip changes nothing else. After ${MOST_GUESSES} right guesses the round pays out by itself.`,
    'A guess that would lead over 10,000 times the stake is not offered. Cashing out before the first guess gives the stake back.',
  ],
  returns: (): ReturnRow[] => [
    ...[12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(
      (ranks): ReturnRow => ({
        bet: `One guess, ${ranks} of 13 ranks win`,
        ppm: hiLoReturn([ranks]),
        how: 'exact',
      }),
    ),
    { bet: 'Lowest of all ways to play', ppm: lowestReturn(), how: 'exact' },
    { bet: 'Highest of all ways to play', ppm: 990_000, how: 'exact' },
  ],
  wager(input) {
    const { stakeMinor } = fields(input, ['stakeMinor']);
    return { stakeMinor: stakeFrom(stakeMinor, limits) };
  },
  stakeOf: (wager) => wager.stakeMinor,
  open(wager, random) {
    const cards = Array.from({ length: CARDS }, () => random.int(52));
    return step({ ...wager, cards, done: [], end: 'open' });
  },
  view(state) {
    const open = state.end === 'open';
    return {
      cards: state.cards.slice(0, state.done.length + 1),
      done: state.done,
      times: state.end === 'wrong' ? 0 : hiLoTimes(guessed(state)),
      higher: open ? offer(state, 'higher') : null,
      lower: open ? offer(state, 'lower') : null,
      skipsLeft: MOST_SKIPS - skips(state),
      end: state.end,
    };
  },
  move(input) {
    const { do: what } = fields(input, ['do']);
    return { do: oneOf(what, 'do', ['higher', 'lower', 'skip', 'cash'] as const) };
  },
  play(state, move) {
    if (state.end !== 'open') throw new RuleError('move', 'The round is over.');
    if (move.do === 'cash') return step({ ...state, end: 'cashed' });
    if (move.do === 'skip') {
      if (skips(state) === MOST_SKIPS) throw new RuleError('do', `Only ${MOST_SKIPS} cards may be skipped.`);
      return step({ ...state, done: [...state.done, 'skip'] });
    }
    if (!offer(state, move.do)) throw new RuleError('do', 'This guess would lead over the highest multiple.');
    const at = state.done.length;
    const done = [...state.done, move.do];
    if (!rightGuess(rankOf(state.cards[at]!), rankOf(state.cards[at + 1]!), move.do))
      return step({ ...state, done, end: 'wrong' });
    return step({ ...state, done, end: done.length - skips(state) === MOST_GUESSES ? 'cashed' : 'open' });
  },
  leave: () => ({ do: 'cash' }),
});

const skips = (state: State) => state.done.filter((what) => what === 'skip').length;

/** For each guess made, the ranks that would have made it right. */
const guessed = (state: State) =>
  state.done.flatMap((what, at) => (what === 'skip' ? [] : [winningRanks(rankOf(state.cards[at]!), what)]));

function offer(state: State, guess: Guess): Offer | null {
  const ranks = winningRanks(rankOf(state.cards[state.done.length]!), guess);
  const times = hiLoTimes([...guessed(state), ranks]);
  return times > MOST_TIMES ? null : { ranks, times };
}

function step(state: State): Step<State> {
  const paidMinor = state.end === 'cashed' ? payOf(state.stakeMinor, hiLoTimes(guessed(state))) : 0;
  return { state, over: state.end !== 'open', paidMinor };
}
