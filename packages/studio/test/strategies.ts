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
import { BASIC, type BlackjackView, basicAct, valueOf } from '../src/rules/blackjack.ts';
import { COLOUR_SPOTS } from '../src/rules/colour.ts';
import { presetPpm, VARIANTS } from '../src/rules/crash.ts';
import { DROP_SPOTS } from '../src/rules/number-drop.ts';
import { SPOTS } from '../src/rules/roulette.ts';
import { BEST_PLAY_PPM, type PokerView } from '../src/rules/video-poker.ts';
import { WHEEL_SPOTS } from '../src/rules/wheel-show.ts';
import { bestHold, type PokerTables, pokerTables } from './video-poker-exact.ts';
import { tableInfo } from '../src/rules/card-table.ts';
import { CLUSTER_ERROR_PPM, CLUSTER_PPM } from '../src/rules/slots-cluster.ts';
import { LINES_PPM } from '../src/rules/slots-lines.ts';
import { WAYS_PPM } from '../src/rules/slots-ways.ts';

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

export const strategies: Record<string, Strategy> = {
  dice: {
    says: 'Under 50.00',
    wager: () => ({ stakeMinor: STAKE, side: 'under', mark: 5000 }),
    expectedPpm: 990_000,
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
      return { act: basicAct(hands[active]!.cards, valueOf(dealer[0]!), allowed) };
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
      return { hold: places.filter((_, i) => mask & (1 << i)).sort() };
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
