/**
 * Closed markets leave memory: what undeclare and void need later goes out as text, sealed with a hash. Of a large market the
 * bets and fills go part by part over several commands (slices.ts); meanwhile it stays as it was, closed and whole, and can
 * neither be undeclared nor corrected.
 */
import { dropConditionals } from './conditionals.ts';
import type { Refused } from './guard.ts';
import { refuse } from './guard.ts';
import { forget, hashText } from './hash.ts';
import { addWork, endWork, isSettling } from './pending.ts';
import { fillRow, marketHead, orderRow, restoreMarket, snapshotMarket } from './snapshot.ts';
import type { Market, State, Work } from './state.ts';
import { SMALL_WORK, unlistMarket } from './state.ts';
import type { Command, MarketSnapshot } from './types.ts';
import { append } from './work.ts';

/** A bet or fill that is only written down once more is a part of a unit, which is about a bet that changes. */
const ROWS_A_UNIT = 4;

/** Drops a closed market from memory, a large one over several commands. */
export function archive(state: State, c: Extract<Command, { type: 'market.archive' }>): Refused | null {
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (isSettling(state, market.id)) return refuse('MARKET_SETTLING', 'marketId');
  if (market.status !== 'CLOSED') return refuse('NOT_DECLARED', 'marketId');
  const { units = SMALL_WORK } = c;
  if (unitsToLeave(market) <= units) leave(state, market, archiveOf(market));
  else archiveOn(state, market, addWork(state, market, { type: 'market.archive', phase: 'leaving' }), units);
  return null;
}

/** Hands the next part out; with the last one the market is gone. */
export function archiveOn(state: State, market: Market, work: Work, units: number): void {
  const { orders, fills } = market;
  const from = work.at;
  const to = Math.min(from + units * ROWS_A_UNIT, orders.length + fills.length);
  const text = JSON.stringify({
    orders: orders.slice(from, to).map(orderRow),
    fills: fills.slice(Math.max(0, from - orders.length), Math.max(0, to - orders.length)).map(fillRow),
  });
  append(state.out, { type: 'archivePart', marketId: market.id, part: work.parts, text });
  work.seal = sealed(work.seal, text);
  work.parts++;
  work.at = to;
  if (to < orders.length + fills.length) return;
  endWork(state, work);
  const head = marketHead(market);
  const check = sealed(work.seal, JSON.stringify(head));
  leave(state, market, { snapshot: 3, market: head, count: work.parts, check });
}

/** How many units a market that leaves takes at most, from its row `at` on. */
export function unitsToLeave({ orders, fills }: Market, at = 0): number {
  return Math.ceil((orders.length + fills.length - at) / ROWS_A_UNIT);
}

/** The snapshot in the event, with the parts that went before it, is all that undeclare and void need later. */
function leave(state: State, market: Market, snapshot: MarketSnapshot): void {
  append(state.out, { type: 'archived', marketId: market.id, snapshot });
  dropMarket(state, market);
}

function archiveOf(market: Market): MarketSnapshot {
  const json = snapshotMarket(market);
  return { snapshot: 2, market: json, check: hashText(JSON.stringify(json)) };
}

/** The market of an archive, not entered in the state; null when it is none, was changed, or names an unknown account. */
export function openArchive(state: State, archived: MarketSnapshot): Market | null {
  try {
    const json = jsonOf(archived);
    return json === null ? null : restoreMarket(state, json);
  } catch {
    return null;
  }
}

/** What was checked is what is read: a value that JSON does not know may stand where its text says null. */
function jsonOf({ snapshot, market, check }: MarketSnapshot): unknown {
  const whole = JSON.stringify(market);
  if (snapshot === 1) return check === undefined ? JSON.parse(whole) : null;
  return snapshot === 2 && check === hashText(whole) ? JSON.parse(whole) : null;
}

/** The seal over one more part. */
export const sealed = (seal: string, text: string): string => hashText(seal + text);

/** Whether these were the parts of that market. */
export function isSealed({ market, check }: MarketSnapshot, seal: string): boolean {
  return check === sealed(seal, JSON.stringify(market));
}

/** Takes a market out of memory with everything that hangs on it. */
function dropMarket(state: State, market: Market): void {
  dropConditionals(state, market);
  for (const order of market.orders) {
    forget(state, order);
    state.orders.delete(order.id);
  }
  for (const fill of market.fills) forget(state, fill);
  for (const holding of market.holdings.values()) holding.account.holdings.delete(market.id);
  forget(state, market);
  unlistMarket(state, market);
}
