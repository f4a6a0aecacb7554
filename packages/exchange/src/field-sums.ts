/**
 * What bets count for in a field (exchange reference 7): a match is void with its runner, and paid at what all removals since
 * leave of its price. Both follow from the field alone, so an account's sums in one that is still to come are reckoned from
 * its own bets, whatever of them was changed yet.
 */
import { BACK, LAY } from './book.ts';
import { countOpen, countSide, countTakeIn, measured } from './holding.ts';
import { reducedFill } from './reduction.ts';
import type { Fill, Holding, Market, Order, Reckoned, State, Work } from './state.ts';
import { earlier, newHolding } from './state.ts';

/** Whether a match counts in a field, and what takes it out. */
export function voidIn({ runners }: Market, { void: now, runner }: Fill): Fill['void'] {
  if (now === 'voided') return now;
  return runners[runner.index]!.status === 'REMOVED' ? 'removed' : false;
}

/** What a match that counts is paid at. */
export function paidIn(field: Market, fill: Fill): number {
  return reducedFill(field, fill).now;
}

/** Of a bookmaker market: taken, then made void by the removal of its runner (the operator's voids say so). */
export function isVoidByRemoval(order: Order): boolean {
  return order.result === 'VOID' && order.voided === order.size && order.endCode === undefined;
}

/** Of a bookmaker market: whether a bet on a quote counts in a field. */
export function isTakenIn({ runners }: Market, order: Order): boolean {
  return (order.matched > 0 || isVoidByRemoval(order)) && runners[order.runner.index]!.status !== 'REMOVED';
}

/** An account's sums in a field, and what they ask for: without its delayed bets, which lapse before their field changes. */
export function reckon(field: Market, holding: Holding): Reckoned {
  const own = newHolding(holding.account, field);
  for (const order of holding.orders) if (order.status !== 'PENDING') countIn(field, own, order);
  const { hard, soft } = measured(own);
  return { sums: own.sums, shifts: own.shifts, gross: own.gross, hard, soft };
}

function countIn(field: Market, own: Holding, order: Order): void {
  if (order.terms !== null) {
    if (order.remaining > 0 || isTakenIn(field, order)) countTakeIn(own, order, false, 1);
    return;
  }
  if (order.remaining > 0) countOpen(own, order.runner.index, order.code, order.price, order.remaining);
  for (let fill = order.lastFill; fill !== null; fill = earlier(order, fill)) {
    if (voidIn(field, fill)) continue;
    const reduced = reducedFill(field, fill);
    countSide(own, fill, order.code, fill.size, reduced.now, reduced);
  }
}

/** Counts what the house stands in from the match, or bet on a quote, `from` to `to` for `house`, in its market as the field. */
export function countHouse(house: Holding, from: number, to: number): void {
  const field = house.market;
  for (let i = from; i < to; i++) {
    if (!field.isBook) {
      const order = field.orders[i]!;
      if (order.remaining > 0 || isTakenIn(field, order)) countTakeIn(house, order, true, 1);
      continue;
    }
    const fill = field.fills[i]!;
    if ((fill.back !== null && fill.lay !== null) || voidIn(field, fill)) continue;
    countSide(house, fill, fill.back === null ? BACK : LAY, fill.size, paidIn(field, fill), null);
  }
}

/** How many matches, or bets on quotes, the house may stand in. */
export function houseRows({ isBook, fills, orders }: Market): number {
  return isBook ? fills.length : orders.length;
}

/** Whether the field of a market is still to change: what everybody is held to, and who is short by it, comes with that. */
export function isToChange({ pending }: State, { id }: Market): boolean {
  const isBefore = ({ field, phase }: Work) => field !== null && phase !== 'turns' && phase !== 'ending';
  return pending.some((work) => work.marketId === id && isBefore(work));
}

/** Whether the field of a market has changed, and some of its bets are as they were. */
export function isTurning({ pending }: State, { id }: Market): boolean {
  return pending.some(({ phase, marketId }) => phase === 'turns' && marketId === id);
}

/** Every sum of a market anew from its field, whatever of its bets was changed yet. */
export function recount(market: Market): void {
  for (const holding of market.holdings.values()) {
    const { sums, shifts, gross } = reckon(market, holding);
    Object.assign(holding, { sums, shifts, gross });
  }
  market.house.sums.fill(0);
  market.house.gross = 0;
  countHouse(market.house, 0, houseRows(market));
}
