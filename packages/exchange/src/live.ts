/**
 * Bets with something left, resting or delayed, of a market and of an account in it: what ends them costs as much as there
 * are, however many came before. Two lists through the bets themselves, in the order in which they were placed.
 */
import type { Order } from './state.ts';

export interface Live {
  first: Order | null;
  last: Order | null;
}

/** The neighbours of a bet in both lists. */
export interface Links {
  before: Order | null;
  after: Order | null;
  ownBefore: Order | null;
  ownAfter: Order | null;
}

/** Enters a bet with something left, behind all others. */
export function enterLive(order: Order): void {
  const { holding } = order;
  const { live: all } = holding.market;
  const { live: own } = holding;
  order.before = all.last;
  if (all.last === null) all.first = order;
  else all.last.after = order;
  all.last = order;
  order.ownBefore = own.last;
  if (own.last === null) own.first = order;
  else own.last.ownAfter = order;
  own.last = order;
}

/** Takes a bet out that has nothing left. */
export function leaveLive(order: Order): void {
  const { holding, before, after, ownBefore, ownAfter } = order;
  const { live: all } = holding.market;
  const { live: own } = holding;
  if (before === null) all.first = after;
  else before.after = after;
  if (after === null) all.last = before;
  else after.before = before;
  if (ownBefore === null) own.first = ownAfter;
  else ownBefore.ownAfter = ownAfter;
  if (ownAfter === null) own.last = ownBefore;
  else ownAfter.ownBefore = ownBefore;
  order.before = null;
  order.after = null;
  order.ownBefore = null;
  order.ownAfter = null;
}

/** Those of an account in a market that wait out their delay, in the order in which they were placed. */
export function delayedOf(own: Live): Order[] {
  const found: Order[] = [];
  for (let order = own.first; order !== null; order = order.ownAfter) if (order.status === 'PENDING') found.push(order);
  return found;
}

/** Those of a market that are chosen, in the order in which they were placed. */
export function liveOf(live: Live, which: (order: Order) => boolean): Order[] {
  const found: Order[] = [];
  for (let order = live.first; order !== null; order = order.after) if (which(order)) found.push(order);
  return found;
}

/** What of an account's waits in the books of a market, in the order it was placed; delayed bets are not among them. */
export function restingOf(own: Live): Order[] {
  const found: Order[] = [];
  for (let order = own.first; order !== null; order = order.ownAfter)
    if (order.status === 'EXECUTABLE') found.push(order);
  return found;
}
