/**
 * Crash: a multiple climbs from 1.00 until it stops at a point that nobody knows; a bet that was cashed out before is paid
 * at its multiple. Skyward and Comet are the same rules with other figures.
 */
import { CYCLE_MS, type Family, fields, payOf, type ReturnRow, sharedGame, stakeFrom, wholeFrom } from '../game.ts';

export interface CrashWager {
  readonly stakeMinor: number;
  /** Multiple in hundredths at which the bet cashes out by itself, or null. */
  readonly autoTimes: number | null;
}

interface Result {
  /** The last multiple that still pays, in hundredths. 100: it stopped at once and nobody is paid. */
  readonly crash: number;
}

/** While it runs nobody knows anything; afterwards the point. */
export type CrashView = { readonly crash: number | null };

export interface Variant {
  readonly code: string;
  readonly name: string;
  readonly family: Family;
  readonly maxStakeMinor: number;
  /** Of 100 staked, what comes back at every preset. */
  readonly meant: number;
  /** Highest multiple, hundredths: everyone still in is paid it. */
  readonly cap: number;
  /** The multiple grows by this factor a millisecond. */
  readonly growth: number;
}

/** Twice the stake after 8.7 s, 1,000 times after 86 s. */
const SKYWARD: Variant = {
  code: 'skyward',
  name: 'Skyward',
  family: 'aviator',
  maxStakeMinor: 50_000,
  meant: 97,
  cap: 100_000,
  growth: 1.00008,
};

/** Twice the stake after 5.8 s, 10,000 times after 77 s. */
const COMET: Variant = {
  code: 'comet',
  name: 'Comet',
  family: 'crash',
  maxStakeMinor: 10_000,
  meant: 96,
  cap: 1_000_000,
  growth: 1.00012,
};

const MIN_STAKE_MINOR = 100;
export const LEAST_AUTO = 101;
/** The point is drawn from this many equally likely numbers. */
export const DRAWS = 2 ** 32;

/** The point for a drawn number (0 to DRAWS - 1): at least t for exactly floor(meant * DRAWS / t) of the numbers. */
export function crashPoint(variant: Pick<Variant, 'meant' | 'cap'>, drawn: number): number {
  return Math.min(variant.cap, Math.max(100, Math.floor((variant.meant * DRAWS) / (drawn + 1))));
}

/** Return of a preset, in millionths; a touch under `meant` per cent because the numbers are whole. */
export function presetPpm(variant: Pick<Variant, 'meant'>, times: number): number {
  return Math.floor(((Math.floor((variant.meant * DRAWS) / times) / DRAWS) * times * 1_000_000) / 100);
}

/** The multiple after so many milliseconds. Products only, in a fixed order: the same number on every machine. */
export function timesAfter(variant: Pick<Variant, 'growth' | 'cap'>, elapsedMs: number): number {
  let factor = variant.growth;
  let value = 100;
  for (let rest = Math.max(0, Math.floor(elapsedMs)); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) value *= factor;
    factor *= factor;
  }
  return Math.min(variant.cap, Math.floor(value));
}

/** The first millisecond at which the multiple has reached `times`. */
export function msUntil(variant: Pick<Variant, 'growth' | 'cap'>, times: number): number {
  let low = 0;
  let high = 2 ** 20;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (timesAfter(variant, middle) >= times) high = middle;
    else low = middle + 1;
  }
  return low;
}

export const skyward = crashGame(SKYWARD);
export const comet = crashGame(COMET);
export const VARIANTS: readonly Variant[] = [SKYWARD, COMET];

function crashGame(variant: Variant) {
  const limits = { minStakeMinor: MIN_STAKE_MINOR, maxStakeMinor: variant.maxStakeMinor };
  const cap = variant.cap / 100;
  return sharedGame<CrashWager, Result>({
    kind: 'shared',
    code: variant.code,
    name: variant.name,
    category: 'Virtual',
    family: variant.family,
    cycleMs: CYCLE_MS,
    betMs: 8000,
    restMs: 4000,
    ...limits,
    rules: [
      'A multiple climbs from 1.00 and stops at a point drawn before the round. A bet cashed out by then is paid its stake times the multiple; one still in is lost.',
      `The chance to reach a multiple is ${variant.meant} % divided by it, so every preset returns the same. In about ${101 - variant.meant} rounds of 100 it stops at 1.00 and nobody is paid.`,
      'Cash out by hand, or set a multiple beforehand: a preset is paid at exactly that multiple, whatever the connection does.',
      `At ${cap.toLocaleString('en')} the round ends and every bet still in is paid that. Cashed out by hand, the multiple is the one at the time the request reaches the provider.`,
    ],
    returns(): ReturnRow[] {
      return [101, 150, 200, 500, 1000, 10_000, variant.cap].map((times) => ({
        bet: `Preset ${(times / 100).toFixed(2)}`,
        ppm: presetPpm(variant, times),
        how: 'exact',
      }));
    },
    wager(input) {
      const { stakeMinor, autoTimes } = fields(input, ['stakeMinor', 'autoTimes']);
      return {
        stakeMinor: stakeFrom(stakeMinor, limits),
        autoTimes:
          autoTimes === null || autoTimes === undefined
            ? null
            : wholeFrom(autoTimes, 'autoTimes', LEAST_AUTO, variant.cap),
      };
    },
    stakeOf: (wager) => wager.stakeMinor,
    draw: (random) => ({ crash: crashPoint(variant, random.int(DRAWS)) }),
    // The point itself is still shown and paid; the round ends with the millisecond that would pass it.
    runMs({ crash }) {
      if (crash === 100) return 0;
      return msUntil(variant, crash === variant.cap ? crash : crash + 1);
    },
    timesAt: (elapsedMs) => timesAfter(variant, elapsedMs),
    autoTimes: (wager) => wager.autoTimes,
    settle(wager, { crash }, cashedTimes) {
      if (crash === 100) return 0;
      const times = cashedTimes ?? (crash === variant.cap ? crash : Number.POSITIVE_INFINITY);
      return times <= crash ? payOf(wager.stakeMinor, times) : 0;
    },
    view: ({ crash }, over): CrashView => ({ crash: over ? crash : null }),
  });
}
