/**
 * What a result pays, from the list of bets and fills alone. The outcome tables of quoted bets are those of
 * oracle/quotes-oracle.ts.
 */

import type { Result, RunnerDef } from '../../src/types.ts';
import { HOUSE } from '../../src/types.ts';
import type { OracleBet } from '../oracle/quotes-oracle.ts';
import { oracleProfit, oracleProfitE4 } from '../oracle/quotes-oracle.ts';
import { cardNet, cardProfit } from './cards.ts';
import type { Market, ModelBet } from './world.ts';

/** The price of a match after every removal that came later, rounded once; a runner counts once. */
export function reduced(place: boolean, removals: Market['removals'], was: number, fillId: number): number {
  const factors = new Map<number, number>();
  for (const { runnerId, factor, lastFill } of removals) {
    const counts = fillId <= lastFill && (place ? factor > 0 : factor >= 250);
    if (counts && !factors.has(runnerId)) factors.set(runnerId, factor);
  }
  if (factors.size === 0) return was;
  const base = place ? 100 : 0;
  let value = BigInt(was - base);
  let scale = 1n;
  for (const factor of factors.values()) {
    value *= BigInt(10_000 - factor);
    scale *= 10_000n;
  }
  const rounded = value / scale + ((value % scale) * 2n >= scale ? 1n : 0n);
  return Math.max(101, base + Number(rounded));
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
  const view = quoteView(market);
  return down(
    bets.reduce((sum, bet) => sum + oracleProfitE4(view, oracleBet(bet), outcome), 0),
    100,
  );
}
