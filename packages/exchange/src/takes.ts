/** Bets on house quotes: taken whole at the shown price and line, or refused (exchange reference 12.6). */
import { availableOf } from './available.ts';
import { BACK, LAY } from './book.ts';
import type { Place } from './checks.ts';
import { checkPlace, checkProfit, checkStake } from './checks.ts';
import type { Refused } from './guard.ts';
import { assert, isAmount, isRefused, refuse } from './guard.ts';
import { countTake, endRemaining, exposureOf, exposureWithout, riskRefusal } from './holding.ts';
import { copyRow } from './house.ts';
import { houseRefusal, houseWorst, isBounded } from './house-limit.ts';
import { leaveLive } from './live.ts';
import { addOrder } from './orders.ts';
import { betAmounts, prizeOf, quoteFor } from './quotes.ts';
import type { Market, Order, Runner, State } from './state.ts';
import { enterHolding, newOrder } from './state.ts';
import type { Command, MarketKind, PlacedTake, Quote, QuoteKind, Side } from './types.ts';
import { append, markDirty, touchHolding, touchOrder } from './work.ts';

type Take = Extract<Command, { type: 'quote.take' }>;
type Takes = Extract<Command, { type: 'quotes.take' }>;
type Asked = Pick<Take, 'betId' | 'side' | 'price' | 'stakeMinor' | 'line' | 'box'>;

export function takeQuote(state: State, c: Take, now: number): Refused | null {
  const place = checkPlace(state, c, false);
  if (isRefused(place)) return place;
  const order = prepareTake(place, c, now);
  if (isRefused(order)) return order;
  const { market, holding } = place;
  const delayed = market.inPlay && market.betDelayMs > 0;
  if (delayed) order.dueAt = now + market.betDelayMs;
  else matchWhole(order);
  const houseBefore = isBounded(state) ? houseWorst(market) : 0;
  countTake(order, 1);
  const refused =
    riskRefusal(holding, exposureOf(holding), 'stakeMinor') ??
    (isBounded(state) ? houseRefusal(state, market, houseBefore) : null);
  if (refused) {
    countTake(order, -1);
    return refused;
  }
  if (holding.orders.length === 0) enterHolding(holding);
  addOrder(state, order);
  touchOrder(state, order);
  touchHolding(state, holding);
  if (delayed) state.waiting.add(order);
  else drawOn(state, order);
  return null;
}

/** What one command may hold everybody else up for. */
const MOST = 200;
const OF_RUNS: readonly MarketKind[] = ['session', 'overByover', 'ballByBall'];

interface ReadTake {
  order: Order;
  isMet: boolean;
}

export function takeQuotes(state: State, c: Takes, now: number): Refused | null {
  if (c.takes.length === 0 || c.takes.length > MOST) return refuse('BAD_INPUT', 'takes');
  const takes = readTakes(state, c, now);
  if (isRefused(takes)) return takes;
  const { holding } = takes[0]!.order;
  const { market } = holding;
  const met = takes.flatMap(({ order, isMet }) => (isMet ? [order] : []));
  const delayed = market.inPlay && market.betDelayMs > 0;
  const houseBefore = isBounded(state) ? houseWorst(market) : 0;
  for (const order of met) {
    if (delayed) order.dueAt = now + market.betDelayMs;
    else matchWhole(order);
    countTake(order, 1);
  }
  const refused =
    riskRefusal(holding, exposureOf(holding), 'takes') ??
    (isBounded(state) ? houseRefusal(state, market, houseBefore) : null);
  if (refused) {
    for (const order of met) countTake(order, -1);
    return refused;
  }
  if (holding.orders.length === 0) enterHolding(holding);
  for (const { order, isMet } of takes) {
    addOrder(state, order);
    touchOrder(state, order);
    touchHolding(state, holding);
    if (!isMet) {
      countTake(order, 1);
      endRemaining(state, order, 'KILLED');
    } else if (delayed) state.waiting.add(order);
    else drawOn(state, order);
  }
  return null;
}

/** The bets, not entered yet, each with whether its quote takes it behind those before it; or why one of them may not be placed. */
function readTakes(state: State, c: Takes, now: number): ReadTake[] | Refused {
  const read: ReadTake[] = [];
  const drawn = new Map<Quote, number>();
  for (const [i, one] of c.takes.entries()) {
    const at = (refused: Refused) =>
      refused.field === undefined ? refused : { ...refused, field: `takes.${i}.${refused.field}` };
    const placing = { betId: c.betId + i, accountId: c.accountId, marketId: c.marketId, runnerId: one.runnerId };
    const versioned = c.marketVersion === undefined ? placing : { ...placing, marketVersion: c.marketVersion };
    const place = checkPlace(state, versioned, false, -i);
    if (isRefused(place)) return place.field === 'runnerId' ? at(place) : place;
    if (!OF_RUNS.includes(place.market.def.kind)) return refuse('WRONG_KIND', 'marketId');
    const bad = wrongIn(place.market, one);
    if (bad) return at(bad);
    const here = { ...place, holding: read[0]?.order.holding ?? place.holding };
    const order = wholeTake(here, { ...one, betId: placing.betId }, now);
    if (isRefused(order)) return at(order);
    const unmet = unmetBy(here, one, 0);
    if (unmet?.code === 'RUNNER_SUSPENDED') return at(unmet);
    read.push({ order, isMet: unmet === null && drawsBeside(order, drawn) });
  }
  return read;
}

function wrongIn(market: Market, { side, price, stakeMinor, line }: PlacedTake): Refused | null {
  if (side !== 'BACK' && side !== 'LAY') return refuse('PRICE_INVALID', 'side');
  if (!isAmount(price)) return refuse('PRICE_INVALID', 'price');
  if (!Number.isSafeInteger(line) || line < 0) return refuse('BAD_INPUT', 'line');
  return checkStake(market, stakeMinor, 'stakeMinor');
}

/** Whether a quote has enough for a bet behind those of the same command that draw on it; where they wait, none does yet. */
function drawsBeside(order: Order, drawn: Map<Quote, number>): boolean {
  const { market } = order.runner;
  const quote = sideOf(order)!;
  const left = drawn.get(quote) ?? quote.sizeMinor;
  if (left < order.size) return false;
  if (!(market.inPlay && market.betDelayMs > 0)) drawn.set(quote, leftOf(market, left - order.size));
  return true;
}

/** The bet on a quote as it was asked for, not entered yet, or why the quote does not take it. */
export function prepareTake(place: Place, c: Asked, now: number): Order | Refused {
  if (c.side !== 'BACK' && c.side !== 'LAY') return refuse('PRICE_INVALID', 'side');
  const box = c.box ?? 0;
  if (box !== 0 && box !== 1 && box !== 2) return refuse('PRICE_INVALID', 'box');
  if (!Number.isSafeInteger(c.price)) return refuse('PRICE_INVALID', 'price');
  return (
    checkStake(place.market, c.stakeMinor, 'stakeMinor') ?? unmetBy(place, c, box) ?? wholeTake(place, c, now, box)
  );
}

/** Why the quote as it stands does not take the bet; null where it does. */
function unmetBy({ market, runner }: Place, c: Omit<Asked, 'betId'>, box: number): Refused | null {
  const quote = currentQuote(market, runner, c.side, box);
  if (isRefused(quote)) return quote;
  const moved = compare(quote, c.price, c.line);
  if (moved) return moved;
  if (c.stakeMinor <= quote.sizeMinor) return null;
  return refuse('STAKE_TOO_LARGE', 'stakeMinor', { sizeMinor: quote.sizeMinor });
}

function wholeTake({ market, runner, holding }: Place, c: Asked, now: number, box = 0): Order | Refused {
  const kind = market.def.kind as QuoteKind;
  const unfair =
    kind === 'meter' || runner.def.payMax !== undefined
      ? null
      : checkProfit(c.side === 'BACK' ? BACK : LAY, prizeOf(kind, c), 'stakeMinor');
  if (unfair) return unfair;
  const bet = {
    side: c.side,
    price: c.price,
    stakeMinor: c.stakeMinor,
    line: c.line,
    cap: market.def.cap,
    payMax: runner.def.payMax,
    payMin: runner.def.payMin,
  };
  const { winMinor, lossMinor } = betAmounts(kind, bet);
  if (winMinor > MAX_AMOUNT || lossMinor > MAX_AMOUNT) return refuse('STAKE_TOO_LARGE', 'stakeMinor');
  const terms = {
    line: c.line,
    box: kind === 'bookmaker' ? (box as 0 | 1 | 2) : undefined,
    width: runner.def.width,
    win: winMinor,
    loss: lossMinor,
  };
  return newOrder(c.betId, holding, runner, c.side, c.price, c.stakeMinor, 'LAPSE', now, 0, terms);
}

/** Whether the quote is still the one the bet was asked at. */
export function isTakeable({ holding, runner, side, price, terms }: Order): boolean {
  const quote = currentQuote(holding.market, runner, side, terms?.box ?? 0);
  return !isRefused(quote) && compare(quote, price, terms?.line) === null;
}

/** Whether the takers before it left as much of the quote as the bet asks for. */
export function isLeft(order: Order): boolean {
  return (sideOf(order)?.sizeMinor ?? 0) >= order.size;
}

/** Takes an entered bet that waited. */
export function takeWhole(state: State, order: Order): void {
  countTake(order, -1);
  leaveLive(order);
  matchWhole(order);
  countTake(order, 1);
  drawOn(state, order);
  touchOrder(state, order);
  touchHolding(state, order.holding);
}

/** A delayed take whose time has come: the quote must still be the same (exchange reference 12.6, step 6). */
export function releaseTake(state: State, order: Order): void {
  const { account } = order.holding;
  if (account.betBlocked) {
    endRemaining(state, order, 'CANCELLED', 'The account was restricted meanwhile');
    return;
  }
  if (!isTakeable(order)) {
    endRemaining(state, order, 'LAPSED_PRICE', 'The price changed during the delay');
    return;
  }
  if (!isLeft(order)) {
    endRemaining(state, order, 'LAPSED_PRICE', 'Others took the price during the delay');
    return;
  }
  if (availableOf(account) < 0 && exposureWithout(order) < order.holding.exposure) {
    endRemaining(state, order, 'CANCELLED', 'Not enough balance any more');
    return;
  }
  if (isBeyondHouse(state, order)) {
    endRemaining(state, order, 'LAPSED_PRICE', 'The house takes no more on it');
    return;
  }
  takeWhole(state, order);
}

/** The house counts a bet that waits; when a bound was lowered meanwhile it may be beyond it now. */
function isBeyondHouse(state: State, order: Order): boolean {
  if (!isBounded(state)) return false;
  const { market } = order.runner;
  countTake(order, -1);
  const before = houseWorst(market);
  countTake(order, 1);
  return houseRefusal(state, market, before) !== null;
}

/**
 * A quote is what the house offers to all takers together: a bet takes its stake from it, whatever its box, until the house
 * tells the row again. A rest that is too small for any bet is not offered.
 */
function drawOn(state: State, order: Order): void {
  const { runner, size } = order;
  const { market } = runner;
  const quote = sideOf(order)!;
  const left = quote.sizeMinor - size;
  assert(left >= 0, 'INV-13', 'more was taken of a quote than it offered');
  quote.sizeMinor = leftOf(market, left);
  runner.traded += size;
  append(state.out, { type: 'quotes', marketId: market.id, rows: [copyRow(market.quotes.get(runner.id)!)] });
  markDirty(state, market);
}

const leftOf = (market: Market, minor: number): number => (minor < market.minStake ? 0 : minor);

function sideOf({ runner, side }: Order): Quote | null | undefined {
  const row = runner.market.quotes.get(runner.id);
  return side === 'BACK' ? row?.back : row?.lay;
}

function matchWhole(order: Order): void {
  order.status = 'COMPLETE';
  order.dueAt = 0;
  order.matched = order.size;
  order.matchedSum = order.size * order.price;
  order.remaining = 0;
}

/** Largest win or loss a quote bet may fix. */
const MAX_AMOUNT = 10_000_000_000_000;

function currentQuote(market: Market, runner: Runner, side: Side, box: number): Quote | Refused {
  const row = market.quotes.get(runner.id);
  if (row === undefined) return refuse('PRICE_CHANGED', 'price');
  if (row.status !== 'ACTIVE') return refuse('RUNNER_SUSPENDED', 'runnerId');
  const view = {
    kind: market.def.kind as QuoteKind,
    rateThan100: market.def.rateThan100,
    maxStakeMinor: market.maxStake,
    runners: market.runners,
  };
  return quoteFor(view, row, side, box) ?? refuse('PRICE_CHANGED', 'price');
}

function compare(quote: Quote, price: number, line: number | undefined): Refused | null {
  const current: NonNullable<Refused['current']> = { price: quote.price };
  if (quote.line !== undefined) current.line = quote.line;
  if (quote.line !== line) return refuse('LINE_CHANGED', 'line', current);
  if (quote.price !== price) return refuse('PRICE_CHANGED', 'price', current);
  return null;
}
