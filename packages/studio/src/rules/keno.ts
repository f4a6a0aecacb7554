/** Keno: one to ten of forty numbers are picked, ten are drawn. */
import { shuffle } from '@fairgame/casino';
import { CYCLE_MS, fields, payOf, type ReturnRow, RuleError, soloGame, stakeFrom, wholeFrom } from '../game.ts';

export interface KenoWager {
  readonly stakeMinor: number;
  /** Ascending, 1 to 40. */
  readonly picks: readonly number[];
}

export interface KenoView {
  readonly picks: readonly number[];
  /** In the order of the draw. */
  readonly drawn: readonly number[];
  readonly hits: number;
  readonly times: number;
}

export const NUMBERS = 40;
export const DRAWN = 10;
export const MOST_PICKS = 10;
const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };

/** Multiples (hundredths) by picks (first index 0: one pick) and hits. */
const PAYS: readonly (readonly number[])[] = [
  [0, 390],
  [0, 150, 700],
  [0, 0, 350, 4100],
  [0, 0, 180, 700, 13_500],
  [0, 0, 0, 400, 2800, 100_000],
  [0, 0, 0, 250, 1000, 11_000, 360_000],
  [0, 0, 0, 150, 550, 4000, 45_000, 1_000_000],
  [0, 0, 0, 0, 500, 2000, 15_000, 300_000, 1_000_000],
  [0, 0, 0, 0, 300, 1000, 6000, 80_000, 800_000, 1_000_000],
  [0, 0, 0, 0, 200, 600, 3000, 25_000, 300_000, 1_000_000, 1_000_000],
];

/** What each number of hits pays for so many picks: index 0 is no hit. */
export const kenoPays = (picks: number): readonly number[] => PAYS[picks - 1]!;

const ways = (n: number, k: number) => {
  let count = 1;
  for (let i = 1; i <= k; i++) count = (count * (n - k + i)) / i;
  return count;
};

/** Draws (of all `ways(40, 10)`, 847,660,528) in which so many of the picks are among the ten. */
export const kenoWays = (picks: number, hits: number) =>
  hits > picks ? 0 : ways(picks, hits) * ways(NUMBERS - picks, DRAWN - hits);

/** Average return of so many picks in millionths (cut): the sum over all draws, which reaches 8 * 10^10 stakes. */
export function kenoReturn(picks: number): number {
  const paid = kenoPays(picks).reduce((sum, times, hits) => sum + kenoWays(picks, hits) * times, 0);
  return Number((BigInt(paid) * 10_000n) / BigInt(ways(NUMBERS, DRAWN)));
}

export const keno = soloGame<KenoWager, KenoView & { readonly stakeMinor: number }, never, KenoView>({
  kind: 'solo',
  code: 'keno',
  name: 'Keno',
  category: 'Virtual',
  family: 'fun',
  cycleMs: CYCLE_MS,
  ...limits,
  rules: [
    'Pick one to ten numbers of forty. Ten numbers are drawn, none twice; what is paid depends on your picks and your hits.',
    ...PAYS.map(
      (pays, i) =>
        `${i + 1} ${i === 0 ? 'pick' : 'picks'}: ${pays
          .flatMap((times, hits) => (times === 0 ? [] : [`${hits} hits ${words(times)}`]))
          .join(', ')}.`,
    ),
  ],
  returns: (): ReturnRow[] =>
    PAYS.map((_, i) => ({
      bet: i === 0 ? '1 pick' : `${i + 1} picks`,
      ppm: kenoReturn(i + 1),
      how: 'exact',
    })),
  wager(input) {
    const { stakeMinor, picks } = fields(input, ['stakeMinor', 'picks']);
    if (!Array.isArray(picks) || picks.length < 1 || picks.length > MOST_PICKS)
      throw new RuleError('picks', `picks is a list of 1 to ${MOST_PICKS} numbers.`);
    const numbers = picks.map((pick) => wholeFrom(pick, 'picks', 1, NUMBERS)).sort((a, b) => a - b);
    if (new Set(numbers).size !== numbers.length) throw new RuleError('picks', 'picks holds a number twice.');
    return { stakeMinor: stakeFrom(stakeMinor, limits), picks: numbers };
  },
  stakeOf: (wager) => wager.stakeMinor,
  open({ stakeMinor, picks }, random) {
    const numbers = Array.from({ length: NUMBERS }, (_, i) => i + 1);
    const drawn = shuffle(numbers, random).slice(0, DRAWN);
    const hits = picks.filter((pick) => drawn.includes(pick)).length;
    const times = kenoPays(picks.length)[hits]!;
    return { state: { stakeMinor, picks, drawn, hits, times }, over: true, paidMinor: payOf(stakeMinor, times) };
  },
  view: ({ picks, drawn, hits, times }) => ({ picks, drawn, hits, times }),
});

function words(times: number): string {
  return `${(times / 100).toLocaleString('en-GB')}x`;
}
