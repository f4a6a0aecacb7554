/**
 * What a game of the demonstration providers is: rules as pure data and functions, the same file on the provider's server
 * (which plays) and in the browser (which draws, and checks a finished round again from its seeds).
 *
 * Units: money is integer minor units (1/100); a stake is a whole multiple of STEP_MINOR; a multiple of the stake
 * ("times") is whole hundredths, stake included: 250 pays back two and a half stakes. With both rules every payment is a
 * whole number of minor units and no rounding touches the return to the player.
 *
 * Chance: everything a round leaves to chance is drawn in `open` (or `draw`) from one stream of HMAC-SHA256 numbers over
 * (server seed, client seed, nonce); the hash of the server seed is shown before the bet, the seed after the round.
 * Choices of the player never change what was drawn, so a round can be played again from seeds, wager and moves.
 */
import type { RandomStream } from '@fairgame/casino';

export const STEP_MINOR = 100;

/** Pace of play (reels and all others): from the start of a round to the start of the next one of the same player. */
export const REEL_CYCLE_MS = 2500;
export const CYCLE_MS = 5000;

export type Random = Pick<RandomStream, 'int'>;

export type Category = 'Live' | 'Game Shows' | 'Virtual' | 'Poker' | 'Others';

/** Families of icons and highlights in the lobby. */
export type Family =
  | 'dragon-tiger'
  | 'baccarat'
  | 'roulette'
  | 'poker'
  | 'lucky7'
  | 'andar-bahar'
  | 'teenpatti'
  | 'crash'
  | 'aviator'
  | 'mines'
  | 'slots'
  | 'colour'
  | 'game-show'
  | 'chicken'
  | 'fun';

/** One line of the rules: what a bet returns on average, in millionths of the stake. */
export interface ReturnRow {
  readonly bet: string;
  readonly ppm: number;
  /** `exact` by enumeration or formula; `simulated` where that is out of reach, with its standard error. */
  readonly how: 'exact' | 'simulated';
  readonly errorPpm?: number;
}

interface Common<Wager> {
  /** `dice`, lower case with dashes; unique over both providers. */
  readonly code: string;
  readonly name: string;
  readonly category: Category;
  readonly family: Family;
  /** REEL_CYCLE_MS or CYCLE_MS. */
  readonly cycleMs: number;
  readonly minStakeMinor: number;
  readonly maxStakeMinor: number;
  /** Short paragraphs of the rules panel; figures of pays stand in them. */
  readonly rules: readonly string[];
  returns(): readonly ReturnRow[];
  /** Checks what came over the wire, unknown fields refused. Throws RuleError with the field at fault. */
  wager(input: unknown): Wager;
  stakeOf(wager: Wager): number;
}

/** After each step: the hidden whole state, whether the round is over, and what it has paid back in all (only when over). */
export interface Step<State> {
  readonly state: State;
  readonly over: boolean;
  readonly paidMinor: number;
}

/**
 * A round of one player's own. Without `play` the round is over with `open`. State, wager, move and view are plain JSON.
 * The boundary types are `unknown` on purpose: the host and the page treat all games alike (see `soloGame`).
 */
export interface SoloGame<Wager = never, State = never, Move = never, View = unknown> extends Common<Wager> {
  readonly kind: 'solo';
  open(wager: Wager, random: Random): Step<State>;
  /** What the player may know of a state: no hidden card, no covered mine, until the round is over. */
  view(state: State): View;
  move?(input: unknown): Move;
  /** Further stake that a move asks for (double, split); debited before the move is played. 0 for most. */
  extra?(state: State, move: Move): number;
  /** Throws RuleError where the move is not allowed now. */
  play?(state: State, move: Move): Step<State>;
  /** Where the player leaves an open round: the move that ends it at its best sure value (stand, cash out). */
  leave?(state: State): Move;
}

/** A round that all players share: bets are taken, the result is drawn, it is shown for a while, all are paid. */
export interface SharedGame<Wager = never, Result = never> extends Common<Wager> {
  readonly kind: 'shared';
  /** How long bets are taken, and how long the result stays before the next round. */
  readonly betMs: number;
  readonly restMs: number;
  draw(random: Random): Result;
  /** How long the round runs from the end of betting until all is shown. */
  runMs(result: Result): number;
  /**
   * Crash games: the multiple (hundredths) that a bet cashes out at after this long; null elsewhere. A preset in the wager
   * (`autoTimes`) is honoured by the host to the hundredth.
   */
  timesAt?(elapsedMs: number): number;
  /** The preset of a wager, or null. */
  autoTimes?(wager: Wager): number | null;
  /** What the bet pays back; `cashedTimes` is the multiple it was cashed out at, or null. Over-late presets pay nothing. */
  settle(wager: Wager, result: Result, cashedTimes: number | null): number;
  /** What all may know while the round runs (crash: nothing but that it runs), and after it. */
  view(result: Result, over: boolean): unknown;
}

// The erased forms in which registry, host and page hold a game.
export type AnySolo = SoloGame<unknown, unknown, unknown, unknown>;
export type AnyShared = SharedGame<unknown, unknown>;
export type AnyGame = AnySolo | AnyShared;

/** Types a solo game where it is written and forgets the types where it is held; values only pass through its own functions. */
export function soloGame<Wager, State, Move, View>(game: SoloGame<Wager, State, Move, View>): AnySolo {
  return game as unknown as AnySolo;
}

export function sharedGame<Wager, Result>(game: SharedGame<Wager, Result>): AnyShared {
  return game as unknown as AnyShared;
}

/** A wager or move that the rules do not take. */
export class RuleError extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.name = 'RuleError';
    this.field = field;
  }
}

// ------------------------------------------------------------------------------------ reading what came over the wire

/** An object with no other fields than these. */
export function fields<K extends string>(input: unknown, names: readonly K[]): Partial<Record<K, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new RuleError('wager', 'An object is needed.');
  for (const name of Object.keys(input)) {
    if (!(names as readonly string[]).includes(name)) throw new RuleError(name, `There is no field ${name}.`);
  }
  return input as Partial<Record<K, unknown>>;
}

export function wholeFrom(value: unknown, field: string, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most)
    throw new RuleError(field, `${field} is a whole number from ${least} to ${most}.`);
  return value;
}

export function oneOf<T extends string | number>(value: unknown, field: string, allowed: readonly T[]): T {
  if (!(allowed as readonly unknown[]).includes(value))
    throw new RuleError(field, `${field} is one of ${allowed.join(', ')}.`);
  return value as T;
}

/** A stake in minor units: a whole multiple of STEP_MINOR within the game's bounds. */
export function stakeFrom(
  value: unknown,
  limits: { minStakeMinor: number; maxStakeMinor: number },
  field = 'stakeMinor',
): number {
  const stake = wholeFrom(value, field, limits.minStakeMinor, limits.maxStakeMinor);
  if (stake % STEP_MINOR !== 0) throw new RuleError(field, `${field} is a multiple of ${STEP_MINOR}.`);
  return stake;
}

/** Stake times a multiple in hundredths; exact, because stakes are multiples of STEP_MINOR. */
export function payOf(stakeMinor: number, times: number): number {
  return (stakeMinor / STEP_MINOR) * times;
}
