/** Plinko: a ball falls through rows of pegs, left or right at each, into a bin that pays. */
import { CYCLE_MS, fields, oneOf, payOf, type ReturnRow, soloGame, stakeFrom, wholeFrom } from '../game.ts';

export type Risk = 'low' | 'medium' | 'high';

export interface PlinkoWager {
  readonly stakeMinor: number;
  readonly rows: number;
  readonly risk: Risk;
}

export interface PlinkoView {
  readonly rows: number;
  readonly risk: Risk;
  /** For each row 0 where the ball went left, 1 where right; their sum is the bin, from 0 on the left. */
  readonly path: readonly number[];
  readonly times: number;
}

export const LEAST_ROWS = 8;
export const MOST_ROWS = 16;
export const RISKS: readonly Risk[] = ['low', 'medium', 'high'];
const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };

/** Multiples (hundredths) from the outermost bin to the middle; both sides pay alike. First 8 rows, last 16. */
const PAYS: Readonly<Record<Risk, readonly (readonly number[])[]>> = {
  low: [
    [500, 280, 130, 80, 50],
    [550, 280, 160, 90, 70],
    [700, 370, 210, 130, 70, 50],
    [800, 410, 220, 130, 90, 70],
    [900, 520, 300, 190, 110, 70, 50],
    [1000, 540, 320, 170, 120, 90, 70],
    [1100, 670, 420, 260, 150, 100, 70, 60],
    [1300, 730, 430, 270, 170, 100, 90, 70],
    [1500, 920, 570, 350, 230, 150, 100, 60, 60],
  ],
  medium: [
    [1200, 350, 130, 70, 30],
    [1600, 400, 160, 80, 60],
    [2000, 670, 270, 110, 60, 30],
    [2500, 770, 260, 130, 80, 60],
    [3200, 1200, 460, 210, 100, 50, 40],
    [4200, 1200, 500, 230, 120, 70, 60],
    [5500, 1900, 820, 360, 170, 90, 50, 40],
    [8000, 2500, 920, 380, 170, 110, 70, 60],
    [11_000, 3900, 1600, 630, 290, 140, 80, 50, 40],
  ],
  high: [
    [2800, 500, 110, 30, 30],
    [4000, 700, 170, 60, 30],
    [7000, 1200, 270, 80, 40, 10],
    [11_000, 1600, 400, 120, 50, 30],
    [16_000, 2900, 670, 200, 60, 30, 20],
    [25_000, 4200, 960, 260, 100, 40, 30],
    [40_000, 6500, 1700, 430, 140, 50, 30, 20],
    [60_000, 10_500, 2300, 590, 200, 90, 30, 30],
    [100_000, 18_500, 3900, 990, 310, 100, 50, 30, 10],
  ],
};

/** What each bin pays, from left to right. */
export function plinkoPays(rows: number, risk: Risk): readonly number[] {
  const half = PAYS[risk][rows - LEAST_ROWS]!;
  return Array.from({ length: rows + 1 }, (_, bin) => half[Math.min(bin, rows - bin)]!);
}

/** Of the 2^rows paths, those that lead into the bin. */
export function plinkoWays(rows: number, bin: number): number {
  let count = 1;
  for (let i = 1; i <= bin; i++) count = (count * (rows - bin + i)) / i;
  return count;
}

/** Average return in millionths (cut). */
export function plinkoReturn(rows: number, risk: Risk): number {
  const paid = plinkoPays(rows, risk).reduce((sum, times, bin) => sum + plinkoWays(rows, bin) * times, 0);
  return Math.floor((paid * 10_000) / 2 ** rows);
}

export const plinko = soloGame<PlinkoWager, PlinkoView & { readonly stakeMinor: number }, never, PlinkoView>({
  kind: 'solo',
  code: 'plinko',
  name: 'Plinko',
  category: 'Others',
  family: 'fun',
  cycleMs: CYCLE_MS,
  ...limits,
  rules: [
    'Choose 8 to 16 rows of pegs and a risk. At each peg the ball goes left or right with the same chance; the bin it falls into pays its multiple of the stake.',
    'More risk pays more at the sides and less in the middle. The multiples stand in the bins before you play.',
  ],
  returns: (): ReturnRow[] =>
    RISKS.flatMap((risk) =>
      PAYS[risk].map(
        (_, i): ReturnRow => ({
          bet: `${LEAST_ROWS + i} rows, ${risk} risk`,
          ppm: plinkoReturn(LEAST_ROWS + i, risk),
          how: 'exact',
        }),
      ),
    ),
  wager(input) {
    const { stakeMinor, rows, risk } = fields(input, ['stakeMinor', 'rows', 'risk']);
    return {
      stakeMinor: stakeFrom(stakeMinor, limits),
      rows: wholeFrom(rows, 'rows', LEAST_ROWS, MOST_ROWS),
      risk: oneOf(risk, 'risk', RISKS),
    };
  },
  stakeOf: (wager) => wager.stakeMinor,
  open(wager, random) {
    const path = Array.from({ length: wager.rows }, () => random.int(2));
    const bin = path.reduce((sum, right) => sum + right, 0);
    const times = PAYS[wager.risk][wager.rows - LEAST_ROWS]![Math.min(bin, wager.rows - bin)]!;
    return { state: { ...wager, path, times }, over: true, paidMinor: payOf(wager.stakeMinor, times) };
  },
  view: ({ rows, risk, path, times }) => ({ rows, risk, path, times }),
});
