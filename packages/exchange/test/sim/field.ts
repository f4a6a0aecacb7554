/** A runner that leaves the field and one that comes back (exchange reference 7), from the lists of bets and matches. */
import { tickAtOrBelow } from '@fairgame/contract';
import type { Command } from '../../src/types.ts';
import { dropHouse } from './matching.ts';
import { reduced } from './money.ts';
import { changed, endAll, matchedSum, takeFill, voidWhole } from './results.ts';
import type { Market, ModelBet, World } from './world.ts';
import { runnerOf } from './world.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** Section 7. */
export function removeRunner(world: World, market: Market, { runnerId, factor, factors }: Of<'runner.remove'>): void {
  const runner = runnerOf(market, runnerId)!;
  runner.status = 'REMOVED';
  takeFactors(market, [...(factors ?? []), { runnerId, factor }]);
  endAll(market, 'LAPSED_REMOVAL', (bet) => bet.runnerId === runnerId);
  endAll(market, 'LAPSED_VERSION', (bet) => bet.status === 'PENDING');
  dropHouse(market);
  changed(market, true);
  if (market.def.kind !== 'book') {
    for (const bet of market.bets) if (bet.runnerId === runnerId && bet.matchedMinor > 0) voidWhole(bet);
    return;
  }
  for (const fill of market.fills) if (fill.runnerId === runnerId && !fill.gone) takeFill(market, fill, 'VOID');
  market.removals.push({ runnerId, factor, lastFill: world.lastFillId, lastBet: world.lastBetId });
  const place = market.def.placeMarket === true;
  reprice(market);
  if (factor < (place ? 400 : 250)) return;
  const lays = (persistence: string) => (bet: ModelBet) =>
    bet.status === 'EXECUTABLE' && bet.side === 'LAY' && bet.persistence === persistence;
  endAll(market, 'LAPSED_REMOVAL', lays('LAPSE'));
  // Kept lays move down to what is left of the price first asked, in the order in which they stood.
  const since = market.removals.map((removal) => ({ ...removal, lastFill: removal.lastBet }));
  for (const one of market.queue.filter((waiting) => waiting.betId !== 0 && waiting.side === 'LAY')) {
    const bet = market.bets.find((own) => own.betId === one.betId)!;
    const price = tickAtOrBelow(reduced(place, since, bet.asked, bet.betId));
    if (price >= one.price) continue;
    market.queue = [...market.queue.filter((waiting) => waiting !== one), { ...one, price }];
    bet.price = price;
  }
}

/** What the removal took from matched bets is given back. */
export function reinstate(market: Market, { runnerId, factor, factors }: Of<'runner.reinstate'>): void {
  runnerOf(market, runnerId)!.status = 'ACTIVE';
  takeFactors(market, [...(factors ?? []), { runnerId, factor }]);
  endAll(market, 'LAPSED_VERSION', (bet) => bet.status === 'PENDING');
  changed(market, true);
  comeBack(market, runnerId);
}

/** Matches and bets as they stood before the runner went. */
export function comeBack(market: Market, runnerId: number): void {
  market.removals = market.removals.filter((removal) => removal.runnerId !== runnerId);
  for (const fill of market.fills) {
    if (fill.runnerId !== runnerId || !fill.withRunner) continue;
    fill.gone = false;
    fill.withRunner = false;
    for (const bet of market.bets) {
      if (bet.betId !== fill.back && bet.betId !== fill.lay) continue;
      bet.matchedMinor += fill.size;
      bet.voidedMinor -= fill.size;
      if (bet.result === 'VOID') bet.result = 'PENDING';
    }
  }
  for (const bet of market.bets) {
    if (bet.kind !== 'quote' || bet.runnerId !== runnerId || bet.result !== 'VOID' || bet.endCode !== undefined)
      continue;
    bet.matchedMinor = bet.sizeMinor;
    bet.voidedMinor = 0;
    bet.result = 'PENDING';
  }
  reprice(market);
}

function reprice(market: Market): void {
  for (const fill of market.fills)
    if (!fill.gone) fill.price = reduced(market.def.placeMarket === true, market.removals, fill.was, fill.id);
  for (const bet of market.bets) bet.matchedSum = matchedSum(market, bet);
}

export function takeFactors(market: Market, factors: ReadonlyArray<{ runnerId: number; factor: number }>): void {
  for (const { runnerId, factor } of factors) {
    const runner = runnerOf(market, runnerId)!;
    runner.def = { ...runner.def, adjustmentFactor: factor };
  }
}
