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
import { BASIC, type BlackjackView, basicAct, pointsOf } from '../src/rules/blackjack.ts';
import { tableInfo } from '../src/rules/card-table.ts';
import { chickenReturn, ROAD_CODES } from '../src/rules/chicken-road.ts';
import { COLOUR_SPOTS } from '../src/rules/colour.ts';
import { presetPpm, VARIANTS } from '../src/rules/crash.ts';
import { type Guess, type HiLoView, hiLoTimes, winningRanks } from '../src/rules/hi-lo.ts';
import { kenoReturn, MOST_PICKS, NUMBERS } from '../src/rules/keno.ts';
import { type MinesView, minesReturn } from '../src/rules/mines.ts';
import { DROP_SPOTS } from '../src/rules/number-drop.ts';
import { LEAST_ROWS, MOST_ROWS, plinkoReturn, RISKS } from '../src/rules/plinko.ts';
import { SPOTS } from '../src/rules/roulette.ts';
import { CLUSTER_ERROR_PPM, CLUSTER_PPM } from '../src/rules/slots-cluster.ts';
import { LINES_PPM } from '../src/rules/slots-lines.ts';
import { WAYS_PPM } from '../src/rules/slots-ways.ts';
import { BEST_PLAY_PPM, type PokerView } from '../src/rules/video-poker.ts';
import { WHEEL_SPOTS } from '../src/rules/wheel-show.ts';
import { bestHold, type PokerTables, pokerTables } from './video-poker-exact.ts';

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

const anyOf = <T>(list: readonly T[], random: Random): T => list[random.int(list.length)]!;
const TABLE = [...SPOTS.keys()];
/** Built when video poker is first played; takes some seconds. */
let poker: PokerTables | null = null;

/** One chip on any field of a card table, all equally often. */
function anyField(code: string): Strategy {
  const list = tableInfo(code).sections.flatMap((section) => section.fields);
  return {
    says: `One chip on any of the ${list.length} fields, all equally often`,
    wager: (random) => ({ bets: [{ id: anyOf(list, random).id, stakeMinor: STAKE }] }),
    expectedPpm: list.reduce((sum, { ppm }) => sum + ppm, 0) / list.length,
  };
}
const spin = (expectedPpm: number): Strategy => ({ says: 'Spins', wager: () => ({ stakeMinor: STAKE }), expectedPpm });

const mean = (list: readonly number[]) => list.reduce((sum, ppm) => sum + ppm, 0) / list.length;
const from = (least: number, most: number) => Array.from({ length: most - least + 1 }, (_, i) => least + i);

const likelier = (rank: number): Guess =>
  winningRanks(rank, 'higher') >= winningRanks(rank, 'lower') ? 'higher' : 'lower';
/** Three likelier guesses, then out: over all three cards that may be guessed from, each as likely. */
function threeGuessesPpm(): number {
  const counts = from(1, 13).map((rank) => winningRanks(rank, likelier(rank)));
  // The card of the next guess is one of those that made the last one right.
  const after = (rank: number) =>
    from(1, 13).filter((next) => {
      if (rank === 1 || rank === 13) return next !== rank;
      return likelier(rank) === 'higher' ? next >= rank : next <= rank;
    });
  let sum = 0;
  for (const first of from(1, 13))
    for (const second of after(first))
      for (const third of after(second)) {
        const ranks = [first, second, third].map((rank) => counts[rank - 1]!);
        sum += (hiLoTimes(ranks) / 100) * counts[third - 1]!;
      }
  return (sum / 13 ** 4) * 1_000_000;
}

export const strategies: Record<string, Strategy> = {
  dice: {
    says: 'Under 50.00',
    wager: () => ({ stakeMinor: STAKE, side: 'under', mark: 5000 }),
    expectedPpm: 990_000,
  },
  mines: {
    says: 'Three mines, the first three tiles, cash out',
    wager: () => ({ stakeMinor: STAKE, mines: 3 }),
    move: (view) => {
      const { opened } = view as MinesView;
      return opened.length < 3 ? { do: 'open', tile: opened.length } : { do: 'cash' };
    },
    expectedPpm: minesReturn(3, 3),
  },
  plinko: {
    says: 'Any rows and risk, all equally often',
    wager: (random) => ({
      stakeMinor: STAKE,
      rows: LEAST_ROWS + random.int(MOST_ROWS - LEAST_ROWS + 1),
      risk: anyOf(RISKS, random),
    }),
    expectedPpm: mean(RISKS.flatMap((risk) => from(LEAST_ROWS, MOST_ROWS).map((rows) => plinkoReturn(rows, risk)))),
  },
  keno: {
    says: 'One to ten numbers, all counts equally often',
    wager: (random) => {
      const count = 1 + random.int(MOST_PICKS);
      const first = random.int(NUMBERS);
      return { stakeMinor: STAKE, picks: from(0, count - 1).map((i) => ((first + i) % NUMBERS) + 1) };
    },
    expectedPpm: mean(from(1, MOST_PICKS).map(kenoReturn)),
  },
  'hi-lo': {
    says: 'Three times the likelier guess, then out',
    wager: () => ({ stakeMinor: STAKE }),
    move: (view) => {
      const { cards, done } = view as HiLoView;
      return { do: done.length === 3 ? 'cash' : likelier((cards.at(-1)! % 13) + 1) };
    },
    expectedPpm: threeGuessesPpm(),
  },
  'chicken-road': {
    says: 'Any road, all equally often; three lanes, then out',
    wager: (random) => ({ stakeMinor: STAKE, road: anyOf(ROAD_CODES, random) }),
    move: (view) => ({ do: (view as { lanes: number }).lanes < 3 ? 'go' : 'cash' }),
    expectedPpm: mean(ROAD_CODES.map((road) => chickenReturn(road, 3))),
  },
  'slots-ways': spin(WAYS_PPM),
  'slots-lines': spin(LINES_PPM),
  'slots-cluster': { ...spin(CLUSTER_PPM), errorPpm: CLUSTER_ERROR_PPM },
  baccarat: anyField('baccarat'),
  'dragon-tiger': anyField('dragon-tiger'),
  lucky7: anyField('lucky7'),
  'andar-bahar': anyField('andar-bahar'),
  teenpatti: anyField('teenpatti'),
  roulette: {
    says: 'One chip on any of the 157 places, all equally often',
    wager: (random) => ({ chips: [{ spot: anyOf(TABLE, random), stakeMinor: STAKE }] }),
    expectedPpm: 972_972,
  },
  blackjack: {
    says: 'Basic strategy; of all that is staked',
    wager: () => ({ stakeMinor: STAKE }),
    move: (view) => {
      const { hands, dealer, active, allowed } = view as BlackjackView;
      return { act: basicAct(hands[active]!.cards, pointsOf(dealer[0]!), allowed) };
    },
    expectedPpm: BASIC.ofAllStakedPpm,
  },
  'video-poker': {
    says: 'The best hold of every deal',
    wager: () => ({ stakeMinor: STAKE }),
    move: (view) => {
      poker ??= pokerTables();
      const { cards } = view as PokerView;
      const places = [0, 1, 2, 3, 4].sort((a, b) => cards[a]! - cards[b]!);
      const { mask } = bestHold(
        poker,
        places.map((place) => cards[place]!),
      );
      return { hold: places.filter((_, i) => mask & (1 << i)).sort((a, b) => a - b) };
    },
    expectedPpm: BEST_PLAY_PPM,
  },
  skyward: {
    says: 'Preset 2.00',
    wager: () => ({ stakeMinor: STAKE, autoTimes: 200 }),
    expectedPpm: presetPpm(VARIANTS[0]!, 200),
  },
  comet: {
    says: 'Preset 3.00',
    wager: () => ({ stakeMinor: STAKE, autoTimes: 300 }),
    expectedPpm: presetPpm(VARIANTS[1]!, 300),
  },
  'wheel-show': {
    says: 'Any of the six bets, all equally often',
    wager: (random) => ({ stakeMinor: STAKE, spot: anyOf(WHEEL_SPOTS, random) }),
    expectedPpm: 944_711,
  },
  colour: {
    says: 'Any of the fifteen bets, all equally often',
    wager: (random) => ({ stakeMinor: STAKE, spot: anyOf(COLOUR_SPOTS, random) }),
    expectedPpm: 951_333,
  },
  'number-drop': {
    says: 'Any of the fourteen bets, all equally often',
    wager: (random) => ({ stakeMinor: STAKE, spot: anyOf(DROP_SPOTS, random) }),
    expectedPpm: 954_832,
  },
};
