/** Market books as they are written. */
import { divFloor } from '@fairgame/contract';
import type { RunnerStatus as CoreRunnerStatus, MarketStatus as CoreStatus, MarketView } from '@fairgame/exchange';
import type { MarketStatus, PRICE_DATA, RunnerStatus, Word } from './enums.ts';
import { toMarketId } from './ids.ts';
import { decimal, isoTime } from './numbers.ts';

/** [price in hundredths, minor units]. */
export type Levels = ReadonlyArray<readonly [number, number]>;

export interface RunnerBook {
  runnerId: number;
  status: CoreRunnerStatus;
  /** Percent in hundredths. */
  adjustmentFactor?: number;
  removedAt: number | null;
  /** Hundredths; 0 before the first. */
  lastPrice: number;
  tradedMinor: number;
  /** What can be backed and laid, best first, and what was traded by price. */
  back: Levels;
  lay: Levels;
  traded: Levels;
}

export interface Book {
  view: MarketView;
  /** When bets met in it last, and when it had its result; absent where they did not or nobody knows. */
  matchedAt?: number;
  settledAt?: number;
  runners: readonly RunnerBook[];
}

export interface PriceProjection {
  data: ReadonlyArray<Word<typeof PRICE_DATA>>;
  bestDepth?: number;
  rollup?: Rollup;
}

/** Levels that are too small are joined to the next one behind them. Minor units. */
export interface Rollup {
  /** The least stake of a level, or with the stake what it pays. */
  by: 'stake' | 'payout';
  leastMinor: number;
  /** From this price on, hundredths, what a layer may lose is what counts. */
  from?: number;
  leastLiabilityMinor?: number;
}

/** Results under way are told as a suspension. */
export const marketStatusOf = (status: CoreStatus): MarketStatus => (status === 'SETTLING' ? 'SUSPENDED' : status);

/** A single runner is never suspended in the format: it stays active and has no offers. */
export const runnerStatusOf = (status: CoreRunnerStatus): RunnerStatus =>
  status === 'SUSPENDED' || status === 'BALL_RUNNING' ? 'ACTIVE' : status;

/** Seconds; bets wait only in play. */
export const betDelayOf = ({ inPlay, betDelayMs }: MarketView): number =>
  inPlay ? -divFloor(-betDelayMs, 1000) || 0 : 0;

/** What is on offer: nothing while betting on the market or on the runner is off. */
export function offersOf(view: MarketView, runner: RunnerBook): { back: Levels; lay: Levels } {
  return view.status === 'OPEN' && runner.status === 'ACTIVE' ? runner : { back: [], lay: [] };
}

/** A line has none. */
export const winnersIn = ({ kind, winners }: MarketView): number => (kind === 'book' ? winners : 0);

/** What an account has in a runner, where that was asked for. */
export type OwnOrders = (runnerId: number) => object;

export function marketBookOf(
  { view, runners, matchedAt }: Book,
  projection: PriceProjection,
  own: OwnOrders = () => ({}),
) {
  const sum = (of: (runner: RunnerBook) => number) => decimal(runners.reduce((all, runner) => all + of(runner), 0));
  return {
    marketId: toMarketId(view.marketId),
    isMarketDataDelayed: false,
    status: marketStatusOf(view.status),
    betDelay: betDelayOf(view),
    bspReconciled: false,
    complete: true,
    inplay: view.inPlay,
    numberOfWinners: winnersIn(view),
    numberOfRunners: runners.length,
    numberOfActiveRunners: runners.filter(({ status }) => runnerStatusOf(status) === 'ACTIVE').length,
    ...(matchedAt === undefined ? {} : { lastMatchTime: isoTime(matchedAt) }),
    totalMatched: sum(({ tradedMinor }) => tradedMinor),
    totalAvailable: sum((runner) => {
      const { back, lay } = offersOf(view, runner);
      return [...back, ...lay].reduce((all, [, minor]) => all + minor, 0);
    }),
    crossMatching: false,
    runnersVoidable: false,
    version: view.version,
    runners: runners.map((runner) => ({ ...runnerOf(view, runner, projection), ...own(runner.runnerId) })),
  };
}

function runnerOf(view: MarketView, runner: RunnerBook, projection: PriceProjection) {
  const { data } = projection;
  const isPriced = data.some((one) => one.startsWith('EX_'));
  const { back, lay } = offersOf(view, runner);
  const shown = (levels: Levels) =>
    data.includes('EX_ALL_OFFERS')
      ? levels.map(levelOf)
      : data.includes('EX_BEST_OFFERS')
        ? best(levels, projection).map(levelOf)
        : [];
  return {
    selectionId: runner.runnerId,
    handicap: 0,
    status: runnerStatusOf(runner.status),
    ...(runner.adjustmentFactor === undefined ? {} : { adjustmentFactor: decimal(runner.adjustmentFactor) }),
    ...(runner.lastPrice > 0 ? { lastPriceTraded: decimal(runner.lastPrice) } : {}),
    totalMatched: decimal(runner.tradedMinor),
    ...(runner.removedAt === null ? {} : { removalDate: isoTime(runner.removedAt) }),
    ...(isPriced
      ? {
          ex: {
            availableToBack: shown(back),
            availableToLay: shown(lay),
            tradedVolume: data.includes('EX_TRADED') ? runner.traded.map(levelOf) : [],
          },
        }
      : {}),
  };
}

const levelOf = ([price, minor]: readonly [number, number]) => ({ price: decimal(price), size: decimal(minor) });

/** The best levels, those that are too small joined to the price behind them. */
export function best(levels: Levels, { bestDepth = 3, rollup }: Omit<PriceProjection, 'data'>): Levels {
  const found: Array<readonly [number, number]> = [];
  let waiting = 0;
  for (const [price, minor] of levels) {
    if (found.length >= bestDepth) break;
    waiting += minor;
    if (rollup && !isEnough(rollup, price, waiting)) continue;
    found.push([price, waiting]);
    waiting = 0;
  }
  return found;
}

function isEnough({ by, leastMinor, from, leastLiabilityMinor = 0 }: Rollup, price: number, minor: number): boolean {
  if (from !== undefined && price >= from) return (price - 100) * minor >= leastLiabilityMinor * 100;
  return (by === 'payout' ? price : 100) * minor >= leastMinor * 100;
}
