/** Lantern Wheel: a live show around a wheel of 52 segments, with two bonus rounds of two stages each. */
import { CYCLE_MS, fields, oneOf, payOf, type ReturnRow, sharedGame, stakeFrom } from '../game.ts';

export const WHEEL_SPOTS = ['x2', 'x4', 'x7', 'x25', 'harbour', 'lighthouse'] as const;
export type WheelSpot = (typeof WHEEL_SPOTS)[number];

interface Wager {
  readonly stakeMinor: number;
  readonly spot: WheelSpot;
}

/** A bonus has a ring of values (times the stake) and then one of multipliers; both drawn evenly. */
export interface Bonus {
  readonly values: readonly number[];
  readonly multipliers: readonly number[];
}

export interface WheelResult {
  /** Segment of the wheel, 0 to 51. */
  readonly segment: number;
  /** Places in the bonus's lists, null on a segment of a number. */
  readonly value: number | null;
  readonly multiplier: number | null;
}

const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };

/** What a segment of a number pays, hundredths, stake included. */
export const PAYS: Readonly<Record<'x2' | 'x4' | 'x7' | 'x25', number>> = { x2: 200, x4: 400, x7: 700, x25: 2500 };

export const BONUSES: Readonly<Record<'harbour' | 'lighthouse', Bonus>> = {
  harbour: { values: [5, 10, 6, 20, 8, 12, 8, 15], multipliers: [1, 1, 1, 2, 1, 1] },
  lighthouse: {
    values: [8, 25, 12, 15, 10, 40, 8, 20, 12, 15, 10, 20],
    multipliers: [1, 1, 2, 1, 1, 1, 5, 1, 1, 1],
  },
};

/** Clockwise from the top: 25 x2, 12 x4, 7 x7, 2 x25, 4 harbour, 2 lighthouse, spread so that neighbours differ. */
export const SEGMENTS: readonly WheelSpot[] = [
  ...(['lighthouse', 'x2', 'x4', 'x2', 'x7', 'x2', 'x4', 'x2', 'harbour', 'x2', 'x4', 'x2', 'x7'] as const),
  ...(['x2', 'x25', 'x2', 'x4', 'x2', 'x7', 'x2', 'harbour', 'x2', 'x4', 'x2', 'x4', 'x2'] as const),
  ...(['lighthouse', 'x2', 'x4', 'x2', 'x7', 'x2', 'x4', 'x2', 'harbour', 'x2', 'x7', 'x4', 'x7'] as const),
  ...(['x2', 'x25', 'x2', 'x4', 'x2', 'x7', 'x2', 'harbour', 'x2', 'x4', 'x2', 'x4', 'x2'] as const),
];

const SPIN_MS = 6500;
const BONUS_MS = 7500;

/** Multiple in hundredths that the bet on the drawn segment is paid at. */
export function timesOf(result: WheelResult): number {
  const spot = SEGMENTS[result.segment]!;
  if (spot !== 'harbour' && spot !== 'lighthouse') return PAYS[spot];
  const bonus = BONUSES[spot];
  return bonus.values[result.value!]! * bonus.multipliers[result.multiplier!]! * 100;
}

const total = (list: readonly number[]) => list.reduce((all, each) => all + each, 0);

function returnPpm(spot: WheelSpot): number {
  const segments = SEGMENTS.filter((each) => each === spot).length;
  if (spot !== 'harbour' && spot !== 'lighthouse')
    return Math.floor((segments * PAYS[spot] * 10_000) / SEGMENTS.length);
  const { values, multipliers } = BONUSES[spot];
  return Math.floor(
    (segments * total(values) * total(multipliers) * 1_000_000) /
      (SEGMENTS.length * values.length * multipliers.length),
  );
}

export const WHEEL_NAMES: Readonly<Record<WheelSpot, string>> = {
  x2: '2×',
  x4: '4×',
  x7: '7×',
  x25: '25×',
  harbour: 'Harbour',
  lighthouse: 'Lighthouse',
};

export const wheelShow = sharedGame<Wager, WheelResult>({
  kind: 'shared',
  code: 'wheel-show',
  name: 'Lantern Wheel',
  category: 'Game Shows',
  family: 'game-show',
  cycleMs: CYCLE_MS,
  betMs: 14_000,
  restMs: 5000,
  ...limits,
  rules: [
    'One wheel of 52 equal segments for everyone: 25 of 2×, 12 of 4×, 7 of 7×, 2 of 25×, 4 Harbour and 2 Lighthouse. A bet on what the wheel stops at wins; numbers pay what they say, stake included.',
    'Harbour: one of eight boats brings 5, 6, 8, 8, 10, 12, 15 or 20 times the stake, then one flag of six doubles it.',
    'Lighthouse: one of twelve windows holds 8 to 40 times the stake, then the lamp multiplies: eight times in ten by 1, once by 2, once by 5. The most is 200 times.',
    'All places of a ring are equally likely. Only bets on a bonus take part in it. Bets stand once they are placed.',
  ],
  returns: (): ReturnRow[] =>
    WHEEL_SPOTS.map((spot) => ({ bet: WHEEL_NAMES[spot], ppm: returnPpm(spot), how: 'exact' })),
  wager(input) {
    const { stakeMinor, spot } = fields(input, ['stakeMinor', 'spot']);
    return { spot: oneOf(spot, 'spot', WHEEL_SPOTS), stakeMinor: stakeFrom(stakeMinor, limits) };
  },
  stakeOf: (wager) => wager.stakeMinor,
  draw(random) {
    const segment = random.int(SEGMENTS.length);
    const spot = SEGMENTS[segment]!;
    if (spot !== 'harbour' && spot !== 'lighthouse') return { segment, value: null, multiplier: null };
    const value = random.int(BONUSES[spot].values.length);
    return { segment, value, multiplier: random.int(BONUSES[spot].multipliers.length) };
  },
  runMs: (result) => (result.value === null ? SPIN_MS : SPIN_MS + BONUS_MS),
  settle: (wager, result) => (SEGMENTS[result.segment] === wager.spot ? payOf(wager.stakeMinor, timesOf(result)) : 0),
  view: (result) => result,
});
