/** The working set of a command: what it told, what it touched, and what the hash must look at again. */
import { availableOf } from './available.ts';
import type { Account, Hashed, Holding, Market, Order, Runner, State } from './state.ts';

/** A list that is filled and emptied by every command, so it keeps its room. */
export interface Batch<T> {
  items: T[];
  count: number;
}

export function newBatch<T>(): Batch<T> {
  return { items: [], count: 0 };
}

export function append<T>(batch: Batch<T>, item: T): void {
  batch.items[batch.count++] = item;
}

/** Forgets the contents; a list that a large command blew up gives its room back. */
export function empty<T>(batch: Batch<T>): void {
  batch.count = 0;
  if (batch.items.length > 1024) batch.items = [];
}

/** How many changed objects are remembered for the hash before it is easier to sum everything anew. */
const MAX_DIRTY = 1_000_000;

export function markDirty(state: State, thing: Hashed): void {
  if (!state.hashing || thing.dirty) return;
  if (state.dirty.length >= MAX_DIRTY) {
    for (const old of state.dirty) old.dirty = false;
    state.dirty = [];
    state.hashing = false;
    return;
  }
  thing.dirty = true;
  state.dirty.push(thing);
}

export function touchOrder(state: State, order: Order): void {
  if (order.touched) return;
  order.touched = true;
  order.version++;
  append(state.touchedOrders, order);
  markDirty(state, order);
}

export function touchHolding(state: State, holding: Holding): void {
  if (holding.touched) return;
  holding.touched = true;
  holding.next = null;
  holding.before = holding.exposure;
  holding.availableBefore = availableOf(holding.account);
  append(state.touchedHoldings, holding);
}

export function touchAccount(state: State, account: Account): void {
  if (account.touched) return;
  account.touched = true;
  append(state.touchedAccounts, account);
  markDirty(state, account);
}

export function touchLevel(state: State, runner: Runner, level: number): void {
  runner.market.offered = null;
  if (runner.marks[level] === 1) return;
  runner.marks[level] = 1;
  append(runner.marked, level);
  if (runner.touched) return;
  runner.touched = true;
  append(state.touchedRunners, runner);
  markDirty(state, runner.market);
}

/** The market's version rises and its view is told at the end of the command. A material change refuses older bets. */
export function changeMarket(state: State, market: Market, material: boolean): void {
  if (!market.changed) {
    market.changed = true;
    market.version++;
    append(state.changedMarkets, market);
    markDirty(state, market);
  }
  if (material) market.materialVersion = market.version;
}
