/** Chicken Road: a chicken crosses lane after lane; each lane has its chance of a car, each one crossed raises the multiple. */
import { CYCLE_MS, fields, oneOf, payOf, type ReturnRow, RuleError, type Step, soloGame, stakeFrom } from '../game.ts';

export type Road = 'village' | 'town' | 'city' | 'motorway';

export interface ChickenWager {
  readonly stakeMinor: number;
  readonly road: Road;
}

interface State extends ChickenWager {
  /** For each lane whether a car comes, drawn before the first step. */
  readonly cars: readonly boolean[];
  /** Lanes entered; in the last one the chicken was hit where the round was lost. */
  readonly lanes: number;
  readonly end: ChickenView['end'];
}

export interface ChickenMove {
  readonly do: 'go' | 'cash';
}

export interface ChickenView {
  readonly road: Road;
  readonly lanes: number;
  /** What cashing out pays now (hundredths); after the round what it paid. */
  readonly times: number;
  /** The multiple after one more lane; null when the round is over. */
  readonly nextTimes: number | null;
  readonly end: 'open' | 'cashed' | 'hit';
  /** Which lanes had a car coming: only after the round. */
  readonly cars: readonly boolean[] | null;
}

/** Each lane has a car with the chance `cars` in `of`. */
export const ROADS: Readonly<Record<Road, { name: string; cars: number; of: number; lanes: number }>> = {
  village: { name: 'Village', cars: 1, of: 20, lanes: 20 },
  town: { name: 'Town', cars: 1, of: 10, lanes: 18 },
  city: { name: 'City', cars: 1, of: 5, lanes: 16 },
  motorway: { name: 'Motorway', cars: 2, of: 5, lanes: 14 },
};
export const ROAD_CODES: readonly Road[] = ['village', 'town', 'city', 'motorway'];

const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };

/** 0.99 over the chance of crossing so many lanes, in hundredths, cut; in big integers, as 20^20 is beyond exact numbers. */
const ladder = ({ cars, of, lanes }: (typeof ROADS)[Road]): readonly number[] =>
  Array.from({ length: lanes + 1 }, (_, crossed) =>
    crossed === 0 ? 100 : Number((99n * BigInt(of) ** BigInt(crossed)) / BigInt(of - cars) ** BigInt(crossed)),
  );
const LADDERS: Readonly<Record<Road, readonly number[]>> = {
  village: ladder(ROADS.village),
  town: ladder(ROADS.town),
  city: ladder(ROADS.city),
  motorway: ladder(ROADS.motorway),
};

/** The multiple after so many lanes, in hundredths. */
export const chickenTimes = (road: Road, lanes: number): number => LADDERS[road][lanes]!;

/** Average return of crossing so many lanes and cashing out, in millionths (cut). */
export function chickenReturn(road: Road, lanes: number): number {
  const { cars, of } = ROADS[road];
  const crossed = BigInt(of - cars) ** BigInt(lanes);
  return Number((BigInt(chickenTimes(road, lanes)) * 10_000n * crossed) / BigInt(of) ** BigInt(lanes));
}

const times = (hundredths: number) => (hundredths / 100).toLocaleString('en-GB');

export const chickenRoad = soloGame<ChickenWager, State, ChickenMove, ChickenView>({
  kind: 'solo',
  code: 'chicken-road',
  name: 'Chicken Road',
  category: 'Others',
  family: 'chicken',
  cycleMs: CYCLE_MS,
  ...limits,
  rules: [
    'Choose a road and send the chicken over it, lane by lane. Cash out when you like; a car ends the round and the stake is lost.',
    ...ROAD_CODES.map((code) => {
      const { name, cars, of, lanes } = ROADS[code];
      return `${name}: ${lanes} lanes, in each one a car with a chance of ${cars} in ${of}; from ${times(chickenTimes(code, 1))}x to ${times(chickenTimes(code, lanes))}x.`;
    }),
    'After n lanes the multiple is 0.99 divided by the chance of crossing n lanes, cut to two decimals. All lanes are drawn before the first step.',
    'The last lane pays out by itself. Cashing out before the first lane gives the stake back.',
  ],
  returns: (): ReturnRow[] =>
    ROAD_CODES.flatMap((code): ReturnRow[] => {
      const { name, lanes } = ROADS[code];
      const all = Array.from({ length: lanes }, (_, i) => chickenReturn(code, i + 1));
      return [
        { bet: `${name}, lowest of all lanes`, ppm: Math.min(...all), how: 'exact' },
        { bet: `${name}, highest of all lanes`, ppm: Math.max(...all), how: 'exact' },
      ];
    }),
  wager(input) {
    const { stakeMinor, road } = fields(input, ['stakeMinor', 'road']);
    return { stakeMinor: stakeFrom(stakeMinor, limits), road: oneOf(road, 'road', ROAD_CODES) };
  },
  stakeOf: (wager) => wager.stakeMinor,
  open(wager, random) {
    const { cars, of, lanes } = ROADS[wager.road];
    const drawn = Array.from({ length: lanes }, () => random.int(of) < cars);
    return step({ ...wager, cars: drawn, lanes: 0, end: 'open' });
  },
  view({ road, lanes, end, cars }) {
    return {
      road,
      lanes,
      times: end === 'hit' ? 0 : chickenTimes(road, lanes),
      nextTimes: end === 'open' ? chickenTimes(road, lanes + 1) : null,
      end,
      cars: end === 'open' ? null : cars,
    };
  },
  move(input) {
    const { do: what } = fields(input, ['do']);
    return { do: oneOf(what, 'do', ['go', 'cash'] as const) };
  },
  play(state, move) {
    if (state.end !== 'open') throw new RuleError('move', 'The round is over.');
    if (move.do === 'cash') return step({ ...state, end: 'cashed' });
    const lanes = state.lanes + 1;
    if (state.cars[state.lanes]) return step({ ...state, lanes, end: 'hit' });
    return step({ ...state, lanes, end: lanes === state.cars.length ? 'cashed' : 'open' });
  },
  leave: () => ({ do: 'cash' }),
});

function step(state: State): Step<State> {
  const paidMinor = state.end === 'cashed' ? payOf(state.stakeMinor, chickenTimes(state.road, state.lanes)) : 0;
  return { state, over: state.end !== 'open', paidMinor };
}
