/**
 * What may be lost: exposure by trying every outcome, from the list of bets and fills alone. What was computed is kept with
 * what it was computed from, and computed anew as soon as any of that differs.
 */
import { FIRST_PLAYER } from '../../src/types.ts';
import type { OracleBet } from '../oracle/quotes-oracle.ts';
import { oracleOutcomes, oracleProfitE4 } from '../oracle/quotes-oracle.ts';
import { worstOfCards } from './cards.ts';
import { matchedE4, oracleBet, quoteView, reduced } from './money.ts';
import type { Market, ModelBet, Runner, World, Worst } from './world.ts';
import { heldOf, isOver } from './world.ts';

/** Sum of the account's worst cases over markets, as last computed. */
export function exposureOf(world: World, accountId: number): number {
  let sum = 0;
  for (const value of world.exposure.get(accountId)?.values() ?? []) sum += value;
  return sum;
}

/** What an account has free: neither at risk nor held back. */
export function freeOf(world: World, accountId: number): number {
  return (world.accounts.get(accountId)?.ledger ?? 0) - exposureOf(world, accountId) - heldOf(world, accountId);
}

/** Brings the exposure of everybody in the market up to date. */
export function refreshExposure(world: World, market: Market): void {
  for (const [accountId, facts] of factsOf(market)) {
    let byMarket = world.exposure.get(accountId);
    if (!byMarket) {
      byMarket = new Map();
      world.exposure.set(accountId, byMarket);
    }
    const worst = keptWorst(market, accountId, facts);
    waiveLess(market, accountId, worst);
    byMarket.set(market.id, lessWaived(market, accountId, worst));
  }
}

/** With less risk there is less to waive. */
function waiveLess(market: Market, accountId: number, { now, later }: Worst): void {
  const waived = market.waived.get(accountId) ?? 0;
  if (waived > later - now && !isOver(market, accountId)) market.waived.set(accountId, later - now);
}

/** A lay comes down for a removal that is under way, which frees nothing before the field has changed. */
export function holdingOn(market: Market, accountId: number, comeDown: () => void): void {
  const worst = worstCases(market, accountId);
  const before = lessWaived(market, accountId, worst);
  waiveLess(market, accountId, worst);
  comeDown();
  const after = worstCases(market, accountId);
  if (lessWaived(market, accountId, after) < before) market.waived.set(accountId, after.later - before);
}

/** What one account must have in one market, minor units rounded up; `extra` counts as accepted and unmatched,
 * what is open of `without` does not count. */
export function marketExposure(market: Market, accountId: number, extra?: ModelBet, without?: ModelBet): number {
  const asItStands = !extra && !without;
  const worst = asItStands ? worstCases(market, accountId) : computeWorst(market, accountId, extra, without);
  return lessWaived(market, accountId, worst);
}

function lessWaived(market: Market, accountId: number, { now, later }: Worst): number {
  return Math.max(now, later - (market.waived.get(accountId) ?? 0));
}

/** The worst case of what an account has in a market. */
export function worstCases(market: Market, accountId: number): Worst {
  const facts = factsOf(market, accountId).get(accountId);
  return facts ? keptWorst(market, accountId, facts) : { now: 0, later: 0 };
}

function keptWorst(market: Market, accountId: number, facts: number[]): Worst {
  const last = market.worst.get(accountId);
  if (last?.facts.length === facts.length && last.facts.every((fact, i) => fact === facts[i])) return last.worst;
  const worst = computeWorst(market, accountId);
  market.worst.set(accountId, { facts, worst });
  return worst;
}

/** All that can change of what a worst case depends on, by account: the field, its bets and their matches. */
function factsOf(market: Market, only?: number): Map<number, number[]> {
  const field: number[] = [];
  for (const { id, def, status } of market.runners) {
    field.push(id, Number(status === 'REMOVED'), def.adjustmentFactor ?? 0);
  }
  for (const { runnerId, factor, lastFill } of market.removals) field.push(runnerId, factor, lastFill);
  const facts = new Map<number, number[]>();
  const ofBet = new Map<number, number[]>();
  for (const bet of market.bets) {
    if (only !== undefined && bet.accountId !== only) continue;
    const own = facts.get(bet.accountId) ?? [Number(isOver(market, bet.accountId)), ...field];
    facts.set(bet.accountId, own);
    ofBet.set(bet.betId, own);
    const waits = Number(bet.status === 'PENDING') + 2 * Number(bet.result === 'PENDING');
    own.push(bet.betId, bet.price, bet.sizeMinor, bet.remainingMinor, waits, bet.group ?? 0);
  }
  for (const { id, price, gone, back, lay } of market.fills) {
    ofBet.get(back)?.push(id, price, Number(gone));
    ofBet.get(lay)?.push(id, price, Number(gone));
  }
  return facts;
}

/** Waiting groups go or do not. */
function computeWorst(market: Market, accountId: number, extra?: ModelBet, without?: ModelBet): Worst {
  const group = groupOf(market, accountId);
  const alone = worstOf(leftWithout(market, group), accountId, extra, without);
  if (group.length === 0) return alone;
  const both = worstOf(withTaken(leftWithout(market, group), group), accountId, extra, without);
  return { now: Math.max(alone.now, both.now), later: Math.max(alone.later, both.later) };
}

/** Bets of an account that wait together. */
export function groupOf(market: Market, accountId: number): ModelBet[] {
  return market.bets.filter(
    (bet) => bet.accountId === accountId && bet.group !== undefined && bet.status === 'PENDING',
  );
}

export function leftWithout(market: Market, gone: readonly ModelBet[]): Market {
  return gone.length === 0 ? market : { ...market, bets: market.bets.filter((bet) => !gone.includes(bet)) };
}

/** The market as it would be had these been taken whole, at the worst prices they allow. */
export function withTaken(market: Market, legs: readonly ModelBet[]): Market {
  // Later than every match there is, in whatever market: no removal so far concerns them.
  const last = Number.MAX_SAFE_INTEGER - legs.length - 1;
  const fills = legs
    .filter((bet) => bet.kind === 'order')
    .map((bet, i) => ({
      id: last + 1 + i,
      runnerId: bet.runnerId,
      was: bet.price,
      price: bet.price,
      size: bet.sizeMinor,
      back: bet.side === 'BACK' ? bet.betId : 0,
      lay: bet.side === 'LAY' ? bet.betId : 0,
      gone: false,
      withRunner: false,
    }));
  const bets = legs.map((bet) => ({
    ...bet,
    status: 'COMPLETE' as const,
    matchedMinor: bet.sizeMinor,
    remainingMinor: 0,
  }));
  return { ...market, fills: [...market.fills, ...fills], bets: [...market.bets, ...bets] };
}

function worstOf(market: Market, accountId: number, extra?: ModelBet, without?: ModelBet): Worst {
  if (isOver(market, accountId) || accountId < FIRST_PLAYER) return { now: 0, later: 0 };
  const bets = market.bets.filter((bet) => bet.accountId === accountId && bet !== without);
  if (without?.kind === 'order') bets.push({ ...without, remainingMinor: 0 });
  if (extra) bets.push(extra);
  if (bets.length === 0) return { now: 0, later: 0 };
  const ids = new Set(bets.map((bet) => bet.betId));
  const own = { ...market, fills: market.fills.filter((fill) => ids.has(fill.back) || ids.has(fill.lay)) };
  const now = worstIn(own, bets);
  let later = now;
  if (market.def.removable) {
    for (const runner of market.runners) {
      if (runner.status === 'REMOVED') continue;
      const left = bets.filter((bet) => bet.runnerId !== runner.id).map(lowered(market, runner));
      later = Math.max(later, worstIn(afterRemoval(own, runner), left));
    }
  }
  return { now, later };
}

function worstIn(field: Market, bets: ModelBet[]): number {
  return Math.max(0, -(field.def.kind === 'book' ? worstOfBook(field, bets) : worstOfQuotes(field, bets)));
}

/** The market as it would be had the runner been removed this moment. */
function afterRemoval(market: Market, runner: Runner): Market {
  const factor = runner.def.adjustmentFactor ?? 0;
  const every = Number.MAX_SAFE_INTEGER;
  const removals = [...market.removals, { runnerId: runner.id, factor, lastFill: every, lastBet: every }];
  return {
    ...market,
    runners: market.runners.map((one) => (one === runner ? { ...one, status: 'REMOVED' as const } : one)),
    fills: market.fills
      .filter((fill) => !fill.gone && fill.runnerId !== runner.id)
      .map((fill) => ({
        ...fill,
        price: reduced(market.def.placeMarket === true, removals, fill.was, fill.id),
      })),
  };
}

/** A waiting lay as the removal would leave it: reduced where such lays go or are reduced, else at its price. */
function lowered(market: Market, runner: Runner): (bet: ModelBet) => ModelBet {
  const factor = runner.def.adjustmentFactor ?? 0;
  if (market.def.placeMarket === true && factor < 400) return (bet) => bet;
  const once = [{ runnerId: runner.id, factor, lastFill: 1, lastBet: 0 }];
  return (bet) =>
    bet.kind === 'order' && bet.side === 'LAY'
      ? { ...bet, price: reduced(market.def.placeMarket === true, once, bet.price, 1) }
      : bet;
}

export function worstOfBook(market: Market, bets: ModelBet[]): number {
  const active = market.runners.filter((runner) => runner.status !== 'REMOVED').map((runner) => runner.id);
  // What the bets on each runner bring at worst when it loses, and by how much more when it wins.
  let allLose = 0;
  const more = active.map(() => 0);
  for (const bet of bets) {
    const at = active.indexOf(bet.runnerId);
    if (at < 0) continue;
    const win = matchedE4(market, bet, true) - (bet.side === 'LAY' ? bet.remainingMinor * (bet.price - 100) : 0);
    const lose = matchedE4(market, bet, false) - (bet.side === 'BACK' ? bet.remainingMinor * 100 : 0);
    allLose += lose;
    more[at]! += win - lose;
  }
  let worst = 0;
  for (const winners of choices(active.length, Math.min(market.def.winners, active.length))) {
    worst = Math.min(
      worst,
      winners.reduce((sum, at) => sum + more[at]!, allLose),
    );
  }
  return Math.floor(worst / 100) || 0;
}

const chosen = new Map<string, number[][]>();

/** Every choice of so many of the first `of` places. */
function choices(of: number, size: number): number[][] {
  if (size === 0) return [[]];
  if (of < size) return [];
  const key = `${size}/${of}`;
  let all = chosen.get(key);
  if (!all) {
    all = [...choices(of - 1, size - 1).map((one) => [...one, of - 1]), ...choices(of - 1, size)];
    chosen.set(key, all);
  }
  return all;
}

function worstOfQuotes(market: Market, bets: ModelBet[]): number {
  const live = bets.filter((bet) => bet.result === 'PENDING');
  if (market.def.kind === 'card') return worstOfCards(market, live);
  const view = quoteView(market);
  const told = live.map(oracleBet);
  const outcomes = oracleOutcomes(view, told);
  const sums = outcomes.map(() => 0);
  live.forEach((bet, i) => {
    const profits = profitsOf(view, bet, told[i]!, outcomes);
    for (let at = 0; at < sums.length; at++) {
      // A delayed bet may still lapse, so its gain does not count.
      sums[at]! += bet.status === 'PENDING' ? Math.min(0, profits[at]!) : profits[at]!;
    }
  });
  return Math.floor(Math.min(0, ...sums) / 100) || 0;
}

type View = ReturnType<typeof quoteView>;

const asked = new WeakMap<ModelBet, { of: OracleBet; profits: number[] }>();

/** What a bet brings on each outcome. A bet on a line depends on the outcome alone, so that much is asked once. */
function profitsOf(view: View, bet: ModelBet, told: OracleBet, outcomes: readonly number[]): number[] {
  const last = bet.line === undefined ? undefined : asked.get(bet);
  const same =
    last !== undefined && (Object.keys(told) as Array<keyof OracleBet>).every((key) => last.of[key] === told[key]);
  const profits = same ? last.profits : [];
  for (let at = profits.length; at < outcomes.length; at++) profits.push(oracleProfitE4(view, told, outcomes[at]!));
  asked.set(bet, { of: told, profits });
  return profits;
}

/**
 * What an account did not do itself: of what its bets may cost only should one more runner go, what it has no money for is
 * waived; an account left with less than nothing is known for it.
 */
export function coverOthers(
  world: World,
  market: Market,
  accounts: ReadonlySet<number>,
  freeBefore: ReadonlyMap<number, number>,
): void {
  for (const accountId of accounts) {
    const byMarket = world.exposure.get(accountId)!;
    const missing = -freeOf(world, accountId);
    const spare = byMarket.get(market.id)! - worstCases(market, accountId).now;
    const waived = Math.min(missing, spare);
    if (waived > 0 && !isOver(market, accountId)) {
      market.waived.set(accountId, (market.waived.get(accountId) ?? 0) + waived);
      byMarket.set(market.id, byMarket.get(market.id)! - waived);
    }
    const free = freeOf(world, accountId);
    if (free < 0 && free < freeBefore.get(accountId)!) world.accounts.get(accountId)!.short.add(market.id);
  }
}

/** Whether a market as it would be costs somebody money he has not got. */
export function someoneShort(world: World, next: Market): boolean {
  return [...new Set(next.bets.map((bet) => bet.accountId))].some((accountId) => {
    const before = world.exposure.get(accountId)?.get(next.id) ?? 0;
    const after = worstCases(next, accountId).now;
    return after > before && freeOf(world, accountId) + before - after < 0;
  });
}
