/**
 * Exposure by trying every outcome, and what a result pays, both from the list of bets and fills alone. The outcome
 * tables of quoted bets are those of oracle/quotes-oracle.ts.
 */

import type { Result, RunnerDef } from '../../src/types.ts';
import { FIRST_PLAYER, HOUSE } from '../../src/types.ts';
import type { OracleBet } from '../oracle/quotes-oracle.ts';
import { oracleOutcomes, oracleProfit, oracleProfitE4 } from '../oracle/quotes-oracle.ts';
import { cardNet, cardProfit, worstOfCards } from './cards.ts';
import type { Market, ModelBet, Runner, World } from './world.ts';
import { heldOf } from './world.ts';

/** Sum of the account's worst cases over markets, as last computed. */
export function exposureOf(world: World, accountId: number): number {
  let sum = 0;
  for (const value of world.exposure.get(accountId)?.values() ?? []) sum += value;
  return sum;
}

/** Computes the exposure of everybody in the market anew. */
export function refreshExposure(world: World, market: Market): void {
  const accounts = new Set(market.bets.map((bet) => bet.accountId));
  for (const accountId of accounts) {
    let byMarket = world.exposure.get(accountId);
    if (!byMarket) {
      byMarket = new Map();
      world.exposure.set(accountId, byMarket);
    }
    const { now, later } = worstCases(market, accountId);
    const waived = market.waived.get(accountId) ?? 0;
    // With less risk there is less to waive.
    if (waived > later - now && market.status !== 'CLOSED') market.waived.set(accountId, later - now);
    byMarket.set(market.id, marketExposure(market, accountId));
  }
}

/** What one account must have in one market, minor units rounded up; `extra` counts as accepted and unmatched,
 * what is open of `without` does not count. */
export function marketExposure(market: Market, accountId: number, extra?: ModelBet, without?: ModelBet): number {
  const { now, later } = worstCases(market, accountId, extra, without);
  return Math.max(now, later - (market.waived.get(accountId) ?? 0));
}

/** The worst case as the field stands (`now`), and when any one runner may yet go (`later`); waiting groups go or do not. */
export function worstCases(
  market: Market,
  accountId: number,
  extra?: ModelBet,
  without?: ModelBet,
): { now: number; later: number } {
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

function worstOf(
  market: Market,
  accountId: number,
  extra?: ModelBet,
  without?: ModelBet,
): { now: number; later: number } {
  if (market.status === 'CLOSED' || accountId < FIRST_PLAYER) return { now: 0, later: 0 };
  const bets = market.bets.filter((bet) => bet.accountId === accountId && bet !== without);
  if (without?.kind === 'order') bets.push({ ...without, remainingMinor: 0 });
  if (extra) bets.push(extra);
  const worst = (field: Market, own: ModelBet[]) =>
    Math.max(0, -(field.def.kind === 'book' ? worstOfBook(field, own) : worstOfQuotes(field, own)));
  const now = worst(market, bets);
  let later = now;
  if (market.def.removable) {
    for (const runner of market.runners) {
      if (runner.status === 'REMOVED') continue;
      later = Math.max(
        later,
        worst(
          afterRemoval(market, runner.id),
          bets.map(lowered(market, runner)).filter((bet) => bet.runnerId !== runner.id),
        ),
      );
    }
  }
  return { now, later };
}

/** The market as it would be had the runner been removed this moment. */
function afterRemoval(market: Market, runnerId: number): Market {
  const runner = market.runners.find((one) => one.id === runnerId)!;
  const factor = runner.def.adjustmentFactor ?? 0;
  const last = Math.max(0, ...market.fills.map((fill) => fill.id));
  const removals = [...market.removals, { runnerId, factor, lastFill: last, lastBet: Number.MAX_SAFE_INTEGER }];
  return {
    ...market,
    runners: market.runners.map((one) => (one.id === runnerId ? { ...one, status: 'REMOVED' as const } : one)),
    fills: market.fills.map((fill) => ({
      ...fill,
      gone: fill.gone || fill.runnerId === runnerId,
      price: reduced(market.def.placeMarket === true, removals, fill.was, fill.id),
    })),
  };
}

/** A waiting lay as it would be had it been matched before the removal. */
function lowered(market: Market, runner: Runner): (bet: ModelBet) => ModelBet {
  const factor = runner.def.adjustmentFactor ?? 0;
  const once = [{ runnerId: runner.id, factor, lastFill: 1, lastBet: 0 }];
  return (bet) =>
    bet.kind === 'order' && bet.side === 'LAY'
      ? { ...bet, price: reduced(market.def.placeMarket === true, once, bet.price, 1) }
      : bet;
}

/** The price of a match after every removal that came later, rounded once; a runner counts once. */
export function reduced(place: boolean, removals: Market['removals'], was: number, fillId: number): number {
  const base = place ? 100 : 0;
  const seen = new Set<number>();
  let value = BigInt(was - base);
  let scale = 1n;
  for (const { runnerId, factor, lastFill } of removals) {
    if (fillId > lastFill || seen.has(runnerId) || !(place ? factor > 0 : factor >= 250)) continue;
    seen.add(runnerId);
    value *= BigInt(10_000 - factor);
    scale *= 10_000n;
  }
  if (seen.size === 0) return was;
  const rounded = value / scale + ((value % scale) * 2n >= scale ? 1n : 0n);
  return Math.max(101, base + Number(rounded));
}

/** What an account has free: neither at risk nor held back. */
export function freeOf(world: World, accountId: number): number {
  return (world.accounts.get(accountId)?.ledger ?? 0) - exposureOf(world, accountId) - heldOf(world, accountId);
}

/** P/L of the matched parts of one bet in 1/10 000 of the currency when its runner wins or loses. */
export function matchedE4(market: Market, bet: ModelBet, wins: boolean): number {
  let sum = 0;
  for (const fill of market.fills) {
    if (fill.gone || !(fill.back === bet.betId || fill.lay === bet.betId)) continue;
    const back = wins ? fill.size * (fill.price - 100) : -fill.size * 100;
    sum += fill.back === bet.betId ? back : -back;
  }
  return sum;
}

function worstOfBook(market: Market, bets: ModelBet[]): number {
  const active = market.runners.filter((runner) => runner.status !== 'REMOVED').map((runner) => runner.id);
  // Per bet once: what it brings at worst when its runner wins, and when it loses.
  const lines = bets
    .filter((bet) => active.includes(bet.runnerId))
    .map((bet) => ({
      runnerId: bet.runnerId,
      win: matchedE4(market, bet, true) - (bet.side === 'LAY' ? bet.remainingMinor * (bet.price - 100) : 0),
      lose: matchedE4(market, bet, false) - (bet.side === 'BACK' ? bet.remainingMinor * 100 : 0),
    }));
  let worst = 0;
  for (const winners of subsets(active, Math.min(market.def.winners, active.length))) {
    let sum = 0;
    for (const line of lines) sum += winners.includes(line.runnerId) ? line.win : line.lose;
    worst = Math.min(worst, sum);
  }
  return Math.floor(worst / 100) || 0;
}

function worstOfQuotes(market: Market, bets: ModelBet[]): number {
  const live = bets.filter((bet) => bet.result === 'PENDING');
  if (market.def.kind === 'card') return worstOfCards(market, live);
  const view = quoteView(market);
  let worst = 0;
  for (const outcome of oracleOutcomes(view, live.map(oracleBet))) {
    let sum = 0;
    for (const bet of live) {
      const profit = oracleProfitE4(view, oracleBet(bet), outcome);
      // A delayed bet may still lapse, so its gain does not count.
      sum += bet.status === 'PENDING' ? Math.min(0, profit) : profit;
    }
    worst = Math.min(worst, sum);
  }
  return Math.floor(worst / 100) || 0;
}

/** A bookmaker market loses its removed runners; places carry meaning in the other kinds. */
export function quoteView(market: Market) {
  const runners = market.runners
    .filter((runner) => runner.status !== 'REMOVED')
    .sort((a, b) => place(a.def) - place(b.def))
    .map((runner) => ({ runnerId: runner.id }));
  return { kind: market.def.kind, runners, ...(market.def.cap === undefined ? {} : { cap: market.def.cap }) };
}

/** The oracle counts outcomes from yes, odd and the digit 0. */
function place({ stands, digit }: RunnerDef): number {
  return stands === undefined ? (digit ?? 0) : stands === 'yes' || stands === 'odd' ? 0 : 1;
}

export function oracleBet(bet: ModelBet): OracleBet {
  return {
    runnerId: bet.runnerId,
    side: bet.side,
    price: bet.price,
    stakeMinor: bet.sizeMinor,
    ...(bet.line === undefined ? {} : { line: bet.line }),
    ...(bet.width === undefined ? {} : { width: bet.width }),
  };
}

function subsets(list: number[], size: number): number[][] {
  if (size === 0) return [[]];
  if (list.length < size) return [];
  const [first, ...rest] = list;
  return [...subsets(rest, size - 1).map((one) => [first!, ...one]), ...subsets(rest, size)];
}

/** What is booked of an exact amount: gains down, losses up. */
export function down(value: number, by: number): number {
  return Math.floor(value / by) || 0;
}

/** What each bet of an account is told: together what is booked, cents given to those cut most, older bets first. */
export function shareOut(exact: Array<{ betId: number; e4: number }>, by: number): Map<number, number> {
  const told = new Map(exact.map(({ betId, e4 }) => [betId, down(e4, by)]));
  const booked = down(
    exact.reduce((sum, one) => sum + one.e4, 0),
    by,
  );
  let left = booked - [...told.values()].reduce((sum, one) => sum + one, 0);
  const cut = (one: { betId: number; e4: number }) => one.e4 - by * down(one.e4, by);
  for (const one of [...exact].sort((a, b) => cut(b) - cut(a) || a.betId - b.betId)) {
    if (left-- <= 0) break;
    told.set(one.betId, told.get(one.betId)! + 1);
  }
  return told;
}

export function half(value: number, by: number): number {
  const sign = value < 0 ? -1 : 1;
  const abs = Math.abs(value);
  return sign * (Math.floor(abs / by) + (abs % by >= by / 2 ? 1 : 0)) || 0;
}

/** Who finished where, by runner: null when every stake goes back. */
function finish(market: Market, result: Result): Map<number, number> | null {
  if (result.kind === 'ranks') return new Map(result.ranks.map(({ runnerId, rank }) => [runnerId, rank]));
  if (result.kind === 'winners') {
    const level = result.runnerIds.length > market.def.winners;
    return new Map(result.runnerIds.map((id, at) => [id, level ? 1 : at + 1]));
  }
  if (result.kind !== 'tie' || market.def.tieRule !== 'DEAD_HEAT') return null;
  const standing = market.runners.filter((runner) => runner.status !== 'REMOVED').map((runner) => runner.id);
  return standing.length > 0 ? new Map(standing.map((id) => [id, 1])) : null;
}

/**
 * Which part of a full win a runner takes (8.2), as [places, sharers]: the places not taken by those who were better,
 * shared by those who were level.
 */
function part(market: Market, ranks: Map<number, number>, runnerId: number): [number, number] {
  const own = ranks.get(runnerId);
  if (own === undefined) return [0, 1];
  const all = [...ranks.values()];
  const left = market.def.winners - all.filter((rank) => rank < own).length;
  const level = all.filter((rank) => rank === own).length;
  return left <= 0 ? [0, 1] : left >= level ? [1, 1] : [left, level];
}

/** Which runners win, wholly or in part. */
export function won(market: Market, result: Result): number[] {
  const ranks = finish(market, result);
  return ranks === null ? [] : [...ranks.keys()].filter((id) => part(market, ranks, id)[0] > 0);
}

interface Paid {
  e4: number;
  parts: number;
  stakeBack: boolean;
  won: boolean;
}

/**
 * What a result brings one bet, in 1/10 000 of the currency times `parts`; `parts` is how many share the places when
 * more finished level than there are places. Quoted bets: minor units x 100, parts 1.
 */
export function betResult(market: Market, bet: ModelBet, result: Result): Paid {
  if (market.def.kind !== 'book') return quoteResult(market, bet, result);
  const ranks = finish(market, result);
  if (ranks === null) return { e4: 0, parts: 1, stakeBack: true, won: false };
  // At most one group shares, so its size will do for all.
  const parts = Math.max(...[...ranks.keys()].map((id) => part(market, ranks, id)[1]));
  const [places, sharers] = part(market, ranks, bet.runnerId);
  const share = (places * parts) / sharers;
  const win = matchedE4(market, bet, true);
  const lose = matchedE4(market, bet, false);
  const e4 = share * win + (parts - share) * lose;
  return { e4, parts, stakeBack: false, won: e4 > 0 };
}

function quoteResult(market: Market, bet: ModelBet, result: Result): Paid {
  const back = { e4: 0, parts: 1, stakeBack: true, won: false };
  const view = quoteView(market);
  let outcome: number;
  if (result.kind === 'void') return back;
  if (result.kind === 'cards') {
    const profit = cardProfit(market, bet, result);
    return { e4: profit * 100, parts: 1, stakeBack: false, won: profit > 0 };
  }
  if (result.kind === 'tie') {
    if (market.def.kind !== 'tied') return back;
    outcome = 0;
  } else if (result.kind === 'yes') outcome = result.yes ? 0 : 1;
  else if (result.kind === 'winners' || result.kind === 'ranks') {
    const first = won(market, result);
    if (first.length > 1) return back;
    outcome = view.runners.findIndex((runner) => runner.runnerId === first[0]);
  } else if (market.def.kind === 'oddEven') outcome = (result.score + 1) % 2;
  else if (market.def.kind === 'cricketCasino') outcome = Number(String(result.score).at(-1));
  else outcome = result.score;
  // A bet so small that its prize rounds to nothing still wins.
  const wins = oracleProfit(view, { ...oracleBet(bet), stakeMinor: 1_000_000 }, outcome) > 0;
  return { e4: oracleProfitE4(view, oracleBet(bet), outcome), parts: 1, stakeBack: false, won: wins };
}

/** Net and commission of every player with a matched bet, and the house's net; all in minor units. */
export function payouts(market: Market, result: Result): Map<number, { net: number; commission: number }> {
  const sums = new Map<number, number>();
  let house = 0;
  let parts = 1;
  for (const bet of market.bets) {
    if (bet.matchedMinor === 0) continue;
    const paid = betResult(market, bet, result);
    parts = paid.parts;
    sums.set(bet.accountId, (sums.get(bet.accountId) ?? 0) + paid.e4);
    house -= paid.e4;
  }
  const out = new Map<number, { net: number; commission: number }>();
  for (const [accountId, sum] of sums) {
    const net = down(sum, 100 * parts);
    // 8.5: a percentage of a positive net, half up, never of a loss.
    const commission = net > 0 ? half(net * market.def.commissionBps, 10_000) : 0;
    if (net !== 0) out.set(accountId, { net, commission });
  }
  const net = down(house, 100 * parts);
  if (net !== 0) out.set(HOUSE, { net, commission: 0 });
  return out;
}

/** Result of an account's matched bets if this runner wins (of its bets on the runner alone, in a market of several winners). */
export function netIf(market: Market, accountId: number, runnerId: number): number {
  const bets = market.bets.filter((bet) => bet.accountId === accountId && bet.matchedMinor > 0);
  if (market.def.kind === 'card') return cardNet(market, bets, runnerId);
  if (market.def.kind !== 'book') {
    const place = quoteView(market).runners.findIndex((runner) => runner.runnerId === runnerId);
    return netAt(market, accountId, place);
  }
  const active = market.runners.filter((runner) => runner.status !== 'REMOVED').map((runner) => runner.id);
  let sum = 0;
  for (const bet of bets) {
    if (!active.includes(bet.runnerId)) continue;
    if (bet.runnerId === runnerId) sum += matchedE4(market, bet, true);
    else if (market.def.winners === 1) sum += matchedE4(market, bet, false);
  }
  return down(sum, 100);
}

/** Result of an account's matched quoted bets on an outcome. */
export function netAt(market: Market, accountId: number, outcome: number): number {
  const bets = market.bets.filter((bet) => bet.accountId === accountId && bet.matchedMinor > 0);
  return down(
    bets.reduce((sum, bet) => sum + oracleProfitE4(quoteView(market), oracleBet(bet), outcome), 0),
    100,
  );
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
    if (waived > 0 && market.status !== 'CLOSED') {
      market.waived.set(accountId, (market.waived.get(accountId) ?? 0) + waived);
      byMarket.set(market.id, byMarket.get(market.id)! - waived);
    }
    const free = freeOf(world, accountId);
    if (free < 0 && free < freeBefore.get(accountId)!) world.accounts.get(accountId)!.short.add(market.id);
  }
}
