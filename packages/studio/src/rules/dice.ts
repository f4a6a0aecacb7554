/** Dice: a number from 00.00 to 99.99 above or below the player's own mark. */
import { CYCLE_MS, fields, oneOf, payOf, type ReturnRow, soloGame, stakeFrom, wholeFrom } from '../game.ts';

interface Wager {
  readonly stakeMinor: number;
  readonly side: 'under' | 'over';
  /** Hundredths, 0 to 9999: under wins below it, over above it. */
  readonly mark: number;
}

interface State extends Wager {
  readonly roll: number;
  readonly times: number;
}

const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };
const NUMBERS = 10_000;
/** Of 10,000 stakes 9,900 are meant to come back; the multiple is cut to hundredths, never rounded up. */
const MEANT = 9900;
const CHANCE = { least: 200, most: 9500 };

/** Numbers out of 10,000 that win. */
export const winning = (side: Wager['side'], mark: number) => (side === 'under' ? mark : NUMBERS - 1 - mark);
/** Multiple in hundredths for a number of winning numbers. */
export const diceTimes = (numbers: number) => Math.floor((MEANT * 100) / numbers);

const returnPpm = (numbers: number) => Math.floor((numbers * diceTimes(numbers) * 1_000_000) / (NUMBERS * 100));

export const dice = soloGame<Wager, State, never, State>({
  kind: 'solo',
  code: 'dice',
  name: 'Dice',
  category: 'Others',
  family: 'fun',
  cycleMs: CYCLE_MS,
  ...limits,
  rules: [
    'Choose a mark and a side. A number from 0.00 to 99.99 is drawn; under wins below the mark, over above it.',
    'The multiple is 99 divided by your chance in per cent, cut to two decimals. Chances run from 2 % to 95 %.',
  ],
  returns(): ReturnRow[] {
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (let numbers = CHANCE.least; numbers <= CHANCE.most; numbers++) {
      low = Math.min(low, returnPpm(numbers));
      high = Math.max(high, returnPpm(numbers));
    }
    return [
      { bet: 'Chance of 50 %', ppm: returnPpm(5000), how: 'exact' },
      { bet: 'Lowest of all marks', ppm: low, how: 'exact' },
      { bet: 'Highest of all marks', ppm: high, how: 'exact' },
    ];
  },
  wager(input) {
    const { stakeMinor, side, mark } = fields(input, ['stakeMinor', 'side', 'mark']);
    const chosen = oneOf(side, 'side', ['under', 'over'] as const);
    const at = wholeFrom(mark, 'mark', 0, NUMBERS - 1);
    wholeFrom(winning(chosen, at), 'mark', CHANCE.least, CHANCE.most);
    return { stakeMinor: stakeFrom(stakeMinor, limits), side: chosen, mark: at };
  },
  stakeOf: (wager) => wager.stakeMinor,
  open(wager, random) {
    const roll = random.int(NUMBERS);
    const won = wager.side === 'under' ? roll < wager.mark : roll > wager.mark;
    const times = diceTimes(winning(wager.side, wager.mark));
    return { state: { ...wager, roll, times }, over: true, paidMinor: won ? payOf(wager.stakeMinor, times) : 0 };
  },
  view: (state) => state,
});
