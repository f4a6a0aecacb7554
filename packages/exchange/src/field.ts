/**
 * The field of a market changes: a runner leaves it or comes back (exchange reference 7). A match has two sides, so who is
 * half in the old field and half in the new one would be held to a worst case of neither. Therefore it goes so, over as many
 * commands as it takes (slices.ts), the market being locked:
 *
 * 1. what lapses lapses, which only lowers what accounts hold; kept lays come down, for which it stays (`holdingOn`);
 * 2. what every account, and the house, will be held to is reckoned beside what it is, from its own bets;
 * 3. at the head of one command the field changes, and what all accounts hold with it: money, who is short, what is waived;
 * 4. account by account its bets are brought up to date and told, with its wallet.
 *
 * What was reckoned follows from the bets and the field: it is in no snapshot, and what of it is missing is reckoned with the change.
 */
import { MAX_ODDS, oddsText, tickAtOrBelow } from '@fairgame/contract';
import { availableOf } from './available.ts';
import { remove } from './book.ts';
import { endInMarket } from './conditionals.ts';
import { countHouse, houseRows, isTakenIn, isVoidByRemoval, paidIn, reckon, voidIn } from './field-sums.ts';
import { countOpen, enterExposure, holdingOn, noteShort, setResult, waiveUncovered } from './holding.ts';
import { lapseOn, reopen } from './lapses.ts';
import { enterBook } from './orders.ts';
import { countStakeOf } from './own-limits.ts';
import { reducedPrice } from './reduction.ts';
import type { FieldChange, Fields, Fill, Holding, Market, Order, Reckoned, State, Work } from './state.ts';
import { earlier, findActive, newHolding } from './state.ts';
import type { Budget } from './turns.ts';
import { each, indexOf, LOOKED_AT } from './turns.ts';
import { append, changeMarket, markDirty, touchAccount, touchHolding, touchLevel, touchOrder } from './work.ts';

/** Of bets that are reckoned so many cost a unit: each with its matches, and with what one more removal would make of them. */
const RECKONED = 16;

/** Goes on with a field that changes: up to so many units, and one account at least. */
export function fieldOn(state: State, market: Market, work: Work, units: number): void {
  markDirty(state, market);
  const budget = { units };
  if (work.phase === 'lapse' && lapseOn(state, work, budget)) work.phase = 'lays';
  if (work.phase === 'lays' && laysOn(state, market, work, budget)) work.phase = 'house';
  if (work.phase === 'house' && houseOn(market, work, budget)) work.phase = 'reckon';
  if (work.phase === 'reckon' && each(market, work, budget, (_, holding) => reckonNext(market, work, holding))) {
    work.phase = 'change';
    // What it does to every account comes at the head of a slice.
    if (units !== Number.POSITIVE_INFINITY) return;
  }
  if (work.phase === 'change') work.phase = changeField(state, market, work) ? 'turns' : 'ending';
  if (work.phase === 'turns' && each(market, work, budget, (_, holding) => takeTurn(state, market, work, holding)))
    work.phase = 'ending';
  // A suspension that came meanwhile may have more bets lapse.
  if (work.phase === 'ending' && lapseOn(state, work, budget)) reopen(state, market, work);
}

/** Conditional orders mean prices of the field that they were made in. */
export function endInField(state: State, market: Market): void {
  endInMarket(state, market, 'FIELD_CHANGED', (one) => one.kind !== 'EXPIRE');
}

/** The market in the field before and in the one after a change; both share its bets. */
export function fieldsOf(market: Market, work: Pick<Work, 'type' | 'field'>): Fields {
  const { runnerId, factors, before, removals } = work.field!;
  const status = work.type === 'runner.remove' ? 'REMOVED' : 'ACTIVE';
  const runners = market.runners.map((runner) => ({ ...runner }));
  for (const runner of runners) {
    if (runner.id === runnerId) runner.status = status;
    const said = factors.findLast((one) => one.runnerId === runner.id);
    if (said !== undefined) runner.def = { ...runner.def, adjustmentFactor: said.factor };
  }
  const after: Market = { ...market, runners, removals, reductions: null };
  findActive(after);
  after.house = newHolding(market.house.account, after);
  return { before: { ...market, removals: before, reductions: null }, after, house: 0, reasons: new Map() };
}

function fieldsIn(market: Market, work: Work): Fields {
  const index = indexOf(market, work);
  index.fields ??= fieldsOf(market, work);
  return index.fields;
}

// ------------------------------------------------------------------------------------------------ before the change

/** What is left of the price that a lay was first asked at, a tick. */
export function reducedLay({ def }: Market, { removals }: Pick<FieldChange, 'removals'>, order: Order): number {
  const since = removals.map(({ runnerId, factor, upToBet }) => ({ runnerId, factor, upTo: upToBet }));
  return tickAtOrBelow(reducedPrice({ id: order.id, price: order.firstPrice }, since, def.placeMarket === true));
}

/** Kept lays come down, in the order in which they stand. @returns whether all have. */
function laysOn(state: State, market: Market, work: Work, budget: Budget): boolean {
  const { lays } = work.field!;
  for (; work.at < lays.length; work.at++, budget.units--) {
    if (budget.units <= 0) return false;
    const order = state.orders.get(lays[work.at]!)!;
    if (order.remaining === 0) continue;
    const reduce = () => reduceLay(state, order, reducedLay(market, work.field!, order), textOf(market, work));
    // Nobody else comes between, where all is one command.
    if (budget.units === Number.POSITIVE_INFINITY) reduce();
    else holdingOn(state, order.holding, reduce);
  }
  work.at = 0;
  return true;
}

function reduceLay(state: State, order: Order, reduced: number, text: string): void {
  const { holding, runner, code, remaining } = order;
  touchLevel(state, runner, state.pool.level[order.node]!);
  remove(runner.book, order.node);
  countOpen(holding, runner.index, code, order.price, -remaining);
  order.reason = `${text}, ${oddsText(order.price)} to ${oddsText(reduced)}`;
  order.price = reduced;
  countOpen(holding, runner.index, code, order.price, remaining);
  enterBook(state, order);
  touchOrder(state, order);
  touchHolding(state, holding);
}

function houseOn(market: Market, work: Work, budget: Budget): boolean {
  const rows = houseRows(market);
  const to = Math.min(rows, work.at + budget.units * LOOKED_AT);
  budget.units -= Math.ceil((to - work.at) / LOOKED_AT);
  work.at = to;
  houseUpTo(fieldsIn(market, work), to);
  if (to < rows) return false;
  work.at = 0;
  return true;
}

/** After a start nothing of it is there. */
function houseUpTo(fields: Fields, to: number): void {
  countHouse(fields.after.house, fields.house, to);
  fields.house = to;
}

function reckonNext(market: Market, work: Work, holding: Holding): number {
  holding.next = reckon(fieldsIn(market, work).after, holding);
  return 1 + Math.floor(holding.orders.length / RECKONED);
}

// -------------------------------------------------------------------------------------------------------- the change

/**
 * The field and what everybody is held to, at once: nobody can spend between two slices what it costs him.
 * @returns false where it stays as it was, since somebody would be short by it.
 */
function changeField(state: State, market: Market, work: Work): boolean {
  const { runnerId, ifCovered } = work.field!;
  const fields = fieldsIn(market, work);
  const { after } = fields;
  houseUpTo(fields, houseRows(market));
  for (const holding of market.holdings.values()) holding.next ??= reckon(after, holding);
  if (ifCovered && leavesShort(market, ({ next }) => next!)) {
    for (const holding of market.holdings.values()) holding.next = null;
    append(state.out, { type: 'notReinstated', marketId: market.id, runnerId });
    return false;
  }
  if (ifCovered) endInField(state, market);
  market.runners.forEach((runner, i) => {
    runner.status = after.runners[i]!.status;
    runner.def = after.runners[i]!.def;
  });
  market.removals = after.removals;
  findActive(market);
  market.house.sums = after.house.sums;
  market.house.gross = after.house.gross;
  for (const holding of market.holdings.values()) hold(state, holding, holding.next!);
  changeMarket(state, market, true);
  return true;
}

/** Whether what all accounts will be held to costs somebody money he has not got. */
export function leavesShort(market: Market, nextOf: (holding: Holding) => Reckoned): boolean {
  for (const holding of market.holdings.values()) {
    const more = nextOf(holding).hard - holding.exposure;
    if (more > 0 && availableOf(holding.account) < more) return true;
  }
  return false;
}

function hold(state: State, holding: Holding, next: NonNullable<Holding['next']>): void {
  const { account } = holding;
  holding.next = null;
  if (holding.waived < 0) {
    holding.waived = 0;
    markDirty(state, holding.market);
  }
  holding.sums = next.sums;
  holding.shifts = next.shifts;
  holding.gross = next.gross;
  holding.availableBefore = availableOf(account);
  if (enterExposure(state, holding, next)) markDirty(state, account);
  waiveUncovered(state, holding);
  noteShort(state, holding);
  // What it owes may be covered by now, and what it was short of. All others are told in their turn, but of a bet that just ended.
  if (account.debts.length > 0 || account.short.size > 0 || holding.touched) touchAccount(state, account);
}

// ------------------------------------------------------------------------------------------------------------- turns

/** An account's turn: its bets are what the field makes of them, and it is told all of it. */
function takeTurn(state: State, market: Market, work: Work, holding: Holding): number {
  const fields = fieldsIn(market, work);
  let changed = 0;
  for (const order of holding.orders) {
    const reason =
      order.terms === null ? renew(state, market, work, fields, order) : renewTake(state, market, work, order);
    if (reason === null) continue;
    changed++;
    order.reason = reason;
    touchOrder(state, order);
  }
  touchAccount(state, holding.account);
  return 1 + changed + Math.floor(holding.orders.length / LOOKED_AT);
}

/** Brings a bet of a book and its matches up to date. @returns why it is another than before; null where it is not. */
function renew(state: State, market: Market, work: Work, fields: Fields, order: Order): string | null {
  let matched = 0;
  let sum = 0;
  let reason: string | null = null;
  for (let fill = order.lastFill; fill !== null; fill = earlier(order, fill)) {
    const gone = voidIn(market, fill);
    const paid = gone === false ? paidIn(market, fill) : fill.paid;
    // The other side may have had its turn.
    if (fill.void !== gone || fill.paid !== paid) {
      fill.void = gone;
      fill.paid = paid;
      markDirty(state, fill);
    }
    // The last match that changed says why.
    reason ??= reasonOf(market, work, fields, fill);
    if (gone !== false) continue;
    matched += fill.size;
    sum += paid * fill.size;
  }
  const more = matched - order.matched;
  if (reason === null && more === 0 && sum === order.matchedSum) return null;
  order.matched = matched;
  order.matchedSum = sum;
  if (more === 0) return reason ?? order.reason ?? '';
  order.voided -= more;
  countStakeOf(state, order, more);
  if (more > 0 && order.result === 'VOID') setResult(order, 'PENDING');
  if (more < 0 && matched === 0 && order.status === 'COMPLETE') setResult(order, 'VOID');
  return reason ?? textOf(market, work);
}

/** Why a match is another in the new field; null where it is not. */
function reasonOf(market: Market, work: Work, { before, reasons }: Fields, fill: Fill): string | null {
  if (fill.void === 'voided') return null;
  const isOwn = fill.runner.id === work.field!.runnerId;
  if (fill.void !== false) return isOwn ? textOf(market, work) : null;
  const was = isOwn ? fill.price : paidIn(before, fill);
  if (was === fill.paid) return isOwn ? textOf(market, work) : null;
  const key = fill.price * MAX_ODDS + fill.paid;
  const reason = reasons.get(key) ?? `${textOf(market, work)}, ${oddsText(fill.price)} to ${oddsText(fill.paid)}`;
  reasons.set(key, reason);
  return reason;
}

/** The same of a bet on a quote: it is void with its runner, and as it was when that comes back. */
function renewTake(state: State, market: Market, work: Work, order: Order): string | null {
  if (order.runner.id !== work.field!.runnerId) return null;
  const size = order.matched + order.voided;
  const isTaken = isTakenIn(market, order);
  if (isTaken === order.matched > 0 || (!isTaken && isVoidByRemoval(order))) return null;
  order.matched = isTaken ? size : 0;
  order.voided = size - order.matched;
  order.matchedSum = order.matched * order.price;
  order.profit = 0;
  countStakeOf(state, order, isTaken ? size : -size);
  setResult(order, isTaken ? 'PENDING' : 'VOID');
  return textOf(market, work);
}

function textOf(market: Market, work: Work): string {
  const { name } = market.byId.get(work.field!.runnerId)!.def;
  return work.type === 'runner.remove' ? `${name}: non-runner` : `${name}: back in the field`;
}
