/**
 * Bets that lapse with a change of their market (exchange reference 3.5, 3.6). Which ones is decided by the command; when they
 * are many, they end over several commands (slices.ts), and until the last has the market is locked.
 */
import type { Refused } from './guard.ts';
import { refuse } from './guard.ts';
import { endRemaining } from './holding.ts';
import { clearHouse } from './house.ts';
import { liveOf } from './live.ts';
import { closeWork, openWork } from './pending.ts';
import type { Market, Order, State, Work } from './state.ts';
import { SMALL_WORK } from './state.ts';
import { tell } from './telling.ts';
import type { Budget } from './turns.ts';
import type { BetId, Command, EndCode } from './types.ts';
import { changeMarket, markDirty } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export type Lapses = Array<[BetId, EndCode]>;

/** Which bets of a market lapse, rule by rule in the order in which they were placed; each by the first rule that names it. */
export function createChoice({ live }: Market) {
  const lapses: Lapses = [];
  const rules: Array<(order: Order) => boolean> = [];
  const isChosen = (order: Order) => rules.some((names) => names(order));
  return {
    lapses,
    isChosen,
    choose: (code: EndCode, names: (order: Order) => boolean): void => {
      for (let order = live.first; order !== null; order = order.after)
        if (names(order) && !isChosen(order)) lapses.push([order.id, code]);
      rules.push(names);
    },
  };
}

export function endLapses(state: State, market: Market, lapses: Lapses, units: number = SMALL_WORK): void {
  if (lapses.length <= units) {
    // The end of one may be the end of others that wait with it.
    for (const [betId, code] of lapses) {
      const order = state.orders.get(betId)!;
      if (order.remaining > 0) endRemaining(state, order, code);
    }
    return;
  }
  const { status, reason } = market;
  const work = openWork(state, market, {
    type: 'market.state',
    phase: 'lapse',
    reason: 'Unmatched bets lapse',
    lapses,
    after: { status, reason },
  });
  changeMarket(state, market, false);
  changeOn(state, market, work, units);
}

/**
 * Of a market in which bets lapse a suspension is taken, since nobody may have to wait with one: it decides what the market is
 * when they have, and what it lapses itself lapses with them.
 */
export function suspendLapsing(state: State, market: Market, c: Of<'market.state'>): Refused | null {
  const work = state.pending.find((one) => one.marketId === market.id)!;
  const { type: _type, marketId: _marketId, status, reason, lapse = false, units: _units, ...others } = c;
  if (work.after === null || status !== 'SUSPENDED' || Object.keys(others).length > 0)
    return refuse('MARKET_SETTLING', 'marketId');
  const isLeaving = work.after.status === 'OPEN';
  const everything = lapse || (isLeaving && market.def.lapseOnSuspend);
  const known = new Set(work.lapses.map(([betId]) => betId));
  for (const order of liveOf(market.live, ({ status: is }) => everything || (isLeaving && is === 'PENDING')))
    if (!known.has(order.id)) work.lapses.push([order.id, 'LAPSED_SUSPENDED']);
  if (everything) clearHouse(state, market);
  work.after = { status, reason: reason ?? (work.after.status === status ? work.after.reason : '') };
  return null;
}

/** Goes on with a market that was changed: tells what its command did, ends what is to lapse, and opens it again. */
export function changeOn(state: State, market: Market, work: Work, units: number): void {
  markDirty(state, market);
  const budget = { units: tell(state, work, units) };
  if (work.untold.size === 0 && lapseOn(state, work, budget)) reopen(state, market, work);
}

/** Ends the next bets that are to lapse. @returns whether all have. */
export function lapseOn(state: State, work: Work, budget: Budget): boolean {
  for (; work.at < work.lapses.length; work.at++, budget.units--) {
    if (budget.units <= 0) return false;
    const [betId, code] = work.lapses[work.at]!;
    const order = state.orders.get(betId);
    if (order !== undefined && order.remaining > 0) endRemaining(state, order, code);
  }
  work.lapses = [];
  work.at = 0;
  return true;
}

/** All is done: the market is what its command, or a suspension since, made it. */
export function reopen(state: State, market: Market, work: Work): void {
  Object.assign(market, work.after);
  closeWork(state, market, work);
}
