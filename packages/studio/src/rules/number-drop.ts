/** Three Gates: three balls fall through three rows of gates into eight pots, one of which is lit. */
import { CYCLE_MS, fields, oneOf, payOf, type ReturnRow, sharedGame, stakeFrom } from '../game.ts';

const POT_SPOTS = ['pot-1', 'pot-2', 'pot-3', 'pot-4', 'pot-5', 'pot-6', 'pot-7', 'pot-8'] as const;
export const DROP_SPOTS = [...POT_SPOTS, 'low', 'high', 'different', 'pair', 'run', 'triple'] as const;
export type DropSpot = (typeof DROP_SPOTS)[number];

interface Wager {
  readonly stakeMinor: number;
  readonly spot: DropSpot;
}

export interface DropResult {
  /** The lit pot, 0 to 7, and what it multiplies bets on it by. */
  readonly lit: number;
  readonly multiplier: number;
  /** Pots of the three balls, 0 to 7; bit by bit (4, 2, 1) the way right through the three rows of gates. */
  readonly balls: readonly [number, number, number];
}

const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };
export const POTS = 8;
export const LIT: readonly number[] = [2, 2, 2, 2, 2, 3, 3, 3, 5, 10];
/** Hundredths for no, one, two or three balls in the pot. */
export const POT_PAYS: readonly number[] = [0, 200, 300, 2000];
export const DROP_PAYS = { half: 192, different: 145, pair: 290, run: 1350, triple: 6000 } as const;

/** Multiple in hundredths that a bet on `spot` is paid; 0 where it loses. */
export function dropTimes(spot: DropSpot, { lit, multiplier, balls }: DropResult): number {
  const sum = balls[0] + balls[1] + balls[2] + 3;
  const apart = new Set(balls).size;
  switch (spot) {
    case 'low':
      return sum <= 13 ? DROP_PAYS.half : 0;
    case 'high':
      return sum >= 14 ? DROP_PAYS.half : 0;
    case 'different':
      return apart === 3 ? DROP_PAYS.different : 0;
    case 'pair':
      return apart === 2 ? DROP_PAYS.pair : 0;
    case 'triple':
      return apart === 1 ? DROP_PAYS.triple : 0;
    case 'run':
      return apart === 3 && Math.max(...balls) - Math.min(...balls) === 2 ? DROP_PAYS.run : 0;
    default: {
      const pot = POT_SPOTS.indexOf(spot);
      const times = POT_PAYS[balls.filter((ball) => ball === pot).length]!;
      return pot === lit ? times * multiplier : times;
    }
  }
}

/** Over all ways of three balls, lit pot and multiplier. */
function returnPpm(spot: DropSpot): number {
  let sum = 0;
  for (let way = 0; way < POTS ** 3; way++) {
    const balls = [way % POTS, Math.floor(way / POTS) % POTS, Math.floor(way / POTS ** 2)] as const;
    for (let lit = 0; lit < POTS; lit++)
      for (const multiplier of LIT) sum += dropTimes(spot, { lit, multiplier, balls: [...balls] });
  }
  return Math.floor((sum * 10_000) / (POTS ** 4 * LIT.length));
}

export const DROP_NAMES: Readonly<Record<DropSpot, string>> = {
  'pot-1': 'Pot 1',
  'pot-2': 'Pot 2',
  'pot-3': 'Pot 3',
  'pot-4': 'Pot 4',
  'pot-5': 'Pot 5',
  'pot-6': 'Pot 6',
  'pot-7': 'Pot 7',
  'pot-8': 'Pot 8',
  low: 'Sum 3 to 13',
  high: 'Sum 14 to 24',
  different: 'All different',
  pair: 'Exactly two alike',
  run: 'Three in a row',
  triple: 'Three alike',
};

export const numberDrop = sharedGame<Wager, DropResult>({
  kind: 'shared',
  code: 'number-drop',
  name: 'Three Gates',
  category: 'Game Shows',
  family: 'game-show',
  cycleMs: CYCLE_MS,
  betMs: 14_000,
  restMs: 5000,
  ...limits,
  rules: [
    'Three balls fall one after the other. Each passes three gates that send it left or right with equal chance, so all eight pots are equally likely.',
    'A pot pays 2× for one ball, 3× for two, 20× for three. Before the balls one pot is lit: bets on it are multiplied by 2 (five times in ten), 3 (three in ten), 5 or 10 (one in ten each). The most is 200 times.',
    'Sum of the three numbers 3 to 13 or 14 to 24: 1.92×. All different 1.45×, exactly two alike 2.9×, three numbers in a row in any order 13.5×, three alike 60×. All with the stake included.',
    'Bets stand once they are placed.',
  ],
  returns(): ReturnRow[] {
    const row = (bet: string, spot: DropSpot): ReturnRow => ({ bet, ppm: returnPpm(spot), how: 'exact' });
    return [
      row('Any pot', 'pot-1'),
      row('Sum 3 to 13, 14 to 24', 'low'),
      row(DROP_NAMES.different, 'different'),
      row(DROP_NAMES.pair, 'pair'),
      row(DROP_NAMES.run, 'run'),
      row(DROP_NAMES.triple, 'triple'),
    ];
  },
  wager(input) {
    const { stakeMinor, spot } = fields(input, ['stakeMinor', 'spot']);
    return { spot: oneOf(spot, 'spot', DROP_SPOTS), stakeMinor: stakeFrom(stakeMinor, limits) };
  },
  stakeOf: (wager) => wager.stakeMinor,
  draw: (random) => ({
    lit: random.int(POTS),
    multiplier: LIT[random.int(LIT.length)]!,
    balls: [random.int(POTS), random.int(POTS), random.int(POTS)],
  }),
  runMs: () => 9000,
  settle: (wager, result) => payOf(wager.stakeMinor, dropTimes(wager.spot, result)),
  view: (result) => result,
});
