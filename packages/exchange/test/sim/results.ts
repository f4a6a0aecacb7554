/** Results, their withdrawal, and bets taken out: settled from the list of bets and matches each time (section 8). */

import type { AccountId, Command, EndCode } from '../../src/types.ts';
import { COMMISSION, FIRST_PLAYER } from '../../src/types.ts';
import { end } from './matching.ts';
import { betResult, payouts, shareOut, won } from './money.ts';
import type { Fill, Market, ModelBet, World } from './world.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export function changed(market: Market, material: boolean): void {
  market.version++;
  if (material) market.material = market.version;
}

export function endAll(market: Market, code: EndCode, which: (bet: ModelBet) => boolean): void {
  for (const bet of market.bets) if (bet.remainingMinor > 0 && which(bet)) end(market, bet, code);
}

export function matchedSum(market: Market, bet: ModelBet): number {
  if (bet.kind === 'quote') return bet.matchedMinor * bet.price;
  return market.fills
    .filter((fill) => !fill.gone && (fill.back === bet.betId || fill.lay === bet.betId))
    .reduce((sum, fill) => sum + fill.price * fill.size, 0);
}

export function voidWhole(bet: ModelBet): void {
  bet.voidedMinor += bet.matchedMinor;
  bet.matchedMinor = 0;
  bet.matchedSum = 0;
  bet.profitMinor = 0;
  bet.result = 'VOID';
}

/** Takes a match out of both its bets; one that has nothing left is over with the given result. */
export function takeFill(market: Market, fill: Fill, over: 'VOID' | 'UNDECLARE'): void {
  fill.gone = true;
  fill.withRunner = over === 'VOID';
  for (const bet of market.bets) {
    if (bet.betId !== fill.back && bet.betId !== fill.lay) continue;
    bet.matchedMinor -= fill.size;
    bet.voidedMinor += fill.size;
    bet.matchedSum = matchedSum(market, bet);
    if (bet.matchedMinor > 0 || bet.status !== 'COMPLETE') continue;
    bet.result = over;
    bet.profitMinor = 0;
  }
}

export function declare(world: World, market: Market, c: Of<'market.declare'>): void {
  endAll(market, 'LAPSED_CLOSED', () => true);
  market.queue = [];
  market.status = 'CLOSED';
  market.reason = '';
  market.resultVersion++;
  changed(market, true);
  takeResult(market, c);
  settle(world, market);
}

export function takeResult(market: Market, c: Of<'market.declare'>): void {
  market.result = c.result;
  for (const runner of market.runners) {
    if (runner.status === 'REMOVED') continue;
    // A runner's own suspension ends with the result; after a withdrawal the whole market is suspended.
    if (c.result.kind !== 'winners' && c.result.kind !== 'ranks') runner.status = 'ACTIVE';
    else runner.status = won(market, c.result).includes(runner.id) ? 'WINNER' : 'LOSER';
  }
}

/** Results of the bets and money of the accounts, from the bets alone; what the last result paid is taken back first. */
function settle(world: World, market: Market): void {
  const results = resultsOf(market);
  for (const bet of market.bets) Object.assign(bet, results.get(bet.betId));
  book(world, market.paid, -1);
  market.paid = payouts(market, market.result!);
  book(world, market.paid, 1);
}

/** What each matched bet of the market comes to by its result. */
export function resultsOf(market: Market): Map<number, Pick<ModelBet, 'result' | 'profitMinor'>> {
  const result = market.result!;
  const results = new Map<number, Pick<ModelBet, 'result' | 'profitMinor'>>();
  const exact = new Map<AccountId, Array<{ betId: number; e4: number }>>();
  let by = 100;
  for (const bet of market.bets) {
    if (bet.matchedMinor === 0) continue;
    const { e4, parts, stakeBack, won: wins } = betResult(market, bet, result);
    const signed = ['book', 'meter', 'card'].includes(market.def.kind);
    const word = signed ? (e4 > 0 ? 'WIN' : e4 < 0 ? 'LOSS' : 'TIE') : wins ? 'WIN' : 'LOSS';
    const back = result.kind === 'void' ? 'VOID' : 'TIE';
    results.set(bet.betId, { result: stakeBack ? back : word, profitMinor: 0 });
    by = 100 * parts;
    exact.set(bet.accountId, [...(exact.get(bet.accountId) ?? []), { betId: bet.betId, e4 }]);
  }
  for (const own of exact.values())
    for (const [betId, profitMinor] of shareOut(own, by)) results.get(betId)!.profitMinor = profitMinor;
  return results;
}

function book(world: World, paid: Market['paid'], sign: 1 | -1): void {
  for (const [accountId, payout] of paid ?? []) bookOne(world, accountId, payout, sign);
}

export function bookOne(
  world: World,
  accountId: AccountId,
  payout: { net: number; commission: number } | undefined,
  sign: 1 | -1,
): void {
  const { net, commission } = payout ?? { net: 0, commission: 0 };
  if (accountId >= FIRST_PLAYER) world.accounts.get(accountId)!.ledger += sign * (net - commission);
  else world.site.set(accountId, (world.site.get(accountId) ?? 0) + sign * net);
  world.site.set(COMMISSION, (world.site.get(COMMISSION) ?? 0) + sign * commission);
}

export function undeclare(world: World, market: Market): void {
  book(world, market.paid, -1);
  market.paid = null;
  market.result = null;
  market.resultVersion++;
  market.status = 'SUSPENDED';
  market.reason = 'Result withdrawn';
  for (const bet of market.bets) {
    if (bet.matchedMinor === 0) continue;
    bet.result = 'PENDING';
    bet.profitMinor = 0;
  }
  for (const runner of market.runners)
    if (runner.status === 'WINNER' || runner.status === 'LOSER') runner.status = 'ACTIVE';
  changed(market, true);
}

export function voidBets(world: World, market: Market, c: Of<'bets.void'>): void {
  for (const betId of c.betIds) {
    const bet = market.bets.find((one) => one.betId === betId)!;
    if (bet.remainingMinor > 0) end(market, bet, 'VOIDED');
    for (const fill of market.fills) {
      if (!fill.gone && (fill.back === betId || fill.lay === betId)) takeFill(market, fill, 'UNDECLARE');
    }
    if (bet.kind === 'quote') voidWhole(bet);
    bet.endCode = 'VOIDED';
    bet.result = 'UNDECLARE';
    bet.profitMinor = 0;
  }
  changed(market, false);
  if (market.result === null) return;
  market.resultVersion++;
  settle(world, market);
}
