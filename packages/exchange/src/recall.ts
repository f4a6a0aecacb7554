/**
 * Settled markets that left memory, read back from what they left behind: a small one with the command that changes its result, a
 * large one as it left, part by part. Until its last part has come it is closed, and nothing of it changes.
 */
import { isSealed, openArchive, sealed } from './archive.ts';
import type { Refused } from './guard.ts';
import { isAmount, refuse } from './guard.ts';
import { countRows } from './holding.ts';
import { addWork, endWork } from './pending.ts';
import type { FillRow, OrderRow } from './snapshot.ts';
import { readFill, readOrder, restoreMarketHead, restoreWaived } from './snapshot.ts';
import type { Fill, Market, Order, State } from './state.ts';
import { listMarket } from './state.ts';
import type { Command, MarketSnapshot } from './types.ts';
import { markDirty } from './work.ts';

/** The market in memory, or read from its archive but not entered yet. */
export function recall(state: State, marketId: number, archived: MarketSnapshot | undefined): Market | Refused {
  const market = state.markets.get(marketId);
  if (market !== undefined) return market;
  if (archived === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  const restored = openArchive(state, archived);
  return restored?.id === marketId ? restored : refuse('MARKET_UNKNOWN', 'archived');
}

/** Enters a market that was read from its archive. */
export function enterRecalled(state: State, market: Market): void {
  if (state.markets.has(market.id)) return;
  enterMarket(state, market);
  enterRows(state, market.orders, market.fills);
}

function enterMarket(state: State, market: Market): void {
  listMarket(state, market);
  markDirty(state, market);
}

function enterRows(state: State, orders: readonly Order[], fills: readonly Fill[]): void {
  for (const order of orders) {
    const { holding } = order;
    holding.account.holdings.set(holding.market.id, holding);
    state.orders.set(order.id, order);
    markDirty(state, order);
  }
  for (const fill of fills) markDirty(state, fill);
}

/** Begins: the market is there, without its bets. */
export function beginRecall(state: State, c: Extract<Command, { type: 'market.recall' }>): Refused | null {
  if (state.markets.has(c.marketId)) return refuse('MARKET_EXISTS', 'marketId');
  const read = readHead(state, c);
  if (read?.market.id !== c.marketId) return refuse('MARKET_UNKNOWN', 'archived');
  const { market, head } = read;
  enterMarket(state, market);
  addWork(state, market, { type: 'market.recall', phase: 'coming', head });
  return null;
}

function readHead(
  state: State,
  { archived, seal }: Extract<Command, { type: 'market.recall' }>,
): { market: Market; head: MarketSnapshot } | null {
  try {
    const head = JSON.parse(JSON.stringify(archived)) as MarketSnapshot;
    if (head.snapshot !== 3 || !isAmount(head.count) || !isSealed(head, seal)) return null;
    return { market: restoreMarketHead(state, head.market as Parameters<typeof restoreMarketHead>[1]), head };
  } catch {
    return null;
  }
}

/** The next part, looked at as a whole before anything of it is entered; with the last one the market is back as it was. */
export function recallPart(state: State, c: Extract<Command, { type: 'market.recallPart' }>): Refused | null {
  const work = state.pending.find(({ type, marketId }) => type === 'market.recall' && marketId === c.marketId);
  if (work === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  const head = work.head!;
  const market = state.markets.get(c.marketId)!;
  const rows = c.part === work.parts ? readRows(c.text) : null;
  const seal = sealed(work.seal, c.text);
  const isLast = c.part === head.count! - 1;
  if (rows === null || !fits(state, market, rows) || (isLast && !isSealed(head, seal)))
    return refuse('MARKET_UNKNOWN', 'part');
  const orders = rows.orders.map((row) => readOrder(state, market, row)!);
  enterRows(state, orders, []);
  const fills = rows.fills.map((row) => readFill(market, row, state.orders));
  enterRows(state, [], fills);
  countRows(market, orders, fills);
  work.seal = seal;
  work.parts++;
  if (!isLast) return null;
  restoreWaived(market, head.market as Parameters<typeof restoreWaived>[1]);
  // What was waived is hashed with the market, and its hash may have been asked for since it was entered.
  markDirty(state, market);
  endWork(state, work);
  return null;
}

interface Rows {
  orders: OrderRow[];
  fills: FillRow[];
}

function readRows(text: string): Rows | null {
  try {
    const { orders, fills } = JSON.parse(text) as Rows;
    return Array.isArray(orders) && Array.isArray(fills) ? { orders, fills } : null;
  } catch {
    return null;
  }
}

/** Whether the parts make the seal is known with the last: until then no part may be of other accounts, bets or markets than it can be. */
function fits(state: State, market: Market, { orders, fills }: Rows): boolean {
  const ids = new Set<number>();
  for (const row of orders) {
    const isNew = Number.isSafeInteger(row?.id) && row.id <= state.lastBetId && !ids.has(row.id);
    if (!isNew || state.orders.get(row.id) !== undefined) return false;
    if (!state.accounts.has(row.account) || !market.byId.has(row.runner)) return false;
    if (row.remaining !== 0 || row.result === 'PENDING') return false;
    ids.add(row.id);
  }
  const isOwn = (id: number) => id === 0 || ids.has(id) || state.orders.get(id)?.holding.market === market;
  return fills.every((row) => row && market.byId.has(row.runner) && isOwn(row.back) && isOwn(row.lay));
}
