/** The watchdog's question: does everything the state keeps still follow from its bets, fills and books? */
import { BACK, LEVELS } from './book.ts';
import { exposureOf, grossTotal, rebuildSums } from './holding.ts';
import { heldInRound } from './rounds.ts';
import type { Holding, Market, State } from './state.ts';
import { newHolding } from './state.ts';

/** What is wrong, a line each beginning with the invariant's id; empty when all is well. Reads only. */
export function audit(state: State): string[] {
  const faults: string[] = [];
  let total = 0;
  for (const account of state.accounts.values()) {
    total += account.balance;
    if (account.kind === 'player' && account.currency !== state.currency)
      faults.push(`INV-01 account ${account.id} is in ${account.currency}, the state in ${state.currency}`);
    let exposure = 0;
    for (const holding of account.holdings.values()) exposure += holding.exposure;
    if (exposure !== account.exposure) faults.push(`INV-05 exposure of account ${account.id}`);
    const idle = [...account.holdings.values()].every((holding) => holding.open === 0);
    if (idle && account.exposure !== 0) faults.push(`INV-17 account ${account.id} has exposure without open bets`);
  }
  for (const result of state.results.values()) total += result.balance;
  for (const { view } of state.rounds.values()) {
    total += heldInRound(view);
    const name = `round ${view.roundId} of ${view.provider}, account ${view.accountId}`;
    const sum = (of: (state: string) => boolean) =>
      view.bets.reduce((all, [, amountMinor, state]) => all + (of(state) ? amountMinor : 0), 0);
    if (sum(() => true) !== view.stakedMinor) faults.push(`INV-19 stakes of ${name}`);
    if (sum((state) => state === 'ROLLED_BACK') !== view.refundedMinor) faults.push(`INV-19 refunds of ${name}`);
    if (view.status !== 'OPEN' && view.bets.some((bet) => bet[2] === 'OPEN')) faults.push(`INV-19 open bet in ${name}`);
  }
  if (total !== 0) faults.push(`INV-01 balances sum to ${total}`);
  for (const market of state.markets.values()) auditMarket(market, faults);
  return faults;
}

function auditMarket(market: Market, faults: string[]): void {
  for (const holding of market.holdings.values()) {
    const fresh = copyOf(holding);
    if (exposureOf(fresh) !== holding.exposure) faults.push(`INV-05 account ${holding.account.id} in ${market.id}`);
    const open = holding.orders.filter((order) => order.result === 'PENDING').length;
    if (open !== holding.open) faults.push(`INV-17 open bets of account ${holding.account.id} in ${market.id}`);
    if (!sameSums(fresh.sums, holding.sums))
      faults.push(`INV-05 sums of account ${holding.account.id} in ${market.id}`);
  }
  for (const order of market.orders) {
    const whole = order.matched + order.remaining + order.cancelled + order.lapsed + order.voided === order.size;
    if (!whole) faults.push(`INV-13 parts of bet ${order.id}`);
  }
  if (!market.isBook) return;
  if (grossTotal(market) !== market.gross) faults.push(`INV-07 bound of market ${market.id}`);
  const house = newHolding(market.house.account, market);
  const kept = market.house;
  market.house = house;
  rebuildSums(house);
  market.house = kept;
  if (!sameSums(house.sums, kept.sums)) faults.push(`INV-04 house in market ${market.id}`);
  for (const runner of market.runners) {
    const { book } = runner;
    if (book.bestLay >= book.bestBack) faults.push(`INV-13 crossed book of runner ${runner.id} in ${market.id}`);
    let resting = 0;
    for (let level = 0; level < LEVELS; level++) {
      let seq = 0;
      let size = 0;
      for (let node = book.head[level]!; node !== 0; node = book.pool.next[node]!) {
        if (book.pool.seq[node]! <= seq) faults.push(`INV-13 queue of runner ${runner.id} in ${market.id}`);
        seq = book.pool.seq[node]!;
        size += book.pool.size[node]!;
        resting++;
      }
      if (size !== book.total[level]) faults.push(`INV-13 level total of runner ${runner.id} in ${market.id}`);
    }
    const own = market.orders.filter((order) => order.runner === runner && order.status === 'EXECUTABLE').length;
    const levels = runner.house.filter((node) => node !== 0).length;
    if (own + levels !== resting) faults.push(`INV-13 orders resting on runner ${runner.id} in ${market.id}`);
    const matched = { back: 0, lay: 0 };
    for (const order of market.orders) {
      if (order.runner === runner) matched[order.code === BACK ? 'back' : 'lay'] += order.matched;
    }
    for (const fill of market.fills) {
      if (fill.runner !== runner || fill.void) continue;
      if (fill.back === null) matched.back += fill.size;
      if (fill.lay === null) matched.lay += fill.size;
    }
    if (matched.back !== matched.lay) faults.push(`INV-04 backs and lays matched on ${runner.id} in ${market.id}`);
  }
}

function copyOf(holding: Holding): Holding {
  const fresh = newHolding(holding.account, holding.market);
  fresh.orders = holding.orders;
  rebuildSums(fresh);
  return fresh;
}

function sameSums(a: Float64Array, b: Float64Array): boolean {
  return a.every((value, i) => value === b[i]);
}
