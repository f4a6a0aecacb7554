/**
 * What-if, green-up and cash-out (exchange reference, section 10): sums the screens show before anything is sent. Pure
 * and small, since the browser imports it. Positions are the matched bets only: unmatched orders are not counted, the
 * caller cancels them first. Money in minor units, odds in hundredths; minor x hundredths is 1/10 000 of the currency
 * ("E4"), exact inside, rounded once at the end as it is booked: gains down, losses up.
 */

import { e4ToMinor, roundDiv } from '@fairgame/contract';
import { betAmounts, quoteFor } from './quotes.ts';
import type { MarketStatus, QuoteRow, RunnerId, RunnerStatus, Side } from './types.ts';

/** A bet being typed, or an order that would close a position. */
export interface Hedge {
  runnerId: RunnerId;
  side: Side;
  /** Limit: the worst level the size needs; better levels fill at their own price. */
  price: number;
  sizeMinor: number;
  /** bookmaker: the box the rate is from. */
  box?: number;
}

/** Result of an account if this runner wins. */
export interface RunnerNet {
  runnerId: RunnerId;
  netMinor: number;
}

/** What is on offer for one runner, [price, sizeMinor], best first. */
export interface RunnerOffers {
  runnerId: RunnerId;
  status: RunnerStatus;
  /** What can be backed: highest price first. */
  backable: ReadonlyArray<readonly [number, number]>;
  /** What can be laid: lowest price first. */
  layable: ReadonlyArray<readonly [number, number]>;
}

export interface CashOutMarket {
  status: MarketStatus;
  winners: number;
  runners: readonly RunnerOffers[];
  /** Take commission off `valueMinor` (1/10 000); absent or 0 shows it gross. */
  commissionBps?: number;
  /** Orders outside these are not proposed. */
  minStakeMinor?: number;
  maxStakeMinor?: number;
}

export type NoCashOut =
  | 'CLOSED'
  | 'SUSPENDED'
  | 'RUNNER_SUSPENDED'
  /** Only markets with one winner (and, at the bookmaker's, two runners) have one locked result. */
  | 'WRONG_MARKET'
  | 'NO_POSITION'
  | 'NO_DEPTH'
  | 'STAKE_TOO_SMALL'
  | 'STAKE_TOO_LARGE';

export type CashOut =
  | {
      ok: true /** The worst of `results`, less commission if asked. */;
      valueMinor: number;
      results: RunnerNet[];
      hedges: Hedge[];
    }
  | { ok: false; reason: NoCashOut };

/** Results per runner as they would be with the typed bet matched: 10, "What-if". One-winner markets. */
export function whatIf(
  nets: readonly RunnerNet[],
  draft: Pick<Hedge, 'runnerId' | 'side' | 'price' | 'sizeMinor'>,
): RunnerNet[] {
  return nets.map(({ runnerId, netMinor }) => ({
    runnerId,
    netMinor: e4ToMinor(netMinor * 100 + effectE4(draft, draft.price, draft.sizeMinor, runnerId)),
  }));
}

/** The same for a bookmaker rate per 100, with the amounts a bet would fix (12.2). */
export function whatIfRate(
  nets: readonly RunnerNet[],
  draft: Pick<Hedge, 'runnerId' | 'side' | 'price' | 'sizeMinor'>,
): RunnerNet[] {
  const { winMinor, lossMinor } = betAmounts('bookmaker', { ...draft, stakeMinor: draft.sizeMinor });
  const back = draft.side === 'BACK';
  return nets.map(({ runnerId, netMinor }) => ({
    runnerId,
    netMinor: netMinor + ((runnerId === draft.runnerId) === back ? winMinor : -lossMinor),
  }));
}

/**
 * Levels the result of one runner: the opposite side at the best opposite prices until winning and losing bring the
 * same. Works in any runner market, since only this runner's own win and lose sums are used. `results` holds the result
 * if the runner wins and then, with runnerId 0, if it loses.
 */
export function greenUp(
  position: { runnerId: RunnerId; winMinor: number; loseMinor: number },
  market: CashOutMarket,
): CashOut {
  const offers = market.runners.find((runner) => runner.runnerId === position.runnerId);
  const closed = shut(market.status) ?? (offers?.status === 'ACTIVE' ? null : 'RUNNER_SUSPENDED');
  if (closed || !offers) return no(closed ?? 'RUNNER_SUSPENDED');
  const taken = take(offers, (position.loseMinor - position.winMinor) * 100);
  if (!taken) return no('NO_DEPTH');
  if (taken.sizeMinor === 0) return no('NO_POSITION');
  const refused = badSize(taken.sizeMinor, market);
  if (refused) return no(refused);
  const sign = taken.side === 'BACK' ? 1 : -1;
  return done(
    [
      { runnerId: position.runnerId, netE4: position.winMinor * 100 + sign * (taken.returnE4 - taken.sizeMinor * 100) },
      { runnerId: 0, netE4: position.loseMinor * 100 - sign * taken.sizeMinor * 100 },
    ],
    [hedgeOf(taken)],
    market.commissionBps,
  );
}

/**
 * Levels all runners of a one-winner market. Every level Z gives equal results T(Z) = Z - sum of hedge stakes; T is
 * concave and piecewise linear, so its best is at a runner's own result or where an offered level is used up. Each of
 * these is tried with the sizes on offer; the best whose orders the market would take wins. `nets` must name every
 * active runner.
 */
export function cashOut(nets: readonly RunnerNet[], market: CashOutMarket): CashOut {
  const closed = shut(market.status);
  if (closed) return no(closed);
  if (market.winners !== 1) return no('WRONG_MARKET');
  const active = market.runners.filter((runner) => runner.status !== 'REMOVED');
  const legs = active.map((offers) => {
    const net = nets.find((entry) => entry.runnerId === offers.runnerId)?.netMinor ?? 0;
    return { offers, netE4: net * 100 };
  });
  if (legs.every((leg) => leg.netE4 === legs[0]!.netE4)) return no('NO_POSITION');

  let best: {
    worstE4: number;
    orders: number;
    results: Array<{ runnerId: RunnerId; netE4: number }>;
    taken: Taken[];
  } | null = null;
  let reason: NoCashOut = 'NO_DEPTH';
  for (const level of levels(legs)) {
    const plan = planAt(level, legs);
    if (!plan) continue;
    const trouble = plan.find((leg) => leg.status !== 'ACTIVE')
      ? 'RUNNER_SUSPENDED'
      : plan.map((leg) => badSize(leg.sizeMinor, market)).find((bad) => bad !== null);
    if (trouble) {
      reason = trouble;
      continue;
    }
    const results = legs.map(({ offers: { runnerId }, netE4 }) => ({
      runnerId,
      netE4: plan.reduce((sum, leg) => sum + takenEffectE4(leg, runnerId), netE4),
    }));
    const worstE4 = Math.min(...results.map((result) => result.netE4));
    if (!best || worstE4 > best.worstE4 || (worstE4 === best.worstE4 && plan.length < best.orders)) {
      best = { worstE4, orders: plan.length, results, taken: plan };
    }
  }
  if (!best) return no(reason);
  if (best.taken.length === 0) return no('NO_POSITION');
  return done(best.results, best.taken.map(hedgeOf), market.commissionBps);
}

/**
 * Cash-out of a bookmaker market (10, South-Asian): two runners whose results differ; on the runner quoted under 100,
 * stake = (plB - plA)/(1 + rate/100), a back when positive, a lay when negative. The best box whose limit takes the
 * stake is used.
 */
export function cashOutRate(
  nets: readonly RunnerNet[],
  market: {
    status: MarketStatus;
    rows: readonly QuoteRow[];
    rateThan100?: boolean;
    minStakeMinor: number;
    maxStakeMinor: number;
    commissionBps?: number;
  },
): CashOut {
  const closed = shut(market.status);
  if (closed) return no(closed);
  const [a, b] = nets;
  if (nets.length !== 2 || !a || !b) return no('WRONG_MARKET');
  if (a.netMinor === b.netMinor) return no('NO_POSITION');
  const asked = { kind: 'bookmaker' as const, maxStakeMinor: market.maxStakeMinor, runners: { length: 2 } };
  let best: Extract<CashOut, { ok: true }> | null = null;
  let reason: NoCashOut = 'SUSPENDED';
  for (const [own, other] of [[a, b] as const, [b, a] as const]) {
    const row = market.rows.find((entry) => entry.runnerId === own.runnerId);
    if (row?.status !== 'ACTIVE') continue;
    if (reason === 'SUSPENDED') reason = 'NO_DEPTH';
    const diff = other.netMinor - own.netMinor;
    const side: Side = diff > 0 ? 'BACK' : 'LAY';
    for (let box = 0; box < 3; box++) {
      const quote = quoteFor({ ...asked, rateThan100: market.rateThan100 }, row, side, box);
      if (!quote || quote.price >= 100) continue;
      const sizeMinor = roundDiv(Math.abs(diff) * 100, 100 + quote.price);
      if (sizeMinor > quote.sizeMinor) continue;
      if (sizeMinor < Math.max(1, market.minStakeMinor)) {
        reason = 'STAKE_TOO_SMALL';
        continue;
      }
      const hedge: Hedge = { runnerId: own.runnerId, side, price: quote.price, sizeMinor, box };
      const results = whatIfRate(nets, hedge).map(({ runnerId, netMinor }) => ({ runnerId, netE4: netMinor * 100 }));
      const value = done(results, [hedge], market.commissionBps);
      if (!best || value.valueMinor > best.valueMinor) best = value;
      break; // the next boxes are worse
    }
  }
  return best ?? no(reason);
}

interface Leg {
  offers: RunnerOffers;
  netE4: number;
}

/** What was taken off one runner's offers; `returnE4` is the sum of size x price. */
interface Taken {
  runnerId: RunnerId;
  status: RunnerStatus;
  side: Side;
  price: number;
  sizeMinor: number;
  returnE4: number;
}

/** Takes bets that raise (back) or lower (lay) the runner's result against its loss by `changeE4`; null: not enough there. */
function take(offers: RunnerOffers, changeE4: number): Taken | null {
  const side: Side = changeE4 > 0 ? 'BACK' : 'LAY';
  const taken: Taken = { runnerId: offers.runnerId, status: offers.status, side, price: 0, sizeMinor: 0, returnE4: 0 };
  let left = Math.abs(changeE4);
  for (const [price, available] of side === 'BACK' ? offers.backable : offers.layable) {
    const wanted = roundDiv(left, price);
    const size = Math.min(available, wanted);
    if (size > 0) {
      taken.price = price;
      taken.sizeMinor += size;
      taken.returnE4 += size * price;
    }
    left = wanted <= available ? 0 : left - size * price;
    if (left === 0) break;
  }
  // What is worth no more than one minor unit is rounding, not want of depth.
  return left > 100 ? null : taken;
}

/**
 * Every Z at which T can have its best: each runner's own result, and that moved by the returns on offer. Only between
 * the worst and the best result: a level outside would be new trading, not a way out.
 */
function levels(legs: readonly Leg[]): number[] {
  const found = new Set<number>();
  for (const { offers, netE4 } of legs) {
    found.add(netE4);
    for (const [ladder, sign] of [
      [offers.backable, 1],
      [offers.layable, -1],
    ] as const) {
      let at = netE4;
      for (const [price, size] of ladder) {
        at += sign * price * size;
        found.add(at);
      }
    }
  }
  const low = Math.min(...legs.map((leg) => leg.netE4));
  const high = Math.max(...legs.map((leg) => leg.netE4));
  return [...found].filter((level) => level >= low && level <= high);
}

function planAt(level: number, legs: readonly Leg[]): Taken[] | null {
  const plan: Taken[] = [];
  for (const { offers, netE4 } of legs) {
    const taken = take(offers, level - netE4);
    if (!taken) return null;
    if (taken.sizeMinor > 0) plan.push(taken);
  }
  return plan;
}

function takenEffectE4(taken: Taken, runnerId: RunnerId): number {
  const back = taken.side === 'BACK' ? 1 : -1;
  return back * ((runnerId === taken.runnerId ? taken.returnE4 : 0) - taken.sizeMinor * 100);
}

/** Effect of one matched bet on the result if `runnerId` wins. */
function effectE4(bet: Pick<Hedge, 'runnerId' | 'side'>, price: number, sizeMinor: number, runnerId: RunnerId): number {
  const back = bet.side === 'BACK' ? 1 : -1;
  return back * sizeMinor * (runnerId === bet.runnerId ? price - 100 : -100);
}

function hedgeOf({ runnerId, side, price, sizeMinor }: Taken): Hedge {
  return { runnerId, side, price, sizeMinor };
}

function done(
  resultsE4: ReadonlyArray<{ runnerId: RunnerId; netE4: number }>,
  hedges: Hedge[],
  commissionBps = 0,
): Extract<CashOut, { ok: true }> {
  const results = resultsE4.map(({ runnerId, netE4 }) => ({ runnerId, netMinor: e4ToMinor(netE4) }));
  const worst = Math.min(...results.map((result) => result.netMinor));
  const commission = worst > 0 ? roundDiv(worst * commissionBps, 10_000) : 0; // 8.5: on a positive net only
  return { ok: true, valueMinor: worst - commission, results, hedges };
}

function shut(status: MarketStatus): NoCashOut | null {
  return status === 'OPEN' ? null : status === 'CLOSED' ? 'CLOSED' : 'SUSPENDED';
}

function badSize(sizeMinor: number, market: CashOutMarket): NoCashOut | null {
  if (sizeMinor < (market.minStakeMinor ?? 0)) return 'STAKE_TOO_SMALL';
  return market.maxStakeMinor && sizeMinor > market.maxStakeMinor ? 'STAKE_TOO_LARGE' : null;
}

function no(reason: NoCashOut): { ok: false; reason: NoCashOut } {
  return { ok: false, reason };
}
