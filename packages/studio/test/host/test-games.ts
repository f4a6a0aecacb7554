/** Small games of which the tests know everything. */
import { CYCLE_MS, fields, payOf, RuleError, sharedGame, soloGame, stakeFrom, wholeFrom } from '../../src/game.ts';

const limits = { minStakeMinor: 100, maxStakeMinor: 100_000 };
const returns = () => [{ bet: 'all', ppm: 950_000, how: 'exact' as const }];

interface StepsState {
  readonly stakeMinor: number;
  readonly hidden: readonly number[];
  readonly taken: number;
  readonly doubled: boolean;
}

/** Steps upwards: each pays one stake more; `take` ends it, `double` doubles the stake and ends it with twice as much. */
export const steps = soloGame<{ stakeMinor: number }, StepsState, { act: 'on' | 'take' | 'double' }, unknown>({
  kind: 'solo',
  code: 'steps',
  name: 'Steps',
  category: 'Others',
  family: 'fun',
  cycleMs: CYCLE_MS,
  ...limits,
  rules: ['Step by step.'],
  returns,
  wager: (input) => ({ stakeMinor: stakeFrom(fields(input, ['stakeMinor']).stakeMinor, limits) }),
  stakeOf: (wager) => wager.stakeMinor,
  open: (wager, random) => ({
    state: { ...wager, hidden: [random.int(1000), random.int(1000), random.int(1000)], taken: 0, doubled: false },
    over: false,
    paidMinor: 0,
  }),
  view: ({ hidden, taken }) => ({ shown: hidden.slice(0, taken) }),
  move(input) {
    const { act } = fields(input, ['act']);
    if (act !== 'on' && act !== 'take' && act !== 'double') throw new RuleError('act', 'There is no such move.');
    return { act };
  },
  extra: (state, move) => (move.act === 'double' ? state.stakeMinor : 0),
  play(state, move) {
    if (move.act === 'on') {
      if (state.taken >= 3) throw new RuleError('act', 'There is no further step.');
      return { state: { ...state, taken: state.taken + 1 }, over: false, paidMinor: 0 };
    }
    const stakes = (1 + state.taken) * (move.act === 'double' ? 2 : 1);
    return {
      state: { ...state, taken: 3, doubled: move.act === 'double' },
      over: true,
      paidMinor: stakes * state.stakeMinor,
    };
  },
  leave: () => ({ act: 'take' }),
});

/** The multiple grows by 0.01 each 10 ms; it ends between 1.50 and 4.49. */
export const rocket = sharedGame<{ stakeMinor: number; auto: number | null }, { end: number }>({
  kind: 'shared',
  code: 'rocket',
  name: 'Rocket',
  category: 'Others',
  family: 'crash',
  cycleMs: CYCLE_MS,
  ...limits,
  betMs: 5000,
  restMs: 3000,
  rules: ['Cash out in time.'],
  returns,
  wager(input) {
    const { stakeMinor, auto } = fields(input, ['stakeMinor', 'auto']);
    return {
      stakeMinor: stakeFrom(stakeMinor, limits),
      auto: auto === undefined || auto === null ? null : wholeFrom(auto, 'auto', 101, 100_000),
    };
  },
  stakeOf: (wager) => wager.stakeMinor,
  draw: (random) => ({ end: 150 + random.int(300) }),
  runMs: (result) => (result.end - 100) * 10,
  timesAt: (elapsedMs) => 100 + Math.floor(elapsedMs / 10),
  autoTimes: (wager) => wager.auto,
  settle: (wager, result, cashedTimes) =>
    cashedTimes !== null && cashedTimes <= result.end ? payOf(wager.stakeMinor, cashedTimes) : 0,
  view: (result, over) => (over ? result : { runs: true }),
});

/** Red or black, shown while the wheel turns. */
export const wheel = sharedGame<{ stakeMinor: number; red: boolean }, { red: boolean }>({
  kind: 'shared',
  code: 'wheel',
  name: 'Wheel',
  category: 'Game Shows',
  family: 'game-show',
  cycleMs: CYCLE_MS,
  ...limits,
  betMs: 4000,
  restMs: 2000,
  rules: ['Red or black.'],
  returns,
  wager(input) {
    const { stakeMinor, red } = fields(input, ['stakeMinor', 'red']);
    return { stakeMinor: stakeFrom(stakeMinor, limits), red: red === true };
  },
  stakeOf: (wager) => wager.stakeMinor,
  draw: (random) => ({ red: random.int(2) === 0 }),
  runMs: () => 6000,
  settle: (wager, result) => (wager.red === result.red ? payOf(wager.stakeMinor, 195) : 0),
  view: (result) => result,
});
