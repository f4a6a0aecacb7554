/**
 * An account's sums in one market: how bets enter and leave them, and what they may cost at worst. Also the one test
 * that decides whether a new risk may stand.
 */
import { MAX_ODDS } from '@fairgame/contract';
import { availableOf } from './available.ts';
import type { SideCode } from './book.ts';
import { BACK, LAY, remove } from './book.ts';
import { heldMinor, LOSE, OPEN_LIABILITY, OPEN_STAKE, SUMS, WIN, worstE4, worstOfRemovals } from './exposure.ts';
import type { Refused } from './guard.ts';
import { assert, refuse } from './guard.ts';
import { leaveLive } from './live.ts';
import { countStakeOf } from './own-limits.ts';
import type { QuoteBet } from './quotes.ts';
import type { Reduced } from './reduction.ts';
import { reducedFill, reducedNew, reducedOpen } from './reduction.ts';
import type { RunMarket } from './runs.ts';
import type { Entry } from './sheets.ts';
import { newSheet } from './sheets.ts';
import type { Fill, Holding, Market, Order, State } from './state.ts';
import type { BetResult, EndCode, QuoteKind } from './types.ts';
import { markDirty, touchAccount, touchHolding, touchLevel, touchOrder } from './work.ts';
import { zeros } from './zeros.ts';

// ------------------------------------------------------------------------------------------------ counting bets

/** Counts `size` of an unmatched order (negative: takes it out). */
export function countOpen(holding: Holding, runner: number, side: SideCode, price: number, size: number): void {
  const at = SUMS * runner;
  if (side === BACK) holding.sums[at + OPEN_STAKE]! += size * 100;
  else {
    holding.sums[at + OPEN_LIABILITY]! += size * (price - 100);
    if (holding.market.reducing) shift(holding, runner, reducedOpen(holding.market, price), price, -size);
  }
  holding.gross += grossOf(side, price, size);
}

/** Counts a matched amount at its price (negative: takes it out). */
export function countMatched(holding: Holding, runner: number, side: number, price: number, size: number): void {
  const at = SUMS * runner;
  const signed = side === BACK ? size : -size;
  holding.sums[at + WIN]! += signed * (price - 100);
  holding.sums[at + LOSE]! -= signed * 100;
  holding.gross += size * price;
  if (holding.market.reducing) shift(holding, runner, reducedNew(holding.market, price), price, signed);
}

/** What an unmatched bet adds to the bound of its account's sums: a back may be matched at any price. */
export function grossOf(side: number, price: number, size: number): number {
  return size * (side === BACK ? MAX_ODDS : price);
}

/** How a result on a runner at `paid` would change with each further removal, times `signed` (exchange reference 7). */
function shift(holding: Holding, runner: number, { next }: Reduced, paid: number, signed: number): void {
  const { market } = holding;
  if (holding === market.house) return;
  holding.shifts ??= [];
  holding.shifts[runner] ??= zeros(market.runners.length);
  const row = holding.shifts[runner];
  for (const index of market.active) {
    const reduced = next[index]!;
    if (index !== runner && reduced !== 0) row[index]! += signed * (reduced - paid);
  }
}

/** Counts a quote bet as it stands, delayed or taken, for its account and, the other way round, for the house. */
export function countTake(order: Order, sign: 1 | -1): void {
  const { holding } = order;
  countTakeIn(holding, order, false, sign);
  countTakeIn(holding.market.house, order, true, sign);
}

/** The same in one of both. */
export function countTakeIn(holding: Holding, order: Order, house: boolean, sign: 1 | -1): void {
  count(holding, entryOf(order, house), sign);
}

/** Counts bets of a group as if they were taken (`sign` 1), or no more (-1). */
function countLegs(holding: Holding, legs: readonly Order[], sign: 1 | -1): void {
  for (const leg of legs) {
    if (leg.terms === null) countMatched(holding, leg.runner.index, leg.code, leg.price, sign * leg.remaining);
    else count(holding, { ...entryOf(leg, false), pending: false }, sign);
  }
}

/** Bets that waited as a group count one by one from here on. */
export function partHedge(holding: Holding): void {
  const legs = holding.hedge ?? [];
  holding.hedge = null;
  for (const leg of legs) {
    if (leg.terms === null) countOpen(holding, leg.runner.index, leg.code, leg.price, leg.remaining);
    else countTake(leg, 1);
  }
}

function count(holding: Holding, entry: Entry, sign: 1 | -1): void {
  holding.gross += sign * 100 * (entry.win + entry.loss);
  if (holding.sheet !== null) {
    holding.sheet.count(entry, sign);
    return;
  }
  const { sums } = holding;
  const at = SUMS * holding.market.runners[entry.runner]!.outcome;
  const loss = sign * 100 * entry.loss;
  if (entry.pending) {
    sums[at + (entry.back ? OPEN_STAKE : OPEN_LIABILITY)]! += loss;
    return;
  }
  const win = sign * 100 * entry.win;
  sums[at + WIN]! += entry.back ? win : -loss;
  sums[at + LOSE]! += entry.back ? -loss : win;
}

/** One object for all: an entry is read before the next is made. */
const entry: Entry = { back: true, win: 0, loss: 0, pending: false, line: 0, width: 0, price: 0, stake: 0, runner: 0 };

function entryOf(order: Order, house: boolean): Entry {
  const terms = order.terms!;
  entry.back = (order.code === BACK) !== house;
  entry.win = house ? terms.loss : terms.win;
  entry.loss = house ? terms.win : terms.loss;
  entry.pending = order.status === 'PENDING';
  entry.line = terms.line ?? 0;
  entry.width = order.holding.market.def.kind === 'khado' ? (terms.width ?? 1) : 0;
  entry.price = order.price;
  entry.stake = order.matched + order.remaining;
  entry.runner = order.runner.index;
  return entry;
}

/** Computes every sum of the market anew from its fills and its bets; `orders`: those that count, where not all are looked at. */
export function rebuildSums(market: Market, orders: readonly Order[] = market.orders): void {
  const holdings = [...market.holdings.values(), market.house];
  for (const holding of holdings) {
    holding.sums.fill(0);
    holding.shifts = null;
    holding.gross = 0;
    if (!market.isBook) holding.sheet = newSheet(market.def);
  }
  countRows(market, orders, market.fills);
}

/** Counts bets and fills that were written down. */
export function countRows(market: Market, orders: readonly Order[], fills: readonly Fill[]): void {
  for (const order of orders) {
    if (order.holding.hedge?.includes(order)) continue;
    if (!market.isBook) {
      if (order.matched + order.remaining > 0) countTake(order, 1);
    } else if (order.remaining > 0)
      countOpen(order.holding, order.runner.index, order.code, order.price, order.remaining);
  }
  for (const fill of fills) {
    if (fill.void) continue;
    countFill(market, fill, 1);
  }
}

/** Counts both sides of a fill at what it is paid at today (`sign` 1), or takes it out (-1). */
export function countFill(market: Market, fill: Fill, sign: 1 | -1): void {
  const reduced = market.reducing ? reducedFill(market, fill) : null;
  countSide(fill.back?.holding ?? market.house, fill, BACK, sign * fill.size, fill.paid, reduced);
  countSide(fill.lay?.holding ?? market.house, fill, LAY, sign * fill.size, fill.paid, reduced);
}

/** Counts one side of a fill at `paid`; `reduced`: what the field makes of its price, where one more removal reduces any. */
export function countSide(
  holding: Holding,
  fill: Fill,
  side: SideCode,
  size: number,
  paid: number,
  reduced: Reduced | null,
): void {
  const { index } = fill.runner;
  const at = SUMS * index;
  const signed = side === BACK ? size : -size;
  holding.sums[at + WIN]! += signed * (paid - 100);
  holding.sums[at + LOSE]! -= signed * 100;
  holding.gross += size * fill.price;
  if (reduced !== null && holding.market.reducing) shift(holding, index, reduced, paid, signed);
}

// ------------------------------------------------------------------------------------------------- what is held

/** Of the last `measure`: what the bets as they stand may cost, and what they may cost should one more runner go. */
let hard = 0;
let soft = 0;

function measure(holding: Holding): void {
  measureSums(holding);
  if (holding.hedge === null) return;
  // A waiting group goes whole or not at all: the worse of both.
  const [hardNow, softNow] = [hard, soft];
  countLegs(holding, holding.hedge, 1);
  measureSums(holding);
  countLegs(holding, holding.hedge, -1);
  hard = Math.max(hard, hardNow);
  soft = Math.max(soft, softNow);
}

/** A result of the account's sums; with a waiting group, which goes whole or not at all, the worse of both. */
export function worstWithGroup(holding: Holding, result: (holding: Holding) => number): number {
  const { hedge } = holding;
  const alone = result(holding);
  if (hedge === null) return alone;
  countLegs(holding, hedge, 1);
  const together = result(holding);
  countLegs(holding, hedge, -1);
  return Math.min(alone, together);
}

/** What the account's bets may cost with these among them, taken whole at the worst price they allow. */
export function exposureWith(holding: Holding, legs: readonly Order[]): number {
  countLegs(holding, legs, 1);
  const exposure = exposureOf(holding);
  countLegs(holding, legs, -1);
  return exposure;
}

/** What the account's bets may cost without this one, which waits out its delay; of a group without all of it. */
export function exposureWithout(order: Order): number {
  const { holding } = order;
  const { hedge } = holding;
  if (hedge?.includes(order)) {
    holding.hedge = null;
    const exposure = exposureOf(holding);
    holding.hedge = hedge;
    return exposure;
  }
  const { runner, code, price, remaining } = order;
  if (order.terms === null) countOpen(holding, runner.index, code, price, -remaining);
  else countTake(order, -1);
  const exposure = exposureOf(holding);
  if (order.terms === null) countOpen(holding, runner.index, code, price, remaining);
  else countTake(order, 1);
  return exposure;
}

function measureSums(holding: Holding): void {
  const { market, sums } = holding;
  if (holding.sheet !== null) {
    hard = holding.sheet.worst();
    soft = hard;
    return;
  }
  const { winners } = market.def;
  hard = heldMinor(worstE4(sums, market.active, winners));
  soft = hard;
  if (market.def.removable !== true) return;
  soft = Math.max(hard, heldMinor(worstOfRemovals(sums, holding.shifts, market.active, winners)));
}

/** Whether the account has had what its bets bring: of a market that is settling some have, some not yet. */
function isOver({ market, open }: Holding): boolean {
  return market.status === 'CLOSED' || (market.status === 'SETTLING' && market.result !== null && open === 0);
}

/** What is to be held for the account's bets in the market, minor units. */
export function exposureOf(holding: Holding): number {
  const { account } = holding;
  if (isOver(holding) || account.kind === 'system') return 0;
  measure(holding);
  return Math.max(hard, soft - holding.waived);
}

/** Of an account's sums: what its bets may cost as they stand, and at most should one more runner go. */
export function measured(holding: Holding): { hard: number; soft: number } {
  measure(holding);
  return { hard, soft };
}

/** Brings the exposure of a holding and its account up to what its bets ask for. @returns whether it changed. */
export function updateExposure(state: State, holding: Holding): boolean {
  const exposure = exposureOf(holding);
  if (!isOver(holding)) waiveLess(state, holding, soft - hard);
  return setExposure(holding, exposure);
}

/** The same where both were measured before. */
export function enterExposure(state: State, holding: Holding, measures: { hard: number; soft: number }): boolean {
  const isOwn = holding.account.kind === 'system';
  const exposure = isOwn ? 0 : Math.max(measures.hard, measures.soft - holding.waived);
  waiveLess(state, holding, measures.soft - measures.hard);
  return setExposure(holding, exposure);
}

/** What was waived is waived for the bets of then: with less risk there is less to waive. */
function waiveLess(state: State, holding: Holding, most: number): void {
  if (holding.waived <= most) return;
  holding.waived = most;
  markDirty(state, holding.market);
}

/**
 * A lay comes down for a removal that is under way. What may be lost should that runner go takes it down once more, so what is
 * held would be too little for the change that follows; nothing of it is free before that (`waived` below 0 until then).
 */
export function holdingOn(state: State, holding: Holding, comeDown: () => void): void {
  if (updateExposure(state, holding)) touchAccount(state, holding.account);
  const { exposure } = holding;
  comeDown();
  if (exposureOf(holding) >= exposure) return;
  holding.waived = soft - exposure;
  markDirty(state, holding.market);
}

function setExposure(holding: Holding, exposure: number): boolean {
  if (exposure === holding.exposure) return false;
  holding.account.exposure += exposure - holding.exposure;
  holding.exposure = exposure;
  return true;
}

/**
 * After something the account did not do itself: of what its bets may cost only should one more runner go, what it has no
 * money for is waived, so that a removal asks nobody for more than he has lost by it. @returns whether any was.
 */
export function waiveUncovered(state: State, holding: Holding): boolean {
  const { account } = holding;
  const missing = -availableOf(account);
  if (missing <= 0 || isOver(holding)) return false;
  measure(holding);
  const waived = Math.min(missing, holding.exposure - hard);
  if (waived <= 0) return false;
  holding.waived += waived;
  holding.exposure -= waived;
  account.exposure -= waived;
  markDirty(state, account);
  markDirty(state, holding.market);
  return true;
}

/**
 * An account that something it did not do itself left with less than nothing: it is known for it until it has enough.
 * @returns whether it was not before.
 */
export function noteShort(state: State, { account, market, availableBefore }: Holding): boolean {
  const available = availableOf(account);
  if (account.kind === 'system' || available >= 0 || available >= availableBefore || account.short.has(market.id))
    return false;
  account.short.add(market.id);
  markDirty(state, account);
  return true;
}

/**
 * Whether an account may take its exposure in a market to `exposure` (exchange reference 9.2). What lowers it always
 * may, even with nothing available; what raises it must leave available money at 0 or more, and keep every limit.
 */
export function riskRefusal(
  holding: Holding,
  exposure: number,
  field: string,
  legs: readonly Order[] = [],
): Refused | null {
  const { account, market } = holding;
  const more = exposure - holding.exposure;
  const gross = legs.reduce((sum, leg) => sum + grossOf(leg.code, leg.price, leg.remaining), 0);
  if (!Number.isSafeInteger(holding.gross + gross) || !Number.isSafeInteger(market.house.gross + gross))
    return refuse('STAKE_TOO_LARGE', field);
  if (more <= 0) return null;
  const left = availableOf(account) - more;
  if (left < 0) return refuse('INSUFFICIENT_FUNDS', field);
  if (account.lossFloor !== null && left < account.lossFloor) return refuse('LOSS_LIMIT');
  if (account.exposureLimit > 0 && account.exposure + more > account.exposureLimit) return refuse('EXPOSURE_LIMIT');
  if (market.def.maxExposureMinor > 0 && exposure > market.def.maxExposureMinor) return refuse('MARKET_EXPOSURE_LIMIT');
  return null;
}

// ---------------------------------------------------------------------------------------------------- ends of bets

/** Gives a bet its result; keeps the count of open bets. */
export function setResult(order: Order, result: BetResult): void {
  if ((order.result === 'PENDING') !== (result === 'PENDING')) order.holding.open += result === 'PENDING' ? 1 : -1;
  order.result = result;
}

/**
 * Ends what is left of a bet, resting or delayed, and releases its money. Which of cancelled, lapsed or voided it goes
 * to follows from the code. A bet with nothing matched is over: result VOID (UNDECLARE when the operator voids).
 */
export function endRemaining(state: State, order: Order, code: EndCode, reason?: string): void {
  const { hedge } = order.holding;
  if (hedge?.includes(order)) {
    partHedge(order.holding);
    for (const leg of hedge)
      if (leg !== order) endRemaining(state, leg, code === 'VOIDED' ? 'CANCELLED' : code, reason);
  }
  const left = order.remaining;
  if (order.node !== 0) {
    touchLevel(state, order.runner, state.pool.level[order.node]!);
    remove(order.runner.book, order.node);
    order.node = 0;
  }
  if (order.terms === null) countOpen(order.holding, order.runner.index, order.code, order.price, -left);
  else countTake(order, -1);
  order.remaining = 0;
  countStakeOf(state, order, -left);
  leaveLive(order);
  if (code === 'VOIDED') order.voided += left;
  else if (code === 'CANCELLED' || code === 'KILLED' || code === 'SELF_MATCH') order.cancelled += left;
  else order.lapsed += left;
  order.status = 'COMPLETE';
  order.dueAt = 0;
  order.endCode = code;
  if (reason !== undefined) order.reason = reason;
  if (order.matched === 0) setResult(order, code === 'VOIDED' ? 'UNDECLARE' : 'VOID');
  touchOrder(state, order);
  touchHolding(state, order.holding);
}

/** The parts of a bet always make up its size (invariant 1 of the exchange reference 16). */
export function assertWhole(o: Order): void {
  const whole = o.matched + o.remaining + o.cancelled + o.lapsed + o.voided;
  if (o.size !== whole || o.remaining < 0 || o.matched < 0) assert(false, 'INV-13', `parts of bet ${o.id}`);
}

// ------------------------------------------------------------------------------------- as the slow sums want them

/** The market as quotes.ts wants it: removed runners of a bookmaker market can't win any more. */
export function runMarket(market: Market): {
  kind: QuoteKind;
  cap?: number;
  runners: RunMarket['runners'];
} {
  const runners = market.runners
    .filter((r) => r.status !== 'REMOVED')
    .map(({ id, def }) => ({
      runnerId: id,
      width: def.width,
      stands: def.stands,
      digit: def.digit,
      group: def.group,
      payMax: def.payMax,
      payMin: def.payMin,
    }));
  const kind = market.def.kind as QuoteKind;
  return market.def.cap === undefined ? { kind, runners } : { kind, cap: market.def.cap, runners };
}

export function quoteBet(order: Order): QuoteBet {
  const bet: QuoteBet = {
    runnerId: order.runner.id,
    side: order.side,
    price: order.price,
    stakeMinor: order.matched + order.remaining,
    winMinor: order.terms?.win ?? 0,
    lossMinor: order.terms?.loss ?? 0,
  };
  if (order.terms?.line !== undefined) bet.line = order.terms.line;
  if (order.terms?.width !== undefined) bet.width = order.terms.width;
  return bet;
}
