/** A runner that leaves the field and one that comes back (exchange reference 7), from the lists of bets and matches. */
import { tickAtOrBelow } from '@fairgame/contract';
import type { Command, EndCode } from '../../src/types.ts';
import { endInMarket, isOfPrices } from './conditionals.ts';
import { someoneShort } from './exposure.ts';
import { dropHouse } from './matching.ts';
import { reduced } from './money.ts';
import { changed, endAll, matchedSum, takeFill, voidWhole } from './results.ts';
import { begin } from './turns.ts';
import type { Change, Market, ModelBet, World } from './world.ts';
import { cloneMarket, must, runnerOf } from './world.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** Begins over several commands: what lapses, and which kept lays come down, is decided now; all else follows (slices.ts). */
export function beginField(world: World, market: Market, command: Change): void {
  const { status, reason } = market;
  const lapses = new Map<number, EndCode>();
  const choose = (code: EndCode, which: (bet: ModelBet) => boolean) => {
    for (const bet of market.bets) {
      if (bet.remainingMinor === 0 || !which(bet) || lapses.has(bet.betId)) continue;
      lapses.set(bet.betId, code);
      // Those that wait together end together.
      if (bet.group !== undefined && bet.status === 'PENDING')
        for (const leg of market.bets) if (leg.group === bet.group) lapses.set(leg.betId, code);
    }
  };
  const { type, runnerId, factor } = command;
  const lays = new Map<number, number>();
  if (type === 'runner.remove') choose('LAPSED_REMOVAL', (bet) => bet.runnerId === runnerId);
  choose('LAPSED_VERSION', (bet) => bet.status === 'PENDING');
  if (type === 'runner.remove') {
    dropHouse(market);
    if (movesLays(market, factor)) {
      const removal = { runnerId, factor, lastFill: world.lastFillId, lastBet: world.lastBetId };
      choose('LAPSED_REMOVAL', (bet) => isWaitingLay(bet) && bet.persistence === 'LAPSE');
      for (const bet of market.bets) {
        if (!isWaitingLay(bet) || lapses.has(bet.betId)) continue;
        const price = priceOfLay(market, [...market.removals, removal], bet);
        if (price < bet.price) lays.set(bet.betId, price);
      }
    }
  }
  begin(world, market, type, { lapses, lays, after: { status, reason }, change: command });
  changed(market, false);
}

/** A return that nobody forces: it comes only if it leaves nobody short. */
export function isOnlyIfCovered(command: Command): command is Of<'runner.reinstate'> {
  return command.type === 'runner.reinstate' && command.force === undefined;
}

/** The field changes, and what everybody holds with it; whose bets are as they were until their turn is not told yet. */
export function changeField(world: World, market: Market, command: Change): void {
  const turns = market.turns!;
  turns.before = market.bets.map((bet) => ({ ...bet }));
  turns.untold = new Set(market.bets.map((bet) => bet.accountId));
  turns.change = null;
  for (const [accountId, waived] of market.waived) if (waived < 0) market.waived.set(accountId, 0);
  if (isOnlyIfCovered(command)) {
    must(!someoneShort(world, withRunner(market, command)), 'INV-06', () => `a return left somebody short`);
    endInMarket(world, market.id, 'FIELD_CHANGED', isOfPrices);
  }
  if (command.type === 'runner.remove') removeRunner(world, market, command);
  else reinstate(market, command);
}

function movesLays(market: Market, factor: number): boolean {
  return market.def.kind === 'book' && factor >= (market.def.placeMarket === true ? 400 : 250);
}

const isWaitingLay = (bet: ModelBet) => bet.status === 'EXECUTABLE' && bet.side === 'LAY';

/** What is left of the price first asked. */
function priceOfLay(market: Market, removals: Market['removals'], bet: ModelBet): number {
  const since = removals.map((removal) => ({ ...removal, lastFill: removal.lastBet }));
  return tickAtOrBelow(reduced(market.def.placeMarket === true, since, bet.asked, bet.betId));
}

/** A kept lay comes down, to the end of its level. */
export function lowerLay(market: Market, bet: ModelBet, price: number): void {
  const one = market.queue.find((waiting) => waiting.betId === bet.betId)!;
  market.queue = [...market.queue.filter((waiting) => waiting !== one), { ...one, price }];
  bet.price = price;
}

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
  reprice(market);
  if (!movesLays(market, factor)) return;
  endAll(market, 'LAPSED_REMOVAL', (bet) => isWaitingLay(bet) && bet.persistence === 'LAPSE');
  // Kept lays move down to what is left of the price first asked, in the order in which they stood.
  for (const one of market.queue.filter((waiting) => waiting.betId !== 0 && waiting.side === 'LAY')) {
    const bet = market.bets.find((own) => own.betId === one.betId)!;
    const price = priceOfLay(market, market.removals, bet);
    if (price < one.price) lowerLay(market, bet, price);
  }
}

/** The market as it would be with a runner back in it. */
export function withRunner(market: Market, command: Of<'runner.reinstate'>): Market {
  const next = cloneMarket(market);
  reinstate(next, command);
  return next;
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
