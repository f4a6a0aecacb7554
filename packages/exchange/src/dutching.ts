/**
 * Dutching: backs on several runners of a one-winner market that win the same whichever of them comes in, by what is staked
 * in all or by what shall be won. Pure and small, since the browser imports it. The stakes that bring a return R are the least
 * whole minor units that do, so results differ by less than a minor unit of stake is worth; R itself is in 1/10 000 ("E4").
 */
import { divCeil, e4ToMinor } from '@fairgame/contract';
import type { RunnerNet, RunnerOffers } from './cashout.ts';
import type { RunnerId } from './types.ts';

export type DutchGoal = { totalMinor: number } | { profitMinor: number };

export interface DutchStake {
  runnerId: RunnerId;
  /** Limit: the worst level the stake needs. */
  price: number;
  sizeMinor: number;
}

export type NoDutch =
  /** Too little on offer, on all of them or at prices that still bring something. */
  | 'NO_DEPTH'
  /** At these prices the stakes cost what they bring, or more. */
  | 'NO_PROFIT'
  | 'STAKE_TOO_SMALL'
  | 'STAKE_TOO_LARGE';

export type Dutch =
  | {
      ok: true;
      stakes: DutchStake[];
      totalMinor: number;
      /** The result if that runner wins. */
      results: RunnerNet[];
    }
  | { ok: false; reason: NoDutch; runnerId?: RunnerId };

type Offers = Pick<RunnerOffers, 'runnerId' | 'backable'>;

/** Keeps every product and sum below exact. */
const MOST_RETURN_E4 = 2 ** 50;

/**
 * By a total: the stakes with the largest return that cost no more. By a profit: the first that bring it on every runner.
 * `limits`: what the market takes as one stake.
 */
export function dutch(
  offers: readonly Offers[],
  goal: DutchGoal,
  limits: { minStakeMinor: number; maxStakeMinor: number },
): Dutch {
  const most = Math.min(MOST_RETURN_E4, ...offers.map(({ backable }) => volumeE4(backable)));
  if (offers.length === 0 || most === 0) return { ok: false, reason: 'NO_DEPTH' };
  const found =
    'totalMinor' in goal ? byTotal(offers, goal.totalMinor, most) : byProfit(offers, goal.profitMinor, most);
  if (typeof found === 'string') return { ok: false, reason: found };
  const taken = takenFor(offers, found);
  const totalMinor = taken.reduce((sum, { sizeMinor }) => sum + sizeMinor, 0);
  const results = taken.map(({ runnerId, returnE4 }) => ({
    runnerId,
    netMinor: e4ToMinor(returnE4 - totalMinor * 100),
  }));
  for (const { runnerId, sizeMinor } of taken) {
    if (sizeMinor < limits.minStakeMinor) return { ok: false, reason: 'STAKE_TOO_SMALL', runnerId };
    if (sizeMinor > limits.maxStakeMinor) return { ok: false, reason: 'STAKE_TOO_LARGE', runnerId };
  }
  if (results.some(({ netMinor }) => netMinor <= 0)) return { ok: false, reason: 'NO_PROFIT' };
  const stakes = taken.map(({ runnerId, price, sizeMinor }) => ({ runnerId, price, sizeMinor }));
  return { ok: true, stakes, totalMinor, results };
}

function byTotal(offers: readonly Offers[], totalMinor: number, most: number): number | NoDutch {
  const found = largest(offers, totalMinor, most);
  // All there is on one of them is taken, and more was to be staked than rounding.
  if (found === most && totalMinor - costOf(offers, most) >= offers.length) return 'NO_DEPTH';
  return found;
}

/**
 * What is won rises with the return as long as the prices in reach leave something, and falls from there: its top is where a
 * level of some runner is used up.
 */
function byProfit(offers: readonly Offers[], profitMinor: number, most: number): number | NoDutch {
  const wonE4 = (returnE4: number) => returnE4 - costOf(offers, returnE4) * 100;
  let top = 0;
  for (const at of levelEnds(offers)) if (at <= most && wonE4(at) > wonE4(top)) top = at;
  if (wonE4(top) < profitMinor * 100) return top === 0 ? 'NO_PROFIT' : 'NO_DEPTH';
  const found = first(top, (returnE4) => wonE4(returnE4) >= profitMinor * 100);
  // Rounding may hide a total a few minor units smaller that brings it too.
  const cost = costOf(offers, found);
  for (let total = Math.max(1, cost - 2 * offers.length); total < cost; total++) {
    const returnE4 = largest(offers, total, most);
    if (wonE4(returnE4) >= profitMinor * 100) return returnE4;
  }
  return found;
}

/** The largest return that costs no more. */
const largest = (offers: readonly Offers[], totalMinor: number, most: number): number =>
  first(most + 1, (returnE4) => costOf(offers, returnE4) > totalMinor) - 1;

/** One at which it is so and one before which it is not, up to `last`, where it is taken to be so. */
function first(last: number, isSo: (value: number) => boolean): number {
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isSo(middle)) high = middle;
    else low = middle;
  }
  return high;
}

interface Taken extends DutchStake {
  returnE4: number;
}

const takenFor = (offers: readonly Offers[], returnE4: number): Taken[] => offers.map((one) => take(one, returnE4));

const costOf = (offers: readonly Offers[], returnE4: number): number =>
  offers.reduce((sum, one) => sum + take(one, returnE4).sizeMinor, 0);

/** The least stake that brings as much, from the best price on. */
function take({ runnerId, backable }: Offers, returnE4: number): Taken {
  const taken: Taken = { runnerId, price: backable[0]?.[0] ?? 0, sizeMinor: 0, returnE4: 0 };
  for (const [price, available] of backable) {
    const left = returnE4 - taken.returnE4;
    if (left <= 0) break;
    const size = Math.min(available, divCeil(left, price));
    if (size <= 0) continue;
    taken.price = price;
    taken.sizeMinor += size;
    taken.returnE4 += size * price;
  }
  return taken;
}

const volumeE4 = (levels: Offers['backable']): number => levels.reduce((sum, [price, size]) => sum + price * size, 0);

function levelEnds(offers: readonly Offers[]): number[] {
  return offers.flatMap(({ backable }) => backable.map((_, at) => volumeE4(backable.slice(0, at + 1))));
}
