/**
 * Conditional orders: a stop, a profit, a trailing stop, an offset behind a match, a bet with an end. They are met by what a
 * command changes and fire inside the same command, each once, as a bet that the account placed at that moment: judged by its
 * money, its limits and the market as they are then. They reserve nothing before.
 *
 * One command fires so many at most; the rest have their turn with the next, in the order in which they were met.
 */
import { LADDER, roundDiv, TICKS, tickIndex } from '@fairgame/contract';
import { availableOf } from './available.ts';
import { BACK, LAY } from './book.ts';
import { checkPlace, checkProfit, checkStake, isPersistence } from './checks.ts';
import type { Conditional } from './conditional-index.ts';
import { offeredTick, worseTick } from './conditional-index.ts';
import type { Made } from './conditionals-of-bets.ts';
import {
  changed,
  enterConditional,
  forBet,
  isTicks,
  noRoom,
  offsetPrice,
  tell,
  unentered,
} from './conditionals-of-bets.ts';
import type { Refused } from './guard.ts';
import { assert, isRefused, refuse } from './guard.ts';
import { forget } from './hash.ts';
import { countOpen, endRemaining, exposureOf, riskRefusal, updateExposure } from './holding.ts';
import { placeOrder } from './orders.ts';
import { ownLimitRefusal } from './own-limits.ts';
import { NOTHING_SEEN } from './price-watch.ts';
import type { Account, Market, Order, Runner, State } from './state.ts';
import type { Command, ConditionalEnd } from './types.ts';
import { markDirty, touchAccount } from './work.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;
type Make = Of<'conditional.make'>;

/** How many have their turn in one command. */
export const MOST_AT_ONCE = 20;
/** Commands in which those that were met have their turn; what others meet waits for the next of these. */
const FIRING = new Set<Command['type']>([
  'order.place',
  'orders.place',
  'order.replace',
  'order.cancel',
  'order.cancelAll',
  'bets.hedge',
  'house.book',
  'conditional.make',
  'conditional.cancel',
  'clock',
]);

// ---------------------------------------------------------------------------------------------------- made and ended

export function makeConditional(state: State, c: Make, now: number): Refused | null {
  const account = state.accounts.get(c.accountId);
  if (account === undefined) return refuse('ACCOUNT_UNKNOWN', 'accountId');
  if (account.betBlocked || account.kind === 'system') return refuse('ACCOUNT_BLOCKED', 'accountId');
  const market = state.markets.get(c.marketId);
  if (market === undefined) return refuse('MARKET_UNKNOWN', 'marketId');
  if (!market.isBook) return refuse('WRONG_KIND', 'marketId');
  if (market.status === 'SETTLING') return refuse('MARKET_SETTLING', 'marketId');
  if (market.status === 'CLOSED') return refuse('MARKET_CLOSED', 'marketId');
  const { conditionals } = state;
  const full = noRoom(state, account, market, 1);
  if (full) return refuse('CONDITIONAL_LIMIT', full);
  const link = c.link ?? 0;
  if (link !== 0) {
    const other = conditionals.byId.get(link);
    if (other === undefined || other.account !== account || other.market !== market)
      return refuse('CONDITIONAL_UNKNOWN', 'link');
  }
  const made = c.kind === 'OFFSET' || c.kind === 'EXPIRE' ? forBet(state, c, now) : forPrice(state, c, account, market);
  if (isRefused(made)) return made;
  const one = unentered(state, account, made, now);
  // The first of a group gives it its number.
  if (link !== 0) one.link = conditionals.byId.get(link)!.link || join(state, conditionals.byId.get(link)!);
  if (one.kind === 'TRAIL') one.at = (isOpen(one) ? offeredTick(one.runner, one.code) : null) ?? NOTHING_SEEN;
  enterConditional(state, one);
  // Its bet may have been matched before.
  if (one.kind === 'OFFSET' && one.order!.remaining === 0 && isOpen(one)) queue(state, one);
  return null;
}

/** Ends those of the account that are meant: one, those of a market, or all. None to end is no fault. */
export function cancelConditionals(state: State, c: Of<'conditional.cancel'>): Refused | null {
  const account = state.accounts.get(c.accountId);
  if (account === undefined) return refuse('ACCOUNT_UNKNOWN', 'accountId');
  if (c.conditionalId !== undefined) {
    const one = state.conditionals.byId.get(c.conditionalId);
    if (one?.account !== account) return refuse('CONDITIONAL_UNKNOWN', 'conditionalId');
    end(state, one, 'CANCELLED');
    return null;
  }
  if (c.marketId !== undefined && !state.markets.has(c.marketId)) return refuse('MARKET_UNKNOWN', 'marketId');
  endOwn(state, account, 'CANCELLED', c.marketId);
  return null;
}

/** All of an account, or its own in one market. */
export function endOwn(state: State, account: Account, code: ConditionalEnd, marketId?: number): void {
  for (const one of Array.from(state.conditionals.ofAccount(account.id)))
    if (marketId === undefined || one.market.id === marketId) end(state, one, code);
}

/** All of a market that are chosen: none of them fires any more, and each is told in its turn. */
export function endInMarket(
  state: State,
  market: Market,
  code: ConditionalEnd,
  which: (one: Conditional) => boolean = () => true,
): void {
  const { conditionals } = state;
  for (const one of conditionals.ofMarket(market.id)) {
    if (!which(one)) continue;
    if (one.due === null) conditionals.unlisten(one);
    one.due = code;
    conditionals.due.add(one);
    changed(state, one);
  }
}

/** Those of a market that leaves memory: every one was ended with its result, and those not told yet are now. */
export function dropConditionals(state: State, market: Market): void {
  for (const one of Array.from(state.conditionals.ofMarket(market.id))) end(state, one, 'MARKET_CLOSED');
}

// ---------------------------------------------------------------------------------------------------- met and fired

/** At the end of every command: what it met, and, where it is one of those that fire, the bets that follow from it. */
export function react(state: State, type: Command['type'], now: number): void {
  const { conditionals } = state;
  if (conditionals.byId.size === 0) return;
  meetAll(state, type === 'clock' ? now : -1);
  if (!FIRING.has(type)) return;
  for (let turns = 0; turns < MOST_AT_ONCE && conditionals.due.size > 0; turns++) {
    const [one] = conditionals.due;
    takeTurn(state, one!, now);
    meetAll(state, -1);
  }
}

/** Whether some wait for their turn. */
export function isDue({ conditionals }: State): boolean {
  return conditionals.due.size > 0;
}

/** Finds what the command at work met so far, oldest first. `until`: bets with an end that is not later are over, too. */
function meetAll(state: State, until: number): void {
  const { conditionals, touchedOrders, touchedRunners, changedMarkets } = state;
  const met: Conditional[] = [];
  for (let i = 0; conditionals.watchesBets && i < touchedOrders.count; i++)
    meetBet(state, touchedOrders.items[i]!, met);
  for (let i = 0; i < touchedRunners.count; i++) meetPrice(state, touchedRunners.items[i]!, met);
  for (let i = 0; i < changedMarkets.count; i++) {
    const market = changedMarkets.items[i]!;
    if (market.status !== 'OPEN' || conditionals.ofMarket(market.id).size === 0) continue;
    for (const runner of market.runners) if (!runner.touched) meetPrice(state, runner, met);
    for (const one of conditionals.ofMarket(market.id))
      if (one.kind === 'OFFSET' && one.due === null && !met.includes(one)) meetBet(state, one.order!, met);
  }
  for (
    let one = conditionals.expiries.first();
    one !== null && one.dueAt <= until;
    one = conditionals.expiries.first()
  ) {
    conditionals.expiries.takeDue(until);
    met.push(one);
  }
  met.sort((a, b) => a.id - b.id);
  for (const one of met) queue(state, one);
}

/** It was met: it has its turn behind those met before. */
function queue(state: State, one: Conditional): void {
  state.conditionals.unlisten(one);
  one.due = 'FIRE';
  state.conditionals.due.add(one);
  changed(state, one);
}

/** A bet with nothing left: what of it was matched is offset, and what else waited for it is over. */
function meetBet(state: State, order: Order, met: Conditional[]): void {
  if (order.remaining > 0) return;
  for (const one of Array.from(state.conditionals.ofBet(order.id))) {
    if (one.kind !== 'OFFSET' || order.matched === 0) end(state, one, 'BET_ENDED');
    else if (isOpen(one) && !met.includes(one)) met.push(one);
  }
}

function meetPrice(state: State, runner: Runner, met: Conditional[]): void {
  const watches = state.conditionals.watchesOf(runner);
  if (watches === undefined || runner.market.status !== 'OPEN' || runner.status !== 'ACTIVE') return;
  for (const code of [BACK, LAY] as const) {
    const tick = offeredTick(runner, code);
    if (watches[code] === null || tick === null) continue;
    met.push(...watches[code].meet(tick));
    markDirty(state, runner.market);
  }
}

function takeTurn(state: State, one: Conditional, now: number): void {
  const { conditionals } = state;
  if (one.due !== 'FIRE') {
    end(state, one, one.due!);
    return;
  }
  if (one.kind !== 'EXPIRE' && (!isOpen(one) || (one.kind === 'TRAIL' && offeredTick(one.runner, one.code) === null))) {
    // It was met, and before its turn its market is shut, or others took all there was: it waits for the next price.
    conditionals.due.delete(one);
    one.due = null;
    conditionals.listen(one);
    changed(state, one);
    return;
  }
  assert(conditionals.byId.get(one.id) === one, 'INV-27', `conditional order ${one.id} fires once more`);
  over(state, one);
  if (one.kind === 'EXPIRE') {
    if (one.order!.remaining > 0) endRemaining(state, one.order!, 'KILLED');
    tell(state, one, { status: 'FIRED' });
  } else fire(state, one, now);
}

/** Its bet, or why the account may not place it at this moment. */
function fire(state: State, one: Conditional, now: number): void {
  const { account, market } = one;
  assert(market.status === 'OPEN' && market.result === null, 'INV-28', `conditional order ${one.id} fires too late`);
  settleTouched(state);
  const before = { available: availableOf(account), exposure: account.exposure };
  const betId = Math.max(state.lastBetId, state.idFloor) + 1;
  const { price, sizeMinor } = betOf(one);
  const { side, persistence } = one;
  const bet = { betId, accountId: account.id, marketId: market.id, runnerId: one.runner.id, side, price, sizeMinor };
  const refused =
    ownLimitRefusal(account, sizeMinor) ?? placeOrder(state, { type: 'order.place', ...bet, persistence }, now);
  if (refused !== null) {
    tell(state, one, { status: 'FAILED', code: refused.code });
    return;
  }
  settleTouched(state);
  const left = availableOf(account);
  const within = account.exposureLimit === 0 || account.exposure <= Math.max(account.exposureLimit, before.exposure);
  const covered =
    left >= Math.min(0, before.available) && (left >= (account.lossFloor ?? left) || left >= before.available);
  const kept =
    (account.stakeLimit === 0 || sizeMinor <= account.stakeLimit) &&
    (account.wager === null || account.wager.left >= 0);
  assert(within && covered && kept, 'INV-29', `conditional order ${one.id} risks more than its account may`);
  tell(state, one, { status: 'FIRED', betId });
  if (one.link === 0) return;
  for (const other of Array.from(state.conditionals.ofAccount(account.id)))
    if (other.link === one.link) end(state, other, 'OTHER_FIRED');
}

/** Exposures as they are after what was done so far. */
function settleTouched(state: State): void {
  const { items, count } = state.touchedHoldings;
  for (let i = 0; i < count; i++) if (updateExposure(state, items[i]!)) touchAccount(state, items[i]!.account);
}

/** Limit and stake of the bet as it would be this moment. */
function betOf(one: Conditional): { price: number; sizeMinor: number } {
  const { kind, code, runner, order } = one;
  if (kind === 'TRAIL') {
    const worst = Math.min(TICKS - 1, offeredTick(runner, code)! + one.slip);
    return { price: LADDER[code === LAY ? worst : TICKS - 1 - worst]!, sizeMinor: one.size };
  }
  if (kind !== 'OFFSET') return { price: one.price, sizeMinor: one.size };
  const price = offsetPrice(order!, one.ticks);
  return { price, sizeMinor: one.level ? roundDiv(order!.matchedSum, price) : order!.matched };
}

function isOpen({ market, runner }: Conditional): boolean {
  return market.status === 'OPEN' && runner.status === 'ACTIVE';
}

function over(state: State, one: Conditional): void {
  state.conditionals.leave(one);
  forget(state, one);
  markDirty(state, one.market);
}

function end(state: State, one: Conditional, code: ConditionalEnd): void {
  over(state, one);
  tell(state, one, { status: 'ENDED', endCode: code });
}

// ---------------------------------------------------------------------------------------------------- what is asked

/** STOP, PROFIT, TRAIL: a bet that could be placed this moment, if its price were there. */
function forPrice(
  state: State,
  c: Extract<Make, { kind: 'STOP' | 'PROFIT' | 'TRAIL' }>,
  account: Account,
  market: Market,
): Made | Refused {
  const runner = market.byId.get(c.runnerId);
  if (runner === undefined) return refuse('RUNNER_UNKNOWN', 'runnerId');
  if (runner.status === 'REMOVED') return refuse('RUNNER_REMOVED', 'runnerId');
  if (c.side !== 'BACK' && c.side !== 'LAY') return refuse('PRICE_INVALID', 'side');
  if (!isPersistence(c.persistence)) return refuse('WRONG_KIND', 'persistence');
  const badStake = checkStake(market, c.sizeMinor, 'sizeMinor');
  if (badStake) return badStake;
  const code = c.side === 'BACK' ? BACK : LAY;
  const made = { kind: c.kind, runner, side: c.side, code, size: c.sizeMinor, persistence: c.persistence } as const;
  if (c.kind === 'TRAIL') {
    if (!isTicks(c.ticks) || c.ticks === 0) return refuse('PRICE_INVALID', 'ticks');
    if (!isTicks(c.slip)) return refuse('PRICE_INVALID', 'slip');
    return { ...made, ticks: c.ticks, slip: c.slip };
  }
  if (c.kind !== 'STOP' && c.kind !== 'PROFIT') return refuse('WRONG_KIND', 'kind');
  if (!isTick(c.trigger)) return refuse('PRICE_INVALID', 'trigger');
  if (!isTick(c.price)) return refuse('PRICE_INVALID', 'price');
  const at = worseTick(code, c.trigger);
  // Behind its trigger it would rest where nobody meets it.
  if (c.kind === 'STOP' && worseTick(code, c.price) < at) return refuse('PRICE_INVALID', 'price');
  const tick = offeredTick(runner, code);
  if (tick !== null && (c.kind === 'STOP' ? tick >= at : tick <= at))
    return refuse('CONDITION_MET', 'trigger', { price: LADDER[code === LAY ? tick : TICKS - 1 - tick]! });
  const unfair = checkProfit(code, c.sizeMinor * (c.price - 100), 'sizeMinor');
  if (unfair) return unfair;
  return riskNow(state, account, market, runner, made, c.price) ?? { ...made, at, trigger: c.trigger, price: c.price };
}

/** Whether the account could place it now. It is judged again when it fires. */
function riskNow(
  state: State,
  account: Account,
  market: Market,
  runner: Runner,
  { code, size }: { code: Conditional['code']; size: number },
  price: number,
): Refused | null {
  const betId = Math.max(state.lastBetId, state.idFloor) + 1;
  const place = checkPlace(state, { betId, accountId: account.id, marketId: market.id, runnerId: runner.id }, true);
  // A market that is shut for the moment is no reason; there the risk is judged when it fires.
  if (isRefused(place)) return place.code === 'BET_LIMIT' ? place : null;
  const { holding } = place;
  countOpen(holding, runner.index, code, price, size);
  const refused = riskRefusal(holding, exposureOf(holding), 'sizeMinor');
  countOpen(holding, runner.index, code, price, -size);
  return refused;
}

function join(state: State, first: Conditional): number {
  first.link = first.id;
  markDirty(state, first);
  return first.link;
}

const isTick = (value: unknown): boolean => Number.isSafeInteger(value) && tickIndex(value as number) >= 0;
