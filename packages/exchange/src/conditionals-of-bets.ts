/**
 * Conditional orders that wait for a bet (an offset behind its match, its end): what may be asked for, and those that come with
 * the bet in the command that places it. Also how any conditional order is entered and told.
 */
import { LADDER, moveTicks, TICKS } from '@fairgame/contract';
import { BACK, LAY } from './book.ts';
import type { Place } from './checks.ts';
import { isPersistence } from './checks.ts';
import type { Conditional } from './conditional-index.ts';
import { markOf, newConditional } from './conditional-index.ts';
import type { Refused } from './guard.ts';
import { isAmount, isCount, refuse } from './guard.ts';
import { NOTHING_SEEN } from './price-watch.ts';
import type { Account, Market, Order, Runner, State } from './state.ts';
import type { Attached, Command, ConditionalView, PlacedOrder, RefusalCode } from './types.ts';
import { append, markDirty } from './work.ts';

/** How many one account may have waiting, and all together in one market. */
export const MOST_OF_ACCOUNT = 100;
export const MOST_IN_MARKET = 5_000;
/** Farthest distance of a trailing stop and of an offset, and the longest a bet may be given, an hour. */
const MOST_TICKS = 100;
const MOST_MS = 3_600_000;

type ForBet = Extract<Command, { type: 'conditional.make'; kind: 'OFFSET' | 'EXPIRE' }>;
export type Made = Partial<Conditional> & { runner: Runner };

// ---------------------------------------------------------------------------------------------------- with a bet

/**
 * Why what is attached to an order may not be made; null where it may, also where nothing is. `coming`: so many come with
 * orders of the same command before it. Side and price were looked at before.
 */
export function attachRefusal(state: State, place: Place, asked: PlacedOrder, coming: number): Refused | null {
  const { offset, expireMs } = asked;
  if (offset === undefined && expireMs === undefined) return null;
  if (offset !== undefined) {
    if (typeof offset !== 'object' || offset === null) return refuse('BAD_INPUT', 'offset');
    const bad = wrongOffset(asked, offset);
    if (bad) return refuse(bad.code, `offset.${bad.field}`);
  }
  if (expireMs !== undefined && !isTime(expireMs)) return refuse('AMOUNT_INVALID', 'expireMs');
  if (noRoom(state, place.account, place.market, coming + countAttached(asked)) === null) return null;
  return refuse('CONDITIONAL_LIMIT', offset === undefined ? 'expireMs' : 'offset');
}

export function countAttached({ offset, expireMs }: Attached): number {
  return Number(offset !== undefined) + Number(expireMs !== undefined);
}

/**
 * Makes what comes with an order that was just entered, and may be matched or over by now: then it is met by this very command,
 * and an end has nothing left to end.
 */
export function attach(state: State, order: Order, { offset, expireMs }: Attached, now: number): void {
  const { account } = order.holding;
  if (offset !== undefined && (order.remaining > 0 || order.matched > 0))
    enterConditional(state, unentered(state, account, offsetOf(order, offset), now));
  if (expireMs !== undefined && order.remaining > 0)
    enterConditional(state, unentered(state, account, endOf(order, expireMs, now), now));
}

// ---------------------------------------------------------------------------------------------------- for a bet

/** OFFSET, EXPIRE: something of an own bet in a book is still to come, or, of an offset, was matched. */
export function forBet(state: State, c: ForBet, now: number): Made | Refused {
  const order = isAmount(c.betId) ? state.orders.get(c.betId) : undefined;
  if (order === undefined || order.holding.account.id !== c.accountId || order.holding.market.id !== c.marketId)
    return refuse('BET_UNKNOWN', 'betId');
  if (order.terms !== null) return refuse('WRONG_KIND', 'betId');
  for (const other of state.conditionals.ofBet(order.id))
    if (other.kind === c.kind) return refuse('CONDITIONAL_LIMIT', 'betId');
  if (c.kind === 'EXPIRE') {
    if (order.remaining === 0) return refuse('BET_NOT_OPEN', 'betId');
    return isTime(c.afterMs) ? endOf(order, c.afterMs, now) : refuse('AMOUNT_INVALID', 'afterMs');
  }
  if (order.remaining === 0 && order.matched === 0) return refuse('BET_NOT_OPEN', 'betId');
  if (order.runner.status === 'REMOVED') return refuse('RUNNER_REMOVED', 'betId');
  return wrongOffset(order, c) ?? offsetOf(order, c);
}

function wrongOffset(order: Pick<Order, 'side' | 'price'>, { ticks, level, persistence }: Offset): Refused | null {
  if (!isTicks(ticks) || ticks === 0) return refuse('PRICE_INVALID', 'ticks');
  if (offsetPrice(order, ticks) === order.price) return refuse('PRICE_INVALID', 'ticks');
  if (!isPersistence(persistence)) return refuse('WRONG_KIND', 'persistence');
  return typeof level === 'boolean' ? null : refuse('WRONG_KIND', 'level');
}

type Offset = NonNullable<Attached['offset']>;

function offsetOf(order: Order, { ticks, level, persistence }: Offset): Made {
  const { runner } = order;
  const [side, code] = order.code === BACK ? (['LAY', LAY] as const) : (['BACK', BACK] as const);
  return { kind: 'OFFSET', runner, order, side, code, ticks, level, persistence };
}

/** In play its time begins when its delay is over. */
function endOf(order: Order, afterMs: number, now: number): Made {
  const { runner, side, code } = order;
  return { kind: 'EXPIRE', runner, order, side, code, dueAt: Math.max(now, order.dueAt) + afterMs };
}

export function offsetPrice(order: Pick<Order, 'side' | 'price'>, ticks: number): number {
  return moveTicks(order.price, order.side === 'BACK' ? -ticks : ticks);
}

export const isTicks = (value: unknown): value is number => isCount(value) && value <= MOST_TICKS;
const isTime = (value: unknown): value is number => isAmount(value) && value <= MOST_MS;

// ---------------------------------------------------------------------------------------------------- entered and told

/** What has no room for `more`; null where there is. */
export function noRoom(
  { conditionals }: State,
  account: Account,
  market: Market,
  more: number,
): 'accountId' | 'marketId' | null {
  if (conditionals.ofAccount(account.id).size + more > MOST_OF_ACCOUNT) return 'accountId';
  return conditionals.ofMarket(market.id).size + more > MOST_IN_MARKET ? 'marketId' : null;
}

/** With the next number. */
export function unentered(state: State, account: Account, made: Made, now: number): Conditional {
  return { ...newConditional(account, made.runner), ...made, id: ++state.conditionals.last, madeAt: now };
}

export function enterConditional(state: State, one: Conditional): void {
  state.conditionals.enter(one);
  changed(state, one);
  tell(state, one, { status: 'WAITING' });
}

/** What trailing stops have seen is in the hash of their market. */
export function changed(state: State, one: Conditional): void {
  markDirty(state, one);
  markDirty(state, one.market);
}

type Fate = Pick<ConditionalView, 'status' | 'endCode' | 'betId'> & { code?: RefusalCode };

export function tell(state: State, one: Conditional, fate: Fate): void {
  append(state.out, { type: 'conditional', conditional: { ...conditionalView(one), ...fate } });
}

/** As its owner sees it. A trailing stop shows the price that meets it by what it has seen. */
export function conditionalView(one: Conditional): ConditionalView {
  const { kind, order } = one;
  const view: ConditionalView = {
    conditionalId: one.id,
    accountId: one.account.id,
    marketId: one.market.id,
    runnerId: one.runner.id,
    kind,
    side: one.side,
    persistence: one.persistence,
    link: one.link,
    madeAt: one.madeAt,
    status: 'WAITING',
  };
  if (kind === 'STOP' || kind === 'PROFIT')
    return { ...view, trigger: one.trigger, price: one.price, sizeMinor: one.size };
  if (kind === 'EXPIRE') return { ...view, forBetId: order!.id, dueAt: one.dueAt };
  if (kind === 'OFFSET') return { ...view, forBetId: order!.id, ticks: one.ticks, level: one.level };
  const mark = markOf(one);
  const at = Math.min(TICKS - 1, mark + one.ticks);
  const trigger = mark === NOTHING_SEEN ? {} : { trigger: LADDER[one.code === LAY ? at : TICKS - 1 - at]! };
  return { ...view, ...trigger, ticks: one.ticks, slip: one.slip, sizeMinor: one.size };
}
