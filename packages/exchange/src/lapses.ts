/**
 * Bets that lapse with a change of their market (exchange reference 3.5, 3.6). Which ones is decided by the command; when they
 * are many, they end over several commands (slices.ts), and until the last has the market is locked.
 */
import { endRemaining } from './holding.ts';
import { closeWork, openWork } from './pending.ts';
import type { Market, Order, State, Work } from './state.ts';
import { SMALL_WORK } from './state.ts';
import type { EndCode } from './types.ts';
import { changeMarket, soil } from './work.ts';

export function endLapses(
  state: State,
  market: Market,
  lapses: ReadonlyMap<Order, EndCode>,
  units: number = SMALL_WORK,
): void {
  if (lapses.size <= units) {
    // The end of one may be the end of others that wait with it.
    for (const [order, code] of lapses) if (order.remaining > 0) endRemaining(state, order, code);
    return;
  }
  const { status, reason } = market;
  const work = openWork(state, market, {
    type: 'market.state',
    phase: 'lapse',
    reason: 'Unmatched bets lapse',
    lapses: Array.from(lapses, ([order, code]) => [order.id, code]),
    after: { status, reason },
  });
  changeMarket(state, market, false);
  lapseOn(state, market, work, units);
}

export function lapseOn(state: State, market: Market, work: Work, units: number): void {
  soil(state, market);
  const { lapses } = work;
  for (const until = Math.min(lapses.length, work.at + units); work.at < until; work.at++) {
    const [betId, code] = lapses[work.at]!;
    const order = state.orders.get(betId);
    if (order !== undefined && order.remaining > 0) endRemaining(state, order, code);
  }
  if (work.at < lapses.length) return;
  Object.assign(market, work.after);
  closeWork(state, market, work);
}
