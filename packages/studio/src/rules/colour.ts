/** Colour: a digit from 0 to 9; bets on its colour, its size or the digit itself. */
import { CYCLE_MS, fields, oneOf, payOf, type ReturnRow, sharedGame, stakeFrom } from '../game.ts';

const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
export const COLOUR_SPOTS = ['green', 'violet', 'red', 'small', 'big', ...DIGITS] as const;
export type ColourSpot = (typeof COLOUR_SPOTS)[number];

interface Wager {
  readonly stakeMinor: number;
  readonly spot: ColourSpot;
}

interface Result {
  readonly digit: number;
}

const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };
export const COLOUR_PAYS = { colour: 200, half: 150, violet: 475, size: 192, digit: 950 } as const;

/** Odd is green and even is red; 0 and 5 are violet as well. */
export function coloursOf(digit: number): readonly ('green' | 'red' | 'violet')[] {
  const own = digit % 2 === 1 ? 'green' : 'red';
  return digit % 5 === 0 ? [own, 'violet'] : [own];
}

/** Multiple in hundredths of a bet on `spot` when `digit` is drawn; 0 where it loses. */
export function colourTimes(spot: ColourSpot, digit: number): number {
  if (spot === 'small' || spot === 'big') return digit >= 5 === (spot === 'big') ? COLOUR_PAYS.size : 0;
  if (spot !== 'green' && spot !== 'red' && spot !== 'violet') return spot === String(digit) ? COLOUR_PAYS.digit : 0;
  const colours = coloursOf(digit);
  if (!colours.includes(spot)) return 0;
  if (spot === 'violet') return COLOUR_PAYS.violet;
  return colours.length === 1 ? COLOUR_PAYS.colour : COLOUR_PAYS.half;
}

export const colour = sharedGame<Wager, Result>({
  kind: 'shared',
  code: 'colour',
  name: 'Colour Ten',
  category: 'Others',
  family: 'colour',
  cycleMs: CYCLE_MS,
  betMs: 15_000,
  restMs: 4000,
  ...limits,
  rules: [
    'A digit from 0 to 9 is drawn for everyone, all equally likely. 1, 3, 7, 9 are green, 2, 4, 6, 8 red, 5 is green and violet, 0 is red and violet.',
    'Green and red pay 2×, or 1.5× where the digit is violet too. Violet pays 4.75×. Small (0 to 4) and big (5 to 9) pay 1.92×. The digit itself pays 9.5×. All with the stake included.',
    'Bets stand once they are placed. The draw of one round says nothing about the next one.',
  ],
  returns(): ReturnRow[] {
    const ppm = (spot: ColourSpot) =>
      DIGITS.reduce((all, digit) => all + colourTimes(spot, Number(digit)), 0) * (10_000 / DIGITS.length);
    return [
      { bet: 'Green', ppm: ppm('green'), how: 'exact' },
      { bet: 'Red', ppm: ppm('red'), how: 'exact' },
      { bet: 'Violet', ppm: ppm('violet'), how: 'exact' },
      { bet: 'Small, big', ppm: ppm('small'), how: 'exact' },
      { bet: 'Digit', ppm: ppm('0'), how: 'exact' },
    ];
  },
  wager(input) {
    const { stakeMinor, spot } = fields(input, ['stakeMinor', 'spot']);
    return { spot: oneOf(spot, 'spot', COLOUR_SPOTS), stakeMinor: stakeFrom(stakeMinor, limits) };
  },
  stakeOf: (wager) => wager.stakeMinor,
  draw: (random) => ({ digit: random.int(DIGITS.length) }),
  runMs: () => 4000,
  settle: (wager, { digit }) => payOf(wager.stakeMinor, colourTimes(wager.spot, digit)),
  view: (result) => result,
});
