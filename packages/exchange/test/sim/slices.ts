/**
 * Results that are booked or taken back account by account over several commands. Whose turn it is the core decides; a turn
 * is seen by the results of an account's bets, and then all of it must be there: results, money, exposure.
 */
import type { AccountId, Bet, Command, Event } from '../../src/types.ts';
import { HOUSE } from '../../src/types.ts';
import { holdingOn, someoneShort } from './exposure.ts';
import { changeField, isOnlyIfCovered, lowerLay, withRunner } from './field.ts';
import { dropHouse, end } from './matching.ts';
import { payouts } from './money.ts';
import { bookOne, changed, resultsOf } from './results.ts';
import type { Turns } from './turns.ts';
import { begin } from './turns.ts';
import type { Change, Market, World } from './world.ts';
import { isBooking, must } from './world.ts';

/** What such a command goes on with; undefined for none. */
export function goesOnWith(world: World, command: Command): Market | undefined {
  if (command.type !== 'work') return undefined;
  const [oldest] = world.settling;
  const marketId = command.marketId ?? oldest;
  return marketId !== undefined && world.settling.has(marketId) ? world.markets.get(marketId) : undefined;
}

/** What a command did to everybody in a market, and told nobody yet. */
export function tellLater(world: World, market: Market, type: Turns['type']): void {
  const { status, reason } = market;
  const untold = new Set(market.bets.map((bet) => bet.accountId));
  begin(world, market, type, { untold, after: { status, reason } });
}

/** Whom a slice tells anything of its market it tells everything. */
export function hear(market: Market | undefined, events: readonly Event[], isChange: boolean): void {
  const turns = market?.turns;
  if (!turns) return;
  for (const event of events) {
    if (event.type === 'bet' && isRenewed(turns, event.bet)) turns.untold.delete(event.bet.accountId);
    // With the change of a field who owed, or was owed, may hear of his wallet at once.
    else if (event.type === 'wallet' && !isChange) turns.untold.delete(event.accountId);
  }
}

/** Of a field that changed: whether a bet was told as the new one has it. With the change itself delayed bets may lapse. */
function isRenewed({ before }: Turns, bet: Bet): boolean {
  const was = before.find(({ betId }) => betId === bet.betId);
  return !was || (['matchedMinor', 'matchedSum', 'voidedMinor'] as const).some((part) => was[part] !== bet[part]);
}

/** The change of a field that comes with these events. */
export function changeIn(market: Market | undefined, events: readonly Event[]): Change | undefined {
  const change = market?.turns?.change;
  if (!change) return undefined;
  const isNow = (event: Event) =>
    event.type === 'market' &&
    event.market.marketId === market!.id &&
    event.market.runners.some(
      ({ runnerId, status }) =>
        runnerId === change.runnerId && (status === 'REMOVED') === (change.type === 'runner.remove'),
    );
  return events.some(isNow) ? change : undefined;
}

/** A suspension is taken even of a market in which bets lapse. */
export function suspendsLapsing(market: Market, c: Command): c is Extract<Command, { type: 'market.state' }> {
  if (c.type !== 'market.state' || c.status !== 'SUSPENDED') return false;
  if (market.turns === null || isBooking(market.turns)) return false;
  return !c.runners && !c.limits && c.inPlay === undefined && c.betDelayMs === undefined;
}

export function suspendLater(market: Market, c: Extract<Command, { type: 'market.state' }>): void {
  const turns = market.turns!;
  const { status, reason } = turns.after!;
  for (const bet of market.bets) {
    const isMeant = c.lapse || (status === 'OPEN' && (bet.status === 'PENDING' || market.def.lapseOnSuspend));
    if (bet.remainingMinor > 0 && isMeant && !turns.lapses.has(bet.betId))
      turns.lapses.set(bet.betId, 'LAPSED_SUSPENDED');
  }
  if (c.lapse || (status === 'OPEN' && market.def.lapseOnSuspend)) dropHouse(market);
  turns.after = { status: 'SUSPENDED', reason: c.reason ?? (status === 'SUSPENDED' ? reason : '') };
}

/**
 * What the core told of a slice happens here too: lapses, whole turns of accounts, the house's, the end. @returns whose turn
 * it was; undefined where none has any: of all but a result everything was done by the command.
 */
export function follow(world: World, market: Market, events: readonly Event[]): Set<AccountId> | undefined {
  const turns = market.turns!;
  if (!isBooking(turns)) {
    followLapses(world, market, turns, events);
    return undefined;
  }
  const back = turns.type === 'market.undeclare';
  const had = new Set<AccountId>();
  for (const event of events) {
    if (event.type !== 'bet' || event.bet.marketId !== market.id) continue;
    const bet = market.bets.find((one) => one.betId === event.bet.betId)!;
    if (bet.remainingMinor > 0 && event.bet.remainingMinor === 0) {
      must(!back, 'INV-13', () => `bet ${bet.betId} lapsed with a withdrawal`);
      end(market, bet, 'LAPSED_CLOSED');
    }
    const isTurned =
      bet.matchedMinor > 0 && (event.bet.result === 'PENDING') === back && bet.result !== event.bet.result;
    if (isTurned) had.add(bet.accountId);
  }
  const { paid, results } = planOf(market);
  for (const accountId of had) {
    must(!turns.had.has(accountId), 'INV-16', () => `account ${accountId} had its turn twice`);
    must(
      market.bets.every((bet) => bet.remainingMinor === 0),
      'INV-16',
      () => `account ${accountId} had its turn while bets wait`,
    );
    turns.had.add(accountId);
    for (const bet of market.bets) {
      if (bet.accountId !== accountId || bet.matchedMinor === 0) continue;
      bet.result = back ? 'PENDING' : results.get(bet.betId)!.result;
      bet.profitMinor = back ? 0 : results.get(bet.betId)!.profitMinor;
    }
    bookOne(world, accountId, paid.get(accountId), back ? -1 : 1);
  }
  const isHouse = events.some(
    (event) => event.type === 'ledger' && event.entries.some((entry) => entry.account === `a${HOUSE}`),
  );
  if (isHouse && !turns.isHouseBooked) {
    turns.isHouseBooked = true;
    bookOne(world, HOUSE, paid.get(HOUSE), back ? -1 : 1);
  }
  if (events.some((event) => event.type === (back ? 'undeclared' : 'settled') && event.marketId === market.id))
    finish(world, market, paid);
  return had;
}

/** Only what was to lapse does, kept lays come down, the field changes once; the market is free when all is done. */
function followLapses(world: World, market: Market, turns: Turns, events: readonly Event[]): void {
  const change = changeIn(market, events);
  if (change !== undefined) {
    const left = market.bets.filter(
      ({ betId, remainingMinor }) =>
        remainingMinor > 0 && (turns.lays.has(betId) || isOfField(turns.lapses.get(betId) ?? 'KILLED')),
    );
    must(left.length === 0, 'INV-15', () => `the field changed before bets ${left.map((bet) => bet.betId).join()}`);
    changeField(world, market, change);
  }
  if (events.some((event) => event.type === 'notReinstated' && event.marketId === market.id)) {
    const { change: refused } = turns;
    const isDue = refused !== null && isOnlyIfCovered(refused) && someoneShort(world, withRunner(market, refused));
    must(isDue, 'INV-06', () => 'a runner that may come back does not');
    turns.change = null;
  }
  for (const event of events) {
    if (event.type !== 'bet' || event.bet.marketId !== market.id) continue;
    const bet = market.bets.find((one) => one.betId === event.bet.betId)!;
    if (bet.price !== event.bet.price) {
      const price = turns.lays.get(bet.betId);
      must(price !== undefined, 'INV-15', () => `bet ${bet.betId} was not to come down`);
      holdingOn(market, bet.accountId, () => lowerLay(market, bet, price));
      turns.lays.delete(bet.betId);
    }
    if (event.bet.remainingMinor > 0 || bet.remainingMinor === 0) continue;
    const code = turns.lapses.get(bet.betId);
    must(code !== undefined, 'INV-15', () => `bet ${bet.betId} was not to lapse`);
    end(market, bet, code);
    turns.lays.delete(bet.betId);
  }
  const isOpenAgain = events.some(
    (event) => event.type === 'market' && event.market.marketId === market.id && event.market.status !== 'SETTLING',
  );
  if (!isOpenAgain) return;
  must(turns.change === null, 'INV-15', () => `market ${market.id} is free and its field as it was`);
  const left = market.bets.filter((bet) => turns.lapses.has(bet.betId) && bet.remainingMinor > 0);
  must(left.length === 0, 'INV-15', () => `bets ${left.map((bet) => bet.betId).join()} did not lapse`);
  world.settling.delete(market.id);
  market.turns = null;
  Object.assign(market, turns.after);
  // One command raises the version once.
  if (change === undefined) changed(market, false);
}

const isOfField = (code: string) => code === 'LAPSED_REMOVAL' || code === 'LAPSED_VERSION';

function finish(world: World, market: Market, paid: NonNullable<Market['paid']>): void {
  const turns = market.turns!;
  const back = turns.type === 'market.undeclare';
  for (const bet of market.bets)
    must(
      bet.matchedMinor === 0 || turns.had.has(bet.accountId),
      'INV-16',
      () => `market ${market.id} is over and account ${bet.accountId} had no turn`,
    );
  must(turns.isHouseBooked || !paid.has(HOUSE), 'INV-16', () => `the house had no turn in ${market.id}`);
  world.settling.delete(market.id);
  market.turns = null;
  market.paid = back ? null : paid;
  market.status = back ? 'SUSPENDED' : 'CLOSED';
  if (back) {
    market.reason = 'Result withdrawn';
    market.result = null;
    for (const runner of market.runners)
      if (runner.status === 'WINNER' || runner.status === 'LOSER') runner.status = 'ACTIVE';
  }
  changed(market, true);
}

/** Of the result that is booked or taken back: what each account gets, and each bet. */
function planOf(market: Market) {
  const paid = market.turns!.type === 'market.undeclare' ? market.paid! : payouts(market, market.result!);
  return { paid, results: resultsOf(market) };
}
