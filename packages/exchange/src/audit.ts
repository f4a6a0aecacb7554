/** The watchdog's question: does everything the state keeps still follow from its bets, fills and books? */
import { availableOf } from './available.ts';
import { BACK, LEVELS } from './book.ts';
import { owedBy } from './debts.ts';
import { isTurning, recount } from './field-sums.ts';
import { exposureOf, quoteBet, rebuildSums, runMarket } from './holding.ts';
import { liveOf } from './live.ts';
import { isBooking } from './pending.ts';
import { quoteExposure } from './quotes.ts';
import { heldInRound } from './rounds.ts';
import type { Market, Order, State, Work } from './state.ts';
import { isToCome } from './turns.ts';
import { HOUSE, ROUNDING } from './types.ts';

/** What is wrong, a line each beginning with the invariant's id; empty when all is well. Reads only. */
export function audit(state: State): string[] {
  const faults: string[] = [];
  let total = 0;
  for (const account of state.accounts.values()) {
    total += account.balance;
    for (const { net } of account.purses?.values() ?? []) total -= net;
    if (account.kind === 'player' && account.currency !== state.currency)
      faults.push(`INV-01 account ${account.id} is in ${account.currency}, the state in ${state.currency}`);
    let exposure = 0;
    for (const holding of account.holdings.values()) {
      exposure += holding.exposure;
      if (state.markets.get(holding.market.id)?.holdings.get(account.id) !== holding)
        faults.push(`INV-17 account ${account.id} keeps an entry of market ${holding.market.id}, which has it not`);
    }
    if (exposure !== account.exposure) faults.push(`INV-05 exposure of account ${account.id}`);
    const idle = [...account.holdings.values()].every(({ open, market }) => open === 0 && !isTurning(state, market));
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
  for (const work of state.pending) {
    total += work.clearing;
    auditWork(state, work, faults);
  }
  if (total !== 0) faults.push(`INV-01 balances sum to ${total}`);
  auditDebts(state, faults);
  auditConditionals(state, faults);
  for (const market of state.markets.values()) {
    const works = state.pending.filter((work) => work.marketId === market.id);
    // Of one that comes back some bets and fills are there and some are not.
    if (works[0]?.type !== 'market.recall') auditMarket(state, market, faults);
    if (works.length !== (market.status === 'SETTLING' || works.some(isMoving) ? 1 : 0))
      faults.push(`INV-01 market ${market.id} settles ${works.length} times`);
  }
  return faults;
}

/** What waits for a price, a bet or a time can still fire: it is in its index once, and nothing waits where all is over. */
function auditConditionals({ conditionals }: State, faults: string[]): void {
  for (const one of conditionals.byId.values()) {
    const { id, account, market, runner, due, kind, order } = one;
    const name = `conditional order ${id}`;
    if (due === null && (market.status === 'CLOSED' || market.result !== null))
      faults.push(`INV-28 ${name} waits in market ${market.id}, which is closed`);
    if (due === null && account.betBlocked) faults.push(`INV-29 ${name} of account ${account.id}, which is blocked`);
    if (due === null && order?.remaining === 0 && (kind === 'EXPIRE' || order.matched === 0))
      faults.push(`INV-27 ${name} waits for bet ${order.id}, which is over`);
    const isListening =
      order === null ? conditionals.watchesOf(runner)?.[one.code]?.has(one) : conditionals.ofBet(order.id).has(one);
    if (isListening === true && due !== null) faults.push(`INV-27 ${name} was met and waits on`);
    if (isListening !== true && due === null) faults.push(`INV-27 ${name} waits for nothing`);
    if (conditionals.due.has(one) !== (due !== null)) faults.push(`INV-27 ${name} and the turns to come`);
    if (!conditionals.ofAccount(account.id).has(one) || !conditionals.ofMarket(market.id).has(one))
      faults.push(`INV-27 ${name} is not with its account and market`);
  }
  for (const { id } of conditionals.due)
    if (!conditionals.byId.has(id)) faults.push(`INV-27 conditional order ${id} is over and has its turn to come`);
}

/** Out of memory, or back. */
const isMoving = ({ type }: Work): boolean => type === 'market.archive' || type === 'market.recall';

/** The clearing account of a market that is settling holds what those got who had their turn, and nothing else. */
function auditWork(state: State, work: Work, faults: string[]): void {
  const market = state.markets.get(work.marketId);
  const is = isMoving(work) ? 'CLOSED' : 'SETTLING';
  if (market?.status !== is || (isBooking(work) && market.payouts === null)) {
    faults.push(`INV-01 work of market ${work.marketId}, which is not settling`);
    return;
  }
  for (const [accountId, betIds] of work.untold) {
    const isOwn = (betId: number) => state.orders.get(betId)?.holding === market.holdings.get(accountId);
    if (!market.holdings.has(accountId) || !betIds.every(isOwn))
      faults.push(`INV-09 what is not told of account ${accountId} in market ${market.id}`);
  }
  if (!isBooking(work)) return;
  const paid = (id: number, net: number) =>
    id === HOUSE || id === ROUNDING
      ? work.type === 'market.undeclare' || (work.phase === 'winners' && net < 0)
      : market.holdings.get(id)!.open === 0;
  let sum = work.clearing;
  for (const [id, { net }] of market.payouts!) if (paid(id, net)) sum += net;
  if (sum !== 0) faults.push(`INV-01 clearing of market ${market.id} is off by ${sum}`);
}

function auditMarket(state: State, market: Market, faults: string[]): void {
  for (const holding of market.holdings.values()) {
    if (holding.account.holdings.get(market.id) !== holding)
      faults.push(`INV-17 account ${holding.account.id} has no entry of market ${market.id}, which has its bets`);
    const open = holding.orders.filter((order) => order.result === 'PENDING').length;
    if (market.status === 'CLOSED' && open > 0)
      faults.push(`INV-17 open bets of account ${holding.account.id} in ${market.id}, which is closed`);
    if (open !== holding.open) faults.push(`INV-17 open bets of account ${holding.account.id} in ${market.id}`);
  }
  const left = market.orders.filter((order) => order.remaining > 0);
  const live = liveOf(market.live, () => true);
  if (left.length !== live.length || left.some((order, i) => order !== live[i]))
    faults.push(`INV-13 bets with something left in ${market.id}`);
  const turning = state.pending.find((work) => work.phase === 'turns' && work.marketId === market.id);
  auditSums(market, turning, faults);
  auditFills(market, turning, faults);
  for (const order of market.orders) {
    const whole = order.matched + order.remaining + order.cancelled + order.lapsed + order.voided === order.size;
    if (!whole) faults.push(`INV-13 parts of bet ${order.id}`);
  }
  if (!market.isBook) return;
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
    // While accounts have their turn, one side of a match may have had it and the other not.
    if (matched.back !== matched.lay && turning === undefined)
      faults.push(`INV-04 backs and lays matched on ${runner.id} in ${market.id}`);
  }
}

/** The running sums against those computed anew from the bets, and what is held against the slow way of the quoted kinds. */
function auditSums(market: Market, turning: Work | undefined, faults: string[]): void {
  const all = [...market.holdings.values(), market.house];
  const kept = all.map(({ sums, shifts, sheet, gross }) => ({ sums: sums.slice(), shifts, sheet, gross }));
  rebuildSums(market);
  if (turning !== undefined) recount(market);
  all.forEach((holding, i) => {
    const { sums, shifts, sheet, gross } = kept[i]!;
    const name =
      holding === market.house
        ? `INV-04 house in ${market.id}`
        : `INV-05 account ${holding.account.id} in ${market.id}`;
    if (!same(sums, holding.sums) || gross !== holding.gross) faults.push(`${name}: sums`);
    if (sheet !== null && sheet.worst() !== holding.sheet!.worst()) faults.push(`${name}: sheet`);
    for (let index = 0; index < market.runners.length; index++) {
      if (!same(shifts?.[index] ?? NONE, holding.shifts?.[index] ?? NONE)) faults.push(`${name}: reductions`);
    }
    Object.assign(holding, { shifts, sheet });
    if (holding === market.house) return;
    if (exposureOf(holding) !== holding.exposure) faults.push(name);
    if (turning !== undefined && isToCome(market, turning, holding.account.id)) return;
    if (market.isBook || market.status === 'CLOSED' || market.def.removable || holding.hedge !== null) return;
    const live = holding.orders.filter((order) => order.result === 'PENDING');
    const bets = live.map((order) => ({ ...quoteBet(order), pending: order.status === 'PENDING' }));
    if (quoteExposure(runMarket(market), bets) !== holding.exposure) faults.push(`${name}: outcome by outcome`);
  });
}

/** Each bet of a book has matched what its fills say, at the prices they are paid at; of a field that changed, whose turn it was. */
function auditFills(market: Market, turning: Work | undefined, faults: string[]): void {
  if (!market.isBook) return;
  const matched = new Map<Order, { size: number; sum: number }>();
  for (const fill of market.fills) {
    if (fill.void) continue;
    for (const order of [fill.back, fill.lay]) {
      if (order === null) continue;
      const { size, sum } = matched.get(order) ?? { size: 0, sum: 0 };
      matched.set(order, { size: size + fill.size, sum: sum + fill.size * fill.paid });
    }
  }
  for (const order of market.orders) {
    if (turning !== undefined && isToCome(market, turning, order.holding.account.id)) continue;
    const { size, sum } = matched.get(order) ?? { size: 0, sum: 0 };
    if (order.matched !== size || order.matchedSum !== sum) faults.push(`INV-04 bet ${order.id} and its fills`);
  }
}

const NONE: readonly number[] = [];

/** Nothing counted is the same as a list of zeros. */
function same(a: readonly number[], b: readonly number[]): boolean {
  const count = Math.max(a.length, b.length);
  for (let i = 0; i < count; i++) if ((a[i] ?? 0) !== (b[i] ?? 0)) return false;
  return true;
}

/** Debts are owed by those who lack at least as much, and held from those who won it. */
function auditDebts(state: State, faults: string[]): void {
  const held = new Map<number, number>();
  for (const account of state.accounts.values()) {
    for (const { holds } of account.debts) {
      for (const [id, amount] of holds) {
        if (!(amount > 0)) faults.push(`INV-25 a hold of ${amount} for account ${account.id}`);
        held.set(id, (held.get(id) ?? 0) + amount);
      }
    }
    const lacking = Math.max(0, -availableOf(account));
    if (owedBy(account) > lacking) faults.push(`INV-25 account ${account.id} owes more than it lacks`);
    if (account.short.size > 0 && lacking === 0) faults.push(`INV-25 account ${account.id} is called short`);
  }
  for (const account of state.accounts.values()) {
    if (account.held !== (held.get(account.id) ?? 0)) faults.push(`INV-25 held of account ${account.id}`);
  }
}
